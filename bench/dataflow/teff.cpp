// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dataflow kernels with objects of this library.
#include <bench/dataflow/programs.hpp>
#include <bench/harness/teff.hpp>

#include <teff/dataflow.hpp>

namespace bench {
namespace {

struct teff_face {
    static constexpr bool has_reductions = true;
    [[maybe_unused]] static constexpr bool has_nested_tasks = true;

    template <class T> using data = teff::object<T>;

    template <class F> static void run(const parameters& p, const F& f) {
        teff::execute(options_of(p), [&f] {
            f();
            teff::sync();
        });
    }
    template <class F, class... Accesses> static void spawn(const F& f, Accesses... accesses) {
        // A task has at least one argument, which may be an ordinary value.
        if constexpr (sizeof...(accesses) == 0)
            teff::spawn([f](int) { f(); }, 0);
        else
            teff::spawn(f, accesses...);
    }
    static void sync() { teff::sync(); }
    // A task has a graph of its own anyway.
    template <class F> static void nested(const F& f) {
        f();
        teff::sync();
    }

    template <class T> static auto in(data<T>& of) { return teff::in(of); }
    template <class T> static auto out(data<T>& of) { return teff::out(of); }
    template <class T> static auto inout(data<T>& of) { return teff::inout(of); }
    template <class T> static auto commutative(data<T>& of) { return teff::commutative(of); }
    template <class T> static auto reduction(data<T>& of) { return teff::reduction(of); }
};

}  // namespace

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<teff_face>(p); }
#include <bench/dataflow/kernels.inc>
#undef TEFF_BENCH_KERNEL

}  // namespace bench
