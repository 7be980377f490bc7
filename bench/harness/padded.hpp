// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One partial result per thread, each on its own cache lines: the manual reduction for runtimes that have no
// reduction over tasks (Blaze-Tasks, section 5). A thread adds only to its own slot; total() may be called only after
// the parallel run.
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
    struct alignas(128) slot {           // two lines, since the hardware prefetches pairs
        Value value{};
    };

    std::vector<slot> slots_;
};

}  // namespace bench
