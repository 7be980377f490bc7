// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for tasks, taskwait and taskgroup.
#include <teff/frontends/openmp/core/run_at_once.hpp>
#include <teff/frontends/openmp/core/taskgroup.hpp>

#include <cstring>

namespace teff::openmp::gomp {
namespace {

using body = void (*)(void*);
using copier = void (*)(void* to, void* from);

// Flags of GOMP_task.
constexpr unsigned flag_untied = 1, flag_final = 2, flag_mergeable = 4, flag_depend = 8, flag_priority = 16,
                   flag_detach = 1U << 13;

void call_body(deferred_task& self) noexcept { reinterpret_cast<body>(self.function)(self.data); }

void defer_call(place& here, body function, void* data, copier copy, std::size_t size, std::size_t alignment) noexcept {
    deferred_task& made = make_task(here, size, alignment);
    made.call = &call_body;
    made.function = reinterpret_cast<void*>(function);
    made.data = data_of(made, alignment);
    if (copy != nullptr)
        copy(made.data, data);
    else
        std::memcpy(made.data, data, size);
    defer(here, made);
}

// Runs a task at once with a copy of its data, which the task that makes it copies.
void run_with_copy(place& here, std::uint32_t bits, body function, void* data, copier copy, std::size_t size,
                   std::size_t alignment) noexcept {
    auto memory = reinterpret_cast<std::uintptr_t>(__builtin_alloca(size + alignment));
    void* const own = reinterpret_cast<void*>((memory + alignment - 1) & ~(alignment - 1));
    copy(own, data);
    run_at_once(here, bits, [&] { function(own); });
}

// A task that is not simply called. The arguments are those of GOMP_task, in the same order: so the jump costs nothing.
[[gnu::noinline]] void make_unusual(body function, void* data, copier copy, long size, long alignment,
                                    bool is_deferrable, unsigned flags, void** /*depend*/, int /*priority*/,
                                    void* /*detach*/) noexcept {
    place& here = this_place();
    const auto bytes = static_cast<std::size_t>(size);
    const auto aligned_to = static_cast<std::size_t>(alignment);
    const bool is_final = (flags & flag_final) != 0;
    if (is_deferrable && !is_final && is_to_defer(here))
        return defer_call(here, function, data, copy, bytes, aligned_to);
    const std::uint32_t bits = is_final ? task::is_final : 0;
    if (copy != nullptr)
        return run_with_copy(here, bits, function, data, copy, bytes, aligned_to);
    run_at_once(here, bits, [=] { function(data); });
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" {

// `data` are the task's variables, `size` bytes, which are copied bitwise or by `copy`. is_deferrable: the if clause.
// A task that is run at once gets the caller's own block: the compiler has made it for this call only.
void GOMP_task(gomp::body function, void* data, gomp::copier copy, long size, long alignment, bool is_deferrable,
               unsigned flags, void** depend, int priority, void* detach) {
    place* const here = find_place();
    // Neither untied nor mergeable changes anything for a task that runs at once.
    constexpr unsigned without_effect = gomp::flag_untied | gomp::flag_mergeable;
    if (here == nullptr || copy != nullptr || (flags & ~without_effect) != 0 || !is_surely_plain(*here)) [[unlikely]]
        return gomp::make_unusual(function, data, copy, size, alignment, is_deferrable, flags, depend, priority, detach);
    run_at_once(*here, 0, [=] { function(data); });
}

void GOMP_taskwait() { wait_for_children(this_place()); }
void GOMP_taskyield() {}
void GOMP_taskgroup_start() { begin_taskgroup(this_place()); }
void GOMP_taskgroup_end() { end_taskgroup(this_place()); }
}
