// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See spare_stacks.hpp.
#include <teff/fiber/spare_stacks.hpp>

#include <teff/fiber/kept_stacks.hpp>
#include <teff/fiber/sanitizers.hpp>

namespace teff {
namespace {

// Of the calling thread; all of one size, as a rule.
class spare_stacks {
public:
    constexpr spare_stacks() noexcept = default;
    // Stacks that are given back after this go to the pool.
    ~spare_stacks() {
        most_ = 0;
        while (kept_.count() != 0)
            give_back_fiber_stack(kept_.take(0));
    }
    spare_stacks(const spare_stacks&) = delete;
    spare_stacks& operator=(const spare_stacks&) = delete;

    fiber_stack take(std::size_t size) noexcept { return kept_.take(size); }
    bool keep(const fiber_stack& ended) noexcept {
        if (kept_.count() >= most_)
            return false;
        kept_.keep(ended);
        return true;
    }

private:
    kept_stacks kept_;
    std::size_t most_ = 32;
};

constinit thread_local spare_stacks own_stacks;

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
