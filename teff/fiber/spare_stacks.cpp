// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See spare_stacks.hpp.
#include <teff/fiber/spare_stacks.hpp>

#include <teff/base/thread_end.hpp>
#include <teff/fiber/kept_stacks.hpp>
#include <teff/fiber/sanitizers.hpp>

#include <algorithm>

namespace teff {
namespace {

// As many as 32, or as few as hold 8 MiB, since a fiber may have touched all of its stack.
constexpr std::size_t most_count = 32;
constexpr std::size_t most_bytes = std::size_t{8} << 20;

// The stacks that the calling thread keeps have one size. The object has no destructor, since fibers may run while the
// thread exits.
struct spare_stacks {
    kept_stacks kept;
    std::size_t size = 0;  // of each; 0: the thread has kept none so far
    std::size_t most = 0;
};

constinit thread_local spare_stacks own_stacks;

void give_back_all() noexcept {
    own_stacks.most = 0;
    while (own_stacks.kept.count() != 0)
        give_back_fiber_stack(own_stacks.kept.take());
}

[[gnu::noinline]] void begin_to_keep(std::size_t size) noexcept {
    own_stacks.size = size;
    own_stacks.most = std::clamp<std::size_t>(most_bytes / size, 1, most_count);
    call_at_thread_end<give_back_all>();
}

}  // namespace

fiber_stack take_spare_stack(std::size_t size) noexcept {
    spare_stacks& own = own_stacks;
    // The size of a stack is rounded up.
    if (own.kept.count() != 0 && own.size >= size && own.size / 2 <= size)
        return own.kept.take();
    return take_fiber_stack(size);
}

void give_back_spare_stack(const fiber_stack& ended) noexcept {
    // Functions that never returned have left their marks.
    sanitizers::unpoison(ended.lowest, ended.size);
    if (own_stacks.size == 0) [[unlikely]]
        begin_to_keep(ended.size);
    if (own_stacks.kept.count() < own_stacks.most && ended.size == own_stacks.size)
        own_stacks.kept.keep(ended);
    else
        give_back_fiber_stack(ended);
}

}  // namespace teff
