// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts the items by address; most tasks have one or two.
#include <teff/frontends/openmp/core/dependence.hpp>

#include <algorithm>
#include <functional>

namespace teff::openmp {

void merge(dependence_list& clauses) noexcept {
    if (clauses.count < 2)
        return;
    const auto is_before = [](const dependence& one, const dependence& other) {
        return std::less<>()(one.address, other.address);
    };
    std::sort(clauses.items, clauses.items + clauses.count, is_before);
    unsigned last = 0;
    for (unsigned each = 1; each != clauses.count; ++each) {
        dependence& kept = clauses.items[last];
        const dependence& next = clauses.items[each];
        if (next.address != kept.address)
            clauses.items[++last] = next;
        else if (next.kind != kept.kind)
            kept.kind = depend::access_kind::inout;
    }
    clauses.count = last + 1;
}

}  // namespace teff::openmp
