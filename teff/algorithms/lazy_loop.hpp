// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop under most algorithms: it divides the remaining iterations when a worker is idle, and otherwise runs on.
// (Lazy binary splitting: Tzannes, Caragea, Barua, Vishkin, PPoPP 2010. Two differences: there a thread divides when
// its deque is empty; here it divides when its next fork would not be plain, which also signals a request for work.
// There the programmer chooses the chunk size; here pace.hpp measures it.)
//
//   piece [begin, end):  chunk, chunk, chunk, ... until a fork is not plain: then the first half of the rest runs here
//                        and the second half becomes a job (the first half is a little longer, since it begins sooner)
//
// A second half whose iterations may be long begins with its last chunk, and the rest becomes a job. If the longest
// iteration is the last one of the loop, as in loops over triangles, it would otherwise begin when all else is done.
//
// A Work says what to do. A `value` is what a piece carries from chunk to chunk, such as a sum:
//   value fresh()                      the initial value of a second half
//   void run(begin, end, value&)       runs a chunk
//   void join(value& left, value&& right)
// Halves are joined in order. The depth is logarithmic, since each fork halves the rest.
//
// A loop in the source that was long enough when it last ran is first divided among the threads that wait for such
// work, along a tree (frontends/fork_join/crew.hpp), without a request. So even a loop of a few microseconds uses other
// threads; it would end before an idle thread had sent a request and got an answer. Each part then continues as above.
// Rejected: a request that the loop's caller answers while it runs (a loop of 7 us took longer on 16 threads than on
// one), and halves instead of the tree's smaller shares (crew::given()).
#pragma once

#include <teff/fork_join.hpp>
#include <teff/frontends/fork_join/crew.hpp>
#include <teff/algorithms/halt.hpp>
#include <teff/algorithms/pace.hpp>

#include <cstddef>
#include <limits>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff::algorithm {

// The base of a Work without a value to carry.
struct carries_nothing {
    struct value {};
    static value fresh() noexcept { return {}; }
    static void join(value&, value&&) noexcept {}
};

template <class Work>
class lazy_loop {
public:
    using value = typename Work::value;

    // grain: 1 to largest_grain.
    lazy_loop(Work& work, halt& stop, std::size_t grain) noexcept : work_(work), halt_(stop), grain_(grain) {}

    void run(std::size_t begin, std::size_t end, value& carried) noexcept {
        halt_.guard([&] { run_or_throw(begin, end, carried); });
    }
    // The whole loop. If it is known to be long enough it is first divided among the threads that wait for such work.
    void run_whole(std::size_t begin, std::size_t end, value& carried) noexcept {
        halt_.guard([&] {
            const std::size_t known = remembered_.load();
            least_share_ = larger(known, grain_);
            if (known != 0 && (end - begin) / 2 >= least_share_) {
                const forking::crew others = forking::others((end - begin) / least_share_ - 1);
                if (!others.is_empty()) {
                    first_of_crew_ = others.first;
                    return divide(others, begin, end, carried);
                }
            }
            const std::int64_t before = cycle_count();
            run_or_throw(begin, end, carried);
            note(end - begin, cycle_count() - before);
        });
    }

private:
    // Gives a part of the loop to a member of the crew, with the members after it, and continues with the rest of both.
    void divide(const forking::crew& others, std::size_t begin, std::size_t end, value& carried) {
        const std::size_t given = others.share_of_next(end - begin), middle = end - given;
        if (others.is_empty() || given < least_share_ || halt_.is_set())
            return run_share(others, begin, end, carried);
        value right = work_.fresh();
        const bool is_given = forking::fork_to_any(
            others, [&](const forking::crew& before) { divide_guarded(before, begin, middle, carried); },
            given_part{*this, &right, middle, end, others.end});
        if (!is_given)
            // A job in the queue wakes a worker that sleeps, which then waits for the next loop.
            return !are_long() && forking::is_awaited() ? fork(begin, begin + (end - begin) / 2, end, carried)
                                                        : run_share(others, begin, end, carried);
        if (!halt_.has_failed())
            work_.join(carried, std::move(right));
    }
    void divide_guarded(const forking::crew& others, std::size_t begin, std::size_t end, value& carried) noexcept {
        halt_.guard([&] { divide(others, begin, end, carried); });
    }
    struct given_part {
        lazy_loop& loop;
        value* carried;
        std::size_t begin, end;
        unsigned end_of_crew;

        void operator()() const noexcept {
            loop.divide_guarded(forking::those_after_me(loop.first_of_crew_, end_of_crew), begin, end, *carried);
        }
    };
    // Whether one iteration (or as many as the grain says) takes long. Then a part forks as any other piece does.
    bool are_long() const noexcept { return least_share_ == grain_; }
    // Runs a part that is not divided further at first. Its first iterations show whether the loop is still as it was.
    void run_share(const forking::crew& own, std::size_t begin, std::size_t end, value& carried) {
        const std::int64_t before = cycle_count();
        std::size_t rest = begin, chunk = 0;
        if (!are_long() && !halt_.is_set()) {
            rest = end - begin < 2 * grain_ ? end : begin + grain_;
            work_.run(begin, rest, carried);
            if (!remembered_pace::is_wrong(least_share_, rest - begin, cycle_count() - before))
                chunk = remembered_pace::chunk_of(least_share_);
        }
        run_or_throw(rest, end, carried, chunk);
        if (own.begin == 1)
            note(end - begin, cycle_count() - before);
    }
    void note(std::size_t count, std::int64_t took) noexcept {
        if (!halt_.is_set())
            remembered_.note(count, took);
    }

    // chunk: the iterations of a chunk; 0: not known to the caller.
    void run_or_throw(std::size_t begin, std::size_t end, value& carried, std::size_t chunk = 0) {
        pace own(known_, grain_, end - begin, chunk);
        own.start();
        while (begin != end && !halt_.is_set()) {
            const std::size_t rest = end - begin;
            if (!forking::is_plain() && own.is_worth_forking(rest))
                return fork(begin, begin + rest / 2 + own.head_start(), end, carried);
            // The last chunk is not smaller than the grain, unless the whole loop is.
            const bool is_last = rest < own.chunk() + grain_;
            const std::size_t count = is_last ? rest : own.chunk();
            work_.run(begin, begin + count, carried);
            begin += count;
            if (!is_last || own.is_least())
                own.ran(count);
        }
    }

    [[gnu::noinline]] void fork(std::size_t begin, std::size_t middle, std::size_t end, value& left) {
        value right = work_.fresh();
        fork_join([=, this, &left] { run(begin, middle, left); },
                  [=, this, &right] { run_second_half(middle, end, right); });
        if (!halt_.has_failed())
            work_.join(left, std::move(right));
    }

    void run_second_half(std::size_t begin, std::size_t end, value& carried) noexcept {
        if constexpr (std::is_empty_v<value>) {
            constexpr std::size_t least_chunks = 4;
            // An iteration takes a microsecond or more, or nothing is known yet.
            if (known_.load() <= grain_ && (end - begin) / grain_ >= least_chunks) {
                halt_.guard([&] { run_last_chunk_first(begin, end - grain_, end, carried); });
                return;
            }
        }
        run(begin, end, carried);
    }

    // What the last chunk adds to ordered reducers still comes last: its views are appended behind those of the rest.
    void run_last_chunk_first(std::size_t begin, std::size_t last, std::size_t end, value& carried) {
        struct later_views {
            forking::view* list = nullptr;
            ~later_views() { forking::drop_views(list); }
        } later;
        fork_join(
            [=, this, &carried, &later] {
                strand& own_strand = running_strand();
                forking::view* const before = std::exchange(own_strand.views, nullptr);
                run(last, end, carried);
                later.list = std::exchange(own_strand.views, before);
            },
            [=, this, &carried] { run(begin, last, carried); });
        forking::append_views(std::exchange(later.list, nullptr));
    }

    Work& work_;
    halt& halt_;
    const std::size_t grain_;
    std::size_t least_share_ = 0;  // of a loop that is divided when it begins: the fewest iterations of a part
    unsigned first_of_crew_ = 0;
    known_pace known_;
    static inline constinit remembered_pace remembered_;
};

// Of a call. A chunk and a grain together are then no larger than a number can be; no range is that long.
inline constexpr std::size_t largest_grain = std::numeric_limits<std::size_t>::max() / 4;

// Runs a whole call, with lazy_loop or another class that divides [0, count), and rethrows what a piece threw.
template <template <class> class Divided, class Work>
void run_whole(Work& work, typename Work::value& carried, std::size_t count, std::size_t grain, std::stop_token token) {
    if (count == 0)
        return;
    // On cache lines of their own, which all threads read.
    struct alignas(false_sharing_range) shared {
        Divided<Work> loop;
        halt stop;
    } of_call{{work, of_call.stop, smaller(grain, largest_grain)}, halt(std::move(token))};
    of_call.loop.run_whole(0, count, carried);
    of_call.stop.rethrow();
}

// Loops that carry no value. Chunk: void(begin, end), called for pieces of [0, count). It has a cache line of its own,
// since all threads read it.
template <class Chunk>
struct alignas(cache_line_size) chunk_work : carries_nothing {
    const Chunk chunk;
    explicit chunk_work(const Chunk& given) noexcept : chunk(given) {}
    void run(std::size_t begin, std::size_t end, value&) const { chunk(begin, end); }
};
template <class Chunk>
void run_chunks(const Chunk& chunk, std::size_t count, std::size_t grain, std::stop_token token) {
    chunk_work<Chunk> work(chunk);
    carries_nothing::value none;
    run_whole<lazy_loop>(work, none, count, grain, std::move(token));
}
// Runs part of a call that already has a halt; the halt keeps what is thrown.
template <class Chunk>
void run_chunks(const Chunk& chunk, std::size_t count, halt& stop) noexcept {
    chunk_work<Chunk> work(chunk);
    carries_nothing::value none;
    if (count != 0)
        lazy_loop<chunk_work<Chunk>>(work, stop, 1).run(0, count, none);
}

// How a function is held during a chunk: a small one by copy, so that its captures may live in registers.
template <class F, bool is_object = std::is_object_v<F>>
struct holder {
    using type = const F&;
};
template <class F>
struct holder<F, true> {
    static constexpr bool is_small =
        std::is_trivially_copyable_v<F> && std::is_copy_constructible_v<F> && sizeof(F) <= 8 * sizeof(void*);
    using type = std::conditional_t<is_small, const F, const F&>;
};
template <class F>
using held = typename holder<F>::type;

}  // namespace teff::algorithm
