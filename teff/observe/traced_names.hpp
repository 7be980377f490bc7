// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the slices of a trace, as texts of JSON strings. First all addresses are added, then find_all() looks up
// their names, then the names are read.
//
// A function's name comes from its symbol. Without a symbol it is "FILE+0x1234", which addr2line understands, and
// "0x1234" if the library was closed. At most 200 characters are kept. Throws nothing. One thread at a time uses an
// object.
#pragma once

#include <cstddef>
#include <string_view>

namespace teff {

// Derives the name of a slice from the symbol of the function that runs it. For the templates that run tasks, the name
// is the type of the user's function.
//
//   teff::forking::group_task<teff::task_group, main::{lambda()#1}>::run_and_end(teff::task_header&)
//       becomes main::{lambda()#1}

// The part of a demangled symbol that names the user's function; the whole symbol if it names no function of this
// library.
[[nodiscard]] std::string_view user_part(std::string_view demangled) noexcept;

// The template argument with this number (from 0), in a text that begins with the arguments; empty if there are fewer.
[[nodiscard]] std::string_view template_argument(std::string_view arguments, std::size_t number) noexcept;

class traced_names {
public:
    traced_names() noexcept = default;
    ~traced_names();
    traced_names(const traced_names&) = delete;
    traced_names& operator=(const traced_names&) = delete;

    // what: the address of a function or virtual table, or of a text. False: there is no memory.
    [[nodiscard]] bool add(const void* what, bool is_text) noexcept;
    void find_all() noexcept;
    // The name of an address that was added.
    [[nodiscard]] const char* of(const void* what) const noexcept;

private:
    struct entry {
        const void* what = nullptr;
        bool is_text = false;
        char* name = nullptr;
    };

    [[nodiscard]] entry& place_of(const void* what) const noexcept;
    [[nodiscard]] bool grow() noexcept;

    entry* entries_ = nullptr;
    std::size_t capacity_ = 0;  // a power of two, or 0
    std::size_t count_ = 0;
};

// Writes the text, escaped for a JSON string (escaped_text.hpp) and zero-terminated, as much of it as fits into `size`
// bytes.
void write_json_text(char* to, std::size_t size, std::string_view text) noexcept;

}  // namespace teff
