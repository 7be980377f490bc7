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
#pragma once

#include <teff/fork_join.hpp>
#include <teff/algorithms/halt.hpp>
#include <teff/algorithms/pace.hpp>

#include <cstddef>
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

    // grain: 1 or more.
    lazy_loop(Work& work, halt& stop, std::size_t grain) noexcept : work_(work), halt_(stop), grain_(grain) {}

    void run(std::size_t begin, std::size_t end, value& carried) noexcept {
        halt_.guard([&] { run_or_throw(begin, end, carried); });
    }

private:
    void run_or_throw(std::size_t begin, std::size_t end, value& carried) {
        pace own(known_, grain_, end - begin);
        own.start();
        while (begin != end && !halt_.is_set()) {
            if (!forking::is_plain() && own.is_worth_forking(end - begin))
                return fork(begin, begin + (end - begin) / 2 + own.head_start(), end, carried);
            // The last chunk is not smaller than the grain, unless the whole loop is.
            const bool is_last = end - begin < own.chunk() + grain_;
            const std::size_t count = is_last ? end - begin : own.chunk();
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
                strand& here = running_strand();
                forking::view* const before = std::exchange(here.views, nullptr);
                run(last, end, carried);
                later.list = std::exchange(here.views, before);
            },
            [=, this, &carried] { run(begin, last, carried); });
        forking::append_views(std::exchange(later.list, nullptr));
    }

    Work& work_;
    halt& halt_;
    const std::size_t grain_;
    known_pace known_;
};

// Runs a whole call, with lazy_loop or another class that divides [0, count), and rethrows what a piece threw.
template <template <class> class Divided, class Work>
void run_whole(Work& work, typename Work::value& carried, std::size_t count, std::size_t grain, std::stop_token token) {
    if (count == 0)
        return;
    halt stop(std::move(token));
    Divided<Work>(work, stop, grain).run(0, count, carried);
    stop.rethrow();
}

// Loops that carry no value. Chunk: void(begin, end), called for pieces of [0, count).
template <class Chunk>
struct chunk_work : carries_nothing {
    const Chunk& chunk;
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
