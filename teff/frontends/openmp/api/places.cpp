// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines for processor places (OpenMP 5.1, sections 3.3.2 to 3.3.7). A number without a place gets no processor.
// The names with an underscore at their end are Fortran's, and those that end in `_8_` have integers of 8 bytes.
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/affinity/thread_binding.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <cstdint>
#include <span>

using namespace teff::openmp;

namespace {

place& settled_place() noexcept {
    place& caller = this_place();
    bind_initial_thread(caller);
    return caller;
}

std::span<const int> processors_of(std::int64_t number) noexcept {
    this_place();
    const place_lists& all = cpu_places();
    if (number < 0 || static_cast<std::size_t>(number) >= all.size())
        return {};
    return all[static_cast<std::size_t>(number)];
}

template <class Integer>
void write_processors(std::int64_t number, Integer* to) noexcept {
    for (const int cpu : processors_of(number))
        *to++ = cpu;
}
template <class Integer>
void write_partition(Integer* to) noexcept {
    const place_range& partition = settled_place().cpus.partition;
    for (int each = 0; each < partition.count; ++each)
        *to++ = partition.first + each;
}

}  // namespace

extern "C" {

int omp_get_num_places() {
    this_place();
    return static_cast<int>(cpu_places().size());
}
int omp_get_place_num() { return settled_place().cpus.place; }
int omp_get_partition_num_places() { return settled_place().cpus.partition.count; }
int omp_get_place_num_procs(int number) { return static_cast<int>(processors_of(number).size()); }
void omp_get_place_proc_ids(int number, int* ids) { write_processors(number, ids); }
void omp_get_partition_place_nums(int* numbers) { write_partition(numbers); }

[[gnu::alias("omp_get_num_places")]] int omp_get_num_places_();
[[gnu::alias("omp_get_place_num")]] int omp_get_place_num_();
[[gnu::alias("omp_get_partition_num_places")]] int omp_get_partition_num_places_();
int omp_get_place_num_procs_(const std::int32_t* number) { return omp_get_place_num_procs(*number); }
int omp_get_place_num_procs_8_(const std::int64_t* number) { return static_cast<int>(processors_of(*number).size()); }
void omp_get_place_proc_ids_(const std::int32_t* number, std::int32_t* ids) { write_processors(*number, ids); }
void omp_get_place_proc_ids_8_(const std::int64_t* number, std::int64_t* ids) { write_processors(*number, ids); }
void omp_get_partition_place_nums_(std::int32_t* numbers) { write_partition(numbers); }
void omp_get_partition_place_nums_8_(std::int64_t* numbers) { write_partition(numbers); }
}
