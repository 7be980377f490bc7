// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program that asks for the reclaimer gc by its interface. Exit status 0 if it got it. If it was refused, the
// reason is printed and the status is 3.
#include <teff/reduce.hpp>

#include <cstdio>
#include <stdexcept>

int main() {
    const auto halve = [](auto& pool, long n) {
        for (; n > 1; n /= 2)
            pool.enq(n / 2);
        return 1L;
    };
    try {
        const teff::options how{.threads = 2, .scheduler = "blaze", .reclaimer = "gc"};
        return teff::reduce_tasks(how, halve, 1024L) == 1024 ? 0 : 1;
    } catch (const std::invalid_argument& error) {
        std::puts(error.what());
        return 3;
    }
}
