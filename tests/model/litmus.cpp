// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Litmus tests of the checker's memory: which results each small program can have.
//
// The sets were derived from the rules of C++20 ([intro.races], [atomics.order]), not from what the checker reports. An
// outcome is a decimal number with one digit for each of what the test shows, in that order. Comments write "x = 1" for
// a store, "a = x" for a load, and "f" for what thread 0 reads at the end, when it knows every store. A comment at a
// row says why an outcome is missing.
//
// Out of scope for the checker, and so not tested: load buffering without any order (a load that returns a store which
// comes later in the execution), results out of thin air, and programs in which the order of sequentially consistent
// operations contradicts happens-before (possible in C++20 where those are mixed with weaker operations on the same
// location).
//
// The comments use this rule. For two operations A, B on one location, A comes before B in coherence if the store that
// A makes or reads is older than the one that B makes or reads, or if B reads A's store. The single order of
// sequentially consistent operations and fences agrees with that. In this order a fence also represents the operations
// that happen before it ("left of" the fence) and those that happen after it ("right of" the fence).
#include "litmus_program.hpp"
#include "scenarios.hpp"

#include <teff/base/atomic.hpp>
#include <teff/base/futex.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace {

using namespace scenarios::litmus_program;
using location = teff::atomic<number>;

// All numbers of `count` digits 0 and 1, except `but`.
constexpr std::uint64_t nothing = ~std::uint64_t{0};
std::vector<std::uint64_t> zeros_and_ones(unsigned count, std::uint64_t but = nothing) {
    std::vector<std::uint64_t> all;
    for (unsigned bits = 0; bits < 1U << count; ++bits) {
        std::uint64_t value = 0;
        for (unsigned i = count; i-- > 0;)
            value = 10 * value + (bits >> i & 1U);
        if (value != but)
            all.push_back(value);
    }
    return all;
}

template <order Store1, order Fence1, order Load1, order Store2 = Store1, order Fence2 = Fence1, order Load2 = Load1>
void store_buffering() {
    run({a, b}, thread(set(x, 1, Store1), fence(Fence1), get(a, y, Load1)),
        thread(set(y, 1, Store2), fence(Fence2), get(b, x, Load2)));
}

template <order Success, order Failure>
void store_buffering_by_failed_exchanges() {
    run({a, b}, thread(set(x, 1, seq_cst), fail_to_replace(a, y, Success, Failure)),
        thread(set(y, 1, seq_cst), fail_to_replace(b, x, Success, Failure)));
}

template <order Write, order Modification>
void store_buffering_by_stores_and_modifications() {
    run({a, b}, thread(set(x, 1, Write), add(a, y, 0, Modification)),
        thread(set(y, 1, Write), add(b, x, 0, Modification)));
}

template <order Write, order Modification>
void store_buffering_by_modifications() {
    run({a, b}, thread(add(x, 1, Write), add(a, y, 0, Modification)),
        thread(add(y, 1, Write), add(b, x, 0, Modification)));
}

template <order Load, order Store>
void load_buffering() {
    run({a, b}, thread(get(a, x, Load), set(y, 1, Store)), thread(get(b, y, Load), set(x, 1, Store)));
}

template <order Fence1, order Store, order Load, order Fence2>
void message_passing() {
    run({a, b}, thread(set(x, 1, relaxed), fence(Fence1), set(y, 1, Store)),
        thread(get(a, y, Load), fence(Fence2), get(b, x, relaxed)));
}

void release_sequence_of_another_thread() {
    run({a, b}, thread(set(x, 1, relaxed), set(y, 1, release)), thread(add(y, 2, relaxed)),
        thread(get(a, y, acquire), get(b, x, relaxed)));
}

// The same with a second message in the middle thread, z = 1.
void release_sequence_of_two_messages() {
    run({a, b, c}, thread(set(x, 1, relaxed), set(y, 1, release)),
        thread(set(z, 1, relaxed), fence(release), add(y, 2, relaxed)),
        thread(get(a, y, acquire), get(b, x, relaxed), get(c, z, relaxed)));
}

void release_sequence_ended_by_a_store() {
    run({a, b}, thread(set(x, 1, relaxed), set(y, 1, release), set(y, 2, relaxed)),
        thread(get(a, y, acquire), get(b, x, relaxed)));
}

void release_sequence_of_the_same_thread() {
    run({a, b}, thread(set(x, 1, relaxed), set(y, 1, release), add(y, 1, relaxed)),
        thread(get(a, y, acquire), get(b, x, relaxed)));
}

template <number Expected, order Success, order Failure>
void message_passing_to_an_exchange() {
    run({a, b}, thread(set(x, 1, relaxed), set(y, 1, release)),
        thread(replace(a, y, Expected, 2, Success, Failure), get(b, x, relaxed)));
}

template <order Store, order Load, order Fence>
void independent_reads_of_independent_writes() {
    run({a, b, c, d}, thread(set(x, 1, Store)), thread(set(y, 1, Store)),
        thread(get(a, x, Load), fence(Fence), get(b, y, Load)),
        thread(get(c, y, Load), fence(Fence), get(d, x, Load)));
}

template <order Load1, order Store2, order Load2>
void write_to_read_causality() {
    run({a, b, c}, thread(set(x, 1, relaxed)), thread(get(a, x, Load1), set(y, 1, Store2)),
        thread(get(b, y, Load2), get(c, x, relaxed)));
}

template <order MiddleLoad, order MiddleStore>
void chain_of_messages() {
    run({a, b, c}, thread(set(x, 1, relaxed), set(y, 1, release)),
        thread(get(a, y, MiddleLoad), set(z, 1, MiddleStore)), thread(get(b, z, acquire), get(c, x, relaxed)));
}

template <order Store, order Fence>
void two_and_two_writes() {
    run({last_x, last_y}, thread(set(x, 1, Store), fence(Fence), set(y, 2, Store)),
        thread(set(y, 1, Store), fence(Fence), set(x, 2, Store)));
}

template <order Fence>
void read_to_write_causality() {
    run({a, b, c}, thread(set(x, 1, relaxed)), thread(get(a, x, relaxed), fence(Fence), get(b, y, relaxed)),
        thread(set(y, 1, relaxed), fence(Fence), get(c, x, relaxed)));
}

template <order Store, order Fence>
void write_and_read_to_write_causality() {
    run({a, b, c}, thread(set(x, 1, relaxed), set(y, 1, Store)),
        thread(get(a, y, relaxed), fence(Fence), get(b, z, relaxed)),
        thread(set(z, 1, relaxed), fence(Fence), get(c, x, relaxed)));
}

template <order Store, order Load>
void message_before_a_store() {
    run({a, last_x}, thread(set(x, 2, relaxed), set(y, 1, Store)), thread(get(a, y, Load), set(x, 1, relaxed)));
}

template <order Store, order Fence, order Load>
void store_order_before_a_load() {
    run({last_y, a}, thread(set(x, 1, Store), fence(Fence), set(y, 1, Store)),
        thread(set(y, 2, Store), fence(Fence), get(a, x, Load)));
}

void coherence_of_two_reads() {
    run({a, b}, thread(set(x, 1, relaxed), set(x, 2, relaxed)), thread(get(a, x, relaxed), get(b, x, relaxed)));
}

void coherence_of_reads_and_the_end() {
    run({a, b, last_x}, thread(set(x, 1, relaxed)), thread(set(x, 2, relaxed)),
        thread(get(a, x, relaxed), get(b, x, relaxed)));
}

void coherence_of_two_writes() {
    run({last_x}, thread(set(x, 1, relaxed), set(x, 2, relaxed)), thread(set(x, 3, relaxed)));
}

void coherence_of_read_and_write() {
    run({a, last_x}, thread(get(a, x, relaxed), set(x, 1, relaxed)), thread(set(x, 2, relaxed)));
}

void coherence_of_write_and_read() {
    run({a, last_x}, thread(set(x, 1, relaxed), get(a, x, relaxed)), thread(set(x, 2, relaxed)));
}

// x = 1 before the threads; each reads it and adds 1; afterwards thread 0 reads x.
// the lesser of the two values read, f
void beginning_and_end_of_threads() {
    location at{0};
    number first = 0, second = 0;
    at.store(1, relaxed);
    model::parallel([&] { first = at.fetch_add(1, relaxed); }, [&] { second = at.fetch_add(1, relaxed); });
    model::outcome(10 * (first < second ? first : second) + at.load(relaxed));
}

void two_additions() { run({a, b, last_x}, thread(add(a, x, 1, relaxed)), thread(add(b, x, 1, relaxed))); }

void two_exchanges() { run({a, b, last_x}, thread(exchange(a, x, 1, relaxed)), thread(exchange(b, x, 2, relaxed))); }

void two_compare_exchanges() {
    run({a, b, last_x}, thread(replace(a, x, 0, 1, relaxed, relaxed)), thread(replace(b, x, 0, 2, relaxed, relaxed)));
}

void store_and_addition() { run({a, last_x}, thread(set(x, 2, relaxed)), thread(add(a, x, 1, relaxed))); }

template <order Store, order Load>
void compare_exchange_of_an_old_value() {
    run({a, b}, thread(set(x, 1, relaxed), set(y, 1, Store)),
        thread(get(a, y, Load), replace(b, x, 1, 2, relaxed, relaxed)));
}

// For the reduction of depth_first.hpp, which must not mistake a thread that has yielded for one that has not.
void store_after_two_yields() {
    const auto yield = [](auto&) { model::yield(); };
    run({a, b}, thread(yield, yield, set(x, 1, relaxed)), thread(get(a, x, relaxed), get(b, x, relaxed)));
}

// Sleeps if the word is 0; then reads.
// Stores to both; wakes.
void load_after_a_sleep() {
    location at{0};
    teff::futex_word word{0};
    number read = 0;
    model::parallel(
        [&] {
            teff::futex_wait(word, 0);
            read = at.load(relaxed);
        },
        [&] {
            at.store(1, relaxed);
            word.store(1, relaxed);
            teff::futex_wake(word.address(), 1);
        });
    model::outcome(read);
}

using scenarios::litmus;

std::vector<litmus> make_tests() {
    return {
        {"store_buffering_relaxed", store_buffering<relaxed, relaxed, relaxed>, zeros_and_ones(2)},
        // Release and acquire order nothing here: neither load has to read a store of the other thread.
        {"store_buffering_release_acquire", store_buffering<release, relaxed, acquire>, zeros_and_ones(2)},
        {"store_buffering_release_acquire_fences", store_buffering<relaxed, acq_rel, relaxed>, zeros_and_ones(2)},
        {"store_buffering_seq_cst_stores_only", store_buffering<seq_cst, relaxed, acquire>, zeros_and_ones(2)},
        // Not 00: x = 1, a = y (which reads 0), y = 1, b = x (which reads 0) and x = 1 would form a cycle.
        {"store_buffering_seq_cst", store_buffering<seq_cst, relaxed, seq_cst>, {1, 10, 11}},
        // Not 00: a = y is before y = 1, so the first fence is before the second. By symmetry also the other way round.
        {"store_buffering_seq_cst_fences", store_buffering<relaxed, seq_cst, relaxed>, {1, 10, 11}},
        // A single fence has no other fence to be ordered with.
        {"store_buffering_one_fence", store_buffering<relaxed, seq_cst, relaxed, relaxed, relaxed, relaxed>,
         zeros_and_ones(2)},
        // Not 00. In the single order x = 1 is before a = y. The latter is before the fence, since a reads an older
        // store than y = 1, which is left of the fence. The fence is before x = 1, since b, which is right of it, reads
        // an older store. That is a cycle.
        {"store_buffering_seq_cst_and_fence", store_buffering<seq_cst, relaxed, seq_cst, relaxed, seq_cst, relaxed>,
         {1, 10, 11}},
        // The first thread's store is not sequentially consistent, so nothing of that thread has to be after the fence.
        {"store_buffering_seq_cst_load_and_fence",
         store_buffering<relaxed, relaxed, seq_cst, relaxed, seq_cst, relaxed>, zeros_and_ones(2)},
        // Not 00: a failed exchange is a load of the failure order.
        {"store_buffering_seq_cst_failures", store_buffering_by_failed_exchanges<relaxed, seq_cst>, {1, 10, 11}},
        {"store_buffering_relaxed_failures", store_buffering_by_failed_exchanges<seq_cst, relaxed>, zeros_and_ones(2)},
        // Not 00: if a = 0, y += 1 reads the result of y += 0, so x += 1 happens before b.
        {"store_buffering_modifications", store_buffering_by_modifications<acq_rel, acq_rel>, {1, 10, 11}},
        // A store reads nothing: y = 1 may come after y += 0 without seeing what came before that.
        {"store_buffering_stores_and_modifications", store_buffering_by_stores_and_modifications<release, acq_rel>,
         zeros_and_ones(2)},

        // Not 11: each thread would happen before the other.
        {"load_buffering_acquire_release", load_buffering<acquire, release>, {0, 1, 10}},

        {"message_passing_relaxed", message_passing<relaxed, relaxed, relaxed, relaxed>, zeros_and_ones(2)},
        // Not 10, in the next five: the thread that reads y = 1 knows that x = 1 happened before.
        {"message_passing_release_acquire", message_passing<relaxed, release, acquire, relaxed>, {0, 1, 11}},
        {"message_passing_fences", message_passing<release, relaxed, relaxed, acquire>, {0, 1, 11}},
        {"message_passing_release_fence_acquire_load", message_passing<release, relaxed, acquire, relaxed>, {0, 1, 11}},
        {"message_passing_release_store_acquire_fence", message_passing<relaxed, release, relaxed, acquire>,
         {0, 1, 11}},
        {"message_passing_seq_cst_fences", message_passing<seq_cst, relaxed, relaxed, seq_cst>, {0, 1, 11}},
        {"message_passing_release_only", message_passing<relaxed, release, relaxed, relaxed>, zeros_and_ones(2)},
        {"message_passing_acquire_only", message_passing<relaxed, relaxed, acquire, relaxed>, zeros_and_ones(2)},
        {"message_passing_release_fence_only", message_passing<release, relaxed, relaxed, relaxed>, zeros_and_ones(2)},
        {"message_passing_acquire_fence_only", message_passing<relaxed, relaxed, relaxed, acquire>, zeros_and_ones(2)},
        // The wrong fences: release where acquire belongs, and the other way round.
        {"message_passing_exchanged_fences", message_passing<acquire, relaxed, relaxed, release>, zeros_and_ones(2)},
        // Not 10, 30: 1 is the released store, and 3 is the result of the addition to it, which continues its release
        // sequence. 2 is the result of the addition to the initial value, which continues no release sequence.
        {"release_sequence_of_another_thread", release_sequence_of_another_thread, {0, 1, 11, 20, 21, 31}},
        // Not 10*: as above. Not 2*0: the fence makes the addition release z = 1. Not 30*, 3*0: the addition passes on
        // both messages.
        {"release_sequence_of_two_messages", release_sequence_of_two_messages,
         {0, 1, 10, 11, 110, 111, 201, 211, 311}},
        // Not 10. But 20: since C++20 a store of the same thread does not continue the sequence.
        {"release_sequence_ended_by_a_store", release_sequence_ended_by_a_store, {0, 1, 11, 20, 21}},
        // Not 10, 20: a read-modify-write continues the sequence.
        {"release_sequence_of_the_same_thread", release_sequence_of_the_same_thread, {0, 1, 11, 21}},
        // Not 00: an exchange that fails to replace 0 has read the released 1.
        {"failed_exchange_acquires", message_passing_to_an_exchange<0, relaxed, acquire>, {1, 10, 11}},
        {"failed_exchange_does_not_acquire", message_passing_to_an_exchange<0, acq_rel, relaxed>, zeros_and_ones(2)},
        // Not 10: an exchange that has replaced 1 has read it with the order of success.
        {"exchange_acquires", message_passing_to_an_exchange<1, acquire, relaxed>, {0, 1, 11}},
        {"exchange_does_not_acquire", message_passing_to_an_exchange<1, relaxed, acquire>, zeros_and_ones(2)},

        {"iriw_relaxed", independent_reads_of_independent_writes<relaxed, relaxed, relaxed>, zeros_and_ones(4)},
        // Stores need not reach all threads at once: the readers may disagree.
        {"iriw_release_acquire", independent_reads_of_independent_writes<release, acquire, relaxed>,
         zeros_and_ones(4)},
        // Not 1010, in the next three. The loads alone would form a cycle: a before b (same thread), b before c (b
        // reads an older store than c does), c before d, d before a.
        {"iriw_seq_cst_loads", independent_reads_of_independent_writes<relaxed, seq_cst, relaxed>,
         zeros_and_ones(4, 1010)},
        {"iriw_seq_cst", independent_reads_of_independent_writes<seq_cst, seq_cst, relaxed>, zeros_and_ones(4, 1010)},
        // b is right of the first fence and before c, which is left of the second: so the first fence is before the
        // second. By d and a the second is before the first.
        {"iriw_seq_cst_fences", independent_reads_of_independent_writes<relaxed, relaxed, seq_cst>,
         zeros_and_ones(4, 1010)},

        {"wrc_relaxed", write_to_read_causality<relaxed, relaxed, relaxed>, zeros_and_ones(3)},
        // Not 110: x = 1 was read by a load that happens before c.
        {"wrc_release_acquire", write_to_read_causality<acquire, release, acquire>, zeros_and_ones(3, 110)},
        {"wrc_coherence", write_to_read_causality<relaxed, release, acquire>, zeros_and_ones(3, 110)},
        {"wrc_without_acquire", write_to_read_causality<acquire, release, relaxed>, zeros_and_ones(3)},

        // Not 110: happens-before is transitive.
        {"isa2_release_acquire", chain_of_messages<acquire, release>, zeros_and_ones(3, 110)},
        {"isa2_relaxed_middle", chain_of_messages<relaxed, relaxed>, zeros_and_ones(3)},
        // The middle thread knows x = 1 only if its load of y acquires, and the store to z passes on only what that
        // thread knows.
        {"isa2_relaxed_middle_load", chain_of_messages<relaxed, release>, zeros_and_ones(3)},
        {"isa2_relaxed_middle_store", chain_of_messages<acquire, relaxed>, zeros_and_ones(3)},

        {"two_and_two_writes_relaxed", two_and_two_writes<relaxed, relaxed>, {11, 12, 21, 22}},
        // No thread reads, so a release orders nothing.
        {"two_and_two_writes_release", two_and_two_writes<release, relaxed>, {11, 12, 21, 22}},
        // Not 11: x = 2, x = 1, y = 2, y = 1, x = 2 would form a cycle.
        {"two_and_two_writes_seq_cst", two_and_two_writes<seq_cst, relaxed>, {12, 21, 22}},
        // Not 11: x = 2, right of the second fence, is before x = 1, left of the first; and likewise for y.
        {"two_and_two_writes_seq_cst_fences", two_and_two_writes<relaxed, seq_cst>, {12, 21, 22}},

        {"rwc_relaxed", read_to_write_causality<relaxed>, zeros_and_ones(3)},
        {"rwc_release_acquire_fences", read_to_write_causality<acq_rel>, zeros_and_ones(3)},
        // Not 100: b before y = 1 puts the reader's fence first; c before a puts the writer's fence first.
        {"rwc_seq_cst_fences", read_to_write_causality<seq_cst>, zeros_and_ones(3, 100)},

        // Not 100: x = 1 happens before the reader's fence, which is also an acquire fence; the rest is as for rwc.
        {"w_rwc_release_and_seq_cst_fences", write_and_read_to_write_causality<release, seq_cst>,
         zeros_and_ones(3, 100)},
        {"w_rwc_relaxed_store", write_and_read_to_write_causality<relaxed, seq_cst>, zeros_and_ones(3)},
        {"w_rwc_release_acquire_fences", write_and_read_to_write_causality<release, acq_rel>, zeros_and_ones(3)},

        {"s_relaxed", message_before_a_store<relaxed, relaxed>, {1, 2, 11, 12}},
        // Not 12: x = 2 happens before x = 1, so it is older.
        {"s_release_acquire", message_before_a_store<release, acquire>, {1, 2, 11}},
        {"s_without_acquire", message_before_a_store<release, relaxed>, {1, 2, 11, 12}},

        {"r_relaxed", store_order_before_a_load<relaxed, relaxed, relaxed>, {10, 11, 20, 21}},
        {"r_release_acquire", store_order_before_a_load<release, relaxed, acquire>, {10, 11, 20, 21}},
        // Not 20: x = 1, y = 1, y = 2, a, x = 1 would form a cycle.
        {"r_seq_cst", store_order_before_a_load<seq_cst, relaxed, seq_cst>, {10, 11, 21}},
        // Not 20: y = 1, right of the first fence, is before y = 2, left of the second; a is before x = 1.
        {"r_seq_cst_fences", store_order_before_a_load<relaxed, seq_cst, relaxed>, {10, 11, 21}},

        // Not 10, 20, 21: b is not older than a.
        {"coherence_of_two_reads", coherence_of_two_reads, {0, 1, 2, 11, 12, 22}},
        // Not *0 after another value; 12 only if 2 is the later store, and 21 only if 1 is; f is the latest store.
        {"coherence_of_reads_and_the_end", coherence_of_reads_and_the_end,
         {1, 2, 11, 12, 21, 22, 111, 112, 221, 222, 122, 211}},
        // Not 1: the same thread's 2 is later.
        {"coherence_of_two_writes", coherence_of_two_writes, {2, 3}},
        // Not 1*: no load returns what its thread stores later. Not 22: x = 1 is later than what was read before it.
        {"coherence_of_read_and_write", coherence_of_read_and_write, {1, 2, 21}},
        // Not 0*: the thread's own store is later. Not 21: a thread that reads 2 after x = 1 has seen that 2 is later.
        {"coherence_of_write_and_read", coherence_of_write_and_read, {11, 12, 22}},
        // Nothing else: what thread 0 does before them happens before the threads, which happen before what it does
        // afterwards.
        {"beginning_and_end_of_threads", beginning_and_end_of_threads, {13}},

        // Each modification reads the store right before its own.
        {"two_additions", two_additions, {12, 102}},
        {"two_exchanges", two_exchanges, {12, 201}},
        // Not 00*: a strong exchange fails only if it reads another value, here that of the other thread. Not 11*:
        // atomic.
        {"two_compare_exchanges", two_compare_exchanges, {12, 101}},
        // Not 03, 22: an addition to 0 makes 1, and 2 cannot come between; an addition to 2 is later than 2.
        {"store_and_addition", store_and_addition, {2, 23}},
        // 10: an exchange may fail because it reads an old value, unless x = 1 happens before it.
        {"compare_exchange_of_an_old_value", compare_exchange_of_an_old_value<relaxed, relaxed>, zeros_and_ones(2)},
        {"compare_exchange_of_a_known_value", compare_exchange_of_an_old_value<release, acquire>, {0, 1, 11}},

        // Not 10: coherence. Not 11: a thread that yields twice lets the other thread run meanwhile.
        {"store_after_two_yields", store_after_two_yields, {0, 1}},
        // 0: the sleep orders nothing.
        {"load_after_a_sleep", load_after_a_sleep, {0, 1}},
    };
}

}  // namespace

namespace scenarios {

std::span<const litmus> litmus_tests() {
    static const std::vector<litmus> all = make_tests();
    return all;
}

}  // namespace scenarios
