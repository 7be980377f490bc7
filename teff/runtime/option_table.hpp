// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of options: a row per option, from which the parser of variables and flags, `teff info --options` and
// docs/options.md are made.
//
// A new option is a new name in `option` and a new row in option_table.cpp; nothing else knows how many there are. The
// table is constant, so any thread may read it at any time, before main() as well.
#pragma once

#include <teff/base/named_choice.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace teff {

enum class option : unsigned {
    threads,
    scheduler,
    reclaimer,
    max_queued,
    bind,
    topology,
    spin_us,
    tree_start_threshold,
    inline_depth,
    block_size,
    epoch_threshold,
    blaze_attempts_same_core,
    blaze_attempts_same_socket,
    blaze_attempts_other_socket,
    blaze_attempts_above_average,
    blaze_below_average_divisor,
    demand_private_items,
    xqueue_capacity,
    xqueue_memory_mib,
    xqueue_min_tries,
    xqueue_max_tries,
    ompi_queue_size,
    task_limit,
    shepherds,
    sherwood_steal,
    distrib_steal_ratio,
    distrib_cond_backoff,
    counters,
    stall_report_s,
    count_
};

inline constexpr std::size_t option_count = static_cast<std::size_t>(option::count_);

enum class option_type {
    integer,  // a whole number from `minimum` to `maximum`, or the word `default_text` if that is no number
    choice,   // one of the names in `choices`
    text      // what `accepts` accepts, at most max_option_text characters, or the word `default_text`
};

// Longest value of a text option, in characters.
inline constexpr std::size_t max_option_text = 120;

// Most threads that a program can have; what is asked above it is cut down to it.
inline constexpr long max_threads = 4096;

struct option_row {
    option id;
    const char* name;          // in the API; as a flag it is --name with dashes for the underscores
    const char* variable;      // in the environment
    option_type type;
    long minimum, maximum;     // integer only
    const char* default_text;  // a word as the default of an integer stands for 0
    const char* sentence;      // what it does, without a full stop
    std::span<const named_choice> choices = {};            // choice only
    bool (*accepts)(std::string_view) noexcept = nullptr;  // text only
    const char* form = nullptr;                            // text only: how a value looks
};

// All rows, in the order of `option`.
[[nodiscard]] std::span<const option_row> option_table() noexcept;

// The row of `which`, which must not be count_.
[[nodiscard]] const option_row& row(option which) noexcept;

// The row with this name, written with underscores or dashes ("max_queued", "max-queued"); nullptr if there is none.
[[nodiscard]] const option_row* find_option(std::string_view name) noexcept;

// The row with this variable ("TEFF_MAX_QUEUED"); nullptr if there is none.
[[nodiscard]] const option_row* find_variable(std::string_view variable) noexcept;

// The option that somebody who wrote the unknown option name or variable `unknown` probably meant; nullptr if none is
// near.
[[nodiscard]] const option_row* nearest_option(std::string_view unknown) noexcept;

}  // namespace teff
