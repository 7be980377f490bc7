// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threadprivate variables of code without thread-local storage: one copy for each thread, with the first value or
// constructed, the same one in each region.
#include "regions.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace {

using openmp_calls::function;
using openmp_calls::in_region;
using openmp_calls::on_threads;
using openmp_calls::thread_num;

constexpr unsigned most = 4;

template <class T>
T& own(T& variable) {
    return *static_cast<T*>(function<void*(void*, std::int32_t, void*, std::size_t)>("__kmpc_threadprivate")(
        nullptr, 0, &variable, sizeof(variable)));
}
template <class T>
T& own_cached(T& variable, void*** cache) {
    return *static_cast<T*>(
        function<void*(void*, std::int32_t, void*, std::size_t, void***)>("__kmpc_threadprivate_cached")(
            nullptr, 0, &variable, sizeof(variable), cache));
}

int plain = 42;
void** plain_cache;

TEST(openmp_threadprivate, has_the_first_value_and_lives_from_region_to_region) {
    std::array<int*, most> copies{};
    EXPECT_EQ(&own_cached(plain, &plain_cache), &plain) << "the main thread uses the variable";
    plain = 7;
    in_region(most, [&] {
        int& mine = own_cached(plain, &plain_cache);
        const auto number = static_cast<unsigned>(thread_num());
        EXPECT_EQ(mine, number == 0 ? 7 : 42);
        mine = 100 + static_cast<int>(number);
        copies[number] = &mine;
    });
    EXPECT_EQ(plain, 100);
    std::ranges::sort(copies);
    EXPECT_EQ(std::ranges::adjacent_find(copies), copies.end()) << "two threads have the same copy";
    for (int round = 0; round < 3; ++round)
        in_region(most, [&] {
            EXPECT_EQ(own_cached(plain, &plain_cache), 100 + thread_num());
            EXPECT_EQ(&own(plain), &own_cached(plain, &plain_cache));
        });
}

TEST(openmp_threadprivate, many_variables_do_not_mix) {
    static std::array<int, 50> variables;
    for (int& each : variables)
        each = static_cast<int>(&each - variables.data());
    for (int& each : variables)
        own(each);
    in_region(most, [&] {
        for (int& each : variables)
            own(each) += 1000 * thread_num();
    });
    in_region(most, [&] {
        for (int& each : variables)
            EXPECT_EQ(own(each), (&each - variables.data()) + 1000 * thread_num());
    });
}

std::atomic<int> constructed, ended;
int object = -1, object_array[3] = {-1, -1, -1}, copied = 5;

TEST(openmp_threadprivate, of_classes_are_constructed_copied_and_destroyed) {
    using construct = void*(void*);
    using copy = void*(void*, void*);
    using end = void(void*);
    auto* const add = function<void(void*, void*, construct*, copy*, end*)>("__kmpc_threadprivate_register");
    add(nullptr, &object,
        [](void* made) {
            *static_cast<int*>(made) = 11;
            ++constructed;
            return made;
        },
        nullptr, [](void*) { ++ended; });
    add(nullptr, &copied, nullptr,
        [](void* made, void* original) {
            *static_cast<int*>(made) = *static_cast<int*>(original) + 1;
            return made;
        },
        nullptr);
    using construct_all = void*(void*, std::size_t);
    using copy_all = void*(void*, void*, std::size_t);
    using end_all = void(void*, std::size_t);
    function<void(void*, void*, construct_all*, copy_all*, end_all*, std::size_t)>("__kmpc_threadprivate_register_vec")(
        nullptr, &object_array,
        [](void* made, std::size_t count) {
            for (std::size_t each = 0; each != count; ++each)
                static_cast<int*>(made)[each] = static_cast<int>(each) + 20;
            return made;
        },
        nullptr, [](void*, std::size_t count) { ended += static_cast<int>(count); }, 3);
    on_threads(1, [](unsigned) {
        EXPECT_EQ(own(object), 11);
        EXPECT_EQ(own(object), 11);
        EXPECT_EQ(own(object_array)[2], 22);
        EXPECT_EQ(own(copied), 6);
    });
    EXPECT_EQ(constructed, 1);
    EXPECT_EQ(ended, 4) << "a thread that ends destroys its copies";
    EXPECT_EQ(own(object), -1) << "the main thread uses the variable";
}

}  // namespace
