// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional exchanges, and atomic changes of any bytes, through their symbols.
#include "functions.hpp"

#include <cstring>

namespace {

using openmp_calls::function;
using openmp_calls::on_threads;

template <class T>
void check_exchange() {
    const std::string width = std::to_string(sizeof(T));
    const testing::ScopedTrace trace(__FILE__, __LINE__, width + " bytes");
    const auto whether = function<bool(void*, int, T*, T, T)>("__kmpc_atomic_bool_" + width + "_cas");
    const auto what = function<T(void*, int, T*, T, T)>("__kmpc_atomic_val_" + width + "_cas");
    const auto whether_captured = function<bool(void*, int, T*, T, T, T*)>("__kmpc_atomic_bool_" + width + "_cas_cpt");
    const auto what_captured = function<T(void*, int, T*, T, T, T*)>("__kmpc_atomic_val_" + width + "_cas_cpt");

    T x = -5, out = 99;
    EXPECT_FALSE(whether(nullptr, 0, &x, 4, 6));
    EXPECT_EQ(x, -5);
    EXPECT_TRUE(whether(nullptr, 0, &x, -5, 6));
    EXPECT_EQ(x, 6);
    EXPECT_EQ(what(nullptr, 0, &x, 4, 7), 6);
    EXPECT_EQ(x, 6);
    EXPECT_EQ(what(nullptr, 0, &x, 6, 7), 6);
    EXPECT_EQ(x, 7);

    EXPECT_TRUE(whether_captured(nullptr, 0, &x, 7, 8, &out));
    EXPECT_EQ(x, 8);
    EXPECT_EQ(out, 99);
    EXPECT_FALSE(whether_captured(nullptr, 0, &x, 7, 9, &out));
    EXPECT_EQ(x, 8);
    EXPECT_EQ(out, 8);
    EXPECT_EQ(what_captured(nullptr, 0, &x, 8, 9, &out), 8);
    EXPECT_EQ(x, 9);
    EXPECT_EQ(out, 9);
    EXPECT_EQ(what_captured(nullptr, 0, &x, 8, 10, &out), 9);
    EXPECT_EQ(out, 9);

    // Counts by exchanges, with each form in turn.
    constexpr unsigned threads = 3, rounds = 2'000;
    T counter = 0;
    on_threads(threads, [&](unsigned number) {
        T now = 0;
        for (unsigned round = 0; round < rounds; ++round) {
            T seen = __atomic_load_n(&counter, __ATOMIC_RELAXED);
            for (bool done = false; !done;) {
                const T next = static_cast<T>(seen + 1);
                switch ((round + number) % 4) {
                    case 0: done = whether(nullptr, 0, &counter, seen, next); break;
                    case 1: done = what(nullptr, 0, &counter, seen, next) == seen; break;
                    case 2: done = whether_captured(nullptr, 0, &counter, seen, next, &now); break;
                    default: done = what_captured(nullptr, 0, &counter, seen, next, &now) == seen; break;
                }
                if (!done)
                    seen = __atomic_load_n(&counter, __ATOMIC_RELAXED);
            }
        }
    });
    EXPECT_EQ(counter, static_cast<T>(threads * rounds));
}

TEST(openmp_atomic_exchange, compares_and_says_what_it_found) {
    check_exchange<std::int8_t>();
    check_exchange<std::int16_t>();
    check_exchange<std::int32_t>();
    check_exchange<std::int64_t>();
}

// Adds the value to each byte. Result and variable may be the same.
template <unsigned Size>
void add_to_bytes(void* result, void* before, void* value) {
    unsigned char made[Size];
    for (unsigned i = 0; i < Size; ++i)
        made[i] = static_cast<unsigned char>(static_cast<unsigned char*>(before)[i] +
                                             static_cast<unsigned char*>(value)[i]);
    std::memcpy(result, made, Size);
}

template <unsigned Size>
void check_bytes() {
    const testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(Size) + " bytes");
    const auto change = function<void(void*, int, void*, void*, void (*)(void*, void*, void*))>(
        "__kmpc_atomic_" + std::to_string(Size));
    constexpr unsigned threads = 3, rounds = 1'000;
    // One byte more on each side, which nothing may touch.
    alignas(8) unsigned char memory[Size + 16] = {};
    memory[7] = memory[8 + Size] = 77;
    on_threads(threads, [&](unsigned) {
        unsigned char value[Size];
        std::memset(value, 3, Size);
        for (unsigned round = 0; round < rounds; ++round)
            change(nullptr, 0, memory + 8, value, add_to_bytes<Size>);
    });
    for (unsigned i = 0; i < Size; ++i)
        EXPECT_EQ(memory[8 + i], static_cast<unsigned char>(3 * threads * rounds));
    EXPECT_EQ(memory[7], 77);
    EXPECT_EQ(memory[8 + Size], 77);
}

TEST(openmp_atomic_exchange, changes_any_bytes_by_a_function) {
    check_bytes<1>();
    check_bytes<2>();
    check_bytes<4>();
    check_bytes<8>();
    check_bytes<10>();
    check_bytes<16>();
    check_bytes<20>();
    check_bytes<32>();
}

}  // namespace
