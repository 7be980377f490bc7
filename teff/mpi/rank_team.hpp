// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tasks of a rank on the scheduler `demand`: the team of a reduction whose caller communicates instead of working.
//
// The caller holds slot 0 and its deque, and is a thief on behalf of other ranks. A request of another rank reaches the
// members in the way that an idle worker's does: the caller counts as a searcher while it looks, asks, and takes by
// force from an owner that does not answer (scheduler/demand.hpp). So while no rank asks, a task costs what it costs on
// one machine. It takes half of a victim's visible items, the oldest ones, and repeats that until it has half of all
// items of the rank, or two full messages. It gives every second one of these, and keeps the others in its own deque,
// visible as far as there is room, from which the workers steal; what arrives from another rank goes there, too. Were
// all of them given, a rank would lose nearly all its work to the first one that asks: in a tree the oldest items are
// the largest ones, and the other half of the items are next to nothing. (A rank with a single worker gives all of one
// full message: its worker would have to steal back what is kept.)
//
// End of work: slot 0 is active (demand.hpp) exactly while its deque may hold items. While it is inactive, finished()
// says whether the rank is dry: only the caller could bring new items. Workers that find the end leave the team, and
// come back when items become visible.
//
// Items that have just arrived are not passed on at once: while a worker of this rank is idle, the caller gives at most
// half of its own deque, so the last item stays, and two ranks without other work cannot send it to and fro.
#pragma once

#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/frontends/reduce/reduction_team.hpp>
#include <teff/mpi/rank_work.hpp>
#include <teff/scheduler/demand.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/cancel_on_stop.hpp>
#include <teff/team/team_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

namespace teff::mpi {

template <class Fun, class Task, class R>
class rank_team final : public reducing::reduction_members<demand_scheduler<Task>, Fun, Task, R>, public rank_work {
    using members = reducing::reduction_members<demand_scheduler<Task>, Fun, Task, R>;
    using cursor = typename demand_scheduler<Task>::local;
    using members::caller_slot, members::scheduler_;

public:
    // options: with a slot for the caller. Workers may join from here on. Throws std::bad_alloc.
    rank_team(const team_options& options, const std::stop_token& stop, Fun& fun)
        : members(options.settings, options.spin_us, fun),
          own_(scheduler_.enter(caller_slot, this_thread().worker)), keeps_every_second_(options.settings.slots > 2),
          stopper_(stop, *this) {
        this->open();
    }
    rank_team(const rank_team&) = delete;
    rank_team& operator=(const rank_team&) = delete;
    ~rank_team() { end(); }

    // Enqueues the first tasks; add_first(enq). Throws what add_first throws.
    template <class AddFirst>
    void add_first(AddFirst&& add_first) {
        activate();
        add_first([this](Task task) { push(std::move(task)); });
        show();
    }
    // After the end of all work: adds the sum of this rank's tasks. Throws the first exception of a task.
    void add_sum(R& total) {
        end();
        this->rethrow_failure();
        if constexpr (!std::is_same_v<R, reducing::nothing>)
            this->add_partial_sums(total);
    }

    bool is_dry() noexcept override {
        show();
        return !is_active_ && scheduler_.finished();
    }

    unsigned take(unsigned at_most, bool searches, writer& to) noexcept override {
        if (is_halted() || is_dry())
            return 0;
        try {
            if (is_active_) {
                const std::size_t queued = own_.queued();
                const std::size_t room =
                    std::min<std::size_t>(at_most, (queued + (this->idle().any() ? 0 : 1)) / 2);
                const std::size_t moved = move_out(room, to, [](std::size_t) { return true; });
                this->check_size(to);
                return static_cast<unsigned>(moved);
            }
            // One theft takes no more than a member's visible part.
            const std::size_t queued = scheduler_.queued_estimate() + scheduler_.hidden_estimate();
            const std::size_t most = keeps_every_second_ ? std::size_t{2} * at_most : at_most;
            const std::size_t wanted = std::min<std::size_t>(most, std::max<std::size_t>(queued / 2, 1));
            const std::int64_t end = monotonic_ns() + take_ns;
            std::size_t taken = 0;
            while (taken < wanted && !is_active_ && steal(searches || taken != 0)) {
                taken += move_out(wanted - taken, to,
                                  [&](std::size_t n) { return !keeps_every_second_ || (taken + n) % 2 == 0; });
                if (monotonic_ns() > end)
                    break;
            }
            keep();
            this->check_size(to);
            return is_halted() ? 0 : static_cast<unsigned>(keeps_every_second_ ? (taken + 1) / 2 : taken);
        } catch (...) {
            this->fail(std::current_exception());
            kept_.clear();
            show();
            return 0;
        }
    }

    void put(reader& from, unsigned count) noexcept override {
        if (is_halted())
            return;
        activate();
        try {
            for (unsigned i = 0; i < count; ++i)
                push(transfer<Task>::restore(from));
        } catch (...) {
            this->fail(std::current_exception());
        }
        show();
    }

    void halt() noexcept override { cancel(); }

    // Called by any thread: of a task that fails, or that requests a stop.
    void cancel() noexcept override {
        scheduler_.cancel();
        note_halt();
    }

private:
    struct claimed {
        cursor& local;
        Task* item;
        ~claimed() { local.release(item); }
    };

    struct kept {
        Task item;
    };

    // A worker that searches for longer than this has seen that nothing can be had now.
    static constexpr std::int64_t look_ns = 30'000;
    // For so long it collects what it can have from several members. Meanwhile it answers nobody.
    static constexpr std::int64_t take_ns = 500'000;

    void work(unsigned slot, unsigned worker) noexcept override {
        this->work_as_worker(slot, worker);
        // The team is open until this worker has left it.
        if (scheduler_.finished())
            bell().ring();
    }

    void end() noexcept {
        if (is_closed_)
            return;
        is_closed_ = true;
        // Without communication, after an error, there may be items left.
        if (!is_dry())
            cancel();
        show();
        this->close();
    }

    void activate() noexcept {
        if (!is_active_)
            own_.resume();
        is_active_ = true;
    }
    void push(Task task) {
        if (!own_.try_push(std::move(task)) && !own_.push_slow(task))
            own_.push_overflow(task);
    }
    // Makes all own items visible. The caller becomes inactive when it has none.
    void show() noexcept {
        if (!is_active_)
            return;
        try {
            if (is_halted())
                own_.drop_all();
            else if (!own_.show_all() || own_.visible() != 0)
                return;
        } catch (...) {
            this->fail(std::current_exception());
            own_.drop_all();
        }
        own_.retire();
        is_active_ = false;
    }

    // Moves up to `room` of the own items out: those with gives(n), n = 0, 1, ..., into the message, the others to
    // kept_. The team may find the end of work before keep() puts these back, as it does before an item arrives. Throws
    // what serialise() throws.
    template <class Gives>
    std::size_t move_out(std::size_t room, writer& to, Gives&& gives) {
        std::size_t moved = 0;
        for (; moved < room && this->has_room(to); ++moved) {
            Task* item = own_.claim();
            if (item == nullptr && (item = own_.refill()) == nullptr)
                break;
            const claimed until_moved{own_, item};
            if (gives(moved))
                transfer<Task>::serialise(*item, to);
            else
                kept_.push_back({std::move(*item)});
        }
        show();
        return moved;
    }
    void keep() {
        if (kept_.empty())
            return;
        activate();
        // The workers steal the oldest items first: those that were claimed last.
        for (auto each = kept_.rbegin(); each != kept_.rend(); ++each)
            push(std::move(each->item));
        kept_.clear();
        show();
    }

    // For an inactive caller: looks like an idle worker, once or for a short time. True: it has items.
    bool steal(bool searches) noexcept {
        this->run_dry();
        for (const std::int64_t end = monotonic_ns() + look_ns; !is_active_;) {
            try {
                is_active_ = own_.steal();
            } catch (...) {
                this->fail(std::current_exception());
            }
            if (is_active_ || !searches || scheduler_.finished() || monotonic_ns() >= end)
                break;
            cpu_relax();
        }
        // As in team::search(): the others have relied on this searcher.
        this->idle().members().end_search();
        this->pass_on_wake_up(*this);
        return is_active_;
    }

    cursor own_;
    std::vector<kept> kept_;  // by take(), until it ends
    bool is_active_ = true;  // slot 0 starts active
    bool is_closed_ = false;
    const bool keeps_every_second_;
    const cancel_on_stop stopper_;
};

}  // namespace teff::mpi
