// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of what the schedulers that deal work out have in common: the end is found by counting
// (termination_detector), and work is dealt to the members that are present (consumer_token, with member_registry).
//
// For the termination_detector, mailboxes with room for one task replace the queues. A mailbox orders what came before
// the task was put in, and nothing else. Running a task is a plain write; a thread that learns that all work is over
// reads all of them. A token orders what one of its holders did before what the next one does. Ordinary memory stands
// in for the queue that belongs to the token.
#include "mailbox.hpp"
#include "definition.hpp"

#include <teff/scheduler/member_registry.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/termination_detector.hpp>

namespace scenarios {
namespace {

// A team of three accounts, the first of which is held until its member has run dry.
template <unsigned Tasks>
class counted {
public:
    counted() { accounts_[0].hold(); }

    void enter(unsigned member) { accounts_.use(member); }
    teff::termination_detector::account& operator[](unsigned member) noexcept { return accounts_[member]; }

    void push(unsigned member, unsigned task, mailbox& to) {
        accounts_[member].count_push();
        to.put(task);
    }
    void run(unsigned member, unsigned task) {
        note(task);
        accounts_[member].count_run();
    }
    // The member runs the task that is put into the mailbox, after next(task).
    template <class Next>
    void run_from(mailbox& from, unsigned member, Next&& next) {
        unsigned task = 0;
        model::wait_until([&] { return from.take(task); });
        next(task);
        run(member, task);
    }
    void run_from(mailbox& from, unsigned member) {
        run_from(from, member, [](unsigned) {});
    }
    void note(unsigned task) noexcept {
        model::take(task);
        ++results_[task];
    }

    bool is_over() noexcept {
        const bool over = teff::termination_detector::all_ran(
            [this](unsigned i) -> const auto& { return accounts_[i]; }, [this] { return accounts_.used(); });
        if (over) {
            for (const unsigned result : results_)
                model::check(result == 1, "the end was announced before every task had run");
        }
        return over;
    }
    void await_end() {
        model::wait_until([this] { return is_over(); });
    }
    // For a member that has run dry. Returns whether this look found the end.
    bool retire(unsigned member) {
        accounts_[member].release_hold();
        // seq_cst: as in the schedulers; partner: the same fence of the other members.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        return is_over();
    }
    void check_at_end() {
        model::check(is_over(), "all is done, but it is not over");
        model::expect_taken_once(Tasks);
    }

private:
    teff::slots<teff::termination_detector::account> accounts_{3};
    unsigned results_[Tasks] = {};
};

// Until the first task is pushed nothing is unfinished, except that the hold keeps the sums unequal.
TEFF_SCENARIO(termination_detector, own_tasks_reach_the_observer) {
    counted<2> all;
    all.enter(0);
    const auto member = [&] {
        for (const unsigned task : {0U, 1U}) {
            all[0].count_push();
            all.run(0, task);
        }
        all.retire(0);
    };
    model::parallel(member, [&] { all.await_end(); });
    all.check_at_end();
}

// The first member's account is balanced while the child of its task is on its way back to that member.
TEFF_SCENARIO(termination_detector, a_child_on_its_way_is_not_the_end) {
    counted<3> all;
    all.enter(0);
    all.enter(1);
    mailbox there, back;
    const auto first = [&] {
        all.push(0, 0, there);
        all[0].count_push();
        all.run(0, 1);
        all.retire(0);
        all.run_from(back, 0);
    };
    const auto second = [&] { all.run_from(there, 1, [&](unsigned) { all.push(1, 2, back); }); };
    model::parallel(first, second, [&] { all.await_end(); });
    all.check_at_end();
}

// Counts read one after the other belong to different moments.
TEFF_SCENARIO(termination_detector, a_chain_goes_round_three_members) {
    counted<3> all;
    for (const unsigned member : {0U, 1U, 2U})
        all.enter(member);
    mailbox to[3];
    all.push(0, 0, to[0]);
    all[0].release_hold();
    const auto member = [&](unsigned number) {
        return [&all, &to, number] {
            all.run_from(to[number], number, [&](unsigned task) {
                if (task < 2)
                    all.push(number, task + 1, to[task + 1]);
            });
            all.is_over();
        };
    };
    model::parallel(member(0), member(1), member(2), [&] { all.await_end(); });
    all.check_at_end();
}

// At least one of the members that run dry at the same time sees the end.
TEFF_SCENARIO(termination_detector, the_last_to_retire_sees_the_end) {
    counted<2> all;
    mailbox boxes[2];
    for (const unsigned member : {0U, 1U}) {
        all.enter(member);
        all.push(0, member, boxes[member]);
    }
    bool seen[2] = {};
    const auto member = [&](unsigned number) {
        return [&, number] {
            all.run_from(boxes[number], number);
            seen[number] = all.retire(number);
        };
    };
    model::parallel(member(0), member(1));
    model::check(seen[0] || seen[1], "all members have retired, and none saw the end");
    all.check_at_end();
}

// A refused push is counted too high for a moment. The member that counted it runs the item, which may have a child.
TEFF_SCENARIO(termination_detector, a_refused_push_is_taken_back) {
    counted<3> all;
    all.enter(0);
    all.enter(1);
    mailbox box;
    const auto first = [&] {
        all[0].count_push();
        all[0].count_push();
        all[0].take_back();
        all.note(1);
        all.push(0, 2, box);
        all.run(0, 0);
        all.retire(0);
    };
    model::parallel(first, [&] { all.run_from(box, 1); }, [&] { all.await_end(); });
    all.check_at_end();
}

// The observer's sum of runs may miss the new member, while its sum of pushes includes that member.
TEFF_SCENARIO(termination_detector, a_member_enters_while_the_observer_counts) {
    counted<3> all;
    all.enter(0);
    mailbox there, back;
    const auto first = [&] {
        all.push(0, 0, there);
        all.retire(0);
        all.run_from(back, 0);
    };
    const auto second = [&] {
        all.enter(1);
        all.run_from(there, 1, [&](unsigned) {
            all.push(1, 1, back);
            all[1].count_push();
            all.note(2);
            all[1].count_run();
        });
    };
    model::parallel(first, second, [&] { all.await_end(); });
    all.check_at_end();
}

// The account of a slot passes to the slot's next member.
TEFF_SCENARIO(termination_detector, an_account_passes_to_another_member) {
    counted<3> all;
    all.enter(0);
    all.enter(1);
    teff::consumer_token token;
    mailbox boxes[2], last;
    all.push(0, 0, boxes[0]);
    all.push(0, 1, boxes[1]);
    all[0].release_hold();
    const auto member = [&](unsigned number) {
        return [&, number] {
            token.enter();
            all.run_from(boxes[number], 1, [&](unsigned task) {
                if (task == 0)
                    all.push(1, 2, last);
            });
            token.leave();
        };
    };
    model::parallel(member(0), member(1), [&] { all.run_from(last, 0); }, [&] { all.await_end(); });
    all.check_at_end();
}

// Memory that only the holder of the token may touch.
struct token_test {
    teff::consumer_token token;
    unsigned sold = 0;

    void attend() {
        token.enter();
        model::check(token.is_attended() && !token.is_vacant(), "the member of the token does not find itself there");
        ++sold;
        token.leave();
    }
    bool visit() {
        if (!token.try_visit())
            return false;
        model::check(!token.is_attended(), "a visitor was taken for a member");
        ++sold;
        token.end_visit();
        return true;
    }
};

TEFF_SCENARIO(consumer_token, members_follow_each_other) {
    token_test place;
    const auto member = [&] { place.attend(); };
    model::parallel(member, member, member);
    model::check(place.sold == 3 && place.token.is_vacant(), "two members were there at once");
}

TEFF_SCENARIO(consumer_token, visitors_exclude_each_other) {
    token_test place;
    unsigned visits[3] = {};
    const auto visitor = [&](unsigned number) {
        return [&, number] { visits[number] = place.visit() ? 1 : 0; };
    };
    model::parallel(visitor(0), visitor(1), visitor(2));
    model::check(place.sold == visits[0] + visits[1] + visits[2] && place.sold != 0, "two visitors were there at once");
}

TEFF_SCENARIO(consumer_token, a_member_waits_for_the_visitor) {
    token_test place;
    unsigned visits = 0;
    const auto member = [&] {
        place.attend();
        place.attend();
    };
    const auto visitor = [&] {
        visits += place.visit() ? 1 : 0;
        visits += place.visit() ? 1 : 0;
    };
    model::parallel(member, visitor);
    model::check(place.sold == 2 + visits, "a member and a visitor were there at once");
}

// A member that lends its token out, and a rescuer: each holds it for a look now and then.
TEFF_SCENARIO(consumer_token, a_member_and_its_rescuers_exclude_each_other) {
    token_test place;
    unsigned visits[2] = {};
    const auto member = [&] {
        teff::consumer_token& token = place.token;
        token.enter();
        token.lend();
        for (unsigned look = 0; look < 2; ++look) {
            token.take_back();
            token.take_back();  // the second one does nothing
            ++place.sold;
            token.lend();
            model::check(token.is_attended() && !token.is_vacant(), "a member that lends its token seems to be gone");
        }
        token.take_back();
        token.leave();
    };
    const auto rescuer = [&](unsigned number) {
        return [&, number] {
            if (!place.token.try_rescue())
                return;
            ++visits[number];
            ++place.sold;
            place.token.end_visit();
        };
    };
    model::parallel(member, rescuer(0), rescuer(1));
    model::check(place.sold == 2 + visits[0] + visits[1], "a member and a rescuer were there at once");
    model::check(place.token.is_vacant() && !place.token.try_rescue(), "a slot without a member can be rescued");
}

// The item comes after the member's last look: the producer finds it as a visitor, or the next member finds it.
TEFF_SCENARIO(consumer_token, a_late_item_is_found) {
    teff::consumer_token token;
    mailbox box;
    token.enter();
    const auto take = [&] {
        unsigned item = 0;
        if (box.take(item))
            model::take(item);
    };
    const auto member = [&] {
        take();
        token.leave();
    };
    const auto producer = [&] {
        box.put(0);
        model::wait_until([&] {
            if (token.try_visit()) {
                take();
                token.end_visit();
            }
            return model::was_taken(0);
        });
    };
    const auto next_member = [&] {
        token.enter();
        take();
        token.leave();
    };
    model::parallel(member, producer, next_member);
    model::expect_taken_once(1);
}

using teff::member_registry;

// A member that has entered is dealt to, and the queue that it made before is visible. The slot is new, or was used
// before.
template <bool IsNew>
void a_member_that_joins_is_dealt_to() {
    member_registry all(3);
    unsigned queue[3] = {};
    const auto enter = [&](unsigned slot) {
        all[slot].enter();
        ++queue[slot];
        all.admit(slot);
    };
    enter(0);
    if (!IsNew) {
        enter(1);
        enter(2);
        all.leave(2);
        all.leave(1);
    }
    member_registry::round_robin mine;
    mine.make_room(all);
    const auto everybody = [](unsigned) { return true; };
    model::check(mine.next(all, false, everybody) == 0, "the only member is not dealt to");
    const auto member = [&](unsigned slot) {
        return [&, slot] { enter(slot); };
    };
    const auto producer = [&] {
        bool met[3] = {};
        model::wait_until([&] {
            met[mine.next(all, false, everybody)] = true;
            return met[1] && met[2];
        });
    };
    model::parallel(producer, member(1), member(2));
    model::check(all.used() == 3, "a slot is missing");
}

// Once the producer knows that a member has left, it deals only to the others.
TEFF_SCENARIO(consumer_token, a_member_that_has_left_is_not_dealt_to) {
    member_registry all(2);
    member_registry::round_robin mine;
    mine.make_room(all);
    const auto everybody = [](unsigned) { return true; };
    for (const unsigned slot : {0U, 1U}) {
        all[slot].enter();
        all.admit(slot);
    }
    teff::atomic<bool> gone{false};
    const auto member = [&] {
        all.leave(1);
        // release: the member has left; partner: the acquire below.
        gone.store(true, std::memory_order_release);
    };
    const auto producer = [&] {
        mine.next(all, false, everybody);
        // acquire: the member has left; partner: the release above.
        model::wait_until([&] { return gone.load(std::memory_order_acquire); });
        for (int i = 0; i < 2; ++i)
            model::check(mine.next(all, false, everybody) == 0, "who had left was dealt to");
    };
    model::parallel(member, producer);
}

// The last change that the producer sees is that of another token; it must not hide the change before it.
TEFF_SCENARIO(consumer_token, changes_do_not_hide_each_other) {
    member_registry all(3);
    member_registry::round_robin mine;
    mine.make_room(all);
    const auto everybody = [](unsigned) { return true; };
    for (const unsigned slot : {0U, 1U, 2U}) {
        all[slot].enter();
        all.admit(slot);
    }
    const auto leaver = [&](unsigned slot) {
        return [&, slot] { all.leave(slot); };
    };
    const auto producer = [&] {
        model::wait_until([&] {
            const unsigned to = mine.next(all, false, everybody);
            return to == 0 && mine.next(all, false, everybody) == 0;
        });
    };
    model::parallel(leaver(1), leaver(2), producer);
}

TEFF_SCENARIO(consumer_token, a_member_that_joins_is_dealt_to) { a_member_that_joins_is_dealt_to<true>(); }
TEFF_SCENARIO(consumer_token, a_member_that_rejoins_is_dealt_to) { a_member_that_joins_is_dealt_to<false>(); }

}  // namespace

std::span<const model::scenario> membership_scenarios() { return defined_here; }

}  // namespace scenarios
