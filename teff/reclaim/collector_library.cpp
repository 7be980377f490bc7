// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the Boehm collector.
#include <teff/reclaim/collector_library.hpp>

#if defined(TEFF_WITH_GC)

#include <teff/base/mutex.hpp>

#include <array>
#include <cstdio>
#include <dlfcn.h>

namespace teff {
namespace {

constexpr const char* file = "libgc.so.1";

constinit collector_library functions{};
constinit std::array<char, 400> obstacle{};

template <class Function>
bool find(void* library, const char* name, Function*& to) noexcept {
    to = reinterpret_cast<Function*>(::dlsym(library, name));
    if (to == nullptr)
        std::snprintf(obstacle.data(), obstacle.size(), "%s has no %s: it is older than version 8.0", file, name);
    return to != nullptr;
}

void load() noexcept {
    // Never closed: threads may still use it when the program ends.
    void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::snprintf(obstacle.data(), obstacle.size(), "it could not be loaded (%s)", ::dlerror());
        return;
    }
    [[maybe_unused]] const bool has_all =
        find(library, "GC_init", functions.init) && find(library, "GC_is_init_called", functions.is_init_called) &&
        find(library, "GC_allow_register_threads", functions.allow_register_threads) &&
        find(library, "GC_get_stack_base", functions.get_stack_base) &&
        find(library, "GC_set_stackbottom", functions.set_stackbottom) &&
        find(library, "GC_register_my_thread", functions.register_my_thread) &&
        find(library, "GC_unregister_my_thread", functions.unregister_my_thread) &&
        find(library, "GC_register_altstack", functions.register_altstack) &&
        find(library, "GC_get_suspend_signal", functions.get_suspend_signal) &&
        find(library, "GC_get_thr_restart_signal", functions.get_thr_restart_signal) &&
        find(library, "GC_enable", functions.enable) && find(library, "GC_disable", functions.disable) &&
        find(library, "GC_malloc", functions.malloc) &&
        find(library, "GC_malloc_uncollectable", functions.malloc_uncollectable) &&
        find(library, "GC_memalign", functions.memalign) && find(library, "GC_base", functions.base) &&
        find(library, "GC_free", functions.free);
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
