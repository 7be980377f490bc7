// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member among those that the end of a count calls.
#pragma once

#include <teff/runtime/goal.hpp>

#include <teff/scheduler/event_count.hpp>

#include <utility>

namespace teff {

// While a member waits for a count and may sleep: has itself called when that ends.
class watch {
public:
    watch(const goal& awaited, event_count& where) noexcept : count_(awaited.watched), self_{&where} {}
    ~watch() {
        if (has_begun_)
            count_->unwatch(self_);
    }
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;

    void begin() noexcept {
        if (count_ == nullptr || std::exchange(has_begun_, true))
            return;
        count_->watch(self_);
    }

private:
    count_latch* const count_;
    count_latch::watcher self_;
    bool has_begun_ = false;
};

}  // namespace teff
