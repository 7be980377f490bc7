// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' loops for programs in C++11 and later: with an object that is called, function(first, last), in place of a
// function and its argument. The object is not copied; several threads call it at the same time. The names with
// `_simple`, `_sinc` and so on are those of qloop.h.
#pragma once

#include "qloop.h"

#include <cstddef>

namespace teff_qloop {

// Calls the object with a part of a range.
template <class T>
void call(std::size_t first, std::size_t last, void* object) {
    (*static_cast<T*>(object))(first, last);
}
// The same; stores what it returns.
template <class T>
void call_with_result(std::size_t first, std::size_t last, void* object, void* ret) {
    *static_cast<typename T::acctype*>(ret) = (*static_cast<T*>(object))(first, last);
}

}  // namespace teff_qloop

// Calls object(i, i + 1) for each index i from `start` up to `stop` - 1, each on a qthread of its own.
template <class T>
void qt_loop(std::size_t start, std::size_t stop, const T& object) {
    qt_loop(start, stop, &teff_qloop::call<T>, const_cast<T*>(&object));
}
// Calls object(first, last) with an equal part of the range for each worker.
template <class T>
void qt_loop_balance(std::size_t start, std::size_t stop, const T& object) {
    qt_loop_balance(start, stop, &teff_qloop::call<T>, const_cast<T*>(&object));
}
// The same; what the calls return, of the type T::acctype, is added up by T::accumulate(&sum, &value), and is the
// result. With an empty range that is T::identity.
template <class T>
typename T::acctype qt_loopaccum_balance(std::size_t start, std::size_t stop, const T& object) {
    typename T::acctype sum(T::identity);
    qt_loopaccum_balance(start, stop, sizeof sum, &sum, &teff_qloop::call_with_result<T>, const_cast<T*>(&object),
                         reinterpret_cast<qt_accum_f>(T::accumulate));
    return sum;
}
