// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A look at a source under the pool's mutex. It tells ThreadSanitizer the order that the mutex makes: a source is
// opened before other threads look at it and join it, and it ends after that. The first order is told by the source's
// own address, the second one by another.
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/runtime/work_source.hpp>

namespace teff {

inline const void* end_of_source(const work_source& source) noexcept {
    return reinterpret_cast<const void* const*>(&source) + 1;
}

struct told_look {
    explicit told_look(const work_source& at) noexcept : source(at) { sanitizers::happens_after(&at); }
    ~told_look() { sanitizers::happens_before(end_of_source(source)); }
    told_look(const told_look&) = delete;
    told_look& operator=(const told_look&) = delete;

    const work_source& source;
};

}  // namespace teff
