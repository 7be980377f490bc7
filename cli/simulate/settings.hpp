// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's settings of `teff simulate`: first as typed, then checked.
//
// As for `teff bench`, every value is taken as text and checked here, so that each message can name the option, the
// value, what is allowed and the nearest existing name. Kernels, sizes and faces are checked against what the simulator
// says (simulation_plan.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <simulator/machine.hpp>

#include <teff/depend/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/option_values.hpp>

namespace teff::cli {

inline constexpr const char* default_tracker = tracker_choices[0].name;

// As typed.
struct simulate_request {
    std::vector<std::string> kernels;  // KERNEL or KERNEL:SIZE
    std::string faces = "all";
    std::string machine = "1x16";
    std::string schedulers = teff::schedulers().front().name;
    std::string threads = "all";
    std::string trackers;  // empty: the default, where there are any
    std::string seed = "1";
    std::string runs = "1";
    std::string limit = "60";
    std::string lines = "0";
    std::string jobs;
    std::string json;
    std::string report;
    bool wide = false;
};

// Checked.
struct simulate_settings {
    std::vector<kernel_choice> kernels;  // empty: every kernel; a size that is empty is the usual one
    std::vector<std::string> faces;      // "all" stands for every face
    simulator::machine on;
    std::vector<std::string> schedulers;
    std::vector<unsigned> threads;  // sorted
    std::vector<std::string> trackers;
    bool has_named_trackers = false;
    std::uint64_t seed = 1;
    unsigned runs = 1;
    double limit_seconds = 60;
    unsigned lines = 0;
    unsigned jobs = 1;
    std::filesystem::path json;
    std::filesystem::path report;
    bool wide = false;
};

// Throws usage_error. `default_jobs` is used if --jobs is absent.
[[nodiscard]] simulate_settings check_simulation(const simulate_request& request, unsigned default_jobs);

}  // namespace teff::cli
