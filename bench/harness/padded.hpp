// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One partial result per thread, each on cache lines of its own: the manual reduction of runtimes that have none over
// tasks (Blaze-Tasks, section 5). A thread adds to its own slot only; total() is for the time after the parallel run.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

template <class Value> class padded_partials {
public:
    explicit padded_partials(unsigned threads) : slots_(threads) {}

    Value& operator[](std::size_t index) { return slots_[index].value; }

    Value total() const {
        Value sum{};
        for (const slot& each : slots_) sum += each.value;
        return sum;
    }

private:
    struct alignas(128) slot {           // two lines: the hardware prefetches them in pairs
        Value value{};
    };

    std::vector<slot> slots_;
};

}  // namespace bench
