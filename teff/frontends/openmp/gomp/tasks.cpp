// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for tasks, taskwait and taskgroup, and the depend clauses that they and target constructs pass.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/gomp/outlined_call.hpp>

// The depend clauses are an array of words, of which the first ones are numbers and the others addresses:
//
//   old form    total | out | addresses: `out` of out and inout, then of in
//   new form    0 | total | out | mutexinoutset | in | addresses in this order, then depend objects
//
// A depend object is two words: the address, and the kind of dependence. Later compilers write inoutset as such an
// object, too, and omp_all_memory as an out with a null address.
namespace teff::openmp::gomp {
namespace {

using depend::access_kind;

std::size_t number(const void* word) noexcept { return reinterpret_cast<std::size_t>(word); }

struct depend_object {
    void* address;
    void* kind;
};
access_kind kind_of(const depend_object& object) noexcept {
    switch (number(object.kind)) {
    case 1:
        return access_kind::in;
    case 4:
        return access_kind::commutative;
    case 5:
        return access_kind::concurrent;
    default:
        return access_kind::inout;
    }
}

}  // namespace

unsigned count_dependences(void* const* depend) noexcept {
    return static_cast<unsigned>(number(depend[0] != nullptr ? depend[0] : depend[1]));
}

namespace {

// Calls use(item) for each item, in the order of the words.
template <class Use>
[[gnu::always_inline]] inline void read_items(void* const* depend, const Use& use) noexcept {
    const bool is_old = depend[0] != nullptr;
    const std::size_t total = count_dependences(depend);
    const std::size_t out_end = number(depend[is_old ? 1 : 2]);
    const std::size_t exclusive_end = out_end + (is_old ? 0 : number(depend[3]));
    const std::size_t in_end = is_old ? total : exclusive_end + number(depend[4]);
    void* const* const addresses = depend + (is_old ? 2 : 5);
    for (std::size_t each = 0; each != total; ++each) {
        dependence item{addresses[each], access_kind::in};
        if (each < out_end) {
            item.kind = access_kind::inout;
        } else if (each < exclusive_end) {
            item.kind = access_kind::commutative;
        } else if (each >= in_end) {
            const auto& object = *static_cast<const depend_object*>(addresses[each]);
            item = {object.address, kind_of(object)};
        }
        use(item);
    }
}
bool is_all_memory(const dependence& item) noexcept {
    return item.address == nullptr && item.kind == access_kind::inout;
}
events::dependence_kind kind_for_tool(const dependence& item) noexcept {
    using enum events::dependence_kind;
    if (is_all_memory(item))
        return out_all_memory;
    switch (item.kind) {
    case access_kind::in:
        return in;
    case access_kind::commutative:
        return mutexinoutset;
    case access_kind::concurrent:
        return inoutset;
    default:
        return inout;
    }
}

}  // namespace

dependence_list read_dependences(void* const* depend, dependence* items) noexcept {
    dependence_list made{.items = items};
    read_items(depend, [&](const dependence& item) {
        if (is_all_memory(item))
            made.has_all_memory = true;
        else
            items[made.count++] = item;
    });
    merge(made);
    return made;
}

int describe_dependences(void* const* depend, events::dependence* to) noexcept {
    int count = 0;
    read_items(depend, [&](const dependence& item) {
        to[count++] = {reinterpret_cast<std::uint64_t>(item.address), kind_for_tool(item)};
    });
    return count;
}

}  // namespace teff::openmp::gomp

namespace teff::openmp::gomp {
namespace {

struct clauses {
    bool is_deferrable;
    unsigned flags;
    void** depend;
    int priority;
    void* detach;
};

// Reports of the next task to a tool what the task's record does not say.
void describe_next_task(const clauses& given, const described_dependences& depends) noexcept {
    events::next_task_has(flags_for_tool(given.flags, given.is_deferrable));
    events::next_task_has(depends.items, depends.count);
}

// Submits the task in a descriptor. `detach`: the program's variable for the event's handle; the task's copy of the
// handle is the first word of its data.
void submit_made(place& caller, const task_call& call, const clauses& given, const dependence_list& depends,
                 const described_dependences& described) noexcept {
    deferred_task& made = call.make(caller, given.flags);
    if ((given.flags & flag_priority) != 0)
        set_priority(made, given.priority);
    if ((given.flags & flag_detach) != 0) {
        allow_event(caller, made);
        void* const handle = made.event;
        std::memcpy(given.detach, &handle, sizeof handle);
        std::memcpy(made.data, &handle, sizeof handle);
    }
    describe_next_task(given, described);
    events::task_created(made, events::flags_of(made.flags, false), !depends.is_empty());
    submit(caller, made, given.is_deferrable, depends);
}

[[gnu::noinline]] void make_dependent(place& caller, const task_call& call, const clauses& given) noexcept {
    const unsigned count = count_dependences(given.depend);
    auto* const items = static_cast<dependence*>(__builtin_alloca(count * sizeof(dependence)));
    const dependence_list depends = read_dependences(given.depend, items);
    TEFF_DESCRIBE_DEPENDENCES(described, given.depend);
    if ((given.flags & flag_detach) == 0) {
        if (is_undeferred(caller, given.is_deferrable)) {
            {
                const events::depend_wait waits;
                events::dependences(waits.as_task(), described.items, described.count);
                wait_for_dependences(caller, depends);
            }
            describe_next_task(given, described);
            return call.run(caller, given.flags);
        }
        if (!is_to_defer(caller)) {
            held_locks locks(caller);
            if (locks.start_now(depends)) {
                describe_next_task(given, described);
                return call.run(caller, given.flags);
            }
        }
    }
    submit_made(caller, call, given, depends, described);
}

// A task that is not simply called. The arguments are those of GOMP_task in the same order, so the jump costs nothing.
[[gnu::noinline]] void task_slow_path(body function, void* data, copier copy, long size, long alignment,
                                      bool is_deferrable, unsigned flags, void** depend, int priority,
                                      void* detach) noexcept {
    place& caller = this_place();
    // A task with an event is never dropped, since the program uses the handle.
    if (is_dropped(caller, caller.current->group) && (flags & flag_detach) == 0) [[unlikely]]
        return;
    // taskwait with depend and nowait passes no function.
    if (function == nullptr)
        function = [](void*) {};
    const task_call call{function, data, copy, static_cast<std::size_t>(size), static_cast<std::size_t>(alignment)};
    const clauses given{is_deferrable, flags, depend, priority, detach};
    if ((flags & flag_depend) != 0)
        return make_dependent(caller, call, given);
    const bool has_order = (flags & flag_priority) != 0 && has_effect(priority);
    if ((flags & flag_detach) != 0 || (has_order && is_deferrable))
        return submit_made(caller, call, given, {}, {});
    if (is_deferrable && is_to_defer(caller)) {
        deferred_task& made = call.make(caller, flags);
        describe_next_task(given, {});
        events::task_created(made, events::flags_of(made.flags, false), false);
        return defer(caller, made);
    }
    describe_next_task(given, {});
    call.run(caller, flags);
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" {

// `data`: the task's variables, `size` bytes, which are copied bitwise or by `copy`. is_deferrable: the if clause. A
// task that runs at once uses the caller's own block, which the compiler has made for this call only.
void GOMP_task(gomp::body function, void* data, gomp::copier copy, long size, long alignment, bool is_deferrable,
               unsigned flags, void** depend, int priority, void* detach) {
    place* const caller = find_place();
    // untied and mergeable change nothing for a task that runs at once.
    constexpr unsigned without_effect = gomp::flag_untied | gomp::flag_mergeable;
    const events::runtime_call called(TEFF_CALL_SITE);
    if (caller == nullptr || copy != nullptr || (flags & ~without_effect) != 0 || caller->may_cancel ||
        (!is_surely_plain(*caller) && is_deferrable)) [[unlikely]]
        return gomp::task_slow_path(function, data, copy, size, alignment, is_deferrable, flags, depend, priority,
                                    detach);
    events::next_task_has(gomp::flags_for_tool(flags, is_deferrable));
    run_at_once(*caller, 0, [=] { function(data); });
}

void GOMP_taskwait() {
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::sync_region waits(events::sync_kind::taskwait);
    wait_for_children(this_place());
}
void GOMP_taskwait_depend(void** depend) {
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::depend_wait waits;
    place& caller = this_place();
    const std::size_t count = gomp::count_dependences(depend);
    auto* const items = static_cast<dependence*>(__builtin_alloca(count * sizeof(dependence)));
    TEFF_DESCRIBE_DEPENDENCES(described, depend);
    events::dependences(waits.as_task(), described.items, described.count);
    wait_for_dependences(caller, gomp::read_dependences(depend, items));
}
void GOMP_taskyield() {
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::task_yield yields;
    yield_to_task(this_place());
}
void GOMP_taskgroup_start() {
    const events::runtime_call called(TEFF_CALL_SITE);
    begin_taskgroup(this_place());
}
void GOMP_taskgroup_end() {
    const events::runtime_call called(TEFF_CALL_SITE);
    end_taskgroup(this_place());
}
}
