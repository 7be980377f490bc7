// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of calls, and the numbers and choices of their teams.
#include <teff/team/team_options.hpp>

#include <teff/base/clock.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/worker.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

// Why a call is refused; empty if it is not.
std::string complaint(const teff::options& call) {
    try {
        static_cast<void>(teff::resolve(call));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(team_options, takes_what_the_call_says) {
    const teff::team_options how =
        teff::resolve({.threads = 7, .scheduler = "blaze", .reclaimer = "hazard", .max_queued = 100});
    EXPECT_EQ(how.settings.slots, 7U);
    EXPECT_EQ(how.scheduler, "blaze");
    EXPECT_EQ(how.settings.reclaimer, "hazard");
    EXPECT_EQ(how.settings.max_queued, 100U);
    EXPECT_NE(how.settings.machine, nullptr);
}

// The settings of a call in a process where a variable sets the option `about` to `value`.
teff::scheduler_settings settings_with(const teff::option_row& about, std::string_view value) {
    teff::configuration chosen;
    EXPECT_TRUE(chosen.set(about.id, value, teff::origin::variable, nullptr, 0)) << about.name;
    return teff::resolve(chosen, {}).settings;
}

TEST(team_options, an_option_that_has_a_field_fills_it) {
    const teff::scheduler_settings usual = teff::resolve(teff::configuration(), {}).settings;
    int filling = 0;
    for (const teff::option_row& each : teff::option_table()) {
        if (each.usual.fill == nullptr)
            continue;
        ++filling;
        EXPECT_EQ(settings_with(each, each.usual.text), usual) << each.name;
        if (each.type == teff::option_type::choice) {
            EXPECT_NE(settings_with(each, each.choices[1].name), usual) << each.name;
            continue;
        }
        const long value = teff::configuration().integer(each.id);
        EXPECT_NE(settings_with(each, std::to_string(value == each.minimum ? each.maximum : each.minimum)), usual)
            << each.name;
    }
    EXPECT_GT(filling, 0);
}

TEST(team_options, settings_that_no_option_fills_are_as_they_are_without_options) {
    teff::scheduler_settings usual;
    const teff::scheduler_settings found = teff::resolve(teff::configuration(), {}).settings;
    usual.slots = found.slots;
    usual.machine = found.machine;
    EXPECT_EQ(found, usual);
}

TEST(team_options, a_bound_on_queued_tasks_bounds_private_ones_too) {
    const std::size_t usual = teff::resolve({.max_queued = 0}).settings.private_items;
    EXPECT_GT(usual, 1U);
    EXPECT_EQ(teff::resolve({.max_queued = 1}).settings.private_items, 1U);
    EXPECT_EQ(teff::resolve({.max_queued = 1'000'000'000'000}).settings.private_items, usual);
}

TEST(team_options, an_idle_worker_of_distrib_looks_around_for_so_many_cycles) {
    using teff::option;
    const auto search_us = [](const char* scheduler, long cycles) {
        teff::configuration chosen;
        EXPECT_TRUE(chosen.set("spin_us", 77L, teff::origin::variable, nullptr, 0));
        EXPECT_TRUE(chosen.set("distrib_cond_backoff", cycles, teff::origin::variable, nullptr, 0));
        return teff::resolve(chosen, {.scheduler = scheduler}).spin_us;
    };
    EXPECT_EQ(search_us("sherwood", 1'000'000), 77);
    EXPECT_EQ(search_us("distrib", 0), 0);
    for (const long cycles : {1'000L, 100'000L, 1'000'000'000'000L}) {
        const long expected_ns = teff::ns_of_cycles(cycles);
        EXPECT_GE(search_us("distrib", cycles) * 1000, expected_ns) << cycles;
        EXPECT_LT(search_us("distrib", cycles) * 1000, expected_ns + 1000) << cycles;
    }
}

TEST(team_options, complains_of_options_by_name_and_value) {
    EXPECT_EQ(complaint({.threads = 1}), "");
    for (const long threads : {0L, -1L, -5000L}) {
        const std::string text = complaint({.threads = threads});
        EXPECT_NE(text.find("threads"), std::string::npos) << text;
        EXPECT_NE(text.find(std::to_string(threads)), std::string::npos) << text;
    }
    EXPECT_NE(complaint({.scheduler = "blase"}).find("blaze"), std::string::npos) << "no hint at the nearest name";
    EXPECT_NE(complaint({.reclaimer = "none"}).find("none"), std::string::npos);
}

TEST(team_options, a_call_from_inside_a_task_starts_no_more_workers) {
    class silent final : public teff::work_source {
    public:
        bool has_visible_work() const noexcept override { return false; }
        void request() noexcept override {}
        void join(unsigned, unsigned) noexcept override {}
        void orphan() noexcept override {}
        std::size_t queued_estimate() const noexcept override { return 0; }
        unsigned take_slot() noexcept override { return no_slot; }
        given_slot give_slot(unsigned) noexcept override { return {true}; }
        bool has_room() const noexcept override { return false; }
        bool awaits_workers() const noexcept override { return false; }
        unsigned held_workers() const noexcept override { return 0; }
    };
    teff::prepare_workers(2);
    const unsigned before = teff::pool::instance().worker_count();
    EXPECT_GE(before, 1U);
    silent team;
    {
        const teff::scoped_membership inside(team);
        teff::prepare_workers(before + 10);
        EXPECT_EQ(teff::pool::instance().worker_count(), before);
    }
    teff::prepare_workers(before + 2);
    EXPECT_EQ(teff::pool::instance().worker_count(), before + 1);
}

}  // namespace
