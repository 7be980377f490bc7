// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// queue_throughput with a ring under a mutex, like X-OpenMP's MPMC queue: runtime pthread.
#include <bench/queue_throughput/queue_throughput.hpp>

#include <array>
#include <mutex>

namespace bench {
namespace {

class locked_ring {
public:
    bool try_push(std::uint64_t item) {
        const std::scoped_lock lock(mutex_);
        if (size_ == items_.size()) return false;
        items_[(first_ + size_++) % items_.size()] = item;
        return true;
    }

    bool try_pop(std::uint64_t& item) {
        const std::scoped_lock lock(mutex_);
        if (size_ == 0) return false;
        item = items_[first_];
        first_ = (first_ + 1) % items_.size();
        --size_;
        return true;
    }

private:
    alignas(128) std::mutex mutex_;      // pthread's
    std::size_t first_ = 0;
    std::size_t size_ = 0;
    alignas(128) std::array<std::uint64_t, queue_throughput::capacity> items_{};
};

}  // namespace

outcome run_queue_throughput(const parameters& p) {
    std::array<locked_ring, 1> queues;
    if (p.threads == 1) return queue_throughput::measure_alone(p, queues[0]);
    return queue_throughput::measure_shared(p, false, queues);
}

}  // namespace bench
