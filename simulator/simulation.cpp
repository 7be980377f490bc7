// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads, their order, and what they wait for. Operations on memory are in simulation_memory.cpp.
#include <simulator/memory.hpp>
#include <simulator/simulation.hpp>

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>
#include <utility>

namespace simulator {

namespace fibers = boost::context::detail;

namespace {

constexpr duration time_slice = 3'000'000'000;
constexpr double clock_ns_cost = 20;
constexpr double start_wakes = 10;  // to start a thread costs as much as so many wake-ups

}  // namespace

simulation* simulation::current_ = nullptr;

simulation::simulation(const machine& on, std::uint64_t seed)
    : machine_(on), cache_(machine_), processors_(machine_), random_(seed * 0x9E3779B97F4A7C15U | 1U),
      access_cost_(picoseconds(on.prices().access)), allocation_cost_(picoseconds(50 * on.prices().access)) {}

simulation::~simulation() {
    for (const auto& each : threads_)
        ::munmap(each->stack, stack_size);
}

std::string simulation::run(const std::function<void()>& body) {
    body_ = &body;
    thread& first = make_thread(nullptr, nullptr);
    occupy(first, 0);
    waiting_.clear();
    update_earliest();
    running_ = &first;
    previous_ = nullptr;
    current_ = this;
    const model::handled_exceptions outside = std::exchange(model::handled_here(), {});
    fibers::jump_fcontext(first.context, this);
    model::handled_here() = outside;
    current_ = nullptr;
    return failure_;
}

simulation::thread& simulation::make_thread(void* (*function)(void*), void* argument) {
    threads_.push_back(std::make_unique<thread>());
    thread& made = *threads_.back();
    made.number = static_cast<unsigned>(threads_.size() - 1);
    made.run = function;
    made.argument = argument;
    void* const memory = ::mmap(nullptr, stack_size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        fail("there is no memory for the stack of a simulated thread");
    made.stack = static_cast<std::byte*>(memory);
    made.context = fibers::make_fcontext(made.stack + stack_size, stack_size, thread_entry);
    return made;
}

// Called by the context that was switched to: stores the context that was switched away from.
void simulation::arrived(fibers::transfer_t from) noexcept {
    if (previous_ != nullptr)
        previous_->context = from.fctx;
    else
        driver_ = from.fctx;
    access_cost_ = scaled(picoseconds(machine_.prices().access));
}

void simulation::thread_entry(fibers::transfer_t from) {
    simulation& self = *static_cast<simulation*>(from.data);
    self.arrived(from);
    thread& me = *self.running_;
    program_runs = true;
    if (me.run == nullptr)
        (*self.body_)();
    else
        me.run(me.argument);
    program_runs = false;
    if (me.run == nullptr)
        fibers::jump_fcontext(self.driver_, nullptr);
    self.let_others_run(0);
    me.has_ended = true;
    self.leave_processor();
    self.run_next();
    std::abort();  // not reached: an ended thread never runs again
}

void simulation::fail(std::string what) {
    failure_ = std::move(what);
    fibers::jump_fcontext(driver_, nullptr);
    std::abort();  // not reached: nothing runs after a failure
}

void simulation::switch_to(thread& next) {
    if (&next == running_)
        return;
    running_->handled = std::exchange(model::handled_here(), next.handled);
    previous_ = std::exchange(running_, &next);
    arrived(fibers::jump_fcontext(next.context, this));
}

void simulation::update_earliest() noexcept {
    constexpr duration never = INT64_MAX / 2;
    earliest_ = waiting_.empty() ? never : waiting_.front().at;
}

void simulation::run_at(thread& scheduled, duration at) {
    scheduled.turn = ++turns_;
    waiting_.push_back({at, scheduled.turn, &scheduled});
    std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    update_earliest();
}

// For a thread that has nothing to do on its processor, or has announced when it goes on.
void simulation::run_next() {
    while (!waiting_.empty()) {
        std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
        const entry next = waiting_.back();
        waiting_.pop_back();
        update_earliest();
        thread& scheduled = *next.who;
        if (next.turn != scheduled.turn)
            continue;
        if (scheduled.sleeps_on != nullptr) {  // its time has passed
            auto& queue = sleepers_[std::exchange(scheduled.sleeps_on, nullptr)];
            queue.erase(std::find(queue.begin(), queue.end(), &scheduled));
            scheduled.spent[cause::asleep] += next.at - scheduled.now;
            scheduled.now = next.at;
            occupy(scheduled, next.at);
            continue;
        }
        scheduled.now = next.at;
        switch_to(scheduled);
        return;
    }
    fail("every thread sleeps, and nobody will wake one");
}

// The thread gets a processor, and runs at that time; or it waits for one.
void simulation::occupy(thread& scheduled, duration at) {
    unsigned taken = 0;
    if (!processors_.take_near(scheduled.where.processor, taken)) {
        scheduled.turn = ++turns_;
        processors_.wait(scheduled.number);
        return;
    }
    scheduled.where = {.processor = taken, .core = machine_.core_of(taken), .since = at};
    run_at(scheduled, at);
}

// The running thread gives its processor to the next one.
void simulation::leave_processor() {
    if (!processors_.has_queue()) {
        processors_.free(running_->where.processor);
        return;
    }
    thread& next = *threads_[processors_.first_waiting()];
    const duration at = std::max(running_->now, next.now) + picoseconds(machine_.prices().wake);
    next.spent[cause::queued] += at - next.now;
    next.now = at;
    next.where = running_->where;
    next.where.since = at;
    run_at(next, at);
}

void simulation::give_way() {
    thread& me = *running_;
    leave_processor();
    me.turn = ++turns_;
    processors_.wait(me.number);
    run_next();
}

// Until the running thread is at most `head` ahead of all others.
void simulation::let_others_run(duration head) {
    for (thread& me = *running_; me.now > earliest_ + head;) {
        if (me.interrupted != 0)
            spend(cause::interrupt, std::exchange(me.interrupted, 0));
        if (me.now - me.where.since > time_slice && processors_.has_queue()) {
            give_way();
            continue;
        }
        run_at(me, me.now);
        run_next();
    }
}

duration simulation::scaled(duration time) const noexcept {
    if (machine_.threads_per_core() == 1 || !processors_.is_core_shared(running_->where.core))
        return time;
    return static_cast<duration>(static_cast<double>(time) * machine_.smt_slowdown());
}

void simulation::spend(cause why, duration time) noexcept {
    const duration taken = scaled(time);
    running_->now += taken;
    running_->spent[why] += taken;
}

// A number in [1 - part, 1 + part].
double simulation::jitter(double part) noexcept {
    random_ ^= random_ >> 12;
    random_ ^= random_ << 25;
    random_ ^= random_ >> 27;
    const std::uint64_t drawn = random_ * 0x2545F4914F6CDD1DU >> 11;
    return 1 - part + 2 * part * static_cast<double>(drawn) / static_cast<double>(std::uint64_t{1} << 53);
}

void simulation::work(duration time) {
    spend(cause::work, static_cast<duration>(static_cast<double>(time) * jitter(work_jitter)));
    let_others_run(head_start);
}

bool simulation::futex_wait(const void* word, std::uint32_t seen, duration timeout) {
    spend(cause::wake, picoseconds(machine_.prices().system_call));
    let_others_run(0);
    if (__atomic_load_n(static_cast<const std::uint32_t*>(word), __ATOMIC_RELAXED) != seen)
        return true;
    thread& me = *running_;
    me.sleeps_on = word;
    me.was_woken = false;
    me.turn = ++turns_;
    sleepers_[word].push_back(&me);
    if (timeout >= 0)
        run_at(me, me.now + timeout);
    leave_processor();
    run_next();
    return me.was_woken;
}

void simulation::futex_wake(const void* word, int count) {
    spend(cause::wake, picoseconds(machine_.prices().system_call));
    let_others_run(0);
    const auto found = sleepers_.find(word);
    if (found == sleepers_.end())
        return;
    for (auto& queue = found->second; count > 0 && !queue.empty(); --count) {
        thread& scheduled = *queue.front();
        queue.pop_front();
        spend(cause::wake, picoseconds(machine_.prices().wake));
        scheduled.sleeps_on = nullptr;
        scheduled.was_woken = true;
        const duration delay = picoseconds(machine_.prices().wake_delay * jitter(transfer_jitter));
        scheduled.spent[cause::asleep] += running_->now - scheduled.now;
        scheduled.spent[cause::wake] += delay;
        scheduled.now = running_->now + delay;
        occupy(scheduled, scheduled.now);
    }
}

void simulation::yield() {
    spend(cause::spin, picoseconds(machine_.prices().system_call));
    let_others_run(0);
    if (processors_.has_queue())
        give_way();
}

void simulation::pause(unsigned times) {
    spend(cause::spin, times * picoseconds(machine_.prices().pause));
    let_others_run(head_start);
}

std::int64_t simulation::clock_ns() {
    constexpr std::int64_t at_begin = 1'000'000'000;
    running_->now += scaled(picoseconds(clock_ns_cost));
    return at_begin + running_->now / 1000;
}

std::int64_t simulation::cycle_count() {
    running_->now += scaled(picoseconds(clock_ns_cost));
    return static_cast<std::int64_t>(static_cast<double>(running_->now) / 1000 * machine::cycles_per_ns);
}

bool simulation::start_thread(void* (*function)(void*), void* argument) {
    if (threads_.size() == max_threads)
        return false;
    spend(cause::wake, picoseconds(start_wakes * machine_.prices().wake));
    let_others_run(0);
    thread& made = make_thread(function, argument);
    made.where = running_->where;
    made.now = running_->now + picoseconds(machine_.prices().wake_delay);
    occupy(made, made.now);
    return true;
}

account simulation::total() const {
    account sum;
    for (const auto& each : threads_)
        sum += each->spent;
    return sum;
}

std::vector<duration> simulation::work_by_thread() const {
    std::vector<duration> all;
    for (const auto& each : threads_)
        all.push_back(each->spent[cause::work]);
    return all;
}

}  // namespace simulator
