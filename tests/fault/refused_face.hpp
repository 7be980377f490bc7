// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: refuses every allocation and every thread of a face of the runtime, one at a time.
//
// A face is a piece of a program of one front end with a known result. A test file has a table of them and a fixture,
// derived from refused_face, that says how such a program is set up, how a lack of memory is reported to it, and what
// the program may write. The three bodies of tests here are then the same for all front ends: an allocation is refused
// at the first use of the runtime in a process, or when it is warm, or threads cannot be created.
//
// Each try is a process of its own (child_process.hpp). So it starts from an unused runtime, and a program that ends
// with a message is an outcome like others. A front end whose calls always return needs no process for each allocation
// of a warm runtime; it writes that body itself, of the same steps.
#pragma once

#include <tests/child_process.hpp>
#include <tests/fault/every_allocation.hpp>
#include <tests/fault/thread_fault.hpp>

#include <teff/schedulers.hpp>

#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <ostream>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace teff::testing {

// A piece of a program, which returns `expected` unless it reports a lack of memory.
struct face {
    const char* name;
    long (*run)();
    long expected;
};

// Where a face is called: at the top of the program, in execute(), or in a thread of the test's own.
enum class face_place { of_itself, in_execute, in_a_thread };

// The parameter of a test. Face has the members of `face`, and maybe others.
template <class Face>
struct face_call {
    const Face* tried;
    const char* scheduler;
    long threads;
    face_place place;

    std::string name() const {
        static constexpr const char* places[] = {"", "_in_execute", "_in_a_thread"};
        return std::string(tried->name) + "_" + scheduler + "_threads_" + std::to_string(threads) +
               places[static_cast<int>(place)];
    }
    friend std::ostream& operator<<(std::ostream& to, const face_call& each) { return to << each.name(); }
};

// Whether all combinations are asked for, and not only those that a short run of the tests affords.
inline bool has_every_combination() { return std::getenv("EVERY_COMBINATION") != nullptr; }

// Each face with the default scheduler and another one, in turn; all combinations with EVERY_COMBINATION in the
// environment.
template <class Face>
std::vector<face_call<Face>> calls_with_two_schedulers(std::span<const Face> faces) {
    const std::size_t others = schedulers().size() - 1;
    std::vector<face_call<Face>> chosen;
    for (std::size_t i = 0; i < faces.size(); ++i)
        for (std::size_t j = 0; j <= others; ++j)
            for (const long threads : {1L, 3L})
                for (const face_place place : {face_place::of_itself, face_place::in_a_thread}) {
                    const bool is_in_thread = place == face_place::in_a_thread;
                    if (has_every_combination() || (j == 0 && threads == 3 && !is_in_thread) ||
                        (j == i % others + 1 && threads == (i % 3 == 0 ? 1 : 3) && is_in_thread))
                        chosen.push_back({&faces[i], schedulers()[j].name, threads, place});
                }
    return chosen;
}

// Calls with the k-th allocation refused; 0: none. Nothing is refused any more when it returns or throws.
template <class Call>
long run_refused_at(long k, const Call& call) {
    struct disarms {
        ~disarms() { all_allocations.disarm(); }
    } at_end;
    if (k != 0)
        all_allocations.arm(k);
    return call();
}

// Beginnings of the lines that the programs of a front end may write.
struct lines_of_face {
    const char* last = nullptr;  // before a program ends for a lack of memory; nullptr: it never ends for that
    const char* more = nullptr;  // besides that there are fewer threads than asked for; nullptr: none
};

// The fixture that those of the front ends derive from.
template <class Face>
class refused_face : public ::testing::TestWithParam<face_call<Face>> {
protected:
    using ::testing::TestWithParam<face_call<Face>>::GetParam;
    using ::testing::Test::HasFailure;

    explicit refused_face(const lines_of_face& lines) : lines_(lines) {}

    // Sets the variables of the environment besides the scheduler's, in a process that has not used the runtime.
    virtual void set_variables() const = 0;
    // Calls `body`, which is what a child does, at the place of the parameter.
    virtual void call_at_place(const std::function<void()>& body) const {
        if (GetParam().place == face_place::in_a_thread)
            // Its exit is a part of what is tried.
            std::thread(body).join();
        else
            body();
    }
    // Returns the result of the face, with the k-th allocation refused; 0: none.
    virtual long run(long k) const { return run_refused_at(k, GetParam().tried->run); }
    // By default std::bad_alloc is the only way to report a lack of memory.
    virtual void expect_right_or_refused(long k) const {
        long result = 0;
        try {
            result = run(k);
        } catch (const std::bad_alloc&) {
            return;
        }
        EXPECT_EQ(result, GetParam().tried->expected) << "allocation " << k;
    }
    // With nothing refused.
    void expect_right() const { EXPECT_EQ(run(0), GetParam().tried->expected); }

    // Expects no leak when the runtime is warm and the k-th allocation is refused. False: there are fewer than k.
    bool refuses_when_warm(long k) const {
        bool has_refused = false;
        EXPECT_FALSE(leaks([this] { expect_right(); }, [&] {
            expect_right_or_refused(k);
            has_refused |= all_allocations.has_refused();
        })) << "allocation " << k;
        return has_refused;
    }

    // What becomes of a process that has the variables of the parameter and calls `body` at its place.
    child_outcome outcome_of(const std::function<void()>& body) const {
        return run_in_child([&] {
            ::setenv("TEFF_SCHEDULER", GetParam().scheduler, 1);
            set_variables();
            call_at_place(body);
        });
    }
    // What may be said: fewer threads than asked for; and, if the program ends, why.
    void expect_ended(const child_outcome& outcome, const std::string& about) const {
        const std::string shown = about + ", status " + std::to_string(outcome.status) + ", stderr:\n" + outcome.errors;
        const std::size_t allowed = outcome.lines_with("teff: a worker thread could not be started") +
                                    (lines_.more != nullptr ? outcome.lines_with(lines_.more) : 0);
        const std::size_t lines = outcome.lines_with("");
        if (outcome.code() == 0 || lines_.last == nullptr) {
            EXPECT_EQ(outcome.code(), 0) << shown;
            EXPECT_EQ(lines, allowed) << shown;
            return;
        }
        EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGABRT) << shown;
        EXPECT_EQ(outcome.lines_with(lines_.last), 1U) << shown;
        EXPECT_EQ(lines, allowed + 1) << shown;
    }

    // The bodies of the tests.
    void try_first_use() const {
        const child_outcome counted = outcome_of([this] {
            EXPECT_EQ(run(LONG_MAX), GetParam().tried->expected);
            std::fprintf(stderr, "%ld", all_allocations.asked.load());
        });
        ASSERT_EQ(counted.code(), 0) << counted.errors;
        // With several threads, runs differ in a few.
        const long needed = std::strtol(counted.errors.c_str(), nullptr, 10) + (GetParam().threads > 1 ? 5 : 0);
        ASSERT_GT(needed, 0);
        for (long k = 1; k <= needed && !HasFailure(); ++k)
            expect_ended(outcome_of([this, k] {
                expect_right_or_refused(k);
                expect_right();
            }), "allocation " + std::to_string(k) + " of " + std::to_string(needed));
    }
    // For front ends that may end the program: each allocation has a process.
    void try_when_warm() const {
        bool was_needed = true;
        for (long k = 1; was_needed && !HasFailure(); ++k) {
            const child_outcome outcome = outcome_of([this, k] {
                expect_right();
                expect_right();
                if (!refuses_when_warm(k))
                    std::fprintf(stderr, "not needed");
            });
            was_needed = outcome.errors != "not needed";
            if (was_needed)
                expect_ended(outcome, "allocation " + std::to_string(k));
        }
    }
    // No thread can be created from the k-th on, or the k-th alone.
    void try_without_threads() const {
        for (int k = 1; k < GetParam().threads + 2; ++k)
            for (const int last : {k, INT_MAX})
                expect_ended(outcome_of([this, k, last] {
                    thread_faults.refuse(k, last);
                    expect_right();
                    expect_right();
                }), "thread " + std::to_string(k) + " to " + std::to_string(last));
    }

private:
    const lines_of_face lines_;
};

}  // namespace teff::testing
