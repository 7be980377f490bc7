// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixture whose parameter is a scheduler with a reclaimer, for tests that drive the scheduler's class itself.
#pragma once

#include <tests/conformance/named_rows.hpp>

#include <teff/scheduler/choice.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace conformance {

class each_scheduler : public testing::TestWithParam<named_row> {
protected:
    // Calls use.operator()<Scheduler>(settings) with the class that runs a call with these two names, and with the
    // settings that such a call has. Variants of one scheduler share the class, and therefore the compiled code.
    template <class Item, class Use>
    void with_class(teff::scheduler_settings settings, Use&& use) {
        settings.reclaimer = GetParam().reclaimer;
        settings.rescue = GetParam().rescue == "on";
        ASSERT_TRUE(teff::with_scheduler<Item>(
            teff::every_scheduler{}, GetParam().scheduler, settings,
            [&]<class Scheduler>() { use.template operator()<Scheduler>(std::as_const(settings)); }));
    }
};

}  // namespace conformance
