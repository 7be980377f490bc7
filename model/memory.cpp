// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transitions of the memory model; see memory.hpp for the rules.
#include <model/memory.hpp>

#include <algorithm>
#include <cstring>

namespace model {
namespace {

// The distance of two time stamps when a store is appended. It leaves room for later stores between the two.
constexpr stamp gap = 1U << 12;

}  // namespace

void memory::begin(bool weak) noexcept {
    weak_ = weak;
    for (thread_view& each : threads_) {
        for (view* part : {&each.current, &each.acquired, &each.released}) {
            part->clock = {};
            std::fill_n(part->seen.begin(), used_, 0);
        }
    }
    std::fill_n(fences_.seen.begin(), used_, 0);
    used_ = 0;
    messages_.clear();
    ++generation_;
}

void memory::begin_thread(unsigned thread, unsigned creator) noexcept {
    thread_view& mine = threads_[thread];
    if (thread != creator) {
        join(mine.current, threads_[creator].current);
        join(mine.acquired, threads_[creator].current);
    }
    step(thread);
    step(creator);
}

void memory::join_thread(unsigned to, unsigned thread) noexcept {
    join(threads_[to].current, threads_[thread].current);
    join(threads_[to].acquired, threads_[thread].current);
    step(to);
}

memory::entry& memory::slot_of(const void* address) noexcept {
    std::size_t at = (reinterpret_cast<std::uintptr_t>(address) >> 2) * 0x9E3779B97F4A7C15U >> 40;
    for (;; ++at) {
        entry& candidate = table_[at % table_size];
        if (candidate.generation != generation_ || candidate.address == address)
            return candidate;
    }
}

location* memory::find(const void* address, std::size_t size) {
    entry& slot = slot_of(address);
    if (slot.generation == generation_ && locations_[slot.index].alive) [[likely]]
        return &locations_[slot.index];
    if (used_ == max_locations)
        return nullptr;
    slot = {address, generation_, used_};
    location& made = locations_[used_];
    made.address = address;
    made.size = size;
    made.index = used_++;
    made.alive = true;
    made.stores.clear();
    // Every thread may read the initial value, whatever its view. Whether the write of this value happens before the
    // read is checked as for ordinary memory.
    made.stores.push_back({object_bits(address, size), gap, false, {}, 0, 0});
    made.ordered = 0;
    made.last_write = 0;
    made.reads_since = 0;
    return &made;
}

void memory::begin_lifetime(const void* address) noexcept {
    const entry& slot = slot_of(address);
    if (slot.generation == generation_)
        locations_[slot.index].alive = false;
}

void memory::end_lifetimes(const void* begin, std::size_t size) noexcept {
    const auto* const first = static_cast<const std::byte*>(begin);
    for (unsigned i = 0; i < used_; ++i) {
        const auto* const address = static_cast<const std::byte*>(locations_[i].address);
        if (address >= first && address < first + size)
            locations_[i].alive = false;
    }
}

void memory::join(view& into, const view& other) const noexcept {
    into.clock.join(other.clock);
    if (!weak_)
        return;
    for (unsigned i = 0; i < used_; ++i)
        into.seen[i] = std::max(into.seen[i], other.seen[i]);
}

void memory::take_over(view& into, const store_record& message) const noexcept {
    into.clock.join(message.clock);
    for (unsigned i = 0; i < message.message_size; ++i)
        into.seen[i] = std::max(into.seen[i], messages_[message.message_begin + i]);
}

unsigned memory::first_readable(unsigned thread, const location& from, std::memory_order order) const noexcept {
    stamp oldest = threads_[thread].current.seen[from.index];
    if (order == std::memory_order_seq_cst)
        oldest = std::max({oldest, from.ordered, fences_.seen[from.index]});
    auto first = static_cast<unsigned>(from.stores.size()) - 1;
    while (first > 0 && from.stores[first].at > oldest)
        --first;
    return from.stores[first].at >= oldest ? first : first + 1;
}

bool memory::has_slot_after(const location& where, unsigned store) const noexcept {
    if (store + 1 == where.stores.size())
        return true;
    const store_record& next = where.stores[store + 1];
    return !next.follows && next.at - where.stores[store].at > 1;
}

unsigned memory::choose_store(unsigned thread, const location& from, purpose why, std::memory_order order,
                              std::memory_order failure, std::uint64_t expected) {
    const auto newest = static_cast<unsigned>(from.stores.size()) - 1;
    if (!weak_ || newest == 0)
        return newest;
    // An operation that will write may read a store only if the place right after that store is free. Its memory order
    // is that of success; the order of failure applies to an operation that only reads.
    const unsigned first_to_write = first_readable(thread, from, order);
    const unsigned first_to_read = first_readable(thread, from, failure);
    const auto allowed = [&](unsigned store) {
        const bool writes = why == purpose::modify ||
                            (why == purpose::compare_exchange && from.stores[store].value == expected);
        return writes ? store >= first_to_write && has_slot_after(from, store) : store >= first_to_read;
    };
    const unsigned first = std::min(first_to_write, first_to_read);
    unsigned options = 0;
    for (unsigned store = newest + 1; store-- > first;)
        options += allowed(store) ? 1 : 0;
    unsigned chosen = options > 1 ? chooser_.choose_store_to_read(options) : 0;
    for (unsigned store = newest + 1; store-- > first;) {
        if (allowed(store) && chosen-- == 0)
            return store;
    }
    return newest;
}

void memory::read(unsigned thread, location& from, unsigned store, std::memory_order order) noexcept {
    thread_view& mine = threads_[thread];
    const store_record& source = from.stores[store];
    mine.current.seen[from.index] = std::max(mine.current.seen[from.index], source.at);
    mine.acquired.seen[from.index] = std::max(mine.acquired.seen[from.index], source.at);
    take_over(mine.acquired, source);
    if (is_acquire(order))
        take_over(mine.current, source);
    if (order == std::memory_order_seq_cst)
        from.ordered = std::max(from.ordered, source.at);
}

std::uint64_t memory::load(unsigned thread, location& from, std::memory_order order) {
    const unsigned store = choose_store(thread, from, purpose::load, order, order);
    read(thread, from, store, order);
    return from.stores[store].value;
}

unsigned memory::choose_place(unsigned thread, const location& to, std::memory_order order) {
    const auto size = static_cast<unsigned>(to.stores.size());
    if (!weak_)
        return size;
    // The new store comes later in modification order than the store in the thread's view. Every free place there is an
    // option.
    const unsigned first = first_readable(thread, to, order);
    unsigned options = 0;
    for (unsigned store = size; store-- > first;)
        options += has_slot_after(to, store) ? 1 : 0;
    unsigned chosen = options > 1 ? chooser_.choose_place_of_store(options) : 0;
    for (unsigned store = size; store-- > first;) {
        if (has_slot_after(to, store) && chosen-- == 0)
            return store + 1;
    }
    return size;
}

void memory::store(unsigned thread, location& to, std::uint64_t value, std::memory_order order) {
    insert(thread, to, choose_place(thread, to, order), value, order, nullptr);
}

void memory::write_after(unsigned thread, location& where, unsigned read_store, std::uint64_t value,
                         std::memory_order order) {
    read(thread, where, read_store, order);
    const store_record source = where.stores[read_store];
    insert(thread, where, read_store + 1, value, order, &source);
}

memory::exchanged memory::compare_exchange(unsigned thread, location& where, std::uint64_t expected,
                                           std::uint64_t desired, std::memory_order success,
                                           std::memory_order failure, bool weak) {
    const unsigned store = choose_store(thread, where, purpose::compare_exchange, success, failure, expected);
    const std::uint64_t seen = where.stores[store].value;
    if (seen != expected || (weak && chooser_.choose_spurious_failure())) {
        read(thread, where, store, failure);
        return {seen, false};
    }
    write_after(thread, where, store, desired, success);
    return {seen, true};
}

// Inserts a store at index `place` of the modification order. continued: nullptr for a store; for a read-modify-write
// the store that it reads, whose message it also passes on, since it continues that store's release sequence.
void memory::insert(unsigned thread, location& to, unsigned place, std::uint64_t value, std::memory_order order,
                    const store_record* continued) {
    thread_view& mine = threads_[thread];
    store_record made{value, 0, continued != nullptr, {}, 0, 0};
    const bool last = place == to.stores.size();
    const stamp before = to.stores[place - 1].at;
    made.at = last ? before + gap : before + (to.stores[place].at - before) / 2;
    mine.current.seen[to.index] = std::max(mine.current.seen[to.index], made.at);
    mine.acquired.seen[to.index] = std::max(mine.acquired.seen[to.index], made.at);
    const view& passed_on = is_release(order) ? mine.current : mine.released;
    made.clock = passed_on.clock;
    if (continued != nullptr)
        made.clock.join(continued->clock);
    if (weak_) {
        made.message_begin = static_cast<std::uint32_t>(messages_.size());
        made.message_size = used_;
        messages_.insert(messages_.end(), passed_on.seen.begin(), passed_on.seen.begin() + used_);
        for (unsigned i = 0; continued != nullptr && i < continued->message_size; ++i) {
            stamp& mark = messages_[made.message_begin + i];
            mark = std::max(mark, messages_[continued->message_begin + i]);
        }
        to.stores.insert(to.stores.begin() + place, made);
    } else {
        to.stores.back() = made;
    }
    if (order == std::memory_order_seq_cst)
        to.ordered = std::max(to.ordered, made.at);
    if (last || !weak_)
        write_object(to);
}

void memory::write_object(const location& to) noexcept {
    std::memcpy(const_cast<void*>(to.address), &to.stores.back().value, to.size);
}

void memory::fence(unsigned thread, std::memory_order order) noexcept {
    thread_view& mine = threads_[thread];
    if (is_acquire(order))
        join(mine.current, mine.acquired);
    if (order == std::memory_order_seq_cst && weak_) {
        for (unsigned i = 0; i < used_; ++i) {
            stamp& known = mine.current.seen[i];
            fences_.seen[i] = known = std::max({known, fences_.seen[i], locations_[i].ordered});
            mine.acquired.seen[i] = std::max(mine.acquired.seen[i], known);
        }
    }
    if (is_release(order)) {
        mine.released.clock = mine.current.clock;
        std::copy_n(mine.current.seen.begin(), used_, mine.released.seen.begin());
    }
}

}  // namespace model
