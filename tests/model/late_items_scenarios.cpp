// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of late_items: an item that comes too late for a slot's member is marked, and a visitor that looks only
// where there are marks finds it.
//
// There are two slots with two queues each. Each queue is a mailbox with room for one task. A counter in ordinary
// memory represents the state that the consumers of a slot share: two consumers at once are a data race. Producers
// follow the rules of xqueue_scheduler: a producer deals a task to a slot, executes a fence, and checks whether the
// slot's member has left. If it has, and the task is still in the queue, the producer marks the slot.
#include "mailbox.hpp"
#include "scenarios.hpp"

#include <teff/scheduler/late_items.hpp>
#include <teff/scheduler/member_registry.hpp>

#include <stdexcept>

namespace scenarios {
namespace {

class late_slots {
public:
    late_slots() { registry_.expect(slot_count); }

    // The task has the number of its queue.
    void put(unsigned slot, unsigned queue) { boxes_[slot][queue].put(slot * queue_count + queue); }
    // To a slot without a member.
    void put_and_mark(unsigned slot, unsigned queue) {
        put(slot, queue);
        marks_.mark(slot, teff::late_items::only(queue));
    }
    // To a slot whose member may leave or has left.
    void deal(unsigned slot, unsigned queue) {
        put(slot, queue);
        // seq_cst: as in dealing_team::notify_if_finished(); partner: the fence in leave().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (!registry_[slot].is_attended() && !boxes_[slot][queue].is_empty())
            marks_.mark(slot, teff::late_items::only(queue));
    }

    void enter(unsigned slot) {
        registry_[slot].enter();
        marks_.forget(slot);
    }
    void take_own(unsigned slot) {
        for (unsigned queue = 0; queue < queue_count; ++queue)
            take(slot, queue);
    }
    void leave(unsigned slot) {
        registry_.leave(slot);
        // seq_cst: as in xqueue_scheduler::leave(); partner: the fence in deal().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        teff::late_items::set left = 0;
        for (unsigned queue = 0; queue < queue_count; ++queue)
            if (!boxes_[slot][queue].is_empty())
                left |= teff::late_items::only(queue);
        marks_.mark_left(slot, left);
    }
    // The slot has a member for a while.
    void attend(unsigned slot) {
        enter(slot);
        take_own(slot);
        leave(slot);
    }
    // Takes one item from a marked slot. Returns whether it took one.
    bool visit() {
        return marks_.visit(registry_, [this](unsigned slot, teff::late_items::set& queues) {
            for (unsigned queue = 0; queue < queue_count; ++queue) {
                if (!teff::late_items::contains(queues, queue))
                    continue;
                queues &= ~teff::late_items::only(queue);
                if (take(slot, queue))
                    return true;
            }
            return false;
        });
    }
    void visit_until_all_are_taken(unsigned items) {
        model::wait_until([&] {
            while (visit()) {
            }
            return taken_count() == items;
        });
    }
    // After the threads have ended and all members have left: what was not taken is marked.
    void check_at_end(unsigned items) {
        while (visit()) {
        }
        model::check(taken_count() == items, "an item in a vacant slot has no mark");
    }
    teff::late_items& marks() noexcept { return marks_; }
    teff::member_registry& registry() noexcept { return registry_; }

private:
    static constexpr unsigned slot_count = 2, queue_count = 2;

    // Only for the slot's consumer.
    bool take(unsigned slot, unsigned queue) {
        unsigned task = 0;
        // As in a B-queue, the check is a plain load: it may miss an item unless the push happens before it.
        if (boxes_[slot][queue].is_empty() || !boxes_[slot][queue].take(task))
            return false;
        model::check(task == slot * queue_count + queue, "the item is another one");
        model::take(task);
        ++consumed_[slot];
        return true;
    }
    static unsigned taken_count() {
        unsigned count = 0;
        for (unsigned task = 0; task < slot_count * queue_count; ++task)
            count += model::was_taken(task) ? 1 : 0;
        return count;
    }

    teff::member_registry registry_{slot_count};
    teff::late_items marks_{slot_count};
    mailbox boxes_[slot_count][queue_count];
    unsigned consumed_[slot_count] = {};  // by the slot's consumers
};

void a_marked_item_is_found() {
    late_slots all;
    model::parallel([&] { all.put_and_mark(0, 0); }, [&] { all.visit_until_all_are_taken(1); });
    all.check_at_end(1);
}

// The second mark is set before or after the visitor has taken the first one.
void two_producers_mark_one_slot() {
    late_slots all;
    const auto producer = [&](unsigned queue) { return [&all, queue] { all.put_and_mark(0, queue); }; };
    model::parallel(producer(0), producer(1), [&] { all.visit(); });
    all.check_at_end(2);
}

void two_visitors_at_one_slot() {
    late_slots all;
    all.put(0, 0);
    all.put_and_mark(0, 1);
    const auto visitor = [&] { all.visit(); };
    model::parallel([&] { all.marks().mark(0, teff::late_items::only(0)); }, visitor, visitor);
    all.check_at_end(2);
}

void two_visitors_at_two_slots() {
    late_slots all;
    all.put_and_mark(0, 0);
    all.put_and_mark(1, 1);
    const auto visitor = [&] { all.visit(); };
    model::parallel([&] { all.put_and_mark(0, 1); }, visitor, visitor);
    all.check_at_end(3);
}

// The item arrives before the member's last take_own(), before the check in leave(), or later. In the last case the
// producer sees that the member has left.
void an_item_comes_while_the_member_leaves() {
    late_slots all;
    all.enter(0);
    const auto member = [&] {
        all.take_own(0);
        all.leave(0);
    };
    model::parallel(member, [&] { all.deal(0, 0); }, [&] { all.visit(); });
    all.check_at_end(1);
}

// A visitor may drop the mark of a slot that has a member: the member checks its queues when it leaves.
void a_mark_is_dropped_while_the_slot_is_attended() {
    late_slots all;
    model::parallel([&] { all.attend(0); }, [&] { all.put_and_mark(0, 0); }, [&] { all.visit(); });
    all.check_at_end(1);
}

// The same for two members, one after the other.
void members_follow_each_other_at_a_marked_slot() {
    late_slots all;
    all.enter(0);
    const auto members = [&] {
        all.leave(0);
        all.enter(0);
        all.take_own(0);
        all.leave(0);
    };
    model::parallel(members, [&] { all.put_and_mark(0, 0); }, [&] { all.visit(); });
    all.check_at_end(1);
}

// The member clears an older mark of its slot while a producer sets the next one.
void a_member_enters_while_its_slot_is_marked() {
    late_slots all;
    all.put_and_mark(0, 0);
    model::parallel([&] { all.attend(0); }, [&] { all.put_and_mark(0, 1); });
    all.check_at_end(2);
}

// The member removes its own slot from the set, and no other slot.
void a_member_enters_while_another_slot_is_marked() {
    late_slots all;
    all.put_and_mark(0, 0);
    model::parallel([&] { all.attend(0); }, [&] { all.put_and_mark(1, 1); });
    all.check_at_end(2);
}

// The visitor's function throws. The item and its mark are kept, and so is a mark that is set meanwhile.
void a_visit_fails() {
    late_slots all;
    all.put_and_mark(0, 0);
    const auto visitor = [&] {
        try {
            all.marks().visit(all.registry(),
                              [](unsigned, teff::late_items::set&) -> bool { throw std::runtime_error("a move"); });
        } catch (const std::runtime_error&) {
        }
    };
    model::parallel(visitor, [&] { all.put_and_mark(0, 1); });
    all.check_at_end(2);
}

constexpr model::scenario every[] = {
    {"late_items", "a_marked_item_is_found", a_marked_item_is_found},
    {"late_items", "two_producers_mark_one_slot", two_producers_mark_one_slot},
    {"late_items", "two_visitors_at_one_slot", two_visitors_at_one_slot},
    {"late_items", "two_visitors_at_two_slots", two_visitors_at_two_slots},
    {"late_items", "an_item_comes_while_the_member_leaves", an_item_comes_while_the_member_leaves},
    {"late_items", "a_mark_is_dropped_while_the_slot_is_attended", a_mark_is_dropped_while_the_slot_is_attended},
    {"late_items", "members_follow_each_other_at_a_marked_slot", members_follow_each_other_at_a_marked_slot},
    {"late_items", "a_member_enters_while_its_slot_is_marked", a_member_enters_while_its_slot_is_marked},
    {"late_items", "a_member_enters_while_another_slot_is_marked", a_member_enters_while_another_slot_is_marked},
    {"late_items", "a_visit_fails", a_visit_fails},
};

}  // namespace

std::span<const model::scenario> late_items_scenarios() { return every; }

}  // namespace scenarios
