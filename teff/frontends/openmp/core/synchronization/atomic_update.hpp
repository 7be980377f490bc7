// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic changes of variables of the user's program (OpenMP 5.1, section 2.19.7).
//
// A variable of 1, 2, 4 or 8 bytes is changed by a compare-and-exchange loop. A variable of any other size is changed
// under one lock of the process. Rejected: the 16-byte compare-and-exchange that most processors have. Programs built
// by GCC take this lock around their own changes of wide variables, and only the same lock excludes these.
//
// The variable has a type of the program and may be misaligned, so teff::atomic cannot be used. The calls do not pass
// the memory order that the program asks for, so all operations are sequentially consistent. On x86-64 this costs extra
// only for stores.
#pragma once

#include <teff/frontends/openmp/core/synchronization/lock.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace teff::openmp {

template <std::size_t Size>
struct bits_of {};
template <>
struct bits_of<1> {
    using type [[gnu::may_alias]] = std::uint8_t;
};
template <>
struct bits_of<2> {
    using type [[gnu::may_alias]] = std::uint16_t;
};
template <>
struct bits_of<4> {
    using type [[gnu::may_alias]] = std::uint32_t;
};
template <>
struct bits_of<8> {
    using type [[gnu::may_alias]] = std::uint64_t;
};

// Whether variables of this size are changed without the lock.
constexpr bool is_lock_free(std::size_t size) noexcept { return size == 1 || size == 2 || size == 4 || size == 8; }

template <class T>
struct change {
    T before;
    T after;
};

// Replaces *where by next(*where), which may be called several times.
template <class T, class Next>
change<T> update(T* where, Next next) noexcept {
    if constexpr (is_lock_free(sizeof(T))) {
        using bits = typename bits_of<sizeof(T)>::type;
        auto* const word = reinterpret_cast<bits*>(where);
        change<T> made;
        bits wanted;
        // relaxed: the exchange compares this value with the present one.
        bits seen = __atomic_load_n(word, __ATOMIC_RELAXED);
        do {
            std::memcpy(&made.before, &seen, sizeof(T));
            made.after = next(made.before);
            std::memcpy(&wanted, &made.after, sizeof(T));
            // seq_cst: see above. relaxed on failure: the loop begins again.
        } while (!__atomic_compare_exchange_n(word, &seen, wanted, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
        return made;
    } else {
        const lock_scope held(atomic_lock);
        change<T> made;
        made.before = *where;
        made.after = next(made.before);
        *where = made.after;
        return made;
    }
}

// Replaces *where by `value` if `replaces(*where)`. Writes nothing otherwise: in a search for a maximum most calls only
// read, and the variable stays in the caches of all threads.
template <class T, class Replaces>
change<T> replace_if(T* where, T value, Replaces replaces) noexcept {
    if constexpr (is_lock_free(sizeof(T))) {
        using bits = typename bits_of<sizeof(T)>::type;
        auto* const word = reinterpret_cast<bits*>(where);
        T before;
        bits wanted;
        std::memcpy(&wanted, &value, sizeof(T));
        // seq_cst: see above; this load is the whole operation if nothing is replaced.
        bits seen = __atomic_load_n(word, __ATOMIC_SEQ_CST);
        do {
            std::memcpy(&before, &seen, sizeof(T));
            if (!replaces(before))
                return {before, before};
            // seq_cst: see above; also on failure, since the operation may end with the value that it has read.
        } while (!__atomic_compare_exchange_n(word, &seen, wanted, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
        return {before, value};
    } else {
        const lock_scope held(atomic_lock);
        const T before = *where;
        if (!replaces(before))
            return {before, before};
        *where = value;
        return {before, value};
    }
}

template <class T>
T read_whole(const T* where) noexcept {
    T value;
    if constexpr (is_lock_free(sizeof(T))) {
        using bits = typename bits_of<sizeof(T)>::type;
        // seq_cst: see above.
        const bits seen = __atomic_load_n(reinterpret_cast<const bits*>(where), __ATOMIC_SEQ_CST);
        std::memcpy(&value, &seen, sizeof(T));
    } else {
        const lock_scope held(atomic_lock);
        value = *where;
    }
    return value;
}

// Stores `value`; returns the value before.
template <class T>
T exchange_whole(T* where, T value) noexcept {
    T before;
    if constexpr (is_lock_free(sizeof(T))) {
        using bits = typename bits_of<sizeof(T)>::type;
        bits wanted;
        std::memcpy(&wanted, &value, sizeof(T));
        // seq_cst: see above.
        const bits seen = __atomic_exchange_n(reinterpret_cast<bits*>(where), wanted, __ATOMIC_SEQ_CST);
        std::memcpy(&before, &seen, sizeof(T));
    } else {
        const lock_scope held(atomic_lock);
        before = *where;
        *where = value;
    }
    return before;
}

}  // namespace teff::openmp
