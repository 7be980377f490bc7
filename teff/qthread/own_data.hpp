// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the sources of Qthreads' interface: the data of a qthread, the teams of tasks, and the numbers from which
// qthread_readstate() answers.
//
// A qthread is a fiber that calls a function of this interface, or the thread that has called qthread_initialize(). Its
// data are in a fiber_local variable. A fiber of Teff's other interfaces becomes one when it asks for its number.
//
// A team of tasks is a record with a count of its tasks and of its subteams. When the last of these ends, the team's
// return word gets the result of the founder, the first task of the team. All qthreads that were started outside such a
// team are in the default team, which has no record.
#pragma once

#include <teff/qthread/qthread.h>

#include <teff/base/atomic.hpp>
#include <teff/threads.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace teff::qthreads {

// Calls `call`, and returns QTHREAD_SUCCESS or the code for the exception that it throws.
template <class Call>
int code_of(Call&& call) noexcept {
    try {
        call();
        return QTHREAD_SUCCESS;
    } catch (const std::bad_alloc&) {
        return QTHREAD_MALLOC_ERROR;
    } catch (const std::out_of_range&) {
        return QTHREAD_BADARGS;
    } catch (...) {
        return QTHREAD_NOT_ALLOWED;
    }
}

// Where the result of a qthread's function goes: to a word, or as the flags of qthread_spawn() say.
struct result_place {
    void* at = nullptr;
    unsigned flags = 0;

    // Before the start: nothing can be read yet.
    int empty() const noexcept;
    void give(aligned_t value) const noexcept;
};

// Any thread may call any function.
class task_team_record {
public:
    // A team with one member, the founder. inside: the enclosing team; nullptr: none, or the default team.
    task_team_record(unsigned parent_id, task_team_record* inside, const result_place& of_founder) noexcept;

    unsigned id() const noexcept { return id_; }
    unsigned parent_id() const noexcept { return parent_id_; }

    void add() noexcept {
        // relaxed: the caller is a member, so the record lives.
        active_.fetch_add(1, std::memory_order_relaxed);
    }
    // Keeps the result of the founder's function. Called by the founder.
    void set_result(aligned_t value) noexcept {
        result_ = value;
        has_result_ = true;
    }
    // A member's last use of the record.
    void leave() noexcept;

private:
    const unsigned id_;
    const unsigned parent_id_;
    task_team_record* const inside_;
    const result_place of_founder_;
    atomic<std::size_t> active_{1};
    // the founder writes
    aligned_t result_ = 0;
    bool has_result_ = false;  // false: the founder was never started
};

// The scope in which a qthread is a member of a team; does nothing for the default team.
class team_membership {
public:
    team_membership() noexcept = default;
    explicit team_membership(task_team_record* team) noexcept : of_(team) {}
    team_membership(team_membership&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    team_membership& operator=(team_membership&&) = delete;
    ~team_membership() { leave(); }

    task_team_record* team() const noexcept { return of_; }
    void leave() noexcept {
        if (of_ != nullptr)
            std::exchange(of_, nullptr)->leave();
    }

private:
    task_team_record* of_ = nullptr;
};

struct own_data {
    unsigned id = QTHREAD_NON_TASK_ID;
    bool is_main = false;                   // the thread that has called qthread_initialize()
    bool is_blocking = false;               // between qt_begin_blocking_action() and qt_end_blocking_action()
    void* ret = nullptr;
    task_team_record* team = nullptr;       // nullptr: the default one
    void* barrier = nullptr;                // of qt_set_barrier()
    std::vector<unsigned char> local{};
};
// The data of the calling fiber, or of the calling thread if it runs no fiber. The address is unique, and valid until
// the fiber or thread ends. Ends the program with a message if there is no memory for the data, since most callers have
// no result that could report it. The main qthread and each running qthread have their data already.
own_data& own() noexcept;
// The same, but throws std::bad_alloc.
own_data& try_own();
// Whether the caller is on a fiber that can wait.
inline bool is_on_fiber() noexcept { return threads::fiber_state::that_can_wait() != nullptr; }
// The calling thread's membership of its team, or nullptr; afterwards another thread may continue the caller.
const task_member* member_here() noexcept;
// Returns a number for the qthread that is started next.
unsigned next_id() noexcept;

// Called by the pieces of a loop, on fibers of their own or on the loop's fiber: puts the caller into the team of the
// task that runs the loop. Throws std::bad_alloc.
inline void be_in_team(task_team_record* of_loop) {
    if (of_loop != nullptr)
        try_own().team = of_loop;
}

// Ends the program: there is no memory for a qthread that was started, or its function has thrown an exception.
[[noreturn]] void end_by_exception(std::exception_ptr error) noexcept;
// The function of a fiber to which no handle refers.
template <class F>
struct without_handle : threads::takes_its_error {
    explicit without_handle(F&& f) : function(std::move(f)) {}
    void operator()() { function(); }
    void fail(std::exception_ptr error) noexcept { end_by_exception(std::move(error)); }

    F function;
};

// How many qthreads wait at this moment.
extern constinit atomic<std::size_t> waiting_qthreads;
// The scope of a wait: the caller counts as waiting.
class scoped_asleep {
public:
    scoped_asleep() noexcept : counts_(is_on_fiber()) {
        if (counts_)
            // relaxed: what makes the wait known to others publishes it.
            waiting_qthreads.fetch_add(1, std::memory_order_relaxed);
    }
    ~scoped_asleep() {
        if (counts_)
            // relaxed: a hint.
            waiting_qthreads.fetch_sub(1, std::memory_order_relaxed);
    }
    scoped_asleep(const scoped_asleep&) = delete;
    scoped_asleep& operator=(const scoped_asleep&) = delete;

private:
    const bool counts_;
};

// Gives the thread a team with the settings of the QT_* variables if it is in none. Throws what the start of a team
// throws.
void ensure_team();
// The shepherd itself, or another one if it does not exist or is disabled. For NO_SHEPHERD: NO_SHEPHERD or, if some
// shepherd is disabled, an enabled one.
qthread_shepherd_id_t usable_shepherd(qthread_shepherd_id_t wanted);
// The number of enabled shepherds.
std::size_t enabled_shepherds() noexcept;
// For qthread_finalize().
void enable_all_shepherds() noexcept;

// A handle of a fiber that calls the function on the shepherd; see usable_shepherd().
template <class F>
fiber start_on(qthread_shepherd_id_t shepherd, F&& function) {
    const qthread_shepherd_id_t there = usable_shepherd(shepherd);
    return there == NO_SHEPHERD ? fiber(std::forward<F>(function), site())
                                : fiber(on_shepherd{there}, std::forward<F>(function), site());
}

}  // namespace teff::qthreads
