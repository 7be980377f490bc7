// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an execution and its threads; see execution.hpp. Operations on memory are in execution_memory.cpp.
#include <model/execution.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace model {

namespace fibers = boost::context::detail;

execution* execution::current_ = nullptr;

execution& execution::instance() {
    static execution the_one;
    return the_one;
}

const execution_result& execution::run(void (*body)(), explorer& strategy, bool with_rows) {
    memory_.begin(strategy.weak());
    heap_.begin();
    races_.begin();
    for (thread& each : threads_) {
        each.now = state::absent;
        each.kept.forget();
        each.looks_at_clock = 0;
        each.handled = {};
        each.last_operation = 0;
    }
    thread_count_ = 0;
    ready_ = 0;
    sleepers_.clear();
    accesses_since_point_ = 0;
    fingerprint_ = sleep_history_ = start_history_ = 0;
    taken_.fill(false);
    result_.how = verdict::passed;
    result_.failure.clear();
    result_.code.clear();
    result_.steps = 0;
    result_.outcome = 0;
    result_.decisions.clear();
    result_.rows.clear();
    with_rows_ = with_rows;
    explorer_ = &strategy;
    current_ = this;
    const auto run_body = [](void* argument) -> void* {
        reinterpret_cast<void (*)()>(argument)();
        return nullptr;
    };
    create(run_body, reinterpret_cast<void*>(body), false);
    running_ = 0;
    previous_ = driver;
    const handled_exceptions outside = std::exchange(handled_here(), {});
    const fibers::transfer_t back = fibers::jump_fcontext(contexts_[0], this);
    (void)back;
    handled_here() = outside;
    current_ = nullptr;
    restore_statics();
    strategy.end(result_.steps);
    return result_;
}

// Called by the context that was switched to: stores the context that was switched away from.
void execution::arrived(fibers::transfer_t from) noexcept { contexts_[previous_] = from.fctx; }

void execution::thread_entry(fibers::transfer_t from) {
    execution& self = *static_cast<execution*>(from.data);
    self.arrived(from);
    const thread& me = self.threads_[self.running_];
    self.note_operation(begins);
    checked_program_runs = true;
    me.run(me.argument);
    checked_program_runs = false;
    self.end_thread();
}

unsigned execution::create(void* (*function)(void*), void* argument, bool detached) {
    if (thread_count_ == max_threads)
        fail("the scenario starts more threads than the checker has");
    const unsigned number = thread_count_++;
    thread& made = threads_[number];
    made.now = state::ready;
    made.detached = detached;
    made.run = function;
    made.argument = argument;
    made.last_operation = mix(number, start_history_);
    // stop_the_world() would take stale words for pointers, and they would differ from one execution to the next.
    constexpr std::size_t top_frames = 4096;
    std::memset(heap_.stack_top(number) - top_frames, 0, top_frames);
    contexts_[number] = fibers::make_fcontext(heap_.stack_top(number), heap::stack_size, thread_entry);
    memory_.begin_thread(number, number == 0 ? 0 : running_);
    set_ready(number, true);
    explorer_->thread_created(number);
    return number;
}

void execution::set_ready(unsigned number, bool ready) noexcept {
    const std::uint32_t bit = 1U << number;
    ready_ = ready ? ready_ | bit : ready_ & ~bit;
}

void execution::point(bool yields) {
    accesses_since_point_ = 0;
    if (++result_.steps > step_limit)
        fail("livelock: the threads were still busy after " + std::to_string(step_limit) + " operations");
    if (std::popcount(ready_) > 1)
        choose_next(true, yields);
}

void execution::choose_next(bool current_ready, bool yields) {
    if (ready_ == 0)
        finish();
    unsigned next = static_cast<unsigned>(std::countr_zero(ready_));
    if (std::popcount(ready_) > 1) {
        next = explorer_->choose_thread({running_, ready_, current_ready, yields, result_.steps, fingerprint_});
        if (next == explorer::prune)
            end_execution(verdict::pruned);
        if (next >= max_threads || (ready_ >> next & 1U) == 0)
            fail("the schedule does not fit this program: it names a thread that cannot go on");
        note_decision(next);
    }
    switch_to(next);
}

void execution::switch_to(unsigned next) {
    if (next == running_)
        return;
    threads_[running_].handled = std::exchange(handled_here(), threads_[next].handled);
    previous_ = std::exchange(running_, next);
    arrived(fibers::jump_fcontext(contexts_[next], this));
}

void execution::end_execution(verdict result) {
    result_.how = result;
    fibers::jump_fcontext(contexts_[driver], nullptr);
    std::abort();  // not reached: an ended execution is never resumed
}

void execution::end_thread() {
    thread& me = threads_[running_];
    me.now = state::ended;
    set_ready(running_, false);
    if (running_ != 0 && !me.detached && --unfinished_children_ == 0) {
        threads_[0].now = state::ready;
        set_ready(0, true);
    }
    choose_next(false, false);
    std::abort();  // not reached: an ended thread is never chosen
}

void execution::run_threads(const thread_body* bodies, unsigned count) {
    const auto run_body = [](void* argument) -> void* {
        const auto* body = static_cast<const thread_body*>(argument);
        body->run(body->callable);
        return nullptr;
    };
    const unsigned first = thread_count_;
    unfinished_children_ = count;
    for (unsigned i = 0; i < count; ++i)
        create(run_body, const_cast<thread_body*>(bodies + i), false);
    if (count == 0)
        return;
    threads_[0].now = state::joining;
    set_ready(0, false);
    choose_next(false, false);
    for (unsigned i = 0; i < count; ++i) {
        memory_.join_thread(0, first + i);
        note_operation(threads_[first + i].last_operation);
    }
}

bool execution::start_thread(void* (*function)(void*), void* argument) {
    point();
    note_operation(start_history_);
    start_history_ = threads_[running_].last_operation;
    if (thread_count_ == max_threads)
        return false;
    create(function, argument, true);
    return true;
}

// Called when no thread can run: either all of them have ended, or this is a deadlock.
void execution::finish() {
    const std::string stuck = describe_deadlock();
    if (!stuck.empty())
        fail("deadlock: " + stuck);
    const allocation* const leaked = heap_.leaked();
    if (leaked != nullptr)
        fail("leak: " + std::to_string(leaked->size) + " bytes that thread " + std::to_string(leaked->thread) +
             " allocated (" + object_name(leaked->begin) + ") were not freed");
    end_execution(verdict::passed);
}

std::string execution::describe_deadlock() {
    std::string text;
    for (unsigned i = 0; i < thread_count_; ++i) {
        const thread& each = threads_[i];
        if (each.now != state::sleeping || each.detached)
            continue;
        text += (text.empty() ? "thread " : "; thread ") + std::to_string(i) + " sleeps on " +
                object_name(each.sleeps_on);
        const location* const word = memory_.find(each.sleeps_on, sizeof(std::uint32_t));
        if (word != nullptr && static_cast<std::uint32_t>(memory_.newest(*word)) != each.slept_at)
            text += ", whose value has changed since (a wake-up was lost)";
    }
    if (text.empty() && threads_[0].now != state::ended)
        text = "thread 0 waits for threads that never end";
    return text;
}

void execution::fail(std::string what) {
    result_.failure = std::move(what);
    end_execution(verdict::failed);
}

// Noted before and after the scheduling point: a thread that has yielded is in a later state than before the yield,
// and in a later one still when it runs again.
void execution::yield() {
    note_operation(before_yield);
    point(true);
    note_operation(after_yield);
}

std::int64_t execution::clock_ns() noexcept {
    constexpr std::int64_t ns_per_look = 10'000;
    return ns_per_look * ++threads_[running_].looks_at_clock;
}

thread_storage execution::storage(storage_use whose) noexcept { return threads_[running_].kept.get(whose); }

// Makes everything that any thread has done happen before everything that any thread does from here on.
void execution::order_all_threads() noexcept {
    std::uint64_t all = 0;
    for (unsigned i = 0; i < thread_count_; ++i) {
        memory_.join_thread(running_, i);
        all = mix(all, threads_[i].last_operation);
    }
    for (unsigned i = 0; i < thread_count_; ++i) {
        if (i != running_)
            memory_.join_thread(i, running_);
        change_last_operation(i, mix(threads_[i].last_operation, all));
    }
    memory_.step(running_);
}

[[gnu::noinline]] void execution::stop_the_world(void (*visit)(void* context, const void* word), void* context) {
    point();
    order_all_threads();
    // Spills the registers of the callers into this frame, so that they are visited, too.
    __builtin_unwind_init();
    void* marker = nullptr;
    for (unsigned i = 0; i < thread_count_; ++i) {
        if (threads_[i].now == state::ended)
            continue;
        const void* const low = i == running_ ? &marker : contexts_[i];
        const auto first = reinterpret_cast<std::uintptr_t>(low) & ~std::uintptr_t{sizeof(void*) - 1};
        for (auto word = reinterpret_cast<std::byte*>(first); word < heap_.stack_top(i); word += sizeof(void*))
            visit(context, *reinterpret_cast<void**>(word));
    }
}

void execution::take(unsigned item) {
    if (item >= taken_.size())
        fail("item " + std::to_string(item) + " does not exist");
    if (std::exchange(taken_[item], true))
        fail("item " + std::to_string(item) + " was taken twice");
}

void execution::expect_taken_once(unsigned count) {
    for (unsigned item = 0; item < taken_.size(); ++item) {
        if (item < count && !taken_[item])
            fail("item " + std::to_string(item) + " was lost");
        if (item >= count && taken_[item])
            fail("item " + std::to_string(item) + " was never put in");
    }
}

unsigned execution::taken_items() const noexcept {
    return static_cast<unsigned>(std::count(taken_.begin(), taken_.end(), true));
}

// The most options of a choice: a schedule has one letter for each.
constexpr unsigned most_options = 26;

unsigned execution::recording_chooser::choose_store_to_read(unsigned options) {
    const unsigned chosen = owner_.explorer_->choose_store_to_read(std::min(options, most_options));
    owner_.note_decision(chosen);
    return chosen;
}

unsigned execution::recording_chooser::choose_place_of_store(unsigned options) {
    const unsigned chosen = owner_.explorer_->choose_place_of_store(std::min(options, most_options));
    owner_.note_decision(chosen);
    return chosen;
}

bool execution::recording_chooser::choose_spurious_failure() {
    if (!owner_.memory_.is_weak())
        return false;
    const bool chosen = owner_.explorer_->choose_spurious_failure();
    owner_.note_decision(chosen ? 1 : 0);
    return chosen;
}

}  // namespace model
