// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for tasks, their dependences, taskwait and taskgroup.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/task_block.hpp>
#include <teff/observe/timeline.hpp>

#include <algorithm>

namespace teff::openmp::kmpc {

void call_block(deferred_task& self) noexcept {
    task_block& block = block_of(self);
    const events::program_call called(self, TEFF_OWN_FRAME);
    if (block.routine != nullptr)
        block.routine(this_place().global_number, &block);
}
void call_block_and_destroy(deferred_task& self) noexcept {
    if (!self.is(task::was_dropped))
        call_block(self);
    if (!self.is_resubmitted)
        destroy_private(this_place(), self);
}

namespace {

// Submits a task that may be deferred, or that has flags.
[[gnu::noinline]] std::int32_t submit_unusual(deferred_task& made) noexcept {
    place& caller = this_place();
    // The running task is untied and submits its next part.
    if (caller.current == &made) {
        made.is_resubmitted = true;
    } else {
        events::task_created(made, events::flags_of(made.flags, false), false);
        submit_block(caller, made, {});
    }
    return 0;
}

// Sets the flags of a new task, whose block already has its routine. A task without flags may simply be called.
[[gnu::noinline]] void set_flags(deferred_task& made, std::int32_t flags) noexcept {
    made.flags = ((flags & flag_tied) != 0 ? 0U : task::is_untied) | ((flags & flag_final) != 0 ? task::is_final : 0U) |
                 ((flags & flag_priority) != 0 ? task::asks_for_priority : 0U) |
                 (block_of(made).routine == nullptr ? task::is_explicit : 0U);
    if ((flags & flag_destructors) != 0) {
        made.call = &call_block_and_destroy;
        made.flags |= task::is_explicit | task::destroys_data;
    }
    if ((flags & flag_proxy) != 0) {
        allow_event(this_place(), made);
        made.flags |= task::is_explicit;
    }
}

// Runs the other parts of an untied task. The caller has run the first part, which has submitted the second one.
[[gnu::noinline]] void call_other_parts(deferred_task& self) noexcept {
    do {
        self.is_resubmitted = false;
        self.call(self);
    } while (self.is_resubmitted);
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using namespace teff::openmp::kmpc;

extern "C" {

// size: bytes of the block with the private variables. The pointers to shared variables follow, aligned.
task_block* __kmpc_omp_task_alloc(ident*, std::int32_t, std::int32_t flags, std::size_t size, std::size_t size_shareds,
                                  task_entry routine) {
    constexpr std::size_t word = sizeof(void*);
    const std::size_t shareds_at = (size + word - 1) & ~(word - 1);
    deferred_task& made = make_task(this_place(), shareds_at + size_shareds, block_alignment);
    auto* const block = reinterpret_cast<task_block*>(data_of(made, block_alignment));
    made.data = block;
    made.call = &call_block;
    made.data_size = static_cast<std::uint32_t>(shareds_at + size_shareds);
    block->shareds = size_shareds == 0 ? nullptr : reinterpret_cast<std::byte*>(block) + shareds_at;
    block->routine = routine;
    block->part = 0;
    if (flags != flag_tied || routine == nullptr) [[unlikely]]
        set_flags(made, flags);
    return block;
}

std::int32_t __kmpc_omp_task(ident*, std::int32_t, task_block* block) {
    const events::runtime_call called(TEFF_CALL_SITE);
    deferred_task& made = record_of(*block);
    place* const caller = find_place();
    if (caller == nullptr || made.flags != 0 || !is_surely_plain(*caller) || caller->may_cancel) [[unlikely]]
        return submit_unusual(made);
    events::task_created(made, events::flags_of(made.flags, false), false);
    begin_now(*caller, made);
    {
        const events::program_call calls(made, TEFF_OWN_FRAME);
        block->routine(caller->global_number, block);
    }
    end_now(*caller, made);
    return 0;
}
std::int32_t __kmpc_omp_task_parts(ident* location, std::int32_t number, task_block* block) {
    return __kmpc_omp_task(location, number, block);
}

// The caller runs the function of an undeferred task between these two calls.
void __kmpc_omp_task_begin_if0(ident*, std::int32_t, task_block* block) {
    events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    deferred_task& made = record_of(*block);
    events::task_created(made, events::flags_of(made.flags, true), false);
    called.stays_open(made);
    if (made.event != nullptr) [[unlikely]]
        return begin_undeferred_with_event(caller, made);
    begin_now(caller, made);
}
void __kmpc_omp_task_complete_if0(ident*, std::int32_t, task_block* block) {
    place& caller = this_place();
    deferred_task& made = record_of(*block);
    {
        // Not longer: the task may be freed below.
        const events::runtime_call called(TEFF_CALL_SITE);
        events::close_call(*made.parent);
        if (made.is_resubmitted) [[unlikely]]
            call_other_parts(made);
        else
            destroy_private(caller, made);
    }
    if (made.event != nullptr) [[unlikely]]
        return end_undeferred_with_event(caller, made);
    end_now(caller, made);
}

std::int32_t __kmpc_omp_taskwait(ident*, std::int32_t) {
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::sync_region waits(events::sync_kind::taskwait);
    wait_for_children(this_place());
    return 0;
}
std::int32_t __kmpc_omp_taskyield(ident*, std::int32_t, int) {
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::task_yield yields;
    yield_to_task(this_place());
    return 0;
}

// Returns the event of a detach clause, which the program passes to omp_fulfill_event().
void* __kmpc_task_allow_completion_event(ident*, std::int32_t, task_block* block) {
    deferred_task& made = record_of(*block);
    allow_event(this_place(), made);
    made.flags |= task::is_explicit;
    return made.event;
}
// Ends a proxy task, from a thread of the team or (`_ooo`) from any other thread.
void __kmpc_proxy_task_completed(std::int32_t, task_block* block) { fulfil(*record_of(*block).event); }
void __kmpc_proxy_task_completed_ooo(task_block* block) { fulfil(*record_of(*block).event); }

// The affinity clause is a hint, which is ignored.
std::int32_t __kmpc_omp_reg_task_with_affinity(ident*, std::int32_t, task_block*, std::int32_t, void*) { return 0; }

void __kmpc_taskgroup(ident*, std::int32_t) {
    const events::runtime_call called(TEFF_CALL_SITE);
    begin_taskgroup(this_place());
}
void __kmpc_end_taskgroup(ident*, std::int32_t) {
    const events::runtime_call called(TEFF_CALL_SITE);
    end_taskgroup(this_place());
}
}

// For the tasks of both compilers.
const void* teff::traced_function_of(const task_header& task) noexcept {
    using namespace openmp;
    const deferred_task* const queued = as_queued_task(task);
    if (queued == nullptr)
        return nullptr;
    if (queued->call == &kmpc::call_block || queued->call == &kmpc::call_block_and_destroy ||
        kmpc::is_for_helper(*queued))
        return reinterpret_cast<const void*>(static_cast<const kmpc::task_block*>(queued->data)->routine);
    return queued->function;
}

// Dependences. The compiler writes the items of all depend clauses into arrays, including those from depend objects and
// iterators.
namespace teff::openmp::kmpc {
namespace {

using depend::access_kind;

struct depend_item {
    std::intptr_t address;
    std::size_t length;
    std::uint8_t flags;
};
constexpr std::uint8_t item_out = 2, item_exclusive = 4, item_set = 8, item_all_memory = 0x80;
constexpr std::intptr_t address_all_memory = -1;

access_kind kind_of(std::uint8_t flags) noexcept {
    if ((flags & item_out) != 0)
        return access_kind::inout;
    if ((flags & item_exclusive) != 0)
        return access_kind::commutative;
    return (flags & item_set) != 0 ? access_kind::concurrent : access_kind::in;
}

events::dependence described(const depend_item& item) noexcept {
    using enum events::dependence_kind;
    const auto variable = static_cast<std::uint64_t>(item.address);
    if ((item.flags & item_all_memory) != 0 || item.address == address_all_memory)
        return {variable, out_all_memory};
    if ((item.flags & item_out) != 0)
        return {variable, inout};
    if ((item.flags & item_exclusive) != 0)
        return {variable, mutexinoutset};
    return {variable, (item.flags & item_set) != 0 ? inoutset : in};
}

// The array lies in the frame of the calling function.
#define TEFF_REPORT_DEPENDENCES(made, all)                                                                             \
    if constexpr (events::are_reported) {                                                                              \
        auto* const described =                                                                                        \
            static_cast<events::dependence*>(__builtin_alloca((all).size() * sizeof(events::dependence)));             \
        events::dependences(made, described, (all).describe(described));                                               \
    }

void add_items(dependence_list& to, std::int32_t count, const depend_item* items) noexcept {
    for (std::int32_t each = 0; each < count; ++each) {
        if ((items[each].flags & item_all_memory) != 0 || items[each].address == address_all_memory)
            to.has_all_memory = true;
        else
            to.items[to.count++] = {reinterpret_cast<void*>(items[each].address), kind_of(items[each].flags)};
    }
}

// The two arrays of items that the compiler passes. read() merges them into one list, in memory of the caller.
struct two_arrays {
    std::int32_t count;
    const depend_item* items;
    std::int32_t more_count;
    const depend_item* more;

    std::size_t size() const noexcept {
        return static_cast<std::size_t>(std::max(count, 0)) + static_cast<std::size_t>(std::max(more_count, 0));
    }
    // What a tool is told.
    int describe(events::dependence* to) const noexcept {
        int at = 0;
        for (std::int32_t each = 0; each < count; ++each)
            to[at++] = described(items[each]);
        for (std::int32_t each = 0; each < more_count; ++each)
            to[at++] = described(more[each]);
        return at;
    }
    dependence_list read(void* memory) const noexcept {
        dependence_list made{.items = static_cast<dependence*>(memory)};
        add_items(made, count, items);
        add_items(made, more_count, more);
        merge(made);
        return made;
    }
};

}  // namespace
}  // namespace teff::openmp::kmpc

extern "C" {

std::int32_t __kmpc_omp_task_with_deps(ident*, std::int32_t, task_block* block, std::int32_t count,
                                       const depend_item* items, std::int32_t more_count, const depend_item* more) {
    const two_arrays all{count, items, more_count, more};
    const events::runtime_call called(TEFF_CALL_SITE);
    events::task_created(record_of(*block), events::flags_of(record_of(*block).flags, false), all.size() != 0);
    TEFF_REPORT_DEPENDENCES(record_of(*block), all);
    submit_block(this_place(), record_of(*block), all.read(__builtin_alloca(all.size() * sizeof(dependence))));
    return 0;
}

// The graph of unfinished tasks, for programs that look at it (core/tools/dependence_pairs.hpp). Without the runtime
// for tools there is none.
events::graph_node* __kmpc_task_get_depnode(task_block* block) { return events::node_of(record_of(*block)); }
events::graph_edge* __kmpc_task_get_successors(task_block* block) {
    const events::graph_node* const node = events::node_of(record_of(*block));
    return node == nullptr ? nullptr : node->successors;
}

// Waits before an undeferred task, which the compiler's code then calls itself.
void __kmpc_omp_wait_deps(ident*, std::int32_t, std::int32_t count, const depend_item* items, std::int32_t more_count,
                          const depend_item* more) {
    const two_arrays all{count, items, more_count, more};
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::depend_wait waits;
    TEFF_REPORT_DEPENDENCES(waits.as_task(), all);
    wait_for_dependences(this_place(), all.read(__builtin_alloca(all.size() * sizeof(dependence))));
}

void __kmpc_omp_taskwait_deps_51(ident*, std::int32_t, std::int32_t count, const depend_item* items,
                                 std::int32_t more_count, const depend_item* more, std::int32_t is_nowait) {
    const two_arrays all{count, items, more_count, more};
    const dependence_list read = all.read(__builtin_alloca(all.size() * sizeof(dependence)));
    place& caller = this_place();
    const events::runtime_call called(TEFF_CALL_SITE);
    if (is_nowait == 0) {
        const events::depend_wait waits;
        TEFF_REPORT_DEPENDENCES(waits.as_task(), all);
        return wait_for_dependences(caller, read);
    }
    if constexpr (events::are_reported) {
        auto* const items = static_cast<events::dependence*>(__builtin_alloca(all.size() * sizeof(events::dependence)));
        events::next_task_has(items, all.describe(items));
    }
    submit_empty(caller, read);
}
}
