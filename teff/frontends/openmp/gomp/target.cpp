// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for target constructs (OpenMP 5.1, section 2.14), which run on the host: nothing is mapped, and an
// outlined region gets the addresses of the program's own variables. What remains to be done:
//
//   firstprivate     the region gets copies, which the runtime makes
//   depend, nowait   the construct is a task; that of a construct that only moves data is empty
//   thread_limit     holds for the region
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/gomp/outlined_call.hpp>

#include <algorithm>
#include <cstring>

namespace teff::openmp::gomp {
namespace {

constexpr int default_device = -1, host_fallback = -2;  // -2: if(false)
constexpr unsigned flag_nowait = 1;

void use_host(int device) noexcept {
    if (device == host_fallback)
        return;
    use_host_for(device == default_device ? this_place().current->environment->default_device : device);
}

// The variables of a region. The low byte of a kind is the map type; above it is the logarithm of the alignment.
struct mapping {
    std::size_t count;
    void** addresses;
    const std::size_t* sizes;
    const unsigned short* kinds;

    // The number of bytes for the copies of firstprivate variables. Variables passed by value are not copied.
    std::size_t size_of_copies() const noexcept {
        std::size_t size = 0;
        for (std::size_t each = 0; each != count; ++each)
            size += is_copied(each) ? sizes[each] + alignment_of(each) - 1 : 0;
        return size;
    }
    // Makes the copies. Writes their addresses, and the addresses of the other variables, to `to`.
    void copy(void** to, void* memory) const noexcept {
        auto next = reinterpret_cast<std::uintptr_t>(memory);
        for (std::size_t each = 0; each != count; ++each) {
            to[each] = addresses[each];
            if (!is_copied(each))
                continue;
            next = (next + alignment_of(each) - 1) & ~(alignment_of(each) - 1);
            to[each] = reinterpret_cast<void*>(next);
            std::memcpy(to[each], addresses[each], sizes[each]);
            next += sizes[each];
        }
    }

private:
    // An absent optional argument in Fortran has a null address.
    bool is_copied(std::size_t each) const noexcept {
        constexpr unsigned kind_firstprivate = 12;
        return (kinds[each] & 0xff) == kind_firstprivate && addresses[each] != nullptr;
    }
    std::size_t alignment_of(std::size_t each) const noexcept { return std::size_t{1} << (kinds[each] >> 8); }
};

// `arguments` ends with a null pointer. Bits 0 to 6 of a word are the kind of device that it applies to, 0 for all;
// bits 8 to 15 identify the argument; the bits above are its value, unless bit 7 says that the value is the next word.
unsigned thread_limit_of(void* const* arguments) noexcept {
    constexpr std::intptr_t device_mask = 0x7f, is_in_next = 0x80, id_mask = 0xff00, id_thread_limit = 0x200;
    std::intptr_t limit = 0;
    while (arguments != nullptr && *arguments != nullptr) {
        const auto word = reinterpret_cast<std::intptr_t>(*arguments++);
        const std::intptr_t value =
            (word & is_in_next) != 0 ? reinterpret_cast<std::intptr_t>(*arguments++) : word >> 16;
        if ((word & device_mask) == 0 && (word & id_mask) == id_thread_limit)
            limit = value;
    }
    return static_cast<unsigned>(std::clamp<std::intptr_t>(limit, 0, no_limit));
}

void run_here(body function, void** addresses, unsigned thread_limit) noexcept {
    place& inside = enter_initial_region(this_place(), 0, {});
    // The control variables of a device have their initial values.
    icvs& environment = inside.in->environment;
    environment = process().initial;
    if (thread_limit != 0)
        environment.thread_limit = thread_limit;
    {
        const events::program_call called(inside.implicit, TEFF_OWN_FRAME);
        function(addresses);
    }
    leave_serial_region(inside);
}

deferred_task& make_target_task(place& caller, body function, const mapping& variables,
                                unsigned thread_limit) noexcept {
    const std::size_t size_of_addresses = variables.count * sizeof(void*);
    deferred_task& made = make_task(caller, size_of_addresses + variables.size_of_copies(), alignof(deferred_task));
    std::byte* const data = data_of(made, alignof(deferred_task));
    made.call = [](deferred_task& self) noexcept {
        run_here(reinterpret_cast<body>(self.function), static_cast<void**>(self.data), self.data_size);
    };
    made.function = reinterpret_cast<void*>(function);
    made.data = data;
    made.data_size = thread_limit;
    variables.copy(reinterpret_cast<void**>(data), data + size_of_addresses);
    return made;
}

// Runs a construct without nowait. The copies are in this frame.
[[gnu::noinline]] void run_target(body function, const mapping& variables, unsigned thread_limit) noexcept {
    auto* const addresses = static_cast<void**>(__builtin_alloca(variables.count * sizeof(void*)));
    variables.copy(addresses, __builtin_alloca(variables.size_of_copies()));
    run_here(function, addresses, thread_limit);
}

void move_data(int device, unsigned flags, void** depend) noexcept {
    use_host(device);
    if (depend == nullptr)
        return;
    place& caller = this_place();
    auto* const items = static_cast<dependence*>(__builtin_alloca(count_dependences(depend) * sizeof(dependence)));
    const dependence_list depends = read_dependences(depend, items);
    if ((flags & flag_nowait) == 0)
        return wait_for_dependences(caller, depends);
    TEFF_DESCRIBE_DEPENDENCES(described, depend);
    events::next_task_has(described.items, described.count);
    submit_empty(caller, depends);
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" {

void GOMP_target_ext(int device, gomp::body function, std::size_t count, void** addresses, const std::size_t* sizes,
                     const unsigned short* kinds, unsigned flags, void** depend, void** arguments) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::use_host(device);
    const gomp::mapping variables{count, addresses, sizes, kinds};
    const unsigned thread_limit = gomp::thread_limit_of(arguments);
    dependence_list depends;
    if (depend != nullptr) {
        const std::size_t size = gomp::count_dependences(depend) * sizeof(dependence);
        depends = gomp::read_dependences(depend, static_cast<dependence*>(__builtin_alloca(size)));
    }
    place& caller = this_place();
    if ((flags & gomp::flag_nowait) != 0) {
        deferred_task& made = gomp::make_target_task(caller, function, variables, thread_limit);
        if (depend != nullptr) {
            TEFF_DESCRIBE_DEPENDENCES(described, depend);
            events::next_task_has(described.items, described.count);
            events::task_created(made, events::flags_of(made.flags, false), !depends.is_empty());
        } else {
            events::task_created(made, events::flags_of(made.flags, false), false);
        }
        return submit(caller, made, true, depends);
    }
    if (!depends.is_empty())
        wait_for_dependences(caller, depends);
    gomp::run_target(function, variables, thread_limit);
}
// The form of OpenMP 4.0. Its compilers make the copies themselves.
void GOMP_target(int device, gomp::body function, const void*, std::size_t, void** addresses, const std::size_t*,
                 const unsigned char*) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::use_host(device);
    gomp::run_here(function, addresses, 0);
}

void GOMP_target_data(int device, const void*, std::size_t, void**, const std::size_t*, const unsigned char*) {
    gomp::use_host(device);
}
void GOMP_target_data_ext(int device, std::size_t, void**, const std::size_t*, const unsigned short*) {
    gomp::use_host(device);
}
void GOMP_target_end_data() {}
void GOMP_target_update(int device, const void*, std::size_t, void**, const std::size_t*, const unsigned char*) {
    gomp::use_host(device);
}
void GOMP_target_update_ext(int device, std::size_t, void**, const std::size_t*, const unsigned short*, unsigned flags,
                            void** depend) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::move_data(device, flags, depend);
}
void GOMP_target_enter_exit_data(int device, std::size_t, void**, const std::size_t*, const unsigned short*,
                                 unsigned flags, void** depend) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::move_data(device, flags, depend);
}
}

// An object with code for devices announces it by these calls. There is no device, so its code is never used.
extern "C" {

void GOMP_offload_register(const void* /*table*/, int /*kind*/, const void* /*code*/) {}
void GOMP_offload_register_ver(unsigned /*version*/, const void* /*table*/, int /*kind*/, const void* /*code*/) {}
void GOMP_offload_unregister(const void* /*table*/, int /*kind*/, const void* /*code*/) {}
void GOMP_offload_unregister_ver(unsigned /*version*/, const void* /*table*/, int /*kind*/, const void* /*code*/) {}
}
