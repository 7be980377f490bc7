// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processors are busy, and which threads wait for one: a simple scheduler of an operating system.
//
// A thread that becomes ready runs on its last processor if that one is idle, else on the nearest idle one. If none is
// idle, it waits in one queue for all processors, until a thread somewhere sleeps, yields, ends or has used up its time
// slice.
#pragma once

#include <simulator/machine.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace simulator {

struct place {
    unsigned processor = 0;
    unsigned core = 0;
    duration since = 0;  // the time slice began
};

class processors {
public:
    using thread_number = unsigned;

    explicit processors(const machine& simulated)
        : machine_(simulated), busy_(simulated.processors()), busy_in_core_(simulated.cores()) {
        for (unsigned i = 0; i < simulated.kept_busy(); ++i)
            take(simulated.processors() - 1 - i);
    }

    // Takes the idle processor that is nearest to `wanted`; false if there is none.
    bool take_near(unsigned wanted, unsigned& taken) noexcept;
    void free(unsigned processor) noexcept {
        busy_[processor] = false;
        --busy_in_core_[machine_.core_of(processor)];
    }
    bool is_core_shared(unsigned core) const noexcept { return busy_in_core_[core] > 1; }

    bool has_queue() const noexcept { return !queue_.empty(); }
    void wait(thread_number thread) { queue_.push_back(thread); }
    thread_number first_waiting() noexcept {
        const thread_number first = queue_.front();
        queue_.pop_front();
        return first;
    }

private:
    void take(unsigned processor) noexcept {
        busy_[processor] = true;
        ++busy_in_core_[machine_.core_of(processor)];
    }

    const machine& machine_;
    std::vector<bool> busy_;
    std::vector<unsigned> busy_in_core_;
    std::deque<thread_number> queue_;
};

inline bool processors::take_near(unsigned wanted, unsigned& taken) noexcept {
    const unsigned all = machine_.processors();
    const unsigned socket = machine_.socket_of_core(machine_.core_of(wanted));
    unsigned best = all, best_rank = 4;
    for (unsigned i = 0; i < all; ++i) {
        const unsigned candidate = (wanted + i) % all;
        if (busy_[candidate])
            continue;
        const unsigned core = machine_.core_of(candidate);
        // An idle core of the same socket, then one of another socket, then the second thread of a busy core.
        const unsigned rank = candidate == wanted               ? 0
                              : busy_in_core_[core] != 0        ? 3
                              : machine_.socket_of_core(core) == socket ? 1
                                                                : 2;
        if (rank < best_rank) {
            best = candidate;
            best_rank = rank;
        }
        if (rank <= 1)
            break;
    }
    if (best == all)
        return false;
    take(best);
    taken = best;
    return true;
}

}  // namespace simulator
