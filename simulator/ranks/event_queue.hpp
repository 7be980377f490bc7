// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of a discrete-event simulation in the order of their times: a heap with four children per node, which is
// flatter than one with two and keeps the children of a node on two cache lines. Events of the same time come out in
// the order in which they were added, so a simulation is the same each time.
#pragma once

#include <simulator/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simulator {

template <class What>
class event_queue {
public:
    struct event {
        duration at;
        std::uint64_t order;
        What what;

        bool is_before(const event& other) const noexcept {
            return at != other.at ? at < other.at : order < other.order;
        }
    };

    bool empty() const noexcept { return heap_.empty(); }
    std::size_t size() const noexcept { return heap_.size(); }

    // Throws std::bad_alloc.
    void add(duration at, const What& what) {
        const event added = {at, next_order_++, what};
        std::size_t hole = heap_.size();
        heap_.push_back(added);
        while (hole != 0) {
            const std::size_t parent = (hole - 1) / ways;
            if (!added.is_before(heap_[parent]))
                break;
            heap_[hole] = heap_[parent];
            hole = parent;
        }
        heap_[hole] = added;
    }

    // The earliest event. The queue must not be empty.
    event take() noexcept {
        const event first = heap_.front(), moved = heap_.back();
        heap_.pop_back();
        if (!heap_.empty())
            sink(moved);
        return first;
    }

private:
    static constexpr std::size_t ways = 4;

    void sink(const event& moved) noexcept {
        std::size_t hole = 0;
        for (std::size_t child = 1; child < heap_.size(); child = ways * hole + 1) {
            const std::size_t end = std::min(child + ways, heap_.size());
            std::size_t least = child;
            for (std::size_t each = child + 1; each < end; ++each)
                if (heap_[each].is_before(heap_[least]))
                    least = each;
            if (!heap_[least].is_before(moved))
                break;
            heap_[hole] = heap_[least];
            hole = least;
        }
        heap_[hole] = moved;
    }

    std::vector<event> heap_;
    std::uint64_t next_order_ = 0;
};

}  // namespace simulator
