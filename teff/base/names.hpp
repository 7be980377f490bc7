// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that a user may choose: a row of a table of names, and the known name that is nearest to a mistyped one, by
// edit distance.
//
// An edit inserts, removes or replaces one character (Levenshtein's distance). A name counts as near if the distance is
// at most one, plus one for every three characters written: a more distant suggestion would only puzzle. The search
// works in a fixed buffer; there are no suggestions for names that are longer. One thread at a time may use a search.
#pragma once

#include <cstddef>
#include <string_view>

namespace teff {

// A row of a table of names.
struct named_choice {
    const char* name;
    const char* sentence;
};

class nearest_name {
public:
    // Longest name that is compared, in characters.
    static constexpr std::size_t max_length = 64;

    // `written`: the name that does not exist; the text must outlive this object.
    explicit nearest_name(std::string_view written) noexcept
        : written_(written), distance_(written.size() / 3 + 2) {}

    // Considers `known`. True if it is near, and nearer than all before.
    bool offer(std::string_view known) noexcept;

private:
    std::string_view written_;
    std::size_t distance_;  // only smaller distances are of interest
};

// The number of edits between two names of at most nearest_name::max_length characters; for longer names a number above
// every distance.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b) noexcept;

}  // namespace teff
