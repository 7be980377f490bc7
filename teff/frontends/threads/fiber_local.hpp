// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber-local variable (task-private data): each fiber has a copy of its own, as each thread has its own copy of a
// thread_local variable.
//
//   teff::fiber_local<int> depth;
//   ++*depth;
//
// Code that does not run on a fiber, such as a task of a group, uses the copy of its thread. A copy is made at the
// first use, as a copy of the initial value. It is destroyed at the end of the fiber's function, on the fiber, before a
// join returns; or at the end of the thread. This also holds for copies whose variable is gone.
//
// The copies of a fiber are in a list, the latest first, since a program has few such variables.
//
//   copy       any thread, also at the same time; what it returns belongs to the calling fiber or thread
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace teff {

namespace threads {

struct local_value {
    explicit local_value(std::uint64_t variable) noexcept : key(variable) {}
    local_value(const local_value&) = delete;
    local_value& operator=(const local_value&) = delete;
    virtual ~local_value();

    const std::uint64_t key;
    local_value* next = nullptr;
};

// The values of one fiber or thread, which alone uses the list, and calls destroy_all() at its end. There is no
// destructor, since a thread's list is a thread-local variable (base/thread.hpp).
class local_values {
public:
    constexpr local_values() noexcept = default;
    local_values(const local_values&) = delete;
    local_values& operator=(const local_values&) = delete;

    local_value* find(std::uint64_t key) const noexcept {
        local_value* each = first_;
        while (each != nullptr && each->key != key)
            each = each->next;
        return each;
    }
    local_value& add(std::unique_ptr<local_value> made) noexcept {
        made->next = first_;
        return *(first_ = made.release());
    }
    void swap(local_values& other) noexcept { std::swap(first_, other.first_); }
    // Also destroys values that destructors make meanwhile.
    void destroy_all() noexcept {
        while (first_ != nullptr)
            delete std::exchange(first_, first_->next);
    }

private:
    local_value* first_ = nullptr;
};

// The values of the calling fiber or thread. The address is valid until that ends. Throws std::bad_alloc.
local_values& local_values_here();

// Returns a different number for each call in a process.
std::uint64_t local_key() noexcept;

}  // namespace threads

// A variable of which each fiber has a copy, and so has each thread for code that is on no fiber. A copy is made at its
// first use and ends with its fiber or thread. Any thread.
template <class T>
class fiber_local {
    static constexpr bool can_be_copied = std::is_copy_constructible_v<T>;
    static_assert(can_be_copied, "teff: the T of a fiber_local<T> must be copyable, since each fiber gets a copy of "
                                 "its first value");

public:
    // initial: what each copy begins as.
    explicit fiber_local(T initial = T()) : initial_(std::move(initial)) {}
    // Takes the copies of `other`, which may then be destroyed or assigned to. No other fiber or thread may use either
    // at the same time. Throws what moving a T throws.
    fiber_local(fiber_local&& other) : initial_(std::move(other.initial_)), key_(other.leave_key()) {}
    // The same by assignment. The old copies of this variable exist until their fibers and threads end.
    fiber_local& operator=(fiber_local&& other) {
        if (this != &other) {
            initial_ = std::move(other.initial_);
            key_ = other.leave_key();
        }
        return *this;
    }

    // Throws std::bad_alloc, and what copying the initial value throws.
    T& copy() {
        threads::local_values& mine = threads::local_values_here();
        threads::local_value* found = mine.find(key_);
        if (found == nullptr)
            found = &mine.add(std::make_unique<value>(key_, initial_));
        return static_cast<value*>(found)->of;
    }
    // The calling fiber's copy, as copy().
    T& operator*() { return copy(); }
    // The same for its members.
    T* operator->() { return std::addressof(copy()); }

private:
    struct value final : threads::local_value {
        value(std::uint64_t variable, const T& initial) : local_value(variable), of(initial) {}

        T of;
    };

    std::uint64_t leave_key() noexcept { return std::exchange(key_, threads::local_key()); }

    T initial_;
    std::uint64_t key_ = threads::local_key();
};

}  // namespace teff
