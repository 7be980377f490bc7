// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of types and the table of names say the same, in the same order.
#include <teff/scheduler/schedulers.hpp>

#include <teff/scheduler/names.hpp>
#include <teff/scheduler/scheduler.hpp>

#include <gtest/gtest.h>

#include <iterator>
#include <string_view>
#include <vector>

namespace {

template <template <class...> class List, class... Entries>
std::vector<std::string_view> names_in(List<Entries...>) {
    return {std::string_view(Entries::name)...};
}

std::vector<std::string_view> names_in(const teff::named_choice* begin, const teff::named_choice* end) {
    std::vector<std::string_view> names;
    for (; begin != end; ++begin)
        names.emplace_back(begin->name);
    return names;
}

TEST(schedulers, the_list_and_the_table_have_the_same_names) {
    EXPECT_EQ(names_in(teff::all_schedulers{}),
              names_in(std::begin(teff::scheduler_names), std::end(teff::scheduler_names)));
}

template <class... Entries>
constexpr bool all_are_schedulers(teff::scheduler_list<Entries...>) {
    return (teff::scheduler<typename Entries::template type<int>, int> && ...);
}
static_assert(all_are_schedulers(teff::all_schedulers{}));

}  // namespace
