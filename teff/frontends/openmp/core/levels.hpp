// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The regions around a place. Each team knows the place of the thread that opened its region, so the ancestors of a
// place are a chain; the initial place, at level 0, is its end. The place of an ancestor stays as it is until its
// region ends.
#pragma once

#include <teff/frontends/openmp/core/team.hpp>

namespace teff::openmp {

// The place of `here`, or of its ancestor, in the region at this level; nullptr if there is no such level around it.
inline const place* ancestor_at(const place& here, int level) noexcept {
    if (level < 0 || static_cast<unsigned>(level) > here.in->level)
        return nullptr;
    const place* found = &here;
    while (found->in->level > static_cast<unsigned>(level))
        found = found->in->opener;
    return found;
}

}  // namespace teff::openmp
