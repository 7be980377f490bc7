// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See spare_stacks.hpp.
#include <teff/fiber/spare_stacks.hpp>

#include <teff/fiber/sanitizers.hpp>

#include <array>

namespace teff {
namespace {

class spare_stacks {
public:
    constexpr spare_stacks() noexcept = default;
    // Stacks that are given back after this go to the pool.
    ~spare_stacks() {
        most_ = 0;
        while (count_ != 0)
            give_back_fiber_stack(kept_[--count_]);
    }
    spare_stacks(const spare_stacks&) = delete;
    spare_stacks& operator=(const spare_stacks&) = delete;

    // The one that was used last, which is likely to be in a cache.
    fiber_stack take(std::size_t size) noexcept {
        if (count_ == 0 || kept_[count_ - 1].size < size)
            return {};
        return kept_[--count_];
    }
    bool keep(const fiber_stack& ended) noexcept {
        if (count_ == most_)
            return false;
        kept_[count_++] = ended;
        return true;
    }

private:
    std::array<fiber_stack, 8> kept_{};
    std::size_t count_ = 0;
    std::size_t most_ = kept_.size();
};

constinit thread_local spare_stacks own_stacks [[gnu::tls_model("initial-exec")]];

}  // namespace

fiber_stack take_spare_stack(std::size_t size) noexcept {
    const fiber_stack kept = own_stacks.take(size);
    return kept.lowest != nullptr ? kept : take_fiber_stack(size);
}

void give_back_spare_stack(const fiber_stack& ended) noexcept {
    // Functions that never returned have left their marks.
    sanitizers::unpoison(ended.lowest, ended.size);
    if (!own_stacks.keep(ended))
        give_back_fiber_stack(ended);
}

}  // namespace teff
