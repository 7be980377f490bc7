// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the collector at the first request and keeps its functions for the whole process.
#include <teff/reclaim/collector_library.hpp>

#if defined(TEFF_WITH_GC)

#include <teff/base/locks.hpp>

#include <array>
#include <cstdio>

// Null in a program that is linked with libteff.a (collector_loading.cpp).
#pragma weak teff_load_collector

namespace teff {
namespace {

constinit collector_library functions{};
constinit std::array<char, 400> obstacle{};

void load() noexcept {
    if (&teff_load_collector == nullptr)
        std::snprintf(obstacle.data(), obstacle.size(), "a program that is linked with libteff.a loads no library; "
                                                        "link it with libteff.so");
    else
        [[maybe_unused]] const bool is_loaded = teff_load_collector(functions, obstacle);
}

}  // namespace

const char* collector_obstacle() noexcept {
    static constinit mutex loading;
    static constinit bool has_tried = false;
    const scoped_lock lock(loading);
    if (!has_tried)
        load();
    has_tried = true;
    return obstacle[0] == '\0' ? nullptr : obstacle.data();
}

const collector_library& collector() noexcept { return functions; }

}  // namespace teff

#endif
