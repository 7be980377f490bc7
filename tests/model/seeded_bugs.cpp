// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs in waiting, in memory orders and in the lifetimes of objects; see seeded_bugs.hpp.
//
// Each is as small as it can be: two threads that do once what goes wrong. The sequence lock and the hazard pointer
// fail only if a load returns an old value.
#include "seeded_bugs.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/futex.hpp>

#include <atomic>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace {

using scenarios::passes;
using scenarios::seeded_bug;
using scenarios::with;

constexpr unsigned nothing = ~0U;

// --- Sleeping, waiting, ending ---

// The sleeper looks at the flag and then reads the word to sleep on. If the whole wake-up comes in between, it sleeps
// on the new value. With care it reads the word first, and a change makes the sleep return at once.
template <with Word>
void lost_wake_up() {
    teff::atomic<bool> flag{false};
    teff::futex_word word{0};
    model::parallel(
        [&] {
            for (;;) {
                std::uint32_t seen = word.load(std::memory_order_acquire);
                if (flag.load(std::memory_order_relaxed))
                    return;
                if constexpr (Word == with::mistake)
                    seen = word.load(std::memory_order_acquire);
                teff::futex_wait(word, seen);
            }
        },
        [&] {
            flag.store(true, std::memory_order_relaxed);
            word.fetch_add(1, std::memory_order_release);
            teff::futex_wake(word.address(), 1);
        });
}

// The waker wakes before it changes the word: a thread that falls asleep in between sleeps for ever.
template <with Order>
void wake_before_change() {
    teff::futex_word word{0};
    model::parallel(
        [&] {
            while (word.load(std::memory_order_acquire) == 0)
                teff::futex_wait(word, 0);
        },
        [&] {
            if constexpr (Order == with::mistake)
                teff::futex_wake(word.address(), 1);
            word.store(1, std::memory_order_release);
            if constexpr (Order == with::care)
                teff::futex_wake(word.address(), 1);
        });
}

// Work is over when no task is pending. A task takes itself off the count before it adds its child, so another worker
// may see zero in between. With care the child comes first.
template <with Count>
void termination_too_early() {
    constexpr unsigned root = 0, child = 1;
    teff::atomic<unsigned> pending{1};
    teff::atomic<unsigned> task{root};
    const auto add = [&](unsigned added) {
        pending.fetch_add(1, std::memory_order_relaxed);
        task.store(added, std::memory_order_release);
    };
    const auto worker = [&] {
        while (pending.load(std::memory_order_acquire) != 0) {
            const unsigned mine = task.exchange(nothing, std::memory_order_acquire);
            if (mine == nothing) {
                model::yield();
                continue;
            }
            model::take(mine);
            if (mine == root && Count == with::care)
                add(child);
            pending.fetch_sub(1, std::memory_order_acq_rel);
            if (mine == root && Count == with::mistake)
                add(child);
        }
        model::check(model::taken_items() == 2, "a worker stopped before all was done");
    };
    model::parallel(worker, worker);
}

// Two spin locks that are taken in two orders: each thread may wait for the other's, always busy.
template <with Order>
void spinning_in_a_circle() {
    teff::atomic<bool> first{false}, second{false};
    const auto hold_both = [](teff::atomic<bool>& one, teff::atomic<bool>& other) {
        model::wait_until([&] { return !one.exchange(true, std::memory_order_acquire); });
        model::wait_until([&] { return !other.exchange(true, std::memory_order_acquire); });
        other.store(false, std::memory_order_release);
        one.store(false, std::memory_order_release);
    };
    model::parallel([&] { hold_both(first, second); },
                    [&] { Order == with::care ? hold_both(first, second) : hold_both(second, first); });
}

// --- Orders that are too weak ---

// unlock() without release: the next thread that locks does not see what was done under the lock.
template <with Release>
void mutex_with_relaxed_unlock() {
    teff::atomic<bool> locked{false};
    teff::plain<unsigned> count{0};
    const auto increment = [&] {
        model::wait_until([&] { return !locked.exchange(true, std::memory_order_acquire); });
        count.write(count.read() + 1);
        locked.store(false, Release == with::care ? std::memory_order_release : std::memory_order_relaxed);
    };
    model::parallel(increment, increment);
    model::check(count.read() == 2, "an increment was lost");
}

// The message is released, but read without an acquire fence.
template <with Fence>
void message_without_acquire() {
    teff::atomic<bool> ready{false};
    teff::plain<unsigned> message{0};
    unsigned got = 0;
    model::parallel(
        [&] {
            message.write(1);
            ready.store(true, std::memory_order_release);
        },
        [&] {
            model::wait_until([&] { return ready.load(std::memory_order_relaxed); });
            if constexpr (Fence == with::care)
                teff::atomic_thread_fence(std::memory_order_acquire);
            got = message.read();
        });
    model::check(got == 1, "the message was not read");
}

// A sequence lock whose reader has no fence between the two values and its second look at the sequence: that look may
// be older than the values.
template <with Fence>
void sequence_lock_without_fence() {
    teff::atomic<unsigned> sequence{0}, low{0}, high{0};
    model::parallel(
        [&] {
            sequence.store(1, std::memory_order_relaxed);
            teff::atomic_thread_fence(std::memory_order_release);
            low.store(1, std::memory_order_relaxed);
            high.store(1, std::memory_order_relaxed);
            sequence.store(2, std::memory_order_release);
        },
        [&] {
            const unsigned before = sequence.load(std::memory_order_acquire);
            const unsigned first = low.load(std::memory_order_relaxed);
            const unsigned second = high.load(std::memory_order_relaxed);
            if constexpr (Fence == with::care)
                teff::atomic_thread_fence(std::memory_order_acquire);
            const bool valid = before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before;
            model::check(!valid || first == second, "a torn pair was read");
        });
}

// --- Memory that is freed too early, twice, never ---

// The reader announces an object and confirms that it is still the current one; the writer replaces it and looks at the
// announcement. Without the reader's fence its confirmation may be older than its announcement.
template <with Fence>
void hazard_without_fence() {
    using object = teff::plain<unsigned>;
    teff::atomic<object*> current{teff::create<object>(1U)};
    teff::atomic<object*> announced{nullptr};
    object* kept = nullptr;
    model::parallel(
        [&] {
            object* seen = current.load(std::memory_order_relaxed);
            for (;;) {
                announced.store(seen, std::memory_order_release);
                if constexpr (Fence == with::care)
                    teff::atomic_thread_fence(std::memory_order_seq_cst);
                object* const confirmed = current.load(std::memory_order_acquire);
                if (confirmed == seen)
                    break;
                seen = confirmed;
            }
            model::check(seen->read() != 0, "the object has no value");
            announced.store(nullptr, std::memory_order_release);
        },
        [&] {
            object* const old = current.exchange(teff::create<object>(2U), std::memory_order_acq_rel);
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            if (announced.load(std::memory_order_acquire) == old)
                kept = old;
            else
                teff::destroy(old);
        });
    teff::destroy(kept);
    teff::destroy(current.load(std::memory_order_relaxed));
}

// Two owners drop one object. dropped(count) returns whether the caller was the last.
template <class Dropped>
void share_and_drop(Dropped&& dropped) {
    unsigned* const object = teff::create<unsigned>(1U);
    teff::atomic<unsigned> references{2};
    const auto drop = [&] {
        if (dropped(references))
            teff::destroy(object);
    };
    model::parallel(drop, drop);
}

// Both owners decrement, and then both look: both see zero.
void references_looked_at_later() {
    share_and_drop([](teff::atomic<unsigned>& references) {
        references.fetch_sub(1, std::memory_order_acq_rel);
        return references.load(std::memory_order_acquire) == 0;
    });
}
// Both read two and store one: neither sees zero.
void references_dropped_by_load_and_store() {
    share_and_drop([](teff::atomic<unsigned>& references) {
        const unsigned left = references.load(std::memory_order_acquire) - 1;
        references.store(left, std::memory_order_release);
        return left == 0;
    });
}
// Decrement and look are one operation: the last owner sees that one was left.
void references_dropped_at_once() {
    share_and_drop(
        [](teff::atomic<unsigned>& references) { return references.fetch_sub(1, std::memory_order_acq_rel) == 1; });
}

// Two threads create what both need. One of the two objects is not used, and its thread forgets it. With care that
// thread destroys it.
template <with Loser>
void loser_of_a_race_forgets() {
    teff::atomic<unsigned*> shared{nullptr};
    const auto find_or_create = [&] {
        unsigned* found = shared.load(std::memory_order_acquire);
        if (found != nullptr)
            return;
        unsigned* const made = teff::create<unsigned>(1U);
        const bool won =
            shared.compare_exchange_strong(found, made, std::memory_order_release, std::memory_order_acquire);
        if (!won && Loser == with::care)
            teff::destroy(made);
    };
    model::parallel(find_or_create, find_or_create);
    teff::destroy(shared.load(std::memory_order_relaxed));
}

// Two bytes beside each other. One thread reads the first and announces that; the other one then writes it, while the
// first thread reads the second byte. Without care it reads the first one again.
template <with Reader>
void byte_read_after_its_announcement() {
    struct {
        alignas(4) unsigned char first = 1;
        unsigned char second = 2;
    } pair;
    teff::atomic<bool> announced{false};
    const auto reader = [&] {
        unsigned sum = pair.first;
        announced.store(true, std::memory_order_release);
        sum += Reader == with::mistake ? pair.first : pair.second;
        model::check(sum != 0, "the bytes were lost");
    };
    const auto writer = [&] {
        model::wait_until([&] { return announced.load(std::memory_order_acquire); });
        pair.first = 3;
    };
    model::parallel(reader, writer);
}

using enum with;

constexpr seeded_bug others[] = {
    // Reported as a deadlock, not as a lost wake-up, since the word has not changed during the sleep.
    {"lost_wake_up", lost_wake_up<mistake>, "deadlock", false},
    {"wake_up_not_lost", lost_wake_up<care>, passes, true},
    {"wake_before_change", wake_before_change<mistake>, "a wake-up was lost", false},
    {"wake_after_change", wake_before_change<care>, passes, true},
    {"termination_too_early", termination_too_early<mistake>, "a worker stopped before all was done", false},
    {"termination_in_time", termination_too_early<care>, passes, true},
    {"spinning_in_a_circle", spinning_in_a_circle<mistake>, "livelock", false},
    {"spinning_in_one_order", spinning_in_a_circle<care>, passes, true},

    {"mutex_with_relaxed_unlock", mutex_with_relaxed_unlock<mistake>, "data race", false},
    {"mutex_with_release", mutex_with_relaxed_unlock<care>, passes, true},
    {"message_without_acquire", message_without_acquire<mistake>, "data race", false},
    {"message_with_acquire", message_without_acquire<care>, passes, true},
    {"sequence_lock_without_fence", sequence_lock_without_fence<mistake>, "a torn pair was read", true},
    {"sequence_lock_with_fence", sequence_lock_without_fence<care>, passes, true},

    // Either "use after free" or "frees ... while thread ... may still use it", whichever comes first.
    {"hazard_without_fence", hazard_without_fence<mistake>, "free", true},
    {"hazard_with_fence", hazard_without_fence<care>, passes, true},
    {"references_looked_at_later", references_looked_at_later, "double free", false},
    {"references_dropped_by_load_and_store", references_dropped_by_load_and_store, "leak", false},
    {"references_dropped_at_once", references_dropped_at_once, passes, true},
    {"byte_read_after_its_announcement", byte_read_after_its_announcement<mistake>, "data race", false},
    {"byte_read_before_its_announcement", byte_read_after_its_announcement<care>, passes, true},
    {"loser_of_a_race_forgets", loser_of_a_race_forgets<mistake>, "leak", false},
    {"loser_of_a_race_cleans_up", loser_of_a_race_forgets<care>, passes, true},
};

}  // namespace

namespace scenarios {

std::span<const seeded_bug> seeded_bugs() {
    static const std::vector<seeded_bug> all = [] {
        const std::span<const seeded_bug> queues = seeded_queues();
        std::vector<seeded_bug> made(queues.begin(), queues.end());
        made.insert(made.end(), std::begin(others), std::end(others));
        return made;
    }();
    return all;
}

}  // namespace scenarios
