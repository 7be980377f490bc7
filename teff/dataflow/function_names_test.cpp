// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of functions: what the compiler's text becomes, and that memory is bounded.
#include <teff/dataflow/function_names.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace teff::dataflow {
namespace {

struct doubling {
    void operator()(int) const {}
};
void plain(int) {}

std::uint32_t number_of(function_names& names, const task_function& function) {
    const auto known = names.known(function, 0);
    return known ? *known : names.add(function, 0, function_names::name_of(function));
}

TEST(function_names, a_function_object_has_the_name_of_its_type) {
    function_names names;
    const auto lambda = [](int) {};
    // The compilers write the namespace in different ways.
    const std::string of_class = names.all()[number_of(names, function_of(doubling()))];
    EXPECT_TRUE(of_class.ends_with("::doubling")) << of_class;
    const std::string seen = names.all()[number_of(names, function_of(lambda))];
    EXPECT_NE(seen.find("lambda"), std::string::npos) << seen;
    EXPECT_EQ(seen.find("function_of"), std::string::npos) << seen;
    EXPECT_TRUE(names.known(function_of(lambda), 0));
    EXPECT_FALSE(names.known(function_of(&plain), 0));
    EXPECT_EQ(number_of(names, function_of(lambda)), number_of(names, function_of(lambda)));
}

TEST(function_names, a_plain_function_has_its_symbol_or_its_place) {
    function_names names;
    const task_function exported{"x", ::dlsym(RTLD_DEFAULT, "a64l")};
    EXPECT_EQ(names.all()[number_of(names, exported)], "a64l");
    const std::string seen = names.all()[number_of(names, function_of(&plain))];
    EXPECT_TRUE(seen.find("+0x") != std::string::npos || seen.find("plain") != std::string::npos) << seen;
    EXPECT_EQ(seen.find('/'), std::string::npos) << seen;
    EXPECT_EQ(names.all()[number_of(names, {"no function", nullptr})], "no function");
}

TEST(function_names, a_function_gets_another_name_after_an_object_was_unloaded) {
    function_names names;
    const task_function function{"x", reinterpret_cast<const void*>(&plain)};
    const auto before = names.add(function, 3, "of the first plugin");
    EXPECT_EQ(names.known(function, 3), before);
    EXPECT_FALSE(names.known(function, 4));
    const auto after = names.add(function, 4, "of the second plugin");
    EXPECT_NE(after, before);
    EXPECT_EQ(names.known(function, 4), after);
    EXPECT_EQ(names.all()[before], "of the first plugin");
}

TEST(function_names, equal_names_are_one) {
    function_names names;
    const auto number = names.find("gemm");
    std::string other = "gemm";
    EXPECT_EQ(names.find(other), number);
    EXPECT_NE(names.find("syrk"), number);
    EXPECT_EQ(names.all()[names.find(std::string(1000, 'x'))].size(), 200U);
    EXPECT_EQ(names.all()[names.find(std::string(199, 'x') + "\u00fc")], std::string(199, 'x'));
}

TEST(function_names, beyond_a_limit_they_share_a_name) {
    function_names names;
    for (int i = 0; i != 2000; ++i)
        names.find("function " + std::to_string(i));
    EXPECT_EQ(names.all().size(), 1000U);
    EXPECT_EQ(names.find("function 1999"), 0U);
    EXPECT_EQ(names.all()[names.find("function 7")], "function 7");
}

}  // namespace
}  // namespace teff::dataflow
