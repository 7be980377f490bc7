// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks without parallelism, one after the other, so that all threads but one are idle. The time beyond that of one
// thread is what idle workers cost a busy one.
#include <simulator/workloads/all.hpp>

#include <teff/fork_join.hpp>
#include <teff/reduce.hpp>
#include <teff/task_group.hpp>

namespace simulator {
namespace {

constexpr double step_ns = 100;

struct link_body {
    template <class Pool>
    long operator()(Pool& pool, long left) const {
        work_ns(step_ns);
        if (left > 1)
            pool.enq(left - 1);
        return 1;
    }
};

std::uint64_t checked(long done, long size) { return done == size ? static_cast<std::uint64_t>(size) : 0; }

}  // namespace

std::uint64_t run_chain_reduce(const request& wanted) {
    const long done =
        teff::reduce_tasks({.threads = wanted.threads, .scheduler = wanted.scheduler}, link_body{}, wanted.size);
    return checked(done, wanted.size);
}

// The second half of each fork has nothing to do.
std::uint64_t run_chain_forks(const request& wanted) {
    long done = 0;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] {
        for (long i = 0; i < wanted.size; ++i) {
            teff::fork_join(
                [&done] {
                    work_ns(step_ns);
                    ++done;
                },
                [] {});
        }
    });
    return checked(done, wanted.size);
}

std::uint64_t run_chain_groups(const request& wanted) {
    long done = 0;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] {
        for (long i = 0; i < wanted.size; ++i) {
            teff::task_group group;
            group.run([&done] {
                work_ns(step_ns);
                ++done;
            });
            group.wait();
        }
    });
    return checked(done, wanted.size);
}

}  // namespace simulator
