// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team that a thread keeps for its regions.
#include <teff/runtime/region.hpp>

#include <teff/runtime/pool.hpp>
#include <teff/runtime/running_strand.hpp>
#include <teff/runtime/task_team.hpp>
#include <teff/runtime/worker.hpp>

#include <string_view>
#include <unistd.h>

namespace teff {
namespace {

// Throws std::bad_alloc.
task_team* make_formed_team(const team_options& how) {
    task_team* const made = make_task_team(how, {}, admission::fixed);
    try {
        made->form();
    } catch (...) {
        delete made;
        throw;
    }
    return made;
}
void end_team(task_team* formed) noexcept {
    formed->dissolve();
    delete formed;
}

// One for each thread that has run a region.
class kept_team {
public:
    kept_team() = default;
    kept_team(const kept_team&) = delete;
    kept_team& operator=(const kept_team&) = delete;
    // The team is left as it is in three cases: on the main thread, which ends only by exit(), and exit() waits for no
    // worker; in the child of a fork(), where the workers do not exist; and if exit() was called inside a region, whose
    // members stay where they are.
    ~kept_team() {
        has_ended = true;
        const bool is_inside = this_thread().innermost != nullptr;
        if (team_ != nullptr && !is_inside && is_of_this_process() && ::getpid() != ::gettid())
            end_team(team_);
    }

    // Returns a team that can run such a region; nullptr: the thread is exiting.
    task_team* fit_for(const team_options& how) {
        if (has_ended)
            return nullptr;
        if (team_ != nullptr && is_of_this_process() && fits(how))
            return team_;
        if (team_ != nullptr && is_of_this_process())
            end_team(team_);
        team_ = nullptr;
        team_ = make_formed_team(how);
        asked_ = how;
        generation_ = pool::instance().generation();
        return team_;
    }

private:
    // Outlives the object.
    static inline constinit thread_local bool has_ended = false;

    bool is_of_this_process() const noexcept { return generation_ == pool::instance().generation(); }
    bool fits(const team_options& how) const noexcept {
        scheduler_settings settings = how.settings;
        settings.slots = asked_.settings.slots;
        return how.settings.slots <= team_->member_count() && how.scheduler == asked_.scheduler &&
               how.spin_us == asked_.spin_us && settings == asked_.settings;
    }

    task_team* team_ = nullptr;
    team_options asked_{};  // the options that the team was made with
    unsigned generation_ = 0;
};

thread_local kept_team own_team;

}  // namespace

unsigned run_region(const team_options& how, region_function body, void* argument) {
    // The thread does not return to its present team before this region ends, so it must hide no tasks there.
    if (task_member* const outer = running_thread.member)
        outer->show_all();
    // Inside a team the kept team may be in use already. So a nested region makes a team, and keeps it no longer than
    // needed.
    if (this_thread().innermost == nullptr) {
        if (task_team* const team = own_team.fit_for(how))
            return team->run_region(how.settings.slots, body, argument);
    }
    task_team* const team = make_formed_team(how);
    const unsigned size = team->run_region(how.settings.slots, body, argument);
    end_team(team);
    return size;
}

unsigned run_region(unsigned threads, region_function body, void* argument) {
    return run_region(resolve({.threads = static_cast<long>(threads)}), body, argument);
}

void wait_at_barrier() noexcept {
    if (task_member* const self = running_thread.member)
        self->wait_at_barrier();
}

}  // namespace teff
