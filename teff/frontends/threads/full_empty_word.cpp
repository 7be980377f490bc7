// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of words that are empty, or that are full and for whose emptying an operation waits. It has shards by
// address, each with a mutex of its own, so that operations on different words seldom meet.
//
// Whenever a shard's mutex is free, no operation waits for the state that its word has: the thread that changes the
// state performs the operations that were waiting for it (settle()), and wakes them after it has released the mutex.
#include <teff/frontends/threads/full_empty_word.hpp>

#include <teff/base/cache_line.hpp>
#include <teff/base/mutex.hpp>
#include <teff/frontends/threads/wait_list.hpp>

#include <cstdint>
#include <cstring>
#include <pthread.h>
#include <unordered_map>

namespace teff::threads {
namespace {

constexpr bool needs_full(word_operation what) noexcept {
    return what == word_operation::write_ff || what == word_operation::read_fe || what == word_operation::read_ff;
}
constexpr bool needs_empty(word_operation what) noexcept { return what == word_operation::write_ef; }
constexpr bool leaves_empty(word_operation what) noexcept {
    return what == word_operation::read_fe || what == word_operation::write_xe || what == word_operation::empty;
}
constexpr bool reads(word_operation what) noexcept {
    return what == word_operation::read_fe || what == word_operation::read_ff || what == word_operation::read_xx;
}

// The value may be stored in the word itself.
void copy_value(const word_access& access) noexcept {
    if (access.size == 0)
        return;
    if (reads(access.what))
        std::memmove(access.value, access.word, access.size);
    else
        std::memmove(access.word, access.value, access.size);
}

// An operation that waits, on the stack of its call.
struct waiting_access : waiter {
    explicit waiting_access(const word_access& given) noexcept : access(given) {}

    const word_access& access;
};

struct word_state {
    bool is_full = true;
    wait_list wait_for_full;
    wait_list wait_for_empty;

    bool try_perform(const word_access& access) noexcept {
        if (is_full ? needs_empty(access.what) : needs_full(access.what))
            return false;
        copy_value(access);
        if (access.what != word_operation::read_xx)
            is_full = !leaves_empty(access.what);
        return true;
    }
    // Performs operations that wait for the present state, until there are none. Adds them to `performed`.
    void settle(wait_list& performed) noexcept {
        while (auto* const next = static_cast<waiting_access*>((is_full ? wait_for_full : wait_for_empty).take())) {
            try_perform(next->access);
            performed.add(*next);
        }
    }
    // Whether it is as that of a word in no table.
    bool is_default() const noexcept { return is_full && wait_for_empty.empty(); }
};

class alignas(cache_line_size) shard {
public:
    // False: the operation has to wait; it is among those that do, if it is given as `self`.
    bool perform(const word_access& access, waiting_access* self) {
        wait_list performed;
        bool is_done = false;
        {
            const scoped_lock locked(guard_);
            is_done = perform_locked(access, self, performed);
        }
        wake_all(performed);
        return is_done;
    }
    bool is_full(void* word, std::uint64_t empty_mark) {
        const scoped_lock locked(guard_);
        const auto at = find(word, empty_mark);
        return at == words_.end() || at->second.is_full;
    }

    mutex& guard() noexcept { return guard_; }
    // In the child of a fork(), where nothing waits any more.
    void forget_waiting() noexcept {
        for (auto each = words_.begin(); each != words_.end();) {
            each->second.wait_for_full = each->second.wait_for_empty = wait_list();
            each = each->second.is_default() ? words_.erase(each) : std::next(each);
        }
    }

private:
    using words = std::unordered_map<const void*, word_state>;

    // Under the guard, both functions.
    words::iterator find(void* word, std::uint64_t empty_mark) {
        const auto at = words_.find(word);
        if (at != words_.end() || empty_mark == 0)
            return at;
        std::uint64_t value = 0;
        std::memcpy(&value, word, sizeof value);
        if ((value & empty_mark) == 0)
            return at;
        const auto made = words_.try_emplace(word).first;
        made->second.is_full = false;
        value &= ~empty_mark;
        std::memcpy(word, &value, sizeof value);
        return made;
    }
    bool perform_locked(const word_access& access, waiting_access* self, wait_list& performed) {
        auto at = find(access.word, access.empty_mark);
        if (at == words_.end()) {
            if (!needs_empty(access.what) && !leaves_empty(access.what)) {
                copy_value(access);
                return true;
            }
            at = words_.try_emplace(access.word).first;
        }
        word_state& state = at->second;
        const bool is_done = state.try_perform(access);
        if (is_done)
            state.settle(performed);
        else if (self != nullptr)
            (needs_full(access.what) ? state.wait_for_full : state.wait_for_empty).add(*self);
        if (state.is_default())
            words_.erase(at);
        return is_done;
    }

    mutex guard_;
    words words_;  // under the guard
};

class word_table {
public:
    static shard& shard_of(const void* word) {
        // Never destroyed: fibers may use words while the program exits.
        static word_table& the_table = *new word_table;
        // Words that are neighbours, and objects of any size in an array, should be in different shards.
        const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(word) * 0x9E37'79B9'7F4A'7C15U;
        return the_table.shards_[mixed >> (64 - shard_bits)];
    }

private:
    static constexpr unsigned shard_bits = 6;

    word_table() {
        for_forks = this;
        pthread_atfork(lock_all, unlock_all, unlock_in_child);
    }

    static void lock_all() noexcept {
        for (shard& each : for_forks->shards_)
            each.guard().lock();
    }
    static void unlock_all() noexcept {
        for (shard& each : for_forks->shards_)
            each.guard().unlock();
    }
    static void unlock_in_child() noexcept {
        for (shard& each : for_forks->shards_) {
            each.forget_waiting();
            each.guard().reset_after_fork();
        }
    }

    static inline constinit word_table* for_forks = nullptr;
    shard shards_[std::size_t{1} << shard_bits];
};

// Out of line: most operations need not wait, and need no frame for a waiter.
[[gnu::noinline]] void wait_and_perform(shard& of, const word_access& access) {
    waiting_access self(access);
    if (!of.perform(access, &self))
        self.here.wait({.kind = "word",
                        .event = access.what == word_operation::write_ef ? "to be empty" : "to be full",
                        .object = access.word});
}

}  // namespace

bool try_perform(const word_access& access) { return word_table::shard_of(access.word).perform(access, nullptr); }

void perform(const word_access& access) {
    shard& of = word_table::shard_of(access.word);
    if (!of.perform(access, nullptr))
        wait_and_perform(of, access);
}

bool word_is_full(void* word, std::uint64_t empty_mark) {
    return word_table::shard_of(word).is_full(word, empty_mark);
}

}  // namespace teff::threads
