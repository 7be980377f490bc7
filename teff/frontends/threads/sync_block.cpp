// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and sets the blocks around the calling code; see sync_block.hpp.
#include <teff/frontends/threads/sync_block.hpp>

#include <teff/strand/running_strand.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/task_team.hpp>

#include <utility>

namespace teff::threads {
namespace {

// In a reduction the thread's innermost team is not the task team of its member.
bool is_in_reduction() noexcept {
    const membership* const innermost = this_thread().innermost;
    return innermost != nullptr &&
           (running_thread.member == nullptr || innermost->source != &running_thread.member->team());
}

}  // namespace

// Out of line: the surrounding code may continue on another thread.
[[gnu::noinline]] surroundings surroundings_here() noexcept {
    if (is_in_reduction())
        return {};
    const enclosing& around = running_strand().around;
    return {.block = static_cast<sync_block*>(around.block), .is_serial = around.is_serial};
}

[[gnu::noinline]] scoped_surroundings::scoped_surroundings(const surroundings& inside) noexcept
    : here_(running_strand().around),
      before_(std::exchange(here_, {.block = inside.block, .is_serial = inside.is_serial, .task = here_.task})) {}

}  // namespace teff::threads
