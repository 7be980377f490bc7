// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A doubly linked list through a hook in its elements: no allocation, so adding and removing cannot fail.
//
// Not thread-safe: a list that threads share needs a mutex. An element is in at most one list at a time.
#pragma once

#include <teff/base/assert.hpp>

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

}  // namespace teff
