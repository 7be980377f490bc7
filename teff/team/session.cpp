// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switches between the strands of a thread, and makes and ends its teams; see session.hpp. Functions that access the
// thread-local state of the thread that they run on are out of line.
#include <teff/team/session.hpp>

#include <teff/base/thread.hpp>
#include <teff/observe/thread_waits.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/team_options.hpp>

#include <new>
#include <optional>
#include <unistd.h>
#include <utility>

namespace teff {

strand& switch_to(strand& next) noexcept {
    strand& before = running_strand();
    switch_to(running_thread, next);
    return before;
}

member_scope::member_scope(task_member& self) noexcept
    : outer_(running_strand()), self_(self), outer_member_(running_thread.member),
      outer_scope_(running_thread.innermost) {
    inner_.views = outer_.views;
    inner_.place = outer_.place;
    inner_.stack = outer_.stack;
    inner_.home = outer_.home;
    inner_.around.task = outer_.around.task;
    running_thread.innermost = this;
    // A guest of an arena has opened no team.
    know_this_thread();
    running_thread.member = &self;
    switch_to(inner_);
}

member_scope::~member_scope() {
    if (inner_.spawned != nullptr) [[unlikely]]
        inner_.spawned->end(*inner_.spawned);
    outer_.views = inner_.views;
    running_thread.member = outer_member_;
    running_thread.innermost = outer_scope_;
    switch_to(outer_);
}

task_member* member_scope::find(const task_team& team, bool& is_innermost) noexcept {
    // In the child of a fork() the thread is no member any more.
    if (running_thread.member == nullptr)
        return nullptr;
    const member_scope* const first = running_thread.innermost;
    for (const member_scope* each = first; each != nullptr; each = each->outer_scope_) {
        if (&each->self_.team() == &team) {
            is_innermost = each == first;
            return &each->self_;
        }
    }
    return nullptr;
}

namespace {

task_team* team_with(const team_options& options, const std::stop_token& stop = {}) {
    prepare_workers(options.settings.slots);
    return make_task_team(options, stop);
}

class session {
public:
    // Everything is left as it is if the thread ends inside a fork or a task (by exit()), in the child of a fork(), and
    // on the main thread, which ends only by exit(). Forks that the thread makes after this run on this thread alone.
    void end_with_thread() noexcept {
        has_ended_ = true;
        if (::getpid() != ::gettid())
            end();
    }

    // Has no effect once the thread ends.
    void begin(const team_options& options);

    void end() noexcept {
        if (team_ == nullptr || this_thread().session != team_ || running_thread.member != own_ ||
            running_strand().youngest != nullptr || own_->is_inside())
            return;
        team_->leave_as_caller();
        this_thread().session = nullptr;
        delete std::exchange(team_, nullptr);
        begin_activity(activity::outside);
    }

private:
    bool has_ended_ = false;
    task_team* team_ = nullptr;
    task_member* own_ = nullptr;
};

constinit thread_local session own_session;
void end_own_session() noexcept { own_session.end_with_thread(); }

void session::begin(const team_options& options) {
    if (has_ended_)
        return;
    if (!call_at_thread_end<end_own_session>())
        throw std::bad_alloc();
    team_ = team_with(options);
    try {
        team_->enter_as_caller();
    } catch (...) {
        delete std::exchange(team_, nullptr);
        throw;
    }
    own_ = running_thread.member;
    // The session outlives the task that opens it.
    running_strand().around.task = nullptr;
    this_thread().session = team_;
    begin_activity(activity::work);
}

// Out of line, since it is also called after a user's function, where the code may run on another thread.
[[gnu::noinline]] task_member* own_member() noexcept { return running_thread.member; }

void run_as_caller_of(task_team* made, void (*function)(void*), void* argument) {
    const auto begin_stop = [made] { made->begin_stop(); };
    struct holder {
        task_team* team;
        bool is_inside = false;
        std::optional<std::stop_callback<decltype(begin_stop)>> stopper{};
        ~holder() {
            if (is_inside)
                team->leave_as_caller();
            stopper.reset();
            delete team;
        }
    };
    // Declared first, so that a fork() counts as inside this team until the team has been left.
    const scoped_membership inside(*made);
    const scoped_activity working(activity::work);
    const scoped_slice traced(slice_kind::call, reinterpret_cast<const void*>(function));
    holder held{made};
    // The thread does not return to its present team before the new one ends, so it must hide no tasks there.
    if (own_member() != nullptr) {
        own_member()->show_all();
        own_member()->give_up_seat();
    }
    made->enter_as_caller();
    held.is_inside = true;
    held.stopper.emplace(made->stop(), begin_stop);
    function(argument);
}

}  // namespace

void begin_session() { begin_session(resolve({})); }
void begin_session(const team_options& options) { own_session.begin(options); }
void end_session() noexcept { own_session.end(); }

void run_in_team(const options& call, void (*function)(void*), void* argument) {
    require_stack(teams_use);
    run_as_caller_of(team_with(resolve(call), call.stop), function, argument);
}

void run_in_similar_team(void (*function)(void*), void* argument) {
    const task_member* const self = own_member();
    if (self == nullptr)
        return run_in_team({}, function, argument);
    require_stack(teams_use);
    run_as_caller_of(make_task_team(self->team().how(), self->team().stop()), function, argument);
}

}  // namespace teff
