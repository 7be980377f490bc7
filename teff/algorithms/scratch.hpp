// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second place for as many elements as a range has: living objects from end to end, so that a merge only assigns. The
// elements are moved here to begin with, which leaves moved-from ones in the range. Those that are trivial to copy need
// no object to be assigned to, and stay where they are.
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
    // Whether the elements stay in the range.
    static constexpr bool is_raw = std::is_trivially_copyable_v<element>;

    // Throws std::bad_alloc, with nothing moved; what a move throws, with everything moved back.
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
                // The first one is what the caller hears of.
            }
            std::destroy_n(memory_.get(), constructed_);
            throw;
        }
    }

    std::unique_ptr<element, free_memory> memory_;
    std::size_t constructed_ = 0;
};

}  // namespace teff::algorithm
