// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of a pipeline, on a task group.
//
// A task carries a value through the stages as far as it can. If a serial stage is occupied, or not yet open to this
// value, the task leaves the value there. The task that leaves the stage takes care of the next value that waits there:
// it carries the value itself, or makes a new task for it. A task whose value has left the last stage fetches another
// value. Tasks are added only where a fork would not be plain, because then another thread may come to help. So the
// values in the pipeline are those that the available threads carry and those that wait at a stage, up to the limit.
#include <teff/algorithms/pipeline_run.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/mutex.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/task_group.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>

namespace teff::pipelines {
namespace {

// Holds a mutex, and tells ThreadSanitizer so: what it orders are calls of the user's functions.
class told_lock {
public:
    explicit told_lock(mutex& held) noexcept : held_(held) {
        held_.lock();
        sanitizers::happens_after(&held_);
    }
    ~told_lock() {
        sanitizers::happens_before(&held_);
        held_.unlock();
    }
    told_lock(const told_lock&) = delete;
    told_lock& operator=(const told_lock&) = delete;

private:
    mutex& held_;
};

class run_state {
public:
    run_state(std::size_t max_tokens, const chain& stages)
        : max_tokens_(max_tokens), free_(max_tokens) {
        for (const std::shared_ptr<stage>& each : stages)
            gates_.push_back(std::make_unique<gate>(*each));
    }

    void operator()() {
        if (group_.run_and_wait([this] { work({}); }) == task_group_status::canceled && !is_complete())
            forking::throw_stopped();
    }

private:
    struct token {
        std::uint64_t number = 0;
        std::unique_ptr<box> value;
        std::size_t stage = 0;
    };

    // A stage, whether it is occupied, and the tokens that wait for it.
    struct gate {
        explicit gate(stage& of) : what(of) {}

        // Returns whether the token may enter. If not, the token has been moved to `waiting`.
        bool enter(token& one) {
            if (!what.is_serial())
                return true;
            const told_lock lock(guard);
            if (!is_taken && (!what.is_ordered() || one.number == next)) {
                is_taken = true;
                return true;
            }
            waiting.emplace(one.number, std::move(one));
            return false;
        }
        // Leaves the stage. Returns the next token, which then occupies the stage.
        std::optional<token> leave() {
            if (!what.is_serial())
                return std::nullopt;
            const told_lock lock(guard);
            ++next;
            const auto first = waiting.begin();
            if (first == waiting.end() || (what.is_ordered() && first->first != next)) {
                is_taken = false;
                return std::nullopt;
            }
            token found = std::move(first->second);
            waiting.erase(first);
            return found;
        }

        stage& what;
        mutex guard;  // protects the members below
        bool is_taken = false;
        std::uint64_t next = 0;
        std::map<std::uint64_t, token> waiting;
    };

    bool take_token() noexcept {
        // relaxed, both: only a count.
        std::size_t seen = free_.load(std::memory_order_relaxed);
        while (seen != 0) {
            if (free_.compare_exchange_weak(seen, seen - 1, std::memory_order_relaxed, std::memory_order_relaxed))
                return true;
        }
        return false;
    }
    // relaxed: as above.
    void return_token() noexcept { free_.fetch_add(1, std::memory_order_relaxed); }
    // After all tasks have ended: whether the input has ended and each value has left the pipeline.
    bool is_complete() const noexcept {
        // relaxed: the wait for the group has ordered it.
        const bool has_ended = has_ended_.load(std::memory_order_relaxed);
        // relaxed: as above.
        return has_ended && free_.load(std::memory_order_relaxed) == max_tokens_;
    }

    // Values that a task is responsible for; each occupies its stage.
    using duties = std::vector<token>;

    void work(duties left) {
        do {
            while (!left.empty()) {
                token one = std::move(left.back());
                left.pop_back();
                carry(one, left);
            }
        } while (fetch(left));
    }

    // Fetches the next value, which then enters its second stage or waits there. False: there is no further value, the
    // limit is reached, or another task is fetching; that task will fetch again.
    bool fetch(duties& left) {
        stage& first = gates_.front()->what;
        if (group_.is_canceling() || !take_token())
            return false;
        if (first.is_serial() && !first_guard_.try_lock()) {
            return_token();
            return false;
        }
        token one;
        {
            const std::unique_ptr<mutex, unlock> until_done(first.is_serial() ? &first_guard_ : nullptr);
            if (until_done != nullptr)
                sanitizers::happens_after(until_done.get());
            flow_control flow;
            // relaxed: it may be seen late; for a serial stage the mutex orders it.
            if (!has_ended_.load(std::memory_order_relaxed))
                first.apply(one.value, flow);
            else
                flow.stop();
            if (flow.is_stopped()) {
                // relaxed: as above.
                has_ended_.store(true, std::memory_order_relaxed);
                return_token();
                return false;
            }
            // relaxed: only the number matters.
            one.number = count_.fetch_add(1, std::memory_order_relaxed);
        }
        call_help();
        go_on(one, left);
        return true;
    }

    // Runs the stage that the token occupies, and moves the token on.
    void carry(token& one, duties& left) {
        gate& here = *gates_[one.stage];
        flow_control unused;
        here.what.apply(one.value, unused);
        if (std::optional<token> next = here.leave())
            see_to(std::move(*next), left);
        call_help();
        go_on(one, left);
    }
    // Moves the token to the next stage, unless the run was cancelled, or out of the last stage.
    void go_on(token& one, duties& left) {
        if (++one.stage == gates_.size())
            return_token();
        else if (!group_.is_canceling() && gates_[one.stage]->enter(one))
            left.push_back(std::move(one));
    }

    struct carrier {
        run_state* of;
        duties given;
        void operator()() { of->work(std::move(given)); }
    };
    void see_to(token one, duties& left) {
        carrier made{this, {}};
        made.given.push_back(std::move(one));
        if (forking::is_plain() || !forking::hand_over(group_, std::move(made)))
            left.push_back(std::move(made.given.back()));
    }
    void call_help() {
        // relaxed: as in fetch().
        if (!forking::is_plain() && !has_ended_.load(std::memory_order_relaxed))
            forking::hand_over(group_, carrier{this, {}});
    }

    struct unlock {
        void operator()(mutex* held) const noexcept {
            sanitizers::happens_before(held);
            held->unlock();
        }
    };

    std::vector<std::unique_ptr<gate>> gates_;
    mutex first_guard_;  // held while a serial first stage runs
    const std::size_t max_tokens_;
    atomic<std::size_t> free_;  // tokens that are not in use
    atomic<std::uint64_t> count_{0};
    atomic<bool> has_ended_{false};
    task_group group_;
};

}  // namespace

void run(std::size_t max_tokens, const chain& stages) {
    if (max_tokens == 0)
        throw std::invalid_argument("teff: parallel_pipeline needs at least one token: max_tokens is 0");
    if (stages.empty())
        throw std::invalid_argument("teff: parallel_pipeline: the chain is empty; make its filters with make_filter()");
    run_state state(max_tokens, stages);
    state();
}

}  // namespace teff::pipelines
