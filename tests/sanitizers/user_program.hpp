// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the sources of the user's program share: its cases, and how a case makes sure that several threads take part.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace user {

// race: the program is wrong, and the tool has to say so.
enum class kind : unsigned char { correct, race };

struct test_case {
    const char* name;
    kind what;
    void (*run)();
    test_case* next = nullptr;

    static inline test_case* first = nullptr;

    test_case(const char* given, kind of, void (*how)()) noexcept : name(given), what(of), run(how), next(first) {
        first = this;
    }
};

inline void expect(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "wrong result: %s\n", what);
    std::exit(1);
}

// Which threads take part, noted without an order that the tool would see.
class crowd {
public:
    [[gnu::noinline]] void note() noexcept {
        static thread_local char self;
        const char* seen = nullptr;
        if (!first_.compare_exchange_strong(seen, &self, std::memory_order_relaxed) && seen != &self)
            is_several_.store(true, std::memory_order_relaxed);
    }
    bool is_several() const noexcept { return is_several_.load(std::memory_order_relaxed); }

private:
    std::atomic<const char*> first_{nullptr};
    std::atomic<bool> is_several_{false};
};

// Calls round(crowd) until several threads have taken part in one, and that some times.
template <class Round>
void until_shared(Round round) {
    for (int times = 0; times < 5;) {
        crowd seen;
        round(seen);
        times += seen.is_several() ? 1 : 0;
    }
}

// For a wrong program: calls round(crowd) until the tool ends the process. If it has not in so many rounds in which
// several threads took part, the program returns, which fails the test.
template <class Round>
void until_reported(Round round) {
    for (int times = 0; times < 1000;) {
        crowd seen;
        round(seen);
        times += seen.is_several() ? 1 : 0;
    }
}

// Takes some time, and no memory.
inline long work(long n) noexcept {
    long sum = n;
    for (int i = 0; i < 200; ++i)
        sum = (sum * 1'103'515'245 + 12'345) & 0x7fffffff;
    return sum;
}

}  // namespace user

#define USER_CASE(name, what)                                      \
    static void name();                                            \
    static user::test_case name##_case(#name, user::kind::what, &name); \
    static void name()
