// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional exchanges, and atomic changes of any bytes by a function of the compiler.
//
//   __kmpc_atomic_bool_SIZE_cas        x = value if x == expected; whether it did
//   __kmpc_atomic_bool_SIZE_cas_cpt    the same; stores x through `out` if it did not
//   __kmpc_atomic_val_SIZE_cas         x = value if x == expected; what x was
//   __kmpc_atomic_val_SIZE_cas_cpt     the same; stores what x is now through `out`
//   __kmpc_atomic_SIZE                 x = operation(x, value): the operation gets where to store, x, and the value
#include <teff/frontends/openmp/core/synchronization/atomic_update.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstdint>

using namespace teff::openmp;
using kmpc::ident;

namespace {

using operation = void (*)(void* result, void* before, void* value);

template <class T>
change<T> exchange_if_equal(T* where, T expected, T value) noexcept {
    return replace_if(where, value, [expected](T before) { return before == expected; });
}

template <class Word>
void change_bytes(void* where, void* value, operation change_by) noexcept {
    update(static_cast<Word*>(where), [&](Word before) {
        Word after;
        change_by(&after, &before, value);
        return after;
    });
}
void change_bytes_in_place(void* where, void* value, operation change_by) noexcept {
    const lock_scope held(atomic_lock());
    change_by(where, where, value);
}

}  // namespace

#define TEFF_CAS(size, type)                                                                                           \
    bool __kmpc_atomic_bool_##size##_cas(ident*, int, type* where, type expected, type value) {                        \
        return exchange_if_equal(where, expected, value).before == expected;                                           \
    }                                                                                                                  \
    bool __kmpc_atomic_bool_##size##_cas_cpt(ident*, int, type* where, type expected, type value, type* out) {         \
        const type before = exchange_if_equal(where, expected, value).before;                                          \
        if (before != expected)                                                                                        \
            *out = before;                                                                                             \
        return before == expected;                                                                                     \
    }                                                                                                                  \
    type __kmpc_atomic_val_##size##_cas(ident*, int, type* where, type expected, type value) {                         \
        return exchange_if_equal(where, expected, value).before;                                                       \
    }                                                                                                                  \
    type __kmpc_atomic_val_##size##_cas_cpt(ident*, int, type* where, type expected, type value, type* out) {          \
        const change<type> made = exchange_if_equal(where, expected, value);                                           \
        *out = made.after;                                                                                             \
        return made.before;                                                                                            \
    }                                                                                                                  \
    void __kmpc_atomic_##size(ident*, int, void* where, void* value, operation change_by) {                            \
        change_bytes<type>(where, value, change_by);                                                                   \
    }

extern "C" {

TEFF_CAS(1, std::int8_t)
TEFF_CAS(2, std::int16_t)
TEFF_CAS(4, std::int32_t)
TEFF_CAS(8, std::int64_t)

void __kmpc_atomic_10(ident*, int, void* where, void* value, operation change_by) {
    change_bytes_in_place(where, value, change_by);
}
void __kmpc_atomic_16(ident*, int, void* where, void* value, operation change_by) {
    change_bytes_in_place(where, value, change_by);
}
void __kmpc_atomic_20(ident*, int, void* where, void* value, operation change_by) {
    change_bytes_in_place(where, value, change_by);
}
void __kmpc_atomic_32(ident*, int, void* where, void* value, operation change_by) {
    change_bytes_in_place(where, value, change_by);
}
}
