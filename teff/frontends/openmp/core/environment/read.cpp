// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads one variable after the other, decides between those of the same meaning, and shows them. Each line is one
// write. A list of places that is too long for a line is cut off.
#include <teff/frontends/openmp/core/environment/read.hpp>

#include <teff/frontends/openmp/core/environment/places_text.hpp>
#include <teff/frontends/openmp/core/environment/warning.hpp>
#include <teff/machine/text.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <unistd.h>

namespace teff::openmp::environment {
namespace {

// The reason why a value is wrong, if the variable takes numbers and the text is one; otherwise empty.
std::string_view reason_for(const variable& about, std::string_view text) noexcept {
    const auto number = parse_number(trim(text));
    if (!number || std::string_view(about.values).find("number") == std::string_view::npos)
        return "";
    return *number < 1 ? ", since it is too small" : ", since it is too large";
}

void complain(const variable& about, unsigned row, std::string_view text, const char* used) noexcept {
    std::array<char, 512> storage;
    bounded_text line(storage);
    line.add(about.name).add('=').quote(text).add(" cannot be used").add(reason_for(about, text));
    line.add("; it can be: ").add(about.values);
    line.add("; ").add(used).add(" is used instead");
    warn_of(row + 1, storage.data());
}

// Uses the kind of a list of places whose number is wrong, or cores for any other wrong list.
void take_wrong_places(reading& into, unsigned row, std::string_view text) noexcept {
    constexpr std::string_view names[] = {"threads", "cores", "sockets", "ll_caches", "numa_domains"};
    place_kind kind = place_kind::cores;
    find_place_kind(text, kind);
    into.texts[row] = names[static_cast<unsigned>(kind)];
    complain(variables()[row], row, text, names[static_cast<unsigned>(kind)].data());
}

}  // namespace

bool take(reading& into, std::string_view name, std::string_view text) noexcept {
    const unsigned row = find_variable(name);
    if (row == no_variable)
        return false;
    const variable& about = variables()[row];
    if (about.parse == nullptr || about.parse(text, into.values)) {
        into.texts[row] = text;
        return true;
    }
    if (name == "OMP_PLACES")
        take_wrong_places(into, row, text);
    else if (into.values.warns)
        complain(about, row, text, "the default");
    return false;
}

void read(reading& result, value_source value_of) noexcept {
    static_assert(most_variables >= 64);
    // Read first, since it says whether the other lines are written.
    if (const char* const text = value_of("KMP_WARNINGS"))
        take(result, "KMP_WARNINGS", text);
    for (const variable& each : variables()) {
        if (std::string_view(each.name) == "KMP_WARNINGS")
            continue;
        if (const char* const text = value_of(each.name))
            take(result, each.name, text);
    }
}

namespace {

void resolve_threads(reading& read, unsigned processors) noexcept {
    settings& values = read.values;
    const bool is_thread_list = values.threads.count > 1, is_bind_list = values.binds.count > 1;
    values.thread_limit = std::min(values.thread_limit, values.device_thread_limit);
    if (values.threads.count == 0) {
        values.threads.count = 1;
        values.threads.at[0] = std::min(processors, static_cast<unsigned>(values.thread_limit));
    }
    if (!read.has("OMP_MAX_ACTIVE_LEVELS")) {
        const bool is_nested = read.has("OMP_NESTED") ? values.is_nested : is_thread_list || is_bind_list;
        values.max_active_levels = is_nested ? long{no_limit} : 1;
    }
    values.is_nested = values.max_active_levels > 1;
}

void resolve_binding(reading& read) noexcept {
    settings& values = read.values;
    if (values.binds.count != 0)
        return;
    const bool has_places = read.has("OMP_PLACES") || read.has("GOMP_CPU_AFFINITY");
    binding used = has_places ? binding::any : binding::none;
    if (affinity_text old; !has_places && parse_kmp_affinity(read.text_of("KMP_AFFINITY"), old)) {
        using type = affinity_text::type;
        if (old.kind == type::compact || old.kind == type::listed)
            used = binding::close;
        else if (old.kind == type::scatter)
            used = binding::spread;
    }
    values.binds.count = 1;
    values.binds.at[0] = used;
}

void resolve_waiting(reading& read) noexcept {
    constexpr long usual_us = 50, turn_ns = 10;
    settings& values = read.values;
    if (read.has("KMP_BLOCKTIME"))
        return;
    if (read.has("GOMP_SPINCOUNT"))
        values.block_time_us = values.spin_count > LONG_MAX / turn_ns
                                   ? endless_us
                                   : std::min(values.spin_count * turn_ns / 1000, endless_us);
    else if (values.policy == wait_policy::active)
        values.block_time_us = endless_us;
    else if (values.policy == wait_policy::passive)
        values.block_time_us = 0;
    else
        values.block_time_us = values.library == library_mode::turnaround ? endless_us : usual_us;
}

}  // namespace

void resolve(reading& result, unsigned processors) noexcept {
    resolve_threads(result, processors);
    resolve_binding(result);
    resolve_waiting(result);
    settings& values = result.values;
    for (const std::size_t other : {values.kmp_stack_size, values.gomp_stack_size})
        if (values.stack_size == 0)
            values.stack_size = other;
}

namespace {

class line {
public:
    bounded_text& text() noexcept { return text_; }
    void write(int descriptor) noexcept {
        const std::size_t length = text_.view().size();
        storage_[length] = '\n';
        [[maybe_unused]] const ssize_t written = ::write(descriptor, storage_.data(), length + 1);
    }

private:
    std::array<char, 2048> storage_;
    bounded_text text_{std::span<char>(storage_).first(storage_.size() - 1)};
};

void write_text(int descriptor, std::string_view text) noexcept {
    line made;
    made.text().add(text);
    made.write(descriptor);
}

void add_value(bounded_text& to, const reading& read, unsigned row) noexcept {
    const variable& about = variables()[row];
    if (about.show != nullptr)
        about.show(to, read.values);
    else if (read.texts[row].data() != nullptr)
        to.add(read.texts[row]);
    else
        to.add(about.unset);
}

void show_row(int descriptor, const reading& read, unsigned row) noexcept {
    line made;
    made.text().add("  [host] ").add(variables()[row].name).add("='");
    add_value(made.text(), read, row);
    made.text().add("'  # ").add(read.texts[row].data() != nullptr ? "environment" : "default");
    made.write(descriptor);
}

}  // namespace

void show(int descriptor, const reading& read, bool is_verbose) noexcept {
    write_text(descriptor, "");
    write_text(descriptor, "OPENMP DISPLAY ENVIRONMENT BEGIN");
    write_text(descriptor, "  _OPENMP='202011'");
    for (unsigned row = 0; row < variables().size(); ++row) {
        const origin from = variables()[row].from;
        if (from == origin::openmp ||
            (is_verbose && (from == origin::other || read.texts[row].data() != nullptr)))
            show_row(descriptor, read, row);
    }
    write_text(descriptor, "OPENMP DISPLAY ENVIRONMENT END");
}

void show_settings(int descriptor, const reading& read) noexcept {
    write_text(descriptor, "");
    write_text(descriptor, "User settings:");
    write_text(descriptor, "");
    for (unsigned row = 0; row < variables().size(); ++row)
        if (read.texts[row].data() != nullptr) {
            line made;
            made.text().add("   ").add(variables()[row].name).add('=').add(read.texts[row]);
            made.write(descriptor);
        }
    write_text(descriptor, "");
    write_text(descriptor, "Effective settings:");
    write_text(descriptor, "");
    for (unsigned row = 0; row < variables().size(); ++row)
        if (variables()[row].from != origin::silent) {
            line made;
            made.text().add("   ").add(variables()[row].name).add("='");
            add_value(made.text(), read, row);
            made.text().add('\'');
            made.write(descriptor);
        }
}

}  // namespace teff::openmp::environment
