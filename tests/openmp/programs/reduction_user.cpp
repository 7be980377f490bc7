// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduction by operations of the user: over objects with constructors, with an initializer that reads the original, in
// templates, by member functions. Each private copy is made and destroyed once. Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <omp.h>
#include <string>
#include <vector>

namespace {

std::atomic<int> alive{0};

struct counted_set {
    std::vector<int> members;
    counted_set() { ++alive; }
    counted_set(const counted_set& other) : members(other.members) { ++alive; }
    ~counted_set() { --alive; }
    void add(const counted_set& other) {
        members.resize(std::max(members.size(), other.members.size()));
        for (std::size_t i = 0; i < other.members.size(); ++i)
            members[i] += other.members[i];
    }
};
#pragma omp declare reduction(merge : counted_set : omp_out.add(omp_in))

struct offset {
    long base, sum;
};
#pragma omp declare reduction(+ : offset : omp_out.sum += omp_in.sum) initializer(omp_priv = {omp_orig.base, 0})

#pragma omp declare reduction(longest : std::string : omp_out = omp_in.size() > omp_out.size() ? omp_in : omp_out)

template <class T>
T largest_of(const std::vector<T>& values) {
    T largest = values[0];
#pragma omp declare reduction(largest : T : omp_out = omp_out < omp_in ? omp_in : omp_out)                             \
    initializer(omp_priv(omp_orig))
#pragma omp parallel for reduction(largest : largest)
    for (int i = 0; i < int(values.size()); ++i)
        if (largest < values[i])
            largest = values[i];
    return largest;
}

void objects() {
    {
        counted_set all;
        all.members = {1000};
#pragma omp parallel reduction(merge : all)
        {
            EXPECT(all.members.empty());
            all.members.resize(20);
#pragma omp for nowait
            for (int i = 0; i < 2000; ++i)
                ++all.members[i % 20];
        }
        EXPECT_EQUAL(alive, 1);
        EXPECT_EQUAL(all.members.size(), 20);
        for (int i = 0; i < 20; ++i)
            EXPECT_EQUAL(all.members[i], i == 0 ? 1100 : 100);
    }
    EXPECT_EQUAL(alive, 0);
}

void with_the_original() {
    offset own{7, 3};
#pragma omp parallel for reduction(+ : own)
    for (int i = 0; i < 100; ++i)
        own.sum += own.base * i;
    EXPECT_EQUAL(own.base, 7);
    EXPECT_EQUAL(own.sum, 3 + 7 * 4950);
}

void strings() {
    std::string longest = "start";
#pragma omp parallel for schedule(dynamic) reduction(longest : longest)
    for (int i = 0; i < 50; ++i) {
        const std::string mine(i == 31 ? 100 : i, 'x');
        if (mine.size() > longest.size())
            longest = mine;
    }
    EXPECT(longest == std::string(100, 'x'));
}

}  // namespace

int main() {
    for (int round = 0; round < 5; ++round) {
        objects();
        with_the_original();
        strings();
        EXPECT_EQUAL(largest_of(std::vector<int>{3, -5, 9, 2, 9, 1}), 9);
        EXPECT(largest_of(std::vector<double>{-3, -0.5, -9}) == -0.5);
    }
    return expectations_failed;
}
