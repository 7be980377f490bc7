// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/reclaim/gc.cpp in the model build: a precise model of the collector that gc_reclaimer needs.
//
// Every allocate() collects first. It stops the world. It keeps each block that can be reached from the roots, from the
// stacks and registers of all threads, or from the words of blocks that it keeps. It frees the rest at once. So a block
// that a thread still uses without holding it in one of these places becomes a use after free. A word reaches a block
// if it points anywhere into it. An address past its end is outside, which is stricter than the Boehm collector.
//
// The blocks are linked through a header in front of each of them, which no other code sees. The list begins in front
// of the roots, so that an execution that is cut off leaves nothing behind. The time of a collection is proportional to
// the square of the number of blocks, which is small.
//
// Compiled without the checker's hooks, because a collector reads all memory, whichever thread uses it.
#include <teff/base/allocation.hpp>
#include <teff/reclaim/gc.hpp>

#include <model/check.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace teff {
namespace {

struct managed_block {
    managed_block* next;
    managed_block* next_to_search;
    std::byte* begin;
    std::byte* end;
    std::size_t alignment;
    bool reached;
};

struct collector {
    managed_block* blocks;
    managed_block* to_search;
    std::size_t root_count;

    void* const* roots() noexcept { return reinterpret_cast<void* const*>(this + 1); }
    std::size_t bytes() const noexcept { return sizeof *this + root_count * sizeof(void*); }
};

constexpr std::size_t header_bytes(std::size_t alignment) noexcept {
    return (sizeof(managed_block) + alignment - 1) / alignment * alignment;
}

void reach(void* context, const void* word) noexcept {
    auto& all = *static_cast<collector*>(context);
    for (managed_block* block = all.blocks; block != nullptr; block = block->next) {
        if (block->reached || word < block->begin || word >= block->end)
            continue;
        block->reached = true;
        block->next_to_search = std::exchange(all.to_search, block);
    }
}

void reach_words(collector& all, const void* begin, const void* end) noexcept {
    for (auto* word = static_cast<void* const*>(begin); word < end; ++word)
        reach(&all, *word);
}

void free_block(collector& all, managed_block* doomed) noexcept {
    managed_block** link = &all.blocks;
    while (*link != doomed)
        link = &(*link)->next;
    *link = doomed->next;
    const std::size_t header = header_bytes(doomed->alignment);
    teff::deallocate(doomed->begin - header, header + static_cast<std::size_t>(doomed->end - doomed->begin),
                     doomed->alignment);
}

void collect(collector& all) noexcept {
    for (managed_block* block = all.blocks; block != nullptr; block = block->next)
        block->reached = false;
    model::stop_the_world(reach, &all);
    reach_words(all, all.roots(), all.roots() + all.root_count);
    while (all.to_search != nullptr) {
        const managed_block& kept = *std::exchange(all.to_search, all.to_search->next_to_search);
        reach_words(all, kept.begin, kept.end);
    }
    for (managed_block* block = all.blocks; block != nullptr;) {
        managed_block* const next = block->next;
        if (!block->reached)
            free_block(all, block);
        block = next;
    }
}

collector& collector_of(void* roots) noexcept { return static_cast<collector*>(roots)[-1]; }

}  // namespace

bool gc_reclaimer::register_this_thread() noexcept { return true; }

gc_reclaimer::gc_reclaimer(std::size_t participants) noexcept : roots_(nullptr) {
    static_assert(sizeof(root_pair) == 2 * sizeof(void*));
    collector wanted{nullptr, nullptr, 2 * participants};
    void* const memory = teff::allocate(wanted.bytes(), alignof(collector));
    if (memory == nullptr)
        return;
    auto* const made = ::new (memory) collector(wanted);
    std::fill_n(reinterpret_cast<void**>(made + 1), made->root_count, nullptr);
    roots_ = reinterpret_cast<root_pair*>(made + 1);
}

gc_reclaimer::~gc_reclaimer() {
    if (roots_ == nullptr)
        return;
    collector& mine = collector_of(roots_);
    while (mine.blocks != nullptr)
        free_block(mine, mine.blocks);
    teff::deallocate(&mine, mine.bytes(), alignof(collector));
}

void* gc_reclaimer::allocate(std::size_t, std::size_t bytes, std::size_t alignment) noexcept {
    collector& mine = collector_of(roots_);
    collect(mine);
    const std::size_t wide = std::max(alignment, alignof(managed_block));
    void* const memory = teff::allocate(header_bytes(wide) + bytes, wide);
    if (memory == nullptr)
        return nullptr;
    std::byte* const begin = static_cast<std::byte*>(memory) + header_bytes(wide);
    // The header ends where the block begins, so that deallocate() finds it.
    auto* const made = ::new (begin - sizeof(managed_block))
        managed_block{mine.blocks, nullptr, begin, begin + bytes, wide, false};
    mine.blocks = made;
    std::fill_n(begin, bytes, std::byte{0});
    return begin;
}

void gc_reclaimer::deallocate(std::size_t, void* memory, std::size_t, std::size_t) noexcept {
    free_block(collector_of(roots_), static_cast<managed_block*>(memory) - 1);
}

}  // namespace teff
