// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See file_place.hpp. While a path is walked, `folder_` is the folder that has been reached and `name_` a name in it.
#include <teff/base/file_place.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>
#include <utility>

namespace teff {
namespace {

constexpr unsigned most_links = 40;  // as in Linux
constexpr int folder_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

bool may_be_taken(const struct stat& there, const struct stat& folder) noexcept {
    return there.st_uid == ::geteuid() || there.st_uid == folder.st_uid ||
           (folder.st_mode & (S_ISVTX | S_IWOTH)) == 0;
}

// Links there are no paths, although they can be read as some.
bool is_of_processes(int folder) noexcept {
    struct statfs system{};
    return ::fstatfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

// Closes a descriptor and keeps errno.
void close_quietly(int descriptor) noexcept {
    const int error = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    errno = error;
}

}  // namespace

file_problem problem_of(int error) noexcept {
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return {std::strerror(error), "make room, or name another file"};
    case ENOENT:
    case ENOTDIR: return {std::strerror(error), "name a file in a folder that exists"};
    default: return {std::strerror(error), "name a file that can be written"};
    }
}

void file_place::set_folder(int descriptor) noexcept { close_quietly(std::exchange(folder_, descriptor)); }

void file_place::forget() noexcept { set_folder(-1); }

// Until `name_` is the last name of the path.
int file_place::walk() noexcept {
    if (path_[0] == '/' || folder_ < 0)
        set_folder(::open(path_[0] == '/' ? "/" : ".", folder_flags));
    if (folder_ < 0)
        return errno;
    for (const char* rest = path_;;) {
        while (*rest == '/')
            ++rest;
        const std::size_t length = std::strcspn(rest, "/");
        if (length == 0)
            return path_[0] == '\0' ? ENOENT : EISDIR;
        if (length >= sizeof name_)
            return ENAMETOOLONG;
        std::memcpy(name_, rest, length);
        name_[length] = '\0';
        rest += length;
        if (*rest == '\0')
            return std::strcmp(name_, ".") == 0 || std::strcmp(name_, "..") == 0 ? EISDIR : 0;
        bool has_followed = false;
        if (const int error = enter(rest, has_followed); error != 0)
            return error;
        if (has_followed)
            rest = path_;
    }
}

// Enters the folder with the present name. If it is a link, the path becomes where it leads, and then `rest`.
int file_place::enter(const char* rest, bool& has_followed) noexcept {
    const int next = ::openat(folder_, name_, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat there{}, around{};
    if (next < 0 || ::fstat(next, &there) != 0 || ::fstat(folder_, &around) != 0) {
        const int error = errno;
        close_quietly(next);
        return error;
    }
    if (S_ISDIR(there.st_mode)) {
        set_folder(next);
        return 0;
    }
    has_followed = S_ISLNK(there.st_mode);
    const int error = !has_followed ? ENOTDIR : !may_be_taken(there, around) ? foreign : follow(next, rest);
    close_quietly(next);
    return error;
}

// `link` is open; `rest` is a part of the path, or empty.
int file_place::follow(int link, const char* rest) noexcept {
    if (++links_ > most_links)
        return ELOOP;
    const ssize_t read = ::readlinkat(link, "", target_, sizeof target_);
    if (read < 0)
        return errno;
    const auto size = static_cast<std::size_t>(read);
    const std::size_t left = std::strlen(rest);
    if (size + left >= sizeof path_)
        return ENAMETOOLONG;
    std::memmove(path_ + size, rest, left + 1);
    std::memcpy(path_, target_, size);
    if (path_[0] == '/')
        set_folder(::open("/", folder_flags));
    return folder_ < 0 ? errno : 0;
}

// Finds out what kind of file has the present name.
int file_place::look() noexcept {
    struct stat around{};
    what_ = place_kind::absent;
    if (::fstat(folder_, &around) != 0)
        return errno;
    if (::fstatat(folder_, name_, &status_, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? 0 : errno;
    if (S_ISDIR(status_.st_mode))
        return EISDIR;
    if (!may_be_taken(status_, around))
        return foreign;
    if (S_ISREG(status_.st_mode))
        what_ = place_kind::file;
    else if (!S_ISLNK(status_.st_mode))
        what_ = place_kind::special;
    else if (is_of_processes(folder_))
        what_ = place_kind::descriptor;
    else
        return look_behind_link();
    return 0;
}

// The place stays that of the link, unless the link leads to something that is no file.
int file_place::look_behind_link() noexcept {
    const int named_folder = ::fcntl(folder_, F_DUPFD_CLOEXEC, 0);
    char named[sizeof name_];
    std::memcpy(named, name_, sizeof named);
    const int link = named_folder < 0 ? -1 : ::openat(folder_, name_, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    // It may have been replaced since it was looked at.
    struct stat there{};
    int error = link < 0 || ::fstat(link, &there) != 0                             ? errno
                : there.st_ino != status_.st_ino || there.st_dev != status_.st_dev ? EAGAIN
                                                                                   : follow(link, "");
    close_quietly(link);
    if (error == 0)
        error = walk();
    if (error == 0)
        error = look();
    // A link to nothing.
    if (error == ENOENT)
        error = 0;
    if (error == 0 && (what_ == place_kind::file || what_ == place_kind::absent)) {
        what_ = place_kind::absent;
        set_folder(named_folder);
        std::memcpy(name_, named, sizeof named);
        return 0;
    }
    close_quietly(named_folder);
    return error;
}

file_problem file_place::find(const char* path) noexcept {
    forget();
    links_ = 0;
    const std::size_t size = std::strlen(path);
    if (size >= sizeof path_)
        return problem_of(ENAMETOOLONG);
    std::memcpy(path_, path, size + 1);
    int error = walk();
    if (error == 0)
        error = look();
    if (error == 0)
        return {};
    forget();
    if (error == foreign)
        return {"another user has made what is there, in a folder where others may write",
                "name a file in a folder of your own"};
    return problem_of(error);
}

}  // namespace teff
