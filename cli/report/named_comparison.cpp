// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See named_comparison.hpp.
#include <cli/report/named_comparison.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cli/text.hpp>

namespace teff::cli {

namespace {

std::vector<const char*> runtimes_beside(const std::string& kind) {
    if (kind == "threads")
        return {"pthread", "boost-fiber", "go"};
    return {"libgomp", "libomp", "libiomp5"};
}

std::string ratio_text(const std::optional<paired_ratio>& ratio) {
    if (!ratio)
        return "-";
    return ratio->median >= 100 ? fmt::format("{:.0f}", ratio->median) : fmt::format("{:.3f}", ratio->median);
}

std::optional<paired_ratio> ratio_to(const std::vector<measurement>& rows, const measurement& of,
                                     const char* runtime) {
    if (!of.what.has_ratio)
        return std::nullopt;
    const auto other = std::find_if(rows.begin(), rows.end(), [&](const measurement& row) {
        // Go has one compiler.
        return row.what.runtime == runtime &&
               (row.what.compiler == of.what.compiler || row.what.runtime == "go") &&
               row.what.threads == of.what.threads && row.what.same_problem(of.what);
    });
    return other == rows.end() ? std::nullopt : ratio_by_rounds(of.compared_runs(), other->compared_runs());
}

// The time of the run, or of one construct.
std::string value_text(const measurement& row) {
    if (row.what.compared.empty())
        return format_seconds(row.median_seconds());
    const std::vector<timed_run> values = row.compared_runs();
    return values.empty() ? "-" : number_text(median(seconds_of(values))) + " ns";
}

}  // namespace

named_comparison named_comparison_of(const std::vector<measurement>& rows,
                                     const std::vector<comparison>& comparisons) {
    named_comparison found;
    if (rows.empty())
        return found;
    const std::vector<const char*> runtimes = runtimes_beside(rows.front().what.kind);
    found.titles = {"median"};
    for (const char* runtime : runtimes)
        found.titles.push_back(fmt::format("/{}", runtime));
    for (const char* title : {best_peer_title, "median", "/best peer", "pairs"})
        found.titles.emplace_back(title);
    // Constructs have no serial version.
    const bool has_serial = std::any_of(comparisons.begin(), comparisons.end(),
                                        [](const comparison& each) { return each.to_serial.has_value(); });
    if (has_serial)
        found.titles.emplace_back("/serial");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const measurement& row = rows[i];
        if (!is_teff(row.what.runtime))
            continue;
        named_line& line = found.lines.emplace_back(named_line{&row, {value_text(row)}});
        for (const char* runtime : runtimes)
            line.cells.push_back(ratio_text(ratio_to(rows, row, runtime)));
        const comparison& beside = comparisons[i];
        if (beside.best_peer == nullptr)
            line.cells.insert(line.cells.end(), 4, "-");
        else
            for (std::string& cell :
                 std::vector<std::string>{beside.best_peer->what.runtime, value_text(*beside.best_peer),
                                          ratio_text(beside.to_best_peer),
                                          beside.to_best_peer ? fmt::format("{}", beside.to_best_peer->pairs) : "-"})
                line.cells.push_back(std::move(cell));
        if (has_serial)
            line.cells.push_back(ratio_text(beside.to_serial));
    }
    return found;
}

}  // namespace teff::cli
