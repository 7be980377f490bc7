// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and frees the parts that a task owns: its family, its environment, and its number. Threads take numbers from
// the process in blocks.
#include <teff/frontends/openmp/core/teams/task.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

namespace teff::openmp {

void end_without_memory_for_task() noexcept {
    fatal("OpenMP", "there is no memory for a task", "give the process more memory, or create fewer tasks at once");
}

family& make_family(task& parent) noexcept {
    family* above = nullptr;
    for (const task* each = &parent; above == nullptr; each = each->parent)
        above = each != &parent && each->children != nullptr ? each->children : each->siblings;
    auto* const made = create<family>();
    if (made == nullptr)
        end_without_memory_for_task();
    made->above = above;
    made->depth = above->depth + 1;
    // relaxed: the calling thread is a user already.
    above->users.fetch_add(1, std::memory_order_relaxed);
    parent.children = made;
    parent.flags |= task::owns_family;
    return *made;
}

void leave(family& left) noexcept {
    family* each = &left;
    while (each != nullptr) {
        // release: the uses by this thread come before the end of the object; acquire: so do those of the other users,
        // whose release this reads.
        if (each->users.fetch_sub(1, std::memory_order_acq_rel) != 1)
            return;
        family* const above = each->above;
        destroy(each);
        each = above;
    }
}

void keep_environment(task& made) noexcept {
    auto* const own = create<icvs>(*made.environment);
    if (own == nullptr)
        end_without_memory_for_task();
    made.environment = own;
    made.flags |= task::owns_environment;
}

icvs& own_environment(place& caller) noexcept {
    task& running = *caller.current;
    if (!running.is(task::owns_environment)) {
        keep_environment(running);
        // relaxed: the barrier at the end of the region orders it before the opener's read.
        if (!running.is(task::is_explicit))
            caller.in->leaves_something.store(true, std::memory_order_relaxed);
    }
    return const_cast<icvs&>(*running.environment);
}

void release_owned(task& ended) noexcept {
    if (ended.is(task::owns_environment))
        destroy(const_cast<icvs*>(ended.environment));
    if (ended.is(task::owns_family))
        leave(*ended.children);
    if (ended.is(task::has_priority))
        static_cast<deferred_task&>(ended).memory().priority = 0;
}

namespace {

constexpr std::uint32_t numbers_per_block = 1024;

constinit atomic<std::uint32_t> blocks_taken{0};
constinit thread_local std::uint32_t next = 0;  // a multiple of numbers_per_block: the block is used up

}  // namespace

std::uint32_t new_task_number() noexcept {
    if (next % numbers_per_block == 0) {
        // relaxed: only the number matters.
        next = blocks_taken.fetch_add(1, std::memory_order_relaxed) * numbers_per_block & owned_word::largest_owner;
        // 0 is the owner of a free lock.
        if (next == 0)
            ++next;
    }
    return next++;
}

}  // namespace teff::openmp
