// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hidden with forks, groups, loops and reductions of this library.
#include <bench/harness/teff.hpp>
#include <bench/hidden/hidden.hpp>

#include <teff/parallel_for.hpp>
#include <teff/task_group.hpp>

#include <utility>

namespace bench {
namespace {

struct teff_face {
    template <class F> static void run(const parameters& p, const F& f) { teff::execute(options_of(p), f); }
    template <class F, class G> static void both(const F& f, const G& g) { teff::fork_join(f, g); }
    template <class F> static void loop(unsigned count, const F& f) { teff::parallel_for(0U, count, f); }

    class group {
    public:
        template <class F> void run(F&& f) { tasks_.run(std::forward<F>(f)); }
        void wait() { tasks_.wait(); }

    private:
        teff::task_group tasks_;
    };

    template <class F> static void spread(const parameters& p, unsigned count, const F& f) {
        teff::reduce_tasks(
            options_of(p),
            [&f, count](auto& pool, unsigned index) {
                for (unsigned next = 1; index == 0 && next <= count; ++next) pool.enq(next);
                f(index);
            },
            0U);
    }
};

}  // namespace

outcome run_hidden(const parameters& p) { return hidden::measured<teff_face>(p); }

}  // namespace bench
