// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Levenshtein's distance with one row of the table: below[i] is the distance between the first i characters of `a` and
// the characters of `b` seen so far.
#include <teff/base/names.hpp>

#include <algorithm>
#include <array>

namespace teff {

std::size_t edit_distance(std::string_view a, std::string_view b) noexcept {
    constexpr std::size_t longest = nearest_name::max_length;
    if (a.size() > longest || b.size() > longest)
        return longest + 1;
    std::array<std::size_t, longest + 1> below;
    for (std::size_t index = 0; index <= a.size(); ++index)
        below[index] = index;
    for (std::size_t row = 0; row < b.size(); ++row) {
        std::size_t diagonal = row;
        below[0] = row + 1;
        for (std::size_t column = 0; column < a.size(); ++column) {
            const std::size_t replaced = diagonal + (a[column] == b[row] ? 0 : 1);
            diagonal = below[column + 1];
            below[column + 1] = std::min({replaced, diagonal + 1, below[column] + 1});
        }
    }
    return below[a.size()];
}

bool nearest_name::offer(std::string_view known) noexcept {
    // Each edit changes the length by at most one.
    if (std::max(written_.size(), known.size()) - std::min(written_.size(), known.size()) >= distance_)
        return false;
    const std::size_t distance = edit_distance(written_, known);
    if (distance >= distance_)
        return false;
    distance_ = distance;
    return true;
}

}  // namespace teff
