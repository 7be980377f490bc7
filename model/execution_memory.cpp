// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of an execution for each operation on memory: schedule, change (if it is the mutant), check, perform and
// record the operation.
#include <model/execution.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>

// The linker's symbols for the beginning and the end of the program's static variables.
extern "C" std::byte __data_start[];
extern "C" std::byte _end[];

namespace model {
namespace {

constexpr std::uint64_t mask_of(std::size_t size) noexcept {
    return size == sizeof(std::uint64_t) ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
}

std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, value < 100'000 ? "%llu" : "%#llx", static_cast<unsigned long long>(value));
    return text;
}

// The orders of the two halves of a read-modify-write.
std::memory_order order_of_load(std::memory_order whole) noexcept {
    return whole == std::memory_order_acq_rel   ? std::memory_order_acquire
           : whole == std::memory_order_release ? std::memory_order_relaxed
                                                : whole;
}
std::memory_order order_of_store(std::memory_order whole) noexcept {
    return whole == std::memory_order_acq_rel   ? std::memory_order_release
           : whole == std::memory_order_acquire ? std::memory_order_relaxed
                                                : whole;
}

const char* name(modification kind) noexcept {
    switch (kind) {
    case modification::exchange: return "exchange";
    case modification::add: return "fetch_add";
    case modification::subtract: return "fetch_sub";
    case modification::bit_or: return "fetch_or";
    case modification::bit_and: return "fetch_and";
    }
    return "?";
}

}  // namespace

execution::execution()
    : statics_begin_(__data_start), statics_size_(static_cast<std::size_t>(_end - __data_start)),
      races_(heap::total_size + statics_size_) {}

bool execution::is_static(const void* where) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(where) - statics_begin_) < statics_size_;
}

// Saves the words, so that static variables have their initial values again when the next execution begins.
void execution::save_static(const void* where, std::size_t size) {
    const auto address = reinterpret_cast<std::uintptr_t>(where);
    for (std::uintptr_t word = address & ~std::uintptr_t{7}; word < address + size; word += 8) {
        auto* const saved = reinterpret_cast<std::uint64_t*>(word);
        saved_.push_back({saved, *saved});
    }
}

void execution::restore_statics() noexcept {
    for (auto each = saved_.rbegin(); each != saved_.rend(); ++each)
        *each->where = each->value;
    saved_.clear();
}

void execution::check_access(const void* where, std::size_t size, access kind, const void* code) {
    std::size_t position = heap_.offset(where);
    if (position < heap::heap_size) {
        const allocation* const around = heap_.find(where, size);
        if (around == nullptr)
            fail_at(code, "an access to " + object_name(where) + ", outside of every allocation");
        if (around->freed)
            fail_at(code, "use after free of " + object_name(where));
    } else if (position >= heap::total_size) {
        constexpr std::uintptr_t first_page = 4096;
        if (reinterpret_cast<std::uintptr_t>(where) < first_page)
            fail_at(code, "an access through a null pointer");
        if (!is_static(where))
            return;
        position = heap::total_size + static_cast<std::size_t>(static_cast<const std::byte*>(where) - statics_begin_);
    }
    race found{};
    if (races_.note(position, size, kind, running_, memory_.clock(running_), code, found)) {
        result_.code.push_back(found.other_code);
        fail_at(code, "data race on " + object_name(where) + ": thread " + std::to_string(running_) +
                          (kind == access::write  ? " writes"
                           : kind == access::read ? " reads"
                                                  : " operates atomically on") +
                          " what thread " + std::to_string(found.other_thread) +
                          (found.other_wrote ? " wrote" : " read") + " without order between the two");
    }
}

void execution::fail_at(const void* code, std::string what) {
    result_.code.insert(result_.code.begin(), code);
    fail(std::move(what));
}

void execution::ordinary_access(const void* address, std::size_t size, access kind, const void* code) {
    // A mutant may close a list into a ring, which a thread then follows for ever, without a scheduling point.
    if (++accesses_since_point_ > access_limit)
        fail_at(code, "livelock: a thread accesses ordinary memory for ever");
    if (kind == access::write && is_static(address))
        save_static(address, size);
    check_access(address, size, kind, code);
}

location& execution::location_of(const void* where, std::size_t size) {
    check_access(where, size, access::atomic, nullptr);
    if (is_static(where))
        save_static(where, size);
    location* const found = memory_.find(where, size);
    if (found == nullptr)
        fail("the scenario uses more atomics than the checker has room for");
    return *found;
}

void execution::begin_lifetime(const void* where) noexcept { memory_.begin_lifetime(where); }

std::uint64_t execution::load(const void* where, std::size_t size, std::memory_order order, const site& at) {
    point();
    const unsigned number = sites_.number(at, operation::load, order, std::memory_order_relaxed);
    return read(where, size, sites_.weakened(number, order), at);
}

// A load, without the scheduling point before it.
std::uint64_t execution::read(const void* where, std::size_t size, std::memory_order order, const site& at) {
    location& from = location_of(where, size);
    const std::uint64_t value = memory_.load(running_, from, order);
    memory_.step(running_);
    note_read(from);
    row(at, "load", order, where, [&] { return hex(value); });
    return value;
}

void execution::store(void* where, std::size_t size, std::uint64_t value, std::memory_order order, const site& at) {
    point();
    const unsigned number = sites_.number(at, operation::store, order, std::memory_order_relaxed);
    if (sites_.is_changed(number, change::drop_store)) {
        row(at, "dropped store", order, where, [&] { return "= " + hex(value); });
        return;
    }
    write(where, size, value, sites_.weakened(number, order), at);
}

// A store, without the scheduling point before it.
void execution::write(void* where, std::size_t size, std::uint64_t value, std::memory_order order, const site& at) {
    location& to = location_of(where, size);
    memory_.store(running_, to, value, order);
    memory_.step(running_);
    note_write(to);
    row(at, "store", order, where, [&] { return "= " + hex(value); });
}

std::uint64_t execution::modify(void* where, std::size_t size, modification kind, std::uint64_t operand,
                                std::memory_order order, const site& at) {
    point();
    const unsigned number = sites_.number(at, operation::modify, order, std::memory_order_relaxed);
    if (sites_.is_changed(number, change::split_modify)) {
        const std::uint64_t old = read(where, size, order_of_load(order), at);
        point();
        write(where, size, modified(kind, old, operand) & mask_of(size), order_of_store(order), at);
        return old;
    }
    order = sites_.weakened(number, order);
    location& target = location_of(where, size);
    std::uint64_t made = 0;
    const std::uint64_t old = memory_.modify(running_, target, order, [&](std::uint64_t seen) {
        return made = modified(kind, seen, operand) & mask_of(size);
    });
    memory_.step(running_);
    note_write(target);
    row(at, name(kind), order, where, [&] { return hex(old) + " -> " + hex(made); });
    return old;
}

bool execution::compare_exchange(void* where, std::size_t size, std::uint64_t& expected, std::uint64_t desired,
                                 std::memory_order success, std::memory_order failure, bool weak, const site& at) {
    point();
    const unsigned number = sites_.number(at, operation::compare_exchange, success, failure);
    success = sites_.weakened(number, success);
    failure = sites_.weakened_failure(number, failure);
    location& target = location_of(where, size);
    const std::uint64_t wanted = expected;
    const auto [seen, done] =
        sites_.is_changed(number, change::always_succeed)
            ? memory::exchanged{memory_.modify(running_, target, success, [&](std::uint64_t) { return desired; }), true}
            : memory_.compare_exchange(running_, target, expected, desired, success, failure, weak);
    memory_.step(running_);
    if (done)
        note_write(target);
    else
        note_read(target);
    row(at, "compare_exchange", done ? success : failure, where, [&, seen = seen, done = done] {
        return done ? hex(seen) + " -> " + hex(desired) : hex(seen) + ", not " + hex(wanted);
    });
    expected = seen;
    return done;
}

void execution::fence(std::memory_order order, const site& at) {
    // In strong memory other threads cannot observe a fence. In weak memory they can, because the order of
    // sequentially consistent fences matters; then a fence is a scheduling point.
    if (memory_.is_weak())
        point();
    const unsigned number = sites_.number(at, operation::fence, order, std::memory_order_relaxed);
    order = sites_.weakened(number, order);
    memory_.fence(running_, order);
    memory_.step(running_);
    row(at, "fence", order, nullptr, [] { return std::string(); });
}

void execution::fence_in_all_threads(const site& at) {
    const unsigned caller = running_;
    const auto fence_in = [&](unsigned which) {
        if (memory_.is_weak())
            point();
        constexpr auto order = std::memory_order_seq_cst;
        const unsigned number = sites_.number(at, operation::fence, order, std::memory_order_relaxed);
        memory_.fence(which, sites_.weakened(number, order));
        memory_.step(which);
    };
    fence_in(caller);
    for (unsigned each = 0; each < max_threads; ++each) {
        if (each != caller && threads_[each].now != state::absent)
            fence_in(each);
    }
    fence_in(caller);
    row(at, "fence in all threads", std::memory_order_seq_cst, nullptr, [] { return std::string(); });
}

void execution::futex_wait(const void* word, std::uint32_t seen, const site& from) {
    point();
    location& at = location_of(word, sizeof(std::uint32_t));
    const auto now = static_cast<std::uint32_t>(memory_.newest(at));
    if (now != seen) {
        note_read(at);
        row(from, "futex_wait", word, [&] { return hex(now) + ", not " + hex(seen) + ": goes on"; });
        return;
    }
    note_read(at);
    note_operation(sleep_history_);
    sleep_history_ = threads_[running_].last_operation;
    row(from, "futex_wait", word, [&] { return hex(seen) + ": sleeps"; });
    thread& me = threads_[running_];
    me.now = state::sleeping;
    me.sleeps_on = word;
    me.slept_at = seen;
    sleepers_.push_back(running_);
    set_ready(running_, false);
    choose_next(false, false);
    note_operation(wakes);
}

void execution::futex_wake(const void* word, int count, const site& at) {
    point();
    const unsigned number =
        sites_.number(at, operation::wake, std::memory_order_relaxed, std::memory_order_relaxed, count > 1);
    if (sites_.is_changed(number, change::drop_wake))
        count = 0;
    if (sites_.is_changed(number, change::wake_one))
        count = 1;
    note_operation(sleep_history_ + reinterpret_cast<std::uintptr_t>(word));
    sleep_history_ = threads_[running_].last_operation;
    std::string woken;
    for (std::size_t i = 0; i < sleepers_.size() && count > 0;) {
        thread& sleeper = threads_[sleepers_[i]];
        if (sleeper.sleeps_on != word) {
            ++i;
            continue;
        }
        sleeper.now = state::ready;
        set_ready(sleepers_[i], true);
        change_last_operation(sleepers_[i], mix(sleeper.last_operation, sleep_history_));
        if (with_rows_)
            woken += " " + std::to_string(sleepers_[i]);
        sleepers_.erase(sleepers_.begin() + static_cast<std::ptrdiff_t>(i));
        --count;
    }
    row(at, "futex_wake", word, [&] { return woken.empty() ? std::string("nobody") : "wakes" + woken; });
}

void* execution::allocate(std::size_t size, std::size_t alignment) {
    return heap_.allocate(running_, size, alignment);
}

void execution::deallocate(void* memory) {
    if (memory == nullptr)
        return;
    allocation* const block = heap_.find_begin(memory);
    if (block == nullptr)
        fail("a free of " + object_name(memory) + ", which was never allocated");
    if (block->freed)
        fail("double free of " + object_name(memory));
    race found{};
    if (races_.note_end(heap_.offset(memory), block->size, running_, memory_.clock(running_), found)) {
        result_.code.push_back(found.other_code);
        fail("thread " + std::to_string(running_) + " frees " + object_name(memory) + " while thread " +
             std::to_string(found.other_thread) + " may still use it");
    }
    block->freed = true;
    memory_.end_lifetimes(memory, block->size);
}

void execution::change_last_operation(unsigned number, std::uint64_t hash) noexcept {
    std::uint64_t& last = threads_[number].last_operation;
    fingerprint_ += mix(number, hash) - mix(number, last);
    last = hash;
}

void execution::note_operation(std::uint64_t depends_on) noexcept {
    change_last_operation(running_, mix(threads_[running_].last_operation, depends_on));
}

void execution::note_read(location& at) noexcept {
    note_operation(mix(reinterpret_cast<std::uintptr_t>(at.address), at.last_write));
    at.reads_since += threads_[running_].last_operation;
}

void execution::note_write(location& at) noexcept {
    note_operation(mix(reinterpret_cast<std::uintptr_t>(at.address), mix(at.last_write, at.reads_since)));
    at.last_write = threads_[running_].last_operation;
    at.reads_since = 0;
}

void execution::add_row(std::string place, std::string what, const void* where, std::string value) {
    result_.rows.push_back({running_, std::move(place), std::move(what),
                            where == nullptr ? std::string() : object_name(where), std::move(value)});
}

std::string execution::place_of(const site& at) {
    const std::string file = at.file_name();
    return file.substr(file.rfind('/') + 1) + ':' + std::to_string(at.line());
}

std::string execution::object_name(const void* where) {
    const std::size_t position = heap_.offset(where);
    if (position < heap::heap_size) {
        const allocation* const around = heap_.find(where, 1);
        if (around == nullptr)
            return "heap+" + hex(position);
        return "block " + std::to_string(around->thread) + '.' + std::to_string(heap_.number(*around)) + '+' +
               hex(static_cast<std::size_t>(static_cast<const std::byte*>(where) - around->begin));
    }
    if (position < heap::total_size) {
        const std::size_t in_stacks = position - heap::heap_size;
        return "stack " + std::to_string(in_stacks / heap::stack_size) + '-' +
               hex(heap::stack_size - in_stacks % heap::stack_size);
    }
    return "static+" + hex(static_cast<std::size_t>(static_cast<const std::byte*>(where) - statics_begin_));
}

}  // namespace model
