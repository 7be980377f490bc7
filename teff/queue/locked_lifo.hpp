// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stub
#pragma once
#include <teff/base/mutex.hpp>
#include <teff/base/atomic.hpp>
namespace teff {
template <class Node>
class locked_lifo {
public:
    void push(Node& n) noexcept { const scoped_lock l(m_); n.next.store(top_, std::memory_order_relaxed); top_ = &n; count_.store(count_.load(std::memory_order_relaxed)+1, std::memory_order_relaxed); }
    Node* pop() noexcept { if (!may_have_items()) return nullptr; const scoped_lock l(m_); Node* n = top_; if (n) { top_ = n->next.load(std::memory_order_relaxed); count_.store(count_.load(std::memory_order_relaxed)-1, std::memory_order_relaxed);} return n; }
    bool may_have_items() const noexcept { return count_.load(std::memory_order_acquire) != 0; }
private:
    mutex m_; Node* top_ = nullptr; atomic<std::size_t> count_{0};
};
}
