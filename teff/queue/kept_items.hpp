// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A growing array, also used as a stack, whose items never move, so that a throwing move loses none: pieces of 16, 16,
// 32, 64, ... places. One thread at a time; other threads may use items while none is added or removed.
//
// Rejected: std::vector, which moves its items as it grows, and whose header is slow to compile.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/light_standard.hpp>

#include <bit>
#include <cstddef>
#include <new>
#include <utility>

namespace teff {

template <class T>
class kept_items {
public:
    kept_items() noexcept = default;
    kept_items(const kept_items&) = delete;
    kept_items& operator=(const kept_items&) = delete;
    ~kept_items() {
        while (size_ != 0)
            remove_last();
        for (unsigned i = 0; i < piece_count; ++i)
            if (pieces_[i] != nullptr)
                deallocate(pieces_[i], sizeof(T) * size_of(i), alignof(T));
    }

    // Throws std::bad_alloc with the item untouched, or what its move throws; nothing is added then.
    void add(T&& item) {
        const place at = place_of(size_);
        T*& piece = pieces_[at.piece];
        if (piece == nullptr)
            piece = static_cast<T*>(allocate(sizeof(T) * size_of(at.piece), alignof(T)));
        if (piece == nullptr)
            throw std::bad_alloc();
        ::new (static_cast<void*>(piece + at.offset)) T(std::move(item));
        ++size_;
    }
    // The array must not be empty.
    void remove_last() noexcept {
        end_life(address_of(last()));
        --size_;
    }
    T& last() noexcept { return (*this)[size_ - 1]; }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T& operator[](std::size_t index) noexcept {
        const place at = place_of(index);
        return *std::launder(pieces_[at.piece] + at.offset);
    }

private:
    static constexpr unsigned piece_count = 40;
    static constexpr std::size_t first_size = 16;

    struct place {
        unsigned piece;
        std::size_t offset;
    };
    static std::size_t size_of(unsigned piece) noexcept { return piece == 0 ? first_size : first_size << (piece - 1); }
    static place place_of(std::size_t index) noexcept {
        const auto piece = static_cast<unsigned>(std::bit_width(index / first_size));
        return {piece, piece == 0 ? index : index - size_of(piece)};
    }

    T* pieces_[piece_count] = {};
    std::size_t size_ = 0;
};

}  // namespace teff
