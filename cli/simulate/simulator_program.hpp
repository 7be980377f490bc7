// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program `teff_simulator`, which does one simulation: where it is, and which kernels it has.
//
// It is beside this program (in a build folder) or in ../libexec/teff (in an installation), as the benchmark runners
// are. With the word `list` it names its kernels, a line of JSON each, so a new kernel needs no change here.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

// A kernel through one of the library's faces; a kernel with several faces has several entries.
struct simulated_kernel {
    std::string name;
    std::string face;
    std::string size_is;  // what its size counts
    long usual_size = 0;
};

struct simulator_program {
    std::filesystem::path program;
    std::vector<simulated_kernel> kernels;

    // Each once, in the simulator's order.
    [[nodiscard]] std::vector<std::string> kernel_names() const;
    [[nodiscard]] std::vector<std::string> face_names() const;
    // Null if the kernel does not have that face.
    [[nodiscard]] const simulated_kernel* find(const std::string& kernel, const std::string& face) const;
};

// Throws std::runtime_error, with what to do, if there is no simulator or it does not answer.
[[nodiscard]] simulator_program find_simulator();

// The kernels in the output of `teff_simulator list`. Throws nlohmann::json::exception.
[[nodiscard]] std::vector<simulated_kernel> read_kernel_list(const std::string& output);

}  // namespace teff::cli
