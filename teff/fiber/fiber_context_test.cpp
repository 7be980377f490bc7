// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The switch between stacks: what moves with the function, and what stays with the thread.
#include <teff/fiber/fiber_context.hpp>
#include <teff/fiber/fiber_stack.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cfenv>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace {

// A function on a stack of its own.
class on_own_stack {
public:
    explicit on_own_stack(std::function<void(on_own_stack&)> f) : function_(std::move(f)) {
        context.begin<&call>(stack, 64, teff::control_words(), this);
    }
    ~on_own_stack() {
        EXPECT_TRUE(has_ended);
        context.end();
        teff::give_back_fiber_stack(stack);
    }

    // Returns when the function leaves.
    void enter() {
        teff::fiber_context here;
        outside_ = &here;
        here.switch_to(context, {});
    }
    void leave() { context.switch_to(*outside_, {}); }

    // The thread then goes on with `next`, which ends where this one would have.
    void end_with(on_own_stack& next) { next.outside_ = std::exchange(outside_, &next.context); }

    const teff::fiber_stack stack = teff::take_fiber_stack(1 << 20);
    teff::fiber_context context;
    bool has_ended = false;

private:
    static teff::fiber_context::next_code call(void* self, teff::fiber_context&) noexcept {
        auto& mine = *static_cast<on_own_stack*>(self);
        mine.function_(mine);
        mine.has_ended = true;
        return {*mine.outside_, mine.ended_on_.emplace()};
    }

    std::function<void(on_own_stack&)> function_;
    teff::fiber_context* outside_ = nullptr;
    std::optional<teff::fiber_context::thread_part> ended_on_;
};

TEST(fiber_context, goes_on_where_it_was_left) {
    std::string steps;
    on_own_stack fiber([&](on_own_stack& here) {
        steps += 'b';
        here.leave();
        steps += 'd';
    });
    steps += 'a';
    fiber.enter();
    steps += 'c';
    fiber.enter();
    steps += 'e';
    EXPECT_EQ(steps, "abcde");
}

#if defined(__x86_64__) && defined(__GLIBC__)
struct known_calls {
    void* inner = nullptr;
    void* outer = nullptr;
    void* reader = nullptr;
} known;

[[gnu::noinline]] void leave_from_inner(on_own_stack& fiber) {
    known.inner = __builtin_return_address(0);
    fiber.leave();
    known.inner = nullptr;
}
[[gnu::noinline]] void leave_from_outer(on_own_stack& fiber) {
    known.outer = __builtin_return_address(0);
    leave_from_inner(fiber);
    known.outer = nullptr;
}
[[gnu::noinline]] std::size_t read_calls(const on_own_stack& of, std::span<void*> calls) {
    known.reader = __builtin_return_address(0);
    const std::size_t count = of.context.calls(calls);
    EXPECT_LT(count, calls.size());
    return count;
}

TEST(fiber_context, knows_the_calls_that_it_was_left_in) {
    on_own_stack fiber(leave_from_outer);
    fiber.enter();
    std::array<void*, 40> memory{};
    const std::span<void*> calls = std::span(memory).first(read_calls(fiber, memory));
    const auto inner = std::ranges::find(calls, known.inner);
    ASSERT_LT(inner - calls.begin(), std::ssize(calls) - 1);
    EXPECT_EQ(inner[1], known.outer);
    EXPECT_EQ(std::ranges::count(calls, known.reader), 0);
    // backtrace() and its caller take up room.
    std::array<void*, 1> too_few{};
    EXPECT_EQ(fiber.context.calls(too_few), 0U);
    fiber.enter();
    EXPECT_EQ(known.outer, nullptr);
}
#endif

// The first one is left for the second one, and the thread goes on when the second one is left.
TEST(fiber_context, switches_from_one_to_another) {
    std::string steps;
    teff::fiber_context outside;
    on_own_stack second([&](on_own_stack& here) {
        steps += 'c';
        here.context.switch_to(outside, {});
        steps += 'g';
    });
    on_own_stack first([&](on_own_stack& here) {
        steps += 'b';
        here.context.switch_to(second.context, {});
        steps += 'e';
    });
    steps += 'a';
    outside.switch_to(first.context, {});
    steps += 'd';
    first.enter();
    steps += 'f';
    second.enter();
    EXPECT_EQ(steps, "abcdefg");
}

// A function that ends passes control to a function that has not begun.
TEST(fiber_context, begins_where_another_one_ends) {
    std::string steps;
    on_own_stack second([&](on_own_stack&) { steps += std::fegetround() == FE_TONEAREST ? 'c' : 'x'; });
    on_own_stack first([&](on_own_stack& here) {
        steps += 'b';
        std::fesetround(FE_UPWARD);
        here.end_with(second);
    });
    steps += 'a';
    first.enter();
    steps += 'd';
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(steps, "abcd");
}

TEST(fiber_context, runs_on_its_stack) {
    std::uintptr_t frame = 0;
    on_own_stack fiber([&](on_own_stack&) {
        frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    });
    fiber.enter();
    const auto lowest = reinterpret_cast<std::uintptr_t>(fiber.stack.lowest);
    EXPECT_GE(frame, lowest);
    EXPECT_LT(frame, lowest + fiber.stack.size);
}

// Left inside a handler, and entered again on another thread, inside a handler of that one.
TEST(fiber_context, takes_its_exceptions_with_it) {
    std::string caught;
    on_own_stack fiber([&](on_own_stack& here) {
        try {
            throw std::runtime_error("first");
        } catch (const std::exception&) {
            here.leave();
            try {
                throw;
            } catch (const std::exception& again) {
                caught = again.what();
            }
        }
    });
    fiber.enter();
    EXPECT_EQ(std::current_exception(), nullptr);
    std::thread([&] {
        try {
            throw std::runtime_error("second");
        } catch (const std::exception&) {
            fiber.enter();
            try {
                throw;
            } catch (const std::exception& own) {
                EXPECT_STREQ(own.what(), "second");
            }
        }
    }).join();
    EXPECT_EQ(caught, "first");
}

struct leaves_when_destroyed {
    on_own_stack& here;
    int& seen;
    ~leaves_when_destroyed() {
        here.leave();
        seen = std::uncaught_exceptions();
    }
};

TEST(fiber_context, takes_the_count_of_uncaught_exceptions_with_it) {
    int seen = -1;
    on_own_stack fiber([&](on_own_stack& here) {
        try {
            const leaves_when_destroyed guard{here, seen};
            throw std::runtime_error("unwinds");
        } catch (const std::exception&) {
            // Only the unwinding matters.
        }
    });
    fiber.enter();
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    std::thread([&] { fiber.enter(); }).join();
    EXPECT_EQ(seen, 1);
}

// The compiler may assume that the address of errno does not change in a function.
[[gnu::noinline]] int error_number() { return errno; }
[[gnu::noinline]] void set_error_number(int value) { errno = value; }

TEST(fiber_context, takes_errno_and_the_rounding_mode_with_it) {
    int error = 0;
    int rounding = 0;
    on_own_stack fiber([&](on_own_stack& here) {
        set_error_number(ERANGE);
        std::fesetround(FE_UPWARD);
        here.leave();
        error = error_number();
        rounding = std::fegetround();
    });
    set_error_number(EINTR);
    fiber.enter();
    EXPECT_EQ(error_number(), EINTR);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    std::thread([&] {
        set_error_number(EDOM);
        fiber.enter();
        EXPECT_EQ(error_number(), EDOM);
        EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    }).join();
    EXPECT_EQ(error, ERANGE);
    EXPECT_EQ(rounding, FE_UPWARD);
}

}  // namespace
