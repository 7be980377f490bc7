// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks and their headers, pools, fallbacks.
#include <teff/frontends/openmp/core/data/allocator.hpp>
#include <teff/frontends/openmp/core/data/pages.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace teff::openmp {
namespace {

class allocator {
public:
    explicit allocator(const allocator_traits& traits) noexcept : traits_(traits) {}

    const allocator_traits& traits() const noexcept { return traits_; }
    bool is_alive() const noexcept { return mark_ == alive; }

    bool take_from_pool(std::size_t size) noexcept {
        // relaxed, all of the pool: only the sum matters.
        std::size_t used = used_.load(std::memory_order_relaxed);
        do {
            if (size > traits_.pool_size - used)
                return false;
        } while (!used_.compare_exchange_weak(used, used + size, std::memory_order_relaxed,
                                              std::memory_order_relaxed));
        return true;
    }
    // relaxed: as above.
    void give_to_pool(std::size_t size) noexcept { used_.fetch_sub(size, std::memory_order_relaxed); }

    // relaxed: the caller holds the handle, which is a user.
    void add_user() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
    void remove_user() noexcept {
        // acq_rel: all uses by other threads before their removal come before the destruction.
        if (users_.fetch_sub(1, std::memory_order_acq_rel) != 1)
            return;
        mark_ = 0;
        destroy(this);
    }

private:
    static constexpr std::uint64_t alive = 0x616c'6c6f'6361'746fU;

    std::uint64_t mark_ = alive;
    const allocator_traits traits_;
    atomic<std::size_t> used_{0};
    atomic<std::size_t> users_{1};  // the handle, and each block
};

// Directly below the user's memory.
struct alignas(16) header {
    void* base;
    std::size_t size;  // requested by the user
    allocator* owner;  // nullptr: a predefined one
    std::uintptr_t check;

    static constexpr std::uintptr_t pattern = 0x5aa5'0ff0'c33c'9669U;

    std::byte* memory() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
    static std::uintptr_t check_of(const void* memory) noexcept {
        return reinterpret_cast<std::uintptr_t>(memory) ^ pattern;
    }
    bool is_on_pages() const noexcept { return owner != nullptr && owner->traits().wants_pages(); }
    std::size_t whole_size() noexcept {
        return static_cast<std::size_t>(memory() - static_cast<std::byte*>(base)) + size;
    }
};

static_assert(sizeof(header) == pool_overhead);

header& header_of(void* block) noexcept {
    header& found = static_cast<header*>(block)[-1];
    TEFF_CHECK(found.check == header::check_of(block), "omp_free",
               "the memory is not from an OpenMP allocator, or was freed already",
               "free each block once, by the function that belongs to the one that allocated it");
    return found;
}

// nullptr for predefined allocators. Sets `is_known` to false, after a warning, if the handle is not an allocator.
allocator* allocator_of(allocator_handle handle, bool& is_known) noexcept {
    is_known = true;
    // The allocators for memory of devices that LLVM adds give the host's memory while there is no device.
    constexpr allocator_handle first_of_device = 100, last_of_device = 102;
    if (handle <= last_predefined_allocator || (handle >= first_of_device && handle <= last_of_device))
        return nullptr;
    constexpr allocator_handle first_address = 4096;
    auto* const made = reinterpret_cast<allocator*>(handle);
    is_known = handle >= first_address && handle % alignof(allocator) == 0 && made->is_alive();
    if (!is_known)
        warn("omp_alloc: %#zx is no memory allocator, or was destroyed; use a handle from omp_init_allocator",
             std::size_t{handle});
    return is_known ? made : nullptr;
}

// One attempt, without fallback.
void* try_allocate(allocator* owner, std::size_t alignment, std::size_t size, bool is_zeroed) noexcept {
    constexpr std::size_t of_malloc = 16;
    if (owner != nullptr)
        alignment = std::max(alignment, owner->traits().alignment);
    const std::size_t extra = sizeof(header) + (alignment > of_malloc ? alignment - 1 : 0);
    if (size > SIZE_MAX / 2 - extra || alignment > SIZE_MAX / 4)
        return nullptr;
    if (owner != nullptr && !owner->take_from_pool(size + pool_overhead))
        return nullptr;
    void* base;
    if (owner != nullptr && owner->traits().wants_pages())
        base = map_pages(size + extra, owner->traits().where, owner->traits().is_pinned);
    else
        base = is_zeroed ? std::calloc(1, size + extra) : std::malloc(size + extra);
    if (base == nullptr) {
        if (owner != nullptr)
            owner->give_to_pool(size + pool_overhead);
        return nullptr;
    }
    const std::uintptr_t lowest = reinterpret_cast<std::uintptr_t>(base) + sizeof(header);
    const std::uintptr_t memory = (lowest + alignment - 1) / alignment * alignment;
    auto* const top = reinterpret_cast<header*>(memory) - 1;
    *top = {base, size, owner, header::check_of(top->memory())};
    if (owner != nullptr)
        owner->add_user();
    return top->memory();
}

// Resizes by the C library, which often need not move the memory. nullptr: this is impossible; the block is unchanged.
void* try_resize(header& old, std::size_t size) noexcept {
    allocator* const owner = old.owner;
    if (old.is_on_pages() || static_cast<void*>(&old) != old.base || size > SIZE_MAX / 2)
        return nullptr;
    const std::size_t before = old.size;
    if (owner != nullptr && size > before && !owner->take_from_pool(size - before))
        return nullptr;
    void* const base = std::realloc(old.base, size + sizeof(header));
    if (base == nullptr) {
        if (owner != nullptr && size > before)
            owner->give_to_pool(size - before);
        return nullptr;
    }
    if (owner != nullptr && size < before)
        owner->give_to_pool(before - size);
    auto& moved = *static_cast<header*>(base);
    moved = {base, size, owner, header::check_of(moved.memory())};
    return moved.memory();
}

// Allocates by the fallback trait of an allocator that has failed.
void* allocate_by_fallback(const allocator_traits& failed, std::size_t alignment, std::size_t size,
                           bool is_zeroed) noexcept {
    switch (failed.on_failure) {
        case fallback::default_memory:
            return size == SIZE_MAX ? nullptr : try_allocate(nullptr, alignment, size, is_zeroed);
        case fallback::null:
            return nullptr;
        case fallback::abort:
            fatal("omp_alloc", "the allocator has no memory for a request, and its fallback trait is abort_fb",
                  "give it a larger pool or another fallback");
        case fallback::allocator:
            break;
    }
    return allocate_block(failed.next, alignment, size, is_zeroed);
}

}  // namespace

allocator_handle make_allocator(std::uintptr_t memory_space, int count, const allocator_trait* traits) noexcept {
    constexpr std::uintptr_t last_space = 4;
    if (memory_space > last_space) {
        warn("omp_init_allocator: memory space %zu is not on this machine; the result is omp_null_allocator",
             std::size_t{memory_space});
        return null_allocator;
    }
    allocator_traits made;
    if (!read_traits(count, traits, made))
        return null_allocator;
    return reinterpret_cast<allocator_handle>(create<allocator>(made));
}

void destroy_allocator(allocator_handle destroyed) noexcept {
    bool is_known;
    if (allocator* const made = allocator_of(destroyed, is_known); made != nullptr)
        made->remove_user();
}

void* allocate_block(allocator_handle from, std::size_t alignment, std::size_t size, bool is_zeroed) noexcept {
    if (size == 0)
        return nullptr;
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        warn("omp_aligned_alloc: the alignment %zu is not a power of two; the result is a null pointer", alignment);
        return nullptr;
    }
    bool is_known;
    allocator* const owner = allocator_of(from == null_allocator ? default_allocator_of_task() : from, is_known);
    if (!is_known)
        return nullptr;
    // The callers pass the greatest size if the product of count and size overflows.
    void* const memory = size == SIZE_MAX ? nullptr : try_allocate(owner, alignment, size, is_zeroed);
    if (memory != nullptr || owner == nullptr)
        return memory;
    return allocate_by_fallback(owner->traits(), alignment, size, is_zeroed);
}

void* allocate_variable(allocator_handle from, std::size_t alignment, std::size_t size) noexcept {
    void* const memory = allocate_block(from, alignment, size, false);
    TEFF_CHECK(memory != nullptr || size == 0, "OpenMP",
               "there is no memory for a variable with an allocate clause, or for a depend object",
               "give the process more memory, the allocator a larger pool, or a fallback that has memory");
    return memory;
}

void* allocate_elements(allocator_handle from, std::size_t alignment, std::size_t count, std::size_t size) noexcept {
    std::size_t all;
    if (__builtin_mul_overflow(count, size, &all))
        all = SIZE_MAX;
    return allocate_block(from, alignment, all, true);
}

void* resize_block(void* block, std::size_t size, allocator_handle to) noexcept {
    if (block == nullptr)
        return allocate_block(to, 1, size, false);
    if (size == 0) {
        free_block(block);
        return nullptr;
    }
    header& old = header_of(block);
    const allocator_handle from =
        old.owner == nullptr ? default_allocator : reinterpret_cast<allocator_handle>(old.owner);
    const bool is_predefined = to <= last_predefined_allocator && old.owner == nullptr;
    if (to == null_allocator || to == from || is_predefined) {
        to = from;
        if (void* const resized = try_resize(old, size); resized != nullptr)
            return resized;
    }
    void* const moved = allocate_block(to, 1, size, false);
    if (moved != nullptr) {
        std::memcpy(moved, block, std::min(size, old.size));
        free_block(block);
    }
    return moved;
}

void free_block(void* block) noexcept {
    if (block == nullptr)
        return;
    header& freed = header_of(block);
    allocator* const owner = freed.owner;
    const std::size_t size = freed.size;
    freed.check = 0;
    if (freed.is_on_pages())
        unmap_pages(freed.base, freed.whole_size());
    else
        std::free(freed.base);
    if (owner != nullptr) {
        owner->give_to_pool(size + pool_overhead);
        owner->remove_user();
    }
}

allocator_handle default_allocator_of_task() noexcept { return this_place().current->environment->allocator; }

void set_default_allocator_of_task(allocator_handle chosen) noexcept {
    own_environment(this_place()).allocator = chosen == null_allocator ? default_allocator : chosen;
}

}  // namespace teff::openmp
