// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The out-of-line ends of a fork, the team that a thread gets at its first fork, and the bounds of its stack.
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/fork_team.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/scheduler/stop_state.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <pthread.h>
#include <string>
#include <unistd.h>

namespace teff {

const char* stopped::what() const noexcept { return "teff: the work was asked to stop"; }

}  // namespace teff

namespace teff::forking {

namespace {

struct bounds {
    std::uintptr_t low = 0;
    std::size_t size = 0;
};

bounds stack_of_this_thread() noexcept {
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
        return {};
    void* low = nullptr;
    bounds found;
    if (::pthread_attr_getstack(&attributes, &low, &found.size) == 0)
        found.low = reinterpret_cast<std::uintptr_t>(low);
    ::pthread_attr_destroy(&attributes);
    return found;
}

// For what a thread calls between two forks, and for the functions here.
constexpr std::size_t reserve_of(std::size_t stack_size) noexcept {
    constexpr std::size_t most = std::size_t{256} << 10;
    return std::min(stack_size / 8, most);
}

void measure_stack() noexcept {
    const bounds stack = stack_of_this_thread();
    current.stack_low = stack.low;
    // At least 1: 0 stands for not measured.
    current.stack_limit = std::max<std::uintptr_t>(stack.low + reserve_of(stack.size), 1);
    current.stack_middle = stack.low + stack.size / 2;
    current.stack_high = stack.low + stack.size;
}

[[noreturn]] void throw_exhausted() {
    const std::size_t kib = stack_of_this_thread().size >> 10;
    throw stack_exhausted("teff: calls of fork_join inside each other have used up the stack of this thread (" +
                          std::to_string(kib) +
                          " KiB); a larger one comes with a higher `ulimit -s` (KiB) before the program starts, for "
                          "the first thread and for workers alike; or fork to a smaller depth");
}

fork_team* team_with(const options& call) {
    const launch how = resolve(call);
    prepare_workers(how.settings.slots);
    return make_fork_team(how, call.stop);
}

// The team of a thread's forks outside of execute(). It stays open between them, so that a fork at the outermost level
// costs what any other does; idle workers look at it as at any other team.
class session {
public:
    session() = default;
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    // A thread that ends inside of a fork or a task (by exit()) leaves everything as it is, and so does the child of a
    // fork(), and the first thread, which ends by exit() alone. What the thread still forks is its own.
    ~session() {
        has_ended = true;
        if (team_ == nullptr || this_thread().session != team_ || current.self != own_ ||
            current.youngest != current.root || own_->is_inside() || ::getpid() == ::gettid())
            return;
        team_->leave_as_caller();
        this_thread().session = nullptr;
        delete team_;
    }

    // Without effect once it has ended.
    void begin() {
        if (has_ended)
            return;
        team_ = team_with({});
        try {
            team_->enter_as_caller();
        } catch (...) {
            delete std::exchange(team_, nullptr);
            throw;
        }
        own_ = current.self;
        this_thread().session = team_;
    }

private:
    // Lasts longer than the session.
    static inline constinit thread_local bool has_ended = false;

    fork_team* team_ = nullptr;
    member* own_ = nullptr;
};

thread_local session own_session;

}  // namespace

void attach() {
    if (current.stack_limit == 0)
        measure_stack();
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (here >= current.stack_low && here < current.stack_limit)
        throw_exhausted();
    // Forks inside of those of an orphaned team are run by their thread alone.
    if (current.self == nullptr && current.youngest == current.root)
        own_session.begin();
}

bool is_left_to_child(const goal& awaited, const job* made) noexcept {
    if (awaited.is_reached())
        return false;
    // relaxed: the child has one thread.
    if (made == nullptr || (made->state.load(std::memory_order_relaxed) & job::begun) != 0)
        stop_state::end_orphan();
    return true;
}

void link(job& made) {
    attach();
    made.before = current.youngest;
    current.youngest = &made;
    ++current.pending;
    if (current.self == nullptr || current.self->answer(made))
        return;
    current.youngest = made.before;
    --current.pending;
    throw_stopped();
}

// A thread without a team gets one by forking.
bool is_awaited() noexcept { return current.self == nullptr || current.self->is_awaited(); }

void throw_stopped() { throw stopped(); }

void expect_run(const job& taken) {
    // relaxed: wait() has seen it.
    if ((taken.state.load(std::memory_order_relaxed) & job::has_run) == 0)
        throw_stopped();
}

bool take_back(job& made) noexcept {
    const bool was_private = made.run != nullptr;
    const goal end{made.state, job::unfinished};
    const bool is_ours = was_private || (current.self != nullptr ? current.self->wait(end, &made)
                                                                 : is_left_to_child(end, &made));
    // Not before: a thread that waits is inside of a fork.
    current.youngest = made.before;
    if (current.last_shared == &made)
        current.last_shared = made.before;
    if (was_private)
        --current.pending;
    if (current.self != nullptr)
        current.self->took_back();
    return is_ours;
}

bool drop(job& made) noexcept {
    if (made.run == nullptr)
        // relaxed: a hint for who begins it.
        made.state.fetch_or(job::cancelled, std::memory_order_relaxed);
    // relaxed: as in expect_run().
    return !take_back(made) && (made.state.load(std::memory_order_relaxed) & job::has_run) != 0;
}

namespace {

void run_as_caller_of(fork_team* made, void (*function)(void*), void* argument) {
    const auto begin_stop = [made] { made->begin_stop(); };
    struct holder {
        fork_team* team;
        bool is_inside = false;
        std::optional<std::stop_callback<decltype(begin_stop)>> stopper{};
        ~holder() {
            if (is_inside)
                team->leave_as_caller();
            stopper.reset();
            delete team;
        }
    };
    // A fork() is seen to be inside until the team has been left.
    const scoped_membership inside(*made);
    holder held{made};
    // It does not come back to the team that it is in before this one ends.
    if (current.self != nullptr)
        current.self->show_all();
    made->enter_as_caller();
    held.is_inside = true;
    held.stopper.emplace(made->stop(), begin_stop);
    function(argument);
}

}  // namespace

void run_in_team(const options& call, void (*function)(void*), void* argument) {
    run_as_caller_of(team_with(call), function, argument);
}

void run_in_team_alike(void (*function)(void*), void* argument) {
    if (current.self == nullptr)
        return run_in_team({}, function, argument);
    const fork_team& here = current.self->team();
    run_as_caller_of(make_fork_team(here.how(), here.stop()), function, argument);
}

}  // namespace teff::forking
