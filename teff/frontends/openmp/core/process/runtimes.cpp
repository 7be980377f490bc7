// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the OpenMP runtime with which the program was linked, in the DT_NEEDED entries of the loaded objects, and
// calls that go to another runtime, in their relocations. Writes the lines about both; see runtimes.hpp.
//
// dl_iterate_phdr() takes a lock of the loader that is held for moments only. dlsym() would take the one that is held
// while constructors run. A constructor that waits for this thread at its own first use of OpenMP would never end then.
#include <teff/frontends/openmp/core/process/runtimes.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/depend/names.hpp>
#include <teff/frontends/openmp/core/tasks/dependence_table.hpp>
#include <teff/options/options.hpp>
#include <teff/version.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
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

// The loader has added the base address, unless the section is read-only.
template <class Item>
const Item* place_of(const dl_phdr_info& object, const ElfW(Dyn)& entry) noexcept {
    const std::uintptr_t at = entry.d_un.d_ptr;
    return reinterpret_cast<const Item*>(at < object.dlpi_addr ? at + object.dlpi_addr : at);
}

const char* names_of(const dl_phdr_info& object, const ElfW(Dyn)* section) noexcept {
    for (; section->d_tag != DT_NULL; ++section)
        if (section->d_tag == DT_STRTAB)
            return place_of<char>(object, *section);
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

struct wanted_name {
    std::string_view beginning;
    bool is_found;
};
// Called with the program, which is the first object.
int find_beginning(dl_phdr_info* object, std::size_t, void* result) noexcept {
    auto& wanted = *static_cast<wanted_name*>(result);
    const ElfW(Dyn)* const section = dynamic_section(*object);
    const char* const names = section == nullptr ? nullptr : names_of(*object, section);
    if (names == nullptr)
        return 1;
    for (const ElfW(Dyn)* each = section; each->d_tag != DT_NULL; ++each)
        if (each->d_tag == DT_STRSZ) {
            const std::string_view all(names, each->d_un.d_val);
            wanted.is_found = all.find(wanted.beginning) != std::string_view::npos;
        }
    return 1;
}

// The addresses of a loaded object.
struct address_range {
    std::uintptr_t begin = 0, end = 0;

    bool contains(std::uintptr_t address) const noexcept { return begin <= address && address < end; }
};

address_range range_of(const dl_phdr_info& object) noexcept {
    address_range all{~std::uintptr_t{0}, 0};
    for (unsigned each = 0; each < object.dlpi_phnum; ++each) {
        const ElfW(Phdr)& part = object.dlpi_phdr[each];
        if (part.p_type == PT_LOAD) {
            all.begin = std::min<std::uintptr_t>(all.begin, object.dlpi_addr + part.p_vaddr);
            all.end = std::max<std::uintptr_t>(all.end, object.dlpi_addr + part.p_vaddr + part.p_memsz);
        }
    }
    return all;
}

const char* file_of(const dl_phdr_info& object) noexcept {
    return object.dlpi_name == nullptr || *object.dlpi_name == '\0' ? "the program" : object.dlpi_name;
}

// See count_as_own(). Written while the runtime for tools is loaded, then constant.
constinit const void* also_own = nullptr;

bool is_own(const address_range& object) noexcept {
    return object.contains(reinterpret_cast<std::uintptr_t>(&announce)) ||
           object.contains(reinterpret_cast<std::uintptr_t>(also_own));
}

// The runtimes of a process beside this one. All texts are the loader's, and valid during the search only.
struct other_runtimes {
    struct runtime {
        address_range code;
        const char* file = nullptr;
    };
    std::array<runtime, 8> found{};  // more are not looked at
    unsigned count = 0;

    bool contain(const address_range& object) const noexcept {
        for (unsigned each = 0; each < count; ++each)
            if (found[each].code.begin == object.begin)
                return true;
        return false;
    }
    const runtime* at(std::uintptr_t address) const noexcept {
        for (unsigned each = 0; each < count; ++each)
            if (found[each].code.contains(address))
                return &found[each];
        return nullptr;
    }
};

// Called with each loaded object.
int find_another(dl_phdr_info* object, std::size_t, void* result) noexcept {
    auto& others = *static_cast<other_runtimes*>(result);
    const address_range code = range_of(*object);
    if (runtime_named(object->dlpi_name) != runtime_name::none && !is_own(code) && others.count < others.found.size())
        others.found[others.count++] = {code, object->dlpi_name};
    return 0;
}

// Called with each loaded object.
int name_another(dl_phdr_info* object, std::size_t, void*) noexcept {
    if (runtime_named(object->dlpi_name) != runtime_name::none && !is_own(range_of(*object)))
        warn("another OpenMP runtime is loaded, too, and serves only what asks this file by itself for a function: %s",
             object->dlpi_name);
    return 0;
}

// Whether a compiler calls a function of this name. A library of any kind may have names that begin with omp_.
bool is_entry_point(std::string_view name) noexcept {
    return name.starts_with("GOMP_") || name.starts_with("__kmpc_");
}

// The functions and variables that an object needs from others, by its dynamic section.
struct needs_of_object {
    const char* names = nullptr;
    const ElfW(Sym)* symbols = nullptr;
    struct list {
        const ElfW(Rela)* first = nullptr;
        std::size_t bytes = 0;
    } calls, variables;

    explicit needs_of_object(const dl_phdr_info& object) noexcept {
        const ElfW(Dyn)* each = dynamic_section(object);
        if (each == nullptr)
            return;
        for (; each->d_tag != DT_NULL; ++each)
            switch (each->d_tag) {
            case DT_STRTAB: names = place_of<char>(object, *each); break;
            case DT_SYMTAB: symbols = place_of<ElfW(Sym)>(object, *each); break;
            case DT_JMPREL: calls.first = place_of<ElfW(Rela)>(object, *each); break;
            case DT_PLTRELSZ: calls.bytes = each->d_un.d_val; break;
            case DT_RELA: variables.first = place_of<ElfW(Rela)>(object, *each); break;
            case DT_RELASZ: variables.bytes = each->d_un.d_val; break;
            default: break;
            }
    }
};

// The other runtime at which the object's calls arrive; nullptr: none, or the object has not called one yet.
const other_runtimes::runtime* runtime_called_by(const dl_phdr_info& object, const other_runtimes& others) noexcept {
    const needs_of_object needs(object);
    if (needs.names == nullptr || needs.symbols == nullptr)
        return nullptr;
    for (const auto& [first, bytes] : {needs.calls, needs.variables})
        for (std::size_t each = 0; first != nullptr && each != bytes / sizeof *first; ++each) {
            const std::size_t symbol = ELF64_R_SYM(first[each].r_info);
            if (symbol == 0 || needs.symbols[symbol].st_shndx != SHN_UNDEF ||
                !is_entry_point(needs.names + needs.symbols[symbol].st_name))
                continue;
            // volatile: the loader may write the address just now, in one piece, for another thread's first call.
            const auto* const slot =
                reinterpret_cast<const volatile std::uintptr_t*>(object.dlpi_addr + first[each].r_offset);
            if (const auto* const called = others.at(*slot))
                return called;
        }
    return nullptr;
}

// Called with each loaded object; ends the search when it returns 1.
int name_caller(dl_phdr_info* object, std::size_t, void* others) noexcept {
    const auto& known = *static_cast<const other_runtimes*>(others);
    const address_range code = range_of(*object);
    if (is_own(code) || known.contain(code))
        return 0;
    const other_runtimes::runtime* const called = runtime_called_by(*object, known);
    if (called == nullptr)
        return 0;
    warn("OpenMP: two runtimes are in use: %s calls %s, and other code calls Teff. Each has threads and settings of "
         "its own: start the program with `teff run`, so that all calls go to Teff, or divide the processors with "
         "OMP_NUM_THREADS; KMP_DUPLICATE_LIB_OK=true silences this line",
         file_of(*object), called->file);
    return 1;
}

}  // namespace

runtime_name runtime_named(std::string_view path) noexcept {
    const std::string_view file = path.substr(path.find_last_of('/') + 1);
    if (file.starts_with("libgomp-plugin"))
        return runtime_name::none;
    for (const std::string_view beginning : {"libgomp", "libomp", "libiomp5"}) {
        const std::string_view next = file.starts_with(beginning) ? file.substr(beginning.size(), 1) : "";
        if (next == "." || next == "-")
            return beginning == "libgomp" ? runtime_name::libgomp : runtime_name::libomp;
    }
    return runtime_name::none;
}

bool program_names(std::string_view beginning) noexcept {
    wanted_name wanted{beginning, false};
    ::dl_iterate_phdr(find_beginning, &wanted);
    return wanted.is_found;
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
    const std::string_view tracker = tracker_names[tracker_for_team(threads)].name;
    warn("OpenMP runtime %s is active in process %ld: %s, for libgomp.so.1, libomp.so.5 and libiomp5.so; "
         "scheduler %.*s, tracker %.*s, threads %u",
         TEFF_VERSION_STRING, static_cast<long>(::getpid()), own.dli_fname == nullptr ? "?" : own.dli_fname,
         static_cast<int>(scheduler.size()), scheduler.data(), static_cast<int>(tracker.size()), tracker.data(),
         threads);
    ::dl_iterate_phdr(name_another, nullptr);
}

void count_as_own(const void* code) noexcept { also_own = code; }

void report_two_runtimes() noexcept {
    // The process in which the first call was made.
    static const pid_t process = ::getpid();
    static constinit atomic<bool> is_reported{false};
    // relaxed: calls of several threads at once would write the line twice, which no caller does.
    if (::getpid() != process || is_reported.load(std::memory_order_relaxed))
        return;
    other_runtimes others;
    ::dl_iterate_phdr(find_another, &others);
    if (others.count != 0 && ::dl_iterate_phdr(name_caller, &others) != 0)
        is_reported.store(true, std::memory_order_relaxed);
}

}  // namespace teff::openmp
