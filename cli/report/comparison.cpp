// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares rows; see comparison.hpp. There are some hundreds of rows at most, so partners are found by linear search.
#include <cli/report/comparison.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>


namespace teff::cli {

namespace {

const measurement* serial_of(const std::vector<measurement>& rows, const configuration& what, const char* variant) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const measurement& row) {
        // The serial programs of kind dataflow are not named `recursive` or `stack`: their variants are those of the
        // parallel programs.
        return row.what.runtime == "serial" && (row.what.kind == "dataflow" || row.what.variant == variant) &&
               row.what.same_problem(what) && row.what.compiler == what.compiler;
    });
    return found == rows.end() ? nullptr : &*found;
}

// Infinite if nothing can be compared.
double compared_median(const measurement& row) {
    const std::vector<timed_run> runs = row.compared_runs();
    return runs.empty() ? std::numeric_limits<double>::infinity() : median(seconds_of(runs));
}

const measurement* best_peer_of(const std::vector<measurement>& rows, const configuration& what) {
    const measurement* best = nullptr;
    for (const measurement& row : rows) {
        if (!row.what.is_peer() || !row.what.has_ratio || row.what.compared_threads() != what.compared_threads() ||
            !row.what.same_problem(what))
            continue;
        if (best == nullptr || compared_median(row) < compared_median(*best))
            best = &row;
    }
    return best;
}

// Teff in one process, with as many threads.
const measurement* process_of(const std::vector<measurement>& rows, const configuration& what) {
    if (!what.ranks)
        return nullptr;
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const measurement& row) {
        return row.what.runtime == "teff" && row.what.variant == what.variant && row.what.same_problem(what) &&
               row.what.compared_threads() == what.compared_threads() && row.what.compiler == what.compiler &&
               (!what.scheduler || row.what.scheduler == what.scheduler);
    });
    return found == rows.end() ? nullptr : &*found;
}

std::optional<paired_ratio> ratio(const measurement& above, const measurement* below) {
    return below == nullptr ? std::nullopt : ratio_by_rounds(above.compared_runs(), below->compared_runs());
}

}  // namespace

std::vector<comparison> compare(const std::vector<measurement>& rows) {
    std::vector<comparison> comparisons;
    for (const measurement& row : rows) {
        comparison& result = comparisons.emplace_back();
        if (!row.what.has_ratio)
            continue;
        result.to_serial = ratio(row, serial_of(rows, row.what, "recursive"));
        if (row.what.kind != "dataflow")
            result.to_stack = ratio(row, serial_of(rows, row.what, "stack"));
        // A serial row has one thread. The peers may have more, so it is not compared with them.
        if (row.what.runtime == "serial")
            continue;
        result.best_peer = best_peer_of(rows, row.what);
        result.to_best_peer = ratio(row, result.best_peer);
        result.to_process = ratio(row, process_of(rows, row.what));
    }
    return comparisons;
}

std::vector<peer_mean> peer_means(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons) {
    std::vector<peer_mean> means;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const configuration& what = rows[i].what;
        if (!is_teff(what.runtime) || what.in_sweep || !comparisons[i].to_best_peer)
            continue;
        auto mean = std::find_if(means.begin(), means.end(), [&](const peer_mean& each) {
            return each.what->ranks == what.ranks && each.what->threads == what.threads &&
                   each.what->compiler == what.compiler &&
                   scheduling_text(*each.what) == scheduling_text(what);
        });
        if (mean == means.end())
            mean = means.insert(means.end(), {&what});
        mean->ratio += std::log(comparisons[i].to_best_peer->median);
        ++mean->rows;
    }
    for (peer_mean& each : means)
        each.ratio = std::exp(each.ratio / each.rows);
    return means;
}

std::vector<std::string> mean_sentences(const std::vector<measurement>& rows,
                                        const std::vector<comparison>& comparisons) {
    std::vector<std::string> sentences;
    for (const peer_mean& mean : peer_means(rows, comparisons))
        if (mean.rows > 1)
            sentences.push_back(fmt::format("geometric mean of {} kernels with {}, {}, by {}: {:.3f} of the best peer",
                                            mean.rows, mean.what->threads_text(), scheduling_text(*mean.what),
                                            mean.what->compiler, mean.ratio));
    return sentences;
}

std::vector<std::string> unequal_work(const std::vector<measurement>& rows) {
    std::vector<std::string> sentences;
    for (auto first = rows.begin(); first != rows.end(); ++first) {
        const bool seen = std::any_of(rows.begin(), first, [&](const measurement& earlier) {
            return earlier.what.has_ratio && earlier.what.same_work(first->what);
        });
        if (seen || !first->what.has_ratio)
            continue;
        const auto other = std::find_if(first, rows.end(), [&](const measurement& row) {
            return row.what.has_ratio && row.what.same_work(first->what) && row.tasks != first->tasks;
        });
        if (other != rows.end())
            sentences.push_back(fmt::format("{} {}: not the same work: {} tasks by {}, {} by {}", first->what.kernel,
                                            first->what.size_text(), first->tasks, series_text(first->what),
                                            other->tasks, series_text(other->what)));
    }
    return sentences;
}

void test_rank_sums(measurements& results) {
    const std::vector<measurement>& rows = results.rows;
    std::vector<std::vector<double>> values;
    for (const measurement& row : rows)
        values.push_back(seconds_of(row.compared_runs()));
    for (std::size_t first = 0; first < rows.size(); ++first)
        for (std::size_t second = first + 1; second < rows.size(); ++second) {
            const configuration &one = rows[first].what, &other = rows[second].what;
            if (one.same_problem(other) && one.compared_threads() == other.compared_threads() &&
                one.compiler == other.compiler &&
                std::min(values[first].size(), values[second].size()) >= fewest_for_rank_sum)
                results.rank_sums.push_back({first, second, rank_sum_test(values[first], values[second])});
        }
}

std::string scheduling_text(const configuration& what) {
    std::string text = what.scheduler.value_or("");
    if (what.tracker)
        text += "/" + *what.tracker;
    if (what.reclaimer && *what.reclaimer != "epoch")
        text += "/" + *what.reclaimer;
    return text;
}

std::string series_text(const configuration& what) {
    std::string text = what.runtime;
    if (what.scheduler)
        text += " " + scheduling_text(what);
    // In kind openmp every program has the variant `wait`.
    const bool is_usual = what.kind == "openmp" ? what.variant == "wait" : what.variant == "nowait";
    if (what.ranks)
        text += fmt::format(" {} rank{}", *what.ranks, *what.ranks == 1 ? "" : "s");
    if (!is_usual && what.variant != "tasks" && (what.kind != "threads" || what.variant != "threads"))
        text += " " + what.variant;
    return fmt::format("{} ({})", text, what.compiler);
}

}  // namespace teff::cli
