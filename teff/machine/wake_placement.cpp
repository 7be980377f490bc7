// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the waking thread's processor out of a worker's affinity mask, puts it back, and notices that a worker began
// late; see wake_placement.hpp.
#include <teff/machine/wake_placement.hpp>

#include <teff/base/clock.hpp>
#include <teff/machine/cpu_mask.hpp>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff {
namespace {

// The futex wakes one of the workers whose numbers have the same remainder.
std::uint32_t bits_of(unsigned worker) noexcept { return 1U << worker % 32; }

// A worker that is placed well begins within a tenth of this, and a time slice is longer.
constexpr std::int64_t late_ns = 400'000;
constexpr unsigned wake_ups_after_a_late_one = 64;

}  // namespace

bool wake_placement::sleep(unsigned worker, const futex_word& word, std::uint32_t seen,
                           std::int64_t timeout_ns) noexcept {
    if (worker >= workers_.capacity)
        return futex_wait(word, seen, timeout_ns);
    workers_.begin_sleep(worker, static_cast<int>(::syscall(SYS_gettid)));
    const bool was_woken = futex_wait_as(word, seen, bits_of(worker), timeout_ns);
    workers_.end_sleep(worker, [this](const call& by) { answer(by); });
    return was_woken;
}

bool wake_placement::wake_one(const void* address) noexcept {
    const unsigned worker = workers_.claim([this](int thread) { return make_call(thread); });
    return worker != workers_.capacity && futex_wake_those(address, 1, bits_of(worker)) != 0;
}

wake_placement::call wake_placement::make_call(int thread) noexcept {
    call made{monotonic_ns(), no_cpu};
    // relaxed, both: a hint.
    const unsigned left = keeps_off_.load(std::memory_order_relaxed);
    if (left == 0)
        return made;
    keeps_off_.store(left - 1, std::memory_order_relaxed);
    const int own_cpu = ::sched_getcpu();
    cpu_mask mask = cpu_mask::of_thread(thread);
    // A worker that is bound to this processor stays there.
    if (mask.contains(own_cpu) && mask.count() > 1) {
        mask.remove(own_cpu);
        if (mask.bind_thread(thread))
            made.removed_cpu = own_cpu;
    }
    return made;
}

void wake_placement::answer(const call& by) noexcept {
    if (by.removed_cpu != no_cpu) {
        cpu_mask mask = cpu_mask::of_calling_thread();
        mask.add(by.removed_cpu);
        // The system refuses if the process may not use this processor any more.
        [[maybe_unused]] const bool restored = mask.bind_calling_thread();
    } else if (monotonic_ns() - by.at_ns > late_ns) {
        // Probably it waited for the processor of the thread that woke it; where it runs by now says nothing.
        keep_off(wake_ups_after_a_late_one);
    }
}

// relaxed: a hint.
void wake_placement::keep_off(unsigned wake_ups) noexcept { keeps_off_.store(wake_ups, std::memory_order_relaxed); }

}  // namespace teff
