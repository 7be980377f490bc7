// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines that say where threads may run, and in which form (OpenMP 5.1, sections 3.3.8 to 3.3.11). The names that
// begin with `ompc_` are those of Clang's header for C. Fortran's names, with an underscore at the end, pass lengths
// behind all other arguments; its texts end with blanks and have no zero.
#include <teff/frontends/openmp/core/affinity/display.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

#include <cstring>

using namespace teff::openmp;

namespace {

std::string_view text_of(const char* format) noexcept { return format == nullptr ? "" : format; }
std::string_view text_of(const char* format, std::size_t length) noexcept {
    std::string_view text(format, length);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

// size: with the zero that a text in C has at its end.
std::span<char> room(char* to, std::size_t size) noexcept { return {to, to == nullptr ? 0 : size}; }

// The other way round: fills what is left with blanks.
template <class Write>
std::size_t write_for_fortran(char* to, std::size_t size, Write&& write) noexcept {
    const std::size_t length = write(room(to, size));
    if (length < size) {
        std::memset(to + length, ' ', size - length);
    } else if (size != 0) {
        // The zero took the place of the last character: it is written again, into a text that has room for it.
        char* const longer = static_cast<char*>(__builtin_alloca(size + 1));
        write(room(longer, size + 1));
        std::memcpy(to, longer, size);
    }
    return length;
}

}  // namespace

extern "C" {

void omp_set_affinity_format(const char* format) { set_affinity_format(text_of(format)); }
std::size_t omp_get_affinity_format(char* to, std::size_t size) { return get_affinity_format(room(to, size)); }
void omp_display_affinity(const char* format) { display_affinity(this_place(), text_of(format)); }
std::size_t omp_capture_affinity(char* to, std::size_t size, const char* format) {
    return capture_affinity(this_place(), room(to, size), text_of(format));
}

void ompc_set_affinity_format(const char* format) { omp_set_affinity_format(format); }
std::size_t ompc_get_affinity_format(char* to, std::size_t size) { return omp_get_affinity_format(to, size); }
void ompc_display_affinity(const char* format) { omp_display_affinity(format); }
std::size_t ompc_capture_affinity(char* to, std::size_t size, const char* format) {
    return omp_capture_affinity(to, size, format);
}

void omp_set_affinity_format_(const char* format, std::size_t length) { set_affinity_format(text_of(format, length)); }
std::size_t omp_get_affinity_format_(char* to, std::size_t size) {
    return write_for_fortran(to, size, [](std::span<char> room) noexcept { return get_affinity_format(room); });
}
void omp_display_affinity_(const char* format, std::size_t length) {
    display_affinity(this_place(), text_of(format, length));
}
std::size_t omp_capture_affinity_(char* to, const char* format, std::size_t size, std::size_t length) {
    return write_for_fortran(to, size, [=](std::span<char> room) noexcept {
        return capture_affinity(this_place(), room, text_of(format, length));
    });
}
}
