// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teff_real_run: the workloads of the simulator on this machine, by the ordinary library, for comparison. It takes the
// words of teff_simulator; those about the machine have no effect. Declared work is a loop that takes as long.
#include <simulator/settings.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace simulator {
namespace {

double now_ns() noexcept {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::nano>(since).count();
}

// The fastest of several, since something else may have run meanwhile.
void measure_steps() noexcept {
    constexpr std::uint64_t steps = 2'000'000;
    double best = 1e18;
    for (int i = 0; i < 20; ++i) {
        const double begin = now_ns();
        work_steps(steps);
        best = std::min(best, now_ns() - begin);
    }
    steps_per_ns = static_cast<double>(steps) / best;
}

int run(int count, char** arguments) {
    settings chosen = read_settings(count, arguments);
    const workload& what = find_workload(chosen);
    if (chosen.how.size == 0)
        chosen.how.size = what.usual_size;
    measure_steps();
    std::vector<double> times;
    std::uint64_t tasks = 0;
    // The first run starts the workers.
    for (unsigned i = 0; i <= chosen.runs; ++i) {
        const double begin = now_ns();
        tasks = what.run(chosen.how);
        if (tasks == 0)
            refuse("the result of the kernel is wrong");
        if (i != 0)
            times.push_back(now_ns() - begin);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    chosen.runs = 1;
    std::printf("{");
    print_run(chosen, tasks, times[times.size() / 2]);
    std::printf("}\n");
    return 0;
}

}  // namespace
}  // namespace simulator

int main(int count, char** arguments) { return simulator::run(count, arguments); }
