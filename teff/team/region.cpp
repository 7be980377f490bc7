// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The teams that a thread keeps for its regions, and the choice of the team for the next region; see region.hpp.
#include <teff/team/region.hpp>

#include <teff/base/thread.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/task_team.hpp>

#include <string_view>
#include <unistd.h>

namespace teff {
namespace {

// Throws std::bad_alloc.
task_team* make_formed_team(const team_options& options) {
    // See prepare_workers().
    measured_stack();
    task_team* const made = make_task_team(options, {}, admission::fixed);
    try {
        made->form();
    } catch (...) {
        delete made;
        throw;
    }
    // The new team may have got workers on which an elastic team relied, such as a thread's session.
    pool::instance().ensure_workers_for_others(thread_count(process_configuration()) - 1);
    return made;
}
void end_team(task_team* formed) noexcept {
    formed->dissolve();
    delete formed;
}

// A team that a thread keeps between its regions.
class kept_team {
public:
    constexpr kept_team() = default;
    kept_team(const kept_team&) = delete;
    kept_team& operator=(const kept_team&) = delete;
    // The object has no destructor (base/thread.hpp).
    void end_kept() noexcept {
        if (team_ != nullptr && is_of_this_process())
            end_team(team_);
        team_ = nullptr;
    }

    bool is_in_use() const noexcept { return is_in_use_ && is_of_this_process(); }

    // Whether it can run a region of `threads` threads with the constant options at this address.
    bool is_made_with(const team_options* constant, unsigned threads) const noexcept {
        return team_ != nullptr && constant == constant_ && threads <= team_->member_count() && is_of_this_process();
    }
    // The same for any options.
    bool fits(const team_options& options) const noexcept {
        if (team_ == nullptr || options.settings.slots > team_->member_count() || !is_of_this_process())
            return false;
        const team_options& made = team_->how();
        scheduler_settings settings = options.settings;
        settings.slots = made.settings.slots;
        // These follow from the scheduler's name, and were filled in when the team was made.
        settings.members_wait = made.settings.members_wait;
        settings.stealing = made.settings.stealing;
        settings.make = made.settings.make;
        return options.scheduler == made.scheduler && options.spin_us == made.spin_us && settings == made.settings;
    }
    // Ends the team, and makes a new one. constant: the address by which the new team is recognised; nullptr: none.
    void make(const team_options& options, const team_options* constant) {
        end_kept();
        team_ = make_formed_team(options);
        constant_ = constant;
        generation_ = pool::instance().generation();
        is_in_use_ = false;
    }
    unsigned run(unsigned threads, region_function body, void* argument) noexcept {
        is_in_use_ = true;
        const unsigned size = team_->run_region(threads, body, argument);
        is_in_use_ = false;
        return size;
    }

    // See begin_region_with().
    unsigned begin(unsigned threads, region_function body, void* argument) noexcept {
        is_in_use_ = true;
        return team_->begin_region(threads, body, argument);
    }
    void end() noexcept {
        team_->end_region();
        is_in_use_ = false;
    }
    bool is(const task_team& team) const noexcept { return team_ == &team; }

private:
    bool is_of_this_process() const noexcept { return generation_ == pool::instance().generation(); }

    task_team* team_ = nullptr;
    const team_options* constant_ = nullptr;
    bool is_in_use_ = false;
    unsigned generation_ = 0;
};

// The teams of a thread: one for its regions outside of all teams, one for those inside of another team.
class kept_teams {
public:
    constexpr kept_teams() = default;
    kept_teams(const kept_teams&) = delete;
    kept_teams& operator=(const kept_teams&) = delete;
    // The teams are left as they are in three cases: on the main thread, which ends only by exit(), and exit() waits
    // for no worker; in the child of a fork(), where the workers do not exist; and if exit() was called inside a
    // region, whose members stay where they are.
    void end() noexcept {
        has_ended_ = true;
        if (this_thread().innermost != nullptr || ::getpid() == ::gettid())
            return;
        inner_.end_kept();
        outer_.end_kept();
    }

    // Ends the teams that are not in use.
    void end_unused() noexcept {
        for (kept_team* const each : {&inner_, &outer_})
            if (!each->is_in_use())
                each->end_kept();
    }

    // The kept team for the next region; nullptr: the thread is exiting, or has no memory for the call at its end, or
    // that team is in use.
    kept_team* next() noexcept;

    // The kept team that holds `team`; nullptr: none does.
    kept_team* holder_of(const task_team& team) noexcept {
        return outer_.is(team) ? &outer_ : inner_.is(team) ? &inner_ : nullptr;
    }

private:
    bool has_ended_ = false;
    kept_team outer_, inner_;
};

constinit thread_local kept_teams own_teams [[gnu::tls_model("initial-exec")]];
void end_own_teams() noexcept { own_teams.end(); }

kept_team* kept_teams::next() noexcept {
    if (has_ended_ || !call_at_thread_end<end_own_teams>())
        return nullptr;
    kept_team& fitting = this_thread().innermost == nullptr ? outer_ : inner_;
    return fitting.is_in_use() ? nullptr : &fitting;
}

// The thread does not return to its present team before its next region ends, so it must hide no tasks there.
void show_tasks_of_outer_team() noexcept {
    if (task_member* const outer = running_thread.member)
        outer->show_all();
}

// The constant options, for this number of threads.
team_options with_slots(const team_options& constant, unsigned threads) {
    team_options options = constant;
    options.settings.slots = threads;
    return options;
}

// The kept team that runs such a region, made anew if it does not fit. nullptr: the region needs a team of its own.
kept_team* kept_team_for(const team_options& constant, unsigned threads) {
    show_tasks_of_outer_team();
    kept_team* const kept = own_teams.next();
    if (kept != nullptr && !kept->is_made_with(&constant, threads)) [[unlikely]]
        kept->make(with_slots(constant, threads), &constant);
    return kept;
}

unsigned run_in_new_team(const team_options& options, region_function body, void* argument) {
    task_team* const team = make_formed_team(options);
    const unsigned size = team->run_region(options.settings.slots, body, argument);
    end_team(team);
    return size;
}

}  // namespace

unsigned run_region(const team_options& options, region_function body, void* argument) {
    show_tasks_of_outer_team();
    kept_team* const kept = own_teams.next();
    if (kept == nullptr)
        return run_in_new_team(options, body, argument);
    if (!kept->fits(options))
        kept->make(options, nullptr);
    return kept->run(options.settings.slots, body, argument);
}

unsigned run_region_with(const team_options& constant, unsigned threads, region_function body, void* argument) {
    if (kept_team* const kept = kept_team_for(constant, threads)) [[likely]]
        return kept->run(threads, body, argument);
    return run_in_new_team(with_slots(constant, threads), body, argument);
}

unsigned begin_region_with(const team_options& constant, unsigned threads, region_function body, void* argument) {
    if (kept_team* const kept = kept_team_for(constant, threads))
        return kept->begin(threads, body, argument);
    return make_formed_team(with_slots(constant, threads))->begin_region(threads, body, argument);
}
void end_region() noexcept {
    task_team& team = running_thread.member->team();
    if (kept_team* const kept = own_teams.holder_of(team))
        return kept->end();
    team.end_region();
    end_team(&team);
}

void end_kept_teams() noexcept { own_teams.end_unused(); }

unsigned run_region(unsigned threads, region_function body, void* argument) {
    return run_region(resolve({.threads = static_cast<long>(threads)}), body, argument);
}

void wait_at_barrier() noexcept {
    if (task_member* const self = running_thread.member)
        self->wait_at_barrier();
}

bool wait_at_cancellable_barrier() noexcept {
    task_member* const self = running_thread.member;
    return self != nullptr && self->wait_at_cancellable_barrier();
}

void cancel_region() noexcept {
    if (task_member* const self = running_thread.member)
        self->team().cancel_region();
}

}  // namespace teff
