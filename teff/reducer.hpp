// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that many tasks add to at once without a lock: each thread has a copy of its own, and the copies are
// combined.
//
//   teff::reducer<long> sum;
//   teff::parallel_for(0, n, [&](int i) { *sum += f(i); });
//   std::printf("%ld\n", sum.get());
//
// reducer: a copy per thread, for operations that are associative and commutative. ordered_reducer: a copy per stretch
// of work that another thread took, for operations that are only associative (appending to a list): the result is that
// of a program with one thread, as Cilk's reducers have it (Frigo et al., "Reducers and Other Cilk++ Hyperobjects",
// 2009). That holds for what is forked by fork_join() and the algorithms; contributions of a group's tasks are all
// there after its wait(), in no particular order.
//
// Copies start as the neutral element. Do not keep a reference to one across a call that forks, waits or is run
// elsewhere: what runs meanwhile may use the same copy, or another thread goes on with another one.
// What a task has added is there after its group's wait(), or its handle's get(), or the end of either.
#pragma once

#include <teff/frontends/fork_join/copies.hpp>
#include <teff/frontends/fork_join/views.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace teff {

// T: copyable. Op: callable as op(T, T) -> T, from several threads at once.
template <class T, class Op = std::plus<>>
class reducer {
public:
    explicit reducer(T neutral = T(), Op op = Op()) : neutral_(std::move(neutral)), op_(std::move(op)) {}
    reducer(const reducer&) = delete;
    reducer& operator=(const reducer&) = delete;

    // The calling thread's copy. Throws std::bad_alloc, or what copying the neutral element throws. Any thread.
    T& operator*() { return copies_.mine(neutral_); }
    T* operator->() { return &**this; }

    // The combination of all copies, in any order. Not while others use theirs.
    T get() const {
        T sum = neutral_;
        copies_.each([&](const T& copy) { sum = op_(std::move(sum), copy); });
        return sum;
    }
    // All copies are the neutral element again. Not while others use theirs.
    void reset() {
        copies_.each([&](T& copy) { copy = neutral_; });
    }

private:
    const T neutral_;
    const Op op_;
    forking::copies<T> copies_;
};

// T: copyable. Op: callable as op(T, T) -> T, from several threads at once.
template <class T, class Op = std::plus<>>
class ordered_reducer {
public:
    explicit ordered_reducer(T neutral = T(), Op op = Op()) : neutral_(std::move(neutral)), op_(std::move(op)) {}
    // On the thread that made it, where all that uses it has been joined.
    ~ordered_reducer() { forking::drop_view(key_); }
    ordered_reducer(const ordered_reducer&) = delete;
    ordered_reducer& operator=(const ordered_reducer&) = delete;

    // The copy of what runs here: in the thread that made it, after all that it forked has been joined, the whole.
    // Throws std::bad_alloc, or what copying the neutral element throws. In the thread that made it, and in all that
    // this forks or hands over; what another thread adds outside of that is lost with that thread.
    T& operator*() {
        if (forking::view* const found = forking::find_view(key_)) [[likely]]
            return static_cast<copy*>(found)->value;
        return static_cast<copy&>(forking::add_view(std::make_unique<copy>(*this))).value;
    }
    T* operator->() { return &**this; }

    // A copy of the whole. In the thread that made it, where all that uses it has been joined.
    T get() { return **this; }
    // The whole is the neutral element again. As get().
    void reset() { **this = neutral_; }

private:
    struct copy final : forking::view {
        explicit copy(const ordered_reducer& of) : forking::view(of.key_), value(of.neutral_), op(of.op_) {}
        void append(forking::view& right) override {
            value = op(std::move(value), std::move(static_cast<copy&>(right).value));
        }

        T value;
        const Op& op;
    };

    const T neutral_;
    const Op op_;
    const std::uint64_t key_ = forking::unique_number();
};

}  // namespace teff
