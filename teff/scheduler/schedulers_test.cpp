// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of the table: they are found by name, they are consistent, and they match the classes as far as a compiler
// can check. What they say of order, bounds and steals is tested in
// tests/conformance/scheduler_traits_conformance.cpp.
#include <teff/scheduler/choice.hpp>
#include <teff/scheduler/scheduler.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace {

TEST(schedulers, each_is_found_by_its_name) {
    std::set<std::string> names;
    for (const teff::scheduler_traits& each : teff::schedulers()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name << " is there twice";
        const auto found = teff::find_scheduler(each.name);
        ASSERT_TRUE(found) << each.name;
        EXPECT_STREQ(found->sentence, each.sentence);
    }
    for (const char* const name : {"", "deman", "demand ", "Demand", "demand_scheduler"})
        EXPECT_FALSE(teff::find_scheduler(name)) << name;
}

TEST(schedulers, sentences_are_there_and_have_no_full_stop) {
    for (const teff::scheduler_traits& each : teff::schedulers()) {
        const std::string sentence = each.sentence;
        ASSERT_FALSE(sentence.empty()) << each.name;
        EXPECT_NE(sentence.back(), '.') << each.name;
    }
}

TEST(schedulers, read_what_their_rows_name) {
    constexpr teff::scheduler_traits made{
        .name = "made", .sentence = "", .order = {}, .bound = "b", .idle_cycles = "i", .options = {"o", "reclaimer"}};
    for (const char* const option : {"b", "i", "o", "reclaimer"})
        EXPECT_TRUE(made.reads(option)) << option;
    EXPECT_FALSE(made.reads("other"));
    EXPECT_TRUE(made.reclaims());
    constexpr teff::scheduler_traits bare{.name = "bare", .sentence = "", .order = {}};
    EXPECT_FALSE(bare.reads("b"));
    EXPECT_FALSE(bare.reclaims());
}

TEST(schedulers, a_narrowed_list_lacks_the_others) {
    teff::scheduler_settings settings;
    bool chosen = false;
    const auto choose = [&]<class Scheduler>() { chosen = true; };
    EXPECT_FALSE(teff::with_scheduler<int>(teff::scheduler_list<teff::blaze>{}, "demand", settings, choose));
    EXPECT_FALSE(chosen);
    EXPECT_TRUE(teff::with_scheduler<int>(teff::scheduler_list<teff::blaze>{}, "blaze", settings, choose));
    EXPECT_TRUE(chosen);
}

// Front ends find out by these two functions whether tasks stay private until an idle worker asks.
template <class Scheduler>
concept is_asked = requires(typename Scheduler::local member, teff::atomic<std::uintptr_t> word) {
    member.set_request_flag(word);
    member.show();
};

template <class Row>
constexpr bool is_true_row() {
    using scheduler = typename Row::template type<int>;
    return teff::scheduler<scheduler, int> && is_asked<scheduler> == Row::traits().on_request;
}

template <class... Rows>
constexpr bool are_true_rows(teff::scheduler_list<Rows...>) {
    return (is_true_row<Rows>() && ...);
}
static_assert(are_true_rows(teff::every_scheduler{}));

}  // namespace
