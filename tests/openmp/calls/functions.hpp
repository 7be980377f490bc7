// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's functions by name and version, for tests that call them as compiled programs do.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <latch>
#include <string>
#include <thread>
#include <vector>

namespace openmp_calls {

// The function of the loaded runtime as a pointer of this type; fails the test and returns nullptr if there is none.
template <class Function>
Function* function(const std::string& name, const char* version = nullptr) {
    void* const found =
        version == nullptr ? dlsym(RTLD_DEFAULT, name.c_str()) : dlvsym(RTLD_DEFAULT, name.c_str(), version);
    EXPECT_NE(found, nullptr) << name << " is not there" << (version == nullptr ? "" : " in version ")
                              << (version == nullptr ? "" : version);
    return reinterpret_cast<Function*>(found);
}

// Calls body(number) on so many threads, which begin together.
template <class Body>
void on_threads(unsigned threads, Body body) {
    std::latch begin(threads);
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i)
        all.emplace_back([&, i] {
            begin.arrive_and_wait();
            body(i);
        });
    for (std::thread& each : all)
        each.join();
}

}  // namespace openmp_calls
