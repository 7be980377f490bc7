// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Full/empty words, variables of 60 bits, and locks, on full_empty_word.hpp. See qthread.h.
//
// A lock is a word that is full while the lock is free. A recursive lock also has a record, with its owner and a count:
// in a table by address if qthread_lock_init() has made the lock, otherwise in the qthread_spinlock_t. Only the owner
// reads and writes the count. Any thread may compare the owner with itself, since no other thread stores its identity.
#include <teff/qthread/own_data.hpp>

#include <teff/base/assert.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace {

using namespace teff::qthreads;
using teff::threads::word_access;
using teff::threads::word_operation;

// An operation that waits counts as asleep for qthread_readstate().
void perform(const word_access& access) {
    if (teff::threads::try_perform(access))
        return;
    const scoped_asleep asleep;
    teff::threads::perform(access);
}

// ---- Full/empty words. Only the state counts without a value.

int access_word(word_operation what, const aligned_t* word, void* value) noexcept {
    if (word == nullptr)
        return QTHREAD_BADARGS;
    return code_of([&] {
        perform({what, const_cast<aligned_t*>(word), value, value != nullptr ? sizeof(aligned_t) : 0});
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
        perform({what, &variable->u.w, &shifted, size, empty_mark});
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

// ---- Locks

constexpr std::int64_t free_and_recursive = QTHREAD_SPINLOCK_IS_RECURSIVE;
constexpr std::int64_t not_recursive = QTHREAD_SPINLOCK_IS_NOT_RECURSIVE;

// The calling fiber or thread.
std::int64_t self() { return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&own())); }

// Owner and count of a recursive lock, where the lock itself is `word`.
class recursive_lock {
public:
    recursive_lock(std::int64_t* owner, std::int64_t* count, const aligned_t* word) noexcept
        : owner_(*owner), count_(*count), word_(word) {}

    int lock(int (*lock_word)(const aligned_t*) noexcept) {
        const std::int64_t me = self();
        // relaxed: only this thread stores its own identity.
        if (owner_.load(std::memory_order_relaxed) == me) {
            ++count_;
            return QTHREAD_SUCCESS;
        }
        const int code = lock_word(word_);
        if (code == QTHREAD_SUCCESS) {
            // relaxed: the word orders it for later owners.
            owner_.store(me, std::memory_order_relaxed);
            count_ = 1;
        }
        return code;
    }
    int unlock() {
        // relaxed: as in lock().
        if (owner_.load(std::memory_order_relaxed) != self())
            return QTHREAD_NOT_ALLOWED;
        if (--count_ != 0)
            return QTHREAD_SUCCESS;
        // relaxed: the word orders it for the next owner.
        owner_.store(free_and_recursive, std::memory_order_relaxed);
        return qthread_fill(word_);
    }

private:
    std::atomic_ref<std::int64_t> owner_;
    std::int64_t& count_;
    const aligned_t* const word_;
};

struct lock_record {
    std::int64_t owner = free_and_recursive;
    std::int64_t count = 0;
};

// The recursive locks of qthread_lock_init(). A record stays where it is until qthread_lock_destroy().
class lock_table {
public:
    lock_record* find(const aligned_t* word) {
        // acquire: a program that has made no recursive lock, or none that this thread knows of, pays this load;
        // partner: the release in add().
        if (count_.load(std::memory_order_acquire) == 0)
            return nullptr;
        const std::shared_lock locked(guard_);
        const auto found = records_.find(word);
        return found != records_.end() ? found->second.get() : nullptr;
    }
    void add(const aligned_t* word) {
        const std::lock_guard locked(guard_);
        std::unique_ptr<lock_record>& record = records_[word];
        if (record == nullptr)
            record = std::make_unique<lock_record>();
        // release: partner: the acquire in find().
        count_.store(records_.size(), std::memory_order_release);
    }
    void remove(const aligned_t* word) {
        const std::lock_guard locked(guard_);
        records_.erase(word);
        // release: as in add().
        count_.store(records_.size(), std::memory_order_release);
    }

private:
    std::atomic<std::size_t> count_{0};
    std::shared_mutex guard_;
    std::unordered_map<const aligned_t*, std::unique_ptr<lock_record>> records_;
};
lock_table& locks() {
    static auto& of_process = *new lock_table;  // lives as long as the process
    return of_process;
}

int lock_word(const aligned_t* word) noexcept { return access_word(word_operation::read_fe, word, nullptr); }
int try_lock_word(const aligned_t* word) noexcept {
    bool is_locked = false;
    const int code = code_of([&] {
        is_locked = teff::threads::try_perform({word_operation::read_fe, const_cast<aligned_t*>(word), nullptr, 0});
    });
    return code != QTHREAD_SUCCESS || is_locked ? code : QTHREAD_OPFAIL;
}

// The same operations for both kinds of locks. With no record it is a word alone.
struct lock_parts {
    const aligned_t* word;
    std::int64_t* owner;  // nullptr: not recursive
    std::int64_t* count;
};
lock_parts parts_of(const aligned_t* word) {
    lock_record* const record = locks().find(word);
    return {word, record != nullptr ? &record->owner : nullptr, record != nullptr ? &record->count : nullptr};
}
lock_parts parts_of(qthread_spinlock_t* lock) {
    // relaxed: whether it is recursive never changes.
    const bool is_recursive =
        std::atomic_ref<std::int64_t>(lock->owner).load(std::memory_order_relaxed) != not_recursive;
    return {&lock->word, is_recursive ? &lock->owner : nullptr, is_recursive ? &lock->count : nullptr};
}

template <class Lock>
int lock_by(Lock* lock, int (*lock_it)(const aligned_t*) noexcept) noexcept {
    if (lock == nullptr)
        return QTHREAD_BADARGS;
    int code = QTHREAD_SUCCESS;
    const int error = code_of([&] {
        const lock_parts parts = parts_of(lock);
        code = parts.owner != nullptr ? recursive_lock(parts.owner, parts.count, parts.word).lock(lock_it)
                                      : lock_it(parts.word);
    });
    return error != QTHREAD_SUCCESS ? error : code;
}
template <class Lock>
int unlock_by(Lock* lock) noexcept {
    if (lock == nullptr)
        return QTHREAD_BADARGS;
    int code = QTHREAD_SUCCESS;
    const int error = code_of([&] {
        const lock_parts parts = parts_of(lock);
        code = parts.owner != nullptr ? recursive_lock(parts.owner, parts.count, parts.word).unlock()
                                      : qthread_fill(parts.word);
    });
    return error != QTHREAD_SUCCESS ? error : code;
}

}  // namespace

extern "C" {

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
    // The function has no result that could report the mistake, so it ends the program.
    TEFF_CHECK(qthread_syncvar_readFE(&value, variable) != QTHREAD_MALLOC_ERROR, "Qthreads",
               "there is no memory for qthread_syncvar_incrF()", "give the process more memory");
    value = INT64TOINT60(value + increment);
    // The variable is in the table, since it is empty.
    qthread_syncvar_writeEF_const(variable, value);
    return value;
}

int qthread_lock(const aligned_t* word) { return lock_by(word, &lock_word); }
int qthread_unlock(const aligned_t* word) { return unlock_by(word); }
int qthread_trylock(const aligned_t* word) { return lock_by(word, &try_lock_word); }
int qthread_lock_init(const aligned_t* word, bool is_recursive) {
    if (word == nullptr)
        return QTHREAD_BADARGS;
    return is_recursive ? code_of([&] { locks().add(word); }) : qthread_lock_destroy(const_cast<aligned_t*>(word));
}
int qthread_lock_destroy(aligned_t* word) {
    return word == nullptr ? QTHREAD_BADARGS : code_of([&] { locks().remove(word); });
}

int qthread_spinlock_init(qthread_spinlock_t* lock, bool is_recursive) {
    if (lock == nullptr)
        return QTHREAD_BADARGS;
    *lock = {0, is_recursive ? free_and_recursive : not_recursive, 0};
    return qthread_fill(&lock->word);
}
int qthread_spinlock_destroy(qthread_spinlock_t* lock) {
    return lock == nullptr ? QTHREAD_BADARGS : qthread_fill(&lock->word);
}
int qthread_spinlock_lock(qthread_spinlock_t* lock) { return lock_by(lock, &lock_word); }
int qthread_spinlock_unlock(qthread_spinlock_t* lock) { return unlock_by(lock); }
int qthread_spinlock_trylock(qthread_spinlock_t* lock) { return lock_by(lock, &try_lock_word); }
int qthread_spinlocks_init(qthread_spinlock_t* lock, bool is_recursive) {
    return qthread_spinlock_init(lock, is_recursive);
}
int qthread_spinlocks_destroy(qthread_spinlock_t* lock) { return qthread_spinlock_destroy(lock); }

}  // extern "C"
