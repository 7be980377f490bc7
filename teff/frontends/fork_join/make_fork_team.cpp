// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members' slow paths, compiled for each scheduler, and the choice of one by name.
#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/frontends/fork_join/fork_team.hpp>
#include <teff/frontends/fork_join/installed.hpp>
#include <teff/frontends/fork_join/watch.hpp>
#include <teff/runtime/counters.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/scheduler/choice.hpp>
#include <teff/scheduler/stop_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <optional>
#include <utility>

namespace teff::forking {
namespace {

template <class Scheduler>
class team_of final : public fork_team {
    using cursor = typename Scheduler::local;
    // Whether jobs stay private until somebody asks; else each one goes to the scheduler at once.
    static constexpr bool is_asked = requires(cursor local, atomic<std::uintptr_t> word) {
        local.ring(word);
        local.show();
    };

    // Private jobs, and groups with tasks, with which a member has enough for those that will ask.
    static constexpr unsigned at_hand = 4;
    // Of which half are shared although nobody asks.
    static constexpr unsigned least_to_share = 2;
    static bool has_enough() noexcept { return current.pending + current.groups >= at_hand; }

    class seat final : public member {
    public:
        seat(team_of& team, unsigned slot)
            : team_(team), slot_(slot), local_(team.scheduler_.enter(slot, this_thread().worker)),
              served_before_(local_.counted().requests_served) {
            if constexpr (is_asked)
                local_.ring(current.limit);
        }
        ~seat() {
            hand_in_counters();
            if constexpr (is_asked)
                local_.stop_ringing();
            team_.scheduler_.leave(local_);
        }

        fork_team& team() noexcept override { return team_; }

        bool answer(job& made) noexcept override {
            if (team_.is_stopping())
                return false;
            if constexpr (is_asked) {
                share_on_request();
            } else {
                // A job that the scheduler refuses stays private: it runs when the parent comes to it. So do all of the
                // lower half of a stack, since waits inside each other take the oldest of a queue, not the smallest.
                if (!is_in_upper_half() || !share(made))
                    ++counted_.run_at_once;
            }
            return true;
        }

        bool is_awaited() const noexcept override {
            if constexpr (is_asked)
                return team_.is_alone_ || (local_.visible() == 0 && team_.idle().any());
            else
                return false;
        }

        void took_back() noexcept override {
            // A thread's own team has no other end that it would come to soon.
            if (depth_ == 0 && current.youngest == current.root)
                hand_in_counters();
            if constexpr (is_asked) {
                if (has_enough() || team_.is_alone_)
                    return;
                // relaxed: the thread's own.
                current.limit.store(context::rung, std::memory_order_relaxed);
                // The next fork may be far away.
                if (current.pending != 0)
                    share_what_is_due();
            }
        }

        bool wait(const goal& awaited, const job* made) noexcept override {
            // When the stack is used up, others have to run the tasks that are here, as far as there are any who can;
            // of schedulers that bind entries to a member nobody else can.
            const bool leaves_tasks = is_asked && made == nullptr && is_below_limit();
            const bool searches = may_steal() && !leaves_tasks;
            watch watching(awaited, searches ? team_.idle().inside() : team_.blocked_);
            while (!awaited.is_reached()) {
                std::optional<entry> own = leaves_tasks && others_take_all() ? std::nullopt : take();
                if (!own && !searches) {
                    // A wait for a fork comes to its end: it leads back to one for a group, or to somebody who runs.
                    if (team_.block(awaited, watching, counted_))
                        continue;
                    own = take();
                }
                if (!own && made != nullptr && ends_soon(awaited))
                    continue;
                if (!own) {
                    run_dry();
                    // What it found is its own now, also if the goal was reached meanwhile.
                    if (search(&awaited, &watching, !searches, false))
                        own = take();
                    else if constexpr (requires { local_.resume(); })
                        local_.resume();
                }
                if (own && own->made == made)
                    return true;
                if (own)
                    run(*own);
                if (team_.stop_.is_orphaned())
                    return is_left_to_child(awaited, made);
            }
            // Stolen together with others that it has run.
            if constexpr (is_asked) {
                if (depth_ == 0)
                    show_all();
                else
                    local_.show();
            }
            return false;
        }

        bool wants_task(unsigned siblings, bool visits) noexcept override {
            const bool wants = has_room(siblings, visits);
            counted_.run_at_once += wants ? 0 : 1;
            return wants;
        }

        bool submit(job& made) noexcept override {
            if (!push({nullptr, &made})) {
                ++counted_.run_at_once;
                return false;
            }
            if constexpr (is_asked) {
                // The caller's own code need never come back to us, so everything must be seen, or run.
                if (depth_ == 0)
                    show_own();
                else if (local_.visible() == 0)
                    local_.show();
                if (has_enough())
                    be_plain();
            }
            return true;
        }

        void show_all() noexcept override {
            show_own();
            team_.call_blocked();
        }

        bool is_inside() const noexcept override { return depth_ != 0; }

        // As a worker, until there is nothing to do for a while.
        void work() noexcept {
            if (!search(nullptr, nullptr, false, true))
                return;
            begin_stay();
            do {
                run_own();
                run_dry();
            } while (search(nullptr, nullptr, false, true));
            end_stay();
        }

        // As the caller, when the function has returned: the tasks that nobody has waited for.
        void retire() noexcept {
            run_own();
            local_.retire();
        }
        // When all others have left: what they left.
        void run_rest() noexcept {
            while (search_alone())
                retire();
        }

    private:
        // What a search needs to know of the scheduler. It ends when the goal is reached, or the team is over; or when
        // there is nothing to be seen.
        struct search_view {
            Scheduler& scheduler;
            const goal* awaited;
            watch* watching;
            const bool only_visible;
            const atomic<bool>& over;
            bool finished() const noexcept {
                if (awaited != nullptr)
                    return awaited->is_reached() || (only_visible && !has_visible_work());
                // relaxed: seen soon is enough; nothing is read through it.
                return over.load(std::memory_order_relaxed) && !has_visible_work();
            }
            bool has_visible_work() const noexcept { return scheduler.has_visible_work(); }
            // Who looks only for what can be seen does not sleep: at the end of a group it is called elsewhere.
            bool has_work_for(unsigned slot) const noexcept { return only_visible || scheduler.has_work_for(slot); }
            // Before a sleep.
            void request() const noexcept {
                if (watching != nullptr)
                    watching->begin();
                scheduler.request();
            }
        };
        bool has_room(unsigned siblings, bool visits) noexcept {
            if (team_.is_alone_) {
                if constexpr (is_asked)
                    be_plain();
                return false;
            }
            // Who hands over from outside of tasks, and need not wait for the group, need not come back.
            if ((visits && depth_ == 0) || (siblings >= group_state::plenty && !team_.idle().any()))
                return false;
            if constexpr (is_asked) {
                forget_empty_groups();
                return local_.visible() < team_.enough_visible_;
            } else {
                return is_in_upper_half();
            }
        }
        // With nothing queued none of those that were counted has a task left to take. (Those that end on another
        // thread, as a handle's may, are never taken off the count.)
        void forget_empty_groups() noexcept {
            if (!local_.has_queued())
                current.groups = 0;
        }
        // While nothing of this member can be seen: all that is private if somebody is hungry, else half, so that a
        // later thief finds something at once. Once there is enough at hand forks become plain.
        void share_on_request() noexcept {
            if (team_.is_alone_) {
                be_plain();
                return;
            }
            forget_empty_groups();
            share_what_is_due();
            if (has_enough())
                be_plain();
        }
        void show_own() noexcept {
            if constexpr (is_asked) {
                if (team_.is_alone_)
                    return;
                while (!team_.stop_.is_orphaned() && !local_.show_all()) {
                    if (const std::optional<entry> own = take())
                        run(*own);
                }
            }
        }
        void share_what_is_due() noexcept {
            if (local_.visible() != 0)
                return;
            const bool hungry = team_.idle().any();
            if (!hungry && current.pending < least_to_share)
                return;
            share_oldest(hungry ? current.pending : current.pending / 2);
            local_.show();
        }
        void be_plain() noexcept {
            // relaxed: ordered by the fence.
            current.limit.store(current.stack_limit, std::memory_order_relaxed);
            // seq_cst: the mark is reset before we look who is hungry, and whether to stop; partner: the fence in
            // split_deque::ask().
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            if (team_.is_stopping() || (team_.idle().any() && local_.visible() == 0))
                // relaxed: the thread's own.
                current.limit.store(context::rung, std::memory_order_relaxed);
        }
        void share_oldest(std::size_t most) noexcept {
            job* oldest[64];
            std::size_t count = 0;
            for (job* each = current.youngest; each != current.last_shared; each = each->before)
                oldest[count++ % std::size(oldest)] = each;
            for (most = std::min({most, count, std::size(oldest)}); most != 0; --most) {
                job& next = *oldest[--count % std::size(oldest)];
                if (!share(next))
                    return;
                current.last_shared = &next;
            }
        }
        // Its entry in the scheduler is all that others know of it, so everything else is written before.
        bool share(job& made) noexcept {
            entry shared{made.run, &made};
            ::new (&made.state) atomic<unsigned>(job::unfinished);
            made.run = nullptr;
            if (!hand_in(shared)) {
                made.run = shared.run;
                return false;
            }
            --current.pending;
            return true;
        }
        // Of schedulers that are asked: to be seen from the next show() on.
        bool hand_in(entry& shared) noexcept {
            if constexpr (is_asked) {
                const bool has_room = local_.push_private(shared);
                counted_.pushed += has_room ? 1 : 0;
                return has_room;
            } else {
                return push(shared);
            }
        }
        bool push(entry shared) noexcept {
            try {
                if (!local_.try_push(std::move(shared)) && !local_.push_slow(shared))
                    return false;
            } catch (const std::bad_alloc&) {
                return false;
            }
            ++counted_.pushed;
            return true;
        }
        std::optional<entry> take() noexcept {
            entry* item = local_.claim();
            if (item == nullptr)
                item = local_.refill();
            if (item == nullptr)
                return std::nullopt;
            const entry own = *item;
            local_.release(item);
            local_.ran_one();
            ++counted_.run;
            return own;
        }
        // Waits a little for the second half of a fork, which often ends when the first one does. Searching, and ending
        // that, takes longer, from this member and from who runs the second half. (Where each job is queued, it need
        // not run yet.)
        bool ends_soon(const goal& awaited) const noexcept {
            if constexpr (is_asked) {
                for (unsigned look = 0; look < team_.how().settings.dry_looks; ++look) {
                    for (unsigned pause = 0; pause < 8; ++pause)
                        cpu_relax();
                    if (awaited.is_reached())
                        return true;
                }
            }
            return false;
        }
        // Others' entries. (Schedulers that are given every job are given none in the lower half, and entries that are
        // bound to a member cannot wait for another one.)
        bool may_steal() const noexcept { return !is_asked || is_in_upper_half(); }
        static bool is_below_limit() noexcept {
            const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
            return here >= current.stack_low && here < current.stack_limit;
        }
        // Members that sleep like this one do not count as hungry: of several the last one keeps its tasks.
        bool others_take_all() noexcept {
            if constexpr (is_asked)
                return team_.idle().any() && local_.show_all();
            else
                return false;
        }
        // Of the thread's own stack, which grows down. How much room another one has is not known.
        static bool is_in_upper_half() noexcept {
            const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
            return here >= current.stack_middle && here < current.stack_high;
        }
        void run_dry() noexcept {
            team_.run_dry();
            local_.retire();
        }
        void run(const entry& taken) noexcept {
            ++depth_;
            team_.run(taken);
            --depth_;
        }
        void run_own() noexcept {
            while (const std::optional<entry> own = take())
                run(*own);
        }
        bool search_alone() noexcept {
            if (team_.scheduler_.finished())
                return false;
            return local_.steal();
        }
        bool search(const goal* awaited, watch* watching, bool only_visible, bool may_leave) noexcept {
            search_view what{team_.scheduler_, awaited, watching, only_visible, team_.over_};
            return team_.search(what, local_, slot_, may_leave, counted_);
        }
        // What was counted since the last time. Entries are counted here, by all schedulers alike.
        void hand_in_counters() noexcept {
            if (!team_.counts())
                return;
            const std::uint64_t served = local_.counted().requests_served;
            counted_.requests_served = served - std::exchange(served_before_, served);
            add_counters(this_thread().worker, std::exchange(counted_, {}));
        }

        team_of& team_;
        const unsigned slot_;
        unsigned depth_ = 0;  // entries that it is running, inside each other
        cursor local_;
        worker_counters counted_;
        std::uint64_t served_before_;  // in the slot
    };

public:
    team_of(const launch& how, const std::stop_token& stop)
        : fork_team(how, stop), is_alone_(how.settings.slots == 1),
          enough_visible_(std::max(8U, 2 * how.settings.slots)),
          scheduler_(how.settings, idle()) {}

    void enter_as_caller() override {
        caller_.emplace(*this, caller_slot);
        as_caller_.emplace(*caller_);
        open();
    }
    void leave_as_caller() noexcept override {
        // In the child of a fork() this does not return.
        if (!stop_.is_set())
            caller_->retire();
        call_blocked();
        // relaxed: see search_view.
        over_.store(true, std::memory_order_relaxed);
        // While the others end, nobody deals anything to us.
        caller_.reset();
        close();
        caller_.emplace(*this, caller_slot);
        caller_->run_rest();
        as_caller_.reset();
        caller_.reset();
    }

    bool has_visible_work() const noexcept override { return scheduler_.has_visible_work(); }
    void request() noexcept override { scheduler_.request(); }
    void cancel() noexcept override { scheduler_.cancel(); }
    // In the child of a fork, on the thread that is left: it forgets its teams, and keeps its list of jobs.
    void orphan() noexcept override {
        scheduler_.orphan();
        stop_.orphan();
        current.self = nullptr;
        // relaxed: the child has one thread.
        current.limit.store(context::rung, std::memory_order_relaxed);
    }
    std::size_t queued_estimate() const noexcept override { return scheduler_.queued_estimate(); }

private:
    void work(unsigned slot, unsigned) noexcept override {
        std::optional<seat> own;
        try {
            own.emplace(*this, slot);
        } catch (const std::bad_alloc&) {
            // Without memory for a queue the worker goes, and the others do the work.
            return;
        }
        const installed here(*own);
        own->work();
    }

    void run(const entry& taken) noexcept {
        job& made = *taken.made;
        if (taken.run == nullptr) {
            if (is_stopping())
                // relaxed: the task is ours.
                made.state.store(job::cancelled, std::memory_order_relaxed);
            made.run(made);
            return;
        }
        // relaxed: `cancelled` is a hint, and `begun` is for the child of a fork(), which has one thread.
        const unsigned before = made.state.fetch_or(job::begun, std::memory_order_relaxed);
        const bool is_wanted = !is_stopping() && (before & job::cancelled) == 0;
        if (is_wanted)
            taken.run(made);
        // release: all that it did is seen by who waits for it; partner: the acquire in is_reached(). From here on the
        // job's frame may be gone.
        made.state.store(is_wanted ? job::has_run : 0, std::memory_order_release);
        // After a fence, which pairs with those in crowd::prepare_sleep().
        idle().inside().call_all();
        call_blocked();
    }

    // Sleeps until the goal may be reached, or call_blocked(): for members that are to take nothing. They are not among
    // those that publishers call. False, at once, if it may be the last: others have left what can be seen to somebody
    // who is not there any more, so this one has to take it after all. (It counts as asleep, and looks after a fence;
    // so does who leaves something. One of the two sees the other.)
    bool block(const goal& awaited, watch& watching, worker_counters& counted) noexcept {
        const idle_time until_done(counts() ? &counted : nullptr);
        ++counted.parked;
        blocked_.begin_search();
        const std::uint32_t ticket = blocked_.prepare_sleep();
        watching.begin();
        const bool is_last = awaited.watched != nullptr && scheduler_.has_visible_work() && !idle().any();
        if (is_last || awaited.is_reached())
            blocked_.cancel_sleep();
        else
            pool::instance().sleep_or_report(blocked_, ticket);
        blocked_.end_search();
        return !is_last;
    }
    // When a job has ended; and when a member goes to whom something may have been left while it was idle: for code of
    // the caller's, or another team. That it is not idle any more it has said before a fence, at the end of its search.
    void call_blocked() noexcept {
        if (blocked_.sleeping() != 0)
            blocked_.call_all();
    }

    const bool is_alone_;            // nobody will ever ask
    const unsigned enough_visible_;  // tasks, so that a member runs further ones at once
    Scheduler scheduler_;
    stop_state stop_;
    crowd blocked_;
    atomic<bool> over_{false};
    std::optional<seat> caller_;
    std::optional<installed> as_caller_;
};

}  // namespace

fork_team* make_fork_team(const launch& how, const std::stop_token& stop) {
    launch chosen = how;
    chosen.settings.members_wait = true;
    fork_team* made = nullptr;
    with_scheduler<entry>(all_schedulers{}, how.scheduler, chosen.settings,
                          [&]<class Scheduler>() { made = create<team_of<Scheduler>>(chosen, stop); });
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

}  // namespace teff::forking
