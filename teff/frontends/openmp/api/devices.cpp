// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines for devices and their memory (OpenMP 5.1, sections 3.7 and 3.8). The host is the only device, so memory
// of a device is the program's, nothing is mapped, and copies are plain copies. Failures are what the specification
// says: a null pointer, or a number that is not 0.
#include <teff/frontends/openmp/core/environment/devices.hpp>

#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <cstring>

using namespace teff::openmp;

namespace {

constexpr bool is_device(int number) noexcept { return number == host_device; }

// Where the part with this offset begins, in the bytes of an array of these dimensions; false if it is too far.
bool add_offset(std::size_t& bytes, std::size_t offset, std::size_t stride) noexcept {
    std::size_t more;
    return !__builtin_mul_overflow(offset, stride, &more) && !__builtin_add_overflow(bytes, more, &bytes);
}

struct side {
    std::byte* memory;
    const std::size_t* offsets;
    const std::size_t* dimensions;
};

// The product of the sizes below the first dimension; false if it is too large.
bool stride_of(std::size_t element, int below, const std::size_t* dimensions, std::size_t& stride) noexcept {
    stride = element;
    for (int i = 1; i <= below; ++i)
        if (__builtin_mul_overflow(stride, dimensions[i], &stride))
            return false;
    return true;
}

// Copies a block with `count` dimensions; one dimension is contiguous.
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
// Without both arrays: how many dimensions there may be.
int omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int dimensions, const std::size_t* volume,
                           const std::size_t* to_offsets, const std::size_t* from_offsets,
                           const std::size_t* to_dimensions, const std::size_t* from_dimensions, int to_device,
                           int from_device) {
    if (to == nullptr && from == nullptr)
        return INT_MAX;
    if (!is_device(to_device) || !is_device(from_device) || dimensions < 1)
        return EINVAL;
    // Only read.
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
