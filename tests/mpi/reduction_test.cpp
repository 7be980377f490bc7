// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on several ranks: results equal those of one machine, with every scheduler; errors and stops reach every
// rank; work moves to where there is none. Run by mpirun; the environment variable LEVEL is the level to ask MPI for.
// A case that finds a rank in disagreement with the others ends by the time limit of the test.
#include <teff/mpi.hpp>
#include <teff/mpi/ending.hpp>
#include <teff/mpi/lifelines.hpp>
#include <teff/mpi/mailbox.hpp>
#include <teff/schedulers.hpp>

#include <gtest/gtest.h>

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

int own_rank = 0, rank_count = 1;
const MPI_Comm& world = MPI_COMM_WORLD;

using teff::mpi::reduce_tasks;

// A tree whose shape follows from the seed of its root: nearly one child per node on average, and many below the root.
struct node {
    std::uint64_t state;
    unsigned height;

    std::uint64_t draw() const {
        std::uint64_t x = state + 0x9e3779b97f4a7c15U;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }
    unsigned children() const {
        if (height == 0)
            return 20;
        return draw() % 10000 < 3325 && height < 500 ? 3 : 0;
    }
    node child(unsigned index) const { return {draw() * 31 + index, height + 1}; }
};

std::uint64_t nodes_below(const node& root) {
    std::uint64_t nodes = 1;
    for (unsigned i = 0; i < root.children(); ++i)
        nodes += nodes_below(root.child(i));
    return nodes;
}

struct count_nodes {
    // So long that the ranks have time to take items from each other: about a microsecond.
    static void compute(const node& from) {
        node other = from;
        for (int i = 0; i < 300; ++i)
            other.state = other.draw();
        asm volatile("" : : "r"(other.state));
    }

    template <class Pool>
    std::uint64_t operator()(Pool& pool, const node& from) const {
        compute(from);
        for (unsigned i = 0; i < from.children(); ++i)
            pool.enq(from.child(i));
        return 1;
    }
};

struct fib {
    template <class Pool>
    long operator()(Pool& pool, int n) const {
        for (; n >= 2; --n)
            pool.enq(n - 2);
        return n;
    }
};

TEST(mpi_reduction, of_random_trees_counts_every_node) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const node root{seed, 0};
        const long threads = 1 + static_cast<long>(seed % 3);
        const long chunk = seed % 5 == 0 ? 1 : 64;
        ASSERT_EQ(reduce_tasks(world, count_nodes(), root,
                               {.threads = threads, .chunk = chunk, .random_victims = static_cast<long>(seed % 4)}),
                  nodes_below(root))
            << "seed " << seed;
    }
}

TEST(mpi_reduction, gives_the_same_result_with_every_scheduler) {
    for (const auto& scheduler : teff::schedulers()) {
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            const node root{seed, 0};
            ASSERT_EQ(reduce_tasks(world, count_nodes(), root, {.threads = 2, .scheduler = scheduler.name}),
                      nodes_below(root))
                << scheduler.name << ", seed " << seed;
        }
    }
}

TEST(mpi_reduction, sums_numbers_of_each_type) {
    EXPECT_EQ(reduce_tasks(world, fib(), 25, {.threads = 2}), 75025);
    const auto sum_as = []<class Number>(Number) {
        const auto body = [](auto&, int n) { return static_cast<Number>(n); };
        std::vector<int> own(7, own_rank + 1);
        const Number sum = reduce_tasks(world, body, teff::from_range, own, {.threads = 2});
        EXPECT_EQ(sum, static_cast<Number>(7 * rank_count * (rank_count + 1) / 2));
    };
    sum_as(short());
    sum_as(static_cast<unsigned short>(0));
    sum_as(int());
    sum_as(unsigned());
    sum_as(long());
    sum_as(static_cast<unsigned long>(0));
    sum_as(static_cast<long long>(0));
    sum_as(static_cast<unsigned long long>(0));
    sum_as(float());
    sum_as(double());
    sum_as(static_cast<long double>(0));
    sum_as(static_cast<signed char>(0));
}

TEST(mpi_reduction, runs_bodies_without_a_result) {
    static std::atomic<long> ran;
    ran = 0;
    reduce_tasks(world, [](auto& pool, int n) {
        ++ran;
        if (n > 0) {
            pool.enq(n - 1);
            pool.enq(n - 1);
        }
    }, 10, {.threads = 2});
    long own = ran, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, world);
    EXPECT_EQ(all, 2047);
}

TEST(mpi_reduction, can_be_repeated_at_once) {
    for (int i = 0; i < 300; ++i)
        ASSERT_EQ(reduce_tasks(world, fib(), i % 12, {.threads = 1}),
                  (std::vector{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89}[static_cast<std::size_t>(i % 12)]));
}

TEST(mpi_reduction, without_tasks_is_neutral) {
    EXPECT_EQ(reduce_tasks(world, fib(), teff::from_range, std::vector<int>(), {.threads = 2}), 0);
    EXPECT_EQ(reduce_tasks(world, fib(), teff::from_range, std::vector<int>(), {.threads = 2, .scheduler = "fifo"}), 0);
}

TEST(mpi_reduction, works_on_a_part_of_the_ranks) {
    MPI_Comm part = MPI_COMM_NULL;
    // In reversed order.
    MPI_Comm_split(world, own_rank % 2, -own_rank, &part);
    EXPECT_EQ(reduce_tasks(part, fib(), 20, {.threads = 2}), 6765);
    MPI_Comm_free(&part);
}

// Items that are not trivially copyable.
struct named_job {
    std::string name;
    std::vector<int> numbers;
};

}  // namespace

template <>
struct teff::mpi::transfer<named_job> {
    static void serialise(const named_job& from, writer& to) {
        to.put_all(from.name);
        to.put_all(from.numbers);
    }
    static named_job restore(reader& from) {
        auto name = from.get_all<std::string>();
        return {std::move(name), from.get_all<std::vector<int>>()};
    }
};

namespace {

// Sums that are not numbers: how often each text occurred.
struct histogram {
    std::map<std::string, long> counts;

    histogram& operator+=(const histogram& other) {
        for (const auto& [text, count] : other.counts)
            counts[text] += count;
        return *this;
    }
};

}  // namespace

template <>
struct teff::mpi::transfer<histogram> {
    static void serialise(const histogram& from, writer& to) {
        to.put(from.counts.size());
        for (const auto& [text, count] : from.counts) {
            to.put_all(text);
            to.put(count);
        }
    }
    static histogram restore(reader& from) {
        histogram made;
        for (auto left = from.get<std::size_t>(); left > 0; --left) {
            auto text = from.get_all<std::string>();
            made.counts[text] = from.get<long>();
        }
        return made;
    }
};

namespace {

TEST(mpi_reduction, moves_items_and_sums_that_are_serialised) {
    const auto body = [](auto& pool, const named_job& job) {
        if (job.numbers.size() < 9)
            for (int i = 0; i < 3; ++i) {
                named_job next = job;
                next.name += static_cast<char>('a' + i);
                next.numbers.push_back(i);
                pool.enq(std::move(next));
            }
        std::string text = "level ";
        for (const int each : job.numbers)
            text.resize(text.size() + (each >= 0 ? 1 : 0), '.');
        // The name repeats the numbers.
        bool is_intact = job.name.size() == job.numbers.size() + 4;
        for (std::size_t i = 0; is_intact && i < job.numbers.size(); ++i)
            is_intact = job.name[i + 4] == 'a' + job.numbers[i];
        return histogram{{{is_intact ? text : "damaged", 1}}};
    };
    for (const char* scheduler : {"demand", "blaze", "xqueue_na_rp"}) {
        if (std::none_of(teff::schedulers().begin(), teff::schedulers().end(),
                         [&](const auto& each) { return std::string_view(each.name) == scheduler; }))
            continue;
        const histogram found =
            reduce_tasks(world, body, named_job{"root", {}}, {.threads = 2, .scheduler = scheduler});
        ASSERT_EQ(found.counts.size(), 10U) << scheduler;
        long expected = 1;
        for (int level = 0; level < 10; ++level, expected *= 3)
            EXPECT_EQ(found.counts.at("level " + std::string(static_cast<std::size_t>(level), '.')), expected);
    }
}

// Calls function(), which throws on every rank. Each rank gets its own error, or hears of the lowest that has one.
enum class heard { own, remote, nothing };
template <class Function>
heard error_of(Function&& function, int& rank, std::string& text) {
    try {
        function();
    } catch (const teff::mpi::remote_failure& failure) {
        rank = failure.rank();
        text = failure.what();
        return heard::remote;
    } catch (const std::exception& own) {
        text = own.what();
        return heard::own;
    }
    return heard::nothing;
}

void expect_failure_of(int failing, const char* scheduler) {
    const auto body = [failing](auto& pool, int n) {
        if (own_rank == failing)
            throw std::runtime_error("task of rank " + std::to_string(own_rank));
        // Without end: only the failure ends it.
        pool.enq(n);
        return 1L;
    };
    int rank = -1;
    std::string text;
    const heard what = error_of([&] {
        std::vector<int> own(8, 1);
        const long sum = reduce_tasks(world, body, teff::from_range, own, {.threads = 2, .scheduler = scheduler});
        ADD_FAILURE() << sum;
    }, rank, text);
    const std::string thrown = "task of rank " + std::to_string(failing);
    if (own_rank == failing) {
        EXPECT_EQ(what, heard::own);
        EXPECT_EQ(text, thrown);
    } else {
        EXPECT_EQ(what, heard::remote);
        EXPECT_EQ(rank, failing);
        EXPECT_EQ(text, "rank " + std::to_string(failing) + ": " + thrown);
    }
}

TEST(mpi_reduction, ends_everywhere_when_a_task_throws) {
    for (int failing = 0; failing < rank_count; ++failing)
        for (const char* scheduler : {"demand", "blaze", "fifo"})
            expect_failure_of(failing, scheduler);
    EXPECT_EQ(reduce_tasks(world, fib(), 15, {.threads = 2}), 610);
}

TEST(mpi_reduction, reports_errors_that_several_ranks_have) {
    const auto body = [](auto& pool, int n) -> long {
        if (n == 0)
            throw std::runtime_error("of rank " + std::to_string(own_rank));
        pool.enq(n - 1);
        return 1;
    };
    int rank = -1;
    std::string text;
    const heard what = error_of([&] {
        std::vector<int> own(8, 5);
        static_cast<void>(reduce_tasks(world, body, teff::from_range, own, {.threads = 2}));
    }, rank, text);
    ASSERT_NE(what, heard::nothing);
    if (what == heard::own)
        EXPECT_EQ(text, "of rank " + std::to_string(own_rank));
    else
        EXPECT_NE(rank, own_rank);
}

// Cannot be restored.
struct bad_item {
    std::string text;
};

}  // namespace

template <>
struct teff::mpi::transfer<bad_item> {
    static void serialise(const bad_item& from, writer& to) { to.put_all(from.text); }
    static bad_item restore(reader& from) {
        from.get_all<std::string>();
        from.get<double>();
        throw std::logic_error("reached");
    }
};

namespace {

TEST(mpi_reduction, ends_when_an_item_cannot_be_restored) {
    if (rank_count == 1)
        GTEST_SKIP() << "nothing travels";
    // Without end, so an item travels some time.
    const auto body = [](auto& pool, const bad_item& item) {
        pool.enq(item);
        pool.enq(item);
        return 1L;
    };
    int rank = -1;
    std::string text;
    const heard what = error_of([&] {
        static_cast<void>(reduce_tasks(world, body, bad_item{"x"}, {.threads = 1, .max_queued = 100, .chunk = 1}));
    }, rank, text);
    ASSERT_NE(what, heard::nothing);
    EXPECT_NE(text.find("restore() reads more than serialise() has written"), std::string::npos) << text;
    EXPECT_TRUE(what == heard::own || rank != 0);
}

TEST(mpi_reduction, stops_everywhere) {
    const auto endless = [](auto& pool, int n) {
        pool.enq(n);
        return 1L;
    };
    for (const char* scheduler : {"demand", "blaze", "nemesis"}) {
        for (int stopping = 0; stopping < rank_count; ++stopping) {
            std::stop_source source;
            std::optional<std::thread> stopper;
            if (own_rank == stopping)
                stopper.emplace([&source] { source.request_stop(); });
            const long sum = reduce_tasks(world, endless, 1,
                                          {.threads = 2, .scheduler = scheduler, .stop = source.get_token()});
            EXPECT_GE(sum, 0);
            long least = 0;
            MPI_Allreduce(&sum, &least, 1, MPI_LONG, MPI_MIN, world);
            EXPECT_EQ(least, sum) << "ranks got different sums";
            if (stopper)
                stopper->join();
        }
    }
}

TEST(mpi_reduction, stops_from_inside_of_a_task) {
    static std::stop_source source;
    source = std::stop_source();
    const auto body = [](auto& pool, int n) {
        if (n == 1000)
            source.request_stop();
        pool.enq(n + 1);
        return 1L;
    };
    EXPECT_GE(reduce_tasks(world, body, 1, {.threads = 2, .stop = source.get_token()}), 1000);
}

// A stop may come when all work has ended on some ranks. What they still send must not reach the next call.
TEST(mpi_reduction, is_not_stopped_by_a_late_stop_of_the_one_before) {
    for (int i = 0; i < 60; ++i) {
        std::stop_source source;
        std::thread stopper([&source, i] {
            for (int wait = 0; wait < i; ++wait)
                std::this_thread::yield();
            source.request_stop();
        });
        EXPECT_LE(reduce_tasks(world, fib(), 12, {.threads = 1, .stop = source.get_token()}), 144);
        ASSERT_EQ(reduce_tasks(world, fib(), 12, {.threads = 1}), 144);
        stopper.join();
    }
}

// The ranks are on one machine here, and count in memory that they share.
class shared_counts {
public:
    shared_counts() {
        void* memory = nullptr;
        MPI_Win_allocate_shared(own_rank == 0 ? 2 * sizeof(std::atomic<int>) : 0, 1, MPI_INFO_NULL, world, &memory,
                                &window_);
        MPI_Aint size = 0;
        int unit = 0;
        MPI_Win_shared_query(window_, 0, &size, &unit, &memory);
        counts_ = static_cast<std::atomic<int>*>(memory);
        if (own_rank == 0)
            counts_[0] = counts_[1] = 0;
        MPI_Barrier(world);
    }
    ~shared_counts() { MPI_Win_free(&window_); }

    std::atomic<int>& operator[](int index) { return counts_[index]; }

private:
    MPI_Win window_ = MPI_WIN_NULL;
    std::atomic<int>* counts_ = nullptr;
};

// Twice, the tasks that a task of the first rank makes end only when every rank runs one of them. The thread that has
// made them waits in that task, so they must be taken from it by force. The second time the ranks must ask again.
void expect_work_on_every_rank(long random_victims) {
    shared_counts ranks_with_work;
    static std::atomic<bool> is_counted[2];
    is_counted[0] = is_counted[1] = false;
    const auto body = [&ranks_with_work](auto& pool, int wave) {
        const auto run = [&](int own_wave) {
            if (!is_counted[own_wave].exchange(true))
                ++ranks_with_work[own_wave];
            while (ranks_with_work[own_wave] < rank_count)
                std::this_thread::yield();
        };
        if (wave != 2) {
            run(wave);
            return 1;
        }
        for (int next = 0; next < 2; ++next) {
            for (int i = 0; i < 60; ++i)
                pool.enq(next);
            run(next);
        }
        return 1;
    };
    EXPECT_EQ(reduce_tasks(world, body, 2, {.threads = 1, .random_victims = random_victims}), 121);
    EXPECT_TRUE(is_counted[0] && is_counted[1]);
}

TEST(mpi_reduction, moves_work_to_every_rank) { expect_work_on_every_rank(2); }
TEST(mpi_reduction, moves_work_along_lifelines) { expect_work_on_every_rank(0); }

// The item 0 makes the items 1 to 64, once `workers` items have begun, and waits like -1 until it may end. The sum is
// that of the items.
struct holder {
    static constexpr int count = 64;

    int workers;
    std::atomic<int>* begun;
    std::atomic<bool>* has_made;
    std::atomic<bool>* may_end;

    template <class Pool>
    long operator()(Pool& pool, int item) const {
        if (item > 0)
            return item;
        for (++*begun; *begun != workers;)
            std::this_thread::yield();
        if (item == 0) {
            for (int made = 1; made <= count; ++made)
                pool.enq(made);
            has_made->store(true);
        }
        while (!may_end->load())
            std::this_thread::yield();
        return 0;
    }
};

// The workers are busy while items are taken for another rank.
void expect_given_of_64(int workers, unsigned most) {
    std::atomic<int> begun{0};
    std::atomic<bool> has_made{false}, may_end{false};
    holder body{workers, &begun, &has_made, &may_end};
    teff::team_options chosen = teff::reducing::prepare(teff::mpi::options{.threads = workers}.on_rank());
    teff::mpi::add_caller(chosen);
    teff::mpi::rank_team<holder, int, long> rank(chosen, {}, body);
    rank.add_first([&](auto&& enq) {
        for (int i = 1 - workers; i <= 0; ++i)
            enq(i);
    });
    while (!has_made.load())
        std::this_thread::yield();
    teff::mpi::writer to;
    unsigned given = 0;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (given == 0 && std::chrono::steady_clock::now() < limit)
        given = rank.take(512, true, to);
    may_end.store(true);
    while (!rank.is_dry())
        std::this_thread::yield();
    long sum = 0, sum_given = 0;
    rank.add_sum(sum);
    teff::mpi::reader from(to.bytes().data(), to.bytes().size());
    for (unsigned i = 0; i < given; ++i) {
        const int item = teff::mpi::transfer<int>::restore(from);
        EXPECT_LE(item, holder::count / 2 + 1) << "not one of the oldest";
        sum_given += item;
    }
    EXPECT_EQ(from.left(), 0U);
    EXPECT_EQ(sum + sum_given, holder::count * (holder::count + 1) / 2);
    if (given == 0)
        GTEST_SKIP() << "the kernel does not let a thread take items of one that does not answer";
    EXPECT_LE(given, most);
}

TEST(mpi_rank, keeps_every_second_one_of_the_items_that_it_takes_for_others) { expect_given_of_64(2, 17); }
TEST(mpi_rank, of_one_worker_gives_all_that_it_takes) { expect_given_of_64(1, 33); }

void expect_own_or_remote(const char* expected_text, int failing, const teff::mpi::options& call) {
    int rank = -1;
    std::string text;
    const heard what = error_of([&] { static_cast<void>(reduce_tasks(world, fib(), 5, call)); }, rank, text);
    EXPECT_EQ(what, own_rank == failing ? heard::own : heard::remote);
    EXPECT_NE(text.find(expected_text), std::string::npos) << text;
}

TEST(mpi_mistakes, of_one_rank_are_told_to_all) {
    for (int failing = 0; failing < rank_count; ++failing) {
        const bool fails = own_rank == failing;
        expect_own_or_remote("chunk: '0' is not allowed; it must be a whole number from 1 to 1000000", failing,
                             {.threads = 1, .chunk = fails ? 0 : 1});
        expect_own_or_remote("random_victims: '-1' is not allowed; it must be a whole number from 0 to 1000", failing,
                             {.threads = 1, .random_victims = fails ? -1 : 1});
        expect_own_or_remote("'none'", failing, {.threads = 1, .scheduler = fails ? "none" : "demand"});
        expect_own_or_remote("threads", failing, {.threads = fails ? -3 : 1});
    }
}

TEST(mpi_mistakes, name_the_communicator) {
    int rank = -1;
    std::string text;
    EXPECT_EQ(error_of([] { static_cast<void>(reduce_tasks(MPI_COMM_NULL, fib(), 5)); }, rank, text), heard::own);
    EXPECT_EQ(text, "teff::mpi: the communicator is MPI_COMM_NULL");
    if (rank_count < 2)
        return;
    MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
    MPI_Comm_split(world, own_rank % 2, own_rank, &half);
    MPI_Intercomm_create(half, 0, world, own_rank % 2 == 0 ? 1 : 0, 7, &between);
    EXPECT_EQ(error_of([&] { static_cast<void>(reduce_tasks(between, fib(), 5)); }, rank, text), heard::own);
    EXPECT_NE(text.find("connects two groups"), std::string::npos) << text;
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

// The levels differ in which thread may make the call.
TEST(mpi_levels, let_the_threads_call_that_they_allow) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    std::string text;
    long sum = 0;
    std::thread other([&] {
        int rank = -1;
        static_cast<void>(error_of([&] { sum = reduce_tasks(world, fib(), 10, {.threads = 2}); }, rank, text));
    });
    other.join();
    if (level == MPI_THREAD_FUNNELED) {
        EXPECT_NE(text.find("the thread that initialised MPI must make the call"), std::string::npos) << text;
    } else {
        EXPECT_EQ(text, "");
        EXPECT_EQ(sum, 55);
    }
    if (level != MPI_THREAD_MULTIPLE)
        return;
    // Two calls at once, on two communicators.
    MPI_Comm copies[2];
    long sums[2] = {};
    for (MPI_Comm& each : copies)
        MPI_Comm_dup(world, &each);
    std::vector<std::thread> callers;
    for (int i = 0; i < 2; ++i)
        callers.emplace_back([&, i] { sums[i] = reduce_tasks(copies[i], fib(), 20 + i, {.threads = 2}); });
    for (std::thread& each : callers)
        each.join();
    EXPECT_EQ(sums[0], 6765);
    EXPECT_EQ(sums[1], 10946);
    for (MPI_Comm& each : copies)
        MPI_Comm_free(&each);
}

// Of a communicator of its own, as in a call.
struct copy_of_world {
    MPI_Comm comm = MPI_COMM_NULL;
    copy_of_world() { MPI_Comm_dup(world, &comm); }
    ~copy_of_world() { MPI_Comm_free(&comm); }
};
constexpr int many_looks = 300;

TEST(mpi_ending, does_not_come_while_a_message_is_on_its_way) {
    const copy_of_world own;
    teff::mpi::ending end(own.comm);
    const int sent = own_rank == 0 ? 1 : 0;
    for (int i = 0; i < many_looks; ++i)
        ASSERT_FALSE(end.has_come(true, sent, 0));
    MPI_Barrier(world);
    const int received = own_rank == rank_count - 1 ? 1 : 0;
    while (!end.has_come(true, sent, received))
        std::this_thread::yield();
}

// A message reaches the first rank after it has contributed, and that rank's answer the last one before it contributes.
// So the sums of the first round are equal although the first rank is active.
TEST(mpi_ending, does_not_come_with_equal_sums_of_one_round) {
    if (rank_count == 1)
        GTEST_SKIP() << "needs two ranks";
    const copy_of_world own;
    teff::mpi::ending end(own.comm);
    const bool is_first = own_rank == 0, is_last = own_rank == rank_count - 1;
    const int counts = is_last ? 1 : 0;
    ASSERT_FALSE(end.has_come(true, counts, counts));
    for (int i = 0; i < many_looks; ++i)
        ASSERT_FALSE(end.has_come(!is_first, counts, counts));
    MPI_Barrier(world);
    const int later = is_first || is_last ? 1 : 0;
    while (!end.has_come(true, later, later))
        std::this_thread::yield();
}

TEST(mpi_mailbox, counts_all_messages_but_those_without_a_cause) {
    using teff::mpi::message_kind;
    const copy_of_world own;
    teff::mpi::mailbox mail(own.comm);
    const std::vector kinds{message_kind::ask,  message_kind::ask_lifeline, message_kind::refusal, message_kind::work,
                            message_kind::halt, message_kind::news,         message_kind::farewell};
    const int to = (own_rank + 1) % rank_count;
    for (const message_kind kind : kinds)
        mail.send(to, kind, std::vector<std::byte>(kind == message_kind::work ? 100'000 : 3, std::byte{7}));
    std::vector<message_kind> found;
    teff::mpi::message arrived;
    while (!mail.all_have_left() || found.size() < kinds.size())
        if (mail.receive(arrived)) {
            found.push_back(arrived.kind);
            EXPECT_EQ(arrived.from, (own_rank + rank_count - 1) % rank_count);
            EXPECT_EQ(arrived.bytes.size(), arrived.kind == message_kind::work ? 100'000U : 3U);
            EXPECT_TRUE(arrived.bytes.back() == std::byte{7});
        }
    EXPECT_EQ(found, kinds);
    EXPECT_EQ(mail.sent(), 4);
    EXPECT_EQ(mail.received(), 4);
}

TEST(mpi_lifelines, connect_all_ranks_in_both_directions) {
    for (int size = 1; size <= 70; ++size) {
        std::vector<bool> is_reached(static_cast<std::size_t>(size));
        std::vector<int> open{0};
        is_reached[0] = true;
        while (!open.empty()) {
            const int rank = open.back();
            open.pop_back();
            for (const int each : teff::mpi::lifelines_of(rank, size)) {
                const std::vector<int> back = teff::mpi::lifelines_of(each, size);
                ASSERT_EQ(std::count(back.begin(), back.end(), rank), 1) << rank << " of " << size;
                if (is_reached[static_cast<std::size_t>(each)])
                    continue;
                is_reached[static_cast<std::size_t>(each)] = true;
                open.push_back(each);
            }
        }
        EXPECT_EQ(std::count(is_reached.begin(), is_reached.end(), true), size);
    }
}

TEST(mpi_lifelines, random_ranks_are_all_others) {
    for (int size = 2; size <= 9; ++size)
        for (int self = 0; self < size; ++self) {
            teff::mpi::random_ranks random(self);
            std::vector<int> times(static_cast<std::size_t>(size));
            for (int i = 0; i < 1000; ++i)
                ++times.at(static_cast<std::size_t>(random.other_than(self, size)));
            for (int each = 0; each < size; ++each)
                EXPECT_EQ(times[static_cast<std::size_t>(each)] > 0, each != self) << each << " of " << size;
        }
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const char* const level = std::getenv("LEVEL");
    const std::string asked = level != nullptr ? level : "funneled";
    const int wanted = asked == "multiple"     ? MPI_THREAD_MULTIPLE
                       : asked == "serialized" ? MPI_THREAD_SERIALIZED
                                               : MPI_THREAD_FUNNELED;
    int given = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, wanted, &given);
    MPI_Comm_rank(world, &own_rank);
    MPI_Comm_size(world, &rank_count);
    int failed = RUN_ALL_TESTS();
    MPI_Finalize();
    return failed;
}
