// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic only; the policies are in distribution.hpp.
#include <teff/frontends/openmp/core/affinity/distribution.hpp>

#include <algorithm>

namespace teff::openmp {
namespace {

// Of `places` places, how many the opener's the member's is further on.
int steps_to(int number, int size, int places) noexcept {
    const int per_place = std::max(size / places, 1);
    const int dealt = per_place * places;
    return number < dealt ? number / per_place : (number - dealt) % places;
}

// Part `index` of `parts` parts of a partition that has at least as many places. The first parts are the larger ones.
place_range part_of(const place_range& whole, int index, int parts) noexcept {
    const int size = whole.count / parts, larger = whole.count % parts;
    return {whole.first + index * size + std::min(index, larger), size + (index < larger ? 1 : 0)};
}
int part_with(const place_range& whole, int place, int parts) noexcept {
    int index = 0;
    while (index + 1 < parts && part_of(whole, index + 1, parts).first <= place)
        ++index;
    return index;
}

}  // namespace

cpu_position position_of(binding policy, unsigned number, unsigned size, const cpu_position& opener) noexcept {
    const place_range& whole = opener.partition;
    if (opener.place < 0 || policy == binding::none)
        return {-1, whole};
    const int member = static_cast<int>(number), members = static_cast<int>(size);
    if (policy == binding::primary)
        return opener;
    if (policy == binding::spread && members <= whole.count) {
        const int first = part_with(whole, opener.place, members);
        const place_range part = part_of(whole, (first + member) % members, members);
        return {member == 0 ? opener.place : part.first, part};
    }
    const int start = opener.place - whole.first;
    const int place = whole.first + (start + steps_to(member, members, whole.count)) % whole.count;
    return {place, policy == binding::spread ? place_range{place, 1} : whole};
}

}  // namespace teff::openmp
