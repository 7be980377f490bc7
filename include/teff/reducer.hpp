// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that many tasks add to at once without a lock: each thread has its own copy, and the copies are combined.
//
//   teff::reducer<long> sum;
//   teff::parallel_for(0, n, [&](int i) { *sum += f(i); });
//   std::printf("%ld\n", sum.get());
//
// reducer has one copy per thread, for operations that are associative and commutative.
// ordered_reducer has one copy per stolen stretch of work, for operations that are only associative (such as appending
// to a list). Its result is that of a program with one thread, as with Cilk's reducers (Frigo et al., "Reducers and
// Other Cilk++ Hyperobjects", 2009). That holds for work forked by fork_join() and by the algorithms. Contributions of
// a group's tasks are all included after the group's wait(), in no particular order.
//
// Copies start as the neutral element. Do not keep a reference to a copy across a call that forks or waits, or across a
// point where the code may move to another thread: other work on this thread may use the same copy meanwhile, or the
// code may continue on another thread, which has another copy.
// A task's additions are included after wait() of its group or get() of its handle, or after the destructor of either.
#pragma once

#include <teff/frontends/fork_join/copies.hpp>
#include <teff/frontends/fork_join/views.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace teff {

namespace forking {

// Whether a reducer can combine values of type T by Op; if not, says why.
template <class T, class Op>
consteval bool can_be_reduced() {
    constexpr bool can_be_copied = std::is_copy_constructible_v<T>;
    static_assert(can_be_copied, "teff: the T of a reducer<T, Op> must be copyable, since each thread gets a copy of "
                                 "the neutral element");
    constexpr bool can_be_combined = !can_be_copied || std::is_invocable_r_v<T, const Op&, T&&, const T&>;
    static_assert(can_be_combined, "teff: the Op of a reducer<T, Op> must be callable through const with two values "
                                   "of type T, and return a T; the default std::plus<> needs an operator+ of T");
    return true;
}

}  // namespace forking

// T: copyable. Op: callable as op(T, T) -> T, from several threads at once.
template <class T, class Op = std::plus<>>
class reducer {
    static_assert(forking::can_be_reduced<T, Op>());

public:
    // neutral: what each copy begins as; op(neutral, x) must be x. Throws what copying them throws.
    explicit reducer(T neutral = T(), Op op = Op()) : neutral_(std::move(neutral)), op_(std::move(op)) {}
    // Takes the copies of `other`, to which references stay valid. `other` may be destroyed or assigned to. No other
    // thread may use either reducer at the same time. Throws what moving a T or an Op throws.
    reducer(reducer&& other) = default;
    // The same; destroys the copies that this reducer had.
    reducer& operator=(reducer&& other) = default;

    // The calling thread's copy. Throws std::bad_alloc, or what copying the neutral element throws. Any thread.
    T& operator*() { return copies_.mine(neutral_); }
    // The calling thread's copy, for its members; as operator*().
    T* operator->() { return &**this; }

    // Combines all copies, in any order. No other thread may use its copy at the same time.
    [[nodiscard("get() only computes the result; use reset() to start again")]] T get() const {
        T sum = neutral_;
        copies_.each([&](const T& copy) { sum = op_(std::move(sum), copy); });
        return sum;
    }
    // Sets all copies to the neutral element. No other thread may use its copy at the same time.
    void reset() {
        copies_.each([&](T& copy) { copy = neutral_; });
    }

private:
    T neutral_;
    Op op_;
    forking::copies<T> copies_;
};

// T: copyable. Op: callable as op(T, T) -> T, from several threads at once.
template <class T, class Op = std::plus<>>
class ordered_reducer {
    static_assert(forking::can_be_reduced<T, Op>());

public:
    // neutral: what each copy begins as; op(neutral, x) and op(x, neutral) must be x. Throws what copying them throws.
    explicit ordered_reducer(T neutral = T(), Op op = Op()) : neutral_(std::move(neutral)), op_(std::move(op)) {}
    // Call it on the thread that created the reducer, after all work that uses the reducer has been joined.
    ~ordered_reducer() { forking::drop_view(key_); }
    // Takes the result of `other`, to which a reference stays valid. `other` may be destroyed or assigned to. Call it
    // on the thread that created `other`, after all work that uses it has been joined. Throws what moving a T or an Op
    // throws.
    ordered_reducer(ordered_reducer&& other)
        : neutral_(std::move(other.neutral_)), op_(std::move(other.op_)), key_(other.leave_key()) {
        adopt_copy();
    }
    // The same; destroys the result that this reducer had. The conditions hold for both reducers.
    ordered_reducer& operator=(ordered_reducer&& other) {
        if (this != &other) {
            forking::drop_view(key_);
            neutral_ = std::move(other.neutral_);
            op_ = std::move(other.op_);
            key_ = other.leave_key();
            adopt_copy();
        }
        return *this;
    }

    // The copy of the current stretch of work. On the thread that created the reducer, after all that it forked has
    // been joined, this is the complete result. May be called by that thread and by all work that it forks or hands
    // over; what any other thread adds is lost when that thread exits. Throws std::bad_alloc, or what copying the
    // neutral element throws.
    T& operator*() {
        if (forking::view* const found = forking::find_view(key_)) [[likely]]
            return static_cast<copy*>(found)->value;
        return static_cast<copy&>(forking::add_view(std::make_unique<copy>(*this))).value;
    }
    // The copy of the current stretch of work, for its members; as operator*().
    T* operator->() { return &**this; }

    // Returns a copy of the complete result. Call it on the thread that created the reducer, after all work that uses
    // the reducer has been joined.
    [[nodiscard("get() only copies the result; use reset() to start again")]] T get() { return **this; }
    // Sets the result to the neutral element. The conditions of get() apply.
    void reset() { **this = neutral_; }

private:
    struct copy final : forking::view {
        explicit copy(const ordered_reducer& reducer)
            : forking::view(reducer.key_), value(reducer.neutral_), op(&reducer.op_) {}
        void append(forking::view& right) override {
            value = (*op)(std::move(value), std::move(static_cast<copy&>(right).value));
        }

        T value;
        const Op* op;
    };

    std::uint64_t leave_key() noexcept { return std::exchange(key_, forking::unique_number()); }
    // All work has been joined, so the calling strand has the only copy.
    void adopt_copy() noexcept {
        if (forking::view* const found = forking::find_view(key_))
            static_cast<copy*>(found)->op = &op_;
    }

    T neutral_;
    Op op_;
    std::uint64_t key_ = forking::unique_number();
};

}  // namespace teff
