// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results with a large alignment, compiled by every compiler there is, since compilers differ in what they reject. The
// conformance tests have the cases; this program only has to compile, and to end with 0.
#include <teff/algorithms.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_pipeline.hpp>
#include <teff/reduce.hpp>
#include <teff/reducer.hpp>
#include <teff/spawn.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace {

struct alignas(256) wide {
    explicit wide(long n = 0) : value(n) {}
    wide& operator+=(const wide& other) {
        value += other.value;
        return *this;
    }
    friend wide operator+(const wide& a, const wide& b) { return wide(a.value + b.value); }
    bool is_aligned() const { return reinterpret_cast<std::uintptr_t>(this) % alignof(wide) == 0; }

    long value;
};

}  // namespace

int main() {
    long sum = 0;
    bool aligned = true;
    const auto add = [&](const wide& found) {
        sum += found.value;
        aligned = aligned && found.is_aligned();
    };

    const auto [a, b] = teff::fork_join([] { return wide(1); }, [] { return wide(2); });
    add(a);
    add(b);
    add(teff::spawn([c = wide(3)] { return c; }).get());

    const std::vector<long> ones(100, 1);
    std::vector<wide> values(100);
    teff::parallel_transform(ones.begin(), ones.end(), values.begin(), [](long n) { return wide(n); });
    add(teff::parallel_reduce(values, wide(), std::plus<>()));
    add(teff::parallel_deterministic_reduce(values, wide(), std::plus<>()));

    teff::reducer<wide> shared;
    teff::ordered_reducer<wide> ordered;
    teff::parallel_for(0, 100, [&](int) {
        *shared += wide(1);
        *ordered += wide(1);
    });
    add(shared.get());
    add(*ordered);

    const auto halve = [](auto& pool, long n) {
        if (n > 1) {
            pool.enq(n / 2);
            pool.enq(n - n / 2);
        }
        return wide(n == 1 ? 1 : 0);
    };
    add(teff::reduce_tasks({}, halve, 100L));

    int left = 100;
    teff::parallel_pipeline(
        4,
        [&](teff::flow_control& flow) {
            if (left-- == 0)
                flow.stop();
            return wide(1);
        },
        add);
    return aligned && sum == 6 + 6 * 100 ? 0 : 1;
}
