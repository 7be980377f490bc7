// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what keeps a program from using Teff's OpenMP runtime, and which runtimes its file asks for; see obstacles.hpp.
#include <cli/run/obstacles.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace teff::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> names_answered_for = {"libgomp.so.1", "libomp.so.5", "libiomp5.so"};

std::string_view last_part(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

bool is_answered_for(std::string_view library) {
    return std::find(names_answered_for.begin(), names_answered_for.end(), library) != names_answered_for.end();
}

// libgomp.so.1, libomp.so.5, libomp-0a1b2c.so, libiomp5.so, ...
bool is_openmp_runtime(std::string_view library) {
    const std::string_view name = last_part(library);
    constexpr std::array<std::string_view, 3> beginnings = {"libgomp", "libomp", "libiomp5"};
    return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
        const std::string_view next = name.substr(std::min(beginning.size(), name.size()), 1);
        return name.starts_with(beginning) && (next == "." || next == "-");
    });
}

// Names the cause that gives the process other rights than its user has; nullptr if there is none. With other rights
// the loader ignores the variables that load libraries into programs.
const char* source_of_rights(const fs::path& path) {
    struct stat facts{};
    struct statvfs place{};
    if (::stat(path.c_str(), &facts) != 0)
        return nullptr;
    // The system does not give them here.
    if ((::statvfs(path.c_str(), &place) == 0 && (place.f_flag & ST_NOSUID) != 0) ||
        ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
        return nullptr;
    if ((facts.st_mode & S_ISUID) != 0 && facts.st_uid != ::getuid())
        return "setuid";
    // Without the right of the group to execute, the bit has another meaning.
    if ((facts.st_mode & S_ISGID) != 0 && (facts.st_mode & S_IXGRP) != 0 && facts.st_gid != ::getgid())
        return "setgid";
    if (::getuid() != 0 && ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
        return "file capabilities";
    return nullptr;
}

// The loader is a program without a loader, too, and loads the program that it is given.
bool is_loader(const program_file& file) { return file.own_name.starts_with("ld-linux"); }

std::string obstacle_of(const program_file& file) {
    const std::string name = fmt::format("'{}'", file.path.string());
    if (!file.is_for_this_processor)
        return name + " is for another processor than Teff's OpenMP runtime: build it for this one";
    if (!file.is_64_bit)
        return name + " is a 32-bit program, and Teff's OpenMP runtime a 64-bit library: build it for 64 bits";
    if (file.loader.empty() && !is_loader(file))
        return name + " is linked statically, so that no library can be loaded into it: link it without -static";
    if (!file.loader.empty() && !last_part(file.loader).starts_with("ld-linux"))
        return fmt::format("{} is loaded by {}, and Teff's OpenMP runtime needs glibc: link it with glibc", name,
                           file.loader);
    if (const char* const rights = source_of_rights(file.path))
        return fmt::format("{} runs with more rights than its user ({}), so that the loader puts no library into it: "
                           "start a copy without these rights",
                           name, rights);
    if (file.contains_openmp)
        return name + " has another OpenMP runtime inside, whose functions come first: link it with -fopenmp and "
                      "without a static libgomp or libomp";
    return {};
}

void add_notes(const program_file& file, findings& result) {
    const std::string name = fmt::format("'{}'", file.path.string());
    const auto note = [&](const std::string& text) { result.notes.push_back(text); };
    std::size_t runtimes = 0;
    for (const std::string& library : file.needed) {
        if (library.find("libasan.so") != std::string::npos) {
            result.forbids_preloading = true;
            note(fmt::format("{} must come first in {}, so that nothing is preloaded", library, name));
        }
        if (!is_openmp_runtime(library))
            continue;
        ++runtimes;
        if (is_answered_for(library) && !file.searches_own_folders_first)
            note(fmt::format("{} asks for {}, and gets Teff", name, library));
        else
            note(fmt::format("{} may load another {}, too: Teff's functions come before it", name, library));
    }
    if (runtimes == 0)
        note(name + " asks for no OpenMP runtime itself; a library that it loads may");
}

}  // namespace

findings examine(const program_file& file) {
    findings result;
    if (file.kind != program_kind::elf)
        return result;
    result.obstacle = obstacle_of(file);
    if (result.obstacle.empty())
        add_notes(file, result);
    return result;
}

}  // namespace teff::cli
