// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the OpenMP runtime with which the program was linked, in the DT_NEEDED entries of the loaded objects, and
// writes the lines of the option openmp_verbose; see runtimes.hpp.
#include <teff/frontends/openmp/core/process/runtimes.hpp>

#include <teff/base/assert.hpp>
#include <teff/depend/names.hpp>
#include <teff/options/options.hpp>
#include <teff/team/team_options.hpp>
#include <teff/version.hpp>

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace teff::openmp {
namespace {

// nullptr: the object has no dynamic section.
const ElfW(Dyn)* dynamic_section(const dl_phdr_info& object) noexcept {
    for (unsigned each = 0; each < object.dlpi_phnum; ++each)
        if (object.dlpi_phdr[each].p_type == PT_DYNAMIC)
            return reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[each].p_vaddr);
    return nullptr;
}

const char* names_of(const dl_phdr_info& object, const ElfW(Dyn)* section) noexcept {
    for (; section->d_tag != DT_NULL; ++section)
        if (section->d_tag == DT_STRTAB) {
            // The loader has added the base address, unless the section is read-only.
            const std::uintptr_t at = section->d_un.d_ptr;
            return reinterpret_cast<const char*>(at < object.dlpi_addr ? at + object.dlpi_addr : at);
        }
    return nullptr;
}

// Called with each loaded object, the program first; ends the search when it returns 1.
int find_name(dl_phdr_info* object, std::size_t, void* result) noexcept {
    const ElfW(Dyn)* const section = dynamic_section(*object);
    const char* const names = section == nullptr ? nullptr : names_of(*object, section);
    if (names == nullptr)
        return 0;
    auto& found = *static_cast<runtime_name*>(result);
    for (const ElfW(Dyn)* each = section; each->d_tag != DT_NULL; ++each)
        if (each->d_tag == DT_NEEDED && found != runtime_name::libgomp) {
            const runtime_name asked = runtime_named(names + each->d_un.d_val);
            found = asked == runtime_name::none ? found : asked;
        }
    return found == runtime_name::none ? 0 : 1;
}

// Called with each loaded object.
int name_another(dl_phdr_info* object, std::size_t, void* own_base) noexcept {
    if (object->dlpi_addr != reinterpret_cast<std::uintptr_t>(own_base) &&
        runtime_named(object->dlpi_name) != runtime_name::none)
        warn("another OpenMP runtime is loaded, too, and serves only what asks this file by itself for a function: %s",
             object->dlpi_name);
    return 0;
}

}  // namespace

runtime_name runtime_named(std::string_view path) noexcept {
    const std::string_view file = path.substr(path.find_last_of('/') + 1);
    for (const std::string_view beginning : {"libgomp", "libomp", "libiomp5"}) {
        const std::string_view next = file.starts_with(beginning) ? file.substr(beginning.size(), 1) : "";
        if (next == "." || next == "-")
            return beginning == "libgomp" ? runtime_name::libgomp : runtime_name::libomp;
    }
    return runtime_name::none;
}

runtime_name linked_runtime() noexcept {
    runtime_name found = runtime_name::none;
    ::dl_iterate_phdr(find_name, &found);
    return found;
}

void announce(unsigned threads) noexcept {
    const configuration& settings = process_configuration();
    if (settings.text("openmp_verbose") != "on")
        return;
    Dl_info own{};
    ::dladdr(reinterpret_cast<const void*>(&announce), &own);
    const std::string_view scheduler = settings.text("scheduler");
    const std::string_view tracker = tracker_names[resolve({}).tracker].name;
    warn("OpenMP runtime %s is active in process %ld: %s, for libgomp.so.1, libomp.so.5 and libiomp5.so; "
         "scheduler %.*s, tracker %.*s, threads %u",
         TEFF_VERSION_STRING, static_cast<long>(::getpid()), own.dli_fname == nullptr ? "?" : own.dli_fname,
         static_cast<int>(scheduler.size()), scheduler.data(), static_cast<int>(tracker.size()), tracker.data(),
         threads);
    ::dl_iterate_phdr(name_another, own.dli_fbase);
}

}  // namespace teff::openmp
