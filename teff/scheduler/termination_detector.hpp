// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When is all work done? By counting, with no read-modify-write and no fence in the path of a task.
//
// Each member counts in an account of its own the items that it has pushed and those that it has run to their end. Only
// the member writes it, so an increment is a load and a store. Who wants to know adds up first all `ran`, then all
// `pushed`: if the sums are equal, everything is done.
//
//   count_push     member     before the item can be seen by others
//   take_back      member     the push did not happen
//   count_run      member     after the item has run, or was dropped
//   hold, let_go   member     keeps the sums unequal meanwhile: the end is not found before the first items are there
//   all_ran        any thread
//
// Why equal sums mean the end. Let R be the runs that the observer has seen, P the pushes. Of a run in R it has
// acquired everything that came before: the push of that item, which is therefore in P, and the pushes by that item
// itself, which are in P too. So R is a part of P, and P holds with each item of R its children. Equal sums make P and
// R the same set; it contains the first items and is closed under children: these are all items there will ever be. (A
// push that is taken back is counted too high for a moment, which can only make the sums differ. Members that enter
// while the observer counts are no gap: a member enters before its pushes, and `used` is read again after the runs.)
//
// That somebody sees the end: who runs out of work, or has dropped items, counts them, then a seq_cst fence, then
// looks. Of all these the one whose fence is the last in the order of fences sees the counts of the others.
//
// Rejected: one shared counter of unfinished items (two read-modify-writes per task), the consensus of Blaze-Tasks
// (an owner would have to know which of its items others ran, while here everybody pushes into everybody's queues).
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>

#include <cstdint>

namespace teff {

class termination_detector {
public:
    class alignas(false_sharing_range) account {
    public:
        // relaxed: the queue's release, which publishes the item, comes after it.
        void count_push() noexcept { pushed_.store(pushed() + 1, std::memory_order_relaxed); }
        // relaxed: see the head of this file.
        void take_back() noexcept { pushed_.store(pushed() - 1, std::memory_order_relaxed); }
        // release: all that the item did, its pushes above all, is seen by who sees the count; partner: all_ran().
        void count_run(std::uint64_t items = 1) noexcept { ran_.store(own_runs() + items, std::memory_order_release); }

        void hold() noexcept {
            holds_ = true;
            held_ = 1;
            count_push();
        }
        void let_go() noexcept {
            if (!holds_)
                return;
            holds_ = false;
            count_run();
        }

        // The member: what it has counted, without its hold.
        std::uint64_t pushes() const noexcept { return pushed() - held_; }
        std::uint64_t runs() const noexcept { return own_runs() - (holds_ ? 0 : held_); }

    private:
        friend termination_detector;
        // relaxed: written by the member alone; others read it after the runs (all_ran), or as a hint.
        std::uint64_t pushed() const noexcept { return pushed_.load(std::memory_order_relaxed); }
        // relaxed: the same, as a hint.
        std::uint64_t own_runs() const noexcept { return ran_.load(std::memory_order_relaxed); }

        atomic<std::uint64_t> pushed_{0};
        atomic<std::uint64_t> ran_{0};
        // the member
        std::uint64_t held_ = 0;
        bool holds_ = false;
    };

    // Whether every item that was ever pushed has run. `accounts[i]` are those of the slots; used() is how many of them
    // are in use, read with acquire; more() how many were pushed by threads without a slot.
    template <class Accounts, class Used>
    static bool all_ran(const Accounts& accounts, Used&& used) noexcept {
        return all_ran(accounts, used, [] { return std::uint64_t{0}; });
    }
    template <class Accounts, class Used, class More>
    static bool all_ran(const Accounts& accounts, Used&& used, More&& more) noexcept {
        std::uint64_t ran = 0;
        for (unsigned i = 0, end = used(); i < end; ++i)
            // acquire: sees the pushes that came before; partner: the release of count_run().
            ran += accounts(i).ran_.load(std::memory_order_acquire);
        std::uint64_t pushed = more();
        for (unsigned i = 0, end = used(); i < end; ++i)
            pushed += accounts(i).pushed();
        return ran == pushed;
    }
    // About how many items have not run, in `slots` slots.
    template <class Accounts>
    static std::uint64_t unfinished(const Accounts& accounts, unsigned slots) noexcept {
        std::uint64_t ran = 0;
        std::uint64_t pushed = 0;
        for (unsigned i = 0; i < slots; ++i) {
            ran += accounts(i).own_runs();
            pushed += accounts(i).pushed();
        }
        return pushed > ran ? pushed - ran : 0;
    }
};

}  // namespace teff
