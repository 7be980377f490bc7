// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs, reads and writes; see recorded_runs.hpp.
//
// The library writes to a temporary file, whose name is short enough for its option. It is read from there, so that
// the folder of the user only ever has complete files.
#include <cli/bench/recorded_runs.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <cli/bench/single_run.hpp>
#include <cli/output.hpp>
#include <cli/output_file.hpp>

namespace teff::cli {

namespace {

namespace fs = std::filesystem;

const planned_run* planned_for(const measurement& row, const plan& planned) {
    const auto found = std::find_if(planned.runs.begin(), planned.runs.end(), [&](const planned_run& each) {
        return each.text() == row.what.text();
    });
    return found == planned.runs.end() ? nullptr : &*found;
}

// A kind of record: the option that asks for it, and how it is written, read and shown.
struct record_kind {
    const char* option;
    const char* variable;        // names the file that the library writes
    const char* name;            // for messages
    const char* ending;          // of the files, before .json and .svg
    const fs::path& folder;
    // Reads the text into the row, as that of the file, and returns the picture. Throws std::runtime_error if it
    // cannot be read.
    std::string (*add)(measurement& row, const std::string& text, const std::string& file);
};

std::string add_timeline(measurement& row, const std::string& text, const std::string& file) {
    row.seen = read_timeline(text);
    row.timeline_file = file;
    return timeline_file(*row.seen, row.what.text());
}

std::string add_task_graph(measurement& row, const std::string& text, const std::string& file) {
    const task_graph graph = read_task_graph(text);
    row.graph = drawn_task_graph(graph, "task graph of " + row.what.text());
    row.graph_file = file;
    return task_graph_file(graph, row.what.text());
}

// Empty, or why the run has no record. Then the row is as before.
std::string record(measurement& row, const planned_run& what, const record_kind& kind, const bench_settings& settings,
                   const catalogue& found) {
    const temporary_record file;
    // A timeline has no single tasks, so that their record takes no time.
    const run_result result =
        run_once(what, settings, found, {{kind.variable, file.name()}, {"TEFF_TRACE_EVENTS", "0"}});
    if (result.outcome != run_outcome::verified)
        return result.reason;
    const std::string text = file.text();
    const std::string stem = (kind.folder / (file_stem(row.what.text()) + kind.ending)).string();
    if (text.empty())
        return fmt::format("its {} cannot be read: it is empty", kind.name);
    // Also one that cannot be read: it is what there is to find out why.
    write_file(stem + ".json", text);
    measurement with_record = row;
    std::string picture;
    try {
        picture = kind.add(with_record, text, stem + ".json");
    } catch (const std::runtime_error& error) {
        return fmt::format("its {} '{}' cannot be read: {}", kind.name, stem + ".json", error.what());
    }
    write_file(stem + ".svg", picture);
    row = std::move(with_record);
    return {};
}

// The same if a file cannot be made or written. The measurements, which may have taken hours, must not be lost then.
std::string why_not_recorded(measurement& row, const planned_run& what, const record_kind& kind,
                             const bench_settings& settings, const catalogue& found) {
    try {
        return record(row, what, kind, settings, found);
    } catch (const std::exception& error) {
        return error.what();
    }
}

void record_all(measurements& results, const plan& planned, const record_kind& kind, const bench_settings& settings,
                const catalogue& found) {
    std::error_code ignored;
    fs::create_directory(kind.folder, ignored);
    bool any = false, all = true;
    for (measurement& row : results.rows) {
        // Without a scheduler the kernel runs on threads of its own.
        const planned_run* const what = planned_for(row, planned);
        if (row.what.runtime != "teff" || !row.what.scheduler || what == nullptr)
            continue;
        const std::string reason = why_not_recorded(row, *what, kind, settings, found);
        if (is_signal_deferred()) {
            results.partial = true;
            return;
        }
        if (reason.empty())
            any = true;
        else
            tell("teff bench: {}: {}: {}\n", kind.option, row.what.text(), reason);
        all = all && reason.empty();
    }
    if (any)
        tell("teff bench: {}s written to {}\n", kind.name, kind.folder.string());
    else if (all)
        tell("teff bench: {}: no configuration of Teff was measured, so there is no {}\n", kind.option,
             kind.name);
}

}  // namespace

std::string file_stem(const std::string& text) {
    std::string stem;
    for (const char each : text) {
        if (std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_' || each == '.')
            stem += each;
        else if (!stem.empty() && stem.back() != '-')
            stem += '-';
    }
    return stem;
}

void record_timelines(measurements& results, const plan& planned, const bench_settings& settings,
                      const catalogue& found) {
    record_all(results, planned,
               {"--timeline", "TEFF_TRACE", "timeline", "", settings.timeline, add_timeline}, settings, found);
}

void record_task_graphs(measurements& results, const plan& planned, const bench_settings& settings,
                        const catalogue& found) {
    record_all(results, planned,
               {"--graph", "TEFF_DATAFLOW_GRAPH", "task graph", "-graph", settings.graph, add_task_graph}, settings,
               found);
}

}  // namespace teff::cli
