// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers through hooks in their elements, a doubly linked list and a heap: no allocation, so adding and removing
// cannot fail. Not thread-safe: one that threads share needs a mutex. An element is in at most one of each kind at a
// time.
#pragma once

#include <teff/base/assert.hpp>

#include <utility>

namespace teff {

struct list_hook {
    list_hook* previous = nullptr;
    list_hook* next = nullptr;
};

// Element derives from list_hook.
template <class Element>
class intrusive_list {
public:
    constexpr intrusive_list() noexcept = default;

    bool empty() const noexcept { return first_ == nullptr; }
    // nullptr if there is none.
    Element* first() noexcept { return static_cast<Element*>(first_); }
    Element* last() noexcept { return static_cast<Element*>(last_); }

    void push_back(Element& element) noexcept {
        list_hook& hook = element;
        TEFF_ASSERT(hook.previous == nullptr && hook.next == nullptr && first_ != &hook, "element is in a list");
        hook.previous = last_;
        (last_ != nullptr ? last_->next : first_) = &hook;
        last_ = &hook;
    }

    void push_front(Element& element) noexcept {
        list_hook& hook = element;
        TEFF_ASSERT(hook.previous == nullptr && hook.next == nullptr && first_ != &hook, "element is in a list");
        hook.next = first_;
        (first_ != nullptr ? first_->previous : last_) = &hook;
        first_ = &hook;
    }

    // In front of `next`, which is in this list.
    void insert_before(Element& next, Element& element) noexcept {
        list_hook& hook = element;
        list_hook& after = next;
        TEFF_ASSERT(hook.previous == nullptr && hook.next == nullptr && first_ != &hook, "element is in a list");
        hook.previous = after.previous;
        hook.next = &after;
        (after.previous != nullptr ? after.previous->next : first_) = &hook;
        after.previous = &hook;
    }

    void remove(Element& element) noexcept {
        list_hook& hook = element;
        (hook.previous != nullptr ? hook.previous->next : first_) = hook.next;
        (hook.next != nullptr ? hook.next->previous : last_) = hook.previous;
        hook.previous = hook.next = nullptr;
    }

    // Calls visit(element) in order until it returns true; returns that element, or nullptr.
    template <class Visit>
    Element* find(Visit&& visit) {
        for (list_hook* hook = first_; hook != nullptr; hook = hook->next) {
            auto* element = static_cast<Element*>(hook);
            if (visit(*element))
                return element;
        }
        return nullptr;
    }

    void clear() noexcept { first_ = last_ = nullptr; }

private:
    list_hook* first_ = nullptr;
    list_hook* last_ = nullptr;
};

// A pairing heap (Fredman, Sedgewick, Sleator, Tarjan: The Pairing Heap, 1986). Adding takes constant time, taking the
// first one logarithmic time on average over all calls. It is a tree in which each element is no later than its
// children, which are in a list. To take the root, its children are merged in pairs, and the pairs into one tree.
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
