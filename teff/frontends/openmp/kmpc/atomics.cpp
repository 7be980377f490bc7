// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The atomic operations as functions, by type and operation: atomic_rows.inc says which exist. GCC and Clang emit
// instructions instead and call few of these; objects of Intel's compilers call them.
//
//   __kmpc_atomic_TYPE_OPERATION        x = x operation value
//   ..._cpt                             the same; returns the value after it if `after` is not 0, else the value before
//   ..._rev, ..._cpt_rev                x = value operation x
//   __kmpc_atomic_TYPE_{rd,wr,swp}      read, write, exchange
//
//   __kmpc_atomic_bool_SIZE_cas         x = value if x == expected; returns whether it did
//   __kmpc_atomic_bool_SIZE_cas_cpt     the same; stores x through `out` if it did not
//   __kmpc_atomic_val_SIZE_cas          x = value if x == expected; returns the value of x before it
//   __kmpc_atomic_val_SIZE_cas_cpt      the same; stores the value of x after it through `out`
//   __kmpc_atomic_SIZE                  x = operation(x, value): a function of the compiler's, which gets the addresses
//                                       of the result, of x and of the value
#include <teff/frontends/openmp/core/synchronization/atomic_update.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstdint>
#include <type_traits>

using namespace teff::openmp;
using kmpc::ident;

namespace {

__extension__ typedef _Complex float cmplx4;
__extension__ typedef _Complex double cmplx8;
__extension__ typedef _Complex long double cmplx10;

// Integers wrap around, as they do in the instructions that compilers emit.
template <class T>
constexpr auto wrapping(T value) noexcept {
    if constexpr (std::is_integral_v<T>)
        return static_cast<std::uint64_t>(value);
    else
        return value;
}

#define TEFF_OPERATION(name, expression)                                                                               \
    struct do_##name {                                                                                                 \
        template <class T>                                                                                             \
        static T of(T a, T b) noexcept {                                                                               \
            return static_cast<T>(expression);                                                                         \
        }                                                                                                              \
    };
TEFF_OPERATION(add, wrapping(a) + wrapping(b))
TEFF_OPERATION(sub, wrapping(a) - wrapping(b))
TEFF_OPERATION(mul, wrapping(a) * wrapping(b))
TEFF_OPERATION(div, (a / b))
TEFF_OPERATION(andb, (a & b))
TEFF_OPERATION(orb, (a | b))
TEFF_OPERATION(xor, (a ^ b))
TEFF_OPERATION(neqv, (a ^ b))
TEFF_OPERATION(eqv, ~(a ^ b))
TEFF_OPERATION(andl, (a && b))
TEFF_OPERATION(orl, (a || b))
TEFF_OPERATION(shl, (a << b))
TEFF_OPERATION(shr, (a >> b))
#undef TEFF_OPERATION
struct do_max {};
struct do_min {};

template <class Operation, class T>
change<T> apply(T* where, T value) noexcept {
    if constexpr (std::is_same_v<Operation, do_max>)
        return replace_if(where, value, [value](T before) { return before < value; });
    else if constexpr (std::is_same_v<Operation, do_min>)
        return replace_if(where, value, [value](T before) { return value < before; });
    else
        return update(where, [value](T before) { return Operation::of(before, value); });
}
template <class Operation, class T>
change<T> apply_reversed(T* where, T value) noexcept {
    return update(where, [value](T before) { return Operation::of(value, before); });
}
template <class Operation, class Wider, class T>
void apply_mixed(T* where, Wider value) noexcept {
    update(where, [value](T before) { return static_cast<T>(Operation::of(static_cast<Wider>(before), value)); });
}

template <class T>
T captured(const change<T>& made, int after) noexcept {
    return after != 0 ? made.after : made.before;
}

}  // namespace

#define COMMUTES(name, type, operation)                                                                                \
    void __kmpc_atomic_##name##_##operation(ident*, int, type* where, type value) {                                    \
        apply<do_##operation>(where, value);                                                                           \
    }                                                                                                                  \
    type __kmpc_atomic_##name##_##operation##_cpt(ident*, int, type* where, type value, int after) {                   \
        return captured(apply<do_##operation>(where, value), after);                                                   \
    }
#define ORDERED(name, type, operation)                                                                                 \
    COMMUTES(name, type, operation)                                                                                    \
    void __kmpc_atomic_##name##_##operation##_rev(ident*, int, type* where, type value) {                              \
        apply_reversed<do_##operation>(where, value);                                                                  \
    }                                                                                                                  \
    type __kmpc_atomic_##name##_##operation##_cpt_rev(ident*, int, type* where, type value, int after) {               \
        return captured(apply_reversed<do_##operation>(where, value), after);                                          \
    }
#define WHOLE(name, type)                                                                                              \
    type __kmpc_atomic_##name##_rd(ident*, int, type* where) { return read_whole(where); }                             \
    void __kmpc_atomic_##name##_wr(ident*, int, type* where, type value) { exchange_whole(where, value); }             \
    type __kmpc_atomic_##name##_swp(ident*, int, type* where, type value) { return exchange_whole(where, value); }
#define MIXED(name, type, operation, other, wider)                                                                     \
    void __kmpc_atomic_##name##_##operation##_##other(ident*, int, type* where, wider value) {                         \
        apply_mixed<do_##operation>(where, value);                                                                     \
    }

#define COMMUTES_INTO(name, type, operation)                                                                           \
    void __kmpc_atomic_##name##_##operation(ident*, int, type* where, type value) {                                    \
        apply<do_##operation>(where, value);                                                                           \
    }                                                                                                                  \
    void __kmpc_atomic_##name##_##operation##_cpt(ident*, int, type* where, type value, type* out, int after) {        \
        *out = captured(apply<do_##operation>(where, value), after);                                                   \
    }
#define ORDERED_INTO(name, type, operation)                                                                            \
    COMMUTES_INTO(name, type, operation)                                                                               \
    void __kmpc_atomic_##name##_##operation##_rev(ident*, int, type* where, type value) {                              \
        apply_reversed<do_##operation>(where, value);                                                                  \
    }                                                                                                                  \
    void __kmpc_atomic_##name##_##operation##_cpt_rev(ident*, int, type* where, type value, type* out, int after) {    \
        *out = captured(apply_reversed<do_##operation>(where, value), after);                                          \
    }
#define WHOLE_INTO(name, type)                                                                                         \
    type __kmpc_atomic_##name##_rd(ident*, int, type* where) { return read_whole(where); }                             \
    void __kmpc_atomic_##name##_wr(ident*, int, type* where, type value) { exchange_whole(where, value); }             \
    void __kmpc_atomic_##name##_swp(ident*, int, type* where, type value, type* out) {                                 \
        *out = exchange_whole(where, value);                                                                           \
    }

extern "C" {
#include <teff/frontends/openmp/kmpc/atomic_rows.inc>
}

// Conditional exchanges, and operations of the compiler on any bytes.
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
    const lock_scope held(atomic_lock);
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
