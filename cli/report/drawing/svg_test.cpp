// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of svg.hpp: escaping, axes and the spreading of labels.
#include <cli/report/drawing/svg.hpp>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

TEST(svg, text_cannot_leave_its_element) {
    svg_picture picture(10, 10, "a \"title\"");
    picture.text(1, 2, anchor::end, "<b> & c");
    const std::string markup = picture.markup();
    EXPECT_NE(markup.find("aria-label=\"a &quot;title&quot;\""), std::string::npos);
    EXPECT_NE(markup.find(">&lt;b&gt; &amp; c</text>"), std::string::npos);
    EXPECT_EQ(markup.find("<b>"), std::string::npos);
}

TEST(svg, a_linear_axis_begins_at_zero) {
    const axis scale = axis::linear(4.8, 100, 200);
    EXPECT_DOUBLE_EQ(scale.position(0), 100);
    EXPECT_LT(scale.position(4.8), 200);
    EXPECT_EQ(scale.ticks(), (std::vector<double>{0, 1, 2, 3, 4}));
    EXPECT_EQ(axis::linear(0, 0, 1).ticks().front(), 0);
}

TEST(svg, a_logarithmic_axis_holds_all_values) {
    const axis scale = axis::logarithmic(0.03, 7, 0, 100);
    EXPECT_GT(scale.position(0.03), 0);
    EXPECT_LT(scale.position(7), 100);
    EXPECT_NEAR(scale.position(1) - scale.position(0.1), scale.position(10) - scale.position(1), 1e-9);
    ASSERT_EQ(scale.ticks().size(), 9U);
    EXPECT_DOUBLE_EQ(scale.ticks().front(), 0.02);
    EXPECT_DOUBLE_EQ(scale.ticks().back(), 10);
}

TEST(svg, a_wide_logarithmic_axis_shows_decades_only) {
    const axis scale = axis::logarithmic(0.0011, 900, 0, 100);
    ASSERT_EQ(scale.ticks().size(), 7U);
    EXPECT_NEAR(scale.ticks()[1], 0.01, 1e-9);
}

TEST(svg, equal_values_still_have_an_axis) {
    const axis scale = axis::logarithmic(3, 3, 0, 100);
    EXPECT_GT(scale.position(3), 0);
    EXPECT_LT(scale.position(3), 100);
}

TEST(svg, labels_are_moved_apart_in_order) {
    const auto places = spread({10, 11, 50, 10.5}, 10, 0, 100);
    EXPECT_DOUBLE_EQ(places[0], 10);
    EXPECT_DOUBLE_EQ(places[3], 20);
    EXPECT_DOUBLE_EQ(places[1], 30);
    EXPECT_DOUBLE_EQ(places[2], 50);
    const auto pushed = spread({99, 100}, 10, 0, 100);
    EXPECT_DOUBLE_EQ(pushed[0], 90);
    EXPECT_DOUBLE_EQ(pushed[1], 100);
}

}  // namespace
}  // namespace teff::cli
