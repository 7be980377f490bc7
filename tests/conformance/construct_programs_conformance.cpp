// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs of Chapel's constructs, inside each other, on every scheduler. Plain recursion says which leaves of a
// program run and whether it throws. The same must come out with fibers, and a sync block must have ended all that was
// begun inside when it returns.
#include <tests/conformance/each_choice.hpp>

#include <teff/base/light_standard.hpp>
#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

enum class kind : unsigned char { leaf, cobegin, coforall, sync, begin, serial, fork };

struct node {
    kind what = kind::leaf;
    bool flag = false;  // leaf: throws; serial: the condition
    std::size_t id = 0;
    std::vector<node> parts;
    std::vector<std::size_t> runs;  // sync: the leaves inside that run
};

struct failed {};

class program {
public:
    explicit program(std::uint64_t seed) : random_(seed) {
        root_.what = kind::sync;
        root_.parts.push_back(make(5, true));
        std::vector<std::size_t> runs;
        bool block_fails = false;
        throws_ = expect(root_, runs, block_fails);
        ran_ = std::vector<std::atomic<int>>(leaves_);
    }

    std::size_t leaves() const noexcept { return leaves_; }
    // Twice: the first time may find the pools empty.
    void check() {
        for (int times = 0; times < 2; ++times) {
            for (std::atomic<int>& each : ran_)
                each.store(0);
            bool has_thrown = false;
            try {
                run(root_);
            } catch (const failed&) {
                has_thrown = true;
            }
            EXPECT_EQ(has_thrown, throws_);
            std::vector<int> expected(leaves_);
            for (const std::size_t id : root_.runs)
                expected[id] = 1;
            for (std::size_t id = 0; id < leaves_; ++id)
                EXPECT_EQ(ran_[id].load(), expected[id]) << "leaf " << id;
            EXPECT_EQ(incomplete_.load(), 0);
        }
    }

private:
    node make(unsigned depth, bool may_throw) {
        node made;
        const unsigned choice = random_.below(10);
        if (depth == 0 || choice == 0) {
            made.id = leaves_++;
            made.flag = may_throw && random_.below(12) == 0;
            return made;
        }
        made.what = static_cast<kind>(1 + choice % 6);
        made.flag = random_.below(2) == 0;
        const std::size_t count = made.what == kind::cobegin ? 3 : made.what == kind::fork ? 2 : 1 + random_.below(4);
        for (std::size_t i = 0; i < count; ++i)
            // A fork does not call its second function if the first one has thrown.
            made.parts.push_back(make(depth - 1, may_throw && made.what != kind::fork));
        return made;
    }

    // Adds the leaves that run. Returns whether the node throws; block_fails: whether the sync block around will.
    static bool expect(node& here, std::vector<std::size_t>& runs, bool& block_fails) {
        bool throws = false;
        switch (here.what) {
        case kind::leaf:
            runs.push_back(here.id);
            return here.flag;
        case kind::cobegin:
        case kind::coforall:
        case kind::fork:
            for (node& each : here.parts)
                throws = expect(each, runs, block_fails) || throws;
            return throws;
        case kind::sync:
            for (node& each : here.parts)
                throws = expect(each, here.runs, throws) || throws;
            runs.insert(runs.end(), here.runs.begin(), here.runs.end());
            return throws;
        case kind::begin:
            for (node& each : here.parts)
                block_fails = expect(each, runs, block_fails) || block_fails;
            return false;
        case kind::serial:
            for (node& each : here.parts) {
                if (expect(each, runs, block_fails))
                    return true;
            }
            return false;
        }
        return false;
    }

    void run(const node& here) {
        switch (here.what) {
        case kind::leaf:
            if (here.id % 3 == 0)
                teff::this_fiber::yield();
            ran_[here.id].fetch_add(1);
            if (here.flag)
                throw failed();
            return;
        case kind::cobegin:
            teff::cobegin([&] { run(here.parts[0]); }, [&] { run(here.parts[1]); }, [&] { run(here.parts[2]); });
            return;
        case kind::coforall:
            teff::coforall(std::size_t{0}, here.parts.size(), [&](std::size_t i) { run(here.parts[i]); });
            return;
        case kind::sync:
            try {
                teff::sync([&] { begin_all(here); });
            } catch (const failed&) {
                expect_all_ran(here);
                throw;
            }
            expect_all_ran(here);
            return;
        case kind::begin:
            begin_all(here);
            return;
        case kind::serial:
            teff::serial(here.flag, [&] {
                for (const node& each : here.parts)
                    run(each);
            });
            return;
        case kind::fork:
            teff::fork_join([&] { run(here.parts[0]); }, [&] { run(here.parts[1]); });
            return;
        }
    }
    void begin_all(const node& here) {
        for (const node& each : here.parts)
            teff::begin([this, &each] { run(each); });
    }
    void expect_all_ran(const node& block) {
        for (const std::size_t id : block.runs)
            incomplete_.fetch_add(ran_[id].load() == 1 ? 0 : 1);
    }

    teff::random_generator random_;
    std::size_t leaves_ = 0;
    node root_;
    bool throws_ = false;
    std::vector<std::atomic<int>> ran_;
    std::atomic<int> incomplete_{0};
};

class construct_programs_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, construct_programs_on, testing::ValuesIn(all_rows()), row_names());

TEST_P(construct_programs_on, do_what_plain_calls_do) {
    std::size_t leaves = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        program random(seed * 0x9E37'79B9'7F4A'7C15U);
        leaves += random.leaves();
        for_some_thread_counts([&random] { random.check(); });
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(leaves, 500U);
}

}  // namespace
