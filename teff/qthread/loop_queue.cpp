// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' loops with a queue: a mutex protects the range of the remaining indices, and the workers of the loop take
// one part of it after the other. The four types differ only in the size of the next part.
#include <teff/qthread/own_data.hpp>
#include <teff/qthread/qloop.h>

#include <teff/base/clock.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>

using namespace teff::qthreads;

struct qqloop_handle_s {
    qqloop_handle_s(qt_loop_queue_type kind, std::size_t start, std::size_t stop, std::size_t step, qt_loop_f of_part,
                    qt_loop_step_f single, void* arguments)
        : type(kind), first(start), last(stop), increment(std::max<std::size_t>(step, 1)), function(of_part),
          step_function(single), argument(arguments), workers(qthread_num_workers()),
          left((last > first ? last - first + increment - 1 : 0) / increment),
          chunk(std::max<std::size_t>(left / (usual_parts * workers), 1)) {}

    // Takes parts until none is left.
    void work() {
        std::size_t done = 0;
        std::int64_t time_ns = 0;
        for (part mine; take(mine, done, time_ns);) {
            const std::int64_t begin_ns = type == TIMED ? teff::monotonic_ns() : 0;
            call(mine);
            if (type == TIMED)
                time_ns = teff::monotonic_ns() - begin_ns;
            done = mine.count;
        }
    }

    // A worker begins, and ends.
    void begin() {
        const std::lock_guard locked(guard);
        ++working;
    }
    void end() {
        const std::lock_guard locked(guard);
        if (--working == 0)
            all_ended.notify_all();
    }
    void await_all() {
        std::unique_lock locked(guard);
        const scoped_asleep asleep;
        all_ended.wait(locked, [&] { return working == 0; });
    }
    bool is_done() {
        const std::lock_guard locked(guard);
        return left == 0;
    }
    void start_worker(qthread_shepherd_id_t shepherd) {
        begin();
        // A member of the caller's team, which may end before the worker does.
        task_team_record* const team = is_on_fiber() ? own().team : nullptr;
        if (team != nullptr)
            team->add();
        try {
            start_on(shepherd, without_handle([this, of = team_membership(team)]() mutable {
                be_in_team(of.team());
                work();
                end();  // the last use of the handle
            })).detach();
        } catch (...) {
            end();
            throw;
        }
    }

    const qt_loop_queue_type type;
    const std::size_t first, last, increment;
    const qt_loop_f function;  // nullptr: step_function
    const qt_loop_step_f step_function;
    void* const argument;
    const std::size_t workers;

private:
    // Indices are counted in increments.
    struct part {
        std::size_t begin = 0;
        std::size_t count = 0;
    };
    static constexpr std::size_t usual_parts = 16;  // of a worker
    static constexpr std::int64_t part_time_ns = 100'000;

    bool take(part& next, std::size_t done, std::int64_t time_ns) {
        const std::lock_guard locked(guard);
        if (left == 0)
            return false;
        next = {taken, std::clamp<std::size_t>(next_size(done, time_ns), 1, left)};
        taken += next.count;
        left -= next.count;
        return true;
    }
    // Under the guard.
    std::size_t next_size(std::size_t done, std::int64_t time_ns) {
        switch (type) {
        case CHUNK:
            return chunk;
        case GUIDED:
            return (left + workers - 1) / workers;
        case FACTORED:
            if (in_round == 0) {
                in_round = workers;
                round_size = (left + 2 * workers - 1) / (2 * workers);
            }
            --in_round;
            return round_size;
        case TIMED:
            break;
        }
        // At most twice the previous part, which may have been too short to be measured.
        if (done == 0)
            return 1;
        const auto last_ns = static_cast<double>(std::max<std::int64_t>(time_ns, 1));
        const double growth = std::min(static_cast<double>(part_time_ns) / last_ns, 2.0);
        return static_cast<std::size_t>(growth * static_cast<double>(done));
    }
    void call(const part& mine) const {
        const std::size_t begin = first + mine.begin * increment;
        if (function != nullptr)
            return function(begin, std::min(begin + mine.count * increment, last), argument);
        for (std::size_t i = 0; i < mine.count; ++i)
            step_function(argument);
    }

    teff::fiber_mutex guard;
    teff::fiber_condition_variable all_ended;
    // under the guard
    std::size_t taken = 0;
    std::size_t left;
    std::size_t in_round = 0;    // parts of this round that are left
    std::size_t round_size = 0;
    std::size_t working = 0;

public:
    std::size_t chunk;
};

namespace {

qqloop_handle_t* make_loop(qt_loop_queue_type type, std::size_t start, std::size_t stop, std::size_t increment,
                           qt_loop_f function, qt_loop_step_f single, void* argument) noexcept {
    qqloop_handle_t* made = nullptr;
    return code_of([&] {
               made = new qqloop_handle_s(type, start, stop, increment, function, single, argument);
           }) == QTHREAD_SUCCESS
               ? made
               : nullptr;
}

// Runs with fewer workers if there is no memory for so many. Throws what the start of the only worker throws.
void run_and_free(qqloop_handle_t* loop, std::size_t workers, qthread_shepherd_id_t shepherd) {
    const std::unique_ptr<qqloop_handle_t> freed(loop);
    try {
        for (std::size_t i = 0; i < workers; ++i)
            loop->start_worker(shepherd);
    } catch (...) {
        loop->await_all();
        if (!loop->is_done())
            throw;
        return;
    }
    loop->await_all();
}

}  // namespace

extern "C" {

qqloop_handle_t* qt_loop_queue_create(qt_loop_queue_type type, std::size_t start, std::size_t stop,
                                      std::size_t increment, qt_loop_f function, void* argument) {
    return function != nullptr ? make_loop(type, start, stop, increment, function, nullptr, argument) : nullptr;
}
qqloop_step_handle_t* qt_loop_step_queue_create(qt_loop_queue_type type, std::size_t start, std::size_t stop,
                                                std::size_t increment, qt_loop_step_f function, void* argument) {
    return function != nullptr ? reinterpret_cast<qqloop_step_handle_t*>(
                                     make_loop(type, start, stop, increment, nullptr, function, argument))
                               : nullptr;
}
void qt_loop_queue_setchunk(qqloop_handle_t* loop, std::size_t chunk) {
    loop->chunk = std::max<std::size_t>(chunk, 1);
}
void qt_loop_queue_run(qqloop_handle_t* loop) { run_and_free(loop, loop->workers, NO_SHEPHERD); }
void qt_loop_queue_run_there(qqloop_handle_t* loop, qthread_shepherd_id_t shepherd) {
    run_and_free(loop, 1, shepherd);
}
void qt_loop_queue_addworker(qqloop_handle_t* loop, qthread_shepherd_id_t shepherd) { loop->start_worker(shepherd); }

}  // extern "C"
