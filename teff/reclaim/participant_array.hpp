// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The per-participant state of a reclaimer: an array of N objects, where N is known only at run time and never
// changes.
//
// Element should be aligned to false_sharing_range if participants write it. If there is no memory for the array (or
// its size overflows), it is empty: valid() is false and size() is 0, and the reclaimer that contains it is not
// valid() either.
#pragma once

#include <teff/base/allocation.hpp>

#include <cstddef>
#include <limits>
#include <new>

namespace teff {

template <class Element>
class participant_array {
public:
    explicit participant_array(std::size_t count) noexcept {
        if (count == 0 || count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(Element))
            return;
        elements_ = static_cast<Element*>(allocate(count * sizeof(Element), alignof(Element)));
        if (elements_ == nullptr)
            return;
        size_ = count;
        for (std::size_t i = 0; i < count; ++i)
            ::new (static_cast<void*>(elements_ + i)) Element();
    }
    ~participant_array() {
        for (std::size_t i = 0; i < size_; ++i)
            elements_[i].~Element();
        if (elements_ != nullptr)
            deallocate(elements_, size_ * sizeof(Element), alignof(Element));
    }
    participant_array(const participant_array&) = delete;
    participant_array& operator=(const participant_array&) = delete;

    bool valid() const noexcept { return elements_ != nullptr; }
    std::size_t size() const noexcept { return size_; }
    Element& operator[](std::size_t i) noexcept { return elements_[i]; }
    const Element& operator[](std::size_t i) const noexcept { return elements_[i]; }
    Element* begin() noexcept { return elements_; }
    Element* end() noexcept { return elements_ + size_; }
    const Element* begin() const noexcept { return elements_; }
    const Element* end() const noexcept { return elements_ + size_; }

private:
    Element* elements_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace teff
