// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See record_file.hpp.
#include <teff/runtime/record_file.hpp>

#include <teff/base/assert.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace teff {

void record_file::warn_of(std::string_view name) const noexcept {
    teff::warn("%s: the file '%.*s' cannot be written: %s; there is no %s", variable_, static_cast<int>(name.size()),
               name.data(), std::strerror(errno), content_);
}

// Makes a relative name absolute: the program may change its folder later. False with errno set.
bool record_file::keep_name(std::string_view name) noexcept {
    std::size_t length = 0;
    if (!name.starts_with('/')) {
        if (::getcwd(name_, sizeof name_) == nullptr)
            return false;
        length = std::strlen(name_);
        name_[length++] = '/';
    }
    if (length + name.size() >= sizeof name_) {
        errno = ENAMETOOLONG;
        return false;
    }
    name.copy(name_ + length, name.size());
    name_[length + name.size()] = '\0';
    return true;
}

bool record_file::begin(std::string_view name) noexcept {
    std::FILE* const file = keep_name(name) ? open() : nullptr;
    if (file != nullptr && close(file))
        return true;
    warn_of(name);
    return false;
}

std::FILE* record_file::open() noexcept {
    const int descriptor = ::open(name_, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return nullptr;
    // Goes on without the lock where the file system has none.
    while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
    // EINVAL: it is no regular file, so there is nothing to empty.
    const bool is_empty = ::ftruncate(descriptor, 0) == 0 || errno == EINVAL;
    std::FILE* const file = is_empty ? ::fdopen(descriptor, "w") : nullptr;
    if (file == nullptr) {
        const int error = errno;
        ::close(descriptor);
        errno = error;
    }
    return file;
}

bool record_file::close(std::FILE* file) noexcept {
    const bool is_complete = std::fflush(file) == 0 && std::ferror(file) == 0;
    const int error = errno;
    // A child that was made without the handlers of fork() may have the descriptor, too, and would keep the lock.
    ::flock(::fileno(file), LOCK_UN);
    std::fclose(file);
    errno = error;
    return is_complete;
}

}  // namespace teff
