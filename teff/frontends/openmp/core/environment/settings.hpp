// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that the variables of the environment can say, as it was read: before the variables that mean the same are
// weighed against each other (resolve() in read.hpp).
#pragma once

#include <teff/frontends/openmp/core/environment/allocator_text.hpp>
#include <teff/frontends/openmp/core/environment/values.hpp>

#include <cstddef>
#include <string_view>

namespace teff::openmp::environment {

inline constexpr const char* usual_affinity_format = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";

enum class display : unsigned char { off, on, verbose };
enum class wait_policy : unsigned char { unset, active, passive };

struct settings {
    // of OpenMP
    level_list<unsigned> threads;  // empty: as many as there are processors
    level_list<binding> binds;     // empty: `none`, or `any` if there are places
    bool is_dynamic = false;
    bool is_nested = false;
    long max_active_levels = 1;
    long thread_limit = no_limit;
    run_schedule schedule;
    long default_device = 0;
    allocator_text allocator;
    std::size_t stack_size = 0;  // 0: the system's
    wait_policy policy = wait_policy::unset;
    bool may_cancel = false;
    long max_task_priority = 0;
    target_offload offload = target_offload::usual;
    long teams = 0;
    long teams_thread_limit = 0;
    bool displays_affinity = false;
    display displays_environment = display::off;
    bool has_tool = true;

    // of other runtimes
    std::size_t kmp_stack_size = 0;
    std::size_t gomp_stack_size = 0;
    long device_thread_limit = no_limit;
    long block_time_us = 0;
    long spin_count = 0;
    library_mode library = library_mode::throughput;
    bool throttles_tasks = true;
    bool warns = true;
    bool shows_settings = false;
    bool shows_version = false;
};

}  // namespace teff::openmp::environment
