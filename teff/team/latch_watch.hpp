// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry of a waiting member in a count latch's list of watchers.
#pragma once

#include <teff/scheduler/event_count.hpp>
#include <teff/team/wait_condition.hpp>

#include <utility>

namespace teff {

// One wait of a member. If it waits for a count, begin() adds the member to the watchers, which are notified when the
// count ends; called before the member sleeps. The destructor removes it.
class latch_watch {
public:
    latch_watch(const wait_condition& awaited, event_count& where) noexcept : count_(awaited.watched), self_{&where} {}
    ~latch_watch() {
        if (has_begun_)
            count_->unwatch(self_);
    }
    latch_watch(const latch_watch&) = delete;
    latch_watch& operator=(const latch_watch&) = delete;

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
