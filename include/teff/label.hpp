// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names a part of the program in the trace (teff/timeline.hpp):
//
//   void step(grid& of) {
//       const teff::label here("exchange borders");
//       ...
//   }
//
// The label lasts from the construction of the object to its destruction, and is shown inside of the task that it lies
// in. While nothing is traced it costs a call that returns at once.
#pragma once

#include <teff/base/fits.hpp>

#include <concepts>
#include <cstdint>

namespace teff {

namespace tracing {

// A label that has begun.
struct open_label {
    const void* thread = nullptr;  // nullptr: it is not recorded
    std::int64_t begin = 0;        // in cycles
    const char* text = nullptr;
    unsigned depth = 0;            // number of slices around it
};
// Both on the thread that runs the code. Between them a fiber may have been left, and have moved to another thread.
void begin_label(open_label& made, const char* text) noexcept;
void end_label(const open_label& begun) noexcept;

}  // namespace tracing

// A string literal. The trace keeps its address, so only texts that live until the process exits are accepted: from any
// other text the call does not compile. A literal of a library that was closed (dlclose) is not shown.
class label_text {
public:
    // For the compiler only.
    consteval label_text(const char* literal) noexcept : text_(literal) {}
    // The text.
    constexpr const char* text() const noexcept { return text_; }

private:
    const char* text_;
};

// A scope with a name. Any thread or fiber; the object belongs to the thread or fiber that has made it.
class label {
public:
    // Begins the label. Give the object a name: one without ends at once.
    [[nodiscard]] explicit label(label_text name) noexcept { tracing::begin_label(begun_, name.text()); }
    // Ends it.
    ~label() {
        if (begun_.thread != nullptr)
            tracing::end_label(begun_);
    }
    label(const label&) = delete;
    label& operator=(const label&) = delete;
    // Does not compile: a label is the scope that it stands in.
    template <std::same_as<label> Same>
    explicit label(Same&&) noexcept {
        static_assert(fits::never<Same>, "teff: a label cannot be moved, since it is the scope that it stands in; keep "
                                         "a std::unique_ptr<teff::label> of one that is to last longer");
    }

private:
    tracing::open_label begun_;
};

}  // namespace teff
