// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kind threads with fibers of this library.
#include <bench/harness/teff.hpp>
#include <bench/threads/programs.hpp>

#include <teff/threads.hpp>

#include <cstddef>

namespace bench::threads {
namespace {

struct fiber_face {
    template <class F> static void run(const parameters& p, const F& f) {
        teff::execute(options_of(p), f);
    }
    template <class... F> static void all(const F&... f) { teff::cobegin(f...); }
    template <class F> static void each(std::size_t count, const F& f) { teff::coforall(std::size_t{0}, count, f); }

    using thread = teff::fiber;
    using mutex = teff::fiber_mutex;
    static void yield() { teff::this_fiber::yield(); }

    template <class T> class variable {
    public:
        void write(T value) { word_.write_ef(value); }
        T read() { return word_.read_fe(); }

    private:
        teff::sync_var<T> word_;
    };
    class event {
    public:
        void wait() { is_set_.read_ff(); }
        void set() { is_set_.write_ef(true); }

    private:
        teff::sync_var<bool> is_set_;
    };
};

}  // namespace

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<fiber_face>(p); }
#define TEFF_BENCH_WAITING_KERNEL TEFF_BENCH_KERNEL
#include <bench/threads/kernels.inc>
#undef TEFF_BENCH_WAITING_KERNEL
#undef TEFF_BENCH_KERNEL

}  // namespace bench::threads
