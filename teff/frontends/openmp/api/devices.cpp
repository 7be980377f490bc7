// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines for devices, their memory, and interoperability objects (OpenMP 5.1, sections 3.7, 3.8 and 3.12). The
// host is the only device, so memory of a device is the program's, nothing is mapped, and copies are plain copies.
// Failures are reported as the specification says: by a null pointer, or by a number other than 0.
#include <teff/frontends/openmp/core/environment/icvs.hpp>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace teff::openmp;

namespace {

constexpr bool is_device(int number) noexcept { return number == host_device; }

// Adds the distance in bytes of `offset` elements that are `stride` bytes apart. Returns false on overflow.
bool add_offset(std::size_t& bytes, std::size_t offset, std::size_t stride) noexcept {
    std::size_t more;
    return !__builtin_mul_overflow(offset, stride, &more) && !__builtin_add_overflow(bytes, more, &bytes);
}

struct side {
    std::byte* memory;
    const std::size_t* offsets;
    const std::size_t* dimensions;
};

// The size in bytes of one element of the first dimension. Returns false on overflow.
bool stride_of(std::size_t element, int below, const std::size_t* dimensions, std::size_t& stride) noexcept {
    stride = element;
    for (int i = 1; i <= below; ++i)
        if (__builtin_mul_overflow(stride, dimensions[i], &stride))
            return false;
    return true;
}

// Copies a block with `count` dimensions. The elements of the last dimension are contiguous.
bool copy_block(std::size_t element, int count, const std::size_t* volume, side to, side from) noexcept {
    std::size_t to_stride, from_stride, to_bytes = 0, from_bytes = 0;
    if (!stride_of(element, count - 1, to.dimensions, to_stride) ||
        !stride_of(element, count - 1, from.dimensions, from_stride) ||
        !add_offset(to_bytes, to.offsets[0], to_stride) || !add_offset(from_bytes, from.offsets[0], from_stride))
        return false;
    to.memory += to_bytes;
    from.memory += from_bytes;
    if (count == 1) {
        std::size_t size;
        if (__builtin_mul_overflow(element, volume[0], &size))
            return false;
        if (size != 0)
            std::memcpy(to.memory, from.memory, size);
        return true;
    }
    for (std::size_t i = 0; i < volume[0]; ++i) {
        if (!copy_block(element, count - 1, volume + 1, {to.memory, to.offsets + 1, to.dimensions + 1},
                        {from.memory, from.offsets + 1, from.dimensions + 1}))
            return false;
        to.memory += to_stride;
        from.memory += from_stride;
    }
    return true;
}

}  // namespace

extern "C" {

int omp_get_num_devices() { return other_devices; }
int omp_get_initial_device() { return host_device; }
int omp_get_device_num() { return host_device; }
int omp_is_initial_device() { return 1; }
[[gnu::alias("omp_get_num_devices")]] int omp_get_num_devices_();
[[gnu::alias("omp_get_initial_device")]] int omp_get_initial_device_();
[[gnu::alias("omp_get_device_num")]] int omp_get_device_num_();
[[gnu::alias("omp_is_initial_device")]] int omp_is_initial_device_();

void* omp_target_alloc(std::size_t size, int device) { return is_device(device) ? std::malloc(size) : nullptr; }
void omp_target_free(void* memory, int device) {
    if (is_device(device))
        std::free(memory);
}
int omp_target_is_present(const void* /*memory*/, int device) { return is_device(device) ? 1 : 0; }

int omp_target_memcpy(void* to, const void* from, std::size_t size, std::size_t to_offset, std::size_t from_offset,
                      int to_device, int from_device) {
    if (!is_device(to_device) || !is_device(from_device))
        return EINVAL;
    if (size != 0)
        std::memcpy(static_cast<std::byte*>(to) + to_offset, static_cast<const std::byte*>(from) + from_offset, size);
    return 0;
}
// Without both arrays it returns the number of dimensions that an array may have.
int omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int dimensions, const std::size_t* volume,
                           const std::size_t* to_offsets, const std::size_t* from_offsets,
                           const std::size_t* to_dimensions, const std::size_t* from_dimensions, int to_device,
                           int from_device) {
    if (to == nullptr && from == nullptr)
        return INT_MAX;
    if (!is_device(to_device) || !is_device(from_device) || dimensions < 1)
        return EINVAL;
    // The source is only read.
    auto* const source = static_cast<std::byte*>(const_cast<void*>(from));
    return copy_block(element, dimensions, volume, {static_cast<std::byte*>(to), to_offsets, to_dimensions},
                      {source, from_offsets, from_dimensions})
               ? 0
               : EINVAL;
}

// The host's memory cannot be associated with other memory.
int omp_target_associate_ptr(const void* /*host*/, const void* /*device_memory*/, std::size_t /*size*/,
                             std::size_t /*offset*/, int /*device*/) {
    return EINVAL;
}
int omp_target_disassociate_ptr(const void* /*memory*/, int /*device*/) { return EINVAL; }
}

// Interoperability objects. Without devices the only object is omp_interop_none, which has no properties. Fortran
// passes the arguments by address.
namespace {

using interop = const void*;

// omp_interop_property_t: from -9 to -1 for every object.
constexpr int first_property = -9;
const char* const names[] = {"targetsync", "device_context", "device",  "platform", "device_num",
                             "vendor_name", "vendor",        "fr_name", "fr_id"};
const char* const types[] = {"void*", "void*", "void*", "void*", "int", "const char*", "int", "const char*", "int"};

// omp_interop_rc_t
constexpr int empty = -1, out_of_range = -2, first_code = -6;
const char* const codes[] = {"another error",
                             "the property is a string",
                             "the property is a pointer",
                             "the property is an integer",
                             "there is no such property",
                             "the object is omp_interop_none",
                             "success",
                             "the object has no value for the property"};

const char* entry_of(const char* const* list, int first, int count, int number) noexcept {
    return number >= first && number < first + count ? list[number - first] : nullptr;
}

void set_code(int property, int* code) noexcept {
    if (code != nullptr)
        *code = property >= first_property && property < 0 ? empty : out_of_range;
}

}  // namespace

extern "C" {

int omp_get_num_interop_properties(interop) { return 0; }
std::intptr_t omp_get_interop_int(interop, int property, int* code) {
    set_code(property, code);
    return 0;
}
void* omp_get_interop_ptr(interop, int property, int* code) {
    set_code(property, code);
    return nullptr;
}
const char* omp_get_interop_str(interop, int property, int* code) {
    set_code(property, code);
    return nullptr;
}
const char* omp_get_interop_name(interop, int property) { return entry_of(names, first_property, 9, property); }
const char* omp_get_interop_type_desc(interop, int property) { return entry_of(types, first_property, 9, property); }
const char* omp_get_interop_rc_desc(interop, int code) { return entry_of(codes, first_code, 8, code); }

int omp_get_num_interop_properties_(const interop*) { return 0; }
std::intptr_t omp_get_interop_int_(const interop*, const int* property, int* code) {
    return omp_get_interop_int(nullptr, *property, code);
}
void* omp_get_interop_ptr_(const interop*, const int* property, int* code) {
    return omp_get_interop_ptr(nullptr, *property, code);
}
const char* omp_get_interop_str_(const interop*, const int* property, int* code) {
    return omp_get_interop_str(nullptr, *property, code);
}
const char* omp_get_interop_name_(const interop*, const int* property) {
    return omp_get_interop_name(nullptr, *property);
}
const char* omp_get_interop_type_desc_(const interop*, const int* property) {
    return omp_get_interop_type_desc(nullptr, *property);
}
const char* omp_get_interop_rc_desc_(const interop*, const int* code) {
    return omp_get_interop_rc_desc(nullptr, *code);
}
}
