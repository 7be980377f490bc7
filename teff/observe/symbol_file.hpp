// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbols of a file that was loaded into the process, for the names of functions that the loader does not know:
// those of a program, and local ones. dladdr() knows only what is exported.
//
// Reads the full symbol table, or the one of the loader if the file was stripped. The file may be damaged or be another
// one by now: every offset is checked before it is followed, and what cannot be read counts as not there. It allocates
// nothing, and throws nothing. One thread at a time uses an object.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace teff {

// Where an address lies: in which file, and how far from where that was loaded.
struct loaded_place {
    char file[PATH_MAX];
    std::uintptr_t bias;
};
// False: in no file that is loaded. Any thread.
[[nodiscard]] bool find_loaded_place(const void* address, loaded_place& found) noexcept;

class symbol_file {
public:
    // A file that cannot be read has no symbols.
    explicit symbol_file(const char* path) noexcept;
    ~symbol_file();
    symbol_file(const symbol_file&) = delete;
    symbol_file& operator=(const symbol_file&) = delete;

    // The symbol at this address of the file: that of the function or object that it lies in; empty: there is none. The
    // text lives as long as the object.
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
