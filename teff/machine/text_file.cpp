// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads lines through open(2) and read(2). Interrupted calls are repeated, and errno is left unchanged.
#include <teff/machine/text_file.hpp>

#include <teff/machine/text.hpp>

#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace teff {
namespace {

int open_for_reading(const char* path) noexcept {
    const int saved_errno = errno;
    int descriptor;
    do {
        descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    errno = saved_errno;
    return descriptor;
}

// Returns the number of bytes read; 0 at the end of the file and on every error.
std::size_t read_some(int descriptor, char* destination, std::size_t size) noexcept {
    const int saved_errno = errno;
    ssize_t count;
    do {
        count = ::read(descriptor, destination, size);
    } while (count < 0 && errno == EINTR);
    errno = saved_errno;
    return count < 0 ? 0 : static_cast<std::size_t>(count);
}

}  // namespace

text_file::text_file(const char* path) noexcept : descriptor_(open_for_reading(path)) {}

text_file::~text_file() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

bool text_file::refill() noexcept {
    if (descriptor_ < 0)
        return false;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) {
        // The line is longer than the buffer: skip it up to its end.
        skipping_ = true;
        end_ = 0;
    }
    const std::size_t count = read_some(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
    end_ += count;
    return count > 0;
}

bool text_file::next_line(std::string_view& line) noexcept {
    for (;;) {
        const char* const first = buffer_.data() + begin_;
        const void* const newline = std::memchr(first, '\n', end_ - begin_);
        if (newline != nullptr) {
            line = {first, static_cast<std::size_t>(static_cast<const char*>(newline) - first)};
            begin_ += line.size() + 1;
            if (!skipping_)
                return true;
            skipping_ = false;
            continue;
        }
        if (skipping_)
            begin_ = end_;
        if (refill())
            continue;
        if (begin_ == end_ || skipping_)
            return false;
        line = {buffer_.data() + begin_, end_ - begin_};
        begin_ = end_;
        return true;
    }
}

std::string_view read_first_line(const char* path, std::span<char> storage) noexcept {
    text_file file(path);
    std::string_view line;
    if (!file.next_line(line))
        return {};
    line = trim(line);
    if (line.size() > storage.size())
        return {};
    line.copy(storage.data(), line.size());
    return {storage.data(), line.size()};
}

std::optional<int> read_leading_number(const char* path) noexcept {
    std::array<char, 2048> storage;
    const std::string_view text = read_first_line(path, storage);
    std::size_t digits = text.starts_with('-') ? 1 : 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9')
        ++digits;
    const auto number = parse_number(text.substr(0, digits));
    if (!number || *number < INT_MIN || *number > INT_MAX)
        return std::nullopt;
    return static_cast<int>(*number);
}

}  // namespace teff
