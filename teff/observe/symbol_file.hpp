// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbols of a file that was loaded into the process. They name the functions that dladdr() does not know, since
// they are not exported: those of a program, and local ones.
//
// Reads the full symbol table, or the dynamic one if the file was stripped. The file may be damaged, or was replaced
// since it was loaded: every offset is checked before it is followed, and unreadable parts count as missing. Allocates
// and throws nothing. One thread at a time uses an object.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace teff {

// The file that contains an address, and the bias: an address in the process minus the bias is the address in the file.
struct loaded_place {
    char file[PATH_MAX];
    std::uintptr_t bias;
};
// Returns false if the address is in no loaded file. Any thread.
[[nodiscard]] bool find_loaded_place(const void* address, loaded_place& found) noexcept;

class symbol_file {
public:
    // A file that cannot be read has no symbols.
    explicit symbol_file(const char* path) noexcept;
    ~symbol_file();
    symbol_file(const symbol_file&) = delete;
    symbol_file& operator=(const symbol_file&) = delete;

    // The symbol of the function or object that contains this address of the file; empty if there is none. The text
    // lives as long as this object.
    [[nodiscard]] std::string_view at(std::uintptr_t address) const noexcept;

private:
    struct table {
        std::size_t symbols = 0, count = 0;  // the offset of the first one, and how many
        std::size_t texts = 0, texts_size = 0;
    };

    template <class T>
    [[nodiscard]] bool read(std::size_t offset, T& into) const noexcept;
    bool use_section(std::uint32_t wanted) noexcept;

    const unsigned char* bytes_ = nullptr;
    std::size_t size_ = 0;
    table table_;
};

}  // namespace teff
