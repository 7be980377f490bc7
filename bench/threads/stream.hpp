// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The triad of STREAM (Evans et al., section 4.4): a = b + alpha c, over arrays that are larger than the caches. A
// repetition starts some threads per worker, each of which has an equal part of the arrays; so it measures what the
// runtime costs beside a loop that is bounded by memory.
#pragma once

#include <bench/threads/threads.hpp>

#include <cstddef>
#include <memory>

namespace bench::threads::stream {

class arrays {
public:
    explicit arrays(const parameters& p);

    // The threads of a repetition.
    std::size_t parts() const { return parts_; }
    static constexpr int repetitions = 20;

    // By the threads that compute, so that the system places the memory near them.
    void fill(std::size_t part);
    void triad(std::size_t part, int repetition);

    // Also forgets the result, so that no later run finds it in memory that it reuses.
    outcome checked(double seconds);

private:
    std::size_t begin(std::size_t part) const { return part * count_ / parts_; }

    std::size_t mebibytes_;
    std::size_t parts_;
    std::size_t count_;
    std::unique_ptr<double[]> a_, b_, c_;
};

template <class Face> outcome measured(const parameters& p) {
    arrays all(p);
    double seconds = 0;
    Face::run(p, [&] {
        Face::each(all.parts(), [&](std::size_t part) { all.fill(part); });
        seconds = time_seconds([&] {
            for (int repetition = 1; repetition <= arrays::repetitions; ++repetition)
                Face::each(all.parts(), [&](std::size_t part) { all.triad(part, repetition); });
        });
    });
    return all.checked(seconds);
}

}  // namespace bench::threads::stream
