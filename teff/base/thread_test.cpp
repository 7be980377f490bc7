// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which signals and which stacks a started thread has; when functions that are registered for a thread's end are
// called, and in which order.
#include <teff/base/thread.hpp>

#include <teff/base/futex.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

struct observation {
    sigset_t mask{};
    int detach_state = -1;
    std::size_t stack_size = 0;
    pthread_t thread{};
    teff::futex_word done{0};
};

void* observe(void* argument) {
    auto& seen = *static_cast<observation*>(argument);
    seen.thread = pthread_self();
    pthread_sigmask(SIG_SETMASK, nullptr, &seen.mask);
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getdetachstate(&attributes, &seen.detach_state);
        pthread_attr_getstacksize(&attributes, &seen.stack_size);
        pthread_attr_destroy(&attributes);
    }
    const void* const address = seen.done.address();
    // release: publishes the observation; partner: the acquire in the test. From here on the test may have ended.
    seen.done.store(1, std::memory_order_release);
    teff::futex_wake(address, 1);
    return nullptr;
}

void start_and_wait(observation& seen) {
    ASSERT_TRUE(teff::start_thread(observe, &seen));
    // acquire: sees the observation; partner: the release in observe().
    while (seen.done.load(std::memory_order_acquire) == 0)
        teff::futex_wait(seen.done, 0);
}

TEST(thread, runs_detached_with_all_signals_but_those_of_faults_blocked) {
    // Static: the thread still uses the address of `done` when the test continues.
    static observation seen;
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    start_and_wait(seen);
    EXPECT_FALSE(pthread_equal(seen.thread, pthread_self()));
    EXPECT_EQ(seen.detach_state, PTHREAD_CREATE_DETACHED);
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (const int each : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD, SIGSEGV, SIGFPE}) {
        EXPECT_EQ(sigismember(&seen.mask, each), each == SIGSEGV || each == SIGFPE ? 0 : 1) << "signal " << each;
        EXPECT_EQ(sigismember(&after, each), sigismember(&before, each)) << "signal " << each;
    }
}

TEST(thread, has_the_chosen_stack_size) {
    const std::size_t usual = teff::next_stack_size();
    EXPECT_GE(usual, std::size_t{1} << 20);
    static observation large, refused;
    teff::choose_stack_size(1);
    EXPECT_EQ(teff::next_stack_size(), std::size_t{64} << 10);
    // The system may give a thread the larger stack of one that has ended, but it has none of this size.
    teff::choose_stack_size(100'000'001);
    EXPECT_EQ(teff::next_stack_size(), 24415U * 4096);
    start_and_wait(large);
    EXPECT_EQ(large.stack_size, 24415U * 4096);
    // More than there are addresses.
    teff::choose_stack_size(SIZE_MAX);
    start_and_wait(refused);
    EXPECT_GE(refused.stack_size, usual);
    EXPECT_EQ(teff::next_stack_size(), usual);
}

}  // namespace

namespace teff {
namespace {

// Written by one thread at a time.
std::string calls;

void call_a() noexcept { calls += 'a'; }
void call_b() noexcept { calls += 'b'; }
void call_c_and_a() noexcept {
    calls += 'c';
    EXPECT_TRUE(call_at_thread_end<call_a>());
}
int left = 0;
void call_again() noexcept {
    calls += 'd';
    if (--left != 0) {
        EXPECT_TRUE(call_at_thread_end<call_again>());
    }
}

// The calls that were made at the end of a thread that runs `function`.
template <class Function>
std::string calls_after(Function function) {
    calls.clear();
    std::thread(function).join();
    return calls;
}

TEST(thread_end, calls_the_last_registered_function_first) {
    EXPECT_EQ(calls_after([] {
        EXPECT_TRUE(call_at_thread_end<call_a>());
        EXPECT_TRUE(call_at_thread_end<call_b>());
        calls += '.';
    }), ".ba");
}

TEST(thread_end, calls_a_function_once_for_each_thread) {
    const auto twice = [] {
        EXPECT_TRUE(call_at_thread_end<call_a>());
        EXPECT_TRUE(call_at_thread_end<call_a>());
    };
    EXPECT_EQ(calls_after(twice), "a");
    EXPECT_EQ(calls_after(twice), "a");
    EXPECT_EQ(calls_after([] {}), "");
}

TEST(thread_end, a_called_function_may_register_others_and_itself) {
    EXPECT_EQ(calls_after([] { EXPECT_TRUE(call_at_thread_end<call_c_and_a>()); }), "ca");
    left = 3;
    EXPECT_EQ(calls_after([] { EXPECT_TRUE(call_at_thread_end<call_again>()); }), "ddd");
}

struct registers_at_its_end {
    ~registers_at_its_end() {
        calls += '~';
        EXPECT_TRUE(call_at_thread_end<call_b>());
    }
    void use() const noexcept {}
};

TEST(thread_end, comes_after_the_destructors_of_thread_local_objects) {
    EXPECT_EQ(calls_after([] {
        static thread_local const registers_at_its_end object;
        object.use();
        EXPECT_TRUE(call_at_thread_end<call_a>());
    }), "~ba");
}

// A key of the program may be destroyed later than the library's own; its function may still use the library.
TEST(thread_end, a_function_of_a_later_key_may_register) {
    // The library makes its key at the first call.
    EXPECT_EQ(calls_after([] { EXPECT_TRUE(call_at_thread_end<call_a>()); }), "a");
    pthread_key_t later{};
    ASSERT_EQ(::pthread_key_create(&later, [](void*) { EXPECT_TRUE(call_at_thread_end<call_b>()); }), 0);
    EXPECT_EQ(calls_after([&] {
        EXPECT_TRUE(call_at_thread_end<call_a>());
        EXPECT_EQ(::pthread_setspecific(later, &later), 0);
    }), "ab");
    EXPECT_EQ(::pthread_key_delete(later), 0);
}

const end_of_main_thread registered;

int to_parent = 0;
void tell_parent() noexcept { [[maybe_unused]] const auto written = ::write(to_parent, "end ", 4); }

// exit() makes the calls of the main thread before it destroys static objects. The child is forked by the main thread,
// so this holds in it.
TEST(thread_end, of_the_main_thread_is_exit) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        to_parent = ends[1];
        static const struct last {
            ~last() { [[maybe_unused]] const auto written = ::write(to_parent, "static", 6); }
        } object;
        static_cast<void>(&object);
        std::exit(call_at_thread_end<tell_parent>() ? 0 : 1);
    }
    ::close(ends[1]);
    std::string written;
    char buffer[16];
    for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        written.append(buffer, static_cast<std::size_t>(count));
    ::close(ends[0]);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(written, "end static");
}

}  // namespace
}  // namespace teff
