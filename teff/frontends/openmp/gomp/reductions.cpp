// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads GCC's arrays of words, and registers the reductions; see reductions.hpp.
#include <teff/frontends/openmp/gomp/reductions.hpp>

#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/task_reduction.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/gomp/outlined_call.hpp>

namespace teff::openmp::gomp {
namespace {

constexpr unsigned first_item = 7, words_of_item = 3;

unsigned count_of(const std::uintptr_t* description) noexcept { return static_cast<unsigned>(description[0]); }
std::uintptr_t* next_of(const std::uintptr_t* description) noexcept {
    return reinterpret_cast<std::uintptr_t*>(description[4]);
}
reduction_copies& copies_of(const std::uintptr_t* description) noexcept {
    return *reinterpret_cast<reduction_copies*>(description[5]);
}

reduction_copies& make_copies_of(unsigned threads, const std::uintptr_t* description) noexcept {
    reduction_copies& made = make_copies(threads, count_of(description), description[1], description[2]);
    // The items are in the order of their offsets, so each ends where the next begins.
    std::size_t end = made.stride;
    for (unsigned each = made.count; each-- != 0;) {
        const std::size_t offset = description[first_item + words_of_item * each + 1];
        made.items[each].offset = offset;
        made.items[each].size = end - offset;
        end = offset;
    }
    return made;
}
void set_copies(std::uintptr_t* description, reduction_copies& copies) noexcept {
    description[2] = reinterpret_cast<std::uintptr_t>(copies.area);
    description[5] = reinterpret_cast<std::uintptr_t>(&copies);
}
// Adds the copies to the group that the running task has begun last.
void add_to_group(place& caller, const std::uintptr_t* description, bool is_shared) noexcept {
    task_reductions& added = add_reductions(caller, copies_of(description));
    added.is_shared = is_shared;
    for (unsigned each = 0; each != count_of(description); ++each) {
        void* const variable = reinterpret_cast<void*>(description[first_item + words_of_item * each]);
        added.items[each] = {variable, variable};
    }
}

// A region whose threads share task reductions.
struct reducing_region {
    outlined_region call;
    std::uintptr_t* description;
    unsigned size = 0;

    static void run(place& caller, void* argument) {
        auto& self = *static_cast<reducing_region*>(argument);
        if (caller.number == 0)
            self.size = caller.size;
        begin_taskgroup(caller, true);
        for (const std::uintptr_t* each = self.description; each != nullptr; each = next_of(each))
            add_to_group(caller, each, true);
        outlined_region::run(caller, &self.call);
        end_taskgroup(caller);
    }
};

}  // namespace

void register_reductions(place& caller, std::uintptr_t* description) noexcept {
    for (std::uintptr_t* each = description; each != nullptr; each = next_of(each)) {
        set_copies(each, make_copies_of(caller.size, each));
        add_to_group(caller, each, false);
    }
}

void free_reductions(std::uintptr_t* description) noexcept {
    for (std::uintptr_t* each = description; each != nullptr; each = next_of(each))
        free_copies(copies_of(each));
}

void begin_shared_reductions(place& caller, std::uintptr_t* description) noexcept {
    begin_taskgroup(caller, true);
    reduction_copies* copies = &share_copies(caller, caller.in->reductions, [&]() -> auto& {
        reduction_copies* first = nullptr;
        reduction_copies** last = &first;
        for (const std::uintptr_t* each = description; each != nullptr; each = next_of(each)) {
            *last = &make_copies_of(caller.size, each);
            last = &(*last)->next;
        }
        return *first;
    });
    for (std::uintptr_t* each = description; each != nullptr; each = next_of(each), copies = copies->next) {
        set_copies(each, *copies);
        add_to_group(caller, each, true);
    }
}

}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" {

void GOMP_taskgroup_reduction_register(std::uintptr_t* description) {
    gomp::register_reductions(this_place(), description);
}
void GOMP_taskgroup_reduction_unregister(std::uintptr_t* description) { gomp::free_reductions(description); }

// The first `count` pointers name items; they are replaced by the addresses of the calling thread's copies. The
// addresses of the first `originals` variables are written behind them.
void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** pointers) {
    place& caller = this_place();
    for (std::size_t each = 0; each != count; ++each) {
        void* variable = nullptr;
        void* const copy = find_copy(caller, caller.current->group, pointers[each], &variable);
        if (copy == nullptr)
            teff::fatal("OpenMP",
                        "a task has an in_reduction clause for a variable that no task group around it reduces",
                        "add a task_reduction or reduction(task) clause to a construct around the task");
        pointers[each] = copy;
        if (each < originals)
            pointers[count + each] = variable;
    }
}

// Returns the number of threads. The first word of the data is the address of the reductions' description.
unsigned GOMP_parallel_reductions(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
    const events::runtime_call called(TEFF_CALL_SITE);
    auto* const description = *static_cast<std::uintptr_t**>(data);
    place& opener = this_place();
    const region_clauses clauses = gomp::clauses_of(threads, flags);
    const unsigned most = clauses.is_serial ? 1 : size_of_region(opener, threads);
    for (std::uintptr_t* each = description; each != nullptr; each = gomp::next_of(each))
        gomp::set_copies(each, gomp::make_copies_of(most, each));
    gomp::reducing_region region{{function, data}, description};
    run_region(opener, clauses, &gomp::reducing_region::run, &region);
    return region.size;
}

// The end of a construct whose copies the team shares. Thread 0 has combined them.
void GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
    const events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    end_taskgroup(caller);
    if (!is_cancelled) {
        const events::sync_region waits(events::sync_kind::barrier_workshare);
        wait_at_barrier(caller);
    }
    for (reduction_copies* each = unshare_copies(caller, caller.in->reductions); each != nullptr;) {
        reduction_copies& unused = *each;
        each = each->next;
        free_copies(unused);
    }
}
}
