// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each line is written by itself. A list of places that is too long for a line is cut off.
#include <teff/frontends/openmp/core/environment/show.hpp>

#include <array>
#include <unistd.h>

namespace teff::openmp::environment {
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
