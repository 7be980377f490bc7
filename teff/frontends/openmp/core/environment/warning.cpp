// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One write per line, so that the lines of several threads do not mix.
#include <teff/frontends/openmp/core/environment/warning.hpp>

#include <teff/base/bounded_text.hpp>

#include <array>
#include <cstdlib>
#include <unistd.h>

namespace teff::openmp {
namespace {

void write_line(const char* begin, unsigned number, const char* text) noexcept {
    std::array<char, 1024> storage;
    bounded_text line(std::span<char>(storage).first(storage.size() - 1));
    line.add(begin).add(static_cast<long>(number)).add(": ").show(text);
    const std::size_t length = line.view().size();
    storage[length] = '\n';
    // A line that cannot be written is lost.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, storage.data(), length + 1);
}

}  // namespace

void warn_of(unsigned number, const char* text) noexcept { write_line("OMP: Warning #", number, text); }

void end_with_error(unsigned number, const char* text) noexcept {
    write_line("OMP: Error #", number, text);
    std::exit(1);
}

}  // namespace teff::openmp
