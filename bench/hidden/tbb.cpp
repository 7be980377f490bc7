// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hidden with oneTBB's parallel_invoke, task_group and parallel_for.
#include <bench/harness/tbb.hpp>
#include <bench/hidden/hidden.hpp>

#include <tbb/parallel_for.h>

#include <utility>

namespace bench {
namespace {

struct tbb_face {
    template <class F> static void run(const parameters& p, const F& f) { run_in_arena(p.threads, f); }
    template <class F, class G> static void both(const F& f, const G& g) { tbb::parallel_invoke(f, g); }
    template <class F> static void loop(unsigned count, const F& f) { tbb::parallel_for(0U, count, f); }

    class group {
    public:
        template <class F> void run(F&& f) { tasks_.run(std::forward<F>(f)); }
        void wait() { tasks_.wait(); }

    private:
        tbb::task_group tasks_;
    };

    template <class F> static void spread(const parameters& p, unsigned count, const F& f) {
        run_in_group(p.threads, [&f, count](tbb::task_group& tasks) {
            tasks.run([&f, &tasks, count] {
                for (unsigned next = 1; next <= count; ++next) tasks.run([&f, next] { f(next); });
                f(0);
            });
        });
    }
};

}  // namespace

outcome run_hidden(const parameters& p) { return hidden::measured<tbb_face>(p); }

}  // namespace bench
