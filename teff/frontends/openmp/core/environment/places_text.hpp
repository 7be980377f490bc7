// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables that say on which processors threads run: OMP_PLACES (OpenMP 5.1, section 6.5), GOMP_CPU_AFFINITY,
// KMP_AFFINITY and KMP_HW_SUBSET. Here they are only read; affinity/cpu_places.hpp applies them to the machine.
//
// As in values.hpp, a parser writes its result only if the whole text is a value. The lists allocate; a list for which
// there is no memory ends the program with a message.
#pragma once

#include <teff/frontends/openmp/core/environment/variables.hpp>

#include <string_view>
#include <vector>

namespace teff::openmp::environment {

enum class place_kind : unsigned char { threads, cores, sockets, ll_caches, numa_domains, listed };

// The numbers of processors in each place, in the order given and without duplicates.
using place_lists = std::vector<std::vector<int>>;

struct places_text {
    place_kind kind = place_kind::cores;
    long count = 0;  // of the places to make; 0: all
    place_lists listed;
};

// "cores(4)", "{0:4}:2:4", "{0,1},!{2},3".
bool parse_places(std::string_view text, places_text& result) noexcept;
// The kind that the text names, even if the rest of the text is wrong; false: it names none.
bool find_place_kind(std::string_view text, place_kind& result) noexcept;

// "0 3 1-2 4-15:2", with blanks or commas: one place for each number.
bool parse_cpu_list(std::string_view text, places_text& result) noexcept;

struct affinity_text {
    enum class type : unsigned char { none, compact, scatter, listed, disabled };
    type kind = type::none;
    place_kind granularity = place_kind::cores;
    bool is_verbose = false;  // each thread that is bound writes a line
    bool resets = false;  // the thread that opens an outermost region gets its mask back at the end
    place_lists listed;
};
bool parse_kmp_affinity(std::string_view text, affinity_text& result) noexcept;

// "2s,4c@1,1t": numbers of sockets, of cores in each, and of threads in each core, from an offset on. With a colon at
// the start (":1s,3t@1") and without cores, the threads of a socket are counted through all its cores.
struct hardware_subset {
    struct part {
        long count = 0;  // 0: all
        long offset = 0;
    };
    part sockets, cores, threads;
    bool is_through_cores = false;
};
bool parse_hardware_subset(std::string_view text, hardware_subset& result) noexcept;

// Whether the text is such a value; for the table of variables.
bool is_places_text(std::string_view text, settings&) noexcept;
bool is_cpu_list_text(std::string_view text, settings&) noexcept;
bool is_kmp_affinity_text(std::string_view text, settings&) noexcept;
bool is_hardware_subset_text(std::string_view text, settings&) noexcept;

}  // namespace teff::openmp::environment
