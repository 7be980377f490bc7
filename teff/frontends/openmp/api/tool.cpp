// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tools (OMPT). Looks for one while the runtime is loaded (OpenMP 5.1, section 4.2), and hands the program over to the
// runtime for tools if there is one. In order: a definition of ompt_start_tool() in the process, then the libraries
// that OMP_TOOL_LIBRARIES names. OMP_TOOL=disabled: none. OMP_TOOL_VERBOSE_INIT=stdout, stderr or a file: what was
// tried.
//
// A program that reads the graph of its tasks (core/tools/dependence_pairs.hpp) runs on the runtime for tools, too.
//
// The runtime for tools is a shared object beside this one, so that programs without a tool do not load it. It has the
// same functions; all calls are redirected to it (redirection.hpp).
#include <teff/base/assert.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/frontends/openmp/core/environment/values.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/process/runtimes.hpp>
#include <teff/frontends/openmp/core/tools/callbacks.hpp>
#include <teff/frontends/openmp/core/tools/dependence_pairs.hpp>
#include <teff/frontends/openmp/core/tools/redirection.hpp>
#include <teff/openmp/omp-tools.h>
#include <teff/version.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <string_view>

namespace teff::openmp::tools {

// Made from symbols.txt, in the same order in both runtimes.
extern const entry_point entry_points[];
extern const std::size_t entry_point_count;

namespace {
constexpr const char* race_detector = "libarcher.so";
}

}  // namespace teff::openmp::tools

#if TEFF_OPENMP_CALLS_TOOL

namespace teff::openmp::tools {
namespace {

// Archer, which tells ThreadSanitizer the orders of OpenMP itself, has declined to be a tool unless it is in the
// process now. Another tool may have loaded it and pass the events on.
bool is_race_detector_loaded() noexcept {
    void* const loaded = ::dlopen(race_detector, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded != nullptr)
        ::dlclose(loaded);
    return loaded != nullptr;
}

}  // namespace
}  // namespace teff::openmp::tools

extern "C" const teff::openmp::tools::entry_point* teff_openmp_entry_points(std::size_t* count) {
    *count = teff::openmp::tools::entry_point_count;
    return teff::openmp::tools::entry_points;
}
// tool: nullptr: there is none.
extern "C" bool teff_openmp_begin_tool(ompt_start_tool_result_t* tool, const void* redirected, bool keeps_graph) {
    teff::openmp::count_as_own(redirected);
    if (keeps_graph)
        teff::openmp::tools::keep_graph();
    const bool observes = tool != nullptr && teff::openmp::tools::begin_tool(*tool);
    teff::sanitizers::leave_orders_to_others(observes && teff::openmp::tools::is_race_detector_loaded());
    return observes;
}

#else

namespace teff::openmp::tools {
namespace {

constexpr unsigned openmp_version = 202011;  // OpenMP 5.1
constexpr const char* runtime_version = "Teff " TEFF_VERSION_STRING;
constexpr const char* runtime_for_tools = "libteff-omp-tools.so";

using tool_result = ompt_start_tool_result_t;
using start_function = tool_result* (*)(unsigned, const char*);

// Lines about the search, for OMP_TOOL_VERBOSE_INIT.
class search_log {
public:
    search_log() noexcept {
        const char* const to = ::secure_getenv("OMP_TOOL_VERBOSE_INIT");
        if (to == nullptr || *to == '\0' || std::strcmp(to, "disabled") == 0)
            return;
        if (std::strcmp(to, "stdout") == 0)
            out_ = stdout;
        else if (std::strcmp(to, "stderr") == 0)
            out_ = stderr;
        else if (out_ = ::fopen(to, "w"); out_ == nullptr)
            warn("OMP_TOOL_VERBOSE_INIT=%s: the file cannot be written: %s", to, std::strerror(errno));
        is_own_ = out_ != nullptr && out_ != stdout && out_ != stderr;
        say("----- START LOGGING OF TOOL REGISTRATION -----\n");
    }
    ~search_log() {
        say("----- END LOGGING OF TOOL REGISTRATION -----\n");
        if (is_own_)
            ::fclose(out_);
        else if (out_ != nullptr)
            ::fflush(out_);
    }
    search_log(const search_log&) = delete;
    search_log& operator=(const search_log&) = delete;

    bool is_on() const noexcept { return out_ != nullptr; }
    template <class... Arguments>
    void say(const char* format, Arguments... arguments) noexcept {
        if (out_ == nullptr)
            return;
        if constexpr (sizeof...(arguments) == 0)
            ::fputs(format, out_);
        else
            ::fprintf(out_, format, arguments...);
        // The tool may write there, too.
        ::fflush(out_);
    }

private:
    FILE* out_ = nullptr;
    bool is_own_ = false;
};

// A definition in the process that is not the one of this library; nullptr: there is none.
start_function definition_in_process() noexcept {
    for (void* const where : {RTLD_DEFAULT, RTLD_NEXT}) {
        const auto found = reinterpret_cast<start_function>(::dlsym(where, "ompt_start_tool"));
        if (found != nullptr && found != &ompt_start_tool)
            return found;
    }
    return nullptr;
}

tool_result* start_from_process(search_log& log) noexcept {
    log.say("Search for OMP tool in current address space... ");
    const start_function start = definition_in_process();
    tool_result* const tool = start != nullptr ? start(openmp_version, runtime_version) : nullptr;
    log.say(tool != nullptr ? "Success.\n" : "Failed.\n");
    return tool;
}

// or_else: what follows if the library is not interested.
tool_result* start_from_library(const char* path, search_log& log, const char* or_else) noexcept {
    log.say("Opening %s... ", path);
    void* const library = ::dlopen(path, RTLD_LAZY);
    if (library == nullptr) {
        log.say("Failed: %s\n", ::dlerror());
        return nullptr;
    }
    log.say("Success.\nSearching for ompt_start_tool in %s... ", path);
    const auto start = reinterpret_cast<start_function>(::dlsym(library, "ompt_start_tool"));
    if (start == nullptr || start == &ompt_start_tool) {
        log.say("Failed: %s\n", start == nullptr ? ::dlerror() : "it is not a tool");
        ::dlclose(library);
        return nullptr;
    }
    if (tool_result* const tool = start(openmp_version, runtime_version)) {
        log.say("Success.\n");
        return tool;
    }
    log.say("Found but not using the OMPT interface.\n%s", or_else);
    ::dlclose(library);
    return nullptr;
}

tool_result* start_from_list(const char* list, search_log& log) {
    log.say("Searching tool libraries...\nOMP_TOOL_LIBRARIES = %s\n", list);
    std::string_view rest = list;
    while (!rest.empty()) {
        const std::string path(rest.substr(0, rest.find(':')));
        rest.remove_prefix(std::min(path.size() + 1, rest.size()));
        if (path.empty())
            continue;
        if (tool_result* const tool = start_from_library(path.c_str(), log, "Continuing search...\n"))
            return tool;
    }
    log.say("...searching tool libraries failed.\n");
    return nullptr;
}

// ThreadSanitizer's tool for OpenMP says that it is not one in a program without the sanitizer. So it is only loaded if
// the process has that, or for its line in the log.
tool_result* start_race_detector(search_log& log) noexcept {
    if (!log.is_on() && ::dlsym(RTLD_DEFAULT, "__tsan_func_entry") == nullptr)
        return nullptr;
    return start_from_library(race_detector, log, "");
}

// nullptr: there is no tool.
tool_result* start_some_tool(search_log& log) {
    if (tool_result* const tool = start_from_process(log))
        return tool;
    if (const char* const list = ::secure_getenv("OMP_TOOL_LIBRARIES"); list != nullptr && *list != '\0')
        return start_from_list(list, log);
    log.say("No OMP_TOOL_LIBRARIES defined.\n...searching tool libraries failed. Using archer tool.\n");
    return start_race_detector(log);
}

void* load_runtime_for_tools() {
    Dl_info own{};
    ::dladdr(reinterpret_cast<const void*>(&load_runtime_for_tools), &own);
    std::string path = own.dli_fname != nullptr ? own.dli_fname : "";
    // Also behind a link by another name in another folder.
    if (char* const real = ::realpath(path.c_str(), nullptr)) {
        path = real;
        ::free(real);
    }
    path = path.substr(0, path.rfind('/') + 1) + runtime_for_tools;
    void* const loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr)
        warn("OpenMP: the tool is not called, since the runtime for tools cannot be loaded: %s", ::dlerror());
    return loaded;
}

bool redirect_to(void* loaded) noexcept {
    const auto points =
        reinterpret_cast<const entry_point* (*)(std::size_t*)>(::dlsym(loaded, "teff_openmp_entry_points"));
    std::size_t count = 0;
    const entry_point* const to = points != nullptr ? points(&count) : nullptr;
    if (to == nullptr || count != entry_point_count) {
        warn("OpenMP: the tool is not called, since %s is of another version: install both files of one version",
             runtime_for_tools);
        return false;
    }
    if (const int error = redirect(entry_points, to, count); error != 0) {
        warn("OpenMP: the tool is not called, since the system forbids to redirect the runtime's functions: %s. Allow "
             "this process to change its code (mprotect), or set OMP_TOOL=disabled",
             std::strerror(error));
        return false;
    }
    return true;
}

// OMP_TOOL is read like all variables of the environment, but earlier.
bool is_disabled() noexcept {
    constexpr std::string_view words[] = {"disabled"};
    const char* const setting = ::secure_getenv("OMP_TOOL");
    unsigned which = 0;
    return setting != nullptr && environment::parse_word(setting, words, which);
}

// The runtime for tools, with a tool that it shall begin.
struct found_tool {
    void* runtime = nullptr;
    tool_result* tool = nullptr;
};
found_tool find_tool() {
    search_log log;
    if (is_disabled()) {
        log.say("OMP tool disabled.\n");
        return {};
    }
    tool_result* const tool = start_some_tool(log);
    void* const loaded = tool != nullptr ? load_runtime_for_tools() : nullptr;
    if (loaded == nullptr || !redirect_to(loaded)) {
        log.say("No OMP tool loaded.\n");
        return {};
    }
    log.say("Tool was started and is using the OMPT interface.\n");
    return {loaded, tool};
}

void start_tool() {
    found_tool found = find_tool();
    const bool reads_graph = program_names("__kmpc_task_get_");
    if (found.runtime == nullptr && reads_graph) {
        void* const loaded = load_runtime_for_tools();
        found.runtime = loaded != nullptr && redirect_to(loaded) ? loaded : nullptr;
    }
    if (found.runtime == nullptr)
        return;
    const auto begin = reinterpret_cast<bool (*)(tool_result*, const void*, bool)>(
        ::dlsym(found.runtime, "teff_openmp_begin_tool"));
    begin(found.tool, reinterpret_cast<const void*>(&start_tool), reads_graph);
}

[[gnu::constructor]] void look_for_tool() noexcept { start_tool(); }

}  // namespace
}  // namespace teff::openmp::tools

#endif

// A tool that passes the call on to the next definition reaches this one, which says that there is no further tool.
extern "C" [[gnu::weak]] ompt_start_tool_result_t* ompt_start_tool(unsigned /*omp_version*/,
                                                                   const char* /*runtime_version*/) {
    return nullptr;
}

// -2: there is no tool, -1: it has no callback for this.
extern "C" int omp_control_tool(int command, int modifier, void* argument) {
    return teff::openmp::events::control(command, modifier, argument, TEFF_CALL_SITE);
}
extern "C" int omp_control_tool_(const int* command, const int* modifier, void* argument) {
    return teff::openmp::events::control(*command, *modifier, argument, TEFF_CALL_SITE);
}
