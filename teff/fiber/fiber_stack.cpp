// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fiber_stack.hpp.
#include <teff/fiber/fiber_stack.hpp>

#include <teff/base/mutex.hpp>
#include <teff/fiber/sanitizers.hpp>

#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace teff {
namespace {

// More than a page, since a function with a large frame may jump over one.
constexpr std::size_t guard_size = 16 * 1024;
constexpr int madv_guard_install = 102;  // MADV_GUARD_INSTALL, which older headers do not have

// A free stack is linked through its last bytes, which every fiber has touched.
struct free_stack {
    free_stack* next;
    fiber_stack stack;
};

std::byte* bytes_of(const fiber_stack& of) noexcept { return static_cast<std::byte*>(of.lowest); }

bool make_guard(std::byte* guard) noexcept {
    return ::madvise(guard, guard_size, madv_guard_install) == 0 || ::mprotect(guard, guard_size, PROT_NONE) == 0;
}

fiber_stack map_stack(std::size_t size) noexcept {
    size = (size + guard_size - 1) / guard_size * guard_size;
    void* const mapped = ::mmap(nullptr, guard_size + size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapped == MAP_FAILED)
        return {};
    auto* const guard = static_cast<std::byte*>(mapped);
    if (!make_guard(guard)) {
        ::munmap(mapped, guard_size + size);
        return {};
    }
    return {guard + guard_size, size};
}

void unmap(const fiber_stack& gone) noexcept { ::munmap(bytes_of(gone) - guard_size, guard_size + gone.size); }

class stack_pool {
public:
    fiber_stack take(std::size_t size) noexcept {
        const scoped_lock locked(mutex_);
        if (first_ == nullptr || first_->stack.size < size)
            return {};
        const free_stack* const taken = first_;
        first_ = taken->next;
        --count_;
        return taken->stack;
    }
    bool keep(const fiber_stack& ended) noexcept {
        const scoped_lock locked(mutex_);
        if (count_ >= most_kept_fiber_stacks)
            return false;
        first_ = ::new (bytes_of(ended) + ended.size - sizeof(free_stack)) free_stack{first_, ended};
        ++count_;
        return true;
    }

private:
    mutex mutex_;
    free_stack* first_ = nullptr;
    std::size_t count_ = 0;
};

constinit stack_pool kept;

}  // namespace

fiber_stack take_fiber_stack(std::size_t size) noexcept {
    const fiber_stack reused = kept.take(size);
    return reused.lowest != nullptr ? reused : map_stack(size);
}

void give_back_fiber_stack(const fiber_stack& ended) noexcept {
    // Functions that never returned have left their marks.
    sanitizers::unpoison(ended.lowest, ended.size);
    if (!kept.keep(ended))
        unmap(ended);
}

}  // namespace teff
