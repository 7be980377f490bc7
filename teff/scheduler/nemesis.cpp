// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Nemesis of Qthreads (Evans and others, ROSS 2017, section 3.2): one FIFO per worker. All members push
// new tasks to the FIFOs in turn, and only its own worker takes from a FIFO.
//
//   member 0   push 1, 4, 7 ->  o o o  -> runs
//   member 1   push 2, 5, 8 ->  o o    -> runs      one exchange per push; only producers contend
//   member 2   push 3, 6    ->  o o    -> runs
//
// No starvation, on one condition: a task waits for the tasks ahead of it, and until the worker to which it was dealt
// has finished the task that it runs. The shepherds of Qthreads are fixed; teams here are elastic. So new tasks go to
// the present members, and any member that runs dry takes the tasks of a slot whose member has left
// (member_registry.hpp). With the option `rescue` it also takes those of a member that is inside a long task.
#include <teff/queue/nemesis_queue.hpp>
#include <teff/scheduler/make_task_scheduler.hpp>
#include <teff/scheduler/task_scheduler.hpp>

namespace teff {

class nemesis_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    nemesis_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                      std::size_t payload_alignment);

private:
    struct alignas(false_sharing_range) place {
        nemesis_queue<task_header> queue;
        member_registry::round_robin turns;  // only the member uses it
    };

    bool join_slot(unsigned slot, unsigned worker) noexcept override;
    void leave_slot(unsigned) noexcept override {}
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override;
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned slot) const noexcept override { return places_[slot].queue.may_have_items(); }
    bool has_dry_queue() const noexcept override { return dry_slot() != member_registry::round_robin::nobody; }

    // A slot that has a member and an empty queue, or `nobody`.
    unsigned dry_slot() const noexcept;

    slots<place> places_;
};

nemesis_scheduler::nemesis_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                                     std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment), places_(settings.slots) {
    prepare_for_idle_workers();
}

bool nemesis_scheduler::join_slot(unsigned slot, unsigned) noexcept {
    return places_[slot].turns.try_make_room(registry_);
}

unsigned nemesis_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    unsigned to = takes_beyond_limit(slot) ? dry_slot() : member_registry::round_robin::nobody;
    if (to == member_registry::round_robin::nobody)
        to = next_in_turn(slot, places_[slot].turns);
    places_[to].queue.push(made);
    return to;
}

task_header* nemesis_scheduler::pop(unsigned slot) noexcept {
    if (!settings_.rescue) [[likely]]
        return places_[slot].queue.pop();
    begin_look(slot);
    task_header* const next = places_[slot].queue.pop();
    end_look(slot);
    return next;
}

task_header* nemesis_scheduler::steal_from_others(unsigned slot) noexcept {
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if (i == slot || !may_visit(i) || !places_[i].queue.may_have_items() || !try_visit(i))
            continue;
        task_header* const found = places_[i].queue.pop();
        registry_[i].end_visit();
        if (found != nullptr)
            return found;
    }
    return nullptr;
}

bool nemesis_scheduler::has_free_tasks() const noexcept {
    const bool includes_attended = rescues();
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if ((includes_attended || registry_[i].is_vacant()) && places_[i].queue.may_have_items())
            return true;
    }
    return false;
}

unsigned nemesis_scheduler::dry_slot() const noexcept {
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if (registry_[i].is_attended() && !places_[i].queue.may_have_items())
            return i;
    }
    return member_registry::round_robin::nobody;
}

template struct on_descriptors<nemesis_scheduler>;

}  // namespace teff
