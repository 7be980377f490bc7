// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region or a task as GCC's calls describe it: a function that the compiler has outlined, and a block of data. A
// region uses the caller's block; a task gets a copy, made bitwise or by a function.
#pragma once

#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>

#include <cstddef>
#include <cstring>

namespace teff::openmp::gomp {

struct outlined_region {
    void (*function)(void*);
    void* data;

    static void run([[maybe_unused]] place& caller, void* self) {
        const auto& region = *static_cast<const outlined_region*>(self);
        const events::program_call called(caller.implicit, TEFF_OWN_FRAME);
        region.function(region.data);
    }
};

// threads: 0 without a clause, 1 also for if(false). The low bits of `flags` are the proc_bind clause.
inline region_clauses clauses_of(unsigned threads, unsigned flags) noexcept {
    const unsigned bind = flags & 7;
    return {.threads = threads, .is_serial = threads == 1, .has_bind = bind != 0, .bind = static_cast<binding>(bind)};
}

using body = void (*)(void*);
using copier = void (*)(void* to, void* from);

// Flags of GOMP_task and GOMP_taskloop.
inline constexpr unsigned flag_untied = 1, flag_final = 2, flag_mergeable = 4, flag_depend = 8, flag_priority = 16,
                          flag_up = 1U << 8, flag_grainsize = 1U << 9, flag_if = 1U << 10, flag_nogroup = 1U << 11,
                          flag_reduction = 1U << 12, flag_detach = 1U << 13, flag_strict = 1U << 14;

struct task_call {
    body function;
    void* data;
    copier copy;  // nullptr: the copy is bitwise
    std::size_t size;
    std::size_t alignment;
    // For a taskloop: the first two words of the data, which the copy function leaves out.
    const std::uint64_t* bounds = nullptr;

    // Makes a task in a descriptor, with a copy of the data.
    deferred_task& make(place& caller, unsigned flags) const noexcept {
        deferred_task& made = make_task(caller, size, alignment);
        made.call = [](deferred_task& self) noexcept {
            const events::program_call called(self, TEFF_OWN_FRAME);
            reinterpret_cast<body>(self.function)(self.data);
        };
        made.function = reinterpret_cast<void*>(function);
        made.data = data_of(made, alignment);
        made.flags = ((flags & flag_final) != 0 ? task::is_final : 0) |
                     // The task's own function destroys data that a copy function has made.
                     (copy != nullptr ? task::is_always_called : 0);
        copy_to(made.data);
        return made;
    }

    // Runs the task at once. Without a copy function the task uses the caller's own block. The caller has checked that
    // the task is not dropped.
    void run(place& caller, unsigned flags) const noexcept {
        const std::uint32_t bits = (flags & flag_final) != 0 ? task::is_final : 0;
        if (copy != nullptr)
            return run_with_copy(caller, bits);
        if (bounds != nullptr)
            std::memcpy(data, bounds, 2 * sizeof *bounds);
        run_at_once(caller, bits, [this] { function(data); });
    }

private:
    // The creating task copies the data. Out of line, since a frame of variable size costs more.
    [[gnu::noinline]] void run_with_copy(place& caller, std::uint32_t bits) const noexcept {
        auto memory = reinterpret_cast<std::uintptr_t>(__builtin_alloca(size + alignment));
        void* const own = reinterpret_cast<void*>((memory + alignment - 1) & ~(alignment - 1));
        copy_to(own);
        run_at_once(caller, bits, [=, this] { function(own); });
    }
    void copy_to(void* own) const noexcept {
        if (copy != nullptr)
            copy(own, data);
        else
            std::memcpy(own, data, size);
        if (bounds != nullptr)
            std::memcpy(own, bounds, 2 * sizeof *bounds);
    }
};

// Read the depend clauses as the compiler writes them; tasks.cpp describes the form. `items` has room for
// count_dependences() items.
unsigned count_dependences(void* const* depend) noexcept;
dependence_list read_dependences(void* const* depend, dependence* items) noexcept;

// The same for a tool, in memory of the calling function.
struct described_dependences {
    events::dependence* items = nullptr;
    int count = 0;
};
int describe_dependences(void* const* depend, events::dependence* to) noexcept;
#define TEFF_DESCRIBE_DEPENDENCES(name, depend)                                                                        \
    ::teff::openmp::gomp::described_dependences name;                                                                  \
    if constexpr (::teff::openmp::events::are_reported) {                                                              \
        name.items = static_cast<::teff::openmp::events::dependence*>(__builtin_alloca(                                \
            ::teff::openmp::gomp::count_dependences(depend) * sizeof(::teff::openmp::events::dependence)));            \
        name.count = ::teff::openmp::gomp::describe_dependences(depend, name.items);                                   \
    }
inline int flags_for_tool(unsigned flags, bool is_deferrable) noexcept {
    return ((flags & flag_untied) != 0 ? events::untied : 0) | (is_deferrable ? 0 : events::undeferred);
}

}  // namespace teff::openmp::gomp
