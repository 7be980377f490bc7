// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teff_simulator: one simulation, which `teff simulate` asks for. Prints one line of JSON.
//
//   teff_simulator list                          the kernels, their faces and sizes, a line of JSON each
//   teff_simulator KERNEL FACE [NAME=VALUE]...
#include <simulator/memory.hpp>
#include <simulator/settings.hpp>
#include <simulator/simulation.hpp>

#include <teff/machine/machine_topology.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

void work_ns(double time) noexcept {
    const simulator_scope scope;
    simulation::current()->work(picoseconds(time));
}

void use(std::initializer_list<used_data> all) noexcept {
    const simulator_scope scope;
    simulation& current = *simulation::current();
    current.begin_use();
    for (const used_data& each : all)
        current.use_data(each.begin, each.size, each.is_changed);
    current.end_use();
}

namespace {

struct measured {
    duration time = 0;
    std::uint64_t tasks = 0;
    account spent;
    account by_caller;
    std::vector<duration> work_by_thread;
};

void add_difference(std::vector<duration>& sum, const std::vector<duration>& after,
                    const std::vector<duration>& before) {
    sum.resize(std::max(sum.size(), after.size()));
    for (std::size_t i = 0; i < after.size(); ++i)
        sum[i] += after[i] - (i < before.size() ? before[i] : 0);
}

// The first run starts the workers, and is not measured.
measured measure(simulation& within, const workload& what, const settings& chosen) {
    measured sum;
    if (what.run(chosen.how) == 0)
        return {};
    const simulator_scope scope;
    within.sites().clear();
    for (unsigned i = 0; i < chosen.runs; ++i) {
        const account before = within.total(), caller_before = within.of_running_thread();
        const std::vector<duration> work_before = within.work_by_thread();
        const duration begin = within.now();
        program_runs = true;
        const std::uint64_t tasks = what.run(chosen.how);
        program_runs = false;
        if (tasks == 0)
            return {};
        sum.time += within.now() - begin;
        sum.tasks += tasks;
        sum.spent += within.total();
        sum.spent -= before;
        sum.by_caller += within.of_running_thread();
        sum.by_caller -= caller_before;
        add_difference(sum.work_by_thread, within.work_by_thread(), work_before);
    }
    return sum;
}

void print_shares(const account& spent, double time) {
    for (std::size_t i = 0; i < cause_count; ++i)
        std::printf("%s\"%s\":%.5f", i == 0 ? "" : ",", name_of(static_cast<cause>(i)),
                    static_cast<double>(spent.time[i]) / time);
}

// How far the threads' declared work is from equal shares: |work - share| / share, on average and at most (X-OpenMP,
// section 5.1).
void print_work_delta(std::vector<duration> work, unsigned threads) {
    work.resize(std::max<std::size_t>(work.size(), threads));
    double share = 0, sum = 0, most = 0;
    for (const duration each : work)
        share += static_cast<double>(each) / threads;
    if (share == 0)
        return;
    for (const duration each : work) {
        const double delta = std::abs(static_cast<double>(each) - share) / share;
        sum += delta;
        most = std::max(most, delta);
    }
    std::printf(",\"work_delta\":{\"mean\":%.4f,\"most\":%.4f}", sum / static_cast<double>(work.size()), most);
}

void print(const settings& chosen, const measured& found, simulation& within) {
    std::printf("{");
    print_run(chosen, found.tasks, static_cast<double>(found.time) / 1000);
    std::printf(",\"near_lines_per_task\":%.5f,\"far_lines_per_task\":%.5f,\"share\":{",
                static_cast<double>(found.spent.near_lines) / static_cast<double>(found.tasks),
                static_cast<double>(found.spent.far_lines) / static_cast<double>(found.tasks));
    print_shares(found.spent, static_cast<double>(found.time) * chosen.how.threads);
    std::printf("},\"share_of_caller\":{");
    print_shares(found.by_caller, static_cast<double>(found.time));
    std::printf("}");
    print_work_delta(found.work_by_thread, chosen.how.threads);
    if (chosen.sites != 0) {
        std::printf(",\"sites\":[");
        bool is_first = true;
        for (const auto& each : within.sites().most(chosen.sites)) {
            std::printf("%s{\"where\":\"%s\",\"per_task\":%.5f,\"waited_ns\":%.1f}", is_first ? "" : ",",
                        each.where.c_str(),
                        static_cast<double>(each.transfers) / static_cast<double>(found.tasks),
                        static_cast<double>(each.waited) / 1000 / static_cast<double>(each.transfers));
            is_first = false;
        }
        std::printf("]");
    }
    std::printf("}\n");
}

int list() {
    for (const workload& each : workloads())
        std::printf("{\"kernel\":\"%s\",\"face\":\"%s\",\"size_is\":\"%s\",\"usual_size\":%ld}\n",
                    std::string(each.kernel).c_str(), std::string(each.face).c_str(),
                    std::string(each.size_is).c_str(), each.usual_size);
    return 0;
}

int run(int count, char** arguments) {
    if (count == 2 && arguments[1] == std::string_view("list"))
        return list();
    settings chosen = read_settings(count, arguments);
    const workload& what = find_workload(chosen);
    if (chosen.how.size == 0)
        chosen.how.size = what.usual_size;
    const machine& on = chosen.on;
    if (!teff::choose_machine_topology({.sockets = static_cast<int>(on.sockets()),
                                        .cores = static_cast<int>(on.cores_per_socket()),
                                        .threads = static_cast<int>(on.threads_per_core())}))
        refuse("the machine cannot be chosen");
    read_options(chosen.how);
    simulation within(on, chosen.seed);
    within.watch(chosen.watched, chosen.counts_accesses);
    measured found;
    const std::string failure = within.run([&] { found = measure(within, what, chosen); });
    if (!failure.empty())
        refuse(failure);
    if (found.tasks == 0)
        refuse("the result of the kernel is wrong");
    print(chosen, found, within);
    // Threads of the simulation may still be asleep inside static objects.
    std::fflush(stdout);
    std::_Exit(0);
}

}  // namespace
}  // namespace simulator

int main(int count, char** arguments) { return simulator::run(count, arguments); }
