// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cache lines that move to the running thread, and fences.
#include <simulator/simulation.hpp>

#include <algorithm>

namespace simulator {

void simulation::use_atomic(const void* where, use access, const model::site& at) {
    thread& me = *running_;
    me.now += access_cost_;
    if (counts_accesses_)
        count({.file = at.file_name(), .line = at.line()}, access_cost_);
    const bool writes = access != use::load;
    if (access == use::modify) {
        wait_for_stores();
        me.now += scaled(picoseconds(machine_.prices().modify));
    }
    const auto number = cache_directory::line_of(where);
    if (!cache_directory::is_ready(cache_.find(number, me.where.core), me.where.core, writes))
        get_line(number, writes, access == use::store, {.file = at.file_name(), .line = at.line()});
    else if (me.now > earliest_ + head_start)
        let_others_run(head_start);
}

// Others may take the line or bring it while they run.
void simulation::get_line(cache_directory::line_number number, bool writes, bool is_store, const transfer_site& at) {
    let_others_run(0);
    thread& me = *running_;
    cache_directory::line& line = cache_.find(number, me.where.core);
    if (cache_directory::is_ready(line, me.where.core, writes))
        return;
    const auto moved = cache_.move(line, me.where.core, writes, me.now, jitter(transfer_jitter));
    const bool is_near = moved.from == distance::near;
    duration waits_until = moved.done;
    if (is_store) {
        // A processor has room for so many stores that have not arrived.
        constexpr duration room = 1'000'000;
        me.stores_arrive = std::max(me.stores_arrive, moved.done);
        waits_until = me.stores_arrive - room;
    }
    const duration waits = std::max<duration>(waits_until - me.now, 0);
    me.spent[is_near ? cause::near_line : cause::far_line] += waits;
    ++(is_near ? me.spent.near_lines : me.spent.far_lines);
    me.now += waits;
    if (!counts_accesses_)
        count(at, waits);
}

void simulation::count(const transfer_site& at, duration waited) {
    if (!watched_ || *watched_ == running_->number)
        sites_.count(at, waited);
}

void simulation::wait_for_stores() noexcept {
    thread& me = *running_;
    const duration waits = me.stores_arrive - me.now;
    if (waits > 0) {
        me.spent[cause::near_line] += waits;
        me.now += waits;
    }
}

void simulation::full_fence() {
    wait_for_stores();
    running_->now += scaled(picoseconds(machine_.prices().fence));
    let_others_run(0);
}

void simulation::begin_use() {
    let_others_run(0);
    running_->data_arrives = running_->now;
}

void simulation::use_data(const void* begin, std::size_t size, bool is_changed) {
    constexpr duration per_line = 4'000;  // what a core takes to receive a line, while it waits for others
    thread& me = *running_;
    const auto last = cache_directory::line_of(static_cast<const char*>(begin) + size - 1);
    for (auto number = cache_directory::line_of(begin); number <= last; ++number) {
        cache_directory::line& line = cache_.find(number, me.where.core);
        if (cache_directory::is_ready(line, me.where.core, is_changed))
            continue;
        const auto moved = cache_.move(line, me.where.core, is_changed, me.now, jitter(transfer_jitter));
        ++(moved.from == distance::near ? me.spent.near_lines : me.spent.far_lines);
        me.data_arrives = std::max(moved.done, me.data_arrives + per_line);
    }
}

void simulation::end_use() {
    thread& me = *running_;
    me.spent[cause::near_line] += me.data_arrives - me.now;
    me.now = me.data_arrives;
    let_others_run(head_start);
}

// The kernel interrupts the other threads that run.
void simulation::fence_in_all_threads() {
    wait_for_stores();
    spend(cause::wake, picoseconds(machine_.prices().heavy_fence));
    let_others_run(0);
    for (const auto& each : threads_) {
        if (each.get() != running_ && !each->has_ended && each->sleeps_on == nullptr)
            each->interrupted += picoseconds(machine_.prices().system_call);
    }
}

}  // namespace simulator
