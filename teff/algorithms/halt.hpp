// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends a call of an algorithm early, because something threw or because its stop_token requests it. Each call has one
// halt in its frame. All pieces check it before they begin and between chunks. No exception crosses a fork: each piece
// stores its exception here. Only the first one in time is kept, and it is rethrown when all pieces have ended.
//
//   is_set, has_failed, keep, guard    any piece
//   rethrow                            the caller, after all pieces
#pragma once

#include <teff/base/atomic.hpp>

#include <exception>
#include <stop_token>
#include <utility>

namespace teff::algorithm {

class halt {
public:
    explicit halt(std::stop_token token) noexcept : token_(std::move(token)) {}

    bool has_failed() const noexcept {
        // relaxed: a hint not to begin; the error is read after the join with the thread that wrote it.
        return has_failed_.load(std::memory_order_relaxed);
    }
    bool is_set() const noexcept { return has_failed() || token_.stop_requested(); }

    // Call it inside a catch handler: keeps the exception if it is the first one.
    void keep() noexcept {
        // relaxed: it only elects the thread that writes error_; the joins make error_ visible to rethrow().
        if (!has_failed_.exchange(true, std::memory_order_relaxed))
            error_ = std::current_exception();
    }
    template <class F>
    void guard(F&& f) noexcept {
        try {
            f();
        } catch (...) {
            keep();
        }
    }
    void rethrow() {
        if (error_)
            std::rethrow_exception(std::move(error_));
    }

private:
    std::stop_token token_;
    atomic<bool> has_failed_{false};
    std::exception_ptr error_;  // written by the thread that set has_failed_
};

}  // namespace teff::algorithm
