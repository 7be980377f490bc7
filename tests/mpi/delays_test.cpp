// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeded runs of random trees on several ranks, while messages are delayed (delayed_messages.hpp):
//
//   mpirun -n 4 teff_mpi_delays --seed 1 --runs 1000
//
// Run number i uses the seed S + i, from which the tree, the options, and all delays follow. So a failure prints one
// number, and `--seed NUMBER --runs 1` draws the same run again; threads still meet as they like.
//
// A run is right if every rank returns, every task ran exactly once (after a stop or an exception: at most once), the
// sum is that of the tasks that ran, exceptions are those that the documentation promises, and no message is left over.
#include <teff/mpi.hpp>
#include <teff/schedulers.hpp>

#include "delayed_messages.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

int own_rank = 0, rank_count = 1;
const MPI_Comm& world = MPI_COMM_WORLD;

enum class ending { all, stop, failure };

// What a seed says. All ranks draw the same, but for the options that may differ.
struct plan {
    std::uint64_t seed;
    std::vector<std::vector<unsigned>> children;  // of each task
    std::vector<int> root_rank;                   // the first tasks are the first numbers
    std::vector<unsigned> sleep_us;               // how long each task takes
    bool has_one_root = false;
    bool has_payload = false;
    bool is_endless = false;  // tasks come again until the end
    ending how = ending::all;
    unsigned trigger = 0;  // number of the task, or of tasks of one rank, that ends it
    unsigned second_trigger = 0;
    teff::mpi::options options;

    std::size_t size() const { return children.size(); }
};

plan draw(std::uint64_t seed) {
    std::mt19937_64 random(seed * 0x9e3779b97f4a7c15U + 1);
    const auto below = [&random](std::uint64_t bound) { return static_cast<unsigned>(random() % bound); };
    const auto one_of = [&](auto... values) {
        const long all[] = {static_cast<long>(values)...};
        return all[below(sizeof...(values))];
    };
    plan made;
    made.seed = seed;
    const std::size_t size = 1 + below(static_cast<std::uint64_t>(one_of(3, 40, 100, 200)));
    const unsigned roots = below(3) != 0 ? 1 : below(5);
    const unsigned back = static_cast<unsigned>(one_of(2, 4, 20, 1000));
    made.children.resize(roots == 0 ? 0 : std::max<std::size_t>(size, roots));
    made.has_one_root = roots == 1 && below(2) == 0;
    for (unsigned i = 0; i < roots; ++i)
        made.root_rank.push_back(made.has_one_root ? 0 : static_cast<int>(below(static_cast<unsigned>(rank_count))));
    for (unsigned i = roots; i < made.size(); ++i)
        made.children[i - 1 - below(std::min(back, i))].push_back(i);
    const auto longest_us = static_cast<unsigned>(one_of(0, 50, 200, 400));
    for (std::size_t i = 0; i < made.size(); ++i)
        made.sleep_us.push_back(below(4) == 0 ? 0 : below(longest_us + 1));
    made.has_payload = below(6) == 0;
    if (const unsigned kind = below(8); kind < 2 && made.size() != 0) {
        made.how = kind == 0 ? ending::stop : ending::failure;
        made.is_endless = below(3) == 0;
        made.trigger = below(made.is_endless ? 30 : made.size());
        made.second_trigger = below(made.size());
    }
    // These may differ from rank to rank.
    for (int i = 0; i <= own_rank; ++i) {
        made.options.threads = one_of(1, 1, 2, 3);
        made.options.chunk = one_of(1, 2, 8, 64, 512);
        made.options.random_victims = one_of(0, 1, 2, 3);
    }
    const auto& schedulers = teff::schedulers();
    std::mt19937_64 same(seed);
    if (same() % 2 == 0)
        made.options.scheduler = schedulers.begin()[same() % schedulers.size()].name;
    if (same() % 8 == 0 && own_rank % 2 != 0)
        made.options.scheduler = {};
    return made;
}

// The ways in which a task may look.
struct small_item {
    std::uint64_t seed;
    unsigned number;
};
struct large_item {
    std::uint64_t seed;
    unsigned number;
    std::vector<std::uint64_t> payload;
};
std::vector<std::uint64_t> payload_of(std::uint64_t seed, unsigned number) {
    std::mt19937_64 random(seed ^ number);
    // Some messages are so long that MPI sends them only when their receiver asks.
    std::vector<std::uint64_t> made(random() % (random() % 8 == 0 ? 4000 : 10));
    for (auto& each : made)
        each = random();
    return made;
}

struct counts {
    std::uint64_t tasks = 0, numbers = 0;
    counts& operator+=(const counts& other) {
        tasks += other.tasks;
        numbers += other.numbers;
        return *this;
    }
};

}  // namespace

template <>
struct teff::mpi::transfer<large_item> {
    static void serialise(const large_item& from, writer& to) {
        to.put(from.seed);
        to.put(from.number);
        to.put_all(from.payload);
    }
    static large_item restore(reader& from) {
        const auto seed = from.get<std::uint64_t>();
        const auto number = from.get<unsigned>();
        return {seed, number, from.get_all<std::vector<std::uint64_t>>()};
    }
};

namespace {

struct task_failed : std::runtime_error {
    using runtime_error::runtime_error;
};
std::string text_of_failure(int rank) { return "a task of rank " + std::to_string(rank); }

// What happened on this rank.
struct record {
    explicit record(std::size_t tasks) : times(tasks) {}

    std::vector<std::atomic<int>> times;  // how often each task ran
    std::atomic<unsigned> all{0};
    std::atomic<unsigned> damaged{0};
    std::atomic<bool> has_thrown{false};
    std::stop_source stop;
};

struct body {
    const plan* what;
    record* done;

    template <class Pool>
    void run(Pool& pool, const small_item& item) const {
        run(pool, item, [&](unsigned number) { return small_item{what->seed, number}; });
    }
    template <class Pool>
    void run(Pool& pool, const large_item& item) const {
        if (item.payload != payload_of(item.seed, item.number))
            ++done->damaged;
        run(pool, item, [&](unsigned number) {
            return large_item{what->seed, number, payload_of(what->seed, number)};
        });
    }

    template <class Pool, class Item, class Make>
    void run(Pool& pool, const Item& item, Make&& make) const {
        if (item.seed != what->seed || item.number >= what->size()) {
            ++done->damaged;
            return;
        }
        const unsigned before = done->all++;
        ++done->times[item.number];
        if (const unsigned us = what->sleep_us[item.number]; us != 0)
            std::this_thread::sleep_for(std::chrono::microseconds(us));
        const bool is_trigger = what->is_endless ? before == what->trigger
                                                 : item.number == what->trigger || item.number == what->second_trigger;
        if (what->how != ending::all && is_trigger) {
            if (what->how == ending::failure) {
                done->has_thrown = true;
                throw task_failed(text_of_failure(own_rank));
            }
            done->stop.request_stop();
        }
        for (const unsigned each : what->children[item.number])
            pool.enq(make(each));
        if (what->is_endless)
            pool.enq(make(item.number));
    }
};

// Sums by MPI's addition, sums by messages, and none.
struct number_body : body {
    template <class Pool, class Item>
    std::uint64_t operator()(Pool& pool, const Item& item) const {
        run(pool, item);
        return 1;
    }
};
struct counts_body : body {
    template <class Pool, class Item>
    counts operator()(Pool& pool, const Item& item) const {
        run(pool, item);
        return {1, item.number};
    }
};
struct void_body : body {
    template <class Pool, class Item>
    void operator()(Pool& pool, const Item& item) const {
        run(pool, item);
    }
};

[[noreturn]] void fail(const plan& what, const std::string& text) {
    static constexpr const char* ends[] = {"itself", "a stop", "an exception"};
    std::fprintf(stderr,
                 "teff_mpi_delays: seed %llu, rank %d of %d: %s\n"
                 "  (%zu tasks, %zu first ones, ends by %s%s%s; here %ld threads, chunk %ld, %ld random victims, %s)\n",
                 static_cast<unsigned long long>(what.seed), own_rank, rank_count, text.c_str(), what.size(),
                 what.root_rank.size(), ends[static_cast<std::size_t>(what.how)], what.is_endless ? ", endless" : "",
                 what.has_payload ? ", payload" : "", *what.options.threads, what.options.chunk,
                 what.options.random_victims, std::string(what.options.scheduler.value_or("demand")).c_str());
    std::fflush(stderr);
    PMPI_Abort(world, 1);
    std::abort();
}

struct outcome {
    int failed_rank = -1;  // of a remote failure; own_rank for an own one
    std::uint64_t tasks = 0, numbers = 0;
};

template <class Item, class Body>
outcome call(const plan& what, record& done) {
    const auto make = [&](unsigned number) {
        if constexpr (std::is_same_v<Item, small_item>)
            return Item{what.seed, number};
        else
            return Item{what.seed, number, payload_of(what.seed, number)};
    };
    Body run;
    run.what = &what;
    run.done = &done;
    teff::mpi::options options = what.options;
    options.stop = done.stop.get_token();
    std::vector<Item> first;
    for (unsigned i = 0; i < what.root_rank.size(); ++i)
        if (what.root_rank[i] == own_rank)
            first.push_back(make(i));
    const auto start = [&] {
        if (what.has_one_root)
            return teff::mpi::reduce_tasks(world, run, make(0), options);
        return teff::mpi::reduce_tasks(world, run, teff::from_range, std::move(first), options);
    };
    outcome found;
    try {
        if constexpr (std::is_same_v<Body, void_body>) {
            start();
        } else if constexpr (std::is_same_v<Body, number_body>) {
            found.tasks = start();
        } else {
            const counts sum = start();
            found.tasks = sum.tasks;
            found.numbers = sum.numbers;
        }
    } catch (const teff::mpi::remote_failure& failure) {
        found.failed_rank = failure.rank();
        const int lowest = failure.rank();
        if (failure.what() != "rank " + std::to_string(lowest) + ": " + text_of_failure(lowest) || lowest == own_rank)
            fail(what, "a strange remote failure: " + std::string(failure.what()));
    } catch (const task_failed& failure) {
        found.failed_rank = own_rank;
        if (failure.what() != text_of_failure(own_rank))
            fail(what, "a strange exception: " + std::string(failure.what()));
    }
    return found;
}

// The ranks' parts are put together by functions that are not delayed. Returns whether several ranks ran tasks.
bool check(const plan& what, const record& done, const outcome& found, bool has_numbers, bool has_sum) {
    std::vector<std::uint64_t> own(what.size() + 3), all(what.size() + 3);
    for (std::size_t i = 0; i < what.size(); ++i)
        own[i] = static_cast<std::uint64_t>(done.times[i]);
    own[what.size()] = done.all;
    own[what.size() + 1] = done.damaged;
    own[what.size() + 2] = done.all != 0 ? 1 : 0;
    PMPI_Allreduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_SUM, world);
    const int lowest_own = done.has_thrown ? own_rank : rank_count;
    int lowest = rank_count;
    PMPI_Allreduce(&lowest_own, &lowest, 1, MPI_INT, MPI_MIN, world);

    if (!delayed_messages::complaint().empty())
        fail(what, delayed_messages::complaint());
    if (all[what.size() + 1] != 0)
        fail(what, "items were damaged on their way");
    if (what.how == ending::failure) {
        if (lowest == rank_count)
            fail(what, "no task threw");
        if (found.failed_rank != (done.has_thrown ? own_rank : lowest))
            fail(what, "heard of rank " + std::to_string(found.failed_rank) + " instead of " + std::to_string(lowest));
    } else if (found.failed_rank != -1) {
        fail(what, "an exception of nowhere");
    }
    std::uint64_t numbers = 0;
    for (std::size_t i = 0; i < what.size(); ++i) {
        numbers += i * all[i];
        const bool is_right = what.is_endless || all[i] == 1 || (all[i] == 0 && what.how != ending::all);
        if (!is_right)
            fail(what, "task " + std::to_string(i) + " ran " + std::to_string(all[i]) + " times");
    }
    if (has_sum && what.how != ending::failure &&
        (found.tasks != all[what.size()] || (has_numbers && found.numbers != numbers)))
        fail(what, "the sum is that of " + std::to_string(found.tasks) + " tasks, but " +
                       std::to_string(all[what.size()]) + " ran");
    return all[what.size() + 2] > 1;
}

bool run(std::uint64_t seed) {
    const plan what = draw(seed);
    record done(what.size());
    delayed_messages::begin(seed * 64 + static_cast<std::uint64_t>(own_rank));
    outcome found;
    const unsigned kind = static_cast<unsigned>(seed % 3);
    if (what.has_payload)
        found = kind == 0   ? call<large_item, number_body>(what, done)
                : kind == 1 ? call<large_item, counts_body>(what, done)
                            : call<large_item, void_body>(what, done);
    else
        found = kind == 0   ? call<small_item, number_body>(what, done)
                : kind == 1 ? call<small_item, counts_body>(what, done)
                            : call<small_item, void_body>(what, done);
    return check(what, done, found, kind == 1, kind != 2);
}

// Ends the program if a run takes minutes. It counts its own short sleeps, so the time in which the whole process is
// stopped does not count.
class watchdog {
public:
    watchdog() : thread_([this](const std::stop_token& stop) { watch(stop); }) {}
    void begin(std::uint64_t seed) {
        seed_ = seed;
        age_ = 0;
    }

private:
    void watch(const std::stop_token& stop) {
        constexpr int longest_ms = 200'000, step_ms = 100;
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(step_ms));
            if (++age_ < longest_ms / step_ms)
                continue;
            std::fprintf(stderr, "teff_mpi_delays: seed %llu, rank %d of %d: the call does not end\n",
                         static_cast<unsigned long long>(seed_), own_rank, rank_count);
            std::fflush(stderr);
            std::abort();
        }
    }
    std::atomic<std::uint64_t> seed_{0};
    std::atomic<int> age_{0};
    std::jthread thread_;
};

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t seed = 1, runs = 1000, shared = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option == "--leave-a-message")
            delayed_messages::leave_a_message_over();
        else if (option == "--seed" && i + 1 < argc)
            seed = std::strtoull(argv[++i], nullptr, 10);
        else if (option == "--runs" && i + 1 < argc)
            runs = std::strtoull(argv[++i], nullptr, 10);
        else {
            std::fprintf(stderr, "teff_mpi_delays [--seed NUMBER] [--runs NUMBER] [--leave-a-message]\n");
            return 2;
        }
    }
    int level = MPI_THREAD_SINGLE;
    PMPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    PMPI_Comm_rank(world, &own_rank);
    PMPI_Comm_size(world, &rank_count);
    {
        watchdog limit;
        for (std::uint64_t i = 0; i < runs; ++i) {
            limit.begin(seed + i);
            shared += run(seed + i) ? 1 : 0;
        }
    }
    const std::uint64_t own = delayed_messages::postponed();
    std::uint64_t postponed = 0;
    PMPI_Reduce(&own, &postponed, 1, MPI_UINT64_T, MPI_SUM, 0, world);
    if (own_rank == 0)
        std::printf("%llu runs on %d ranks from seed %llu, %llu of them shared, %llu messages postponed: all right\n",
                    static_cast<unsigned long long>(runs), rank_count, static_cast<unsigned long long>(seed),
                    static_cast<unsigned long long>(shared), static_cast<unsigned long long>(postponed));
    PMPI_Finalize();
    return 0;
}
