// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of the environment: a row for each that the runtime knows. All else asks the row: the reader
// (read.cpp), OMP_DISPLAY_ENV (show.cpp), and the page that documents them (document.cpp).
#pragma once

#include <teff/base/bounded_text.hpp>
#include <teff/frontends/openmp/core/environment/settings.hpp>

#include <span>
#include <string_view>

namespace teff::openmp::environment {

enum class origin : unsigned char {
    openmp,  // the specification's; always displayed
    other,   // of libgomp or LLVM, with a meaning here; displayed on `verbose`
    silent   // of these, without a meaning here: accepted with any value
};

struct variable {
    const char* name;
    origin from;
    const char* icv;      // what it sets
    const char* values;   // what it accepts, as a user writes it
    const char* usual;    // if it is not set
    const char* meaning;  // a sentence without a full stop
    // nullptr: any text is accepted, and the reader keeps it.
    bool (*parse)(std::string_view text, settings& into) noexcept = nullptr;
    // Adds the value in force; nullptr: that is the text, or else `unset`.
    void (*show)(bounded_text& to, const settings& from) noexcept = nullptr;
    const char* unset = "";
};

std::span<const variable> variables() noexcept;

// The index of the row with this name.
inline constexpr unsigned no_variable = ~0U;
unsigned find_variable(std::string_view name) noexcept;

}  // namespace teff::openmp::environment
