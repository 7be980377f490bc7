// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kinds of lists of accesses (Vandierendonck et al., section 4.1.1). The tracker `graph` uses the list with
// allocated nodes, `embedded_graph` the list whose nodes lie in the accesses.
//
//             push   remove   pop   clear      time: push, pop O(1); clear O(n); remove O(n) allocated, O(1) embedded
// All operations: under the lock of the list's owner. push() of an embedded list always succeeds.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/depend/tracked.hpp>

namespace teff::depend {

class allocated_list {
public:
    struct access_state {};

    allocated_list() noexcept = default;
    allocated_list(const allocated_list&) = delete;
    allocated_list& operator=(const allocated_list&) = delete;
    ~allocated_list() { clear(); }

    bool empty() const noexcept { return first_ == nullptr; }
    // False, with nothing changed, if there is no memory.
    bool push(tracked_access& added) noexcept {
        node* const made = create<node>(&added, nullptr);
        if (made == nullptr)
            return false;
        *end_ = made;
        end_ = &made->next;
        return true;
    }
    // The oldest access; nullptr if there is none.
    tracked_access* pop() noexcept {
        if (first_ == nullptr)
            return nullptr;
        tracked_access* const oldest = first_->access;
        erase(&first_);
        return oldest;
    }
    // Has no effect if the access is not in the list.
    void remove(tracked_access& access) noexcept {
        for (node** link = &first_; *link != nullptr; link = &(*link)->next) {
            if ((*link)->access == &access)
                return erase(link);
        }
    }
    void clear() noexcept {
        while (first_ != nullptr)
            erase(&first_);
    }
    // Calls visit(access) in order until it returns false; returns whether it never did.
    template <class Visit>
    bool visit_all(Visit&& visit) const {
        for (const node* each = first_; each != nullptr; each = each->next) {
            if (!visit(*each->access))
                return false;
        }
        return true;
    }

private:
    struct node {
        tracked_access* access;
        node* next;
    };
    void erase(node** link) noexcept {
        node* const erased = *link;
        *link = erased->next;
        if (erased->next == nullptr)
            end_ = link;
        destroy(erased);
    }

    node* first_ = nullptr;
    node** end_ = &first_;  // the link to which the next node is added
};

// An access is in at most one such list.
class embedded_list {
public:
    struct access_state {
        tracked_access* previous = nullptr;
        tracked_access* next = nullptr;
        embedded_list* where = nullptr;
    };

    embedded_list() noexcept = default;
    embedded_list(const embedded_list&) = delete;
    embedded_list& operator=(const embedded_list&) = delete;

    bool empty() const noexcept { return first_ == nullptr; }
    bool push(tracked_access& added) noexcept {
        access_state& hook = hook_of(added);
        hook = {.previous = last_, .where = this};
        (last_ == nullptr ? first_ : hook_of(*last_).next) = &added;
        last_ = &added;
        return true;
    }
    tracked_access* pop() noexcept {
        tracked_access* const oldest = first_;
        if (oldest != nullptr)
            remove(*oldest);
        return oldest;
    }
    void remove(tracked_access& access) noexcept {
        access_state& hook = hook_of(access);
        if (hook.where != this)
            return;
        (hook.previous == nullptr ? first_ : hook_of(*hook.previous).next) = hook.next;
        (hook.next == nullptr ? last_ : hook_of(*hook.next).previous) = hook.previous;
        hook.where = nullptr;
    }
    void clear() noexcept {
        while (first_ != nullptr)
            remove(*first_);
    }
    template <class Visit>
    bool visit_all(Visit&& visit) const {
        for (tracked_access* each = first_; each != nullptr; each = hook_of(*each).next) {
            if (!visit(*each))
                return false;
        }
        return true;
    }

private:
    static access_state& hook_of(tracked_access& access) noexcept { return access.state.as<access_state>(); }

    tracked_access* first_ = nullptr;
    tracked_access* last_ = nullptr;
};

}  // namespace teff::depend
