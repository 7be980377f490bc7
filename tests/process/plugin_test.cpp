// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared object that uses the library is opened, used and closed many times. The workers outlive it, so they must
// neither be in unmapped code nor call it later. This program itself is not linked with the library.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using count_function = long (*)(const char*, int);

class plugin : public testing::TestWithParam<const char*> {
protected:
    void open_use_close() {
        void* const handle = ::dlopen(TEFF_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(handle, nullptr) << ::dlerror();
        const auto count = reinterpret_cast<count_function>(::dlsym(handle, "plugin_count"));
        ASSERT_NE(count, nullptr) << ::dlerror();
        EXPECT_EQ(count(GetParam(), 8), 511);
        EXPECT_EQ(::dlclose(handle), 0);
    }
};

INSTANTIATE_TEST_SUITE_P(, plugin, testing::Values("demand", "blaze"),
    [](const auto& about) { return std::string(about.param); });

TEST_P(plugin, is_opened_used_and_closed_two_hundred_times) {
    for (int i = 0; i < 200 && !HasFatalFailure(); ++i)
        open_use_close();
}

// If the plugin stayed loaded, the test above would show nothing. Only optimised builds check this: in other builds
// the loader finds inline functions of the library in the plugin and keeps the plugin loaded for them, which is safe
// but not the case to be tested.
TEST_P(plugin, is_unloaded_by_dlclose) {
    if (!TEFF_TEST_PLUGIN_GOES)
        GTEST_SKIP();
    open_use_close();
    EXPECT_EQ(::dlopen(TEFF_TEST_PLUGIN, RTLD_NOW | RTLD_NOLOAD), nullptr);
}

}  // namespace
