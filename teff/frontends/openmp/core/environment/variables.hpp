// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of the environment: a row for each that the runtime knows, and the settings that they make. All other
// code asks the row: the reader and OMP_DISPLAY_ENV (read.cpp), and the page that documents them (document_test.cpp).
#pragma once

#include <teff/base/bounded_text.hpp>
#include <teff/frontends/openmp/core/environment/allocator_traits.hpp>
#include <teff/frontends/openmp/core/environment/values.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace teff::openmp::environment {

inline constexpr const char* usual_affinity_format = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";

enum class display : unsigned char { off, on, verbose };
enum class wait_policy : unsigned char { unset, active, passive };

// The values of the variables as they were read, before resolve() (read.hpp) decides between variables of the same
// meaning.
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
    bool uses_helpers = true;
    long helpers = -1;  // -1: none was given
    level_list<binding> teams_binds;  // one; empty: spread
    bool warns = true;
    bool allows_two_runtimes = false;
    bool shows_settings = false;
    bool shows_version = false;
};

enum class origin : unsigned char {
    openmp,  // the specification's; always displayed
    other,   // of libgomp or LLVM, with a meaning here; displayed on `verbose`
    silent   // of libgomp or LLVM, without a meaning here: accepted with any value
};

struct variable {
    const char* name;
    origin from;
    const char* icv;      // what it sets
    const char* values;   // what it accepts, as a user writes it
    const char* usual;    // the value if it is not set
    const char* meaning;  // a sentence without a full stop
    // nullptr: any text is accepted, and kept as text.
    bool (*parse)(std::string_view text, settings& into) noexcept = nullptr;
    // Appends the value in force; nullptr: the text of the variable is shown, or `unset` if the variable is not set.
    void (*show)(bounded_text& to, const settings& from) noexcept = nullptr;
    const char* unset = "";
};

std::span<const variable> variables() noexcept;

// The index of the row with this name.
inline constexpr unsigned no_variable = ~0U;
unsigned find_variable(std::string_view name) noexcept;

}  // namespace teff::openmp::environment
