// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of options that several commands take: lists of names, kernels with their sizes, files to write.
//
// Each function throws a usage_error that names the option, the value, what is allowed and the nearest existing name.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace teff::cli {

// The names of a table whose rows have a member `name`.
template <class Table>
[[nodiscard]] std::vector<std::string> names_in(const Table& table) {
    std::vector<std::string> names;
    for (const auto& row : table)
        names.emplace_back(row.name);
    return names;
}

template <class T>
void add_once(std::vector<T>& values, const T& value) {
    if (std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(value);
}

// The members of a LIST. One that is missing, as in "1,,2", is a slip of the user's, and what was meant is unknown. A
// list without any member is empty here.
[[nodiscard]] std::vector<std::string> list_members(const std::string& option, const std::string& list);

// The names in a LIST, each once. Each must be known; `all` means every known name. There must be at least one.
[[nodiscard]] std::vector<std::string> choose(const std::string& option, const std::string& list,
                                              const std::vector<std::string>& known,
                                              const std::vector<std::string>& all);
[[nodiscard]] std::vector<std::string> choose(const std::string& option, const std::string& list,
                                              const std::vector<std::string>& known);

// 1, 2, 4, ... and the last one itself: what `all` means for numbers of threads.
[[nodiscard]] std::vector<unsigned> doubling_up_to(unsigned last);

struct kernel_choice {
    std::string name;
    std::string size;
};

// Words such as fib or fib:30. `size`: of those that have none. Empty if one of them is `all`, or there is none.
[[nodiscard]] std::vector<kernel_choice> kernel_choices(const std::vector<std::string>& words,
                                                        const std::string& size);

// Does nothing for an empty name. Whether a file can be written is tested by making one beside it, not by modes:
// read-only file systems, quotas and directories each refuse in their own way. An existing file is not changed.
void check_writable(const std::string& option, const std::filesystem::path& file);
// The same for the files of --json and --report, which may be empty; they must also be two files.
void check_results(const std::filesystem::path& json, const std::filesystem::path& report);

}  // namespace teff::cli
