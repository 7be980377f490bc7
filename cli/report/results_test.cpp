// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of results.hpp: the exact keys of rows and skips, and text of any kind.
#include <cli/report/results.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <cli/report/test_rows.hpp>

namespace teff::cli {
namespace {

std::vector<std::string> keys_of(const nlohmann::ordered_json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.push_back(key);
    return keys;
}

measurements example_results() {
    measurements results;
    measurement row = test_row({}, "teff", "gcc", 2);
    row.what.scheduler = "demand";
    row.runs = {{0, 0.3}, {1, 0.1}, {2, 0.2}};
    row.tasks = 42;
    results.rows.push_back(row);
    skip missing;
    missing.what.kind = "reduce";
    missing.what.kernel = "fib";
    missing.what.size = "quick";
    missing.what.runtime = "tbb";
    missing.what.threads = 0;
    missing.reason = "not installed";
    results.skipped.push_back(missing);
    return results;
}

TEST(results_json, has_its_parts) {
    const auto object = results_json({{"cpu", "x"}}, example_results());
    EXPECT_EQ(keys_of(object), (std::vector<std::string>{"partial", "machine", "rows", "skipped"}));
    EXPECT_EQ(object["machine"]["cpu"], "x");
}

TEST(results_json, a_row_has_every_key) {
    const auto object = results_json({}, example_results());
    const auto& row = object["rows"][0];
    EXPECT_EQ(keys_of(row),
              (std::vector<std::string>{"kind", "kernel", "size", "cutoff", "variant", "runtime", "compiler",
                                        "scheduler", "tracker", "reclaimer", "ranks", "threads", "runs", "seconds",
                                        "seconds_median", "seconds_min", "seconds_max", "tasks", "verified"}));
    EXPECT_EQ(row["seconds"], (std::vector<double>{0.3, 0.1, 0.2}));
    EXPECT_EQ(row["seconds_median"], 0.2);
    EXPECT_EQ(row["scheduler"], "demand");
    EXPECT_TRUE(row["tracker"].is_null());
    EXPECT_TRUE(row["cutoff"].is_null());
    EXPECT_EQ(row["threads"], 2);
    EXPECT_EQ(row["runs"], 3);
}

TEST(results_json, a_skip_has_the_same_keys_and_two_more) {
    const auto object = results_json({}, example_results());
    auto expected = keys_of(object["rows"][0]);
    expected.insert(expected.end(), {"reason", "lower_bound_seconds"});
    const auto& skipped = object["skipped"][0];
    EXPECT_EQ(keys_of(skipped), expected);
    EXPECT_TRUE(skipped["threads"].is_null());
    EXPECT_TRUE(skipped["variant"].is_null());
    EXPECT_EQ(skipped["reason"], "not installed");
}

TEST(results_json, measures_stand_in_the_row_by_round) {
    measurements results = example_results();
    results.rows[0].given = {{"delay_ns", 100}};
    results.rows[0].found = {{{"cost_ns", 3.0}, {"tasks_by_worker", {1, 2}}},
                             {{"cost_ns", 1.0}, {"tasks_by_worker", {3, 0}}},
                             {{"cost_ns", 2.0}, {"tasks_by_worker", {2, 1}}}};
    const auto object = results_json({}, results);
    const auto& row = object["rows"][0];
    EXPECT_EQ(row["delay_ns"], 100);
    EXPECT_EQ(row["cost_ns"], (std::vector<double>{3, 1, 2}));
    EXPECT_EQ(row["cost_ns_median"], 2);
    EXPECT_EQ(row["tasks_by_worker"][1], (std::vector<int>{3, 0}));
    EXPECT_FALSE(row.contains("tasks_by_worker_median"));
}

// Text of any kind, and the same layout as that of the library for JSON.
TEST(results_json, any_text_is_written) {
    const nlohmann::ordered_json plain = {{"a", {1, 2.5, nullptr, true}}, {"b", nlohmann::ordered_json::object()},
                                          {"c", nlohmann::ordered_json::array()}, {"d", {{"e", "f"}}}};
    EXPECT_EQ(json_text(plain, 1), plain.dump(1, ' '));
    EXPECT_EQ(json_text(plain), plain.dump());
    const nlohmann::ordered_json strange = {{"<\xff", "\"\\\n</script>\x1b\xc3"}};
    EXPECT_EQ(json_text(strange), "{\"\\u003c\uFFFD\":\"\\\"\\\\\\u000a\\u003c/script>\\u001b\uFFFD\"}");
    EXPECT_EQ(nlohmann::json::parse(json_text(strange)).begin().value(), "\"\\\n</script>\x1b\uFFFD");
}

}  // namespace
}  // namespace teff::cli
