// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts that each parser accepts and rejects. A rejected text leaves the result unchanged.
#include <teff/frontends/openmp/core/environment/values.hpp>

#include <gtest/gtest.h>

#include <climits>
#include <string_view>
#include <vector>

namespace {

using namespace teff::openmp;
using namespace teff::openmp::environment;

TEST(openmp_values, booleans) {
    for (const char* text : {"true", "TRUE", " True ", "1", "yes", "on", "ENABLED"}) {
        bool result = false;
        EXPECT_TRUE(parse_boolean(text, result)) << text;
        EXPECT_TRUE(result) << text;
    }
    for (const char* text : {"false", "FALSE", "\tFalse", "0", "no", "off", "disabled"}) {
        bool result = true;
        EXPECT_TRUE(parse_boolean(text, result)) << text;
        EXPECT_FALSE(result) << text;
    }
    for (const char* text : {"", " ", "tru", "truee", "2", "-1", "t", "true false", "true,"}) {
        bool result = true;
        EXPECT_FALSE(parse_boolean(text, result)) << text;
        EXPECT_TRUE(result) << text;
    }
}

TEST(openmp_values, integers) {
    long result = 0;
    EXPECT_TRUE(parse_integer("7", 0, 10, result) && result == 7);
    EXPECT_TRUE(parse_integer(" +10 ", 0, 10, result) && result == 10);
    EXPECT_TRUE(parse_integer("-3", -5, 10, result) && result == -3);
    EXPECT_TRUE(parse_integer("0", 0, 0, result) && result == 0);
    result = 42;
    for (const char* text : {"", " ", "11", "-1", "-0", "1.5", "1 2", "0x1", "one", "1,", "99999999999999999999"})
        EXPECT_FALSE(parse_integer(text, 0, 10, result)) << text;
    EXPECT_EQ(result, 42);
}

TEST(openmp_values, sizes) {
    struct {
        const char* text;
        std::size_t bytes;  // 0: rejected
    } const cases[] = {{"1", 1024},        {"10B", 10},     {"20k", 20 << 10}, {" 3 M ", 3 << 20}, {"2G", 2UL << 30},
                       {"1T", 1UL << 40},  {"2000500B", 2000500}, {"0", 0},    {"", 0},            {"k", 0},
                       {"3 X", 0},         {"-1K", 0},      {"1KB", 0},        {"1.5M", 0},        {"9000000000G", 0},
                       {"20000000T", 0},   {"m 4", 0},      {"10 k 5", 0}};
    for (const auto& each : cases) {
        std::size_t bytes = 77;
        EXPECT_EQ(parse_size(each.text, 1024, bytes), each.bytes != 0) << each.text;
        EXPECT_EQ(bytes, each.bytes != 0 ? each.bytes : 77) << each.text;
    }
}

TEST(openmp_values, times_and_counts) {
    long result = 0;
    EXPECT_TRUE(parse_time("200", result) && result == 200'000);
    EXPECT_TRUE(parse_time("200ms", result) && result == 200'000);
    EXPECT_TRUE(parse_time("30 us", result) && result == 30);
    EXPECT_TRUE(parse_time("2s", result) && result == 2'000'000);
    EXPECT_TRUE(parse_time("0", result) && result == 0);
    EXPECT_TRUE(parse_time("Infinite", result) && result == endless_us);
    EXPECT_TRUE(parse_time("99999999999999", result) && result == endless_us);
    for (const char* text : {"", "-1", "us", "3 hours", "1e3", "infinitely"})
        EXPECT_FALSE(parse_time(text, result)) << text;
    EXPECT_TRUE(parse_count("300000", result) && result == 300'000);
    EXPECT_TRUE(parse_count("30k", result) && result == 30'000);
    EXPECT_TRUE(parse_count("2 G", result) && result == 2'000'000'000);
    EXPECT_TRUE(parse_count("INFINITY", result) && result == LONG_MAX);
    for (const char* text : {"", "-1", "k", "3x", "99999999999T"})
        EXPECT_FALSE(parse_count(text, result)) << text;
}

// Empty if `parse` refuses the text.
template <class Value, class Parse>
std::vector<Value> list_of(std::string_view text, const Parse& parse) {
    level_list<Value> list;
    if (!parse(text, list))
        return {};
    return std::vector<Value>(list.at.begin(), list.at.begin() + list.count);
}

TEST(openmp_values, lists_of_threads) {
    const auto read = [](std::string_view text) { return list_of<unsigned>(text, parse_thread_list); };
    EXPECT_EQ(read("8"), std::vector<unsigned>({8}));
    EXPECT_EQ(read(" 4 , 3,2"), std::vector<unsigned>({4, 3, 2}));
    for (const char* text : {"", ",", "4,", ",4", "4,,2", "0", "4,0", "-1", "4 3", "x", "3000000000"})
        EXPECT_EQ(read(text), std::vector<unsigned>()) << text;
    std::string longest = "1";
    for (unsigned level = 1; level < most_levels; ++level)
        longest += ",1";
    EXPECT_EQ(read(longest).size(), most_levels);
    EXPECT_EQ(read(longest + ",1").size(), 0U);
}

TEST(openmp_values, lists_of_bindings) {
    const auto read = [](std::string_view text) { return list_of<binding>(text, parse_bind_list); };
    EXPECT_EQ(read("true"), std::vector<binding>({binding::any}));
    EXPECT_EQ(read("FALSE"), std::vector<binding>({binding::none}));
    EXPECT_EQ(read("spread, close,MASTER,primary"),
              std::vector<binding>({binding::spread, binding::close, binding::primary, binding::primary}));
    for (const char* text : {"", "spread,", "true,close", "close,false", "near", "spread close"})
        EXPECT_EQ(read(text), std::vector<binding>()) << text;
}

TEST(openmp_values, schedules) {
    struct {
        const char* text;
        schedule_kind kind;
        bool is_monotonic;
        long chunk;
    } const good[] = {{"static", schedule_kind::static_, false, 0},
                      {"STATIC,5", schedule_kind::static_, false, 5},
                      {"dynamic", schedule_kind::dynamic, false, 1},
                      {" guided , 4 ", schedule_kind::guided, false, 4},
                      {"auto", schedule_kind::automatic, false, 1},
                      {"auto,3", schedule_kind::automatic, false, 1},
                      {"monotonic:dynamic,3", schedule_kind::dynamic, true, 3},
                      {"NonMonotonic : guided", schedule_kind::guided, false, 1},
                      {"trapezoidal", schedule_kind::trapezoidal, false, 1},
                      {"static_steal,14", schedule_kind::dynamic, false, 14},
                      {"dynamic,99999999999", schedule_kind::dynamic, false, no_limit}};
    for (const auto& each : good) {
        run_schedule result;
        EXPECT_TRUE(parse_schedule(each.text, result)) << each.text;
        EXPECT_EQ(result.kind, each.kind) << each.text;
        EXPECT_EQ(result.is_monotonic, each.is_monotonic) << each.text;
        EXPECT_EQ(result.chunk, each.chunk) << each.text;
    }
    for (const char* text : {"", "statics", "static,", "static,0", "static,-1", "static,x", "static 5", ",5", ":static",
                             "simd:static", "monotonic:", "monotonic", "monotonic:static:5"}) {
        run_schedule result;
        result.chunk = 99;
        EXPECT_FALSE(parse_schedule(text, result)) << text;
        EXPECT_EQ(result.chunk, 99) << text;
    }
}

}  // namespace
