// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A heap through a hook in its elements: no allocation, so adding cannot fail (Fredman, Sedgewick, Sleator, Tarjan: The
// Pairing Heap, 1986). Adding takes constant time, taking the first one logarithmic time on average over all calls.
//
// A tree in which each element is no later than its children, which are in a list. To take the root, its children are
// merged in pairs, and the pairs into one tree.
//
// Not thread-safe. An element is in at most one heap at a time.
#pragma once

#include <utility>

namespace teff {

struct heap_hook {
    heap_hook* child = nullptr;    // the first one
    heap_hook* sibling = nullptr;  // the next child of the same parent
};

// Element derives from heap_hook. Earlier(a, b): whether a comes before b.
template <class Element, class Earlier>
class pairing_heap {
public:
    constexpr pairing_heap() noexcept = default;

    // nullptr if there is none.
    Element* first() noexcept { return static_cast<Element*>(root_); }
    void add(Element& element) noexcept { root_ = root_ == nullptr ? &element : merge(root_, &element); }
    // Not on an empty heap.
    Element& take_first() noexcept {
        heap_hook* const taken = root_;
        root_ = merge_list(std::exchange(taken->child, nullptr));
        return *static_cast<Element*>(taken);
    }
    // Forgets all elements.
    void clear() noexcept { root_ = nullptr; }

private:
    static heap_hook* merge(heap_hook* a, heap_hook* b) noexcept {
        if (Earlier()(*static_cast<Element*>(b), *static_cast<Element*>(a)))
            std::swap(a, b);
        b->sibling = std::exchange(a->child, b);
        return a;
    }
    static heap_hook* merge_list(heap_hook* list) noexcept {
        heap_hook* pairs = nullptr;  // the last one first
        while (list != nullptr) {
            heap_hook* const a = std::exchange(list, list->sibling);
            heap_hook* pair = a;
            a->sibling = nullptr;
            if (list != nullptr) {
                heap_hook* const b = std::exchange(list, list->sibling);
                b->sibling = nullptr;
                pair = merge(a, b);
            }
            pair->sibling = std::exchange(pairs, pair);
        }
        heap_hook* merged = nullptr;
        while (pairs != nullptr) {
            heap_hook* const next = std::exchange(pairs, pairs->sibling);
            next->sibling = nullptr;
            merged = merged == nullptr ? next : merge(merged, next);
        }
        return merged;
    }

    heap_hook* root_ = nullptr;
};

}  // namespace teff
