// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's session can be made of given options, left, and made again of others.
#include <tests/conformance/each_choice.hpp>

#include <teff/strand/running_thread.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/team_options.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using namespace conformance;

// The slots of the thread's team; 0: it is in none.
[[gnu::noinline]] unsigned slots_here() {
    const teff::task_member* const member = teff::running_thread.member;
    return member != nullptr ? member->team().how().settings.slots : 0;
}

class session_on : public each_choice {};

TEST_P(session_on, is_made_of_options_again_and_again) {
    std::thread([this] {
        for (const long threads : {3L, 1L, 4L}) {
            EXPECT_EQ(slots_here(), 0U);
            teff::begin_session(teff::resolve(with_threads(threads)));
            EXPECT_EQ(slots_here(), static_cast<unsigned>(threads));
            std::atomic<int> ended{0};
            for (int i = 0; i < 20; ++i)
                teff::begin([&] {
                    teff::this_fiber::yield();
                    ended.fetch_add(1);
                });
            // It ends when all that was started there has.
            teff::end_session();
            EXPECT_EQ(ended.load(), 20);
        }
        EXPECT_EQ(slots_here(), 0U);
        teff::end_session();
        teff::begin_session();
        EXPECT_GT(slots_here(), 0U);
    }).join();
}

TEST_P(session_on, stays_while_its_thread_is_in_a_task) {
    std::thread([this] {
        teff::begin_session(teff::resolve(with_threads(2)));
        teff::fiber([] {
            teff::end_session();
            EXPECT_EQ(slots_here(), 2U);
        }).join();
        teff::run_in_team({.threads = 3L}, [](void*) {
            teff::end_session();
            EXPECT_EQ(slots_here(), 3U);
        }, nullptr);
        EXPECT_EQ(slots_here(), 2U);
    }).join();
}

INSTANTIATE_TEST_SUITE_P(, session_on, testing::ValuesIn(all_rows()), row_names());

}  // namespace
