// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each atomic operation of the table through its symbol: alone, compared with the plain operation, and from several
// threads at once, in two ways.
//
//   path    Threads exchange the variable and change it with capture. They record what it was before each change and
//           after it. If no update is lost, the changes form a path from the first value to the last one: each value is
//           left as often as it is reached.
//   stale   One thread exchanges two values. Others apply an operand that keeps a value, or one that gives it back at
//           every second time. An operation that is not atomic brings back a value that was replaced meanwhile.
//
// Shifts of a value by the variable have neither, so these are only checked alone; all forms of an operation have the
// same implementation.
#include "atomic_operations.hpp"
#include "functions.hpp"

#include <atomic>
#include <map>

namespace {

using namespace openmp_calls;

// What the calls of a type have in common: the exchange, and the way in which a captured value comes back.
template <class T, bool Into>
struct calls_of {
    std::string type;

    std::string symbol(const std::string& rest) const { return "__kmpc_atomic_" + type + "_" + rest; }

    T exchange(T* where, T value) const {
        // The unsigned types use the signed ones' call, which moves the same bits.
        const std::string name = "__kmpc_atomic_" + type.substr(0, type.find('u')) + "_swp";
        if constexpr (Into) {
            T before;
            function<void(void*, int, T*, T, T*)>(name)(nullptr, 0, where, value, &before);
            return before;
        } else {
            return function<T(void*, int, T*, T)>(name)(nullptr, 0, where, value);
        }
    }
    auto plain(const std::string& rest) const {
        return [call = function<void(void*, int, T*, T)>(symbol(rest))](T* where, T value) {
            call(nullptr, 0, where, value);
        };
    }
    auto capturing(const std::string& rest) const {
        if constexpr (Into)
            return [call = function<void(void*, int, T*, T, T*, int)>(symbol(rest))](T* where, T value, int after) {
                T out;
                call(nullptr, 0, where, value, &out, after);
                return out;
            };
        else
            return [call = function<T(void*, int, T*, T, int)>(symbol(rest))](T* where, T value, int after) {
                return call(nullptr, 0, where, value, after);
            };
    }
};

template <class T, bool Into>
void check_alone(const calls_of<T, Into>& calls, const std::string& name, bool reversed) {
    const operation<T> how = operation_named<T>(name);
    const std::string suffix = reversed ? "_rev" : "";
    const auto change = calls.plain(name + suffix);
    const auto capture = calls.capturing(name + "_cpt" + suffix);
    for (const T left : how.left)
        for (const T right : how.right) {
            const T before = reversed ? right : left, value = reversed ? left : right;
            const std::string after = bytes_of(how.plain(left, right));
            T x = before;
            change(&x, value);
            EXPECT_EQ(bytes_of(x), after);
            x = before;
            EXPECT_EQ(bytes_of(capture(&x, value, 1)), after);
            EXPECT_EQ(bytes_of(x), after);
            x = before;
            EXPECT_EQ(bytes_of(capture(&x, value, 0)), bytes_of(before));
            EXPECT_EQ(bytes_of(x), after);
        }
}

template <class T, bool Into>
void check_path(const calls_of<T, Into>& calls, const std::string& name) {
    constexpr unsigned threads = 3, rounds = 1'000;
    const operation<T> how = operation_named<T>(name);
    const auto capture = calls.capturing(name + "_cpt");
    const T first = how.left[0];
    T x = first;
    std::vector<std::vector<std::pair<T, T>>> changes(threads);
    on_threads(threads, [&](unsigned number) {
        auto& mine = changes[number];
        for (unsigned round = 0; round < rounds; ++round) {
            const T next = how.left[(round + number) % how.left.size()];
            mine.emplace_back(calls.exchange(&x, next), next);
            const T value = how.right[(round * 3 + number) % how.right.size()];
            const T before = capture(&x, value, 0);
            mine.emplace_back(before, how.plain(before, value));
        }
    });
    std::map<std::string, long> balance;
    ++balance[bytes_of(first)];
    --balance[bytes_of(x)];
    for (const auto& mine : changes)
        for (const auto& [before, after] : mine) {
            --balance[bytes_of(before)];
            ++balance[bytes_of(after)];
        }
    for (const auto& [value, count] : balance)
        ASSERT_EQ(count, 0) << "an update was lost";
}

// change(&x) turns 1 into `other[0]` and back, and 2 into `other[1]` and back.
template <class T, bool Into, class Change>
void check_stale(const calls_of<T, Into>& calls, const T (&other)[2], Change change) {
    constexpr unsigned rounds = 3'000;
    const T mine[2] = {static_cast<T>(1), static_cast<T>(2)};
    T x = mine[1];
    std::atomic<bool> ended{false};
    on_threads(3, [&](unsigned number) {
        if (number != 0) {
            while (!ended.load())
                change(&x);
            return;
        }
        for (unsigned round = 0; round < rounds; ++round) {
            const unsigned last = (round + 1) % 2;
            const std::string before = bytes_of(calls.exchange(&x, mine[round % 2]));
            if (before != bytes_of(mine[last]) && before != bytes_of(other[last])) {
                ADD_FAILURE() << "a value came back that had been replaced, in round " << round;
                break;
            }
        }
        ended.store(true);
    });
}

template <class T, bool Into>
void check_commuting(const calls_of<T, Into>& calls, const std::string& name) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, calls.symbol(name));
    const operation<T> how = operation_named<T>(name);
    check_alone(calls, name, false);
    check_path(calls, name);
    // Logical operations keep no 2.
    if (name != "andl" && name != "orl")
        check_stale(calls, {static_cast<T>(1), static_cast<T>(2)},
                    [&, change = calls.plain(name)](T* where) { change(where, how.same); });
}

template <class T, bool Into>
void check_ordered(const calls_of<T, Into>& calls, const std::string& name) {
    check_commuting(calls, name);
    const testing::ScopedTrace trace(__FILE__, __LINE__, calls.symbol(name) + "_rev");
    const operation<T> how = operation_named<T>(name);
    check_alone(calls, name, true);
    if (name == "shl" || name == "shr")
        return;
    const T one = static_cast<T>(1), two = static_cast<T>(2);
    const T other[2] = {how.plain(how.turn, one), how.plain(how.turn, two)};
    check_stale(calls, other, [&, change = calls.plain(name + "_rev")](T* where) { change(where, how.turn); });
    check_stale(calls, other,
                [&, capture = calls.capturing(name + "_cpt_rev")](T* where) { capture(where, how.turn, 1); });
}

template <class T, bool Into>
void check_whole(const calls_of<T, Into>& calls) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, calls.symbol("rd, wr, swp"));
    const auto read = function<T(void*, int, T*)>(calls.symbol("rd"));
    const auto write = calls.plain("wr");
    T x = static_cast<T>(5);
    EXPECT_EQ(bytes_of(read(nullptr, 0, &x)), bytes_of(static_cast<T>(5)));
    write(&x, static_cast<T>(-7));
    EXPECT_EQ(bytes_of(x), bytes_of(static_cast<T>(-7)));
    EXPECT_EQ(bytes_of(calls.exchange(&x, static_cast<T>(9))), bytes_of(static_cast<T>(-7)));
    EXPECT_EQ(bytes_of(x), bytes_of(static_cast<T>(9)));

    // A value that is read is one that was written, and not half of it.
    const T all_bits[2] = {static_cast<T>(0), static_cast<T>(-1)};
    std::atomic<bool> ended{false};
    on_threads(2, [&](unsigned number) {
        if (number == 0)
            while (!ended.load()) {
                const std::string seen = bytes_of(read(nullptr, 0, &x));
                EXPECT_TRUE(seen == bytes_of(all_bits[0]) || seen == bytes_of(all_bits[1]) ||
                            seen == bytes_of(static_cast<T>(9)));
            }
        else {
            for (unsigned round = 0; round < 2'000; ++round)
                write(&x, all_bits[round % 2]);
            ended.store(true);
        }
    });
}

template <class T, class Wider, bool Into>
void check_mixed(const calls_of<T, Into>& calls, const std::string& name, const std::string& other) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, calls.symbol(name + "_" + other));
    const operation<Wider> how = operation_named<Wider>(name);
    const auto change = function<void(void*, int, T*, Wider)>(calls.symbol(name + "_" + other));
    for (const int left : {0, 1, 6, 20, -9})
        for (const double right : {1.0, 2.5, -1.25}) {
            T x = static_cast<T>(left);
            change(nullptr, 0, &x, static_cast<Wider>(right));
            EXPECT_EQ(bytes_of(x), bytes_of(static_cast<T>(
                                       how.plain(static_cast<Wider>(left), static_cast<Wider>(right)))));
        }
    check_stale(calls, {static_cast<T>(1), static_cast<T>(2)},
                [&](T* where) { change(nullptr, 0, where, how.same); });
}

// Each type is a test of its own.
template <class T, bool Into = false>
void check_row(const std::string& wanted, const char* type, void (*check)(const calls_of<T, Into>&)) {
    if (wanted == type)
        check({type});
}

void check_type(const std::string& wanted) {
#define ROW(name, type, into, check)                                                                                   \
    check_row<type, into>(wanted, #name, [](const calls_of<type, into>& calls) { check; });
#define COMMUTES(name, type, operation) ROW(name, type, false, check_commuting(calls, #operation))
#define ORDERED(name, type, operation) ROW(name, type, false, check_ordered(calls, #operation))
#define WHOLE(name, type) ROW(name, type, false, check_whole(calls))
#define COMMUTES_INTO(name, type, operation) ROW(name, type, true, check_commuting(calls, #operation))
#define ORDERED_INTO(name, type, operation) ROW(name, type, true, check_ordered(calls, #operation))
#define WHOLE_INTO(name, type) ROW(name, type, true, check_whole(calls))
#define IS_INTO_fixed1 false
#define IS_INTO_fixed2 false
#define IS_INTO_fixed4 false
#define IS_INTO_fixed8 false
#define IS_INTO_float4 false
#define IS_INTO_cmplx4 true
#define MIXED(name, type, operation, other, wider)                                                                     \
    ROW(name, type, IS_INTO_##name, (check_mixed<type, wider>(calls, #operation, #other)))
#include <teff/frontends/openmp/kmpc/atomic_rows.inc>
}

class openmp_atomics : public testing::TestWithParam<const char*> {};

TEST_P(openmp_atomics, do_what_the_plain_operation_does_and_lose_nothing) { check_type(GetParam()); }

INSTANTIATE_TEST_SUITE_P(types, openmp_atomics,
                         testing::Values("fixed1", "fixed2", "fixed4", "fixed8", "fixed1u", "fixed2u", "fixed4u",
                                         "fixed8u", "float4", "float8", "float10", "cmplx4", "cmplx8", "cmplx10"),
                         [](const auto& type) { return std::string(type.param); });

}  // namespace
