// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the facts; see machine_facts.hpp.
//
// The version of a library is that of its Debian package if it has one: library file names say little (every libgomp
// is 1.0.0). Otherwise it is the text that LLVM's and Intel's OpenMP libraries contain for this purpose.
#include <cli/bench/machine_facts.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <teff/machine.hpp>
#include <teff/version.hpp>

#include <cli/report/results.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

constexpr double question_limit_seconds = 20;

using json = nlohmann::ordered_json;

std::string read_whole(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

json text_or_null(const std::string& text) {
    return text.empty() ? json() : json(text);
}

// The printable text from `start` on.
std::string printable_from(const std::string& bytes, std::size_t start) {
    std::size_t end = start;
    while (end < bytes.size() && bytes[end] >= ' ' && bytes[end] <= '~')
        ++end;
    return bytes.substr(start, end - start);
}

std::string answer_of(const std::string& program, std::vector<std::string> arguments) {
    child_request request;
    request.program = program;
    request.arguments = std::move(arguments);
    request.limit_seconds = question_limit_seconds;
    const child_result result = run_child(request);
    return result.ending == child_ending::exited && result.code == 0 ? first_line(result.output) : std::string{};
}

std::string package_version(const std::filesystem::path& library) {
    const std::string tool = "/usr/bin/dpkg-query";
    if (::access(tool.c_str(), X_OK) != 0)
        return {};
    const std::string owner = answer_of(tool, {"--search", library.string()});
    const std::string package = owner.substr(0, owner.find(": "));
    return package.empty() ? std::string{} : answer_of(tool, {"--show", package});
}

std::string library_version(const std::filesystem::path& library) {
    if (std::string package = package_version(library); !package.empty()) {
        std::replace(package.begin(), package.end(), '\t', ' ');
        return package;
    }
    const std::string bytes = read_whole(library);
    const std::string mark = "OMP version: ";
    const std::size_t found = bytes.find(mark);
    return found == std::string::npos ? std::string{} : printable_from(bytes, found + mark.size());
}

std::string library_name(const std::string& runtime) {
    if (runtime == "libomp" || runtime == "libiomp5")
        return "libomp.so";
    if (runtime == "boost-fiber")
        return "libboost_fiber.so";
    return runtime == "tbb" ? "libtbb.so" : runtime + ".so";
}

json peer_facts(const runner& peer) {
    child_request request = request_for(peer, {}, question_limit_seconds);
    request.environment.emplace_back("LD_TRACE_LOADED_OBJECTS", "1");
    const std::string trace = run_child(request).output;
    const std::string path = traced_library(trace, library_name(peer.runtime));
    if (path.empty())
        return {{"library", nullptr}, {"version", nullptr}};
    std::error_code ignored;
    const std::filesystem::path real = std::filesystem::canonical(path, ignored);
    return {{"library", real.string()}, {"version", text_or_null(library_version(real))}};
}

json compiler_facts(const catalogue& found) {
    json facts = json::object();
    for (const char* compiler : compiler_names) {
        const auto built = std::find_if(found.runners.begin(), found.runners.end(),
                                        [&](const runner& each) { return each.compiler == compiler; });
        if (built != found.runners.end())
            facts[compiler] = text_or_null(compiler_version(read_whole(built->program), compiler));
    }
    return facts;
}

}  // namespace

std::string processor_name(const std::string& cpuinfo) {
    const std::size_t key = cpuinfo.find("model name");
    const std::size_t colon = cpuinfo.find(':', key);
    if (key == std::string::npos || colon == std::string::npos)
        return {};
    return first_line(cpuinfo.substr(colon + 1));
}

std::string compiler_version(const std::string& program_bytes, const std::string& compiler) {
    // Every program contains GCC's mark, from the start-up files. Clang's mark is only in programs that Clang built.
    const std::string mark = compiler == "clang" ? "clang version " : "GCC: (";
    const std::size_t found = program_bytes.find(mark);
    return found == std::string::npos ? std::string{} : printable_from(program_bytes, found);
}

std::string traced_library(const std::string& trace, const std::string& name_begin) {
    for (const std::string& line : split_list(trace, '\n')) {
        const std::size_t arrow = line.find(" => ");
        if (arrow == std::string::npos || !line.starts_with(name_begin))
            continue;
        const std::string path = line.substr(arrow + 4);
        return path.substr(0, path.rfind(" ("));
    }
    return {};
}

json machine_facts(const catalogue& found, const std::string& command_line) {
    const topology& machine = machine_topology();
    utsname system{};
    ::uname(&system);
    json facts;
    facts["cpu"] = text_or_null(processor_name(read_whole("/proc/cpuinfo")));
    facts["cpus"] = machine.cpu_count();
    facts["cores"] = machine.core_count();
    facts["sockets"] = machine.socket_count();
    facts["numa_domains"] = machine.numa_count();
    facts["default_threads"] = default_thread_count();
    facts["memory_bytes"] = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                            static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    facts["kernel"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
    facts["date"] =
        fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(
                                                 std::chrono::system_clock::now())));
    facts["command"] = command_line;
    facts["teff"] = TEFF_VERSION_STRING;
    facts["commit"] = text_or_null(built_commit());
    facts["compilers"] = compiler_facts(found);
    json peers = json::object();
    for (const runner& each : found.runners)
        if (is_peer(each.runtime) && !peers.contains(each.runtime))
            peers[each.runtime] = peer_facts(each);
    facts["peers"] = std::move(peers);
    for (const runner& each : found.runners)
        if (each.runtime == "teff-omp")
            facts["teff_openmp"] = each.library.string();
    return facts;
}

}  // namespace teff::cli
