// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a new file beside its destination and renames it over that at the end. Devices, pipes and descriptors are
// opened directly. See whole_file.hpp.
#include <teff/base/whole_file.hpp>

#include <teff/base/clock.hpp>

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace teff {
namespace {

constexpr mode_t usual_mode = 0666;
constexpr mode_t permissions = 0777;

// Gives a new file the permissions of another one, which are for that one's owner and group. Only root can keep the
// owner, and only members of the group can keep that; another group gets no more than all users get.
void make_alike(int made, const struct stat& old) noexcept {
    // Where the file system has no permissions, there are none to keep; so the results say nothing.
    (void)!::fchown(made, old.st_uid, static_cast<gid_t>(-1));
    (void)!::fchown(made, static_cast<uid_t>(-1), old.st_gid);
    struct stat now{};
    mode_t mode = old.st_mode & permissions;
    if (::fstat(made, &now) != 0 || now.st_gid != old.st_gid)
        mode = (mode & ~mode_t{S_IRWXG}) | (mode & ((mode & S_IRWXO) << 3));
    (void)!::fchmod(made, mode);
}

}  // namespace

// A new file in the folder of the place. Returns its descriptor, or -1 with errno set.
int whole_file::make_beside() noexcept {
    const bool is_there = place_.what() == place_kind::file;
    if (is_there && ::faccessat(place_.folder(), place_.name(), W_OK, 0) != 0)
        return -1;
    // The name need not be secret: a file or link that has it is never opened.
    auto number = static_cast<std::uint64_t>(monotonic_ns()) ^ static_cast<std::uint64_t>(::getpid()) << 40;
    int descriptor = -1;
    for (int attempt = 0; attempt != 100; ++attempt) {
        std::snprintf(beside_, sizeof beside_, ".teff-%016llx", static_cast<unsigned long long>(number));
        descriptor = ::openat(place_.folder(), beside_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                              usual_mode);
        if (descriptor >= 0 || errno != EEXIST)
            break;
        number = number * 6364136223846793005U + 1442695040888963407U;
    }
    if (descriptor < 0)
        beside_[0] = '\0';
    else if (is_there)
        make_alike(descriptor, place_.status());
    return descriptor;
}

// Opens a device, pipe or descriptor, which cannot be replaced. Returns a descriptor, or -1 with errno set.
int whole_file::open_directly() noexcept {
    constexpr int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
    if (place_.what() == place_kind::descriptor) {
        // O_NONBLOCK: opening a named pipe without a reader fails, instead of waiting for one.
        const int descriptor = ::openat(place_.folder(), place_.name(), flags | O_APPEND | O_NONBLOCK);
        if (descriptor >= 0)
            ::fcntl(descriptor, F_SETFL, O_APPEND);
        return descriptor;
    }
    const int descriptor = ::openat(place_.folder(), place_.name(), flags | O_NOFOLLOW);
    struct stat there{};
    if (descriptor < 0 || (::fstat(descriptor, &there) == 0 && there.st_dev == place_.status().st_dev &&
                           there.st_ino == place_.status().st_ino))
        return descriptor;
    ::close(descriptor);
    errno = EAGAIN;  // it was replaced since it was looked at
    return -1;
}

int whole_file::open_place(const char* path) noexcept {
    problem_ = place_.find(path);
    if (problem_)
        return -1;
    const bool takes_new = place_.what() == place_kind::absent || place_.what() == place_kind::file;
    const int descriptor = takes_new ? make_beside() : open_directly();
    if (descriptor < 0) {
        problem_ = problem_of(errno);
        place_.forget();
    }
    return descriptor;
}

void whole_file::end() noexcept {
    if (beside_[0] != '\0')
        ::unlinkat(place_.folder(), beside_, 0);
    beside_[0] = '\0';
    place_.forget();
}

file_problem whole_file::find_problem(const char* path) noexcept {
    if (const file_problem found = place_.find(path))
        return found;
    if (place_.what() == place_kind::special && !S_ISCHR(place_.status().st_mode)) {
        const bool is_usable = ::faccessat(place_.folder(), place_.name(), W_OK, 0) == 0;
        const file_problem found = is_usable ? file_problem{} : problem_of(errno);
        place_.forget();
        return found;
    }
    const int descriptor = open_place(path);
    if (descriptor < 0)
        return problem_;
    // Writes nothing, and still meets a device that is full.
    const file_problem found = ::write(descriptor, "", 0) == 0 ? file_problem{} : problem_of(errno);
    ::close(descriptor);
    end();
    return found;
}

std::FILE* whole_file::open(const char* path) noexcept {
    const int descriptor = open_place(path);
    if (descriptor < 0)
        return nullptr;
    stream_ = ::fdopen(descriptor, "w");
    if (stream_ == nullptr) {
        problem_ = problem_of(errno);
        ::close(descriptor);
        end();
    }
    return stream_;
}

bool whole_file::close() noexcept {
    if (stream_ == nullptr)
        return false;
    bool is_whole = std::fflush(stream_) == 0;
    int error = is_whole ? 0 : errno;
    if (is_whole && std::ferror(stream_) != 0) {
        is_whole = false;
        // The stream remembers that a write has failed, but not why, so one more is asked.
        error = ::write(::fileno(stream_), "\n", 1) < 0 ? errno : EIO;
    }
    // Some file systems tell only now that there is no room.
    if (std::fclose(stream_) != 0 && is_whole) {
        is_whole = false;
        error = errno;
    }
    stream_ = nullptr;
    if (is_whole && beside_[0] != '\0') {
        is_whole = ::renameat(place_.folder(), beside_, place_.folder(), place_.name()) == 0;
        error = errno;
        if (is_whole)
            beside_[0] = '\0';
    }
    problem_ = is_whole ? file_problem{} : problem_of(error);
    end();
    return is_whole;
}

void whole_file::discard() noexcept {
    if (stream_ == nullptr)
        return;
    std::fclose(stream_);
    stream_ = nullptr;
    end();
}

}  // namespace teff
