// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The free blocks of memory and the numbers that each thread keeps for its next fibers; see fiber_record.hpp.
#include <teff/frontends/threads/fiber_record.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/threads/fiber_body.hpp>

#include <new>

namespace teff::threads {
namespace {

// Enough for a record whose function has about fifty bytes.
constexpr std::size_t block_size = 192;
constexpr unsigned most_spare = 128;

bool is_in_block(std::size_t size) noexcept {
    return size <= block_size && !sanitizers::is_program_instrumented();
}

struct spare_block {
    spare_block* next;
};

// It has no destructor: records may be made and freed while the thread exits.
struct spare_records {
    spare_block* first = nullptr;  // last in, first out
    unsigned room = 0;             // for more blocks
    bool has_begun = false;        // whether free_all() is registered for the thread's end

    void* take() noexcept {
        spare_block* const taken = first;
        if (taken == nullptr)
            return nullptr;
        first = taken->next;
        ++room;
        return taken;
    }
    void keep(void* block) noexcept {
        --room;
        first = ::new (block) spare_block{first};
    }
};

constinit thread_local spare_records own_records;

void free_all() noexcept {
    while (void* const block = own_records.take())
        ::operator delete(block, block_size);
    own_records.room = 0;
}

// Registers free_all() for the thread's end, so that the thread may keep blocks from now on. False: the thread is
// exiting, or there is no memory for the registration.
[[gnu::noinline]] bool begin_to_keep() noexcept {
    if (own_records.has_begun || !call_at_thread_end<free_all>())
        return false;
    own_records = {.room = most_spare, .has_begun = true};
    return true;
}

}  // namespace

void* take_record_memory(std::size_t size) {
    if (!is_in_block(size))
        return ::operator new(size);
    if (void* const spare = own_records.take()) [[likely]]
        return spare;
    return ::operator new(block_size);
}

void give_back_record_memory(void* ended, std::size_t size) noexcept {
    if (!is_in_block(size))
        ::operator delete(ended, size);
    else if (own_records.room != 0 || begin_to_keep()) [[likely]]
        own_records.keep(ended);
    else
        ::operator delete(ended, block_size);
}

namespace {

struct block_of_numbers {
    std::uint64_t next = 0, end = 0;
};
constinit thread_local block_of_numbers own_numbers [[gnu::tls_model("initial-exec")]];
constinit atomic<std::uint64_t> first_free_number{1};

}  // namespace

std::uint64_t next_fiber_number() noexcept {
    constexpr std::uint64_t numbers_per_block = 1000;
    block_of_numbers& own = own_numbers;
    if (own.next == own.end) [[unlikely]] {
        make_waits_known();
        // relaxed: the numbers differ, and publish nothing.
        own.next = first_free_number.fetch_add(numbers_per_block, std::memory_order_relaxed);
        own.end = own.next + numbers_per_block;
    }
    return own.next++;
}

}  // namespace teff::threads
