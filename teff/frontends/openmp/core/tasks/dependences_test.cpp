// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clauses that name an address several times become one dependence.
#include <teff/frontends/openmp/core/tasks/dependences.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace teff::openmp;
using teff::depend::access_kind;

char bytes[4];

std::vector<dependence> merged(std::vector<dependence> items) {
    dependence_list list{.items = items.data(), .count = static_cast<unsigned>(items.size())};
    merge(list);
    return {list.items, list.items + list.count};
}
void expect_merged(const std::vector<dependence>& items, const std::vector<dependence>& expected) {
    const std::vector<dependence> found = merged(items);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i != found.size(); ++i) {
        EXPECT_EQ(found[i].address, expected[i].address);
        EXPECT_EQ(found[i].kind, expected[i].kind);
    }
}

TEST(openmp_dependence, none_and_one_stay_as_they_are) {
    expect_merged({}, {});
    expect_merged({{&bytes[1], access_kind::in}}, {{&bytes[1], access_kind::in}});
}

TEST(openmp_dependence, addresses_are_sorted) {
    expect_merged({{&bytes[2], access_kind::in}, {&bytes[0], access_kind::inout}, {&bytes[1], access_kind::in}},
                  {{&bytes[0], access_kind::inout}, {&bytes[1], access_kind::in}, {&bytes[2], access_kind::in}});
}

TEST(openmp_dependence, equal_kinds_of_an_address_stay_that_kind) {
    for (const access_kind kind :
         {access_kind::in, access_kind::inout, access_kind::commutative, access_kind::concurrent})
        expect_merged({{&bytes[0], kind}, {&bytes[1], kind}, {&bytes[0], kind}},
                      {{&bytes[0], kind}, {&bytes[1], kind}});
}

TEST(openmp_dependence, different_kinds_of_an_address_become_inout) {
    expect_merged({{&bytes[0], access_kind::in}, {&bytes[0], access_kind::commutative}},
                  {{&bytes[0], access_kind::inout}});
    expect_merged({{&bytes[0], access_kind::concurrent}, {&bytes[0], access_kind::in}, {&bytes[0], access_kind::in}},
                  {{&bytes[0], access_kind::inout}});
}

}  // namespace
