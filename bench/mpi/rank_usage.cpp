// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See rank_usage.hpp.
#include <bench/mpi/rank_usage.hpp>

#include <mpi.h>
#include <sys/resource.h>

namespace bench::mpi {
namespace {

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double reduced_by(MPI_Op operation, double own) {
    double all = 0;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, operation, 0, MPI_COMM_WORLD);
    return all;
}

}  // namespace

rank_usage::rank_usage() : begin_(now()) {}

rank_usage::values rank_usage::now() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return {{seconds_of(used.ru_utime) + seconds_of(used.ru_stime), static_cast<double>(used.ru_nvcsw),
             static_cast<double>(used.ru_nivcsw), static_cast<double>(used.ru_minflt + used.ru_majflt)}};
}

void rank_usage::stop(double seconds) {
    values used = now();
    for (int i = 0; i < count; ++i)
        used.each[i] -= begin_.each[i];
    const double percent = seconds > 0 ? 100 * used.each[0] / seconds : 0;
    rusage all{};
    ::getrusage(RUSAGE_SELF, &all);
    MPI_Reduce(used.each, sums_.each, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    least_percent_ = reduced_by(MPI_MIN, percent);
    most_percent_ = reduced_by(MPI_MAX, percent);
    peak_mib_ = reduced_by(MPI_MAX, static_cast<double>(all.ru_maxrss) / 1024);
}

std::vector<measure> rank_usage::measures() const {
    constexpr auto found = measure::role::found;
    return {{"least_rank_cpu_percent", found, {least_percent_}},
            {"most_rank_cpu_percent", found, {most_percent_}},
            {"peak_rank_mib", found, {peak_mib_}}};
}

std::string rank_usage::json() const {
    const auto whole = [this](int i, double scale) { return std::to_string(static_cast<long>(sums_.each[i] * scale)); };
    return "{\"cpu_ms\":" + whole(0, 1e3) + ",\"voluntary_switches\":" + whole(1, 1) +
           ",\"involuntary_switches\":" + whole(2, 1) + ",\"page_faults\":" + whole(3, 1) + "}";
}

}  // namespace bench::mpi
