// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server of computations: reads requests, one a line, and answers each as soon as its result is there.
//
//   $ printf 'primes 1000000\nfib 30\nprimes 1000000\n' | computation_server
//   2: fib 30 = 832040
//   1: primes 1000000 = 78498
//   3: primes 1000000 = 78498
//
// What to learn: coroutines on the workers. Each request is a coroutine. `co_await teff::schedule(group)` moves it to a
// worker, so that the main thread can read the next request. If another request is computing the same thing already,
// the coroutine is suspended until that result is there: `co_await shared->value()`. A suspended coroutine is some
// bytes in memory and keeps no worker, so any number of them can wait. The computations themselves use what the other
// examples show: parallel_reduce and fork_join work inside of coroutines as anywhere.
//
// A group counts a coroutine while it runs, not while it waits for something else. Here group.wait() still returns
// after the last answer: the coroutine that computes a result resumes those that wait for it before it ends.
#include "../arguments.hpp"

#include <teff/coroutine.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/task_group.hpp>

#include <algorithm>
#include <coroutine>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

// --- what can be computed

bool is_prime(long n) {
    for (long divisor = 2; divisor * divisor <= n; ++divisor)
        if (n % divisor == 0)
            return false;
    return n > 1;
}

long primes(long up_to) {
    return teff::parallel_reduce(
        teff::blocked_range<long>(0, up_to + 1), 0L,
        [](const auto& part, long count) {
            for (long n = part.begin(); n != part.end(); ++n)
                count += is_prime(n);
            return count;
        },
        std::plus<>());
}

// The steps of the longest sequence n, n / 2 or 3 n + 1, ..., 1 that begins with a number up to the given one.
long collatz(long up_to) {
    const auto longer = [](long a, long b) { return std::max(a, b); };
    return teff::parallel_reduce(
        teff::blocked_range<long>(1, up_to + 1), 0L,
        [](const auto& part, long longest) {
            for (long first = part.begin(); first != part.end(); ++first) {
                long steps = 0;
                for (long n = first; n != 1; ++steps)
                    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
                longest = std::max(longest, steps);
            }
            return longest;
        },
        longer);
}

long fib(long n) {
    if (n < 2)
        return n;
    const auto [a, b] = teff::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
}

struct computation {
    const char* name;
    long most;
    long (*function)(long);
};
constexpr computation computations[] = {
    {"primes", 100'000'000, primes}, {"collatz", 100'000'000, collatz}, {"fib", 45, fib}};

// --- the coroutines

// The return type of a coroutine that nobody waits for. It begins at once, and frees its memory when it ends. An
// exception would leave those that wait for its result suspended for ever, so it ends the program.
struct detached {
    struct promise_type {
        detached get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
};

// A result that coroutines wait for: co_await some_result.value().
class result {
    struct awaitable {
        result& of;
        bool await_ready() const noexcept { return false; }
        // Returns false, which lets the coroutine go on, if the result is there.
        bool await_suspend(std::coroutine_handle<> waiter) const {
            const std::lock_guard lock(of.mutex_);
            if (!of.is_set_)
                of.waiters_.push_back(waiter);
            return !of.is_set_;
        }
        long await_resume() const noexcept { return of.value_; }
    };

public:
    awaitable value() noexcept { return {*this}; }

    void set(long value) {
        std::vector<std::coroutine_handle<>> waiters;
        {
            const std::lock_guard lock(mutex_);
            value_ = value;
            is_set_ = true;
            waiters.swap(waiters_);
        }
        for (const std::coroutine_handle<> each : waiters)
            each.resume();
    }

private:
    std::mutex mutex_;
    bool is_set_ = false;
    long value_ = 0;
    std::vector<std::coroutine_handle<>> waiters_;
};

class server {
public:
    // Answers `text`, the request with this number, now or later.
    void take(long number, const std::string& text) {
        std::istringstream words(text);
        std::string name, further;
        long argument = 0;
        const bool is_complete = words >> name >> argument && !(words >> further);
        for (const computation& each : computations) {
            if (!is_complete || name != each.name)
                continue;
            if (argument >= 0 && argument <= each.most)
                serve(number, each, argument);
            else
                print(number, "error: the number must be from 0 to " + std::to_string(each.most) + ": " + text);
            return;
        }
        print(number, "error: a request is `primes N`, `collatz N` or `fib N`: " + text);
    }
    void wait() { group_.wait(); }
    std::size_t computed() const { return results_.size(); }

private:
    detached serve(long number, const computation& what, long argument) {
        co_await teff::schedule(group_);
        const auto [shared, is_first] = find(what.name, argument);
        if (is_first)
            shared->set(what.function(argument));
        const long value = co_await shared->value();
        print(number, std::string(what.name) + " " + std::to_string(argument) + " = " + std::to_string(value));
    }
    // The result, and whether the caller is the first to ask, and has to set it.
    std::pair<result*, bool> find(const char* name, long argument) {
        const std::lock_guard lock(mutex_);
        const auto [place, is_new] = results_.try_emplace({name, argument});
        return {&place->second, is_new};
    }
    void print(long number, const std::string& answer) {
        const std::lock_guard lock(mutex_);
        std::printf("%ld: %s\n", number, answer.c_str());
        std::fflush(stdout);
    }

    std::mutex mutex_;  // of the results and of the output; never held across a co_await
    std::map<std::pair<std::string, long>, result> results_;
    teff::task_group group_;
};

}  // namespace

int main(int argc, char** argv) {
    arguments given(argc, argv, "computation_server [FILE]   (requests; without FILE, from the standard input)");
    const std::string name = given.text("");
    given.end();
    std::ifstream file;
    if (!name.empty()) {
        file.open(name);
        if (!file) {
            std::perror(("computation_server: " + name).c_str());
            return 1;
        }
    }
    std::istream& requests = name.empty() ? std::cin : file;

    server answers;
    long number = 0;
    for (std::string line; std::getline(requests, line);)
        answers.take(++number, line);
    answers.wait();
    std::fprintf(stderr, "%ld requests, %zu computations\n", number, answers.computed());
}
