// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For teams that deal tasks out: the consumer token of every slot, and for each member the list of the slots to which
// it deals in turn.
//
//   expect          before the first admit()
//   admit, leave    the member of that slot
//   the rest        any thread
// A `round_robin` belongs to one member. It rebuilds its list of slots only after a member has entered or left, so a
// push costs a few comparisons and an increment. The list is a hint: a slot in it may just have become vacant.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/scheduler/slots.hpp>

#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace teff {

// The right to take from a slot's queues, which allow one consumer at a time.
//
// In an elastic team members join and leave, and the items of a single-consumer queue must not be lost when its
// consumer has left. So the role of consumer is a token. The slot's member holds it from enter() to leave(). While
// the slot is vacant, any other member may take the token for one visit, to fetch an item that arrived too late. With
// the option `rescue` the member lends the token out whenever it is not looking into its queues, so that visitors can
// also come while it is inside a long task.
//
//   enter, leave            the slot's member; alternately
//   lend, take_back         the same member, between enter and leave; try_take_back does not wait
//   try_visit, end_visit    any member of another slot, while the slot is vacant; end_visit after a try_visit that won
//   try_rescue              the same while the token is lent; then end_visit
//   is_attended, is_vacant  any thread; hints. Producers should push to attended slots
//   reset_after_fork        the only thread of a child process
// Each holder sees what the holders before it wrote.
class consumer_token {
public:
    // Waits at most for the end of a visit, which is short: a visitor usually takes one item.
    void enter() noexcept {
        backoff wait;
        while (!change(vacant, attended))
            wait.pause();
    }
    // False: a rescuer has it now. True also if it was not lent.
    bool try_take_back() noexcept {
        // relaxed: the swap validates it; other states are the member's own.
        return (state_.load(std::memory_order_relaxed) & lent) == 0 || change(lent, attended);
    }
    void take_back() noexcept {
        backoff wait;
        while (!try_take_back())
            wait.pause();
    }
    // release: the next consumer sees what this one did; partner: the acquire in change().
    void leave() noexcept { state_.store(vacant, std::memory_order_release); }
    void lend() noexcept {
        // relaxed: the member's own state. If the member has already left (the team ends), nothing is lent.
        if (state_.load(std::memory_order_relaxed) == attended)
            // release: as in leave().
            state_.store(lent, std::memory_order_release);
    }

    bool try_visit() noexcept { return change(vacant, visited); }
    bool try_rescue() noexcept { return change(lent, visited | lent); }
    void end_visit() noexcept {
        // relaxed: during a visit only the visitor changes the state. release: as in leave().
        state_.store(state_.load(std::memory_order_relaxed) & ~visited, std::memory_order_release);
    }

    void reset_after_fork() noexcept {
        // relaxed, both: there is no other thread.
        state_.store(state_.load(std::memory_order_relaxed) & ~visited, std::memory_order_relaxed);
    }

    // relaxed: a hint.
    bool is_attended() const noexcept { return (state_.load(std::memory_order_relaxed) & (attended | lent)) != 0; }
    // relaxed: a hint.
    bool is_vacant() const noexcept { return state_.load(std::memory_order_relaxed) == vacant; }

private:
    bool change(unsigned from, unsigned to) noexcept {
        // acquire: sees what the last consumer did; partner: the releases in leave(), lend() and end_visit(). relaxed
        // on failure: nothing was taken.
        return state_.compare_exchange_strong(from, to, std::memory_order_acquire, std::memory_order_relaxed);
    }

    // `visited` alone: a visit while the slot is vacant; with `lent`: while its member is busy.
    static constexpr unsigned vacant = 0, attended = 1, visited = 2, lent = 4;
    atomic<unsigned> state_{vacant};
};

class member_registry {
public:
    // 1..4096 slots; throws std::bad_alloc.
    explicit member_registry(unsigned slots) : slots_(slots) {}

    // The lowest `members` slots (1..size) will probably be entered soon: they are listed from the start.
    void expect(unsigned members) noexcept { slots_.use(members - 1); }
    // Called after the member has taken its token: from now on others may deal to it.
    void admit(unsigned slot) noexcept {
        slots_.use(slot);
        changed();
    }
    void leave(unsigned slot) noexcept {
        slots_[slot].token.leave();
        changed();
    }

    unsigned size() const noexcept { return slots_.size(); }
    // One more than the highest slot that was ever attended or expected to be.
    unsigned used() const noexcept { return slots_.used(); }
    consumer_token& operator[](unsigned slot) noexcept { return slots_[slot].token; }
    const consumer_token& operator[](unsigned slot) const noexcept { return slots_[slot].token; }

    class round_robin {
    public:
        static constexpr unsigned nobody = ~0U;

        // Allocates the list unless it exists already. Throws std::bad_alloc.
        void make_room(const member_registry& all) {
            if (!members_)
                members_.emplace(all.size());
        }
        // The same; false: no memory.
        bool try_make_room(const member_registry& all) noexcept {
            try {
                make_room(all);
            } catch (const std::bad_alloc&) {
                return false;
            }
            return true;
        }
        // Whether no member has entered or left since the list was made.
        bool is_current(const member_registry& all) const noexcept {
            // acquire: sees the change of a token that made this version; partner: the release in changed().
            return all.version_.load(std::memory_order_acquire) == version_;
        }
        // Calls use(slot) for each slot that is listed as attended.
        template <class Use>
        void each_attended(Use&& use) const noexcept {
            for (unsigned i = 0; i < attended_; ++i)
                use((*members_)[i]);
        }
        // Lists the slots for which reaches(slot) is true.
        template <class Reaches>
        [[gnu::noinline, gnu::cold]] void refresh(const member_registry& all, Reaches&& reaches) noexcept {
            // acquire: as in is_current(). Before the tokens, so a member that leaves meanwhile makes the list outdated
            // again.
            version_ = all.version_.load(std::memory_order_acquire);
            listed_ = 0;
            attended_ = 0;
            for (unsigned slot = 0, end = all.used(); slot < end; ++slot) {
                if (!reaches(slot))
                    continue;
                slots<std::uint16_t>& list = *members_;
                list[listed_++] = static_cast<std::uint16_t>(slot);
                if (all[slot].is_attended())
                    std::swap(list[attended_++], list[listed_ - 1]);
            }
        }
        // The next attended slot of the list; with and_vacant, the next one, attended or vacant. Returns `nobody` if
        // there is none.
        unsigned next(bool and_vacant) noexcept {
            const unsigned count = and_vacant ? listed_ : attended_;
            if (count == 0)
                return nobody;
            next_ = next_ + 1 < count ? next_ + 1 : 0;
            return (*members_)[next_];
        }
        // The same after a refresh if the list is outdated.
        template <class Reaches>
        unsigned next(const member_registry& all, bool and_vacant, Reaches&& reaches) noexcept {
            if (!is_current(all)) [[unlikely]]
                refresh(all, reaches);
            return next(and_vacant);
        }

    private:
        std::optional<slots<std::uint16_t>> members_;  // the attended ones, then the vacant ones
        unsigned attended_ = 0;
        unsigned listed_ = 0;
        unsigned next_ = 0;
        unsigned version_ = 0;  // 0 is not the version of a registry that a member has entered
    };

private:
    void changed() noexcept {
        // release: publishes the change of a token before it; partners: the acquires in is_current() and refresh().
        version_.fetch_add(1, std::memory_order_release);
    }

    struct alignas(cache_line_size) place {
        consumer_token token;
    };
    slots<place> slots_;
    alignas(false_sharing_range) atomic<unsigned> version_{0};
};

}  // namespace teff
