// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that is written once, for fibers and all other threads (Chapel's single variable). It is a sync_var that
// no operation empties. So a read waits for the write, and then sees everything that was done before the write.
//
// Any thread may call any operation at any time.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/frontends/threads/sync_var.hpp>

#include <stdexcept>
#include <utility>

namespace teff {

// T: as of a sync_var.
template <class T>
class single_var {
public:
    // Empty.
    single_var(site made = site::current()) noexcept : value_(made) {}
    // Full.
    explicit single_var(T value, site made = site::current()) noexcept : is_written_(true), value_(value, made) {}
    // Takes the value of `other`, which is then empty. No operation may be under way on either; ends the program with a
    // message if one waits.
    single_var(single_var&& other) noexcept
        : is_written_(other.leave()), value_(std::move(other.value_)) {}
    // The same; the value that this variable had is gone.
    single_var& operator=(single_var&& other) noexcept {
        if (this != &other) {
            value_ = std::move(other.value_);
            // relaxed: no operation is under way.
            is_written_.store(other.leave(), std::memory_order_relaxed);
        }
        return *this;
    }

    // Does not wait. Throws std::logic_error if the variable was written before, which leaves it as it is.
    void write_ef(T value) {
        // relaxed: only decides which call is the first; the sync_var publishes the value.
        if (is_written_.exchange(true, std::memory_order_relaxed))
            throw std::logic_error("teff: a single_var was written a second time; it takes one value. Use a sync_var "
                                   "for a value that changes");
        value_.write_ef(value);
    }
    // Waits until the variable is full.
    T read_ff() noexcept { return value_.read_ff(); }
    // T() while the variable is empty.
    T read_xx() const noexcept { return value_.read_xx(); }
    // Whether the variable was written. A hint while another thread writes it.
    bool is_full() const noexcept { return value_.is_full(); }

private:
    // relaxed: no operation is under way.
    bool leave() noexcept { return is_written_.exchange(false, std::memory_order_relaxed); }

    atomic<bool> is_written_{false};
    sync_var<T> value_;
};

}  // namespace teff
