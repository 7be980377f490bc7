// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Progress on standard error: on a terminal one line that is overwritten, elsewhere one line per kernel and round.
//
// What must not be missed (a skip, a slow peer) gets a line of its own in both cases.
#pragma once

#include <string>

#include <cli/bench/rounds.hpp>

namespace teff::cli {

class progress_line {
public:
    explicit progress_line(unsigned rounds);

    // Functions that refer to this object: it must outlive them.
    [[nodiscard]] progress progress_to_tell();

    // Takes the line away.
    void finish();

private:
    void run_starts(unsigned round, const configuration& what, std::size_t done, std::size_t total);
    void tell(const std::string& text);

    unsigned rounds_;
    bool is_terminal_;
    std::string last_heading_;
};

}  // namespace teff::cli
