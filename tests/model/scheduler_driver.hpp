// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team of a few threads that drives any scheduler through its concept, and scenarios that must hold for every
// scheduler.
//
// A `test_team` is a teff::team without the pool. Its slots, its idle_tracker, its search and its sleep are the real
// ones; the scenario's threads act as its members. The scenario's `run(member, number)` says what an item does. Each
// item that has run leaves a mark in ordinary memory. A thread for which finished() is true reads all marks, so work
// that does not happen before the announced end is a data race. Each item enters the checker's ledger when it is
// destroyed, whether it ran or was dropped, so a lost or doubled item is found. A Kit names the types task and
// scheduler, and has a function settings(slots).
#pragma once

#include <model/check.hpp>
#include <teff/base/locks.hpp>
#include <teff/machine/topology.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/settings.hpp>
#include <teff/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace scenarios {

// Many items may have this number; they are not in the ledger and leave no mark.
inline constexpr unsigned nameless = 64;

template <std::size_t Padding, bool MovesMayThrow = false>
class numbered_task {
public:
    explicit numbered_task(unsigned number) noexcept : item_(number) {}
    numbered_task(numbered_task&& other) noexcept(!MovesMayThrow)
        : item_(std::move(other.item_)), here_(std::exchange(other.here_, false)) {}
    ~numbered_task() {
        if (here_ && number() != nameless)
            model::take(number());
    }

    unsigned number() const noexcept { return item_.number(); }

private:
    model::item<Padding> item_;
    bool here_ = true;
};

// A run() in which the item `Parent` pushes these children, and no other item does anything.
template <unsigned Parent, unsigned... Children>
constexpr auto pushes = [](auto& self, unsigned number) {
    if (number == Parent)
        (self.push(Children), ...);
};

template <class Kit, class Body>
    requires teff::scheduler<typename Kit::scheduler, typename Kit::task>
class test_team final : public teff::team {
    using scheduler = typename Kit::scheduler;
    using task = typename Kit::task;

public:
    enum class completion : unsigned char { complete, may_drop };

    // items: how many numbered items there will be. may_drop: some may not run, because the team is cancelled.
    test_team(const teff::scheduler_settings& settings, unsigned items, Body& run,
              completion how = completion::complete)
        : team(settings.slots, 0, false), scheduler_(settings, idle()), items_(items), run_(run), how_(how) {}

    // The wait of a member without work: it tries all victims once per turn and yields in between, or it sleeps in the
    // team as a caller does.
    enum class wait_mode : unsigned char { looks_in_turns, sleeps };

    class member {
    public:
        typename scheduler::local& local() noexcept { return local_; }

        void push(unsigned number) {
            task made(number);
            if (local_.try_push(std::move(made)) || local_.push_slow(made))
                return;
            if (inside_)
                local_.push_overflow(made);
            else
                run_inside(number);
        }

        // As the last step of an item that run_all() runs: this one comes next.
        void push_next(unsigned number) {
            if (local_.place(task(number)))
                return;
            if (task* const refused = local_.after_place_next())
                run_claimed(refused);
        }

        // Before any member works.
        void push_first(unsigned number) {
            task made(number);
            local_.push_first(made);
        }

        // Runs the member's items, then retires. Only for a member that has items: only active members retire.
        void run_own() { run_all(next()); }
        // The same, but begins out of line (with refill), as the loop of a front end does after a theft.
        void run_rest() { run_all(local_.refill()); }
        // Runs the item that the member would take next, if it has one.
        void run_next() {
            if (task* const item = next())
                run_claimed(item);
        }
        void run_claimed(task* item) {
            {
                const task mine(std::move(*item));
                local_.release(item);
                crew_->run(*this, mine.number());
            }
            local_.ran_one();
        }

        // Looks for work up to `rounds` times. True: it has taken something. False: it found nothing, or the end has
        // come.
        bool look(unsigned rounds) {
            while (rounds-- != 0 && !crew_->see_end()) {
                if (crew_->search(crew_->scheduler_, local_, waits_as_, counters_))
                    return true;
                if (waits_as_ == caller_slot) {
                    // The end was found. Do not confirm it by asking finished() again: a late thief may have raised a
                    // counter again.
                    crew_->check_marks();
                    return false;
                }
                if (rounds != 0)
                    model::yield();
            }
            return false;
        }
        // Works until the end; for a member that is not active.
        void stay() {
            while (look(~0U))
                run_rest();
        }
        // Works until the end.
        void work() {
            run_own();
            stay();
        }

    private:
        friend test_team;

        member(test_team& owner, unsigned slot, wait_mode how)
            : crew_(&owner), local_(owner.scheduler_.enter(slot, slot)), slot_(slot),
              waits_as_(how == wait_mode::sleeps ? caller_slot : caller_slot + 1) {}

        task* next() {
            task* const item = local_.claim();
            return item != nullptr ? item : local_.refill();
        }
        void run_all(task* item) {
            for (; item != nullptr; item = next())
                run_claimed(item);
            crew_->run_dry();
            local_.retire();
        }
        void run_inside(unsigned number) {
            inside_ = true;
            crew_->run(*this, number);
            inside_ = false;
        }

        test_team* crew_;
        typename scheduler::local local_;
        unsigned slot_;
        unsigned waits_as_;     // the slot whose rules for waiting it follows
        bool inside_ = false;  // runs a refused item; another refused one is not run inside it
        teff::worker_counters counters_;
    };

    // Slot 0, which has the first items; it counts as having an item.
    member enter_caller(wait_mode how = wait_mode::looks_in_turns) { return member(*this, caller_slot, how); }
    // Any other slot; it counts as searching. Where several threads may enter at once, use visit().
    member enter_worker(wait_mode how = wait_mode::looks_in_turns) { return member(*this, take_slot(), how); }
    // The same for a member that has an item when it enters: it does not count as searching.
    member enter_worker_with(unsigned number) {
        member made = enter_worker();
        idle().members().end_search();
        made.push(number);
        return made;
    }
    void leave(member& who) { scheduler_.leave(who.local_); }
    // A worker that has run dry and found nothing leaves for good.
    void depart(member& who) {
        leave(who);
        const teff::scoped_lock lock(mutex_);
        give_slot(who.slot_);
    }

    // A worker that takes a free slot, works until `rounds` looks in a row have found nothing, and leaves.
    void visit(unsigned rounds) {
        unsigned slot = 0;
        {
            const teff::scoped_lock lock(mutex_);
            slot = take_slot();
            if (slot == no_slot)
                return;
        }
        member self(*this, slot, wait_mode::looks_in_turns);
        while (self.look(rounds))
            self.run_own();
        depart(self);
    }

    // Whether all work is over. If so, everything that was done must be visible.
    bool see_end() {
        if (!scheduler_.finished())
            return false;
        check_marks();
        return true;
    }
    void observe_end() {
        model::wait_until([this] { return see_end(); });
    }
    // For a thread that counts as searching: looks in vain, rests until `until` returns, and then finds something that
    // is not in the scheduler.
    template <class Until>
    void rest_and_find_elsewhere(const Until& until) {
        struct view : elsewhere {
            bool ends_rest() const {
                until();
                return true;
            }
            bool take() noexcept { return std::exchange(has_looked, true); }
            const Until& until;
            bool has_looked = false;
        };
        teff::worker_counters counters;
        teff::theft_pause pause;
        // Longer than two looks at the checker's clock take.
        constexpr unsigned short_thefts = 6;
        for (unsigned i = 0; i < short_thefts; ++i) {
            pause.begin_work(1, false);
            static_cast<void>(pause.end_work(1, 0));
        }
        view where{{*this}, until};
        model::check(this->search(where, false, counters, &pause), "nothing was found");
    }
    // The same without a rest: its first look returns with `until`.
    template <class Until>
    void find_elsewhere(const Until& until) {
        struct view : elsewhere {
            static bool ends_rest() noexcept { return true; }
            bool take() {
                until();
                return true;
            }
            const Until& until;
        };
        teff::worker_counters counters;
        view where{{*this}, until};
        model::check(this->search(where, false, counters), "nothing was found");
    }
    // After the threads have ended.
    bool has_run(unsigned number) const noexcept { return ended_[number] != 0; }
    void check_at_end() {
        model::check(see_end(), "all members have gone, but the work is not finished");
        model::expect_taken_once(items_);
    }

    // `first` works until the end beside these threads.
    template <class... Others>
    void work_and_check(member& first, const Others&... others) {
        model::parallel([&] { first.work(); }, others...);
        check_at_end();
    }

    bool has_visible_work() const noexcept override { return scheduler_.has_visible_work(); }
    void request() noexcept override { scheduler_.request(); }
    void cancel() noexcept override { scheduler_.cancel(); }
    void orphan() noexcept override { scheduler_.orphan(); }
    std::size_t queued_estimate() const noexcept override { return scheduler_.queued_estimate(); }

private:
    // The common part of searches for something outside of the scheduler.
    struct elsewhere {
        static teff::wait_reason why() noexcept { return {}; }
        static bool finished() noexcept { return false; }
        static bool took_last() noexcept { return false; }
        static void before_sleep() noexcept {}
        static bool has_work() noexcept { return true; }
        bool has_visible_work() const noexcept { return self.has_visible_work(); }
        bool hides_work() const noexcept { return hides_work_in(self.scheduler_); }
        test_team& self;
    };

    void work(unsigned, unsigned) noexcept override {}

    void check_marks() const {
        for (unsigned i = 0; i < items_; ++i)
            model::check(ended_[i] == 1 || (how_ == completion::may_drop && ended_[i] == 0),
                         "the end was announced before every item had run");
    }

    void run(member& self, unsigned number) {
        run_(self, number);
        if (number != nameless)
            ++ended_[number];
    }

    scheduler scheduler_;
    const unsigned items_;
    Body& run_;
    const completion how_;
    unsigned ended_[16] = {};  // the thread that runs the item writes
    teff::mutex mutex_;        // stands in for the pool's mutex, which protects slots
};

// Items that push items, two members, and a thread that only waits for the end.
template <class Kit>
void tree_is_shared() {
    const auto run = [](auto& self, unsigned number) {
        if (number == 0) {
            self.push(1);
            self.push(2);
        } else if (number < 3) {
            self.push(number + 2);
        }
    };
    test_team<Kit, decltype(run)> team(Kit::settings(2), 5, run);
    auto first = team.enter_caller();
    first.push(0);
    const auto other = [&] {
        auto second = team.enter_worker();
        second.stay();
        team.leave(second);
    };
    const auto observer = [&] { team.observe_end(); };
    team.work_and_check(first, other, observer);
}

// The same with the option `rescue`, for schedulers that bind items to a member.
template <class Kit>
struct rescuing : Kit {
    static teff::scheduler_settings settings(unsigned slots) noexcept {
        teff::scheduler_settings chosen = Kit::settings(slots);
        chosen.rescue = true;
        return chosen;
    }
};

// A member is inside a task until the other one has run all that was dealt to either of them. (If an item waits for the
// busy member, or for a member that sleeps, that is a livelock.)
template <class Kit, bool Sleeps>
void a_busy_members_items_are_rescued() {
    teff::atomic<unsigned> ran{0};
    const auto run = [&](auto& self, unsigned number) {
        // relaxed, both: a count.
        if (number != 0) {
            ran.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        for (unsigned child = 1; child < 4; ++child)
            self.push(child);
        model::wait_until([&] { return ran.load(std::memory_order_relaxed) == 3; });
    };
    using team_type = test_team<Kit, decltype(run)>;
    team_type team(Kit::settings(2), 4, run);
    auto first = team.enter_caller();
    first.push(0);
    using wait_mode = typename team_type::wait_mode;
    auto second = team.enter_worker(Sleeps ? wait_mode::sleeps : wait_mode::looks_in_turns);
    team.work_and_check(first, [&] { second.stay(); });
}

// Three members have items that a thief could take. The thief tries the member on its own socket first.
template <class Kit>
void the_nearest_member_is_robbed_first() {
    constexpr unsigned members = 4, thief_slot = 3;
    teff::topology machine;
    teff::read_synthetic(machine, {.sockets = 2, .cores = 2, .threads = 1});
    teff::scheduler_settings settings = Kit::settings(members);
    settings.machine = &machine;
    // Slots and workers have the same numbers, and each member has the item with its number.
    std::optional<unsigned> robbed;
    const auto run = [&](auto&, unsigned number) { robbed = robbed.value_or(number); };
    test_team<Kit, decltype(run)> team(settings, thief_slot, run);
    auto first = team.enter_caller();
    first.push(0);
    auto second = team.enter_worker_with(1);
    auto third = team.enter_worker_with(2);
    auto thief = team.enter_worker();
    // Where only active members have items, slot 0 alone is active from the start.
    if constexpr (requires { first.local().show_all(); }) {
        second.local().resume();
        third.local().resume();
        for (auto* each : {&first, &second, &third})
            each->local().show_all();
    }
    model::check(thief.look(1), "nothing was stolen");
    thief.run_rest();
    model::check(robbed && machine.of_workers(thief_slot, *robbed) == teff::proximity::same_socket,
                 "a member on another socket was robbed first");
    first.run_own();
    second.run_own();
    third.run_own();
    team.check_at_end();
}

// Two workers and one slot: the second worker sees everything that the first one left in the slot.
template <class Kit>
void members_come_and_go() {
    const auto run = [](auto& self, unsigned number) {
        if (number < 3)
            self.push(number + 3);
    };
    test_team<Kit, decltype(run)> team(Kit::settings(2), 6, run);
    auto first = team.enter_caller();
    for (const unsigned number : {0U, 1U, 2U})
        first.push(number);
    const auto worker = [&] { team.visit(2); };
    team.work_and_check(first, worker, worker);
}

// Each item is run once or dropped once, the end is found, and by then all that has run is visible.
template <class Kit>
void cancel_while_items_run() {
    const auto run = [](auto& self, unsigned number) {
        if (number < 2)
            self.push(number + 2);
    };
    using team_type = test_team<Kit, decltype(run)>;
    team_type team(Kit::settings(2), 4, run, team_type::completion::may_drop);
    auto first = team.enter_caller();
    first.push(0);
    first.push(1);
    auto second = team.enter_worker();
    const auto caller = [&] { first.work(); };
    const auto other = [&] { second.stay(); };
    const auto canceller = [&] { team.cancel(); };
    model::parallel(caller, other, canceller);
    model::check(team.see_end(), "a cancelled team did not come to its end");
    for (const unsigned number : {0U, 1U}) {
        model::check(model::was_taken(number), "an item was neither run nor dropped");
        model::check(model::was_taken(number + 2) == team.has_run(number), "a child was neither run nor dropped");
    }
}

// The member resets its marks while the team is cancelled. If it misses the cancellation then, its next operation must
// see it.
template <class Kit>
void cancel_meets_reset_marks() {
    const auto run = [](auto&, unsigned) {};
    using team_type = test_team<Kit, decltype(run)>;
    team_type team(Kit::settings(1), 1, run, team_type::completion::may_drop);
    auto first = team.enter_caller();
    const auto pusher = [&] { first.push(0); };
    const auto canceller = [&] { team.cancel(); };
    model::parallel(pusher, canceller);
    model::check(first.local().claim() == nullptr, "a member does not notice that its team is cancelled");
    first.run_own();
    team.check_at_end();
}

// The same while the member enters: it sees the cancellation, or the canceller sees that it is a member.
template <class Kit>
void cancel_meets_entering_member() {
    const auto run = [](auto&, unsigned) {};
    using team_type = test_team<Kit, decltype(run)>;
    team_type team(Kit::settings(1), 1, run, team_type::completion::may_drop);
    std::optional<typename team_type::member> first;
    const auto enter_and_push = [&] {
        first.emplace(team.enter_caller());
        first->push(0);
    };
    const auto canceller = [&] { team.cancel(); };
    model::parallel(enter_and_push, canceller);
    model::check(first->local().claim() == nullptr, "a member does not notice that its team is cancelled");
    first->run_own();
    team.check_at_end();
}

// A member resets its marks while another one runs out of work and goes to sleep. The sleeper sees the item, or is
// woken, or its request is still set at the first member's next operation.
template <class Kit>
void request_meets_reset_marks() {
    const auto run = [](auto&, unsigned) {};
    using team_type = test_team<Kit, decltype(run)>;
    team_type team(Kit::settings(2), 1, run);
    auto first = team.enter_caller();
    auto second = team.enter_worker();
    teff::event_count& members = team.idle().members();
    members.end_search();
    std::uint32_t ticket = 0;
    bool sees_it = false;
    const auto pusher = [&] { first.push(0); };
    const auto sleeper = [&] {
        members.begin_search();
        ticket = members.prepare_sleep();
        team.request();
        sees_it = team.has_visible_work();
    };
    model::parallel(pusher, sleeper);
    auto* const item = first.local().claim();
    // Without a notification this sleeps for ever.
    if (!sees_it && item != nullptr)
        members.sleep(ticket);
    else
        members.cancel_sleep();
    if (item != nullptr)
        first.run_claimed(item);
    first.run_own();
    team.leave(second);
    team.check_at_end();
}

// The caller is asleep, or about to sleep, when another member ends the work; or the caller ends it while the other
// member looks for work.
template <class Kit>
void sleeping_caller_is_told_the_end() {
    const auto run = [](auto&, unsigned) {};
    test_team<Kit, decltype(run)> team(Kit::settings(2), 2, run);
    auto first = team.enter_caller(decltype(team)::wait_mode::sleeps);
    first.push(0);
    first.push(1);
    auto second = team.enter_worker();
    team.work_and_check(first, [&] { second.stay(); });
}

}  // namespace scenarios
