// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the transfers of cache lines by the place that waits for them; see account.hpp.
#include <simulator/account.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace simulator {
namespace {

// "teff/scheduler/nemesis.cpp:33" of a path that ends so, and the file's name of one outside of the library.
std::string inside_library(const std::string& path) {
    if (path.starts_with("teff/"))
        return path;
    const std::size_t at = path.rfind("/teff/");
    return at == std::string::npos ? path.substr(path.rfind('/') + 1) : path.substr(at + 1);
}

// The place in the sources of the code at this address, which binutils' addr2line knows; the address without it.
std::string place_of(const void* code) {
    char address[32];
    std::snprintf(address, sizeof address, "%p", code);
    std::error_code none;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", none);
    if (program.empty() || program.find('\'') != std::string::npos)
        return address;
    const std::string command = "addr2line -e '" + program + "' " + address + " 2>/dev/null";
    std::FILE* const answer = ::popen(command.c_str(), "r");
    if (answer == nullptr)
        return address;
    char line[1024] = "";
    const bool has_line = std::fgets(line, sizeof line, answer) != nullptr;
    const bool succeeded = ::pclose(answer) == 0;
    std::string found(line, std::strcspn(line, " \n"));
    if (!has_line || !succeeded || found.starts_with("?"))
        return address;
    return inside_library(found);
}

}  // namespace

const char* name_of(cause why) noexcept {
    static constexpr std::array<const char*, cause_count> names{"work", "near_line", "far_line", "spin",
                                                                "wake", "interrupt", "asleep",    "queued"};
    return names[static_cast<std::size_t>(why)];
}

account& account::operator+=(const account& other) noexcept {
    for (std::size_t i = 0; i < cause_count; ++i)
        time[i] += other.time[i];
    near_lines += other.near_lines;
    far_lines += other.far_lines;
    return *this;
}

account& account::operator-=(const account& other) noexcept {
    for (std::size_t i = 0; i < cause_count; ++i)
        time[i] -= other.time[i];
    near_lines -= other.near_lines;
    far_lines -= other.far_lines;
    return *this;
}

void transfer_sites::count(const transfer_site& at, duration waited) {
    // The texts of one file may be several.
    std::uint64_t key = reinterpret_cast<std::uintptr_t>(at.code);
    if (at.file != nullptr) {
        key = at.line;
        for (const char* letter = at.file; *letter != '\0'; ++letter)
            key = key * 131 + static_cast<unsigned char>(*letter);
    }
    counted& counts = found_[key];
    counts.at = at;
    ++counts.transfers;
    counts.waited += waited;
}

std::vector<transfer_sites::row> transfer_sites::most(std::size_t limit) const {
    std::vector<row> all;
    for (const auto& [key, each] : found_) {
        std::string where;
        if (each.at.file != nullptr) {
            where = inside_library(each.at.file) + ':' + std::to_string(each.at.line);
        }
        all.push_back({std::move(where), each.transfers, each.waited, each.at.code});
    }
    std::sort(all.begin(), all.end(), [](const row& a, const row& b) {
        if (a.transfers != b.transfers)
            return a.transfers > b.transfers;
        return a.where != b.where ? a.where < b.where : a.code < b.code;
    });
    if (all.size() > limit)
        all.resize(limit);
    for (row& each : all) {
        if (each.where.empty())
            each.where = place_of(each.code);
    }
    return all;
}

}  // namespace simulator
