// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of free stacks whose memory is not returned to the system: last in, first out, since the stack that was used
// last is likely to be in a cache. They are linked through their last bytes, which every fiber touches anyway.
//
// All functions: called by the owner, or under its mutex.
#pragma once

#include <teff/fiber/stack_slab.hpp>

#include <cstddef>
#include <new>

namespace teff {

class kept_stacks {
public:
    std::size_t count() const noexcept { return count_; }
    // Returns the stack that was kept last; its `lowest` is nullptr if there is none.
    fiber_stack take() noexcept {
        if (first_ == nullptr)
            return {};
        const fiber_stack taken = first_->stack;
        first_ = first_->next;
        --count_;
        return taken;
    }
    void keep(const fiber_stack& ended) noexcept {
        std::byte* const end = static_cast<std::byte*>(ended.lowest) + ended.size;
        first_ = ::new (end - sizeof(kept_stack)) kept_stack{first_, ended};
        ++count_;
    }

private:
    struct kept_stack {
        kept_stack* next;
        fiber_stack stack;
    };
    kept_stack* first_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace teff
