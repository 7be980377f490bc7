// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ordered(n) with depend(sink) and depend(source) in every schedule: one loop, two and three nested ones, up and down,
// with steps, sinks outside of the loops, and with collapse. Compilers: gcc, clang.
#include "expect.h"

enum { length = 400, rows = 40, columns = 30, side = 9 };

static int line[length];
static unsigned field[rows + 2][columns + 2], expected_field[rows + 2][columns + 2];
static unsigned cube[side][side][side], expected_cube[side][side][side];

static void check_line(void) {
    for (int i = 0; i < length; i++)
        EXPECT_EQUAL(line[i], i % 2 == 0 ? (length - 2 - i) / 6 + 1 : 0);
    for (int i = 0; i < length; i++)
        line[i] = 0;
}

static void fill_field(unsigned filled[rows + 2][columns + 2]) {
    for (int i = 0; i < rows + 2; i++)
        for (int j = 0; j < columns + 2; j++)
            filled[i][j] = (unsigned)(i * 7 + j);
}
static void relax(unsigned in[rows + 2][columns + 2], int i, int j) {
    in[i][j] += 3 * in[i - 1][j] + 5 * in[i][j - 1] + 7 * in[i - 1][j + 1];
}
static void check_field(void) {
    for (int i = 0; i < rows + 2; i++)
        for (int j = 0; j < columns + 2; j++)
            EXPECT_EQUAL(field[i][j], expected_field[i][j]);
    fill_field(field);
}

static void count_paths(unsigned in[side][side][side], int i, int j, int k) {
    in[i][j][k] =
        1 + (i > 0 ? in[i - 1][j][k] : 0) + (j > 0 ? in[i][j - 1][k] : 0) + (k > 1 ? in[i][j][k - 2] : 0);
}
static void check_cube(void) {
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            for (int k = 0; k < side; k++) {
                EXPECT_EQUAL(cube[i][j][k], expected_cube[i][j][k]);
                cube[i][j][k] = 0;
            }
}

static void compute_expected(void) {
    fill_field(field);
    fill_field(expected_field);
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= columns; j++)
            relax(expected_field, i, j);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            for (int k = 0; k < side; k++)
                count_paths(expected_cube, i, j, k);
}

#define PRAGMA(text) _Pragma(#text)

#define DEFINE_FIELD(name, clauses)                                                                                    \
    static void run_field_##name(void) {                                                                               \
        _Pragma("omp parallel") PRAGMA(omp for ordered(2) clauses) for (int i = 1; i <= rows; i++)                     \
            for (int j = 1; j <= columns; j++) {                                                                       \
                _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1) depend(sink : i - 1, j + 1)")     \
                relax(field, i, j);                                                                                    \
                _Pragma("omp ordered depend(source)")                                                                  \
            }                                                                                                          \
        check_field();                                                                                                 \
    }
#define DEFINE_CUBE(name, type, clauses)                                                                               \
    static void run_cube_##name(void) {                                                                                \
        _Pragma("omp parallel") PRAGMA(omp for ordered(3) clauses) for (type i = 5; i < side + 5; i++)                 \
            for (type j = 5; j < side + 5; j++)                                                                        \
                for (type k = 5; k < side + 5; k++) {                                                                  \
                    _Pragma("omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k)")                       \
                    _Pragma("omp ordered depend(sink : i, j, k - 2)")                                                  \
                    count_paths(cube, (int)i - 5, (int)j - 5, (int)k - 5);                                             \
                    _Pragma("omp ordered depend(source)")                                                              \
                }                                                                                                      \
        check_cube();                                                                                                  \
    }
#define DEFINE_ALL(name, clauses)                                                                                      \
    DEFINE_FIELD(name, clauses)                                                                                        \
    DEFINE_FIELD(collapsed_##name, collapse(2) clauses)                                                                \
    DEFINE_CUBE(name, int, clauses)                                                                                    \
    DEFINE_CUBE(unsigned_##name, unsigned long long, clauses)                                                          \
    DEFINE_CUBE(collapsed_##name, int, collapse(2) clauses)                                                            \
    DEFINE_CUBE(collapsed_unsigned_##name, unsigned long long, collapse(2) clauses)                                    \
    static void run_##name(void) {                                                                                     \
        _Pragma("omp parallel") PRAGMA(omp for ordered(1) clauses) for (int i = length - 2; i >= 0; i -= 2) {          \
            _Pragma("omp ordered depend(sink : i + 6)")                                                                \
            line[i] = i + 6 >= length ? 1 : line[i + 6] + 1;                                                           \
            _Pragma("omp ordered depend(source)")                                                                      \
        }                                                                                                              \
        check_line();                                                                                                  \
        run_field_##name();                                                                                            \
        run_field_collapsed_##name();                                                                                  \
        run_cube_##name();                                                                                             \
        run_cube_unsigned_##name();                                                                                    \
        run_cube_collapsed_##name();                                                                                   \
        run_cube_collapsed_unsigned_##name();                                                                          \
    }

DEFINE_ALL(default, )
DEFINE_ALL(static, schedule(static))
DEFINE_ALL(static_1, schedule(static, 1))
DEFINE_ALL(static_5, schedule(static, 5))
DEFINE_ALL(dynamic, schedule(dynamic))
DEFINE_ALL(dynamic_3, schedule(dynamic, 3))
DEFINE_ALL(guided, schedule(guided))
DEFINE_ALL(guided_2, schedule(guided, 2))
DEFINE_ALL(runtime, schedule(runtime))
DEFINE_ALL(auto, schedule(auto))

int main(void) {
    compute_expected();
    run_default();
    run_static();
    run_static_1();
    run_static_5();
    run_dynamic();
    run_dynamic_3();
    run_guided();
    run_guided_2();
    run_runtime();
    run_auto();
    return expectations_failed;
}
