// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixture whose parameter is the name of a reclaimer; each suite that derives from it is instantiated by
// INSTANTIATE_TEST_SUITE_P(, suite, reclaimers_by_name(), name_of_reclaimer()).
#pragma once

#include <teff/reclaim/chosen.hpp>
#include <teff/reclaim/names.hpp>
#include <tests/usable_reclaimers.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace teff::testing {

class each_reclaimer : public ::testing::TestWithParam<std::string_view> {
protected:
    static constexpr std::size_t threshold = 16;  // as small as the default
};

inline auto reclaimers_by_name() {
    std::vector<std::string_view> names;
    for (const named_choice& each : reclaimer_names)
        if (can_be_used(each.name))
            names.emplace_back(each.name);
    return ::testing::ValuesIn(names);
}

struct name_of_reclaimer {
    std::string operator()(const ::testing::TestParamInfo<std::string_view>& about) const {
        return std::string(about.param);
    }
};

}  // namespace teff::testing
