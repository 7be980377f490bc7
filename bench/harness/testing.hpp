// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for the tests of several kernels: parameters, temporary input files, and sample inputs with known answers.
// The samples are in the folder that TEFF_BENCH_DATA names, otherwise in ../shared/data beside the source tree. They
// are not part of the project; a test that needs a missing sample is skipped.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace bench {

inline parameters of_size(const std::string& size) {
    parameters made;
    made.size = size;
    return made;
}

// The first value of that measure.
inline double value_of(const outcome& result, const std::string& name) {
    for (const measure& each : result.measures)
        if (name == each.name) return each.values.front();
    ADD_FAILURE() << "no measure " << name;
    return 0;
}

inline parameters of_variant(const std::string& variant) {
    parameters made;
    made.variant = variant;
    return made;
}

// The path of a sample, empty if it does not exist. `name` is relative to the folder of samples.
inline std::string sample_path(const std::string& name) {
    const char* const chosen = std::getenv("TEFF_BENCH_DATA");
    const std::filesystem::path sources = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
    const std::filesystem::path folder = chosen != nullptr ? std::filesystem::path(chosen) : sources / "../shared/data";
    const std::filesystem::path sample = folder / name;
    std::error_code ignored;
    return std::filesystem::exists(sample, ignored) ? sample.string() : std::string();
}

// A file with this text in the tests' temporary folder; removed by the destructor.
class written_file {
public:
    explicit written_file(const std::string& text) {
        const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = testing::TempDir() + "teff-" + test->test_suite_name() + "-" + test->name() + "-" +
                std::to_string(::getpid()) + ".input";
        std::ofstream(path_) << text;
    }
    ~written_file() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    written_file(const written_file&) = delete;
    written_file& operator=(const written_file&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace bench
