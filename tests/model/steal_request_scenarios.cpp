// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of steal_request with hand_over_cell: thieves that ask, wait and ask again; a victim that answers, declines
// and closes; visitors that act for a member that has left. Also: what the cell and the request promise when the
// numbers of the rounds begin again.
//
// A thief that waits for ever is a livelock. An item that is put onto another one, or taken before it is complete, is
// found as the use of a dead item or as a data race: the items' bytes are ordinary memory, which only the protocol
// orders.
#include "definition.hpp"

#include <teff/queue/hand_over_cell.hpp>
#include <teff/scheduler/member_registry.hpp>
#include <teff/scheduler/steal_request.hpp>

#include <utility>

namespace scenarios {
namespace {

using teff::steal_request;

// Counts as taken when it is destroyed, unless it was moved from.
class stolen_item {
public:
    explicit stolen_item(unsigned number) noexcept : item_(number) {}
    stolen_item(stolen_item&& other) noexcept
        : item_(std::move(other.item_)), here_(std::exchange(other.here_, false)) {}
    ~stolen_item() {
        if (here_)
            model::take(item_.number());
    }

private:
    model::item<> item_;
    bool here_ = true;
};
using cell = teff::hand_over_cell<stolen_item>;

constexpr unsigned victim_number = 3;

// The victim, which has as many items as it will give, and its thieves, which are numbered from 0.
struct steal_test {
    explicit steal_test(steal_request::round first = 1) : requests(first) {}

    // Victim: answers or declines the thief that asks, if there is one. Returns whether it gave something.
    bool answer(bool has_items = true) {
        const unsigned thief = requests.asking_thief(victim_number);
        if (thief == steal_request::nobody)
            return false;
        if (has_items)
            cells[thief].put(stolen_item(given++));
        requests.next_round();
        return has_items;
    }
    void give(unsigned count) {
        for (; count > 0; --count)
            model::wait_until([&] { return answer(); });
    }
    // Victim: has no items, until so many thieves have left.
    void decline_until(unsigned thieves) {
        model::wait_until([&] {
            requests.close(victim_number);
            return have_gone(thieves);
        });
    }

    // Thief: one request until it is over. Returns whether it got something.
    bool ask_and_wait(unsigned self) {
        const steal_request::round asked = requests.ask(self);
        if (asked == steal_request::not_asked)
            return false;
        model::wait_until([&] {
            const bool is_over = requests.is_over(asked);
            if (!is_over)
                requests.ask_again(self, asked);
            return is_over;
        });
        return take(self);
    }
    // Thief: asks until it has got `count` items.
    void steal(unsigned self, unsigned count) {
        for (; count > 0; --count)
            model::wait_until([&] { return ask_and_wait(self); });
    }
    bool take(unsigned self) {
        stolen_item* const got = cells[self].get();
        if (got == nullptr)
            return false;
        const stolen_item mine(std::move(*got));
        cells[self].clear();
        return true;
    }
    // relaxed: only ends the scenario.
    void go() { gone.fetch_add(1, std::memory_order_relaxed); }
    // relaxed: as above.
    bool have_gone(unsigned thieves) const { return gone.load(std::memory_order_relaxed) == thieves; }

    steal_request requests;
    cell own_cells[2];
    cell* cells = own_cells;
    unsigned given = 0;  // victim writes
    teff::atomic<unsigned> gone{0};
};

// A thief that sees its round over sees what it got, or knows that it gets nothing.
TEFF_SCENARIO(steal_request, what_was_given_is_there_when_the_round_is_over) {
    steal_test all;
    model::parallel([&] { all.give(2); },
                    [&] {
                        for (int i = 0; i < 2; ++i) {
                            steal_request::round asked = all.requests.ask(0);
                            model::check(asked != steal_request::not_asked, "nobody else asks");
                            model::wait_until([&] { return all.requests.is_over(asked); });
                            model::check(all.take(0), "a victim that only gives gave nothing");
                        }
                    });
    model::expect_taken_once(2);
}

// The thief looks only into its cell, and may ask another victim before the round is over.
TEFF_SCENARIO(steal_request, what_was_given_is_seen_before_the_round_is_over) {
    steal_test first, second;
    second.cells = first.cells;
    second.given = 1;
    model::parallel([&] { first.give(1); }, [&] { second.give(1); },
                    [&] {
                        for (steal_test* const each : {&first, &second}) {
                            each->requests.ask(0);
                            model::wait_until([&] { return first.take(0); });
                        }
                    });
    model::expect_taken_once(2);
}

// If two thieves ask at once, one request may be forgotten, and its thief learns that.
template <steal_request::round First>
void two_thieves_ask_one_victim() {
    steal_test all(First);
    model::parallel([&] { all.give(2); }, [&] { all.steal(0, 1); }, [&] { all.steal(1, 1); });
    model::expect_taken_once(2);
}

// A slow thief overwrites a newer request of another thief, and leaves. The other thief has to write its request again.
TEFF_SCENARIO(steal_request, an_outdated_request_overwrites_a_newer_one) {
    steal_test all;
    const auto victim = [&] {
        model::wait_until([&] {
            all.answer();
            return all.have_gone(2);
        });
    };
    const auto slow_thief = [&] {
        all.ask_and_wait(0);
        all.go();
    };
    const auto thief = [&] {
        all.steal(1, 2);
        all.go();
    };
    model::parallel(victim, slow_thief, thief);
    model::expect_taken_once(all.given);
}

// A thief that asked before gets its answer. Afterwards no thief asks, except that a slow one may leave an outdated
// word.
TEFF_SCENARIO(steal_request, a_member_that_closes_declines) {
    steal_test all;
    const auto thief = [&](unsigned number) {
        return [&all, number] {
            model::check(!all.ask_and_wait(number), "a victim without items gave one");
            all.go();
        };
    };
    model::parallel([&] { all.decline_until(2); }, thief(0), thief(1));
    all.requests.close(victim_number);
    model::check(all.requests.asking_thief(victim_number) == steal_request::nobody, "the member asks itself");
    model::check(all.requests.ask(0) == steal_request::not_asked, "a closed member was asked");
    all.requests.next_round();
    model::check(all.requests.ask(0) != steal_request::not_asked, "the member is still closed");
}

// One close is enough for a thief that asked before it, and for one that comes afterwards: neither waits.
TEFF_SCENARIO(steal_request, one_close_declines_for_good) {
    steal_test all;
    model::parallel([&] { all.requests.close(victim_number); },
                    [&] { model::check(!all.ask_and_wait(0), "a victim without items gave one"); });
}

// The member finds an item, opens, and gives the next one.
TEFF_SCENARIO(steal_request, a_closed_member_opens_again) {
    steal_test all;
    model::parallel(
        [&] {
            all.requests.close(victim_number);
            all.requests.next_round();
            all.give(1);
        },
        [&] { all.steal(0, 1); });
    model::expect_taken_once(1);
}

// Two members without items ask each other, and close while they wait.
TEFF_SCENARIO(steal_request, idle_members_decline_each_other) {
    steal_request requests[2];
    const auto member = [&](unsigned self) {
        return [&requests, self] {
            steal_request& other = requests[1 - self];
            const steal_request::round asked = other.ask(self);
            requests[self].close(self);
            if (asked == steal_request::not_asked)
                return;
            model::wait_until([&] {
                requests[self].close(self);
                return other.is_over(asked);
            });
        };
    };
    model::parallel(member(0), member(1));
}

// The thief has left when the answer comes. A visitor takes the item out of the cell, and the slot's next member asks
// again: the cell is empty then.
TEFF_SCENARIO(steal_request, a_visitor_empties_the_cell) {
    steal_test all;
    teff::consumer_token token;
    token.enter();
    const steal_request::round asked = all.requests.ask(0);
    token.leave();
    const auto visitor = [&] {
        if (!all.cells[0].is_full() || !token.try_visit())
            return;
        all.take(0);
        token.end_visit();
    };
    const auto next_member = [&] {
        token.enter();
        model::wait_until([&] { return all.requests.is_over(asked); });
        all.take(0);
        all.steal(0, 1);
        token.leave();
    };
    model::parallel([&] { all.give(2); }, visitor, next_member);
    model::expect_taken_once(2);
}

// The victim leaves, perhaps without an answer. The thief itself declines for it, as a visitor, or the next member
// answers.
TEFF_SCENARIO(steal_request, a_visitor_declines_for_the_absent) {
    steal_test all;
    teff::consumer_token token;
    const auto member = [&] {
        token.enter();
        all.answer();
        token.leave();
    };
    const auto thief = [&] {
        const steal_request::round asked = all.requests.ask(0);
        model::check(asked != steal_request::not_asked, "nobody else asks");
        model::wait_until([&] {
            if (!all.requests.is_over(asked) && token.try_visit()) {
                all.requests.close(victim_number);
                token.end_visit();
            }
            return all.requests.is_over(asked);
        });
        all.take(0);
    };
    model::parallel(member, thief, member);
    model::expect_taken_once(all.given);
}

constexpr steal_request::round last = (steal_request::round{1} << 40) - 1;

TEFF_SCENARIO(steal_request, two_thieves_ask_one_victim) { two_thieves_ask_one_victim<1>(); }
TEFF_SCENARIO(steal_request, two_thieves_ask_in_the_last_rounds) { two_thieves_ask_one_victim<last - 1>(); }
TEFF_SCENARIO(steal_request, two_thieves_ask_in_the_last_and_the_first_round) { two_thieves_ask_one_victim<last>(); }

}  // namespace

std::span<const model::scenario> steal_request_scenarios() { return defined_here; }

}  // namespace scenarios
