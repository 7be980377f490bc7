// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the Boehm collector. Only this file calls dlopen(), of which the linker warns in programs that are linked
// statically with glibc. So it is an object file of its own, which nothing in libteff.a refers to, and a program that
// is linked with libteff.a does not contain it.
#include <teff/reclaim/collector_library.hpp>

#if defined(TEFF_WITH_GC)

#include <cstdio>
#include <dlfcn.h>

namespace {

constexpr const char* file = "libgc.so.1";

template <class Function>
bool find(void* library, const char* name, Function*& to, std::span<char> obstacle) noexcept {
    to = reinterpret_cast<Function*>(::dlsym(library, name));
    if (to == nullptr)
        std::snprintf(obstacle.data(), obstacle.size(),
                      "%s has no %s: it is older than version 8.0; install a newer one", file, name);
    return to != nullptr;
}

}  // namespace

bool teff_load_collector(teff::collector_library& functions, std::span<char> obstacle) noexcept {
    // Never closed: threads may still use it when the program ends.
    void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::snprintf(obstacle.data(), obstacle.size(), "it could not be loaded (%s); install it (Debian: libgc1)",
                      ::dlerror());
        return false;
    }
    const auto has = [&](const char* name, auto*& to) { return find(library, name, to, obstacle); };
    return has("GC_init", functions.init) && has("GC_is_init_called", functions.is_init_called) &&
           has("GC_allow_register_threads", functions.allow_register_threads) &&
           has("GC_get_stack_base", functions.get_stack_base) &&
           has("GC_set_stackbottom", functions.set_stackbottom) &&
           has("GC_register_my_thread", functions.register_my_thread) &&
           has("GC_unregister_my_thread", functions.unregister_my_thread) &&
           has("GC_register_altstack", functions.register_altstack) &&
           has("GC_get_suspend_signal", functions.get_suspend_signal) &&
           has("GC_get_thr_restart_signal", functions.get_thr_restart_signal) && has("GC_enable", functions.enable) &&
           has("GC_disable", functions.disable) && has("GC_malloc", functions.malloc) &&
           has("GC_malloc_uncollectable", functions.malloc_uncollectable) &&
           has("GC_memalign", functions.memalign) && has("GC_base", functions.base) && has("GC_free", functions.free);
}

#endif
