// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the comparison with named runtimes; see named_comparison.hpp.
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

named_cell named_ratio(const std::optional<paired_ratio>& ratio) {
    if (!ratio)
        return {"-", std::nullopt};
    return {ratio->median >= 100 ? fmt::format("{:.0f}", ratio->median) : fmt::format("{:.3f}", ratio->median),
            ratio->median};
}

std::optional<paired_ratio> ratio_to(const std::vector<measurement>& rows, const measurement& measured,
                                     const char* runtime) {
    if (!measured.what.has_ratio)
        return std::nullopt;
    const auto other = std::find_if(rows.begin(), rows.end(), [&](const measurement& row) {
        // Go has one compiler.
        return row.what.runtime == runtime &&
               (row.what.compiler == measured.what.compiler || row.what.runtime == "go") &&
               row.what.threads == measured.what.threads && row.what.same_problem(measured.what);
    });
    return other == rows.end() ? std::nullopt : ratio_by_rounds(measured.compared_runs(), other->compared_runs());
}

// The time of the run, or of one construct.
named_cell named_value(const measurement& row) {
    if (row.what.compared.empty())
        return {format_seconds(row.median_seconds()), row.median_seconds()};
    const std::vector<timed_run> values = row.compared_runs();
    if (values.empty())
        return {"-", std::nullopt};
    const double middle = median(seconds_of(values));
    return {number_text(middle) + " ns", middle};
}

named_cell named_pairs(const std::optional<paired_ratio>& ratio) {
    if (!ratio)
        return {"-", std::nullopt};
    return {fmt::format("{}", ratio->pairs), ratio->pairs};
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
        named_line& line = found.lines.emplace_back(named_line{&row, {named_value(row)}});
        for (const char* runtime : runtimes)
            line.cells.push_back(named_ratio(ratio_to(rows, row, runtime)));
        const comparison& beside = comparisons[i];
        if (beside.best_peer == nullptr)
            line.cells.insert(line.cells.end(), 4, {"-", std::nullopt});
        else
            line.cells.insert(line.cells.end(), {{beside.best_peer->what.runtime, std::nullopt},
                                                 named_value(*beside.best_peer),
                                                 named_ratio(beside.to_best_peer),
                                                 named_pairs(beside.to_best_peer)});
        if (has_serial)
            line.cells.push_back(named_ratio(beside.to_serial));
    }
    return found;
}

}  // namespace teff::cli
