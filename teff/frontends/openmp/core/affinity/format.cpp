// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of fields, and a text that counts what does not fit. An unknown field is written as `undefined`.
#include <teff/frontends/openmp/core/affinity/format.hpp>

#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/machine/cpu_mask.hpp>

#include <array>
#include <charconv>
#include <climits>
#include <cstring>
#include <unistd.h>

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
    // Ends the text.
    std::size_t finish() noexcept {
        if (!storage_.empty())
            storage_[length_ < storage_.size() ? length_ : storage_.size() - 1] = '\0';
        return length_;
    }

private:
    std::span<char> storage_;
    std::size_t length_ = 0;
};

// The value of a field. Longer ones are cut off.
class value {
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

void add_host(value& to) noexcept {
    std::array<char, HOST_NAME_MAX + 1> name{};
    if (::gethostname(name.data(), name.size() - 1) == 0)
        to.add(std::string_view(name.data()));
}

// "0-3,8".
void add_processors(value& to, const cpu_mask& mask) noexcept {
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
    void (*add)(value& to, const place& caller) noexcept;
};
constexpr field fields[] = {
    {'t', "team_num",
     [](value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.in->league.number)); }},
    {'T', "num_teams",
     [](value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.in->league.size)); }},
    {'L', "nesting_level",
     [](value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.in->level)); }},
    {'n', "thread_num", [](value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.number)); }},
    {'N', "num_threads", [](value& to, const place& caller) noexcept { to.add(static_cast<long>(caller.size)); }},
    {'a', "ancestor_tnum", [](value& to, const place& caller) noexcept { to.add(ancestor_number(caller)); }},
    {'H', "host", [](value& to, const place&) noexcept { add_host(to); }},
    {'P', "process_id", [](value& to, const place&) noexcept { to.add(static_cast<long>(::getpid())); }},
    {'i', "native_thread_id", [](value& to, const place&) noexcept { to.add(static_cast<long>(::gettid())); }},
    {'A', "thread_affinity",
     [](value& to, const place&) noexcept { add_processors(to, cpu_mask::of_calling_thread()); }},
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

// The field with this name, which is taken from the text; nullptr: there is none.
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

void add_padded(counted_text& to, const value& what, const padding& pad) noexcept {
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
        value what;
        if (const field* const found = take_field(format))
            found->add(what, caller);
        else
            what.add("undefined");
        add_padded(to, what, pad);
    }
    return to.finish();
}

}  // namespace teff::openmp
