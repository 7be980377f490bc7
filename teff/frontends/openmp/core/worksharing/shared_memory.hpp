// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the threads of a construct share and that few constructs need: the first thread that asks for it makes
// it. Between two uses it is empty.
//
//            get    free    safe together?
//   get      yes     -      each with the same size
//   free             -      the last thread that uses it
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/locks.hpp>

#include <cstddef>

namespace teff::openmp {

class shared_memory {
public:
    static constexpr std::size_t alignment = 64;

    shared_memory() noexcept = default;
    ~shared_memory() { free(); }
    shared_memory(const shared_memory&) = delete;
    shared_memory& operator=(const shared_memory&) = delete;

    // make(memory): constructs what is in it, before another thread sees it.
    template <class Make>
    void* get(std::size_t size, const Make& make) noexcept {
        const scoped_lock locked(guard_);
        if (memory_ == nullptr) {
            memory_ = allocate(size, alignment);
            if (memory_ == nullptr)
                fatal("OpenMP", "there is no memory for what the threads of a loop share",
                      "give the process more memory");
            size_ = size;
            make(memory_);
        }
        return memory_;
    }
    void free() noexcept {
        if (memory_ != nullptr)
            deallocate(memory_, size_, alignment);
        memory_ = nullptr;
    }

private:
    mutex guard_;
    void* memory_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace teff::openmp
