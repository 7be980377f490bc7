// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of a program whose instructions are counted (count.sh): `PROGRAM ROW SIZE` runs one row at one size
// and prints how many tasks, forks or iterations that took. A wrong result or argument ends it with status 1.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

namespace instructions {

using number = std::uint64_t;

struct row {
    const char* name;
    number (*run)(number size);  // returns the number of tasks; zero: the result was wrong
};

inline number fibonacci(number of) {
    number here = 0, next = 1;
    for (number each = 0; each < of; ++each) {
        const number sum = here + next;
        here = next;
        next = sum;
    }
    return here;
}

inline int main(int count, char** arguments, std::span<const row> rows) {
    for (const row& each : rows)
        if (count == 3 && std::strcmp(each.name, arguments[1]) == 0) {
            const number tasks = each.run(std::strtoull(arguments[2], nullptr, 10));
            if (tasks == 0)
                std::fprintf(stderr, "%s: the result is wrong\n", each.name);
            else
                std::printf("%llu\n", static_cast<unsigned long long>(tasks));
            return tasks == 0 ? 1 : 0;
        }
    std::fputs("usage: PROGRAM ROW SIZE; the rows are in instructions.txt\n", stderr);
    return 1;
}

}  // namespace instructions
