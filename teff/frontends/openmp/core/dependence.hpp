// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the depend clauses of a task say, in one form for both compilers (OpenMP 5.1, section 2.19.11).
#pragma once

#include <teff/depend/access.hpp>

#include <span>

namespace teff::openmp {

// An item of a clause:  in -> in   out, inout -> inout   mutexinoutset -> commutative   inoutset -> concurrent
struct dependence {
    void* address;
    depend::access_kind kind;
};

// The clauses of a task. It does not own the items.
struct dependence_list {
    dependence* items = nullptr;
    unsigned count = 0;
    bool has_all_memory = false;  // depend(inout: omp_all_memory)

    std::span<dependence> all() const noexcept { return {items, count}; }
    bool is_empty() const noexcept { return count == 0 && !has_all_memory; }
};

// Each address only once, sorted. Items with the same address become one: of their kind if they have the same one,
// otherwise inout.
void merge(dependence_list& clauses) noexcept;

}  // namespace teff::openmp
