// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: the built command in a folder of fake runners (fake_runner.sh), each of whose kernels behaves in one way.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cli/bench/child_process.hpp>
#include <cli/test_support.hpp>
#include <cli/text.hpp>

namespace teff::cli {

class bench_command : public test_in_folder {
protected:
    void SetUp() override {
        std::filesystem::create_directories(folder_ / "build/bin");
        std::filesystem::copy_file(TEFF_COMMAND, folder_ / "build/bin/teff");
    }
    void install(const std::string& name) const {
        std::filesystem::copy_file(std::filesystem::path(TEFF_SOURCE_DIR) / "cli/bench/fake_runner.sh",
                                   folder_ / "build/bin" / ("teff-bench-" + name));
    }
    void install_all() const {
        for (const char* name : {"serial-gcc", "teff-gcc", "libgomp-gcc", "libomp-clang", "tbb-gcc"})
            install(name);
    }

    // An empty library is enough for runners that are scripts.
    void install_teff_openmp() const {
        std::filesystem::create_directories(folder_ / "build/lib/teff");
        std::ofstream(folder_ / "build/lib/teff/libomp.so.5") << "";
        std::filesystem::create_symlink("libomp.so.5", folder_ / "build/lib/teff/libgomp.so.1");
    }

    // Runs `teff bench` with these words and --json.
    child_result run(const std::string& words) const {
        return start(command(), split_list("bench " + words + " --json " + json_file(), ' '));
    }
    // The same by a shell, with what it says about files.
    child_result run_in_shell(const std::string& words, const std::string& redirections) const {
        return start("/bin/sh", {"-c", command() + " bench " + words + " --json " + json_file() + " " + redirections});
    }
    child_result start(const std::filesystem::path& program, std::vector<std::string> arguments) const {
        child_request request;
        request.program = program;
        request.arguments = std::move(arguments);
        request.environment = environment_;
        request.limit_seconds = 100;
        return run_child(request);
    }
    [[nodiscard]] std::string command() const { return folder_ / "build/bin/teff"; }
    [[nodiscard]] std::string json_file() const { return folder_ / "out.json"; }
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(read(json_file())); }
    [[nodiscard]] static std::string read(const std::filesystem::path& file) {
        std::ifstream stream(file);
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }
    [[nodiscard]] std::string log() const { return read(folder_ / "build/bin/log"); }

    std::vector<std::pair<std::string, std::string>> environment_;
};

inline const nlohmann::json* find(const nlohmann::json& list, const std::string& runtime) {
    for (const auto& each : list)
        if (each["runtime"] == runtime)
            return &each;
    return nullptr;
}

}  // namespace teff::cli
