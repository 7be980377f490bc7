// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of the table of full_empty_word.cpp, with a mutex of its own: the words that are empty, and the full words
// that some operation needs empty.
//
// Whenever the mutex is free, no operation waits for the state that its word has: the thread that changes the state
// performs the operations that were waiting for it (perform_waiting()), and wakes them after it has released the mutex.
//
//   try_perform, perform, is_full    any thread
//   guard, forget_waiting            around fork()
//   size                             while no other thread uses the object
#pragma once

#include <teff/base/locks.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/threads/full_empty_word.hpp>
#include <teff/frontends/threads/parking.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <unordered_map>

namespace teff::threads {

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
inline void copy_value(const word_access& access) noexcept {
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
    void perform_waiting(wait_list& performed) noexcept {
        while (auto* const next = static_cast<waiting_access*>((is_full ? wait_for_full : wait_for_empty).take())) {
            try_perform(next->access);
            performed.add(*next);
        }
    }
    // Whether the state is that of a word that is not in the table.
    bool is_default() const noexcept { return is_full && wait_for_empty.empty(); }
};

class alignas(cache_line_size) word_shard {
public:
    // False: the operation would have to wait.
    bool try_perform(const word_access& access) { return perform_or_add(access, nullptr); }
    void perform(const word_access& access) {
        if (!try_perform(access))
            wait_and_perform(access);
    }
    bool is_full(void* word, std::uint64_t empty_mark) {
        const scoped_lock locked(guard_);
        const auto at = find(word, empty_mark);
        return at == words_.end() || at->second.is_full;
    }

    // The number of words in it.
    std::size_t size() const noexcept { return words_.size(); }

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

    // Out of line: most operations need not wait, and need no frame for a waiter.
    [[gnu::noinline]] void wait_and_perform(const word_access& access) {
        waiting_access self(access);
        if (!perform_or_add(access, &self))
            self.here.wait({.kind = "word",
                            .event = needs_empty(access.what) ? "to be empty" : "to be full",
                            .object = access.word});
    }
    // False: the operation has to wait; if `self` is given, it was added to the word's waiting operations.
    bool perform_or_add(const word_access& access, waiting_access* self) {
        wait_list performed;
        bool is_done = false;
        {
            const scoped_lock locked(guard_);
            // ThreadSanitizer sees the copy of the value, so it is told that the operations of a word are ordered.
            sanitizers::happens_after(access.word);
            is_done = perform_locked(access, self, performed);
            sanitizers::happens_before(access.word);
        }
        wake_all(performed);
        return is_done;
    }
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
            state.perform_waiting(performed);
        else if (self != nullptr)
            (needs_full(access.what) ? state.wait_for_full : state.wait_for_empty).add(*self);
        if (state.is_default())
            words_.erase(at);
        return is_done;
    }

    mutex guard_;
    words words_;  // under the guard
};

}  // namespace teff::threads
