// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' loops, reductions and sorts: a fiber for each piece, in the caller's team of tasks. The functions of
// qutil.h are those of qloop.h under other names. loop_queue.cpp has the loops whose parts are taken from a queue.
#include <teff/qthread/own_data.hpp>
#include <teff/qthread/qloop.h>
#include <teff/qthread/qutil.h>

#include <teff/parallel_sort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

namespace {

using namespace teff::qthreads;

// Calls body(i) for each index, each on a fiber of its own.
template <class Body>
void for_each(std::size_t start, std::size_t stop, const Body& body) {
    ensure_team();
    task_team_record* const team = is_on_fiber() ? own().team : nullptr;
    const scoped_asleep asleep;
    teff::coforall(start, stop, [&body, team](std::size_t i) {
        be_in_team(team);
        body(i);
    });
}

// The bounds of one of `parts` equal parts.
std::size_t bound(std::size_t start, std::size_t stop, std::size_t parts, std::size_t part) noexcept {
    const std::size_t length = stop - start;
    return start + length / parts * part + std::min(part, length % parts);
}
std::size_t parts_of(std::size_t start, std::size_t stop) {
    return std::clamp<std::size_t>(stop - start, 1, qthread_num_workers());
}

// Combines all elements, beginning with `neutral`.
template <class T, class Combine>
T reduce(const T* array, std::size_t length, bool awaits_full, T neutral, Combine combine) {
    const std::size_t parts = parts_of(0, length);
    std::vector<T> results(parts, neutral);
    for_each(std::size_t{0}, parts, [&](std::size_t part) {
        T result = neutral;
        for (std::size_t i = bound(0, length, parts, part); i < bound(0, length, parts, part + 1); ++i)
            result = combine(result, awaits_full ? teff::read_ff(const_cast<T&>(array[i])) : array[i]);
        results[part] = result;
    });
    T result = neutral;
    for (const T each : results)
        result = combine(result, each);
    return result;
}

template <class T>
T sum(const T* array, std::size_t length, int awaits_full) {
    return reduce(array, length, awaits_full != 0, T{0}, [](T a, T b) { return a + b; });
}
template <class T>
T product(const T* array, std::size_t length, int awaits_full) {
    return reduce(array, length, awaits_full != 0, T{1}, [](T a, T b) { return a * b; });
}
template <class T>
T largest(const T* array, std::size_t length, int awaits_full) {
    return reduce(array, length, awaits_full != 0, std::numeric_limits<T>::lowest(),
                  [](T a, T b) { return std::max(a, b); });
}
template <class T>
T smallest(const T* array, std::size_t length, int awaits_full) {
    return reduce(array, length, awaits_full != 0, std::numeric_limits<T>::max(),
                  [](T a, T b) { return std::min(a, b); });
}

template <class T>
void sort(T* array, std::size_t length) {
    ensure_team();
    teff::parallel_sort(array, array + length);
}

}  // namespace

extern "C" {

void qt_loop(std::size_t start, std::size_t stop, qt_loop_f function, void* argument) {
    for_each(start, stop, [=](std::size_t i) { function(i, i + 1, argument); });
}
void qt_loop_step(std::size_t start, std::size_t stop, std::size_t stride, qt_loop_step_f function, void* argument) {
    const std::size_t count = start < stop && stride != 0 ? (stop - start + stride - 1) / stride : 0;
    for_each(std::size_t{0}, count, [=](std::size_t) { function(argument); });
}
void qt_loop_balance(std::size_t start, std::size_t stop, qt_loop_f function, void* argument) {
    if (start >= stop)
        return;
    const std::size_t parts = parts_of(start, stop);
    for_each(std::size_t{0}, parts, [=](std::size_t part) {
        function(bound(start, stop, parts, part), bound(start, stop, parts, part + 1), argument);
    });
}
void qt_loopaccum_balance(std::size_t start, std::size_t stop, std::size_t size, void* out, qt_loopr_f function,
                          void* argument, qt_accum_f accumulate) {
    if (start >= stop)
        return;
    const std::size_t parts = parts_of(start, stop);
    // Values may need any alignment, so each begins at a multiple of the largest one.
    const std::size_t stride = (size + alignof(std::max_align_t) - 1) / alignof(std::max_align_t);
    std::vector<std::max_align_t> values(stride * parts);
    for_each(std::size_t{0}, parts, [&](std::size_t part) {
        function(bound(start, stop, parts, part), bound(start, stop, parts, part + 1), argument,
                 values.data() + stride * part);
    });
    std::memcpy(out, values.data(), size);
    for (std::size_t part = 1; part < parts; ++part)
        accumulate(out, values.data() + stride * part);
}

double qt_double_sum(double* array, std::size_t length, int awaits_full) { return sum(array, length, awaits_full); }
double qt_double_prod(double* array, std::size_t length, int awaits_full) {
    return product(array, length, awaits_full);
}
double qt_double_max(double* array, std::size_t length, int awaits_full) { return largest(array, length, awaits_full); }
double qt_double_min(double* array, std::size_t length, int awaits_full) {
    return smallest(array, length, awaits_full);
}
saligned_t qt_int_sum(saligned_t* array, std::size_t length, int awaits_full) {
    return sum(array, length, awaits_full);
}
saligned_t qt_int_prod(saligned_t* array, std::size_t length, int awaits_full) {
    return product(array, length, awaits_full);
}
saligned_t qt_int_max(saligned_t* array, std::size_t length, int awaits_full) {
    return largest(array, length, awaits_full);
}
saligned_t qt_int_min(saligned_t* array, std::size_t length, int awaits_full) {
    return smallest(array, length, awaits_full);
}
aligned_t qt_uint_sum(aligned_t* array, std::size_t length, int awaits_full) { return sum(array, length, awaits_full); }
aligned_t qt_uint_prod(aligned_t* array, std::size_t length, int awaits_full) {
    return product(array, length, awaits_full);
}
aligned_t qt_uint_max(aligned_t* array, std::size_t length, int awaits_full) {
    return largest(array, length, awaits_full);
}
aligned_t qt_uint_min(aligned_t* array, std::size_t length, int awaits_full) {
    return smallest(array, length, awaits_full);
}

void qt_qsort(double* array, std::size_t length) { sort(array, length); }

double qutil_double_sum(const double* array, std::size_t length, int awaits_full) {
    return sum(array, length, awaits_full);
}
double qutil_double_mult(const double* array, std::size_t length, int awaits_full) {
    return product(array, length, awaits_full);
}
double qutil_double_max(const double* array, std::size_t length, int awaits_full) {
    return largest(array, length, awaits_full);
}
double qutil_double_min(const double* array, std::size_t length, int awaits_full) {
    return smallest(array, length, awaits_full);
}
aligned_t qutil_uint_sum(const aligned_t* array, std::size_t length, int awaits_full) {
    return sum(array, length, awaits_full);
}
aligned_t qutil_uint_mult(const aligned_t* array, std::size_t length, int awaits_full) {
    return product(array, length, awaits_full);
}
aligned_t qutil_uint_max(const aligned_t* array, std::size_t length, int awaits_full) {
    return largest(array, length, awaits_full);
}
aligned_t qutil_uint_min(const aligned_t* array, std::size_t length, int awaits_full) {
    return smallest(array, length, awaits_full);
}
saligned_t qutil_int_sum(const saligned_t* array, std::size_t length, int awaits_full) {
    return sum(array, length, awaits_full);
}
saligned_t qutil_int_mult(const saligned_t* array, std::size_t length, int awaits_full) {
    return product(array, length, awaits_full);
}
saligned_t qutil_int_max(const saligned_t* array, std::size_t length, int awaits_full) {
    return largest(array, length, awaits_full);
}
saligned_t qutil_int_min(const saligned_t* array, std::size_t length, int awaits_full) {
    return smallest(array, length, awaits_full);
}
void qutil_mergesort(double* array, std::size_t length) { sort(array, length); }
void qutil_qsort(double* array, std::size_t length) { sort(array, length); }
void qutil_aligned_qsort(aligned_t* array, std::size_t length) { sort(array, length); }

}  // extern "C"
