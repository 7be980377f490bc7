// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines for interoperability objects (OpenMP 5.1, section 3.12). Without devices there is no such object but
// omp_interop_none, which has no properties. Fortran passes the arguments by address.
#include <cstdint>

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
