// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Progress on standard error: on a terminal one line that is overwritten, with the time that is left; otherwise one
// line per kernel and round.
//
// Messages that must not be missed (a skip, a slow peer) get a line of their own in both cases.
#pragma once

#include <string>

#include <cli/bench/rounds.hpp>

namespace teff::cli {

class progress_line {
public:
    explicit progress_line(unsigned rounds);

    // The functions refer to this object, which must outlive them.
    [[nodiscard]] progress progress_to_tell();

    // Erases the line.
    void finish();

private:
    void run_starts(const started_run& run);
    // On a terminal, in place of the line before.
    void show(const std::string& text);
    void tell_line(const std::string& text);

    unsigned rounds_;
    bool is_terminal_;
    std::string last_heading_;
};

}  // namespace teff::cli
