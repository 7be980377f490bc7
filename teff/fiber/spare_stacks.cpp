// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See spare_stacks.hpp.
#include <teff/fiber/spare_stacks.hpp>

#include <teff/fiber/kept_stacks.hpp>
#include <teff/fiber/sanitizers.hpp>

#include <algorithm>

namespace teff {
namespace {

// As many as 32, or as few as hold 8 MiB, since a fiber may have touched all of its stack.
constexpr std::size_t most_count = 32;
constexpr std::size_t most_bytes = std::size_t{8} << 20;

// Of the calling thread; all of one size. Trivially destructible, since fibers may run until the thread's very end.
struct spare_stacks {
    kept_stacks kept;
    std::size_t size = 0;    // of each; 0: none has been kept
    std::size_t most = 0;
    bool has_begun = false;  // keeping stacks, which the thread's end gives back
};

constinit thread_local spare_stacks own_stacks;

struct gives_back_stacks {
    ~gives_back_stacks() {
        own_stacks.most = 0;
        while (own_stacks.kept.count() != 0)
            give_back_fiber_stack(own_stacks.kept.take());
    }
    void use() const noexcept {}
};

[[gnu::noinline]] void begin_to_keep(std::size_t size) noexcept {
    if (own_stacks.has_begun)
        return;
    own_stacks.size = size;
    own_stacks.most = std::clamp<std::size_t>(most_bytes / size, 1, most_count);
    own_stacks.has_begun = true;
    // Its destructor runs at the end of the thread.
    static thread_local const gives_back_stacks at_end;
    at_end.use();
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
    if (!own_stacks.has_begun) [[unlikely]]
        begin_to_keep(ended.size);
    if (own_stacks.kept.count() < own_stacks.most && ended.size == own_stacks.size)
        own_stacks.kept.keep(ended);
    else
        give_back_fiber_stack(ended);
}

}  // namespace teff
