// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The futex operations as system calls; they preserve errno.
#include <teff/base/futex.hpp>

#include <teff/base/clock.hpp>

#include <cerrno>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff {
namespace {

timespec as_timespec(std::int64_t ns) noexcept {
    constexpr std::int64_t ns_per_s = 1'000'000'000;
    timespec made{};
    made.tv_sec = static_cast<time_t>(ns / ns_per_s);
    made.tv_nsec = static_cast<long>(ns % ns_per_s);
    return made;
}

}  // namespace

bool futex_wait(const futex_word& word, std::uint32_t seen, std::int64_t timeout_ns) noexcept {
    const int saved_errno = errno;
    const timespec timeout = as_timespec(timeout_ns);
    const timespec* const limit = timeout_ns == futex_no_timeout ? nullptr : &timeout;
    const long result = ::syscall(SYS_futex, word.address(), FUTEX_WAIT_PRIVATE, seen, limit, nullptr, 0);
    const bool timed_out = result == -1 && errno == ETIMEDOUT;
    errno = saved_errno;
    return !timed_out;
}

void futex_wake(const void* word_address, int count) noexcept {
    const int saved_errno = errno;
    ::syscall(SYS_futex, word_address, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
    errno = saved_errno;
}

bool futex_wait_as(const futex_word& word, std::uint32_t seen, std::uint32_t bits, std::int64_t timeout_ns) noexcept {
    const int saved_errno = errno;
    // This operation takes the moment, not the time until then.
    timespec until{};
    const timespec* limit = nullptr;
    if (timeout_ns != futex_no_timeout) {
        until = as_timespec(monotonic_ns() + timeout_ns);
        limit = &until;
    }
    const long result = ::syscall(SYS_futex, word.address(), FUTEX_WAIT_BITSET_PRIVATE, seen, limit, nullptr, bits);
    const bool timed_out = result == -1 && errno == ETIMEDOUT;
    errno = saved_errno;
    return !timed_out;
}

int futex_wake_those(const void* word_address, int count, std::uint32_t bits) noexcept {
    const int saved_errno = errno;
    const long woken = ::syscall(SYS_futex, word_address, FUTEX_WAKE_BITSET_PRIVATE, count, nullptr, nullptr, bits);
    errno = saved_errno;
    return woken > 0 ? static_cast<int>(woken) : 0;
}

}  // namespace teff
