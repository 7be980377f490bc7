// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of the files below each entry of a folder, the largest first.
//
// What to learn: task_group, for work that becomes known piece by piece. Each folder is a task, which adds a task for
// each folder that it finds; wait() returns when all of them have ended, also those that were added by tasks. An
// exception that leaves a task is thrown by wait() and ends the search, so errors that concern one folder only are
// counted instead.
//
// The tasks mostly wait for the file system, and a worker that waits there does nothing else. If the folders are not in
// memory yet, more threads than processors help: TEFF_NUM_THREADS=16 directory_sizes /usr
#include "../arguments.hpp"

#include <teff/reducer.hpp>
#include <teff/task_group.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

// An entry of the folder, with the sum over all that is below. Several tasks add to it at once.
struct entry {
    std::string name;
    std::atomic<std::uintmax_t> bytes{0};
};

class search {
public:
    // Adds up a file, or hands a folder over to a task. Symbolic links count nothing, and are not followed.
    void visit(const fs::directory_entry& found, entry& total) {
        std::error_code error;
        const fs::file_status status = found.symlink_status(error);
        if (!error && fs::is_directory(status)) {
            group_.run([this, folder = found.path(), &total] { list(folder, total); });
        } else if (!error && fs::is_regular_file(status)) {
            const std::uintmax_t bytes = found.file_size(error);
            if (!error)
                total.bytes.fetch_add(bytes, std::memory_order_relaxed);
            *files_ += 1;
        }
        if (error)
            *unreadable_ += 1;
    }
    void wait() { group_.wait(); }
    // After wait().
    long files() const { return files_.get(); }
    long unreadable() const { return unreadable_.get(); }

private:
    void list(const fs::path& folder, entry& total) {
        std::error_code error;
        fs::directory_iterator at(folder, error);
        for (; !error && at != fs::directory_iterator(); at.increment(error))
            visit(*at, total);
        if (error)
            *unreadable_ += 1;
    }

    teff::reducer<long> files_, unreadable_;
    teff::task_group group_;
};

}  // namespace

int main(int argc, char** argv) {
    arguments given(argc, argv, "directory_sizes [FOLDER]");
    const fs::path folder = given.text(".");
    given.end();

    std::deque<entry> entries;  // its elements keep their addresses
    search below;
    std::error_code error;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error))
        below.visit(*at, entries.emplace_back(at->path().filename().string()));
    below.wait();
    if (error) {
        std::fprintf(stderr, "directory_sizes: %s: %s\n", folder.c_str(), error.message().c_str());
        return 1;
    }

    std::vector<std::pair<std::uintmax_t, std::string>> sizes;
    for (const entry& each : entries)
        sizes.emplace_back(each.bytes, each.name);
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    std::uintmax_t sum = 0;
    for (const auto& [bytes, name] : sizes) {
        std::printf("%14ju  %s\n", bytes, name.c_str());
        sum += bytes;
    }
    std::printf("%14ju  in %ld files\n", sum, below.files());
    if (below.unreadable() != 0)
        std::printf("%ld entries could not be read and are not in these sums\n", below.unreadable());
}
