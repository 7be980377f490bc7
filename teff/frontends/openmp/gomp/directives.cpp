// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for directives without a block: error (OpenMP 5.1, section 2.5.4) and allocate, also as a clause.
#include <teff/base/bounded_text.hpp>
#include <teff/frontends/openmp/core/data/allocator.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

// The error directive. Its line has the words of GCC's runtime, since scripts look for them.
namespace {

// length: SIZE_MAX for a message that ends with a zero.
void write_directive(const char* begin, const char* message, std::size_t length) noexcept {
    char storage[1024];
    teff::bounded_text line(storage);
    line.add(begin).add("error directive encountered");
    if (message != nullptr)
        line.add(": ").add(length == SIZE_MAX ? std::string_view(message) : std::string_view(message, length));
    line.add('\n');
    // A line that cannot be written is lost.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.view().data(), line.view().size());
}

}  // namespace

extern "C" {

void GOMP_warning(const char* message, std::size_t length) { write_directive("\nlibgomp: ", message, length); }
void GOMP_error(const char* message, std::size_t length) {
    write_directive("\nlibgomp: fatal error: ", message, length);
    std::exit(1);
}
}

// Variables with an allocator. The program has no code for the case that there is no memory for a variable.
using namespace teff::openmp;

extern "C" {

void* GOMP_alloc(std::size_t alignment, std::size_t size, allocator_handle from) {
    return allocate_variable(from, alignment, size);
}
void GOMP_free(void* block, allocator_handle /*from*/) { free_block(block); }
}
