// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format is kept under a mutex and copied for use. One write per line, so that the lines of several threads do not
// mix.
#include <teff/frontends/openmp/core/affinity/display.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/locks.hpp>
#include <teff/frontends/openmp/core/affinity/format.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <array>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace teff::openmp {
namespace {

// Texts of usual length need no allocation.
class text_buffer {
public:
    explicit text_buffer(std::size_t size) noexcept : size_(size) {
        if (size > small_.size())
            large_ = static_cast<char*>(allocate(size, 1));
    }
    ~text_buffer() {
        if (large_ != nullptr)
            deallocate(large_, size_, 1);
    }
    text_buffer(const text_buffer&) = delete;
    text_buffer& operator=(const text_buffer&) = delete;

    // Shorter than asked for if there is no memory.
    std::span<char> all() noexcept {
        if (large_ != nullptr)
            return {large_, size_};
        return std::span<char>(small_).first(size_ < small_.size() ? size_ : small_.size());
    }

private:
    std::array<char, 1024> small_;
    char* large_ = nullptr;
    const std::size_t size_;
};

struct kept_format {
    mutex guard;
    char* text = nullptr;  // with a zero at its end; nullptr: the usual one
    std::size_t length = 0;

    std::string_view view() const noexcept {
        return text != nullptr ? std::string_view(text, length) : process().affinity_format;
    }
};
constinit kept_format kept;

std::size_t copy(std::string_view from, std::span<char> to) noexcept {
    if (!to.empty()) {
        const std::size_t copied = from.size() < to.size() ? from.size() : to.size() - 1;
        std::memcpy(to.data(), from.data(), copied);
        to[copied] = '\0';
    }
    return from.size();
}

struct displayed {
    unsigned level = 0;
    unsigned size = 0;  // 0: none yet
    binding bind = binding::none;
    cpu_position opener;
    bool operator==(const displayed&) const = default;
};
constinit thread_local displayed last [[gnu::tls_model("initial-exec")]];

}  // namespace

void set_affinity_format(std::string_view format) noexcept {
    auto* const text = static_cast<char*>(allocate(format.size() + 1, 1));
    if (text == nullptr)
        fatal("OpenMP", "there is no memory for the affinity format", "give the process more memory");
    copy(format, {text, format.size() + 1});
    char* before = text;
    std::size_t length_before = format.size();
    {
        const scoped_lock locked(kept.guard);
        std::swap(kept.text, before);
        std::swap(kept.length, length_before);
    }
    if (before != nullptr)
        deallocate(before, length_before + 1, 1);
}

std::size_t get_affinity_format(std::span<char> to) noexcept {
    process();
    const scoped_lock locked(kept.guard);
    return copy(kept.view(), to);
}

std::size_t capture_affinity(const place& caller, std::span<char> to, std::string_view format) noexcept {
    if (!format.empty())
        return write_affinity(to, format, caller);
    text_buffer used(get_affinity_format({}) + 1);
    const std::size_t length = get_affinity_format(used.all());
    const std::size_t copied = length < used.all().size() ? length : used.all().size() - 1;
    return write_affinity(to, {used.all().data(), copied}, caller);
}

void display_affinity(const place& caller, std::string_view format) noexcept {
    text_buffer line(capture_affinity(caller, {}, format) + 1);
    const std::span<char> all = line.all();
    const std::size_t length = capture_affinity(caller, all, format);
    const std::size_t end = length < all.size() ? length : all.size() - 1;
    all[end] = '\n';
    // A line that cannot be written is lost.
    [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, all.data(), end + 1);
}

bool is_new_to_display(const place& opener, const team& next) noexcept {
    const displayed now{next.level, next.size, next.bind, opener.cpus};
    return std::exchange(last, now) != now;
}

}  // namespace teff::openmp
