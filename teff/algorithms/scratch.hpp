// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scratch buffer for as many elements as a range has. It holds live objects from end to end, so that a merge only
// assigns. At the start the elements are moved into the buffer, which leaves moved-from objects in the range. Trivially
// copyable elements can be assigned to raw memory, so they stay in the range.
#pragma once

#include <teff/algorithms/elements.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace teff::algorithm {

template <class Iterator>
class scratch {
    using element = std::iter_value_t<Iterator>;

public:
    // Whether the elements stay in the range, and the buffer is raw memory.
    static constexpr bool is_raw = std::is_trivially_copyable_v<element>;

    // Throws std::bad_alloc, with nothing moved; or what a move throws, after everything was moved back.
    scratch(Iterator first, std::size_t count) : memory_(std::allocator<element>().allocate(count), {count}) {
        if constexpr (!is_raw)
            move_in_or_back(first, count);
    }
    ~scratch() { std::destroy_n(memory_.get(), constructed_); }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;

    element* data() noexcept { return memory_.get(); }

private:
    struct free_memory {
        std::size_t count;
        void operator()(element* memory) const noexcept { std::allocator<element>().deallocate(memory, count); }
    };

    void move_in_or_back(Iterator first, std::size_t count) {
        try {
            for (; constructed_ != count; ++constructed_)
                std::construct_at(data() + constructed_, std::ranges::iter_move(advanced(first, constructed_)));
        } catch (...) {
            try {
                std::move(memory_.get(), memory_.get() + constructed_, first);
            } catch (...) {
                // Only the first exception is passed on.
            }
            std::destroy_n(memory_.get(), constructed_);
            throw;
        }
    }

    std::unique_ptr<element, free_memory> memory_;
    std::size_t constructed_ = 0;
};

}  // namespace teff::algorithm
