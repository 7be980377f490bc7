// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best value that any task of any rank has found so far: the bound of a branch-and-bound search.
//
//   teff::mpi::shared_best<long> best(0);                                  // on every rank
//   reduce_tasks(comm, search{&best}, root, {.best = &best});              // tasks: best.get(), best.improve(value)
//
// Tasks read and improve the object of their rank, which costs one relaxed load, or one exchange. The communicating
// thread spreads improvements lazily. The value travels in front of every message that ranks send each other anyway. A
// rank with a better value than it told last tells its neighbours in the hypercube (lifelines.hpp), at most once in a
// quarter of a millisecond, and these tell theirs. So a rank may read an older value than another has found, for about
// a millisecond per step in the cube. A search must be right with any of them: an old bound prunes less. When the call
// returns, every rank has the best value of all.
//
// Rejected: an improvement that wakes the communicating thread. A search finds its first improvements at once, one
// after the other, and all but the last are of no use to other ranks.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/mpi/transfer.hpp>

#include <functional>
#include <type_traits>

namespace teff::mpi {

// A shared value as the communicating thread sees it.
class shared_value {
public:
    shared_value() = default;
    shared_value(const shared_value&) = delete;
    shared_value& operator=(const shared_value&) = delete;

    // The number of bytes that write() appends.
    virtual int size() const noexcept = 0;
    // Appends the value. Throws std::bad_alloc.
    virtual void write(writer& to) const = 0;
    // Takes over what another rank has written, if it is better.
    virtual void read(reader& from) = 0;
    // Whether the value has become better since the last call.
    virtual bool take_news() noexcept = 0;

protected:
    ~shared_value() = default;
};

// Better(one, other): whether `one` is better; a strict weak order. By default greater values are. Each rank passes an
// object of its own to the call, as the option `best`; it must live until the call returns.
template <class T, class Better = std::greater<T>>
class shared_best final : public shared_value {
    static_assert(std::is_trivially_copyable_v<T>,
                  "teff: a value that ranks share must be trivially copyable (teff/mpi/shared_best.hpp)");

public:
    // `first`: the value before any task has found one, the same on all ranks.
    explicit shared_best(T first, Better better = {}) noexcept : better_(better), told_(first), value_(first) {}

    // The best value that this rank knows of. Any thread.
    T get() const noexcept {
        // relaxed: the value publishes no other data, and an older one is allowed; partner: the exchange in improve().
        return value_.load(std::memory_order_relaxed);
    }

    // Replaces the value if `found` is better; returns whether it was. Any thread.
    bool improve(T found) noexcept {
        // relaxed, here and for both outcomes: as in get().
        T seen = value_.load(std::memory_order_relaxed);
        while (better_(found, seen))
            if (value_.compare_exchange_weak(seen, found, std::memory_order_relaxed, std::memory_order_relaxed))
                return true;
        return false;
    }

    int size() const noexcept override { return static_cast<int>(sizeof(T)); }
    void write(writer& to) const override { to.put(get()); }
    void read(reader& from) override { improve(from.get<T>()); }
    bool take_news() noexcept override {
        const T now = get();
        if (!better_(now, told_))
            return false;
        told_ = now;
        return true;
    }

private:
    // constant
    const Better better_;
    // the communicating thread's
    T told_;
    // written by tasks that improve it, read by all
    alignas(false_sharing_range) atomic<T> value_;
};

}  // namespace teff::mpi
