// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The split deque and the shared part behind it: no item is lost or doubled, none is touched before it is handed over,
// and no request of a thief is lost.
//
// An item counts as taken when it is destroyed, so that what drop_all() or a destructor destroys is in the ledger, too.
// It has more than 1024 bytes: so a shared part has four slots and a private array eight, and a few operations reach
// the limits. The shared part is driven alone. The deque is driven by `member`, which answers requests the way the
// scheduler `demand` does, with an event count that tells which threads are idle.
//
// Two promises are about the order of other things than items. A thread that finds the shared part empty sees what the
// thieves did before they won; a counter that is read without order checks it. A request is seen when the owner next
// looks for idle threads, or the marks stay armed; member::expect_heard() checks it when both are done.
#include "definition.hpp"

#include <teff/queue/shared_part.hpp>
#include <teff/queue/split_deque.hpp>
#include <teff/scheduler/idle_tracker.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace scenarios {
namespace {

class item {
public:
    explicit item(unsigned number) noexcept : content_(number) {}
    item(item&& other) noexcept : content_(std::move(other.content_)), here_(std::exchange(other.here_, false)) {}
    ~item() {
        if (here_)
            model::take(content_.number());
    }
    item& operator=(item&&) = delete;

private:
    model::item<1024> content_;
    bool here_ = true;
};

using shared_part = teff::shared_part<item>;
static_assert(shared_part::capacity == 4, "the scenarios want to reach its end");

// Memory for items that are moved into a shared part or out of it.
class raw_items {
public:
    item* at() noexcept { return reinterpret_cast<item*>(bytes_); }

private:
    alignas(item) std::byte bytes_[shared_part::capacity * sizeof(item)];
};

void publish(shared_part& shared, unsigned first, unsigned count) {
    raw_items from;
    for (unsigned i = 0; i < count; ++i)
        ::new (static_cast<void*>(from.at() + i)) item(first + i);
    shared.publish(from.at(), count);
}

// Publishes as many of the `count` items as there is room for.
unsigned publish_up_to(shared_part& shared, unsigned first, unsigned count) {
    const unsigned fitting = std::min(shared.room(), count);
    if (fitting != 0)
        publish(shared, first, fitting);
    return fitting;
}

unsigned take_newest(shared_part& shared, unsigned at_most) {
    raw_items to;
    const unsigned count = shared.take_newest(to.at(), at_most);
    std::destroy_n(to.at(), count);
    return count;
}

// One attempt.
unsigned take_oldest(shared_part& shared, unsigned shares) {
    raw_items to;
    const unsigned count = shared.take_oldest(to.at(), shares).count;
    std::destroy_n(to.at(), count);
    return count;
}

// After the threads have ended: publishes the items from `next` to `end`, which the threads have not published.
void publish_rest(shared_part& shared, unsigned next, unsigned end) {
    for (; next < end; ++next) {
        take_newest(shared, shared_part::capacity);
        publish(shared, next, 1);
    }
}

// A scenario of a shared part alone: use(shared) runs threads on it, and at the end all its items must have come out
// once.
template <class Use>
void with_shared_part(unsigned items, Use&& use) {
    {
        shared_part shared;
        use(shared);
        shared.check_invariants();
    }
    model::expect_taken_once(items);
}

// The second publication goes behind the first and changes the version, while thieves move the head.
TEFF_SCENARIO(shared_part, publishing_while_two_thieves_take) {
    with_shared_part(4, [](shared_part& shared) {
        const auto thief = [&] { take_oldest(shared, 2); };
        model::parallel(
            [&] {
                publish(shared, 0, 2);
                publish(shared, 2, 2);
            },
            thief, thief);
    });
}

// The same head and tail recur again and again with other items between them.
TEFF_SCENARIO(shared_part, outdated_views_do_no_harm) {
    with_shared_part(5, [](shared_part& shared) {
        publish(shared, 0, 2);
        const auto thief = [&] {
            take_oldest(shared, 1);
            take_oldest(shared, 2);
        };
        unsigned next = 2;
        model::parallel(
            [&] {
                for (int round = 0; round < 3; ++round) {
                    take_newest(shared, 1);
                    next += publish_up_to(shared, next, 1);
                }
            },
            thief, thief);
        publish_rest(shared, next, 5);
    });
}

// The slots are filled again from the first one on as soon as everything was moved out; two thieves do the moves.
TEFF_SCENARIO(shared_part, refilling_waits_for_the_last_move) {
    with_shared_part(6, [](shared_part& shared) {
        publish(shared, 0, 4);
        model::parallel(
            [&] {
                model::wait_until([&] { return shared.room() == shared_part::capacity; });
                publish(shared, 4, 2);
            },
            [&] { take_oldest(shared, 2); },
            [&] {
                model::wait_until([&] {
                    take_oldest(shared, 1);
                    return shared.size() == 0;
                });
            });
    });
}

// A won item is not moved out yet: an owner that looks in between has no room, and does not use the slots that are
// still being read.
TEFF_SCENARIO(shared_part, slots_that_were_won_are_no_room_yet) {
    with_shared_part(6, [](shared_part& shared) {
        publish(shared, 0, 3);
        unsigned next = 3;
        model::parallel(
            [&] {
                next += publish_up_to(shared, next, 2);
                next += publish_up_to(shared, next, 1);
            },
            [&] { take_oldest(shared, 1); }, [&] { take_oldest(shared, 1); });
        publish_rest(shared, next, 6);
    });
}

TEFF_SCENARIO(shared_part, newest_and_oldest_are_one_item) {
    with_shared_part(1, [](shared_part& shared) {
        publish(shared, 0, 1);
        const auto thief = [&] { take_oldest(shared, 1); };
        model::parallel([&] { take_newest(shared, 1); }, thief, thief);
        model::check(shared.size() == 0, "nobody won the only item");
    });
}

TEFF_SCENARIO(shared_part, dropping_all_while_two_thieves_take) {
    with_shared_part(4, [](shared_part& shared) {
        publish(shared, 0, 3);
        const auto thief = [&] { take_oldest(shared, 2); };
        model::parallel(
            [&] {
                shared.drop_all();
                publish(shared, 3, 1);
            },
            thief, thief);
    });
}

// A thief is active before it wins. An owner that finds nothing left, by looks_empty(), must see that.
template <class LooksEmpty>
void empty_means_that_the_thief_is_known(LooksEmpty&& looks_empty) {
    with_shared_part(1, [&](shared_part& shared) {
        publish(shared, 0, 1);
        teff::atomic<unsigned> active{1};
        model::parallel(
            [&] {
                if (looks_empty(shared))
                    // relaxed: the shared part has to order this.
                    model::check(active.load(std::memory_order_relaxed) == 2, "the thief that won seems inactive");
            },
            [&] {
                // relaxed: as above.
                active.fetch_add(1, std::memory_order_relaxed);
                take_oldest(shared, 1);
            });
    });
}

TEFF_SCENARIO(shared_part, observing_empty_synchronizes_with_the_thief) {
    empty_means_that_the_thief_is_known([](shared_part& shared) { return shared.size() == 0; });
}

TEFF_SCENARIO(shared_part, taking_nothing_back_synchronizes_with_the_thief) {
    empty_means_that_the_thief_is_known([](shared_part& shared) { return take_newest(shared, 1) == 0; });
}

// The counter of active members of the scheduler `demand`: the thread that lowers it to zero may announce the end.
TEFF_SCENARIO(shared_part, the_counter_of_the_active_ends_with_the_last_item) {
    with_shared_part(3, [](shared_part& shared) {
        publish(shared, 0, 3);
        teff::atomic<unsigned> active{1};
        const auto deactivate = [&] {
            // acq_rel: as in demand_scheduler::deactivate().
            if (active.fetch_sub(1, std::memory_order_acq_rel) == 1)
                model::check(model::taken_items() == 3, "the end came before the last item");
        };
        const auto thief = [&] {
            // relaxed: as in demand_scheduler::activate().
            active.fetch_add(1, std::memory_order_relaxed);
            take_oldest(shared, 2);
            deactivate();
        };
        model::parallel(
            [&] {
                while (take_newest(shared, 1) != 0) {
                }
                deactivate();
            },
            thief, thief);
        // relaxed: the threads have ended.
        model::check(active.load(std::memory_order_relaxed) == 0, "somebody is still active");
    });
}

using deque = teff::split_deque<item>;
constexpr std::size_t private_capacity = 2 * shared_part::capacity;
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t keep_none = 0, keep_one = 1;

// A deque, and the thread that owns it.
class member {
public:
    explicit member(teff::event_count& idle) : idle_(idle) {
        model::check(deque_.open(), "no memory for a deque");
        top_ = deque_.bottom();
    }
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    ~member() {
        deque_.check_invariants(top_);
        top_ = deque_.drop_all(top_);
    }

    // Private items, and marks at the bounds of the array: no thread has asked yet.
    void begin_with(unsigned first, unsigned count) {
        for (unsigned i = 0; i < count; ++i)
            place(item(first + i));
        const slow_operation alone(deque_, top_);
        top_ = deque_.make_room(top_);
        deque_.disarm(no_limit);
    }
    void show(std::size_t count) {
        const slow_operation alone(deque_, top_);
        model::check(deque_.expose(top_, count), "the shared_part has no room");
        deque_.bottom_moved();
    }

    void push(unsigned number) {
        place(item(number));
        if (deque_.push_is_private(top_))
            return;
        const slow_operation alone(deque_, top_);
        top_ = deque_.make_room(top_);
        answer_alone(keep_none);
    }
    bool pop() {
        if (!deque_.try_claim(top_) && !refill())
            return false;
        std::destroy_at(top_);
        return true;
    }
    void pop_all() {
        while (pop()) {
        }
    }

    // As a thief: one attempt, into an empty private part. Sends a request if nothing is left to take; the owner may
    // not hear a thief that has not announced that it is idle.
    bool steal_from(member& victim, unsigned shares) {
        const slow_operation alone(deque_, top_);
        top_ = deque_.restart();
        const auto taken = victim.deque_.steal_into(deque_, shares);
        top_ += taken.count;
        if (taken.count != 0)
            deque_.arm();
        if (taken.left == 0)
            victim.deque_.ask();
        return taken.count != 0;
    }
    void ask() { deque_.ask(); }
    void arm() { deque_.arm(); }
    unsigned visible() const { return deque_.visible(); }
    void drop_all() {
        const slow_operation alone(deque_, top_);
        top_ = deque_.drop_all(top_);
    }
    bool expose_by_force() { return deque_.expose_by_force(); }
    bool hides_something() const { return deque_.hidden_estimate() != 0; }
    void take_back(unsigned at_most) {
        const slow_operation alone(deque_, top_);
        top_ = deque_.restart();
        top_ = deque_.take_back(at_most);
    }
    void open_again() {
        model::check(deque_.open(), "no memory for a deque");
        top_ = deque_.bottom();
    }

    // Answers as the slow path of push() (keep none) or of pop() (keep one) does.
    void answer(std::size_t keep) {
        const slow_operation alone(deque_, top_);
        answer_alone(keep);
    }
    // Answers if a thread has asked.
    void poll() {
        item* copy = top_;
        const bool is_claimed = deque_.try_claim(copy);
        static_cast<void>(deque_.push_is_private(top_));  // announces the item again
        if (!is_claimed)
            answer(keep_none);
    }

    // Whether the next pop, and the next push, would take the slow path.
    bool pops_slowly() {
        const bool claims = deque_.try_claim(top_);
        top_ += claims ? 1 : 0;
        return !claims;
    }
    bool pushes_slowly() { return !deque_.push_is_private(top_); }
    void arm_pop() { deque_.arm_pop(); }

    // After a request and an answer that ran at the same time are over.
    void expect_heard() {
        const bool pops_slow = pops_slowly();
        model::check(heard_ || (pushes_slowly() && pops_slow), "a request was neither heard nor left in the marks");
    }

private:
    using slow_operation = deque::slow_operation;

    void answer_alone(std::size_t keep) {
        deque_.disarm(no_limit);
        heard_ = idle_.idle() != 0;
        const std::size_t own = deque_.private_size(top_);
        std::size_t give = 0;
        if (heard_)
            give = own > keep ? own - keep : 0;
        else if (deque_.shared_size() == 0)
            give = own / 2;
        const bool exposed = deque_.expose(top_, give);
        if (exposed)
            deque_.bottom_moved();
        if (exposed || (heard_ && deque_.shared_size() != 0))
            idle_.notify_one();
        else if (heard_ && deque_.private_size(top_) > keep)
            deque_.arm();
        else if (deque_.shared_size() == 0)
            deque_.arm_push();
        if (heard_ && keep == keep_none)
            deque_.arm_pop();
    }
    void place(item&& from) {
        ::new (static_cast<void*>(top_)) item(std::move(from));
        ++top_;
    }
    bool refill() {
        const slow_operation alone(deque_, top_);
        answer_alone(keep_one);
        if (top_ == deque_.bottom()) {
            top_ = deque_.restart();
            const unsigned shared = deque_.shared_size();
            if (shared != 0)
                top_ = deque_.take_back(idle_.idle() != 0 ? 1 : (shared + 1) / 2);
            deque_.bottom_moved();
            if (deque_.shared_size() == 0)
                deque_.arm_push();
        }
        if (top_ == deque_.bottom())
            return false;
        --top_;
        return true;
    }

    teff::event_count& idle_;
    deque deque_;
    item* top_ = nullptr;
    bool heard_ = false;  // the last answer saw an idle thread
};

// A request comes while the owner resets its marks. The owner has three items, so it exposes some and the bottom moves.
TEFF_SCENARIO(split_deque, no_request_is_lost) {
    {
        teff::event_count idle;
        member owner(idle);
        owner.begin_with(0, 3);
        model::parallel([&] { owner.answer(keep_one); },
                        [&] {
                            idle.begin_search();
                            owner.ask();
                        });
        owner.expect_heard();
    }
    model::expect_taken_once(3);
}

// An owner that has answered goes on without slow operations, until it wants the next pop to be one.
TEFF_SCENARIO(split_deque, the_marks_are_where_the_owner_sets_them) {
    teff::event_count idle;
    {
        member owner(idle);
        owner.begin_with(0, 2);
        model::check(!owner.pops_slowly() && !owner.pushes_slowly(), "an answer did not reset the marks");
        owner.arm_pop();
        model::check(owner.pops_slowly() && !owner.pushes_slowly(), "the next pop is not slow, or the next push is");
    }
    model::expect_taken_once(2);
}

// The owner has nothing to expose, so the bottom stays where it is. Only the reset of the marks may overwrite the
// request.
TEFF_SCENARIO(split_deque, no_request_to_a_poor_owner_is_lost) {
    {
        teff::event_count idle;
        member owner(idle);
        owner.begin_with(0, 1);
        model::parallel([&] { owner.answer(keep_one); },
                        [&] {
                            idle.begin_search();
                            owner.ask();
                        });
        owner.expect_heard();
    }
    model::expect_taken_once(1);
}

// A thief that finds the marks armed leaves them so. It must not mistake marks that were armed before the reset for new
// ones.
TEFF_SCENARIO(split_deque, a_request_that_finds_armed_marks_is_not_lost) {
    {
        teff::event_count idle;
        member owner(idle);
        owner.begin_with(0, 2);
        owner.arm();
        const auto thief = [&] {
            idle.begin_search();
            owner.ask();
        };
        model::parallel([&] { owner.answer(keep_one); }, thief, thief);
        owner.expect_heard();
    }
    model::expect_taken_once(2);
}

// A pop that is refused leaves its item, which still counts as hidden: an owner that yields takes the slow path then.
TEFF_SCENARIO(split_deque, a_refused_pop_leaves_its_item) {
    {
        teff::event_count idle;
        member owner(idle);
        owner.begin_with(0, 1);
        model::parallel(
            [&] {
                if (owner.pops_slowly())
                    model::check(owner.hides_something(), "an item that was not taken does not count");
            },
            [&] {
                idle.begin_search();
                owner.ask();
            });
    }
    model::expect_taken_once(1);
}

// The request flag: an additional mark of an owner that has items elsewhere, too, as frontends/fork_join has. The owner
// resets it, passes a fence, and looks for idle threads.
template <bool RequestedBefore>
void no_request_by_the_flag_is_lost() {
    constexpr auto requested = std::numeric_limits<std::uintptr_t>::max();
    teff::event_count idle;
    deque asked;
    model::check(asked.open(), "no memory for a deque");
    teff::atomic<std::uintptr_t> flag{RequestedBefore ? requested : 1};
    asked.set_request_flag(&flag);
    bool heard = false;
    const auto owner = [&] {
        // relaxed: ordered by the fence.
        flag.store(1, std::memory_order_relaxed);
        // seq_cst: orders the reset before the look; partner: the fence in ask().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        heard = idle.idle() != 0;
    };
    const auto thief = [&] {
        idle.begin_search();
        asked.ask();
    };
    model::parallel(owner, thief);
    // relaxed: no other thread runs.
    model::check(heard || flag.load(std::memory_order_relaxed) == requested, "a request was lost");
}

// The request and the wake-up together: an owner that only checks its marks serves a thief that has gone to sleep.
TEFF_SCENARIO(split_deque, a_thief_asleep_is_served) {
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        owner.begin_with(0, 2);
        teff::atomic<bool> served{false};
        model::parallel(
            [&] {
                model::wait_until([&] {
                    owner.poll();
                    // relaxed: only ends the scenario.
                    return served.load(std::memory_order_relaxed);
                });
            },
            [&] {
                idle.begin_search();
                while (!thief.steal_from(owner, 1)) {
                    const std::uint32_t ticket = idle.prepare_sleep();
                    owner.ask();
                    if (owner.visible() != 0)
                        idle.cancel_sleep();
                    else
                        idle.sleep(ticket);
                }
                // relaxed: as above.
                served.store(true, std::memory_order_relaxed);
                thief.pop_all();
            });
    }
    model::expect_taken_once(2);
}

// A thief's whole visit: it is idle, tries to steal, and then works.
void visit(teff::event_count& idle, member& thief, member& victim, int attempts) {
    idle.begin_search();
    bool stolen = false;
    while (!stolen && attempts-- > 0)
        stolen = thief.steal_from(victim, 2);
    idle.end_search();
    if (stolen)
        thief.pop_all();
}

TEFF_SCENARIO(split_deque, pushing_and_popping_while_a_thief_visits) {
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        model::parallel(
            [&] {
                owner.push(0);
                owner.push(1);
                owner.pop();
                owner.push(2);
                owner.pop_all();
            },
            [&] { visit(idle, thief, owner, 2); });
    }
    model::expect_taken_once(3);
}

TEFF_SCENARIO(split_deque, popping_while_two_thieves_visit) {
    {
        teff::event_count idle;
        member owner(idle), first(idle), second(idle);
        owner.begin_with(0, 3);
        owner.show(2);
        model::parallel([&] { owner.pop_all(); }, [&] { visit(idle, first, owner, 1); },
                        [&] { second.steal_from(owner, 1); });
    }
    model::expect_taken_once(3);
}

// No item is private any more: the owner and the thieves meet at the last shared item.
TEFF_SCENARIO(split_deque, taking_back_what_two_thieves_want) {
    {
        teff::event_count idle;
        member owner(idle), first(idle), second(idle);
        owner.begin_with(0, 2);
        owner.show(2);
        model::parallel([&] { owner.pop_all(); }, [&] { first.steal_from(owner, 1); },
                        [&] { second.steal_from(owner, 2); });
    }
    model::expect_taken_once(2);
}

// The private array is replaced by a larger one while requests come and items are taken.
TEFF_SCENARIO(split_deque, growing_while_a_thief_visits) {
    constexpr unsigned full = private_capacity - 1;  // the next push needs room
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        owner.begin_with(0, full);
        model::parallel(
            [&] {
                owner.push(full);
                owner.push(full + 1);
                owner.pop();
            },
            [&] { visit(idle, thief, owner, 2); });
    }
    model::expect_taken_once(full + 2);
}

// The private items move to the start of the array; those in the shared part stay there.
TEFF_SCENARIO(split_deque, compacting_while_two_thieves_visit) {
    constexpr unsigned full = private_capacity - 1;  // the next push needs room
    {
        teff::event_count idle;
        member owner(idle), first(idle), second(idle);
        owner.begin_with(0, full);
        owner.show(shared_part::capacity);
        model::parallel(
            [&] {
                owner.push(full);
                owner.pop();
            },
            [&] { visit(idle, first, owner, 1); }, [&] { second.steal_from(owner, 1); });
    }
    model::expect_taken_once(full + 1);
}

// A thief exposes what it has stolen, and another one steals it from there.
TEFF_SCENARIO(split_deque, stolen_items_are_stolen_again) {
    {
        teff::event_count idle;
        member owner(idle), first(idle), second(idle);
        owner.begin_with(0, 3);
        owner.show(2);
        model::parallel([&] { owner.pop_all(); }, [&] { visit(idle, first, owner, 1); },
                        [&] { visit(idle, second, first, 2); });
    }
    model::expect_taken_once(3);
}

// Takes items by force, while the owner may be in the middle of an operation.
unsigned rob(teff::event_count& idle, member& thief, member& victim, int attempts) {
    idle.begin_search();
    unsigned stolen = 0;
    while (stolen == 0 && attempts-- > 0) {
        victim.expose_by_force();
        stolen = thief.steal_from(victim, 1) ? 1 : 0;
    }
    idle.end_search();
    thief.pop_all();
    return stolen;
}

TEFF_SCENARIO(split_deque, force_meets_pops) {
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        owner.begin_with(0, 3);
        model::parallel([&] { owner.pop_all(); }, [&] { rob(idle, thief, owner, 2); });
    }
    model::expect_taken_once(3);
}

TEFF_SCENARIO(split_deque, force_meets_pushes_and_pops) {
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        owner.begin_with(0, 1);
        model::parallel(
            [&] {
                owner.push(1);
                owner.pop();
                owner.push(2);
                owner.push(3);
                owner.pop();
            },
            [&] { rob(idle, thief, owner, 2); });
    }
    model::expect_taken_once(4);
}

TEFF_SCENARIO(split_deque, two_thieves_use_force) {
    {
        teff::event_count idle;
        member owner(idle), first(idle), second(idle);
        owner.begin_with(0, 2);
        model::parallel(
            [&] {
                owner.push(2);
                owner.pop();
            },
            [&] { rob(idle, first, owner, 1); }, [&] { rob(idle, second, owner, 1); });
    }
    model::expect_taken_once(3);
}

// The array is replaced while a thief wants to read it.
TEFF_SCENARIO(split_deque, force_meets_a_growing_array) {
    constexpr unsigned full = private_capacity - 1;
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        owner.begin_with(0, full);
        model::parallel(
            [&] {
                owner.push(full);
                owner.pop();
            },
            [&] { rob(idle, thief, owner, 1); });
    }
    model::expect_taken_once(full + 1);
}

// Between the two halves of a robbery the owner drops everything and begins again.
TEFF_SCENARIO(split_deque, force_meets_an_owner_that_begins_again) {
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        owner.begin_with(0, 2);
        model::parallel(
            [&] {
                owner.drop_all();
                owner.open_again();
                owner.push(2);
                owner.push(3);
                owner.pop();
            },
            [&] { rob(idle, thief, owner, 1); });
    }
    model::expect_taken_once(4);
}

// A thread that no longer finds items in the shared part finds that the owner has them.
TEFF_SCENARIO(shared_part, what_is_taken_back_is_seen_on_its_way) {
    {
        teff::event_count idle;
        member owner(idle);
        owner.begin_with(0, 2);
        owner.show(2);
        model::parallel([&] { owner.take_back(2); },
                        [&] { model::check(owner.visible() != 0 || owner.hides_something(), "items are nowhere"); });
        owner.pop_all();
    }
    model::expect_taken_once(2);
}

// The owner waits for its items inside a long function. A thief that looks again and again gets all of them.
TEFF_SCENARIO(split_deque, nothing_stays_hidden_from_a_searcher) {
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        teff::atomic<bool> is_over{false};
        model::parallel(
            [&] {
                owner.push(0);
                owner.push(1);
                // relaxed: only ends the scenario.
                model::wait_until([&] { return is_over.load(std::memory_order_relaxed); });
            },
            [&] {
                while (!model::was_taken(0) || !model::was_taken(1)) {
                    rob(idle, thief, owner, 1);
                    model::yield();
                }
                is_over.store(true, std::memory_order_relaxed);
            });
    }
    model::expect_taken_once(2);
}

// The same with a thief that sleeps: it has seen the item before it went to sleep, or the owner has seen the request.
TEFF_SCENARIO(split_deque, nothing_stays_hidden_from_a_sleeper) {
    {
        teff::event_count idle;
        member owner(idle), thief(idle);
        owner.begin_with(0, 0);
        teff::atomic<bool> is_over{false};
        model::parallel(
            [&] {
                owner.push(0);
                // relaxed: only ends the scenario.
                model::wait_until([&] { return is_over.load(std::memory_order_relaxed); });
            },
            [&] {
                idle.begin_search();
                while (!thief.steal_from(owner, 1)) {
                    const std::uint32_t ticket = idle.prepare_sleep();
                    owner.ask();
                    if (owner.visible() != 0 || (teff::heavy_fence() && owner.hides_something())) {
                        idle.cancel_sleep();
                        owner.expose_by_force();
                        model::yield();
                    } else {
                        idle.sleep(ticket);
                    }
                }
                thief.pop_all();
                is_over.store(true, std::memory_order_relaxed);
            });
    }
    model::expect_taken_once(1);
}

TEFF_SCENARIO(split_deque, dropping_all_while_two_thieves_visit) {
    {
        teff::event_count idle;
        member owner(idle), first(idle), second(idle);
        owner.begin_with(0, 4);
        owner.show(2);
        model::parallel([&] { owner.drop_all(); }, [&] { visit(idle, first, owner, 1); },
                        [&] { visit(idle, second, owner, 1); });
    }
    model::expect_taken_once(4);
}

TEFF_SCENARIO(split_deque, no_request_is_lost_by_the_flag) { no_request_by_the_flag_is_lost<false>(); }
TEFF_SCENARIO(split_deque, no_request_is_lost_while_the_flag_is_set) { no_request_by_the_flag_is_lost<true>(); }

}  // namespace

std::span<const model::scenario> split_deque_scenarios() { return defined_here; }

}  // namespace scenarios
