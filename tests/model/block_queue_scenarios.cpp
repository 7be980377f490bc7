// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block_queue with each reclaimer. Blocks have one or two slots (four where a thief takes several items); there are an
// owner and one or two thieves.
//
// The queue is on the heap, where gc's stand-in (gc_stand_in.cpp) does not search for pointers. Thread 0 prepares the
// queue as its owner, passes the ownership to one of the threads, and takes it back after they have ended. Then it
// compares the counts, drains the queue and checks that each item was delivered once. Each consumer checks that the
// numbers it gets rise.
//
// Thresholds are as small as the reclaimers allow. age() brings a queue to the point where one more retired block makes
// the reclaimer look for blocks to give back. So a few operations of the threads are enough to retire, tag, dispose of
// and reuse the block that a thief is looking at. Arena gives blocks back only in flush(); one scenario calls it where
// its contract allows it.
//
// block_queue accesses a retired block through atomics alone. The checker cannot tell such an access from an access to
// the block's next life. Therefore reclaimed_number below checks the promises of the reclaimers with plain numbers:
// there an access that comes too late is a data race.
#include "scenarios.hpp"

#include <teff/base/allocation.hpp>
#include <teff/queue/block_queue.hpp>
#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/gc.hpp>
#include <teff/reclaim/hazard.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace {

using model::check;
using teff::steal_outcome;

constexpr std::size_t owner = 0;
constexpr std::size_t most_thieves = 2;
// More attempts than the other threads of a scenario can make fail.
constexpr unsigned enough_attempts = 16;

template <class R>
R smallest_threshold(std::size_t participants) noexcept {
    if constexpr (std::constructible_from<R, std::size_t, std::size_t>)
        return R(participants, 1);
    else
        return R(participants);
}

// The number of the retired block at which a reclaimer of the smallest threshold first gives some back: epoch then has
// one batch tagged and a second one full; hazard scans.
constexpr std::size_t first_giving_back(std::size_t participants) noexcept { return 2 * participants; }

// An item that has not been moved from when it is destroyed was delivered, or destroyed by the queue; it counts as
// taken.
class item_taken_at_its_end : public model::item<> {
public:
    explicit item_taken_at_its_end(unsigned number) noexcept : item(number), number_(number) {}
    item_taken_at_its_end(item_taken_at_its_end&& other) noexcept
        : item(std::move(other)), number_(std::exchange(other.number_, nobody)) {}
    item_taken_at_its_end(const item_taken_at_its_end&) = delete;
    ~item_taken_at_its_end() {
        if (number_ != nobody)
            model::take(number_);
    }

private:
    static constexpr unsigned nobody = ~0U;
    unsigned number_;
};

template <class R, class Item = model::item<>>
class fixture {
    using queue_type = teff::block_queue<Item, R>;

public:
    // The order that one thread sees: numbers rise.
    struct consumer {
        unsigned at_least = 0;
        unsigned delivered = 0;

        void take(Item& item) {
            const Item mine(std::move(item));
            check(mine.number() >= at_least, "an item was overtaken by one that was pushed later");
            at_least = mine.number() + 1;
            ++delivered;
            if constexpr (std::is_same_v<Item, model::item<>>)
                model::take(mine.number());
        }
    };

    fixture(std::size_t thieves, std::size_t capacity) noexcept
        : reclaimer(smallest_threshold<R>(thieves + 1)), queue(reclaimer, owner, capacity), thieves_(thieves),
          capacity_(capacity) {}

    // Owner.
    void push() {
        Item item(pushed_++);
        check(queue.push(std::move(item)), "a push found no memory");
    }
    bool push_within(std::size_t bound) {
        Item item(pushed_);
        const bool done = queue.push_within(item, bound);
        if (done)
            ++pushed_;
        else
            check(item.number() == pushed_, "a refused item was touched");
        return done;
    }
    bool claim() { return take(queue.claim_next()); }
    bool claim_unless_armed() { return take(queue.claim()); }
    void push_and_claim(unsigned rounds) {
        for (; rounds > 0; --rounds) {
            push();
            claim();
        }
    }
    // Uses up so many blocks that the second retirement from here on, that of the first block that holds some of the
    // `items`, gives blocks back.
    void age(unsigned items) {
        for (std::size_t blocks = 1; blocks < first_giving_back(thieves_ + 1); ++blocks)
            push_and_claim(static_cast<unsigned>(capacity_));
        for (; items > 0; --items)
            push();
    }

    // Thief: takes at most `most` items at once. Returns the outcome.
    steal_outcome steal(std::size_t thief, unsigned attempts = enough_attempts, std::size_t most = 1) {
        const teff::stolen_items<Item> won = queue.claim_steal(thief, attempts, most);
        check((won.lost == attempts) == (won.outcome == steal_outcome::contended), "lost attempts were miscounted");
        if (won.outcome != steal_outcome::won)
            return won.outcome;
        check(won.count >= 1 && won.count <= most, "a thief took more than it asked for");
        take_stolen(thief, won);
        return won.outcome;
    }
    // Releases the first item before it takes the others.
    void take_stolen(std::size_t thief, const teff::stolen_items<Item>& won) {
        stolen_[thief - 1].take(*won.first);
        if (won.count == 1)
            return queue.release_stolen(won);
        queue.release_stolen(*won.home, won.first, 1);
        for (std::size_t i = 1; i < won.count; ++i)
            stolen_[thief - 1].take(won.first[i]);
        queue.release_stolen(*won.home, won.first + 1, won.count - 1);
    }

    // The thief keeps what it won on the heap only. Not inlined, so that no pointer to it stays on the stack.
    [[gnu::noinline]] steal_outcome steal_later(std::size_t thief, unsigned attempts = enough_attempts) {
        held_ = queue.claim_steal(thief, attempts);
        return held_.outcome;
    }
    [[gnu::noinline]] void take_held(std::size_t thief) { take_stolen(thief, held_); }

    // Thread 0, after the threads have ended: what the queue reports about itself is what happened.
    void check_books() {
        check_invariants();
        const unsigned stolen = stolen_[0].delivered + stolen_[1].delivered;
        check(queue.pushed() == pushed_, "the queue counts other pushes than there were");
        check(queue.claimed() == mine_.delivered, "the queue counts other claims than there were");
        check(queue.may_have_items() == (mine_.delivered + stolen < pushed_), "the hint is wrong without any threads");
    }
    void drain() {
        check_books();
        while (claim()) {
        }
        check_books();
        model::expect_taken_once(pushed_);
    }
    unsigned pushed() const noexcept { return pushed_; }

private:
    bool take(Item* slot) {
        if (slot == nullptr)
            return false;
        mine_.take(*slot);
        queue.release(slot);
        return true;
    }
    void check_invariants() {
        const char* const broken = queue.check_invariants();
        check(broken == nullptr, broken);
    }

public:
    R reclaimer;
    queue_type queue;

private:
    const std::size_t thieves_, capacity_;
    teff::stolen_items<Item> held_{};
    unsigned pushed_ = 0;
    consumer mine_;
    std::array<consumer, most_thieves> stolen_{};
};

// body(fixture) prepares the queue and runs the threads.
template <class R, class Body>
void with_queue(std::size_t thieves, std::size_t capacity, Body&& body) {
    auto* const all = teff::create<fixture<R>>(thieves, capacity);
    check(all != nullptr && all->reclaimer.valid(), "no memory for the queue");
    body(*all);
    all->drain();
    teff::destroy(all);
}

// Small enough to be explored completely: three threads, three operations each, blocks of one slot.
template <class R>
void three_threads_three_operations() {
    with_queue<R>(2, 1, [](auto& all) {
        all.push();
        all.push();
        model::parallel(
            [&] {
                all.claim();
                all.push();
                all.claim();
            },
            [&] {
                all.steal(1, 1);
                all.queue.may_have_items();
                all.steal(1, 1);
            },
            [&] {
                all.queue.may_have_items();
                all.steal(2, 1);
                all.queue.may_have_items();
            });
    });
}

// The queue begins with its initial block, which has no slots, so every block that the thieves see is new to them.
template <class R>
void thieves_see_new_blocks_initialised() {
    with_queue<R>(2, 1, [](auto& all) {
        model::parallel(
            [&] {
                all.push();
                all.push();
                all.claim();
                all.push();
                all.claim();
            },
            [&] {
                all.steal(1, 1);
                all.steal(1, 1);
            },
            [&] {
                all.steal(2, 1);
                all.queue.may_have_items();
            });
    });
}

// The owner and two thieves leave exhausted blocks at the same time. There is an item for each of them all the time, so
// a thief that finds nothing has trusted a block that lost its successor.
template <class R>
void exhausted_blocks_are_left_by_all_at_once() {
    with_queue<R>(2, 1, [](auto& all) {
        for (int i = 0; i < 5; ++i)
            all.push();
        model::parallel(
            [&] {
                check(all.claim(), "the owner found nothing where items were left");
                check(all.claim(), "the owner found nothing where items were left");
            },
            [&] { check(all.steal(1) == steal_outcome::won, "a thief found nothing where items were left"); },
            [&] {
                check(all.queue.may_have_items(), "the hint denies items that are there");
                check(all.steal(2) == steal_outcome::won, "a thief found nothing where items were left");
            });
    });
}

// Thieves take several items at once out of a block in which the owner claims and pushes and the other thief steals.
template <class R>
void thieves_take_several_while_the_owner_claims() {
    with_queue<R>(2, 4, [](auto& all) {
        for (int i = 0; i < 3; ++i)
            all.push();
        model::parallel(
            [&] {
                all.claim();
                all.push();
                all.claim();
                all.push();
            },
            [&] { all.steal(1, 4, 4); },
            [&] { all.steal(2, 2, 2); });
    });
}

// Blocks are reused several times while a thief is at any point of a theft: the block that it looks at may have become
// the first block again.
template <class R>
void blocks_go_round_under_a_thief() {
    with_queue<R>(1, 1, [](auto& all) {
        all.age(1);
        model::parallel(
            [&] { all.push_and_claim(5); },
            [&] {
                all.steal(1, 2);
                all.steal(1, 2);
            });
        all.push_and_claim(2);
    });
}

// The same with two thieves, and with blocks that the owner and the thieves use up together.
template <class R>
void shared_blocks_go_round_under_two_thieves() {
    with_queue<R>(2, 2, [](auto& all) {
        all.age(3);
        model::parallel([&] { all.push_and_claim(6); }, [&] { all.steal(1, 2, 2); },
                        [&] {
                            all.steal(2, 2);
                            all.steal(2, 2);
                        });
        all.push_and_claim(4);
    });
}

// A thief has left with an item that it has not moved out yet, when the reclaimer gives the block back. The slots may
// be reused only after the move.
template <class R>
void a_block_comes_back_with_an_item_still_inside() {
    with_queue<R>(1, 2, [](auto& all) {
        for (int i = 0; i < 4; ++i)
            all.push();
        teff::atomic<bool> left{false};
        model::parallel(
            [&] {
                for (int i = 0; i < 3; ++i)
                    all.claim();
                // acquire: flush() requires that no thief is inside; partner: the release below.
                model::wait_until([&] { return left.load(std::memory_order_acquire); });
                all.reclaimer.flush(owner);
                for (int i = 0; i < 4; ++i)
                    all.push();
            },
            [&] {
                check(all.steal_later(1) == steal_outcome::won, "a thief found nothing where items were left");
                // release: the thief is outside; partner: the acquire above.
                left.store(true, std::memory_order_release);
                all.take_held(1);
            });
        all.push();
    });
}

// The same where the reclaimer gives the block back by itself.
template <class R>
void a_slow_move_outlasts_the_retirement() {
    with_queue<R>(1, 1, [](auto& all) {
        all.age(2);
        model::parallel(
            [&] { all.push_and_claim(6); },
            [&] {
                if (all.steal_later(1, 2) != steal_outcome::won)
                    return;
                // Lets the other threads go on first.
                model::yield();
                all.take_held(1);
            });
        all.push_and_claim(2);
    });
}

// A thread that does not participate in the reclaimer looks for hints while blocks are retired and reused.
template <class R>
void hints_look_at_blocks_of_any_age() {
    with_queue<R>(1, 1, [](auto& all) {
        all.age(2);
        const auto look = [&] {
            for (int i = 0; i < 2; ++i) {
                all.queue.may_have_items();
                check(all.queue.estimate() <= 4, "the estimate counts blocks that are not linked");
            }
        };
        model::parallel([&] { all.push_and_claim(4); }, [&] { all.steal(1, 2); }, look);
    });
}

// Hints are exact while no thread pushes: an item that stays all the time is reported.
template <class R>
void hints_tell_of_an_item_that_stays() {
    with_queue<R>(1, 1, [](auto& all) {
        for (int i = 0; i < 4; ++i)
            all.push();
        const auto look = [&] {
            for (int i = 0; i < 2; ++i)
                check(all.queue.may_have_items(), "the hint denies items that are there");
        };
        model::parallel(
            [&] {
                all.claim();
                all.claim();
            },
            [&] { all.steal(1); }, look);
    });
}

// A thread announces something and arms the mark. Either the owner sees the announcement after it has disarmed, or the
// mark is still armed.
template <class R>
void an_announcement_is_seen_or_the_mark_stays_armed() {
    with_queue<R>(1, 1, [](auto& all) {
        all.push();
        std::array<teff::atomic<unsigned>, 2> announced{};
        std::array<unsigned, 2> seen{};
        const auto announce = [&](std::size_t which) {
            // relaxed: arm() has to order it.
            announced[which].store(1, std::memory_order_relaxed);
            all.queue.arm();
        };
        const auto look = [&] {
            all.queue.disarm();
            for (std::size_t i = 0; i < announced.size(); ++i)
                // relaxed: disarm() has to order it.
                seen[i] |= announced[i].load(std::memory_order_relaxed);
        };
        model::parallel(
            [&] {
                look();
                // A push that needs a new block keeps the mark armed.
                all.push();
                if (!all.claim_unless_armed() && all.queue.is_armed())
                    look();
            },
            [&] { announce(0); }, [&] { announce(1); });
        all.push();
        if (!all.claim_unless_armed())
            look();
        check(seen[0] == 1 && seen[1] == 1, "an announcement was missed, and the mark is not armed any more");
    });
}

// An owner that has disarmed the mark takes the fast path again.
template <class R>
void a_mark_is_disarmed() {
    with_queue<R>(1, 1, [](auto& all) {
        all.push();
        all.queue.arm();
        check(all.queue.is_armed() && !all.claim_unless_armed(), "the mark is not armed");
        all.queue.disarm();
        check(!all.queue.is_armed() && all.claim_unless_armed(), "the mark is still armed");
    });
}

// A bound on the items, counted in blocks: the queue never exceeds it, and has room again once a block is used up.
template <class R>
void a_bound_holds_while_thieves_make_room() {
    with_queue<R>(1, 1, [](auto& all) {
        model::parallel(
            [&] {
                check(all.push_within(2) && all.push_within(2), "a push within the bound was refused");
                check(!all.push_within(1), "a push beyond the bound was accepted");
                all.push_within(2);
                check(all.queue.estimate() <= 2, "there are more blocks than the bound allows");
                all.claim();
                all.claim();
                check(all.push_within(2), "a push was refused where there was room");
            },
            [&] { all.steal(1, 2); });
    });
}

// The queue is destroyed with items in its first block and in later ones, right after the thieves have ended.
template <class R>
void the_end_destroys_what_is_left() {
    auto* const all = teff::create<fixture<R, item_taken_at_its_end>>(2U, 2U);
    check(all != nullptr && all->reclaimer.valid(), "no memory for the queue");
    for (int i = 0; i < 5; ++i)
        all->push();
    model::parallel(
        [&] {
            all->push();
            all->claim();
            all->push();
        },
        [&] { all->steal(1, 2, 2); }, [&] { all->steal(2, 1); });
    all->check_books();
    const unsigned pushed = all->pushed();
    teff::destroy(all);
    model::expect_taken_once(pushed);
}

// A number that one participant writes and others read; each value is in a block of its own.
template <class R>
class reclaimed_number {
    struct block : teff::reclaimable {
        reclaimed_number* home;
        unsigned number;
        unsigned again;
    };

public:
    explicit reclaimed_number(std::size_t readers) noexcept : reclaimer_(smallest_threshold<R>(readers + 1)) {
        check(reclaimer_.valid(), "no memory for the reclaimer");
        for (std::size_t blocks = 0; blocks < first_giving_back(readers + 1); ++blocks)
            write();
    }
    ~reclaimed_number() {
        reclaimer_.flush(owner);
        while (spare_ != nullptr)
            free(static_cast<block*>(std::exchange(spare_, spare_->next_retired)));
        free(current_.load(std::memory_order_relaxed));
    }
    reclaimed_number(const reclaimed_number&) = delete;
    reclaimed_number& operator=(const reclaimed_number&) = delete;

    void write() noexcept {
        block* const fresh = empty_block();
        fresh->number = fresh->again = ++written_;
        // relaxed: written by this thread alone.
        block* const old = current_.load(std::memory_order_relaxed);
        reclaimer_.anchor(owner, fresh);
        // release: publishes the block's content; partner: the acquire in protect().
        current_.store(fresh, std::memory_order_release);
        if (old != nullptr)
            reclaimer_.retire(owner, *old);
    }
    // Reads `looks` times in one visit.
    void read(std::size_t reader, unsigned looks) noexcept {
        const teff::scoped_participation<R> inside(reclaimer_, reader);
        for (unsigned last = 0; looks > 0; --looks) {
            const block* const seen = reclaimer_.protect(reader, current_);
            check(seen->number == seen->again, "a block was written while it was read");
            check(seen->number >= last, "a newer number was overtaken by an older one");
            last = seen->number;
        }
    }

private:
    block* empty_block() noexcept {
        if (spare_ != nullptr)
            return static_cast<block*>(std::exchange(spare_, spare_->next_retired));
        void* const memory = reclaimer_.allocate(owner, sizeof(block), alignof(block));
        check(memory != nullptr, "no memory for a block");
        auto* const made = ::new (memory) block();
        made->home = this;
        made->dispose = [](teff::reclaimable* used) noexcept {
            auto& mine = static_cast<block&>(*used);
            // A reader that still uses the block would race with this.
            mine.number = 0;
            mine.next_retired = std::exchange(mine.home->spare_, used);
        };
        return made;
    }
    void free(block* doomed) noexcept { reclaimer_.deallocate(owner, doomed, sizeof(block), alignof(block)); }

    R reclaimer_;
    teff::atomic<block*> current_{nullptr};
    teff::reclaimable* spare_ = nullptr;
    unsigned written_ = 0;
};

// Reads of a block, in a visit or under an announcement, are over when the block is written again.
template <class R>
void a_block_is_written_again_after_its_readers() {
    auto* const number = teff::create<reclaimed_number<R>>(1U);
    check(number != nullptr, "no memory");
    number->write();
    model::parallel(
        [&] {
            for (int i = 0; i < 5; ++i)
                number->write();
        },
        [&] {
            number->read(1, 2);
            number->read(1, 1);
        });
    teff::destroy(number);
}

template <class R>
void every_reader_holds_its_own_block() {
    auto* const number = teff::create<reclaimed_number<R>>(2U);
    check(number != nullptr, "no memory");
    model::parallel(
        [&] {
            for (int i = 0; i < 7; ++i)
                number->write();
        },
        [&] { number->read(1, 2); }, [&] { number->read(2, 1); });
    teff::destroy(number);
}

template <class R>
constexpr auto scenarios_with(const char* structure) {
    const auto named = [structure](const char* name, void (*body)()) { return model::scenario{structure, name, body}; };
    return std::array{
        named("three_threads_three_operations", three_threads_three_operations<R>),
        named("thieves_see_new_blocks_initialised", thieves_see_new_blocks_initialised<R>),
        named("exhausted_blocks_are_left_by_all_at_once", exhausted_blocks_are_left_by_all_at_once<R>),
        named("thieves_take_several_while_the_owner_claims", thieves_take_several_while_the_owner_claims<R>),
        named("blocks_go_round_under_a_thief", blocks_go_round_under_a_thief<R>),
        named("shared_blocks_go_round_under_two_thieves", shared_blocks_go_round_under_two_thieves<R>),
        named("a_block_comes_back_with_an_item_still_inside", a_block_comes_back_with_an_item_still_inside<R>),
        named("a_slow_move_outlasts_the_retirement", a_slow_move_outlasts_the_retirement<R>),
        named("hints_look_at_blocks_of_any_age", hints_look_at_blocks_of_any_age<R>),
        named("hints_tell_of_an_item_that_stays", hints_tell_of_an_item_that_stays<R>),
        named("an_announcement_is_seen_or_the_mark_stays_armed", an_announcement_is_seen_or_the_mark_stays_armed<R>),
        named("a_mark_is_disarmed", a_mark_is_disarmed<R>),
        named("a_bound_holds_while_thieves_make_room", a_bound_holds_while_thieves_make_room<R>),
        named("the_end_destroys_what_is_left", the_end_destroys_what_is_left<R>),
        named("a_block_is_written_again_after_its_readers", a_block_is_written_again_after_its_readers<R>),
        named("every_reader_holds_its_own_block", every_reader_holds_its_own_block<R>),
    };
}

template <std::size_t N, class... More>
constexpr auto together(const std::array<model::scenario, N>& first, const More&... more) {
    std::array<model::scenario, N*(1 + sizeof...(More))> all{};
    std::size_t at = 0;
    for (const auto* const part : {&first, &more...})
        at = static_cast<std::size_t>(std::copy(part->begin(), part->end(), all.begin() + static_cast<long>(at)) -
                                      all.begin());
    return all;
}

}  // namespace

namespace scenarios {

std::span<const model::scenario> block_queue_scenarios() {
    static constexpr auto all = together(
#if defined(TEFF_WITH_GC)
        scenarios_with<teff::gc_reclaimer>("block_queue_gc"),
#endif
        scenarios_with<teff::epoch_reclaimer>("block_queue_epoch"),
        scenarios_with<teff::arena_reclaimer>("block_queue_arena"),
        scenarios_with<teff::hazard_reclaimer>("block_queue_hazard"));
    return all;
}

}  // namespace scenarios
