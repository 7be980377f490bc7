// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads lists of places. A number that no processor can have, or a list with more places than there can be processors,
// is an error of the user, so that no list grows without bound.
#include <teff/frontends/openmp/core/environment/places_text.hpp>

#include <teff/base/assert.hpp>
#include <teff/machine/cpu_mask.hpp>
#include <teff/machine/text.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace teff::openmp::environment {
namespace {

constexpr long most = cpu_mask::capacity;

// The part of a text that is still to be read.
class cursor {
public:
    explicit cursor(std::string_view text) noexcept : rest_(trim(text)) {}

    bool is_at_end() const noexcept { return rest_.empty(); }
    bool take(char expected) noexcept {
        if (rest_.empty() || rest_.front() != expected)
            return false;
        rest_ = trim(rest_.substr(1));
        return true;
    }
    // Takes a number from `least` to `most`.
    bool take_number(long least, long& result) noexcept {
        std::size_t length = rest_.starts_with('-') ? 1 : 0;
        while (length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9')
            ++length;
        if (!parse_integer(rest_.substr(0, length), least, most, result))
            return false;
        rest_ = trim(rest_.substr(length));
        return true;
    }
    std::string_view take_letters() noexcept {
        std::size_t length = 0;
        while (length < rest_.size() && rest_[length] != '(' && !is_blank(rest_[length]))
            ++length;
        const std::string_view taken = rest_.substr(0, length);
        rest_ = trim(rest_.substr(length));
        return taken;
    }

private:
    std::string_view rest_;
};

// [: LENGTH [: STRIDE]]
bool take_interval(cursor& text, long& length, long& stride) noexcept {
    length = stride = 1;
    if (!text.take(':'))
        return true;
    if (!text.take_number(1, length))
        return false;
    return !text.take(':') || text.take_number(-most, stride);
}

void add_once(std::vector<int>& to, int cpu) {
    if (std::find(to.begin(), to.end(), cpu) == to.end())
        to.push_back(cpu);
}

// Takes numbers, intervals of numbers, and numbers that are excluded by `!`, up to the closing brace.
bool take_place(cursor& text, std::vector<int>& place) {
    std::vector<int> left_out;
    do {
        const bool is_left_out = text.take('!');
        long first = 0, length = 1, stride = 1;
        if (!text.take_number(0, first) || (!is_left_out && !take_interval(text, length, stride)))
            return false;
        for (long each = 0; each < length; ++each) {
            const long cpu = first + each * stride;
            if (cpu < 0 || cpu >= most)
                return false;
            add_once(is_left_out ? left_out : place, static_cast<int>(cpu));
        }
    } while (text.take(','));
    for (const int cpu : left_out)
        std::erase(place, cpu);
    return text.take('}') && !place.empty();
}

// Adds `length` places, each `stride` further than the one before.
bool add_places(place_lists& to, const std::vector<int>& first, long length, long stride) {
    for (long each = 0; each < length; ++each) {
        std::vector<int> shifted;
        for (const int cpu : first) {
            const long moved = cpu + each * stride;
            if (moved < 0 || moved >= most)
                return false;
            shifted.push_back(static_cast<int>(moved));
        }
        to.push_back(std::move(shifted));
    }
    return static_cast<long>(to.size()) <= most;
}

bool have_same_cpus(std::vector<int> one, std::vector<int> other) {
    std::sort(one.begin(), one.end());
    std::sort(other.begin(), other.end());
    return one == other;
}

// Takes places, intervals of places, and places that are excluded by `!`.
bool take_places(cursor& text, place_lists& places) {
    do {
        const bool is_left_out = text.take('!');
        std::vector<int> place;
        long cpu = 0, length = 1, stride = 1;
        if (text.take('{')) {
            if (!take_place(text, place))
                return false;
        } else if (text.take_number(0, cpu) && cpu < most) {
            place.push_back(static_cast<int>(cpu));
        } else {
            return false;
        }
        if (is_left_out) {
            std::erase_if(places, [&](const std::vector<int>& each) { return have_same_cpus(each, place); });
            continue;
        }
        if (!take_interval(text, length, stride) || !add_places(places, place, length, stride))
            return false;
    } while (text.take(','));
    return true;
}

constexpr std::string_view kinds[] = {"threads", "cores", "sockets", "ll_caches", "numa_domains"};

bool read_places(std::string_view from, places_text& result) {
    places_text read;
    cursor text(from);
    if (find_place_kind(from, read.kind)) {
        text.take_letters();
        if (text.take('(') && !(text.take_number(1, read.count) && text.take(')')))
            return false;
    } else {
        read.kind = place_kind::listed;
        if (!take_places(text, read.listed))
            return false;
    }
    if (!text.is_at_end() || (read.kind == place_kind::listed && read.listed.empty()))
        return false;
    result = std::move(read);
    return true;
}

bool read_cpu_list(std::string_view from, places_text& result) {
    places_text read;
    read.kind = place_kind::listed;
    cursor text(from);
    do {
        long first = 0, last = 0, stride = 1;
        if (!text.take_number(0, first))
            return false;
        last = first;
        if (text.take('-') && (!text.take_number(first, last) || (text.take(':') && !text.take_number(1, stride))))
            return false;
        if (last >= most)
            return false;
        for (long cpu = first; cpu <= last; cpu += stride)
            read.listed.push_back({static_cast<int>(cpu)});
        text.take(',');
    } while (!text.is_at_end());
    result = std::move(read);
    return true;
}

// Takes an item of KMP_AFFINITY, up to a comma that is not in brackets.
std::string_view take_item(std::string_view& rest) noexcept {
    int depth = 0;
    std::size_t length = 0;
    while (length < rest.size() && (depth != 0 || rest[length] != ',')) {
        depth += rest[length] == '[' ? 1 : rest[length] == ']' ? -1 : 0;
        ++length;
    }
    const std::string_view taken = rest.substr(0, length);
    rest.remove_prefix(std::min(length + 1, rest.size()));
    return trim(taken);
}

bool read_granularity(std::string_view name, place_kind& result) noexcept {
    constexpr std::string_view names[] = {"fine", "thread", "core", "tile", "socket", "package", "die", "numa",
                                          "node", "ll_cache", "llc", "group"};
    constexpr place_kind meanings[] = {place_kind::threads, place_kind::threads, place_kind::cores,
                                       place_kind::cores,   place_kind::sockets, place_kind::sockets,
                                       place_kind::sockets, place_kind::numa_domains, place_kind::numa_domains,
                                       place_kind::ll_caches, place_kind::ll_caches, place_kind::sockets};
    unsigned which = 0;
    if (!parse_word(name, names, which))
        return false;
    result = meanings[which];
    return true;
}

// [0,{1,2},3-5]: single numbers and ranges are places of one processor.
bool read_processor_list(std::string_view text, place_lists& result) {
    if (text.starts_with('[') && text.ends_with(']'))
        text = text.substr(1, text.size() - 2);
    places_text read;
    if (text.find('{') != std::string_view::npos ? !read_places(text, read) : !read_cpu_list(text, read))
        return false;
    result = std::move(read.listed);
    return true;
}

bool read_kmp_affinity(std::string_view text, affinity_text& result) {
    constexpr std::string_view types[] = {"none", "compact", "scatter", "explicit", "disabled", "balanced", "logical",
                                          "physical"};
    constexpr std::string_view without_meaning[] = {"warnings",  "nowarnings", "respect",
                                                    "norespect", "duplicates", "noduplicates"};
    using type = affinity_text::type;
    constexpr type meanings[] = {type::none,     type::compact, type::scatter, type::listed,
                                 type::disabled, type::scatter, type::compact, type::scatter};
    affinity_text read;
    bool has_list = false;
    while (!text.empty()) {
        std::string_view item = take_item(text);
        unsigned which = 0;
        long permutation = 0;
        if (parse_word(item, types, which)) {
            read.kind = meanings[which];
        } else if (is_word(item, "reset") || is_word(item, "noreset")) {
            read.resets = is_word(item, "reset");
        } else if (is_word(item, "verbose") || is_word(item, "noverbose")) {
            read.is_verbose = is_word(item, "verbose");
        } else if (parse_word(item, without_meaning, which) || parse_integer(item, 0, most, permutation)) {
            continue;
        } else {
            const std::string_view key = take_until(item, '=');
            if (is_word(key, "granularity") && read_granularity(item, read.granularity))
                continue;
            if (!is_word(key, "proclist") || !read_processor_list(trim(item), read.listed))
                return false;
            has_list = true;
        }
    }
    if (read.kind == type::listed && !has_list)
        return false;
    if (has_list && read.kind == type::none)
        read.kind = type::listed;
    result = std::move(read);
    return true;
}

// Without memory it cannot be decided whether the value is right, so the program ends.
template <class Read, class Result>
bool with_memory(Read&& read, std::string_view text, Result& result) noexcept {
    try {
        return read(text, result);
    } catch (const std::bad_alloc&) {
        fatal("OpenMP", "there is no memory for the list of places", "give the process more memory");
    }
}

template <class Result, class Parse>
bool is_valid(Parse&& parse, std::string_view text) noexcept {
    Result ignored;
    return parse(text, ignored);
}

}  // namespace

bool find_place_kind(std::string_view text, place_kind& result) noexcept {
    unsigned which = 0;
    if (!parse_word(cursor(text).take_letters(), kinds, which))
        return false;
    result = static_cast<place_kind>(which);
    return true;
}

bool parse_places(std::string_view text, places_text& result) noexcept {
    return with_memory(read_places, text, result);
}
bool parse_cpu_list(std::string_view text, places_text& result) noexcept {
    return with_memory(read_cpu_list, text, result);
}
bool parse_kmp_affinity(std::string_view text, affinity_text& result) noexcept {
    return with_memory(read_kmp_affinity, text, result);
}

bool parse_hardware_subset(std::string_view from, hardware_subset& result) noexcept {
    constexpr std::string_view names[] = {"s", "socket", "sockets", "c", "core", "cores", "t", "thread", "threads"};
    hardware_subset read;
    bool more = true;
    from = trim(from);
    if (from.starts_with(':')) {
        read.is_through_cores = true;
        from.remove_prefix(1);
    }
    while (more) {
        more = from.find(',') != std::string_view::npos;
        const std::string_view item = trim(take_until(from, ','));
        std::size_t digits = item.starts_with('*') ? 1 : 0;
        while (digits < item.size() && item[digits] >= '0' && item[digits] <= '9')
            ++digits;
        hardware_subset::part part;
        std::string_view name = item.substr(digits);
        const bool has_offset = name.find('@') != std::string_view::npos;
        unsigned which = 0;
        if (item.starts_with('*'))
            part.count = 0;
        else if (!parse_integer(item.substr(0, digits), 1, most, part.count))
            return false;
        if (!parse_word(take_until(name, '@'), names, which) ||
            (has_offset && !parse_integer(name, 0, most, part.offset)))
            return false;
        read.is_through_cores = read.is_through_cores && (which < 3 || which >= 6);
        (which < 3 ? read.sockets : which < 6 ? read.cores : read.threads) = part;
    }
    result = read;
    return true;
}

bool is_places_text(std::string_view text, settings&) noexcept { return is_valid<places_text>(parse_places, text); }
bool is_cpu_list_text(std::string_view text, settings&) noexcept { return is_valid<places_text>(parse_cpu_list, text); }
bool is_kmp_affinity_text(std::string_view text, settings&) noexcept {
    return is_valid<affinity_text>(parse_kmp_affinity, text);
}
bool is_hardware_subset_text(std::string_view text, settings&) noexcept {
    return is_valid<hardware_subset>(parse_hardware_subset, text);
}

}  // namespace teff::openmp::environment
