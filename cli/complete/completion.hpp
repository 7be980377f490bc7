// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that can end a command line: `teff complete WORD...`, which the completions of bash, zsh and fish
// (teff.bash and the others here) call at each press of the Tab key. The names come from where the command itself has
// them: commands and options from its parser, schedulers, trackers, reclaimers and runtimes from their tables, and
// kernels from the runners and the simulator that are installed. So they cannot differ from what the command takes.
//
// Its output is one candidate a line, with a description after a tab where there is one. The line `:files` asks the
// shell to complete the name of a file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace teff::cli {

struct candidate {
    std::string text;
    std::string description = {};
};

struct completion {
    std::vector<candidate> candidates;
    bool files = false;
};

// words: those after `teff`; the last one is the beginning of the word to complete and may be empty. bash gives
// `--option=value` as three words, the others as one; both are understood. Only candidates that begin as that word does
// are in the result, and those for a member of a LIST begin with the members before it.
[[nodiscard]] completion complete(const CLI::App& app, std::span<const std::string> words);

// Prints it. Returns the exit status.
[[nodiscard]] int run_complete(const CLI::App& app, std::span<const std::string> words);

}  // namespace teff::cli
