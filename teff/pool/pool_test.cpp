// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers join open sources that have room and visible work, ask the others for work, and sleep when there is none.
#include <teff/pool/pool.hpp>

#include <teff/strand/worker.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <sched.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

// Offers `room` slots while `visible`; a worker that joins stays until release_workers().
class rendezvous : public teff::work_source {
public:
    explicit rendezvous(unsigned room, bool visible) : room_(room), visible_(visible), workers_(room) {}

    bool has_visible_work() const noexcept override { return visible_.load(); }
    void request() noexcept override { requests_.fetch_add(1); }
    void join(unsigned slot, unsigned worker) noexcept override {
        workers_[slot].store(worker);
        same_state_ = same_state_ && teff::this_thread().worker == worker;
        present_.fetch_add(1);
        while (!may_go_.load())
            ::sched_yield();
        teff::pool::instance().leave(*this, slot, left_);
    }
    void orphan() noexcept override {}
    std::size_t queued_estimate() const noexcept override { return 7; }
    unsigned take_slot() noexcept override { return taken_ == room_ ? no_slot : taken_++; }
    given_slot give_slot(unsigned) noexcept override { return {++given_ == taken_}; }
    bool has_room() const noexcept override { return taken_ != room_; }
    bool awaits_workers() const noexcept override { return false; }
    unsigned held_workers() const noexcept override { return taken_ - given_; }

    void wait_until_full() const {
        while (present_.load() != room_)
            ::sched_yield();
    }
    void wait_until_asked() const {
        while (requests_.load() == 0)
            ::sched_yield();
    }
    void show_work() noexcept {
        visible_.store(true);
        teff::pool::instance().idle().notify_all();
    }
    void release_workers() noexcept { may_go_.store(true); }
    void close() noexcept { teff::pool::instance().close(*this, left_); }

    std::set<unsigned> workers() const {
        std::set<unsigned> numbers;
        for (const auto& each : workers_)
            numbers.insert(each.load());
        return numbers;
    }
    unsigned present() const noexcept { return present_.load(); }
    bool had_its_number() const noexcept { return same_state_.load(); }

private:
    const unsigned room_;
    unsigned taken_ = 0, given_ = 0;  // under the pool's mutex
    std::atomic<bool> visible_, may_go_{false}, same_state_{true};
    std::atomic<unsigned> requests_{0}, present_{0};
    std::vector<std::atomic<unsigned>> workers_;
    teff::futex_word left_{0};
};

teff::pool& started_pool(unsigned workers) {
    teff::pool& pool = teff::pool::instance();
    pool.ensure_workers(workers);
    return pool;
}

TEST(pool, grows_and_does_not_shrink_by_itself) {
    teff::pool& pool = started_pool(3);
    const unsigned before = pool.worker_count();
    EXPECT_GE(before, 3U);
    pool.ensure_workers(1);
    EXPECT_EQ(pool.worker_count(), before);
    pool.ensure_workers(before + 1);
    EXPECT_EQ(pool.worker_count(), before + 1);
}

// Starts more threads than tree_start_threshold.
TEST(pool, workers_of_a_large_start_all_come_with_numbers_of_their_own) {
    constexpr unsigned count = 24;
    teff::pool& pool = started_pool(count);
    rendezvous all(count, true);
    pool.open(all);
    pool.idle().notify_all();
    all.wait_until_full();
    EXPECT_EQ(all.workers().size(), count);
    EXPECT_FALSE(all.workers().contains(0));
    EXPECT_TRUE(all.had_its_number());
    all.release_workers();
    all.close();
}

TEST(pool, a_source_without_visible_work_is_asked_and_joined_once_it_shows_some) {
    teff::pool& pool = started_pool(2);
    rendezvous quiet(2, false);
    pool.open(quiet);
    pool.idle().notify_all();
    quiet.wait_until_asked();
    EXPECT_EQ(quiet.present(), 0U);
    quiet.show_work();
    quiet.wait_until_full();
    quiet.release_workers();
    quiet.close();
}

TEST(pool, a_full_source_hides_no_other) {
    teff::pool& pool = started_pool(3);
    rendezvous small(1, true);
    rendezvous large(2, true);
    pool.open(small);
    pool.open(large);
    pool.idle().notify_all();
    small.wait_until_full();
    large.wait_until_full();
    large.release_workers();
    large.close();
    small.release_workers();
    small.close();
}

// Counts the threads that have ended. The count is larger only after the destructors of thread-local objects.
std::atomic<unsigned> ended_threads{0};
struct counts_its_thread {
    ~counts_its_thread() {
        EXPECT_EQ(teff::this_thread().worker, 0U);
        ended_threads.fetch_add(1);
    }
};

TEST(pool, idle_workers_end_and_are_started_again_with_the_same_numbers) {
    for (const unsigned count : {1U, 4U, 24U, 2U}) {
        teff::pool& pool = started_pool(count);
        const unsigned workers = pool.worker_count();
        class in_all final : public rendezvous {
        public:
            using rendezvous::rendezvous;
            void join(unsigned slot, unsigned worker) noexcept override {
                static thread_local counts_its_thread counted;
                rendezvous::join(slot, worker);
            }
        } all(workers, true);
        pool.open(all);
        pool.idle().notify_all();
        all.wait_until_full();
        const std::set<unsigned> numbers = all.workers();
        EXPECT_EQ(numbers.size(), workers);
        EXPECT_EQ(*numbers.begin(), 1U);
        EXPECT_EQ(*numbers.rbegin(), workers);
        // While they are in a source, they stay.
        EXPECT_FALSE(pool.end_idle_workers());
        EXPECT_EQ(pool.worker_count(), workers);
        all.release_workers();
        all.close();
        const unsigned ended_before = ended_threads.load();
        EXPECT_TRUE(pool.end_idle_workers());
        EXPECT_EQ(pool.worker_count(), 0U);
        while (ended_threads.load() != ended_before + workers)
            ::sched_yield();
    }
}

// Sources are opened and closed by other threads meanwhile, which need workers each time. Their numbers are at most
// that of all workers.
TEST(pool, workers_end_beside_threads_that_open_sources) {
    constexpr unsigned wanted = 16, openings = 300;
    teff::pool& pool = started_pool(wanted);
    const unsigned most = pool.worker_count();
    std::atomic<unsigned> openers_left{3};
    std::vector<std::thread> openers;
    for (unsigned i = openers_left; i != 0; --i)
        openers.emplace_back([&, room = i == 1 ? 1 : wanted / 2] {
            for (unsigned opening = 0; opening < openings; ++opening) {
                rendezvous brief(room, true);
                pool.open(brief);
                pool.ensure_workers(wanted);
                pool.idle().notify_all();
                brief.wait_until_full();
                EXPECT_LE(*brief.workers().rbegin(), most);
                brief.release_workers();
                brief.close();
            }
            openers_left.fetch_sub(1);
        });
    while (openers_left.load() != 0)
        pool.end_idle_workers();
    for (std::thread& each : openers)
        each.join();
}

// If close() did not wait, the object would be destroyed while its members still use it.
TEST(pool, closing_waits_for_the_members) {
    for (int round = 0; round < 50; ++round) {
        teff::pool& pool = started_pool(2);
        rendezvous brief(2, true);
        pool.open(brief);
        pool.idle().notify_all();
        brief.release_workers();
        brief.close();
        EXPECT_EQ(brief.held_workers(), 0U);
    }
}

TEST(pool, reports_its_workers_and_every_open_source) {
    teff::pool& pool = started_pool(1);
    rendezvous shown(1, true);
    pool.open(shown);
    pool.idle().notify_all();
    shown.wait_until_full();
    testing::internal::CaptureStderr();
    pool.report();
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find("teff: pool: " + std::to_string(pool.worker_count()) + " workers"), std::string::npos) << text;
    EXPECT_NE(text.find("1 members"), std::string::npos) << text;
    EXPECT_NE(text.find("7 items"), std::string::npos) << text;
    shown.release_workers();
    shown.close();
}

TEST(worker, threads_outside_the_pool_are_number_zero_and_in_no_team) {
    std::thread([] {
        EXPECT_EQ(teff::this_thread().worker, 0U);
        EXPECT_EQ(teff::this_thread().innermost, nullptr);
    }).join();
}

TEST(worker, memberships_are_nested) {
    rendezvous outer(1, false), inner(1, false);
    teff::thread_state& self = teff::this_thread();
    {
        const teff::scoped_membership first(outer);
        ASSERT_NE(self.innermost, nullptr);
        EXPECT_EQ(self.innermost->source, &outer);
        {
            const teff::scoped_membership second(inner);
            EXPECT_EQ(self.innermost->source, &inner);
            EXPECT_EQ(self.innermost->outer->source, &outer);
        }
        EXPECT_EQ(self.innermost->source, &outer);
    }
    EXPECT_EQ(self.innermost, nullptr);
}

}  // namespace
