// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of a value for each thread that asks for one: a list that only grows, and a small cache of recent finds in
// each thread.
//
//            mine   each     safe together?
//   mine      yes     -      any thread
//   each               -     while no other thread uses the object
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/fork_join/own_copies.hpp>
#include <teff/frontends/fork_join/views.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace teff::forking {

template <class T>
class copies {
public:
    copies() = default;
    // The copies stay where they are. No other thread may use either object.
    copies(copies&& other) noexcept { swap(other); }
    copies& operator=(copies&& other) noexcept {
        copies taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~copies() {
        // relaxed: no other thread uses the object.
        for (node* each = head_.load(std::memory_order_relaxed); each != nullptr;) {
            node* const after = each->next;
            delete each;
            each = after;
        }
    }

    // The calling thread's copy, made from `initial` at its first call.
    T& mine(const T& initial) {
        const std::size_t place = key_ % own_copies.recent.size();
        if (own_copies.recent[place].key == key_) [[likely]]
            return *static_cast<T*>(own_copies.recent[place].copy);
        T& found = find_mine(initial);
        // Accesses own_copies by its name again: copying has run the user's code, and no address of thread-local
        // storage may be kept across that.
        own_copies.recent[place] = {key_, &found};
        return found;
    }

    template <class Use>
    void each(Use&& use) const {
        // relaxed: no other thread uses the object.
        for (node* each = head_.load(std::memory_order_relaxed); each != nullptr; each = each->next)
            use(each->value);
    }

private:
    // Copies of different threads share no cache line. A class may not ask for less alignment than its members have, so
    // T's is named, too.
    struct alignas(false_sharing_range) alignas(T) node {
        T value;
        std::uint64_t thread;
        node* next;
    };

    [[gnu::noinline]] T& find_mine(const T& initial) {
        if (own_copies.thread == 0)
            own_copies.thread = unique_number();
        // acquire: makes the nodes readable; partner: the release of the compare-and-swap below.
        node* first = head_.load(std::memory_order_acquire);
        for (node* each = first; each != nullptr; each = each->next) {
            if (each->thread == own_copies.thread)
                return each->value;
        }
        node* const made = new node{initial, own_copies.thread, first};
        // release: makes the node visible; partner: the acquire above. relaxed on failure: tried again with the new
        // first node, of which only the address is used.
        while (!head_.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {
        }
        return made->value;
    }

    void swap(copies& other) noexcept {
        std::swap(key_, other.key_);
        // relaxed, both: no other thread uses the objects.
        head_.store(other.head_.exchange(head_.load(std::memory_order_relaxed), std::memory_order_relaxed),
                    std::memory_order_relaxed);
    }

    std::uint64_t key_ = unique_number();
    atomic<node*> head_{nullptr};
};

}  // namespace teff::forking
