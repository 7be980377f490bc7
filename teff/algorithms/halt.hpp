// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a call of an algorithm ends early: something threw, or its stop_token asks for it. One stands in the frame of
// each call; all pieces look at it before they begin and between chunks. No exception passes a fork: each piece keeps
// its own here, the first one in time is the one that is thrown when all pieces have ended.
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
        // relaxed: a hint not to begin; the error is read after the join of who wrote it.
        return has_failed_.load(std::memory_order_relaxed);
    }
    bool is_set() const noexcept { return has_failed() || token_.stop_requested(); }

    // Inside a handler: keeps the exception if it is the first one.
    void keep() noexcept {
        // relaxed: it only elects who writes the error; joins make that visible.
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
    std::exception_ptr error_;  // written by who set has_failed_
};

}  // namespace teff::algorithm
