// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of the trace: its file, and the slices that are in it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace teff::testing {

// A name in a folder of the test's own, and the options in the environment of the test and its children. Without events
// the file has only what the threads do; trace_test.cpp has the tests of events.
class timeline_file {
public:
    explicit timeline_file(long events = 0) {
        std::string pattern = ::testing::TempDir() + "timeline_XXXXXX";
        EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        ::setenv("TEFF_TRACE", name().c_str(), 1);
        ::setenv("TEFF_TRACE_EVENTS", std::to_string(events).c_str(), 1);
    }
    ~timeline_file() {
        ::unsetenv("TEFF_TRACE");
        ::unsetenv("TEFF_TRACE_EVENTS");
        std::filesystem::remove_all(folder_);
    }
    [[nodiscard]] std::string name() const { return folder_ + "/timeline.json"; }
    [[nodiscard]] std::string text() const {
        std::ifstream stream(name());
        return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    }

private:
    std::string folder_;
};

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

inline bool is_complete(const std::string& text) {
    return text.starts_with("{\"displayTimeUnit\"") && text.ends_with("\n]}\n");
}

// A slice of the file, with times in nanoseconds; of an instant the length is 0.
struct written_slice {
    long thread;
    std::string category, name;
    long long begin, end;
};

inline std::string member(const std::string& event, const std::string& key) {
    const std::size_t found = event.find("\"" + key + "\":");
    if (found == std::string::npos)
        return {};
    const std::size_t begin = found + key.size() + 3;
    const bool is_text = event[begin] == '"';
    const std::size_t first = begin + (is_text ? 1 : 0);
    return event.substr(first, event.find_first_of(is_text ? "\"" : ",}", first) - first);
}

// The file has three digits behind the point.
inline long long ns_of(const std::string& us) {
    std::string digits = us;
    std::erase(digits, '.');
    return us.empty() ? 0 : std::stoll(digits);
}

// The events of a phase, in the order of the file.
inline std::vector<written_slice> slices_of(const std::string& text, const std::string& phase = "X") {
    std::vector<written_slice> all;
    const std::string key = "{\"ph\":\"" + phase + "\"";
    for (std::size_t found = text.find(key); found != std::string::npos; found = text.find(key, found + 1)) {
        const std::string event = text.substr(found, text.find('\n', found) - found);
        const long long begin = ns_of(member(event, "ts"));
        all.push_back({std::stol(member(event, "tid")), member(event, "cat"), member(event, "name"), begin,
                       begin + ns_of(member(event, "dur"))});
    }
    return all;
}

inline long count_of(const std::vector<written_slice>& all, std::string_view category) {
    return std::count_if(all.begin(), all.end(), [&](const auto& each) { return each.category == category; });
}

// Empty if the slices of each thread lie inside or beside each other; else two that do not.
inline std::string overlapping(std::vector<written_slice> all) {
    std::sort(all.begin(), all.end(), [](const auto& one, const auto& other) {
        if (one.thread != other.thread)
            return one.thread < other.thread;
        return one.begin != other.begin ? one.begin < other.begin : one.end > other.end;
    });
    std::vector<written_slice> around;
    for (const written_slice& each : all) {
        while (!around.empty() && (around.back().thread != each.thread || around.back().end <= each.begin))
            around.pop_back();
        if (!around.empty() && each.end > around.back().end)
            return around.back().name + " overlaps " + each.name + " of thread " + std::to_string(each.thread) +
                   " at " + std::to_string(each.begin) + " ns";
        around.push_back(each);
    }
    return {};
}

}  // namespace teff::testing
