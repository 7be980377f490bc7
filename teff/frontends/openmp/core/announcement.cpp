// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes that the runtime is active; see announcement.hpp.
#include <teff/frontends/openmp/core/announcement.hpp>

#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/linked_runtime.hpp>
#include <teff/runtime/options.hpp>
#include <teff/version.hpp>

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string_view>
#include <unistd.h>

namespace teff::openmp {
namespace {

// Called with each loaded object.
int name_another(dl_phdr_info* object, std::size_t, void* own_base) noexcept {
    if (object->dlpi_addr != reinterpret_cast<std::uintptr_t>(own_base) &&
        runtime_named(object->dlpi_name) != runtime_name::none)
        warn("another OpenMP runtime is loaded, too, and serves only what asks this file by itself for a function: %s",
             object->dlpi_name);
    return 0;
}

}  // namespace

void announce(unsigned threads) noexcept {
    const configuration& settings = process_configuration();
    if (settings.text("openmp_verbose") != "on")
        return;
    Dl_info own{};
    ::dladdr(reinterpret_cast<const void*>(&announce), &own);
    const std::string_view scheduler = settings.text("scheduler");
    const std::string_view tracker = settings.text("tracker");
    warn("OpenMP runtime %s is active in process %ld: %s, for libgomp.so.1, libomp.so.5 and libiomp5.so; "
         "scheduler %.*s, tracker %.*s, threads %u",
         TEFF_VERSION_STRING, static_cast<long>(::getpid()), own.dli_fname == nullptr ? "?" : own.dli_fname,
         static_cast<int>(scheduler.size()), scheduler.data(), static_cast<int>(tracker.size()), tracker.data(),
         threads);
    ::dl_iterate_phdr(name_another, own.dli_fbase);
}

}  // namespace teff::openmp
