// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions, checks and messages. A failure prints component, cause and remedy, and stops the program.
//
//   TEFF_ASSERT(condition, "cause")                    debug builds; a broken invariant of Teff; never a compiler hint
//   TEFF_CHECK(condition, component, cause, remedy)    always; where continuing would lose work
//   fatal(component, cause, remedy)                    prints and aborts; never hangs, allocates or throws
//   warn(format, ...)                                  one line on stderr, then the program continues
//
// Any thread may call any of them. Each message is one line, written by one write(2), so that lines do not mix. It may
// have names that users gave, so its control characters and broken UTF-8 are made visible (escaped_text.hpp).
#pragma once

namespace teff {

[[noreturn]] void fatal(const char* component, const char* cause, const char* remedy) noexcept;

[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...) noexcept;

}  // namespace teff

#define TEFF_CHECK(condition, component, cause, remedy)                                                                \
    do {                                                                                                               \
        if (!(condition)) [[unlikely]]                                                                                 \
            ::teff::fatal(component, cause, remedy);                                                                   \
    } while (false)

#if defined(NDEBUG)
#define TEFF_ASSERT(condition, cause)                                                                                  \
    do {                                                                                                               \
        (void)sizeof(condition);                                                                                       \
    } while (false)
#else
#define TEFF_ASSERT(condition, cause)                                                                                  \
    TEFF_CHECK(condition, __FILE__, cause, "this is an error inside Teff: please report it with this line")
#endif
