// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the checker itself: litmus tests against the standard, the reduction against plain search, and seeded bugs.
#include "scenarios.hpp"
#include "sections.hpp"

#include <model/depth_first.hpp>
#include <model/farm.hpp>
#include <model/random_walk.hpp>
#include <model/runner.hpp>

#include <cstdio>
#include <cstring>
#include <set>

namespace scenarios {
namespace {

constexpr unsigned unbounded = 1000;  // preemptions

struct verdict {
    std::uint64_t executions;
    bool as_expected;
    char text[4000];
};

template <std::size_t Size>
void keep_text(char (&to)[Size], const std::string& text) {
    std::snprintf(to, Size, "%s", text.c_str());
}

std::string to_text(const std::set<std::uint64_t>& outcomes) {
    std::string text;
    for (const std::uint64_t each : outcomes)
        text += ' ' + std::to_string(each);
    return text;
}

void run_litmus(const litmus& test, verdict& into) {
    model::depth_first how({.preemptions = unbounded, .weak = true});
    const model::exploration found = explore({"litmus", test.name, test.body}, how);
    const std::set<std::uint64_t> allowed(test.allowed.begin(), test.allowed.end());
    into.executions = found.executions;
    into.as_expected = found.complete && found.outcomes == allowed;
    if (found.failed)
        keep_text(into.text, found.report);
    else if (!into.as_expected)
        keep_text(into.text, "outcomes" + to_text(found.outcomes) + (found.complete ? "" : " (incomplete)") +
                                 ", allowed" + to_text(allowed));
}

// Whether the reduction finds the same outcomes as plain search within so many preemptions.
bool reduction_agrees(const litmus& test, unsigned preemptions) {
    model::depth_first plain({.preemptions = preemptions, .reduce = false});
    model::depth_first reduced({.preemptions = preemptions});
    const model::scenario what{"litmus", test.name, test.body};
    return explore(what, plain).outcomes == explore(what, reduced).outcomes;
}

void run_seeded(const seeded_bug& bug, const settings& how, verdict& into) {
    constexpr std::uint64_t most_schedules = 200'000;
    model::random_walk walk(how.seed, most_schedules, bug.weak);
    const model::exploration found = explore({"seeded", bug.name, bug.body}, walk);
    into.executions = found.executions;
    if (bug.found_as == nullptr) {
        into.as_expected = !found.failed;
        keep_text(into.text, found.failed ? found.report : std::string("passes"));
    } else {
        into.as_expected =
            found.failed && found.reproduced && found.message.find(bug.found_as) != std::string::npos;
        keep_text(into.text, !found.failed ? "NOT FOUND"
                             : found.reproduced ? found.message + "\n          --replay '" + found.schedule + '\''
                                                : found.report);
    }
}

}  // namespace

unsigned check_the_checker(const settings& how) {
    if (!is_wanted(how, "litmus", nullptr))
        return 0;
    const auto tests = litmus_tests();
    const model::farm<verdict> verdicts(how.jobs, static_cast<unsigned>(tests.size()),
                                        [&](unsigned i, verdict& into) { run_litmus(tests[i], into); });
    unsigned wrong = 0;
    std::uint64_t executions = 0;
    for (unsigned i = 0; i < verdicts.size(); ++i) {
        executions += verdicts[i].executions;
        if (verdicts.is_done(i) && verdicts[i].as_expected)
            continue;
        ++wrong;
        std::printf("litmus test %s: WRONG: %s\n", tests[i].name,
                    verdicts.is_done(i) ? verdicts[i].text : "it crashed");
    }
    for (const litmus& test : tests) {
        for (const unsigned preemptions : {0U, 1U, 2U, 3U, unbounded}) {
            if (!reduction_agrees(test, preemptions)) {
                ++wrong;
                std::printf("litmus test %s: the reduction loses an outcome with %u preemptions\n", test.name,
                            preemptions);
            }
        }
    }
    std::printf("litmus: %zu tests, %llu executions, %u wrong\n", tests.size(),
                static_cast<unsigned long long>(executions), wrong);
    return wrong;
}

unsigned find_seeded_bugs(const settings& how) {
    if (!is_wanted(how, "seeded", nullptr))
        return 0;
    const auto bugs = seeded_bugs();
    const model::farm<verdict> verdicts(how.jobs, static_cast<unsigned>(bugs.size()),
                                        [&](unsigned i, verdict& into) { run_seeded(bugs[i], how, into); });
    unsigned missed = 0;
    std::printf("seeded bugs:\n");
    for (unsigned i = 0; i < verdicts.size(); ++i) {
        const bool good = verdicts.is_done(i) && verdicts[i].as_expected;
        missed += good ? 0 : 1;
        std::printf("  %s %s, after %llu executions: %s\n", good ? "ok   " : "WRONG", bugs[i].name,
                    static_cast<unsigned long long>(verdicts[i].executions),
                    verdicts.is_done(i) ? verdicts[i].text : "it crashed");
    }
    return missed;
}

}  // namespace scenarios
