// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the rounds; see rounds.hpp.
//
// Each configuration is in one state: active (runs in the next round), resting (a slow peer that keeps its one run) or
// out (skipped). Rows are returned in the order of the plan, whatever order they ran in.
#include <cli/bench/rounds.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace teff::cli {

namespace {

enum class state { active, resting, out };

struct contender {
    const planned_run* planned;
    measurement row;
    state now = state::active;
    remaining_runs remaining;
};

bool is_failure(run_outcome outcome) {
    return outcome == run_outcome::wrong_answer || outcome == run_outcome::broken;
}

class rounds_of_a_plan {
public:
    rounds_of_a_plan(const plan& planned, unsigned rounds, const run_function& run, const progress& progress)
        : rounds_(rounds), run_(run), progress_(progress) {
        for (const planned_run& each : planned.runs) {
            measurement row;
            row.what = each;
            contenders_.push_back({&each, std::move(row), state::active, {rounds}});
        }
        result_.skipped = planned.skipped;
        total_ = contenders_.size() * rounds;
    }

    measurements all() {
        warm_up();
        for (unsigned round = 0; round < rounds_ && !result_.partial; ++round) {
            one_round(round);
            if (round == 0 && !result_.partial)
                rest_slow_peers();
        }
        for (contender& each : contenders_)
            if (each.now != state::out && !each.row.runs.empty())
                result_.rows.push_back(std::move(each.row));
        return std::move(result_);
    }

private:
    // Runs one configuration of each problem: the first one of Teff, or else the first of all. Both are quick to run.
    void warm_up() {
        for (std::size_t i = 0; i < contenders_.size() && !result_.partial; ++i) {
            const configuration& first = contenders_[i].row.what;
            if (i > 0 && contenders_[i - 1].row.what.same_problem(first))
                continue;
            const auto chosen = std::find_if(contenders_.begin(), contenders_.end(), [&](const contender& other) {
                return other.row.what.same_problem(first) && other.row.what.runtime == "teff";
            });
            if (progress_.warms_up)
                progress_.warms_up(first);
            const run_result discarded = run_(*(chosen == contenders_.end() ? contenders_[i] : *chosen).planned);
            result_.partial = discarded.outcome == run_outcome::interrupted;
        }
    }

    void one_round(unsigned round) {
        if (round % 2 == 0)
            for (contender& each : contenders_)
                one_run(round, each);
        else
            for (auto each = contenders_.rbegin(); each != contenders_.rend(); ++each)
                one_run(round, *each);
    }

    void one_run(unsigned round, contender& chosen) {
        if (chosen.now != state::active || result_.partial)
            return;
        if (progress_.run_starts)
            progress_.run_starts({round, chosen.row.what, done_, total_, time_left()});
        const auto begin = std::chrono::steady_clock::now();
        run_result result = run_(*chosen.planned);
        if (result.outcome == run_outcome::interrupted) {
            result_.partial = true;
            return;
        }
        chosen.remaining.last_seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        --chosen.remaining.count;
        ++done_;
        if (result.outcome != run_outcome::verified) {
            leave_out(round, chosen, result);
            return;
        }
        chosen.row.runs.push_back({round, result.seconds});
        chosen.row.tasks = result.tasks;
        chosen.row.counters = std::move(result.counters);
        chosen.row.given = std::move(result.given);
        chosen.row.found.push_back(std::move(result.found));
    }

    void leave_out(unsigned round, contender& chosen, const run_result& result) {
        skip skipped{chosen.row.what, result.reason, std::nullopt};
        if (result.outcome == run_outcome::over_limit)
            skipped.lower_bound_seconds = result.seconds;
        if (!chosen.row.runs.empty())
            skipped.reason += fmt::format(" in round {}, after {} that counted", round + 1, chosen.row.runs.size());
        result_.failed = result_.failed || is_failure(result.outcome);
        if (progress_.skipped)
            progress_.skipped(skipped);
        result_.skipped.push_back(std::move(skipped));
        retire(chosen, state::out, rounds_ - round - 1);
    }

    void rest_slow_peers() {
        for (contender& each : contenders_) {
            if (each.now != state::active || !each.row.what.is_peer())
                continue;
            if (each.row.runs.front().seconds <= slow_peer_factor * fastest_peer_of(each.row.what))
                continue;
            retire(each, state::resting, rounds_ - 1);
            if (progress_.keeps_one_run && rounds_ > 1)
                progress_.keeps_one_run(each.row.what);
        }
    }

    [[nodiscard]] double fastest_peer_of(const configuration& what) const {
        double fastest = std::numeric_limits<double>::infinity();
        for (const contender& each : contenders_)
            if (!each.row.runs.empty() && each.row.what.compared_threads() == what.compared_threads() &&
                each.row.what.same_problem(what) && each.row.what.is_peer())
                fastest = std::min(fastest, each.row.runs.front().seconds);
        return fastest;
    }

    void retire(contender& chosen, state next, unsigned rounds_left) {
        chosen.now = next;
        chosen.remaining.count = 0;
        total_ -= rounds_left;
    }

    [[nodiscard]] std::optional<double> time_left() const {
        std::vector<remaining_runs> all;
        for (const contender& each : contenders_)
            all.push_back(each.remaining);
        return seconds_left(all);
    }

    unsigned rounds_;
    const run_function& run_;
    const progress& progress_;
    std::vector<contender> contenders_;
    measurements result_;
    std::size_t done_ = 0;
    std::size_t total_ = 0;
};

}  // namespace

measurements measure(const plan& planned, unsigned rounds, const run_function& run, const progress& progress) {
    return rounds_of_a_plan(planned, rounds, run, progress).all();
}

std::optional<double> seconds_left(const std::vector<remaining_runs>& all) {
    double known = 0, sum = 0;
    unsigned unknown_runs = 0, measured = 0;
    for (const remaining_runs& each : all) {
        if (each.last_seconds) {
            known += each.count * *each.last_seconds;
            sum += *each.last_seconds;
            ++measured;
        } else {
            unknown_runs += each.count;
        }
    }
    if (measured == 0)
        return std::nullopt;
    return known + unknown_runs * sum / measured;
}

std::string rough_duration(double seconds) {
    constexpr double minute = 60, hour = 3600;
    if (seconds < 1.5 * minute)
        return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 1.5 * hour)
        return fmt::format("{:.0f} min", std::ceil(seconds / minute));
    const auto minutes = static_cast<long>(std::ceil(seconds / minute / 10)) * 10;
    return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60)
                             : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace teff::cli
