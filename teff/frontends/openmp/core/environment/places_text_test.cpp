// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that the variables about places accept, and their meanings.
#include <teff/frontends/openmp/core/environment/places_text.hpp>

#include <gtest/gtest.h>

#include <string_view>

namespace {

using namespace teff::openmp::environment;

TEST(openmp_places_text, names_with_counts) {
    struct {
        const char* text;
        place_kind kind;
        long count;
    } const good[] = {{"threads", place_kind::threads, 0},      {"CORES", place_kind::cores, 0},
                      {" sockets ", place_kind::sockets, 0},    {"ll_caches(1)", place_kind::ll_caches, 1},
                      {"numa_domains ( 2 )", place_kind::numa_domains, 2}, {"cores(12)", place_kind::cores, 12}};
    for (const auto& each : good) {
        places_text result;
        EXPECT_TRUE(parse_places(each.text, result)) << each.text;
        EXPECT_EQ(result.kind, each.kind) << each.text;
        EXPECT_EQ(result.count, each.count) << each.text;
    }
    for (const char* text : {"", "thread", "cores(", "cores()", "cores(0)", "cores(-1)", "cores(2", "cores(2)x",
                             "cores 2", "cores,threads", "(2)"}) {
        places_text result;
        EXPECT_FALSE(parse_places(text, result)) << text;
    }
    place_kind kind{};
    EXPECT_TRUE(find_place_kind("sockets(", kind) && kind == place_kind::sockets);
    EXPECT_FALSE(find_place_kind("invalid", kind));
}

TEST(openmp_places_text, lists) {
    const auto read = [](std::string_view text) {
        places_text result;
        return parse_places(text, result) && result.kind == place_kind::listed ? result.listed : place_lists{};
    };
    EXPECT_EQ(read("{0,1},{2,3}"), place_lists({{0, 1}, {2, 3}}));
    EXPECT_EQ(read("{0:4}"), place_lists({{0, 1, 2, 3}}));
    EXPECT_EQ(read(" { 0 : 2 : 4 } : 3 : 1 "), place_lists({{0, 4}, {1, 5}, {2, 6}}));
    EXPECT_EQ(read("{4:3:-2}"), place_lists({{4, 2, 0}}));
    EXPECT_EQ(read("{0}:3"), place_lists({{0}, {1}, {2}}));
    EXPECT_EQ(read("{6}:3:-3"), place_lists({{6}, {3}, {0}}));
    EXPECT_EQ(read("0,1,5"), place_lists({{0}, {1}, {5}}));
    EXPECT_EQ(read("0:4,!2"), place_lists({{0}, {1}, {3}}));
    EXPECT_EQ(read("{0:2}:3:2,!{3,2}"), place_lists({{0, 1}, {4, 5}}));
    EXPECT_EQ(read("{0:4,!2}"), place_lists({{0, 1, 3}}));
    EXPECT_EQ(read("{0,0,1}"), place_lists({{0, 1}}));
    EXPECT_EQ(read("{0},{0}"), place_lists({{0}, {0}}));
    for (const char* text : {"{}", "{0", "0}", "{0,}", "{,0}", "{0},", "{0}{1}", "{a}", "{-1}", "{0:0}", "{0:-2}",
                             "{1:3:-1}", "{0}:0", "{0}:2:-1", "{0:2:3:4}", "{0!1}", "!{0}", "{0},!{0}", "{!0}",
                             "{99999999}", "{0}:99999999", "{0:2}x"})
        EXPECT_EQ(read(text), place_lists()) << text;
}

TEST(openmp_places_text, lists_of_processors) {
    const auto read = [](std::string_view text) {
        places_text result;
        return parse_cpu_list(text, result) ? result.listed : place_lists{};
    };
    EXPECT_EQ(read("0 3 1-2 4-10:3"), place_lists({{0}, {3}, {1}, {2}, {4}, {7}, {10}}));
    EXPECT_EQ(read("0,1"), place_lists({{0}, {1}}));
    for (const char* text : {"", "-1", "3-1", "0-4:0", "a", "0 -", "99999"})
        EXPECT_EQ(read(text), place_lists()) << text;
}

TEST(openmp_places_text, kmp_affinity) {
    using type = affinity_text::type;
    affinity_text result;
    EXPECT_TRUE(parse_kmp_affinity("granularity=fine,compact,1,0", result));
    EXPECT_TRUE(result.kind == type::compact && result.granularity == place_kind::threads && !result.resets);
    EXPECT_TRUE(parse_kmp_affinity("reset,granularity=socket,scatter,verbose", result));
    EXPECT_TRUE(result.kind == type::scatter && result.granularity == place_kind::sockets && result.resets);
    EXPECT_TRUE(parse_kmp_affinity("disabled", result) && result.kind == type::disabled);
    EXPECT_TRUE(parse_kmp_affinity("proclist=[3,0-1],explicit", result) && result.kind == type::listed);
    EXPECT_EQ(result.listed, place_lists({{3}, {0}, {1}}));
    EXPECT_TRUE(parse_kmp_affinity("explicit,proclist=[{0,1},{2}]", result));
    EXPECT_EQ(result.listed, place_lists({{0, 1}, {2}}));
    for (const char* text : {"compcat", "granularity=hair", "explicit", "proclist=", "proclist=[x]", "compact;scatter"})
        EXPECT_FALSE(parse_kmp_affinity(text, result)) << text;
}

TEST(openmp_places_text, hardware_subset) {
    hardware_subset result;
    EXPECT_TRUE(parse_hardware_subset("1s, 4c@2 ,1t", result));
    EXPECT_TRUE(result.sockets.count == 1 && result.cores.count == 4 && result.cores.offset == 2 &&
                result.threads.count == 1 && !result.is_through_cores);
    EXPECT_TRUE(parse_hardware_subset("*sockets,2cores", result));
    EXPECT_TRUE(result.sockets.count == 0 && result.cores.count == 2);
    EXPECT_TRUE(parse_hardware_subset(":1s,3t@1", result));
    EXPECT_TRUE(result.is_through_cores && result.threads.count == 3 && result.threads.offset == 1);
    EXPECT_TRUE(parse_hardware_subset(":1s,2c,3t", result) && !result.is_through_cores);
    for (const char* text : {"", "s", "0s", "1x", "1s,", "1s@", "1s@-1", "-1c", "1s 2c"})
        EXPECT_FALSE(parse_hardware_subset(text, result)) << text;
}

}  // namespace
