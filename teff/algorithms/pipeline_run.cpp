// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of a pipeline, on a task group.
//
// A task carries a value through the stages as far as it can. If a serial stage is occupied, or not yet open to this
// value, the task leaves the value there. The task that leaves the stage makes the next value that waits there ready:
// that value occupies the stage, and any task of the run may carry it on. A task whose value has left the last stage,
// or waits, takes one that is ready, or fetches another one.
//
// A user's function may block until another value has reached the same stage. So while such a function runs, no work
// that another thread could do is kept in a local variable. Before the call, a task of the run, the helper, is queued
// where other threads find it, if there is work: a value that is ready, or one to fetch. One helper is enough, since it
// queues the next one in the same way. A team of one thread has no helper.
//
// Each step is decided under one mutex, so no task can miss the value that another one has left.
#include <teff/algorithms/pipeline_run.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/task_group.hpp>

#include <cstdint>
#include <deque>
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
        if (group_.run_and_wait([this] { work(); }) == task_group_status::canceled && !is_complete())
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
        explicit gate(stage& guarded) : what(guarded) {}

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

    // After all tasks have ended: whether the input has ended and each value has left the pipeline.
    bool is_complete() const noexcept { return has_ended_ && free_ == max_tokens_; }

    void work() {
        for (step next = take_step(); next.is_one(); next = take_step()) {
            std::optional<token> one = next.fetches ? fetch() : std::move(next.ready);
            while (one)
                one = carry(std::move(*one));
        }
    }

    // Fetches the next value. Returns it if it may enter its second stage.
    std::optional<token> fetch() {
        // At the end of the scope, also by an exception, this thread does not fetch any more.
        struct turn {
            run_state& of;
            bool has_ended = false, returns_token = false;
            ~turn() {
                const told_lock lock(of.guard_);
                of.is_fetching_ = false;
                of.has_ended_ = of.has_ended_ || has_ended;
                of.free_ += returns_token ? 1 : 0;
            }
        };
        token one;
        {
            turn mine{*this};
            call_help();
            flow_control flow;
            gates_.front()->what.apply(one.value, flow);
            if (flow.is_stopped()) {
                mine.has_ended = mine.returns_token = true;
                return std::nullopt;
            }
            // relaxed: only the number matters.
            one.number = count_.fetch_add(1, std::memory_order_relaxed);
        }
        return go_on(std::move(one));
    }
    // Runs the stage that the token occupies, and moves the token on. Returns it if it may enter the next stage.
    std::optional<token> carry(token one) {
        gate& entered = *gates_[one.stage];
        flow_control unused;
        call_help();
        entered.what.apply(one.value, unused);
        if (std::optional<token> next = entered.leave()) {
            const told_lock lock(guard_);
            ready_.push_back(std::move(*next));
        }
        return go_on(std::move(one));
    }
    // Moves the token to the next stage, unless the run was cancelled, or out of the last stage.
    std::optional<token> go_on(token one) {
        if (++one.stage == gates_.size()) {
            const told_lock lock(guard_);
            ++free_;
        } else if (!group_.is_canceling() && gates_[one.stage]->enter(one)) {
            return one;
        }
        return std::nullopt;
    }

    // A task's next step: it carries a value that is ready, fetches one, or ends.
    struct step {
        std::optional<token> ready;
        bool fetches = false;
        bool is_one() const noexcept { return fetches || ready; }
    };
    step take_step() {
        step taken;
        if (group_.is_canceling())
            return taken;
        const told_lock lock(guard_);
        if (!ready_.empty()) {
            taken.ready = std::move(ready_.front());
            ready_.pop_front();
        } else if (may_fetch()) {
            taken.fetches = is_fetching_ = true;
            --free_;
        }
        return taken;
    }
    // guard_ is held.
    bool may_fetch() const noexcept {
        return free_ != 0 && !has_ended_ && !(is_fetching_ && gates_.front()->what.is_serial());
    }

    // Call before a user's function: queues a helper if there is a step for it and no helper is queued.
    void call_help() {
        {
            const told_lock lock(guard_);
            if (has_helper_ || (ready_.empty() && !may_fetch()))
                return;
            has_helper_ = true;
        }
        // A team of one thread needs none.
        forking::queue(group_, helper{this});
    }
    struct helper {
        run_state* of;
        void operator()() {
            {
                const told_lock lock(of->guard_);
                of->has_helper_ = false;
            }
            of->work();
        }
    };

    std::vector<std::unique_ptr<gate>> gates_;
    const std::size_t max_tokens_;
    atomic<std::uint64_t> count_{0};
    task_group group_;

    mutex guard_;               // protects the members below
    std::size_t free_;          // tokens that are not in use
    bool is_fetching_ = false;  // a task calls the first function, if that is called for one value at a time
    bool has_ended_ = false;    // the first function has stopped the pipeline
    bool has_helper_ = false;   // a helper is queued and has not begun
    std::deque<token> ready_;   // each occupies its stage, and any task may carry it on
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
