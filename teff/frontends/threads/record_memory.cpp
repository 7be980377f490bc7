// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See record_memory.hpp.
#include <teff/frontends/threads/record_memory.hpp>

#include <teff/fiber/sanitizers.hpp>

#include <new>

namespace teff::threads {
namespace {

// A record with a function of up to about 100 bytes.
constexpr std::size_t block_size = 256;

constexpr bool is_in_block(std::size_t size) noexcept { return !sanitizers::are_on && size <= block_size; }

struct spare_block {
    spare_block* next;
};

class spare_records {
public:
    constexpr spare_records() noexcept = default;
    // Blocks that are given back after this are freed.
    ~spare_records() {
        while (void* const block = take())
            ::operator delete(block, block_size);
        room_ = 0;
    }
    spare_records(const spare_records&) = delete;
    spare_records& operator=(const spare_records&) = delete;

    // Last in, first out. nullptr: there is none.
    void* take() noexcept {
        spare_block* const first = first_;
        if (first == nullptr)
            return nullptr;
        first_ = first->next;
        ++room_;
        return first;
    }
    bool keep(void* block) noexcept {
        if (room_ == 0)
            return false;
        --room_;
        first_ = ::new (block) spare_block{first_};
        return true;
    }

private:
    spare_block* first_ = nullptr;
    unsigned room_ = 128;  // for more blocks
};

constinit thread_local spare_records own_records;

}  // namespace

void* take_record_memory(std::size_t size) {
    if (!is_in_block(size))
        return ::operator new(size);
    if (void* const spare = own_records.take()) [[likely]]
        return spare;
    return ::operator new(block_size);
}

void give_back_record_memory(void* ended, std::size_t size) noexcept {
    if (!is_in_block(size))
        ::operator delete(ended, size);
    else if (!own_records.keep(ended))
        ::operator delete(ended, block_size);
}

}  // namespace teff::threads
