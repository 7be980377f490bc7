// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The face without threads (dataflow.hpp): a task is called where it is spawned.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

struct serial_face {
    static constexpr bool has_reductions = true;
    static constexpr bool has_nested_tasks = true;

    template <class T> class data {
    public:
        T& value() { return value_; }

    private:
        T value_{};
    };

    template <class F> static void run(const parameters&, const F& f) { f(); }
    template <class F, class... Values> static void spawn(F f, Values*... values) { f(*values...); }
    static void sync() {}
    template <class F> static void nested(const F& f) { f(); }

    template <class T> static const T* in(data<T>& of) { return &of.value(); }
    template <class T> static T* out(data<T>& of) { return &of.value(); }
    template <class T> static T* inout(data<T>& of) { return &of.value(); }
    template <class T> static T* commutative(data<T>& of) { return &of.value(); }
    template <class T> static T* reduction(data<T>& of) { return &of.value(); }
};

}  // namespace bench
