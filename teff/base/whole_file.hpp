// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that is written as a whole or not at all: a new file beside its place, which takes the place when all of it is
// written. Until then, and if something fails, what was there stays as it was, and a reader never sees a part. All
// files that this project writes for users are written by this.
//
// The new file gets the permissions of the file that it replaces, and its owner and group if the user may set them; if
// the group differs, it gets only permissions that all users have. Without an old file the umask decides. A file that
// the user may not write is not replaced. A device, a pipe or a descriptor of the process is written directly, and a
// descriptor at its end. file_place.hpp says which links are followed, and what is refused.
//
//   find_problem   before the work: whether the file could be written now. Changes nothing; does not open a pipe, whose
//                  reader would see its end
//   open           makes the new file and returns its stream
//   close          moves the new file to its place
//   discard        removes the new file and leaves the old one as it was. Call either close() or discard(): there is no
//                  destructor, since a static object must run nothing at the end of a process
//
// The stream is libc's, which allocates; nothing throws. One thread at a time uses an object; if several
// processes write the same file, the last one stays. A process that is killed before close() leaves a file .teff-...
#pragma once

#include <teff/base/file_place.hpp>

#include <cstdio>

namespace teff {

class whole_file {
public:
    constexpr whole_file() noexcept = default;
    whole_file(const whole_file&) = delete;
    whole_file& operator=(const whole_file&) = delete;

    [[nodiscard]] file_problem find_problem(const char* path) noexcept;
    // The stream, or nullptr; then problem() says why.
    [[nodiscard]] std::FILE* open(const char* path) noexcept;
    // Whether all was written and is in its place; otherwise problem() says why.
    [[nodiscard]] bool close() noexcept;
    void discard() noexcept;
    [[nodiscard]] file_problem problem() const noexcept { return problem_; }

private:
    [[nodiscard]] int open_place(const char* path) noexcept;
    [[nodiscard]] int make_beside() noexcept;
    [[nodiscard]] int open_directly() noexcept;
    void end() noexcept;

    file_place place_;
    std::FILE* stream_ = nullptr;
    char beside_[32]{};  // the name of the new file; empty: there is none
    file_problem problem_;
};

}  // namespace teff
