// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of traced_names.hpp, on symbols as GCC and Clang make them.
#include <teff/observe/traced_names.hpp>

#include <gtest/gtest.h>

namespace teff {
namespace {

TEST(function_text, a_task_has_the_name_of_the_users_function) {
    for (const auto& [symbol, name] : {
             std::pair{"teff::forking::group_task<teff::task_group, main::{lambda()#1}>::run_and_end(teff::x&)",
                       "main::{lambda()#1}"},
             std::pair{"teff::forking::child<fib(int)::{lambda()#2}>::run_elsewhere(teff::task_header&)",
                       "fib(int)::{lambda()#2}"},
             std::pair{"teff::forking::child<(anonymous namespace)::step&>::run_elsewhere(teff::task_header&)",
                       "(anonymous namespace)::step"},
             std::pair{"teff::threads::fiber_of<main::$_0>::call(teff::threads::fiber_state&, teff::threads::x&)",
                       "main::$_0"},
             std::pair{"vtable for teff::reducing::reduction_team<teff::demand_scheduler<int>, "
                       "std::function<long (a, b)>, int, long>",
                       "std::function<long (a, b)>"},
             std::pair{"teff::schedule_awaitable::resume(teff::task_header&)", "coroutine"},
             std::pair{"teff::forking::call_through<main::{lambda()#2}, teff::execute<main::{lambda()#2}>("
                       "teff::options const&, main::{lambda()#2}&&)::{lambda(void (*)(void*), void*)#1}>("
                       "main::{lambda()#2}&&)::{lambda(void*)#1}::_FUN(void*)",
                       "main::{lambda()#2}"},
             std::pair{"teff::forking::group_task<teff::task_group, main::{lambda()#2}::operator()() const::"
                       "{lambda()#1}>::run_and_end(teff::task_header&)",
                       "main::{lambda()#2}::operator()() const::{lambda()#1}"},
             std::pair{"main._omp_fn.0", "main._omp_fn.0"},
             std::pair{"user::operator<(user const&, user const&)", "user::operator<(user const&, user const&)"},
         })
        EXPECT_EQ(user_part(symbol), name) << symbol;
}

TEST(function_text, a_part_of_an_algorithm_has_the_name_of_the_call) {
    EXPECT_EQ(user_part("teff::forking::child<teff::algorithm::lazy_loop<teff::algorithm::chunk_work<teff::"
                        "parallel_for<int, int, main::{lambda(int)#3}>(int, int, main::{lambda(int)#3} const&)::"
                        "{lambda(long)#1}> >::fork(unsigned long)::{lambda()#2}>::run_elsewhere(teff::task_header&)"),
              "teff::parallel_for<int, int, main::{lambda(int)#3}>");
    EXPECT_EQ(user_part("teff::forking::child<teff::algorithm::lazy_loop<teff::algorithm::chunk_work<teff::algorithm::"
                        "parallel_partition<int*, std::less<void> >(int*)::{lambda()#2}> >::fork()::{lambda()#2}>::x"),
              "teff::algorithm::parallel_partition");
    EXPECT_EQ(user_part("teff::forking::child<teff::algorithm::quicksort<int*, std::less<void> >::run(int*)::"
                        "{lambda()#3}>::run_elsewhere(teff::task_header&)"),
              "teff::algorithm::quicksort");
}

TEST(function_text, arguments_of_templates_may_contain_brackets) {
    constexpr std::string_view arguments = "a<b, c>, std::function<d (e, f)>, &x::operator<, (g){1, 2}>::h";
    EXPECT_EQ(template_argument(arguments, 0), "a<b, c>");
    EXPECT_EQ(template_argument(arguments, 1), "std::function<d (e, f)>");
    EXPECT_EQ(template_argument(arguments, 3), "(g){1, 2}");
    EXPECT_EQ(template_argument(arguments, 4), "");
    EXPECT_EQ(template_argument("x::operator<<, y::operator->() const, z>", 2), "z");
    EXPECT_EQ(template_argument("x::operator()<a, b>(c)::d, z>", 1), "z");
    EXPECT_EQ(template_argument("", 0), "");
    EXPECT_EQ(template_argument("unfinished<a", 0), "");
}

}  // namespace
}  // namespace teff
