// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' start and end, the start of its tasks as fibers, and queries of a task about itself. See qthread.h. The
// full/empty bits are in words.cpp, the shepherds in shepherds.cpp.
#include <teff/qthread/own_data.hpp>
#include <teff/qthread/settings.hpp>

#include <teff/strand/running_thread.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_team.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

namespace teff::qthreads {
namespace {

// For qthread_finalize().
constinit std::atomic<std::size_t> unfinished{0};
// Whether some thread is the main qthread.
constinit std::atomic<bool> has_main{false};

class counted {
public:
    // relaxed: the thread that finalizes starts no tasks meanwhile.
    counted() noexcept { unfinished.fetch_add(1, std::memory_order_relaxed); }
    counted(counted&& other) noexcept : counts_(std::exchange(other.counts_, false)) {}
    counted& operator=(counted&&) = delete;
    ~counted() {
        if (counts_)
            // release: what the task did is seen after qthread_finalize(); partner: the acquire there.
            unfinished.fetch_sub(1, std::memory_order_release);
    }

private:
    bool counts_ = true;
};

struct task {
    qthread_f function;
    void* argument;
    result_place result;
    unsigned id;
    std::vector<unsigned char> copy;  // of the argument; empty: it is passed as it is
    std::vector<void*> preconditions;
    counted counts;  // until the team has ended, if this is its last task
    team_membership team;
    bool founds_team;

    void operator()() {
        own_data& mine = try_own();
        mine.id = id;
        mine.ret = result.at;
        mine.team = team.team();
        for (void* const each : preconditions) {
            const int code = (result.flags & QTHREAD_SPAWN_PC_SYNCVAR_T) != 0
                                 ? qthread_syncvar_readFF(nullptr, static_cast<syncvar_t*>(each))
                                 : qthread_readFF(nullptr, static_cast<aligned_t*>(each));
            if (code != QTHREAD_SUCCESS)
                throw std::bad_alloc();
        }
        const aligned_t value = function(copy.empty() ? argument : copy.data());
        if (founds_team)
            team.team()->set_result(value);
        else
            result.give(value);
        team.leave();
    }
};

// The caller's team; nullptr: the default one.
task_team_record* team_here() { return is_on_fiber() ? own().team : nullptr; }

team_membership team_for(unsigned flags, const result_place& result) {
    task_team_record* const outer = team_here();
    if ((flags & QTHREAD_SPAWN_NEW_SUBTEAM) != 0)
        return team_membership(new task_team_record(qt_team_id(), outer, result));
    if ((flags & QTHREAD_SPAWN_NEW_TEAM) != 0)
        return team_membership(new task_team_record(QTHREAD_NON_TEAM_ID, nullptr, result));
    if (outer != nullptr)
        outer->add();
    return team_membership(outer);
}

int start(qthread_f function, const void* argument, std::size_t size, void* ret, qthread_shepherd_id_t shepherd,
          unsigned flags, std::vector<void*> preconditions) noexcept {
    if (function == nullptr || (size != 0 && argument == nullptr))
        return QTHREAD_BADARGS;
    return code_of([&] {
        ensure_team();
        const qthread_shepherd_id_t there = usable_shepherd(shepherd);
        const result_place result{ret, flags};
        const bool founds_team = (flags & (QTHREAD_SPAWN_NEW_TEAM | QTHREAD_SPAWN_NEW_SUBTEAM)) != 0;
        task made{function, const_cast<void*>(argument), result, next_id(), {}, std::move(preconditions), {},
                  team_for(flags, result), founds_team};
        if (size != 0) {
            const auto* const bytes = static_cast<const unsigned char*>(argument);
            made.copy.assign(bytes, bytes + size);
        }
        if (result.empty() != QTHREAD_SUCCESS)
            throw std::bad_alloc();
        if (there == NO_SHEPHERD)
            fiber(without_handle(std::move(made)), site()).detach();
        else
            fiber(on_shepherd{there}, without_handle(std::move(made)), site()).detach();
    });
}
int start(qthread_f function, const void* argument, void* ret, unsigned flags,
          qthread_shepherd_id_t shepherd = NO_SHEPHERD) noexcept {
    return start(function, argument, 0, ret, shepherd, flags, {});
}

// The variable arguments of the functions with preconditions.
int start_after(qthread_f function, const void* argument, std::size_t size, void* ret, qthread_shepherd_id_t shepherd,
                unsigned flags, int count, std::va_list words) noexcept {
    std::vector<void*> preconditions;
    const int code = code_of([&] {
        if (count >= 0) {
            for (int i = 0; i < count; ++i)
                preconditions.push_back(va_arg(words, aligned_t*));
        } else {
            aligned_t** const array = va_arg(words, aligned_t**);
            preconditions.assign(array, array - count);
        }
    });
    return code != QTHREAD_SUCCESS ? code
                                   : start(function, argument, size, ret, shepherd, flags, std::move(preconditions));
}

}  // namespace

// Out of line, since the surrounding code may continue on another thread.
[[gnu::noinline]] const task_member* member_here() noexcept { return running_thread.member; }

namespace {

void say_numbers(const team_options& options) {
    const unsigned shepherds = shepherd_count();
    std::printf("teff: %u shepherds, %u workers per shepherd, stacks of %zu bytes\n", shepherds,
                options.settings.slots / shepherds, options.fiber_stack);
}

// shepherds: 0: the variables say how many.
int initialize(unsigned shepherds) noexcept {
    return code_of([&] {
        if (member_here() == nullptr) {
            const settings& read = current_settings(shepherds);
            begin_session(read.how);
            if (read.says != 0)
                say_numbers(read.how);
        }
        if (is_on_fiber())
            return;
        own_data& mine = try_own();
        // relaxed: the flag publishes nothing.
        if (!has_main.exchange(true, std::memory_order_relaxed)) {
            mine.is_main = true;
            mine.id = 1;
        }
    });
}

}  // namespace

void ensure_team() {
    if (member_here() == nullptr)
        begin_session(current_settings().how);
}

}  // namespace teff::qthreads

using namespace teff::qthreads;

extern "C" {

int qthread_init(qthread_shepherd_id_t shepherds) { return initialize(shepherds); }
int qthread_initialize(void) { return initialize(0); }
void qthread_finalize(void) {
    if (is_on_fiber())
        return;
    // acquire: sees what the tasks have done; partner: the release of the last one.
    while (unfinished.load(std::memory_order_acquire) != 0)
        teff::this_fiber::sleep_for(std::chrono::microseconds(100));
    if (!own().is_main)
        return;
    own() = own_data();
    // relaxed: the flag publishes nothing.
    has_main.store(false, std::memory_order_relaxed);
    teff::end_session();
    enable_all_shepherds();
    forget_settings();
}

int qthread_fork(qthread_f function, const void* argument, aligned_t* ret) { return start(function, argument, ret, 0); }
int qthread_fork_to(qthread_f function, const void* argument, aligned_t* ret, qthread_shepherd_id_t shepherd) {
    return start(function, argument, ret, 0, shepherd);
}
int qthread_fork_net(qthread_f function, const void* argument, aligned_t* ret) {
    return start(function, argument, ret, 0);
}
int qthread_fork_syncvar(qthread_f function, const void* argument, syncvar_t* ret) {
    return start(function, argument, ret, QTHREAD_SPAWN_RET_SYNCVAR_T);
}
int qthread_fork_syncvar_to(qthread_f function, const void* argument, syncvar_t* ret, qthread_shepherd_id_t shepherd) {
    return start(function, argument, ret, QTHREAD_SPAWN_RET_SYNCVAR_T, shepherd);
}
int qthread_fork_copyargs(qthread_f function, const void* argument, std::size_t size, aligned_t* ret) {
    return start(function, argument, size, ret, NO_SHEPHERD, 0, {});
}
int qthread_fork_copyargs_to(qthread_f function, const void* argument, std::size_t size, syncvar_t* ret,
                             qthread_shepherd_id_t shepherd) {
    return start(function, argument, size, ret, shepherd, QTHREAD_SPAWN_RET_SYNCVAR_T, {});
}
int qthread_fork_syncvar_copyargs(qthread_f function, const void* argument, std::size_t size, syncvar_t* ret) {
    return start(function, argument, size, ret, NO_SHEPHERD, QTHREAD_SPAWN_RET_SYNCVAR_T, {});
}
int qthread_fork_syncvar_copyargs_simple(qthread_f function, const void* argument, std::size_t size, syncvar_t* ret) {
    return start(function, argument, size, ret, NO_SHEPHERD, QTHREAD_SPAWN_RET_SYNCVAR_T, {});
}
int qthread_fork_precond(qthread_f function, const void* argument, aligned_t* ret, int count, ...) {
    std::va_list words;
    va_start(words, count);
    const int code = start_after(function, argument, 0, ret, NO_SHEPHERD, 0, count, words);
    va_end(words);
    return code;
}
int qthread_fork_precond_to(qthread_f function, const void* argument, aligned_t* ret, qthread_shepherd_id_t shepherd,
                            int count, ...) {
    std::va_list words;
    va_start(words, count);
    const int code = start_after(function, argument, 0, ret, shepherd, 0, count, words);
    va_end(words);
    return code;
}
int qthread_fork_precond_simple(qthread_f function, const void* argument, aligned_t* ret, int count, ...) {
    std::va_list words;
    va_start(words, count);
    const int code = start_after(function, argument, 0, ret, NO_SHEPHERD, 0, count, words);
    va_end(words);
    return code;
}
int qthread_fork_copyargs_precond(qthread_f function, const void* argument, std::size_t size, syncvar_t* ret, int count,
                                  ...) {
    std::va_list words;
    va_start(words, count);
    const int code = start_after(function, argument, size, ret, NO_SHEPHERD, QTHREAD_SPAWN_RET_SYNCVAR_T, count, words);
    va_end(words);
    return code;
}
int qthread_spawn(qthread_f function, const void* argument, std::size_t size, void* ret, std::size_t count,
                  void* preconditions, qthread_shepherd_id_t shepherd, unsigned flags) {
    if (count != 0 && preconditions == nullptr)
        return QTHREAD_BADARGS;
    std::vector<void*> words;
    const int code = code_of([&] {
        auto** const array = static_cast<void**>(preconditions);
        words.assign(array, array + count);
    });
    return code != QTHREAD_SUCCESS ? code : start(function, argument, size, ret, shepherd, flags, std::move(words));
}

void qthread_yield_(int) { teff::this_fiber::yield(); }
void qthread_flushsc(void) {}

unsigned qthread_id(void) {
    own_data& mine = own();
    // A fiber that was not started by this interface gets a number at its first query.
    if (mine.id == QTHREAD_NON_TASK_ID && is_on_fiber())
        mine.id = next_id();
    return mine.id;
}
aligned_t* qthread_retloc(void) { return is_on_fiber() ? static_cast<aligned_t*>(own().ret) : nullptr; }
void* qthread_get_tasklocal(unsigned size) {
    if (qthread_id() == QTHREAD_NON_TASK_ID)
        return nullptr;
    std::vector<unsigned char>& local = own().local;
    const int code = code_of([&] {
        const unsigned least = current_settings().local_size;
        const unsigned wanted = size < least ? least : size;
        if (local.size() < wanted)
            local.resize(wanted);
    });
    return code == QTHREAD_SUCCESS ? local.data() : nullptr;
}
unsigned qthread_size_tasklocal(void) {
    if (qthread_id() == QTHREAD_NON_TASK_ID)
        return 0;
    const std::size_t size = own().local.size();
    return size != 0 ? static_cast<unsigned>(size) : current_settings().local_size;
}
std::size_t qthread_stackleft(void) {
    const std::uintptr_t stack_top = teff::stack_pointer();
    const std::uintptr_t low = teff::measured_stack().low;
    return low != 0 && stack_top > low ? stack_top - low : 0;
}
void* qthread_bos(void) { return reinterpret_cast<void*>(teff::measured_stack().low); }
void* qthread_tos(void) { return reinterpret_cast<void*>(teff::measured_stack().high); }

unsigned qt_team_id(void) {
    const task_team_record* const team = team_here();
    if (team != nullptr)
        return team->id();
    return qthread_id() != QTHREAD_NON_TASK_ID ? QTHREAD_DEFAULT_TEAM_ID : QTHREAD_NON_TEAM_ID;
}
unsigned qt_team_parent_id(void) {
    const task_team_record* const team = team_here();
    return team != nullptr ? team->parent_id() : QTHREAD_NON_TEAM_ID;
}
void qt_team_critical_section(qt_team_critical_section_t) {}

std::size_t qthread_readstate(enum introspective_state what) {
    // The main qthread counts as one. All others that do not wait are running or ready.
    const auto busy = [] {
        // relaxed: hints.
        const std::size_t all = unfinished.load(std::memory_order_relaxed);
        const std::size_t asleep = waiting_qthreads.load(std::memory_order_relaxed);
        return 1 + (all > asleep ? all - asleep : 0);
    };
    switch (what) {
    case STACK_SIZE: {
        const teff::task_member* const member = member_here();
        return member != nullptr ? member->team().how().fiber_stack : 0;
    }
    case RUNTIME_DATA_SIZE:
        return sizeof(teff::threads::fiber_of<task>);
    case BUSYNESS:
    case NODE_BUSYNESS:
        return busy();
    case WORKER_OCCUPATION:
        return std::min<std::size_t>(busy(), qthread_num_workers());
    case ACTIVE_SHEPHERDS:
        return enabled_shepherds();
    case TOTAL_SHEPHERDS:
        return qthread_num_shepherds();
    case ACTIVE_WORKERS:
    case TOTAL_WORKERS:
        return qthread_num_workers();
    case CURRENT_SHEPHERD:
        return qthread_shep();
    case CURRENT_WORKER:
    case CURRENT_UNIQUE_WORKER:
        return qthread_worker(nullptr);
    case CURRENT_TEAM:
        return qt_team_id();
    case PARENT_TEAM:
        return qt_team_parent_id();
    }
    return 0;
}

}  // extern "C"
