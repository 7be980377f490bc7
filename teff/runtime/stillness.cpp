// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stillness.hpp.
#include <teff/runtime/stillness.hpp>

#include <teff/runtime/worker.hpp>

namespace teff {

std::uint64_t stillness::awake_as_this_thread() noexcept {
    return this_thread().worker != 0 ? one_awake + one_worker : one_awake;
}

void stillness::count_this_thread() noexcept {
    this_thread().is_counted = true;
    // relaxed, here and in leave_out_this_thread(): numbers. A thread that falls asleep later publishes them.
    threads_.fetch_add(1, std::memory_order_relaxed);
    word_.fetch_add(awake_as_this_thread(), std::memory_order_relaxed);
}

void stillness::leave_out_this_thread() noexcept {
    this_thread().is_counted = false;
    threads_.fetch_sub(1, std::memory_order_relaxed);
    word_.fetch_sub(awake_as_this_thread(), std::memory_order_relaxed);
}

stillness::scoped_sleep::scoped_sleep(stillness& in) noexcept
    : in_(this_thread().is_counted ? &in : nullptr), awake_(awake_as_this_thread()) {
    if (in_ == nullptr)
        return;
    const std::uint64_t change = one_sleep - awake_;
    // acq_rel: what each thread did before it fell asleep is seen by the last one; partners: these, and the acquire in
    // is_still().
    since_ = in_->word_.fetch_add(change, std::memory_order_acq_rel) + change;
}

stillness::scoped_sleep::~scoped_sleep() {
    if (in_ != nullptr)
        // release: continues the sequence for is_still(), which sees that the thread is awake.
        in_->word_.fetch_add(awake_, std::memory_order_release);
}

void stillness::reset_after_fork() noexcept {
    const unsigned left = this_thread().is_counted ? 1 : 0;
    // relaxed, all: the child has one thread.
    threads_.store(left, std::memory_order_relaxed);
    word_.store(left, std::memory_order_relaxed);
}

}  // namespace teff
