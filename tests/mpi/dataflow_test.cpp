// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dataflow on several ranks: random programs give what the same tasks give one after the other; failures reach every
// rank and skip what depends on them; what cannot be said is refused. Run by mpirun. A case that finds a rank in
// disagreement with the others ends by the time limit of the test.
#include <teff/mpi_dataflow.hpp>

#include <gtest/gtest.h>

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// A type that is not trivially copyable, and can be made to fail where it is sent or received.
struct text {
    std::string value;
    int fails = 0;
};
// On this rank.
std::atomic<long> times_serialised;
std::atomic<bool> has_failed_once;

template <>
struct teff::mpi::transfer<text> {
    static void serialise(const text& from, writer& to) {
        ++times_serialised;
        if (from.fails == 1)
            throw std::runtime_error("cannot be sent");
        to.put_all(from.value);
        to.put(from.fails);
    }
    static text restore(reader& from) {
        auto value = from.get_all<std::string>();
        const int fails = from.get<int>();
        if (fails == 2 || (fails == 3 && !has_failed_once.exchange(true)))
            throw std::runtime_error("cannot be received");
        return {std::move(value), fails};
    }
};

// Trivially copyable, but its bytes mean nothing on another rank.
struct shared_number {
    const std::uint64_t* of = nullptr;
};
const std::uint64_t numbers[] = {7, 11, 13, 17};
template <>
struct teff::mpi::transfer<shared_number> {
    static void serialise(const shared_number& from, writer& to) { to.put(from.of - numbers); }
    static shared_number restore(reader& from) { return {numbers + from.get<std::ptrdiff_t>()}; }
};

namespace {

using teff::mpi::object;
using teff::mpi::procedure;

int own_rank = 0, rank_count = 1;
const MPI_Comm& world = MPI_COMM_WORLD;
// StarPU's threads are busy also when they wait, and the tests have as many ranks as processors, or more.
const teff::mpi::procedure_options one_thread{.threads = 1};

long sum_of_ranks(long own) {
    long all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, world);
    return all;
}

TEST(mpi_dataflow, sends_values_to_the_ranks_that_use_them) {
    procedure tasks(world, one_thread);
    EXPECT_EQ(tasks.rank(), own_rank);
    EXPECT_EQ(tasks.ranks(), rank_count);
    EXPECT_EQ(tasks.threads(), 1);
    object<long> first(tasks, 0, 1), last(tasks, rank_count - 1, 10);
    for (int i = 0; i < 5; ++i) {
        tasks.spawn([](const long& from, long& to) { to += from; }, in(first), inout(last));
        tasks.spawn([](const long& from, long& to, long more) { to = from + more; }, in(last), out(first), 1L);
    }
    tasks.sync();
    // 11, 12; 23, 24; 47, 48; 95, 96; 191, 192.
    EXPECT_EQ(first.value(), 192);
    EXPECT_EQ(last.value(), 191);
    EXPECT_EQ(last.owner(), rank_count - 1);
}

TEST(mpi_dataflow, runs_a_task_on_the_owner_of_what_it_writes) {
    procedure tasks(world, one_thread);
    static std::atomic<int> ran_on;
    const auto rank_of_run = [](auto&&...) { ran_on = own_rank; };
    for (int owner = 0; owner < rank_count; ++owner) {
        object<int> written(tasks, owner, 0), read(tasks, (owner + 1) % rank_count, 0);
        const auto expect = [&](int rank) {
            tasks.sync();
            EXPECT_EQ(ran_on, own_rank == rank ? rank : -1);
            ran_on = -1;
        };
        ran_on = -1;
        tasks.spawn(rank_of_run, in(read), out(written));
        expect(owner);
        tasks.spawn(rank_of_run, in(read));
        expect(read.owner());
        tasks.spawn_on(rank_count - 1, rank_of_run, in(read), inout(written));
        expect(rank_count - 1);
        tasks.spawn_on(owner, rank_of_run);
        expect(owner);
    }
}

// A program of random tasks, on objects and, one after the other, on plain values. Every function that commutes adds;
// all others mix, so that another order gives another result.
class random_program {
public:
    random_program(procedure& tasks, std::uint64_t seed) : tasks_(tasks), random_(seed) {
        const std::size_t count = 2 + draw(6);
        for (std::size_t i = 0; i < count; ++i) {
            numbers_.emplace_back(tasks, any_rank(), i);
            plain_numbers_.push_back(i);
            const std::size_t size = 1 + draw(3000);
            arrays_.emplace_back(tasks, any_rank(), size);
            plain_arrays_.emplace_back(size);
            texts_.emplace_back(tasks, any_rank(), text{std::string(i, 'a'), 0});
            plain_texts_.emplace_back(i, 'a');
        }
    }

    void run(std::size_t count) {
        for (std::size_t task = 0; task < count; ++task)
            spawn_one(task + 1);
    }

    void compare() {
        for (std::size_t i = 0; i < numbers_.size(); ++i)
            ASSERT_EQ(numbers_[i].value(), plain_numbers_[i]) << "number " << i;
        for (std::size_t i = 0; i < arrays_.size(); ++i)
            ASSERT_TRUE(std::ranges::equal(arrays_[i].value(), plain_arrays_[i])) << "array " << i;
        for (std::size_t i = 0; i < texts_.size(); ++i)
            ASSERT_EQ(texts_[i].value().value, plain_texts_[i]) << "text " << i;
    }

private:
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }
    static std::uint64_t sum(std::span<const std::uint64_t> of) {
        return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
    }
    std::size_t draw(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
    int any_rank() { return static_cast<int>(draw(static_cast<std::size_t>(rank_count))); }

    // Spawns the function, and calls it with plain values, too.
    void spawn_one(std::uint64_t salt) {
        const std::size_t from = draw(numbers_.size());
        const std::size_t to = (from + 1 + draw(numbers_.size() - 1)) % numbers_.size();
        // Where it runs must not matter.
        const bool is_elsewhere = draw(3) == 0;
        const int elsewhere = any_rank();
        const auto spawn = [&](const auto& f, auto... accesses) {
            if (is_elsewhere)
                tasks_.spawn_on(elsewhere, f, accesses...);
            else
                tasks_.spawn(f, accesses...);
        };
        const auto add = [salt](const std::uint64_t& read, std::uint64_t& added) { added += mixed(read + salt); };
        switch (draw(8)) {
        case 0: {
            const auto f = [salt](const std::uint64_t& read, std::uint64_t& written) { written = mixed(read ^ salt); };
            spawn(f, in(numbers_[from]), out(numbers_[to]));
            return f(plain_numbers_[from], plain_numbers_[to]);
        }
        case 1: {
            const auto f = [salt](const std::uint64_t& read, std::uint64_t& changed) {
                changed = mixed(changed * 3 + read + salt);
            };
            spawn(f, in(numbers_[from]), inout(numbers_[to]));
            return f(plain_numbers_[from], plain_numbers_[to]);
        }
        case 2:
            tasks_.spawn_on(numbers_[to].owner(), add, in(numbers_[from]), commutative(numbers_[to]));
            return add(plain_numbers_[from], plain_numbers_[to]);
        case 3:
            spawn(add, in(numbers_[from]), reduction(numbers_[to]));
            return add(plain_numbers_[from], plain_numbers_[to]);
        case 4: {
            // Two that are written, perhaps of different owners.
            const auto f = [salt](std::uint64_t& left, std::span<std::uint64_t> right) {
                for (std::uint64_t& each : right)
                    each = mixed(each + left + salt);
                left = mixed(left + sum(right));
            };
            spawn(f, inout(numbers_[from]), inout(arrays_[to]));
            return f(plain_numbers_[from], plain_arrays_[to]);
        }
        case 5: {
            const auto f = [](std::span<const std::uint64_t> read, std::span<std::uint64_t> added) {
                for (std::size_t i = 0; i < std::min(read.size(), added.size()); ++i)
                    added[i] += read[i] + 1;
            };
            spawn(f, in(arrays_[from]), reduction(arrays_[to]));
            return f(plain_arrays_[from], plain_arrays_[to]);
        }
        case 6: {
            const auto f = [salt](std::string& changed, std::uint64_t read) {
                changed = std::to_string(mixed(read + salt)) + changed.substr(0, salt % 5000);
            };
            spawn([f](text& changed, const std::uint64_t& read) { f(changed.value, read); }, inout(texts_[to]),
                  in(numbers_[from]));
            return f(plain_texts_[to], plain_numbers_[from]);
        }
        default: {
            const auto f = [](const std::string& read, std::string& written) { written = read + "+"; };
            spawn([f](const text& read, text& written) { f(read.value, written.value); }, in(texts_[from]),
                  out(texts_[to]));
            return f(plain_texts_[from], plain_texts_[to]);
        }
        }
    }

    procedure& tasks_;
    std::mt19937_64 random_;
    std::vector<object<std::uint64_t>> numbers_;
    std::vector<object<std::uint64_t[]>> arrays_;
    std::vector<object<text>> texts_;
    std::vector<std::uint64_t> plain_numbers_;
    std::vector<std::vector<std::uint64_t>> plain_arrays_;
    std::vector<std::string> plain_texts_;
};

TEST(mpi_dataflow, gives_the_result_of_the_tasks_one_after_the_other) {
    procedure tasks(world, one_thread);
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        random_program program(tasks, seed);
        program.run(30);
        if (seed % 2 == 0)
            tasks.sync();
        program.run(30);
        ASSERT_NO_FATAL_FAILURE(program.compare()) << "seed " << seed;
    }
    tasks.sync();
}

TEST(mpi_dataflow, of_two_threads_gives_the_same) {
    procedure tasks(world, {.threads = std::thread::hardware_concurrency() < 2 ? 1 : 2});
    random_program program(tasks, 1000);
    program.run(40);
    ASSERT_NO_FATAL_FAILURE(program.compare());
}

struct product {
    static double identity() { return 1; }
    double operator()(double left, double right) const { return left * right; }
};

TEST(mpi_dataflow, reduces_on_all_ranks) {
    procedure tasks(world, one_thread);
    object<double> of(tasks, rank_count - 1, 3.0);
    for (int i = 0; i < 8; ++i)
        tasks.spawn_on(i % rank_count, [](double& sum) { sum += 1; }, reduction(of));
    for (int i = 0; i < 4; ++i)
        tasks.spawn_on(i % rank_count, [](double& power) { power *= 2; }, reduction<product>(of));
    EXPECT_EQ(of.value(), 11.0 * 16);
    tasks.spawn_on(0, [](double& sum) { sum += 1; }, reduction(of));
    EXPECT_EQ(of.value(), 11.0 * 16 + 1);
    object<double> read(tasks, 0);
    tasks.spawn_on(0, [](double& sum) { sum += 1; }, reduction(of));
    tasks.spawn([](const double& from, double& to) { to = from; }, in(of), out(read));
    EXPECT_EQ(read.value(), 11.0 * 16 + 2);
}

TEST(mpi_dataflow, gives_the_owner_its_value_to_change) {
    procedure tasks(world, one_thread);
    object<int[]> array(tasks, rank_count - 1, 3);
    object<int> sum(tasks, 0);
    const auto add_up = [](std::span<const int> from, int& to) { to = std::accumulate(from.begin(), from.end(), 0); };
    tasks.spawn(add_up, in(array), out(sum));
    EXPECT_EQ(sum.value(), 0);
    for (int round = 1; round < 4; ++round) {
        const std::span<int> owned = array.owned_value();
        ASSERT_EQ(owned.size(), own_rank == rank_count - 1 ? 3U : 0U);
        std::ranges::fill(owned, round);
        tasks.spawn(add_up, in(array), out(sum));
        array.drop_copies();
        EXPECT_EQ(sum.value(), 3 * round);
    }
    int* const owned = sum.owned_value();
    EXPECT_EQ(owned != nullptr, own_rank == 0);
}

TEST(mpi_dataflow, sends_types_as_their_transfer_says) {
    procedure tasks(world, one_thread);
    object<shared_number> number(tasks, 0, shared_number{&numbers[2]});
    object<std::uint64_t> copied(tasks, rank_count - 1);
    tasks.spawn([](const shared_number& from, std::uint64_t& to) { to = *from.of; }, in(number), out(copied));
    EXPECT_EQ(copied.value(), 13U);
    EXPECT_EQ(number.value().of, &numbers[2]);
}

TEST(mpi_dataflow, aligns_values_on_all_ranks) {
    struct alignas(64) line {
        int value;
    };
    procedure tasks(world, one_thread);
    static std::atomic<long> misaligned;
    misaligned = 0;
    for (int i = 0; i < 20; ++i) {
        object<line> of(tasks, i % rank_count, line{i});
        const auto count = [](line& each) { misaligned += reinterpret_cast<std::uintptr_t>(&each) % 64 == 0 ? 0 : 1; };
        tasks.spawn_on((i + 1) % rank_count, count, inout(of));
        EXPECT_EQ(of.value().value, i);
    }
    EXPECT_EQ(sum_of_ranks(misaligned), 0);
}

TEST(mpi_dataflow, objects_may_end_before_their_tasks) {
    procedure tasks(world, one_thread);
    object<long> sum(tasks, 0, 0);
    for (int i = 0; i < 30; ++i) {
        object<long> temporary(tasks, i % rank_count, 0);
        tasks.spawn([](long& to, long value) { to = value; }, out(temporary), static_cast<long>(i));
        object<long> moved = std::move(temporary);
        tasks.spawn([](const long& from, long& to) { to += from; }, in(moved), inout(sum));
    }
    EXPECT_EQ(sum.value(), 435);
}

TEST(mpi_dataflow, takes_tasks_with_many_accesses) {
    procedure tasks(world, one_thread);
    std::vector<object<int>> of;
    for (int i = 0; i < 12; ++i)
        of.emplace_back(tasks, i % rank_count, i);
    object<int> sum(tasks, 0);
    tasks.spawn([](auto&... each) { (..., (each += 1)); }, inout(of[0]), inout(of[1]), inout(of[2]), inout(of[3]),
                inout(of[4]), inout(of[5]), inout(of[6]), inout(of[7]), inout(of[8]), inout(of[9]));
    tasks.spawn([](int& to, const auto&... each) { to = (0 + ... + each); }, out(sum), in(of[0]), in(of[1]), in(of[2]),
                in(of[3]), in(of[4]), in(of[5]), in(of[6]), in(of[7]), in(of[8]), in(of[9]), in(of[10]), in(of[11]));
    EXPECT_EQ(sum.value(), 66 + 10);
}

// Calls sync(), which must throw on every rank: `text` on the rank that has failed.
void expect_failure(procedure& tasks, int failed, const std::string& text) {
    try {
        tasks.sync();
        ADD_FAILURE() << "sync() did not throw";
    } catch (const teff::mpi::remote_failure& error) {
        EXPECT_NE(own_rank, failed);
        EXPECT_EQ(error.rank(), failed);
        EXPECT_EQ(error.what(), "rank " + std::to_string(failed) + ": " + text);
    } catch (const std::exception& error) {
        EXPECT_EQ(own_rank, failed);
        EXPECT_EQ(error.what(), text);
    }
}

TEST(mpi_dataflow, skips_what_depends_on_a_failed_task_and_tells_every_rank) {
    procedure tasks(world, one_thread);
    for (int failing = 0; failing < rank_count; ++failing) {
        static std::atomic<long> called;
        called = 0;
        object<int> a(tasks, failing, 1), b(tasks, (failing + 1) % rank_count, 1), c(tasks, 0, 1), other(tasks, 0, 1);
        const auto copy = [](const int& from, int& to) {
            ++called;
            to = from;
        };
        tasks.spawn([](int&) { throw std::runtime_error("a task has failed"); }, inout(a));
        tasks.spawn(copy, in(a), out(b));
        tasks.spawn(copy, in(b), out(c));
        tasks.spawn_on(rank_count - 1, copy, in(c), inout(a));
        // These do not depend on it.
        tasks.spawn(copy, in(other), out(b));
        tasks.spawn([](int& to) { to = 5; }, out(a));
        tasks.spawn_on(rank_count - 1, copy, in(a), inout(other));
        expect_failure(tasks, failing, "a task has failed");
        EXPECT_EQ(sum_of_ranks(called), 2);
        // The procedure goes on.
        EXPECT_EQ(b.value(), 1);
        EXPECT_EQ(a.value(), 5);
        tasks.spawn(copy, in(a), inout(c));
        tasks.sync();
        EXPECT_EQ(c.value(), 5);
    }
}

TEST(mpi_dataflow, several_ranks_may_fail) {
    procedure tasks(world, one_thread);
    std::vector<object<int>> of;
    for (int rank = 0; rank < rank_count; ++rank)
        of.emplace_back(tasks, rank, 0);
    for (object<int>& each : of)
        tasks.spawn([](int&) { throw std::runtime_error("failed on " + std::to_string(own_rank)); }, inout(each));
    try {
        tasks.sync();
        ADD_FAILURE() << "sync() did not throw";
    } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), "failed on " + std::to_string(own_rank));
    }
    tasks.sync();
}

TEST(mpi_dataflow, tells_of_failures_outside_of_functions) {
    struct fails_to_copy {
        fails_to_copy() = default;
        fails_to_copy(const fails_to_copy&) { throw std::runtime_error("no copy"); }
    };
    struct fails_to_begin {
        int value = 0;
        explicit fails_to_begin(int given) : value(given) { throw std::runtime_error("no value"); }
    };
    procedure tasks(world, one_thread);
    const int last = rank_count - 1;
    static std::atomic<long> called;
    called = 0;
    const auto count = [](auto&&...) { ++called; };
    {
        object<int> of(tasks, last, 0);
        const fails_to_copy argument;
        tasks.spawn(count, inout(of), argument);
        tasks.spawn_on(0, count, in(of));
        expect_failure(tasks, last, "no copy");
    }
    {
        object<fails_to_begin> of(tasks, last, 1);
        tasks.spawn_on(0, count, in(of));
        expect_failure(tasks, last, "no value");
    }
    if (rank_count > 1) {
        object<text> of(tasks, last, text{"x", 1});
        tasks.spawn_on(0, count, in(of));
        expect_failure(tasks, last, "cannot be sent");
        object<text> other(tasks, last, text{"x", 2});
        tasks.spawn_on(0, count, in(other));
        expect_failure(tasks, 0, "cannot be received");
        // Afterwards the value is sent once more.
        has_failed_once = false;
        object<text> received_later(tasks, last, text{"x", 3});
        tasks.spawn_on(0, count, in(received_later));
        expect_failure(tasks, 0, "cannot be received");
        has_failed_once = true;
        EXPECT_EQ(received_later.value().value, "x");
    }
    EXPECT_EQ(sum_of_ranks(called), 0);
}

TEST(mpi_dataflow, serialises_a_value_once_for_each_message) {
    procedure tasks(world, one_thread);
    object<text> of(tasks, rank_count - 1, text{"x"});
    tasks.sync();
    times_serialised = 0;
    for (int i = 0; i < 3; ++i)
        tasks.spawn_on(0, [](const text&) {}, in(of));
    tasks.sync();
    EXPECT_EQ(sum_of_ranks(times_serialised), rank_count > 1 ? 1 : 0);
}

// The message of what f throws.
template <class Error, class Function>
std::string refusal(const Function& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "no exception";
}

TEST(mpi_dataflow, refuses_what_cannot_be_said) {
    const auto nothing = [](auto&&...) {};
    procedure tasks(world, one_thread);
    object<int> a(tasks, 0, 0), b(tasks, rank_count - 1, 0);
    EXPECT_EQ(refusal<std::invalid_argument>([&] { tasks.spawn(nothing, in(a), out(a)); }),
              "teff::mpi::procedure: a task has two accesses to one object; give it one access that allows both");
    EXPECT_EQ(refusal<std::invalid_argument>([&] { tasks.spawn(nothing, 5); }),
              "teff::mpi::procedure: the task has no access, so no rank follows from it; use spawn_on()");
    const std::string most = std::to_string(rank_count - 1), beyond = std::to_string(rank_count);
    EXPECT_EQ(refusal<std::invalid_argument>([&] { tasks.spawn_on(rank_count, nothing, in(a)); }),
              "teff::mpi::procedure: spawn_on(): rank " + beyond + " is not allowed; it must be from 0 to " + most);
    EXPECT_EQ(refusal<std::invalid_argument>([&] { object<int> of(tasks, rank_count, 0); }),
              "teff::mpi::object: owner: rank " + beyond + " is not allowed; it must be from 0 to " + most);
    EXPECT_EQ(refusal<std::length_error>([&] { object<double[]> of(tasks, 0, std::size_t{1} << 30); }),
              "teff::mpi::object: a value of 2 GiB or more cannot be sent; make several objects of it");
    if (rank_count > 1) {
        const std::string of_ranks = "runs on rank 0, and the object is owned by rank " + most;
        EXPECT_EQ(refusal<std::invalid_argument>([&] { tasks.spawn(nothing, out(a), commutative(b)); }),
                  "teff::mpi::procedure: a task with a commutative access " + of_ranks +
                      "; StarPU orders such tasks within one rank alone: run it on the owner, or use inout() or "
                      "reduction()");
    }
    EXPECT_EQ(refusal<std::logic_error>([&] { procedure second(world, one_thread); }),
              "teff::mpi::procedure: this process has one already; end it first, since StarPU runs once in a process");
    const std::string of_one_thread =
        "teff::mpi::procedure: only the thread that has made it may use it; a task cannot spawn tasks of it, since all "
        "ranks must spawn the same tasks in the same order: use teff::spawn() inside of the task";
    std::thread([&] {
        EXPECT_EQ(refusal<std::logic_error>([&] { tasks.spawn(nothing, in(a)); }), of_one_thread);
    }).join();
    tasks.spawn([&](int&) { tasks.spawn([](int&) {}, inout(b)); }, inout(a));
    expect_failure(tasks, 0, of_one_thread);
}

TEST(mpi_dataflow, refuses_threads_that_one_rank_does_not_have) {
    const int last = rank_count - 1;
    for (const long threads : {0L, 4000L}) {
        try {
            procedure tasks(world, {.threads = own_rank == last ? threads : 1});
            ADD_FAILURE() << threads << " threads";
        } catch (const teff::mpi::remote_failure& error) {
            EXPECT_NE(own_rank, last);
            EXPECT_EQ(error.rank(), last);
        } catch (const std::invalid_argument& error) {
            EXPECT_EQ(own_rank, last);
            const std::string expected = "option threads: '" + std::to_string(threads) + "' is not ";
            EXPECT_EQ(std::string(error.what()).substr(0, expected.size()), expected);
        }
    }
    // Nothing of it is left.
    procedure tasks(world, one_thread);
}

TEST(mpi_dataflow, objects_may_outlive_their_procedure) {
    std::optional<procedure> tasks(std::in_place, world, one_thread);
    object<int> of(*tasks, 0, 1), moved(*tasks, 0, 2);
    tasks->spawn([](int& to) { to = 5; }, out(of));
    tasks.reset();
    EXPECT_EQ(refusal<std::logic_error>([&] { (void)of.value(); }), "teff::mpi::procedure: it has ended");
    of = std::move(moved);
    procedure other(world, one_thread);
    EXPECT_EQ(refusal<std::logic_error>([&] { other.spawn([](int&) {}, inout(of)); }),
              "teff::mpi::procedure: the object belongs to another procedure, which has ended");
}

TEST(mpi_dataflow, runs_on_a_part_of_the_ranks) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(world, own_rank % 2, own_rank, &half);
    {
        procedure tasks(half, one_thread);
        object<long> sum(tasks, tasks.ranks() - 1, 0);
        const auto add = [](long& to, long color) { to += color + 1; };
        for (int i = 0; i < 6; ++i)
            tasks.spawn_on(i % tasks.ranks(), add, inout(sum), static_cast<long>(own_rank % 2));
        EXPECT_EQ(sum.value(), 6 * (own_rank % 2 + 1));
    }
    MPI_Comm_free(&half);
}

TEST(mpi_dataflow, leaves_the_home_directory_and_the_environment_alone) {
    const std::filesystem::path home =
        std::filesystem::temp_directory_path() / ("teff-home-" + std::to_string(::getpid()));
    std::filesystem::create_directory(home);
    const char* const before = std::getenv("HOME");
    const std::string users = before == nullptr ? "" : before;
    ::setenv("HOME", home.c_str(), 1);
    { procedure tasks(world, one_thread); }
    before == nullptr ? ::unsetenv("HOME") : ::setenv("HOME", users.c_str(), 1);
    EXPECT_TRUE(std::filesystem::is_empty(home));
    EXPECT_EQ(std::getenv("STARPU_HOME"), nullptr);
    std::filesystem::remove_all(home);
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(world, &own_rank);
    MPI_Comm_size(world, &rank_count);
    const int result = RUN_ALL_TESTS();
    MPI_Finalize();
    return result;
}
