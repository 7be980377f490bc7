// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of fields, a text that counts what does not fit, and the format, which is kept under a mutex and copied for
// use. An unknown field is written as `undefined`. Each line is one write, so that the lines of several threads do not
// mix.
#include <teff/frontends/openmp/core/affinity/display.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/locks.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/machine/cpu_mask.hpp>

#include <array>
#include <charconv>
#include <climits>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace teff::openmp {
namespace {

class counted_text {
public:
    explicit counted_text(std::span<char> storage) noexcept : storage_(storage) {}

    void add(char character) noexcept {
        if (length_ + 1 < storage_.size())
            storage_[length_] = character;
        ++length_;
    }
    void add(std::string_view text) noexcept {
        for (const char character : text)
            add(character);
    }
    // Writes the zero at the end, and returns the length of the whole text.
    std::size_t finish() noexcept {
        if (!storage_.empty())
            storage_[length_ < storage_.size() ? length_ : storage_.size() - 1] = '\0';
        return length_;
    }

private:
    std::span<char> storage_;
    std::size_t length_ = 0;
};

// The value of a field. A longer one is cut off.
class field_value {
public:
    void add(std::string_view text) noexcept {
        const std::size_t added = text.size() < text_.size() - length_ ? text.size() : text_.size() - length_;
        text.copy(text_.data() + length_, added);
        length_ += added;
    }
    void add(long number) noexcept {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
        is_number = true;
    }
    std::string_view view() const noexcept { return {text_.data(), length_}; }

    bool is_number = false;

private:
    std::array<char, 1024> text_;
    std::size_t length_ = 0;
};

void add_host(field_value& to) noexcept {
    std::array<char, HOST_NAME_MAX + 1> name{};
    if (::gethostname(name.data(), name.size() - 1) == 0)
        to.add(std::string_view(name.data()));
}

// "0-3,8".
void add_processors(field_value& to, const cpu_mask& mask) noexcept {
    bool is_first = true;
    for (int cpu = 0; cpu < cpu_mask::capacity; ++cpu) {
        if (!mask.contains(cpu))
            continue;
        int last = cpu;
        while (mask.contains(last + 1))
            ++last;
        if (!is_first)
            to.add(",");
        is_first = false;
        to.add(static_cast<long>(cpu));
        if (last != cpu) {
            to.add("-");
            to.add(static_cast<long>(last));
        }
        cpu = last;
    }
    to.is_number = false;
}

long ancestor_number(const place& caller) noexcept {
    const place* const found = ancestor_at(caller, static_cast<int>(caller.in->level) - 1);
    return found != nullptr ? static_cast<long>(found->number) : -1;
}

struct field {
    char letter;
    std::string_view name;
    void (*add)(field_value& to, const place& caller) noexcept;
};
constexpr field fields[] = {
    {'t', "team_num",
     [](field_value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.in->league.number)); }},
    {'T', "num_teams",
     [](field_value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.in->league.size)); }},
    {'L', "nesting_level",
     [](field_value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.in->level)); }},
    {'n', "thread_num",
     [](field_value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.number)); }},
    {'N', "num_threads", [](field_value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.size)); }},
    {'a', "ancestor_tnum", [](field_value& to, const place& caller) noexcept { to.add(ancestor_number(caller)); }},
    {'H', "host", [](field_value& to, const place&) noexcept { add_host(to); }},
    {'P', "process_id", [](field_value& to, const place&) noexcept { to.add(static_cast<long>(::getpid())); }},
    {'i', "native_thread_id", [](field_value& to, const place&) noexcept { to.add(static_cast<long>(::gettid())); }},
    {'A', "thread_affinity",
     [](field_value& to, const place&) noexcept { add_processors(to, cpu_mask::of_calling_thread()); }},
};

// The part of a field between the percent sign and the name.
struct padding {
    bool has_zeros = false;
    bool is_before = false;
    std::size_t width = 0;
};
padding take_padding(std::string_view& rest) noexcept {
    padding found;
    if (rest.starts_with('0')) {
        found.has_zeros = true;
        rest.remove_prefix(1);
    }
    if (rest.starts_with('.')) {
        found.is_before = true;
        rest.remove_prefix(1);
    }
    constexpr std::size_t most = 4096;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
        found.width = found.width * 10 + static_cast<std::size_t>(rest.front() - '0');
        found.width = found.width < most ? found.width : most;
        rest.remove_prefix(1);
    }
    return found;
}

// Takes a field from the text; nullptr: there is no field of this name.
const field* take_field(std::string_view& rest) noexcept {
    if (rest.empty())
        return nullptr;
    std::string_view name = rest.substr(0, 1);
    std::size_t length = 1;
    if (name == "{") {
        const std::size_t end = rest.find('}');
        length = end == std::string_view::npos ? rest.size() : end + 1;
        name = rest.substr(1, end == std::string_view::npos ? end : end - 1);
    }
    const bool is_letter = length == 1;
    rest.remove_prefix(length);
    for (const field& each : fields)
        if (is_letter ? each.letter == name.front() : each.name == name)
            return &each;
    return nullptr;
}

void add_padded(counted_text& to, const field_value& what, const padding& pad) noexcept {
    std::string_view text = what.view();
    std::size_t missing = pad.width > text.size() ? pad.width - text.size() : 0;
    const bool has_zeros = pad.has_zeros && pad.is_before && what.is_number;
    if (has_zeros && text.starts_with('-')) {
        to.add('-');
        text.remove_prefix(1);
    }
    if (pad.is_before)
        for (; missing != 0; --missing)
            to.add(has_zeros ? '0' : ' ');
    to.add(text);
    for (; missing != 0; --missing)
        to.add(' ');
}

}  // namespace

std::size_t write_affinity(std::span<char> storage, std::string_view format, const place& caller) noexcept {
    counted_text to(storage);
    while (!format.empty()) {
        const char next = format.front();
        format.remove_prefix(1);
        if (next != '%' || format.starts_with('%')) {
            to.add(next);
            format.remove_prefix(next == '%' ? 1 : 0);
            continue;
        }
        const padding pad = take_padding(format);
        field_value what;
        if (const field* const found = take_field(format))
            found->add(what, caller);
        else
            what.add("undefined");
        add_padded(to, what, pad);
    }
    return to.finish();
}

namespace {

// A buffer that is allocated only for long texts.
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

    // Shorter than the requested size if there is no memory.
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
    char* text = nullptr;  // ends with a zero; nullptr: the format is that of the environment
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
