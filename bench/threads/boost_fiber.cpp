// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kind threads with Boost.Fiber: its scheduler that steals, or, with one worker, the one that it has by
// default; stacks as large as those of the other runtimes.
#include <bench/threads/locked_variable.hpp>
#include <bench/threads/programs.hpp>

#include <functional>
#include <memory>
#include <thread>

#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/condition_variable.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/fixedsize_stack.hpp>
#include <boost/fiber/mutex.hpp>
#include <boost/fiber/operations.hpp>
#include <malloc.h>

namespace bench::threads {
namespace {

// The threads that run fibers, from the first use to the end of the calling thread. They cannot be started twice: the
// scheduler numbers them for the whole process.
class boost_workers {
public:
    static void start(unsigned threads) { static thread_local boost_workers started(threads); }
    boost_workers(const boost_workers&) = delete;
    boost_workers& operator=(const boost_workers&) = delete;

private:
    explicit boost_workers(unsigned threads) {
        if (threads == 1) return;
        for (unsigned index = 1; index < threads; ++index)
            workers_.emplace_back([this, threads] {
                boost::fibers::use_scheduling_algorithm<boost::fibers::algo::work_stealing>(threads);
                end_.wait();
            });
        boost::fibers::use_scheduling_algorithm<boost::fibers::algo::work_stealing>(threads);
    }
    ~boost_workers() {
        if (!workers_.empty()) end_.set();
    }

    locked_event<boost::fibers::mutex, boost::fibers::condition_variable> end_;
    std::vector<std::jthread> workers_;
};

struct boost_face {
    class thread {
    public:
        template <class F>
        explicit thread(F f)
            : fiber_(std::allocator_arg, boost::fibers::fixedsize_stack(stack_bytes()), std::move(f)) {}
        thread(thread&&) = default;
        ~thread() {
            if (fiber_.joinable()) fiber_.join();
        }
        void join() { fiber_.join(); }

    private:
        boost::fibers::fiber fiber_;
    };

    template <class F> static void run(const parameters& p, const F& f) {
        // Boost takes stacks from malloc(), which would map and unmap each of this size. Like the other runtimes it
        // should reuse them.
        mallopt(M_MMAP_THRESHOLD, 16 << 20);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);
        boost_workers::start(p.threads);
        thread(std::cref(f)).join();
    }
    template <class... F> static void all(const F&... f) { const thread started[] = {thread(std::cref(f))...}; }
    template <class F> static void each(std::size_t count, const F& f) {
        std::vector<thread> started;
        started.reserve(count);
        for (std::size_t index = 0; index < count; ++index) started.emplace_back([&f, index] { f(index); });
    }
    static void yield() { boost::this_fiber::yield(); }
    using mutex = boost::fibers::mutex;
    template <class T> using variable = locked_variable<T, mutex, boost::fibers::condition_variable>;
    using event = locked_event<mutex, boost::fibers::condition_variable>;
};

}  // namespace

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<boost_face>(p); }
#define TEFF_BENCH_WAITING_KERNEL TEFF_BENCH_KERNEL
#include <bench/threads/kernels.inc>
#undef TEFF_BENCH_WAITING_KERNEL
#undef TEFF_BENCH_KERNEL

}  // namespace bench::threads
