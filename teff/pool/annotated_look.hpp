// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a source under the pool's mutex, and reports the order that the mutex makes to ThreadSanitizer: a source is
// opened before other threads look at it and join it, and it ends after that. The report of the first order uses the
// source's own address, that of the second order another address.
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/pool/work_source.hpp>

namespace teff {

inline const void* end_of_source(const work_source& source) noexcept {
    return reinterpret_cast<const void* const*>(&source) + 1;
}

struct annotated_look {
    explicit annotated_look(const work_source& at) noexcept : source(at) { sanitizers::happens_after(&at); }
    ~annotated_look() { sanitizers::happens_before(end_of_source(source)); }
    annotated_look(const annotated_look&) = delete;
    annotated_look& operator=(const annotated_look&) = delete;

    const work_source& source;
};

}  // namespace teff
