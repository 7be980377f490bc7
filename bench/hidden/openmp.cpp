// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hidden with OpenMP tasks and taskloops.
#include <bench/harness/openmp.hpp>
#include <bench/hidden/hidden.hpp>

namespace bench {
namespace {

template <class F> void make_task(const F& f) {
#pragma omp task default(none) firstprivate(f)
    f();
}

template <class F> void make_numbered_task(const F& f, unsigned index) {
#pragma omp task default(none) shared(f) firstprivate(index)
    f(index);
}

template <class F> void first_task(unsigned count, const F& f) {
    for (unsigned next = 1; next <= count; ++next) make_numbered_task(f, next);
    f(0);
}

struct openmp_face {
    template <class F> static void run(const parameters& p, const F& f) { run_in_region(p.threads, f); }
    template <class F, class G> static void both(const F& f, const G& g) { openmp_forks::both(f, g); }
    // Clang warns of the conversions that it makes itself for a taskloop.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wconversion"
#pragma clang diagnostic ignored "-Wsign-conversion"
#endif
    template <class F> static void loop(unsigned count, const F& f) {
#pragma omp taskloop grainsize(1) default(none) firstprivate(count) shared(f)
        for (unsigned index = 0; index < count; ++index) f(index);
    }
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

    // The tasks that the calling task has made.
    class group {
    public:
        template <class F> void run(const F& f) { make_task(f); }
        void wait() {
#pragma omp taskwait
        }
    };

    template <class F> static void spread(const parameters& p, unsigned count, const F& f) {
        run_in_region(p.threads, [&f, count] { first_task(count, f); });
    }
};

}  // namespace

outcome run_hidden(const parameters& p) { return hidden::measured<openmp_face>(p); }

}  // namespace bench
