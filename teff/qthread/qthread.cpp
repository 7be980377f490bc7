// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' tasks, queries and full/empty bits, on fibers and full_empty_word.hpp. See qthread.h.
#include <teff/qthread/qthread.h>
#include <teff/qthread/sinc.h>

#include <teff/runtime/running_thread.hpp>
#include <teff/runtime/session.hpp>
#include <teff/runtime/stack.hpp>
#include <teff/runtime/task_team.hpp>
#include <teff/threads.hpp>

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using teff::threads::word_operation;

// The code for what `call` throws.
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

// ---- Full/empty words. Only the state counts without a value.

int access_word(word_operation what, const aligned_t* word, void* value) noexcept {
    if (word == nullptr)
        return QTHREAD_BADARGS;
    return code_of([&] {
        teff::threads::perform({what, const_cast<aligned_t*>(word), value, value != nullptr ? sizeof(aligned_t) : 0});
    });
}
int write_word(word_operation what, aligned_t* word, const aligned_t* from) noexcept {
    return access_word(what, word, const_cast<aligned_t*>(from));
}

// ---- Variables of 60 bits: words of the table, with a value that is shifted. By this bit of the word an initialiser
// says that the variable is empty.

constexpr std::uint64_t empty_mark = 4;

int access_variable(word_operation what, syncvar_t* variable, std::uint64_t* value) noexcept {
    if (variable == nullptr)
        return QTHREAD_BADARGS;
    return code_of([&] {
        std::uint64_t shifted = value != nullptr ? *value << 4 : 0;
        const std::size_t size = value != nullptr ? sizeof shifted : 0;
        teff::threads::perform({what, &variable->u.w, &shifted, size, empty_mark});
        if (value != nullptr)
            *value = shifted >> 4;
    });
}
int write_variable(word_operation what, syncvar_t* variable, const std::uint64_t* from) noexcept {
    if (from == nullptr)
        return access_variable(what, variable, nullptr);
    std::uint64_t value = *from;
    return access_variable(what, variable, &value);
}
int read_variable(word_operation what, std::uint64_t* to, syncvar_t* variable) noexcept {
    std::uint64_t value = 0;
    const int code = access_variable(what, variable, &value);
    if (code == QTHREAD_SUCCESS && to != nullptr)
        *to = value;
    return code;
}

// ---- Tasks

// What a qthread knows of itself.
struct own_data {
    unsigned id = QTHREAD_NON_TASK_ID;
    void* ret = nullptr;
    std::vector<unsigned char> local;
};
own_data& own() {
    static teff::fiber_local<own_data> of_fibers;
    return *of_fibers;
}
constexpr unsigned least_local_size = 8;

unsigned next_id() noexcept {
    static constinit std::atomic<unsigned> last{QTHREAD_NON_TASK_ID};
    for (;;) {
        // relaxed: the numbers only have to differ.
        const unsigned next = last.fetch_add(1, std::memory_order_relaxed) + 1;
        if (next != QTHREAD_NON_TASK_ID && next != QTHREAD_NULL_TASK_ID)
            return next;
    }
}

// For qthread_finalize().
constinit std::atomic<std::size_t> unfinished{0};

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
    void* ret;
    unsigned flags;
    std::vector<unsigned char> copy;       // of the argument; empty: it is passed as it is
    std::vector<void*> preconditions;
    counted counts;

    void operator()() {
        own().id = next_id();
        own().ret = ret;
        for (void* const each : preconditions) {
            if ((flags & QTHREAD_SPAWN_PC_SYNCVAR_T) != 0)
                read_variable(word_operation::read_ff, nullptr, static_cast<syncvar_t*>(each));
            else
                access_word(word_operation::read_ff, static_cast<aligned_t*>(each), nullptr);
        }
        give(function(copy.empty() ? argument : copy.data()));
    }

    // Before the start: nothing can be read yet.
    int empty_ret() const noexcept {
        if (ret == nullptr || (flags & (QTHREAD_SPAWN_RET_SINC | QTHREAD_SPAWN_RET_SINC_VOID)) != 0)
            return QTHREAD_SUCCESS;
        return (flags & QTHREAD_SPAWN_RET_SYNCVAR_T) != 0 ? qthread_syncvar_empty(static_cast<syncvar_t*>(ret))
                                                          : qthread_empty(static_cast<aligned_t*>(ret));
    }
    void give(aligned_t value) const noexcept {
        if (ret == nullptr)
            return;
        if ((flags & QTHREAD_SPAWN_RET_SINC_VOID) != 0)
            qt_sinc_submit(static_cast<qt_sinc_t*>(ret), nullptr);
        else if ((flags & QTHREAD_SPAWN_RET_SINC) != 0)
            qt_sinc_submit(static_cast<qt_sinc_t*>(ret), &value);
        else if ((flags & QTHREAD_SPAWN_RET_SYNCVAR_T) != 0)
            qthread_syncvar_writeF_const(static_cast<syncvar_t*>(ret), value);
        else
            qthread_writeF_const(static_cast<aligned_t*>(ret), value);
    }
};

bool is_shepherd(qthread_shepherd_id_t number) noexcept { return number < qthread_num_shepherds(); }

// shepherd: NO_SHEPHERD: any.
int start(qthread_f function, const void* argument, std::size_t size, void* ret, qthread_shepherd_id_t shepherd,
          unsigned flags, std::vector<void*> preconditions) noexcept {
    if (function == nullptr || (size != 0 && argument == nullptr) ||
        (shepherd != NO_SHEPHERD && !is_shepherd(shepherd)))
        return QTHREAD_BADARGS;
    return code_of([&] {
        task made{function, const_cast<void*>(argument), ret, flags, {}, std::move(preconditions), {}};
        if (size != 0) {
            const auto* const bytes = static_cast<const unsigned char*>(argument);
            made.copy.assign(bytes, bytes + size);
        }
        if (made.empty_ret() != QTHREAD_SUCCESS)
            throw std::bad_alloc();
        if (shepherd == NO_SHEPHERD)
            teff::fiber(std::move(made), teff::site()).detach();
        else
            teff::fiber(teff::on_shepherd{shepherd}, std::move(made), teff::site()).detach();
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

// ---- The team. Out of line, since the code around may continue on another thread.

[[gnu::noinline]] const teff::task_member* member_here() noexcept { return teff::running_thread.member; }

qthread_worker_id_t worker_here(qthread_shepherd_id_t* shepherd) noexcept {
    const teff::task_member* const member = member_here();
    if (shepherd != nullptr)
        *shepherd = qthread_shep();
    return member != nullptr ? static_cast<qthread_worker_id_t>(member->slot()) : NO_WORKER;
}

// The numbers from `from` + 1 on, and then from 0 on to `from` - 1. The caller never frees them.
const qthread_shepherd_id_t* others_than(qthread_shepherd_id_t from, qthread_shepherd_id_t count) {
    static std::mutex guard;
    // All shepherds of a team with so many of them, twice. Lives as long as the process.
    static auto& rounds = *new std::map<qthread_shepherd_id_t, std::vector<qthread_shepherd_id_t>>;
    const std::lock_guard locked(guard);
    std::vector<qthread_shepherd_id_t>& round = rounds[count];
    for (std::size_t i = round.size(); i < std::size_t{2} * count; ++i)
        round.push_back(static_cast<qthread_shepherd_id_t>(i % count));
    return round.data() + from + 1;
}

}  // namespace

extern "C" {

int qthread_init(qthread_shepherd_id_t) { return qthread_initialize(); }
int qthread_initialize(void) {
    return code_of([] {
        if (member_here() == nullptr)
            teff::begin_session();
    });
}
void qthread_finalize(void) {
    // acquire: sees what the tasks have done; partner: the release of the last one.
    while (unfinished.load(std::memory_order_acquire) != 0)
        teff::this_fiber::sleep_for(std::chrono::microseconds(100));
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
    return teff::threads::fiber_state::that_can_wait() != nullptr ? own().id : QTHREAD_NON_TASK_ID;
}
aligned_t* qthread_retloc(void) {
    return qthread_id() != QTHREAD_NON_TASK_ID ? static_cast<aligned_t*>(own().ret) : nullptr;
}
void* qthread_get_tasklocal(unsigned size) {
    if (qthread_id() == QTHREAD_NON_TASK_ID)
        return nullptr;
    std::vector<unsigned char>& local = own().local;
    const unsigned wanted = size < least_local_size ? least_local_size : size;
    const int code = code_of([&] {
        if (local.size() < wanted)
            local.resize(wanted);
    });
    return code == QTHREAD_SUCCESS ? local.data() : nullptr;
}
unsigned qthread_size_tasklocal(void) {
    if (qthread_id() == QTHREAD_NON_TASK_ID)
        return 0;
    const std::size_t size = own().local.size();
    return size != 0 ? static_cast<unsigned>(size) : least_local_size;
}
std::size_t qthread_stackleft(void) {
    const std::uintptr_t here = teff::stack_pointer();
    const std::uintptr_t low = teff::measured_stack().low;
    return low != 0 && here > low ? here - low : 0;
}

unsigned qt_team_id(void) { return QTHREAD_DEFAULT_TEAM_ID; }
unsigned qt_team_parent_id(void) { return QTHREAD_NON_TEAM_ID; }

qthread_shepherd_id_t qthread_shep(void) { return static_cast<qthread_shepherd_id_t>(teff::this_fiber::shepherd()); }
qthread_worker_id_t qthread_worker(qthread_shepherd_id_t* shepherd) { return worker_here(shepherd); }
qthread_worker_id_t qthread_worker_unique(qthread_shepherd_id_t* shepherd) { return worker_here(shepherd); }
qthread_worker_id_t qthread_worker_local(qthread_shepherd_id_t* shepherd) { return worker_here(shepherd); }
qthread_shepherd_id_t qthread_num_shepherds(void) {
    unsigned count = 1;
    return code_of([&] { count = teff::shepherd_count(); }) == QTHREAD_SUCCESS
               ? static_cast<qthread_shepherd_id_t>(count)
               : qthread_shepherd_id_t{1};
}
qthread_worker_id_t qthread_num_workers(void) {
    if (qthread_initialize() != QTHREAD_SUCCESS)
        return 1;
    const teff::task_member* const member = member_here();
    return member != nullptr ? static_cast<qthread_worker_id_t>(member->team().how().settings.slots) : 1;
}
qthread_worker_id_t qthread_num_workers_local(qthread_shepherd_id_t shepherd) {
    unsigned count = 0;
    return code_of([&] { count = teff::workers_of_shepherd(shepherd); }) == QTHREAD_SUCCESS
               ? static_cast<qthread_worker_id_t>(count)
               : qthread_worker_id_t{0};
}
int qthread_migrate_to(qthread_shepherd_id_t shepherd) {
    if (shepherd == NO_SHEPHERD)
        teff::this_fiber::unbind();
    else if (!is_shepherd(shepherd))
        return QTHREAD_BADARGS;
    else if (qthread_id() != QTHREAD_NON_TASK_ID)
        return code_of([&] { teff::this_fiber::migrate_to(shepherd); });
    else if (shepherd != qthread_shep())
        return QTHREAD_NOT_ALLOWED;
    return QTHREAD_SUCCESS;
}
void qthread_reset_target_shep(void) { teff::this_fiber::unbind(); }
int qthread_shep_ok(void) { return qthread_shep() != NO_SHEPHERD ? 1 : 0; }
void qthread_shep_next(qthread_shepherd_id_t* shepherd) {
    const qthread_shepherd_id_t count = qthread_num_shepherds();
    *shepherd = static_cast<qthread_shepherd_id_t>(*shepherd + 1 < count ? *shepherd + 1 : 0);
}
void qthread_shep_prev(qthread_shepherd_id_t* shepherd) {
    const qthread_shepherd_id_t count = qthread_num_shepherds();
    *shepherd = static_cast<qthread_shepherd_id_t>((*shepherd != 0 && *shepherd <= count ? *shepherd : count) - 1);
}
void qthread_shep_next_local(qthread_shepherd_id_t* shepherd) { qthread_shep_next(shepherd); }
void qthread_shep_prev_local(qthread_shepherd_id_t* shepherd) { qthread_shep_prev(shepherd); }
int qthread_distance(qthread_shepherd_id_t from, qthread_shepherd_id_t to) {
    if (!is_shepherd(from) || !is_shepherd(to))
        return QTHREAD_BADARGS;
    return from == to ? 0 : 1;
}
const qthread_shepherd_id_t* qthread_sorted_sheps(void) { return qthread_sorted_sheps_remote(qthread_shep()); }
const qthread_shepherd_id_t* qthread_sorted_sheps_remote(qthread_shepherd_id_t from) {
    const qthread_shepherd_id_t count = qthread_num_shepherds();
    if (from >= count || count == 1)
        return nullptr;
    const qthread_shepherd_id_t* others = nullptr;
    return code_of([&] { others = others_than(from, count); }) == QTHREAD_SUCCESS ? others : nullptr;
}
int qthread_disable_shepherd(qthread_shepherd_id_t) { return QTHREAD_NOT_ALLOWED; }
void qthread_enable_shepherd(qthread_shepherd_id_t) {}
int qthread_disable_worker(qthread_worker_id_t) { return QTHREAD_NOT_ALLOWED; }
void qthread_enable_worker(qthread_worker_id_t) {}

std::size_t qthread_readstate(enum introspective_state what) {
    switch (what) {
    case STACK_SIZE: {
        const teff::task_member* const member = member_here();
        return member != nullptr ? member->team().how().fiber_stack : 0;
    }
    case RUNTIME_DATA_SIZE:
        return sizeof(teff::threads::fiber_of<task>);
    case ACTIVE_SHEPHERDS:
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
    case BUSYNESS:
    case NODE_BUSYNESS:
    case WORKER_OCCUPATION:
        break;
    }
    return 0;
}

int qthread_feb_status(const aligned_t* word) { return teff::is_full(*word) ? 1 : 0; }
int qthread_empty(const aligned_t* word) { return access_word(word_operation::empty, word, nullptr); }
int qthread_fill(const aligned_t* word) { return access_word(word_operation::fill, word, nullptr); }
int qthread_writeEF(aligned_t* word, const aligned_t* from) { return write_word(word_operation::write_ef, word, from); }
int qthread_writeEF_const(aligned_t* word, aligned_t value) {
    return write_word(word_operation::write_ef, word, &value);
}
int qthread_writeF(aligned_t* word, const aligned_t* from) { return write_word(word_operation::write_xf, word, from); }
int qthread_writeF_const(aligned_t* word, aligned_t value) {
    return write_word(word_operation::write_xf, word, &value);
}
int qthread_writeFF(aligned_t* word, const aligned_t* from) { return write_word(word_operation::write_ff, word, from); }
int qthread_writeFF_const(aligned_t* word, aligned_t value) {
    return write_word(word_operation::write_ff, word, &value);
}
int qthread_readFF(aligned_t* to, const aligned_t* word) { return access_word(word_operation::read_ff, word, to); }
int qthread_readFE(aligned_t* to, const aligned_t* word) { return access_word(word_operation::read_fe, word, to); }
int qthread_readXX(aligned_t* to, const aligned_t* word) { return access_word(word_operation::read_xx, word, to); }
int qthread_purge(aligned_t* word) { return qthread_purge_to_const(word, 0); }
int qthread_purge_to(aligned_t* word, const aligned_t* from) {
    return from != nullptr ? qthread_purge_to_const(word, *from) : qthread_empty(word);
}
int qthread_purge_to_const(aligned_t* word, aligned_t value) {
    return write_word(word_operation::write_xe, word, &value);
}

int qthread_syncvar_status(syncvar_t* variable) {
    int status = 0;
    const int code = code_of([&] { status = teff::threads::word_is_full(&variable->u.w, empty_mark) ? 1 : 0; });
    return code == QTHREAD_SUCCESS ? status : code;
}
int qthread_syncvar_empty(syncvar_t* variable) { return access_variable(word_operation::empty, variable, nullptr); }
int qthread_syncvar_fill(syncvar_t* variable) { return access_variable(word_operation::fill, variable, nullptr); }
int qthread_syncvar_writeEF(syncvar_t* variable, const std::uint64_t* from) {
    return write_variable(word_operation::write_ef, variable, from);
}
int qthread_syncvar_writeEF_const(syncvar_t* variable, std::uint64_t value) {
    return write_variable(word_operation::write_ef, variable, &value);
}
int qthread_syncvar_writeF(syncvar_t* variable, const std::uint64_t* from) {
    return write_variable(word_operation::write_xf, variable, from);
}
int qthread_syncvar_writeF_const(syncvar_t* variable, std::uint64_t value) {
    return write_variable(word_operation::write_xf, variable, &value);
}
int qthread_syncvar_readFF(std::uint64_t* to, syncvar_t* variable) {
    return read_variable(word_operation::read_ff, to, variable);
}
int qthread_syncvar_readFE(std::uint64_t* to, syncvar_t* variable) {
    return read_variable(word_operation::read_fe, to, variable);
}
std::uint64_t qthread_syncvar_incrF(syncvar_t* variable, std::uint64_t increment) {
    std::uint64_t value = 0;
    qthread_syncvar_readFE(&value, variable);
    value = INT64TOINT60(value + increment);
    qthread_syncvar_writeEF_const(variable, value);
    return value;
}

int qthread_lock(const aligned_t* word) { return access_word(word_operation::read_fe, word, nullptr); }
int qthread_unlock(const aligned_t* word) { return qthread_fill(word); }
int qthread_trylock(const aligned_t* word) {
    if (word == nullptr)
        return QTHREAD_BADARGS;
    bool is_locked = false;
    const int code = code_of([&] {
        is_locked = teff::threads::try_perform({word_operation::read_fe, const_cast<aligned_t*>(word), nullptr, 0});
    });
    return code != QTHREAD_SUCCESS || is_locked ? code : QTHREAD_OPFAIL;
}
int qthread_lock_init(const aligned_t*, bool is_recursive) { return is_recursive ? QTHREAD_BADARGS : QTHREAD_SUCCESS; }
int qthread_lock_destroy(aligned_t*) { return QTHREAD_SUCCESS; }

}  // extern "C"
