// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exit status 0 if forks give the 25th Fibonacci number.
#include <teff/fork_join.hpp>

#include <cstdio>

long fibonacci(long n) {
    if (n < 2)
        return n;
    const auto [a, b] = teff::fork_join([n] { return fibonacci(n - 1); }, [n] { return fibonacci(n - 2); });
    return a + b;
}

int main() {
    const long found = fibonacci(25);
    std::printf("%ld\n", found);
    return found == 75025 ? 0 : 1;
}
