// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines about where threads run: processor places (OpenMP 5.1, sections 3.3.2 to 3.3.7), the text that shows a
// thread's place (sections 3.3.8 to 3.3.11), and the masks of processors of Clang's runtime.
//
// A routine has up to four names: that of C; `ompc_` or `kmpc_`, which Clang's header for C declares as well; and
// Fortran's, with an underscore at the end, and in the names that end in `_8_` with integers of 8 bytes.
#include <teff/base/allocation.hpp>
#include <teff/frontends/openmp/core/affinity/binding.hpp>
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/affinity/display.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <cstdint>
#include <cstring>
#include <span>

// Processor places. A number without a place has no processors.
using namespace teff::openmp;

namespace {

place& settled_place() noexcept {
    place& caller = this_place();
    bind_initial_thread(caller);
    return caller;
}

std::span<const int> processors_of(std::int64_t number) noexcept {
    this_place();
    const place_lists& all = cpu_places();
    if (number < 0 || static_cast<std::size_t>(number) >= all.size())
        return {};
    return all[static_cast<std::size_t>(number)];
}

template <class Integer>
void write_processors(std::int64_t number, Integer* to) noexcept {
    for (const int cpu : processors_of(number))
        *to++ = cpu;
}
template <class Integer>
void write_partition(Integer* to) noexcept {
    const place_range& partition = settled_place().cpus.partition;
    for (int each = 0; each < partition.count; ++each)
        *to++ = partition.first + each;
}

}  // namespace

extern "C" {

int omp_get_num_places() {
    this_place();
    return static_cast<int>(cpu_places().size());
}
int omp_get_place_num() { return settled_place().cpus.place; }
int omp_get_partition_num_places() { return settled_place().cpus.partition.count; }
int omp_get_place_num_procs(int number) { return static_cast<int>(processors_of(number).size()); }
void omp_get_place_proc_ids(int number, int* ids) { write_processors(number, ids); }
void omp_get_partition_place_nums(int* numbers) { write_partition(numbers); }

[[gnu::alias("omp_get_num_places")]] int omp_get_num_places_();
[[gnu::alias("omp_get_place_num")]] int omp_get_place_num_();
[[gnu::alias("omp_get_partition_num_places")]] int omp_get_partition_num_places_();
int omp_get_place_num_procs_(const std::int32_t* number) { return omp_get_place_num_procs(*number); }
int omp_get_place_num_procs_8_(const std::int64_t* number) { return static_cast<int>(processors_of(*number).size()); }
void omp_get_place_proc_ids_(const std::int32_t* number, std::int32_t* ids) { write_processors(*number, ids); }
void omp_get_place_proc_ids_8_(const std::int64_t* number, std::int64_t* ids) { write_processors(*number, ids); }
void omp_get_partition_place_nums_(std::int32_t* numbers) { write_partition(numbers); }
void omp_get_partition_place_nums_8_(std::int64_t* numbers) { write_partition(numbers); }
}

// The affinity format. Fortran passes the lengths of texts behind all other arguments; its texts are filled with blanks
// and have no zero at the end.
namespace {

std::string_view text_of(const char* format) noexcept { return format == nullptr ? "" : format; }
std::string_view text_of(const char* format, std::size_t length) noexcept {
    std::string_view text(format, length);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

// size: includes the zero at the end of a text in C.
std::span<char> room(char* to, std::size_t size) noexcept { return {to, to == nullptr ? 0 : size}; }

// Writes a text of Fortran: fills the rest of `to` with blanks.
template <class Write>
std::size_t write_for_fortran(char* to, std::size_t size, Write&& write) noexcept {
    const std::size_t length = write(room(to, size));
    if (length < size) {
        std::memset(to + length, ' ', size - length);
    } else if (size != 0) {
        // The zero has replaced the last character, so the text is written again with room for both.
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

// Masks of processors, an extension of Clang's runtime. The program holds a pointer to a mask, and passes the address
// of that pointer.
using teff::cpu_mask;

namespace {

constexpr int done = 0, failed = -1, not_usable = -2;

// `done`, or the error code for a wrong processor number.
int check(int cpu, cpu_mask* const* mask) noexcept {
    if (mask == nullptr || *mask == nullptr || cpu < 0 || cpu >= cpu_mask::capacity)
        return failed;
    this_place();
    return usable_processors().contains(cpu) ? done : not_usable;
}

}  // namespace

extern "C" {

void kmp_create_affinity_mask(cpu_mask** mask) { *mask = teff::create<cpu_mask>(); }
void kmp_destroy_affinity_mask(cpu_mask** mask) {
    teff::destroy(*mask);
    *mask = nullptr;
}

int kmp_set_affinity(cpu_mask** mask) {
    if (mask == nullptr || *mask == nullptr || !(*mask)->bind_calling_thread())
        return failed;
    forget_binding();
    return done;
}
int kmp_get_affinity(cpu_mask** mask) {
    if (mask == nullptr || *mask == nullptr)
        return failed;
    **mask = cpu_mask::of_calling_thread();
    return done;
}

// An upper bound of all processor numbers.
int kmp_get_affinity_max_proc() {
    this_place();
    int end = cpu_mask::capacity;
    while (end > 1 && !usable_processors().contains(end - 1))
        --end;
    return end;
}
int kmp_set_affinity_mask_proc(int cpu, cpu_mask** mask) {
    const int result = check(cpu, mask);
    if (result == done)
        (*mask)->add(cpu);
    return result;
}
int kmp_unset_affinity_mask_proc(int cpu, cpu_mask** mask) {
    const int result = check(cpu, mask);
    if (result == done)
        (*mask)->remove(cpu);
    return result;
}
// 1: the mask contains the processor; 0: it does not, or the process may not use the processor.
int kmp_get_affinity_mask_proc(int cpu, cpu_mask** mask) {
    const int result = check(cpu, mask);
    return result == done ? (*mask)->contains(cpu) : result == not_usable ? 0 : failed;
}

// Lets the calling thread run on all processors that the process was allowed to use at its start.
void kmp_set_thread_affinity_mask_initial() {
    this_place();
    if (usable_processors().bind_calling_thread())
        forget_binding();
}

int kmpc_set_affinity_mask_proc(int cpu, cpu_mask** mask) { return kmp_set_affinity_mask_proc(cpu, mask); }
int kmpc_unset_affinity_mask_proc(int cpu, cpu_mask** mask) { return kmp_unset_affinity_mask_proc(cpu, mask); }
int kmpc_get_affinity_mask_proc(int cpu, cpu_mask** mask) { return kmp_get_affinity_mask_proc(cpu, mask); }

[[gnu::alias("kmp_create_affinity_mask")]] void kmp_create_affinity_mask_(cpu_mask** mask);
[[gnu::alias("kmp_destroy_affinity_mask")]] void kmp_destroy_affinity_mask_(cpu_mask** mask);
[[gnu::alias("kmp_set_affinity")]] int kmp_set_affinity_(cpu_mask** mask);
[[gnu::alias("kmp_get_affinity")]] int kmp_get_affinity_(cpu_mask** mask);
[[gnu::alias("kmp_get_affinity_max_proc")]] int kmp_get_affinity_max_proc_();
int kmp_set_affinity_mask_proc_(const std::int32_t* cpu, cpu_mask** mask) {
    return kmp_set_affinity_mask_proc(*cpu, mask);
}
int kmp_unset_affinity_mask_proc_(const std::int32_t* cpu, cpu_mask** mask) {
    return kmp_unset_affinity_mask_proc(*cpu, mask);
}
int kmp_get_affinity_mask_proc_(const std::int32_t* cpu, cpu_mask** mask) {
    return kmp_get_affinity_mask_proc(*cpu, mask);
}
}
