// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tasks of a rank on any scheduler but `demand`: a sequence of ordinary reductions, run by a thread of its own.
//
// The papers' schedulers either cannot give items to a thread that is no member, or deal items to every member, also to
// one that only communicates. So items for other ranks are taken at the front end: while a rank asks, enq puts the next
// items that tasks make aside (the `outbox`) instead of into the scheduler's queues. That costs one load for each enq.
// It gives the newest items instead of the oldest, and a rank whose tasks make no further items gives none.
//
// What arrives from another rank waits in the `inbox` until the present reduction has ended, which is when the rank is
// about to run dry; it then begins the next one.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/reduce/result.hpp>
#include <teff/mpi/rank_work.hpp>
#include <teff/options.hpp>
#include <teff/reduce.hpp>

#include <algorithm>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace teff::mpi {

template <class Fun, class Task, class R>
class phases final : public rank_work {
public:
    // Throws std::system_error if there can be no thread.
    phases(const options& call, Fun& fun)
        : options_(call), fun_(fun), runner_([this] { run(); }) {
        stopper_.emplace(call.stop, stopper{this});
    }
    phases(const phases&) = delete;
    phases& operator=(const phases&) = delete;
    ~phases() { end(); }

    // As of rank_team, down to halt().
    template <class AddFirst>
    void add_first(AddFirst&& add_first) {
        std::vector<Task> first;
        add_first([&first](Task task) { first.push_back(std::move(task)); });
        add(std::move(first));
    }
    void add_sum(R& total) {
        end();
        if (failure_)
            std::rethrow_exception(failure_);
        if constexpr (!std::is_same_v<R, reducing::nothing>)
            total += std::move(sum_);
    }

    bool is_dry() noexcept override {
        const std::scoped_lock lock(mutex_);
        if (!is_running_ && !outbox_.empty())
            begin_next();  // nobody has come for these
        return !is_running_ && inbox_.empty();
    }

    unsigned take(unsigned at_most, bool, writer& to) noexcept override {
        std::vector<Task> taken;
        {
            const std::scoped_lock lock(mutex_);
            if (is_running_ && !is_halted() && outbox_.empty()) {
                room_ = at_most;
                // relaxed: a hint; the outbox is guarded by the mutex.
                is_asked_.store(true, std::memory_order_relaxed);
                return 0;
            }
            const std::size_t count = std::min<std::size_t>(at_most, outbox_.size());
            const auto end = outbox_.begin() + static_cast<std::ptrdiff_t>(count);
            taken.assign(std::make_move_iterator(outbox_.begin()), std::make_move_iterator(end));
            outbox_.erase(outbox_.begin(), end);
        }
        if (is_halted())
            return 0;
        std::size_t given = 0;
        try {
            for (; given < taken.size() && this->has_room(to); ++given)
                transfer<Task>::serialise(taken[given], to);
            this->check_size(to);
            add({std::make_move_iterator(taken.begin() + static_cast<std::ptrdiff_t>(given)),
                 std::make_move_iterator(taken.end())});
        } catch (...) {
            fail(std::current_exception());
            return 0;
        }
        return static_cast<unsigned>(given);
    }

    void put(reader& from, unsigned count) noexcept override {
        if (is_halted())
            return;
        try {
            std::vector<Task> arrived;
            for (unsigned i = 0; i < count; ++i)
                arrived.push_back(transfer<Task>::restore(from));
            add(std::move(arrived));
        } catch (...) {
            fail(std::current_exception());
        }
    }

    void halt() noexcept override {
        stop_.request_stop();
        note_halt();
    }

private:
    // The pool that the user's body gets.
    template <class Pool>
    class sharing_pool {
    public:
        using task_type = Task;

        sharing_pool(phases& rank, Pool& inner) noexcept : rank_(rank), inner_(inner) {}

        void enq(Task&& task) { add(std::move(task)); }
        void enq(const Task& task)
            requires std::copy_constructible<Task>
        {
            add(task);
        }

    private:
        template <class Given>
        void add(Given&& task) {
            // relaxed: a hint; see take().
            if (rank_.is_asked_.load(std::memory_order_relaxed)) [[unlikely]] {
                if (rank_.put_aside(task))
                    return;
            }
            inner_.enq(std::forward<Given>(task));
        }

        phases& rank_;
        Pool& inner_;
    };

    // The body of the reductions.
    struct sharing_body {
        phases* rank;

        template <class Pool, class Given>
        decltype(auto) operator()(Pool& pool, Given&& task) const {
            sharing_pool<Pool> sharing(*rank, pool);
            return reducing::call(rank->fun_, sharing, std::forward<Given>(task));
        }
    };

    // Moves from the task, or copies it, if it returns true.
    template <class Given>
    bool put_aside(Given& task) {
        const std::scoped_lock lock(mutex_);
        if (outbox_.size() >= room_) {
            // relaxed: as in take().
            is_asked_.store(false, std::memory_order_relaxed);
            return false;
        }
        if constexpr (std::is_const_v<Given>)
            outbox_.push_back(task);
        else
            outbox_.push_back(std::move(task));
        return true;
    }

    void add(std::vector<Task>&& more) {
        const std::scoped_lock lock(mutex_);
        std::move(more.begin(), more.end(), std::back_inserter(inbox_));
        change_.notify_one();
    }
    // Under the mutex.
    void begin_next() noexcept {
        if (inbox_.empty())
            inbox_.swap(outbox_);
        change_.notify_one();
    }
    void fail(std::exception_ptr error) noexcept {
        {
            const std::scoped_lock lock(mutex_);
            if (!failure_)
                failure_ = std::move(error);
        }
        halt();
    }

    void run() noexcept {
        for (std::unique_lock lock(mutex_);;) {
            change_.wait(lock, [this] { return is_over_ || !inbox_.empty(); });
            if (inbox_.empty())
                return;
            std::vector<Task> items = std::exchange(inbox_, {});
            is_running_ = true;
            lock.unlock();
            if (!is_halted())
                run_phase(std::move(items));
            lock.lock();
            is_running_ = false;
            // relaxed: as in take().
            is_asked_.store(false, std::memory_order_relaxed);
            if (is_halted()) {
                inbox_.clear();
                outbox_.clear();
            }
            bell().ring();
        }
    }
    void run_phase(std::vector<Task>&& items) noexcept {
        try {
            options how = options_;
            how.stop = stop_.get_token();
            if constexpr (std::is_same_v<R, reducing::nothing>)
                reduce_tasks(how, sharing_body{this}, from_range, std::move(items));
            else
                sum_ += reduce_tasks(how, sharing_body{this}, from_range, std::move(items));
        } catch (...) {
            fail(std::current_exception());
        }
    }
    void end() noexcept {
        if (!runner_.joinable())
            return;
        // Without communication, after an error, there may be items left.
        if (!is_dry())
            halt();
        {
            const std::scoped_lock lock(mutex_);
            is_over_ = true;
            change_.notify_one();
        }
        runner_.join();
    }

    const options options_;
    Fun& fun_;
    std::stop_source stop_;
    std::mutex mutex_;
    std::condition_variable change_;
    // under mutex_
    std::vector<Task> inbox_, outbox_;
    std::size_t room_ = 0;  // how many items the outbox may have
    bool is_running_ = false;
    bool is_over_ = false;
    std::exception_ptr failure_;
    // written by the thread that asks, read by every enq
    alignas(false_sharing_range) atomic<bool> is_asked_{false};
    R sum_{};  // the runner's, until it has ended
    struct stopper {
        phases* rank;
        void operator()() const noexcept { rank->halt(); }
    };
    std::optional<std::stop_callback<stopper>> stopper_;
    std::thread runner_;
};

}  // namespace teff::mpi
