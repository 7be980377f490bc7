// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over tasks on many machines: teff::reduce_tasks() (teff/reduce.hpp) on all ranks of an MPI communicator.
// Needs an installation of MPI 3.1 and the library teff-mpi (CMake: Teff::mpi); docs/many_machines.md is the guide.
//
//   struct count_down {
//       template <class Pool>
//       long operator()(Pool& pool, int n) const { if (n > 0) pool.enq(n - 1); return n; }
//   };
//   MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
//   long sum = teff::mpi::reduce_tasks(MPI_COMM_WORLD, count_down{}, 10, {.threads = 4});     // 55, on every rank
//
// The call is collective: every rank of the communicator makes it, with a body and options that mean the same, and gets
// the sum. Each rank runs tasks on `threads` workers of its pool. A rank without work asks other ranks: some random
// ones, then its neighbours in a hypercube (Saraswat et al., "Lifeline-based global load balancing", PPoPP 2011), and
// sleeps. Items are moved between ranks as bytes (teff/mpi/transfer.hpp).
//
// The calling thread communicates and runs no tasks, unless the communicator has a single rank; then the call is
// teff::reduce_tasks(). All calls of MPI are made by that thread, so any level that MPI_Init_thread() gave suffices but
// MPI_THREAD_SINGLE: with MPI_THREAD_FUNNELED the thread that initialised MPI must make the call, with
// MPI_THREAD_SERIALIZED no other thread may call MPI meanwhile. One call at a time for each communicator.
//
// Errors. If a task, or the start of the call, throws on some ranks, running tasks finish and all others are dropped; a
// rank with an exception rethrows it, every other rank throws teff::mpi::remote_failure. These are thrown at once, by
// this rank alone: std::logic_error, if MPI is not initialised, is finalised, or gave a level that does not suffice;
// std::invalid_argument for MPI_COMM_NULL and for a communicator between two groups. Errors inside of MPI go to the
// communicator's error handler, which ends the program unless the user has changed it.
#pragma once

#if !__has_include(<mpi.h>)
#error "teff/mpi.hpp needs MPI: compile with mpicxx, or link the CMake target Teff::mpi (Debian: libopenmpi-dev)"
#endif

#include <teff/base/fits.hpp>
#include <teff/frontends/reduce/start.hpp>
#include <teff/mpi/phases.hpp>
#include <teff/mpi/rank_team.hpp>
#include <teff/mpi/ranks.hpp>
#include <teff/mpi/remote_failure.hpp>
#include <teff/mpi/shared_best.hpp>
#include <teff/mpi/transfer.hpp>
#include <teff/options.hpp>
#include <teff/reduce.hpp>

#include <mpi.h>

#include <iterator>
#include <optional>
#include <ranges>
#include <stop_token>
#include <string_view>
#include <type_traits>
#include <utility>

namespace teff::mpi {

// Options of one call, as teff::options; ranks may differ in them.
struct options {
    // Workers of this rank that run tasks: 1 to 4095.
    std::optional<long> threads = {};
    // A scheduler's name. `demand` gives other ranks its oldest items; with any other scheduler a rank gives items that
    // its tasks are just making, and a task costs a few nanoseconds more.
    std::optional<std::string_view> scheduler = {};
    // As in teff::options.
    std::optional<std::string_view> reclaimer = {};
    // As in teff::options.
    std::optional<long> max_queued = {};
    // As in teff::options.
    std::optional<std::string_view> rescue = {};
    // As in teff::options.
    std::optional<std::string_view> shepherds = {};
    // How many items one message has at most: 1 to 1,000,000. A rank gives about a quarter of its items, and no more
    // after 64 MiB.
    long chunk = 512;
    // How many random ranks are asked, one after the other, before the neighbours: 0 to 1000.
    long random_victims = 2;
    // A value that tasks of all ranks read and improve (teff/mpi/shared_best.hpp): each rank's own object, of one type.
    // Null on all ranks: none. After a call that throws, the ranks may have different values.
    shared_value* best = nullptr;
    // After a stop request on any rank, running tasks finish, all other tasks are dropped on all ranks, and every rank
    // gets the sum so far.
    std::stop_token stop = {};

    // The options of the tasks of this rank.
    teff::options on_rank() const {
        teff::options same;
        same.threads = threads;
        same.scheduler = scheduler;
        same.reclaimer = reclaimer;
        same.max_queued = max_queued;
        same.rescue = rescue;
        same.shepherds = shepherds;
        same.stop = stop;
        return same;
    }
};

namespace calling {

// Runs the tasks that `add_first(rank, enq)` enqueues on each rank.
template <class Task, class Fun, class AddFirst>
auto start(MPI_Comm comm, const options& call, Fun& fun, AddFirst&& add_first) {
    using result = reducing::result_of<Fun, Task>;
    using stored = reducing::stored_result<result>;
    static_assert(sizeof(transfer<Task>) != 0);
    if constexpr (!std::is_void_v<result>)
        static_assert(std::is_arithmetic_v<result> || sizeof(transfer<result>) != 0);

    stored total{};
    if (checked_size(comm) == 1) {
        checked_sharing(call.chunk, call.random_victims);
        const auto first = [&](auto&& enq) { add_first(0, enq); };
        if constexpr (std::is_void_v<result>)
            reducing::start<any_scheduler, Task>(call.on_rank(), fun, first);
        else
            total = reducing::start<any_scheduler, Task>(call.on_rank(), fun, first);
    } else {
        ranks all(comm);
        sharing how{};
        std::optional<rank_team<Fun, Task, stored>> team;
        std::optional<phases<Fun, Task, stored>> others;
        const auto with_work = [&](auto&& use) { team ? use(*team) : use(*others); };
        all.all_or_none([&] {
            how = checked_sharing(call.chunk, call.random_victims);
            how.best = call.best;
            team_options chosen = reducing::prepare(call.on_rank());
            how.workers = chosen.settings.slots;
            if (chosen.scheduler == demand::traits().name) {
                add_caller(chosen);
                team.emplace(chosen, call.stop, fun);
            } else {
                others.emplace(call.on_rank(), fun);
            }
            with_work([&](auto& work) { work.add_first([&](auto&& enq) { add_first(all.rank(), enq); }); });
        }, call.best == nullptr ? 0 : call.best->size());
        with_work([&](auto& work) {
            all.run(how, work);
            all.all_or_none([&] { work.add_sum(total); });
        });
        if (call.best != nullptr)
            all.merge(*call.best);
        if constexpr (!std::is_void_v<result>)
            all.add_up(total);
    }
    if constexpr (!std::is_void_v<result>)
        return total;
}

}  // namespace calling

// Runs `body` on `first` and on all tasks that result from it, on all ranks; returns the sum of the results, on every
// rank. The first task is that of rank 0; the others' are ignored. Collective; see the head of this file.
template <class Fun, class Task>
auto reduce_tasks(MPI_Comm comm, Fun body, Task first, const options& call = {}) {
    if constexpr (reducing::can_reduce<Fun, Task>())
        return calling::start<Task>(comm, call, body, [&](int rank, auto&& enq) {
            if (rank == 0)
                enq(std::move(first));
        });
    else
        return fits::unknown();
}

// The same for several first tasks: each rank adds the elements of its own `tasks`. They are moved out if `tasks` is an
// rvalue container.
template <class Fun, class Range>
auto reduce_tasks(MPI_Comm comm, Fun body, from_range_t, Range&& tasks, const options& call = {}) {
    using element = decltype(*std::begin(tasks));
    using task = std::decay_t<element>;
    constexpr bool borrowed = std::is_lvalue_reference_v<Range> || std::ranges::enable_view<std::decay_t<Range>>;
    if constexpr (reducing::can_reduce<Fun, task>())
        return calling::start<task>(comm, call, body, [&](int, auto&& enq) {
            for (auto&& each : tasks) {
                if constexpr (std::is_lvalue_reference_v<element> && borrowed)
                    enq(task(each));
                else
                    enq(task(std::move(each)));
            }
        });
    else
        return fits::unknown();
}

}  // namespace teff::mpi
