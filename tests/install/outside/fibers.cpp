// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program with forks, and with fibers that wait for each other. Exit status 0 if both give what they must.
#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <cstdio>

long fibonacci(long n) {
    if (n < 2)
        return n;
    const auto [a, b] = teff::fork_join([n] { return fibonacci(n - 1); }, [n] { return fibonacci(n - 2); });
    return a + b;
}

int main() {
    const long forked = fibonacci(25);
    teff::sync_var<long> value;
    teff::fiber producer([&] {
        for (long i = 1; i <= 100; ++i)
            value.write_ef(i);
    });
    long sum = 0;
    for (int i = 0; i < 100; ++i)
        sum += value.read_fe();
    producer.join();
    std::printf("%ld %ld\n", forked, sum);
    return forked == 75025 && sum == 5050 ? 0 : 1;
}
