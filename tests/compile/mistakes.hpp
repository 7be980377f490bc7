// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mistakes.cpp uses. It is compiled once for all mistakes.
#pragma once

#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/parallel_invoke.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/parallel_scan.hpp>
#include <teff/parallel_sort.hpp>
#include <teff/parallel_transform.hpp>
#include <teff/reduce.hpp>
#include <teff/teff.hpp>

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

namespace mistakes {

struct immovable {
    immovable() = default;
    immovable(const immovable&) = delete;
    immovable& operator=(const immovable&) = delete;
    immovable& operator+=(const immovable&) { return *this; }
};
struct constant {
    const int n = 0;
};
struct without_sum {
    int n = 0;
};
struct throws_on_move {
    throws_on_move() = default;
    throws_on_move(throws_on_move&&) noexcept(false) {}
};
inline teff::task<int> number(int n) { co_return n; }
inline void takes_int(int&) {}
inline void takes_text(std::string&) {}

}  // namespace mistakes
