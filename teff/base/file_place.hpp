// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a file that is to be written is, and what is there now. The path is walked name by name with open folders, so
// that nobody can put a link in its way after it was looked at.
//
// Where other users may write into a folder, or where it is sticky, as /tmp is, what stands there is taken only if it
// belongs to the user or to the folder's owner; so another user's link leads nowhere, be it the last name or a folder
// before it. This is the rule of Linux's protected_symlinks, for every kind of file, and also where the system does not
// have that on.
//
// A link with the last name is never followed to a file: the file that is written replaces the link. It is followed
// only to see whether it leads to a device, a pipe or a descriptor (/dev/stdout). These hold nothing that could be
// lost, and cannot be replaced.
//
// An object has the room for paths, since the stack may be a fiber's. It has no destructor, since a static object must
// run nothing at the end of a process. Throws nothing, and allocates nothing. One thread at a time uses an object.
#pragma once

#include <climits>
#include <sys/stat.h>

namespace teff {

// Why a file cannot be written, and what to do: "... cannot be written: WHY; ...; REMEDY".
struct file_problem {
    const char* why = nullptr;  // nullptr: there is no problem
    const char* remedy = nullptr;

    [[nodiscard]] explicit operator bool() const noexcept { return why != nullptr; }
};
// The problem that an error number describes.
[[nodiscard]] file_problem problem_of(int error) noexcept;

enum class place_kind {
    absent,      // there is nothing, or a link to a file or to nothing: a new file takes the place
    file,        // a new file takes the place
    special,     // a device, a pipe or a socket
    descriptor,  // an open one of a process, in /proc
};

class file_place {
public:
    constexpr file_place() noexcept = default;
    file_place(const file_place&) = delete;
    file_place& operator=(const file_place&) = delete;

    // Finds the place of the path; the one before is forgotten. Opens nothing but folders. Without a problem, forget()
    // has to follow.
    [[nodiscard]] file_problem find(const char* path) noexcept;
    // Closes the folder.
    void forget() noexcept;

    // The open folder and the name in it.
    [[nodiscard]] int folder() const noexcept { return folder_; }
    [[nodiscard]] const char* name() const noexcept { return name_; }
    [[nodiscard]] place_kind what() const noexcept { return what_; }
    // The status of the file that is there; unset if it is absent.
    [[nodiscard]] const struct stat& status() const noexcept { return status_; }

private:
    // An error number, or 0, or this: something is of another user where it must not be.
    static constexpr int foreign = -1;

    [[nodiscard]] int walk() noexcept;
    [[nodiscard]] int enter(const char* rest, bool& has_followed) noexcept;
    [[nodiscard]] int follow(int link, const char* rest) noexcept;
    [[nodiscard]] int look() noexcept;
    [[nodiscard]] int look_behind_link() noexcept;
    void set_folder(int descriptor) noexcept;

    int folder_ = -1;
    place_kind what_ = place_kind::absent;
    unsigned links_ = 0;
    struct stat status_{};
    char name_[NAME_MAX + 1]{};
    char path_[PATH_MAX]{};    // what is still to be walked
    char target_[PATH_MAX]{};  // of a link
};

}  // namespace teff
