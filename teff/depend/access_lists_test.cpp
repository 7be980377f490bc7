// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both lists of accesses keep program order whatever is removed.
#include <teff/depend/access_lists.hpp>

#include <teff/base/light_standard.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace depend = teff::depend;
using depend::tracked_access;

template <class List>
class access_list : public testing::Test {
protected:
    access_list() {
        for (tracked_access& each : accesses_)
            each.state.make<typename List::access_state>();
    }

    void push(std::initializer_list<unsigned> numbers) {
        for (const unsigned each : numbers)
            ASSERT_TRUE(list_.push(accesses_[each]));
    }
    unsigned number_of(const tracked_access& access) const {
        return static_cast<unsigned>(&access - accesses_.data());
    }
    std::vector<unsigned> numbers(const List& list) const {
        std::vector<unsigned> seen;
        EXPECT_TRUE(list.visit_all([&](const tracked_access& each) {
            seen.push_back(number_of(each));
            return true;
        }));
        EXPECT_EQ(list.empty(), seen.empty());
        return seen;
    }
    std::vector<unsigned> numbers() const { return numbers(list_); }

    std::array<tracked_access, 12> accesses_;
    List list_;
};

using lists = testing::Types<depend::allocated_list, depend::embedded_list>;
struct list_name {
    template <class List>
    static std::string GetName(int) {
        return std::is_same_v<List, depend::embedded_list> ? "embedded" : "allocated";
    }
};
TYPED_TEST_SUITE(access_list, lists, list_name);

using access_numbers = std::vector<unsigned>;

TYPED_TEST(access_list, begins_empty) {
    EXPECT_TRUE(this->list_.empty());
    EXPECT_EQ(this->list_.pop(), nullptr);
    this->list_.remove(this->accesses_[0]);
    this->list_.clear();
    EXPECT_EQ(this->numbers(), access_numbers{});
}

TYPED_TEST(access_list, pops_in_the_order_of_pushes) {
    this->push({3, 1, 2});
    for (const unsigned each : {3U, 1U, 2U})
        EXPECT_EQ(this->list_.pop(), &this->accesses_[each]);
    EXPECT_EQ(this->list_.pop(), nullptr);
    this->push({2});
    EXPECT_EQ(this->numbers(), access_numbers{2}) << "a list that was emptied is used again";
}

TYPED_TEST(access_list, removes_from_each_place) {
    this->push({0, 1, 2, 3});
    this->list_.remove(this->accesses_[1]);
    EXPECT_EQ(this->numbers(), (access_numbers{0, 2, 3}));
    this->list_.remove(this->accesses_[0]);
    EXPECT_EQ(this->numbers(), (access_numbers{2, 3}));
    this->list_.remove(this->accesses_[3]);
    this->push({4});
    EXPECT_EQ(this->numbers(), (access_numbers{2, 4})) << "the last one was removed before";
    this->list_.remove(this->accesses_[3]);
    EXPECT_EQ(this->numbers(), (access_numbers{2, 4})) << "one that is not in the list was removed";
    this->list_.remove(this->accesses_[4]);
    this->list_.remove(this->accesses_[2]);
    EXPECT_TRUE(this->list_.empty());
}

TYPED_TEST(access_list, leaves_accesses_of_another_list) {
    TypeParam other;
    this->push({0, 1});
    ASSERT_TRUE(other.push(this->accesses_[2]));
    this->list_.remove(this->accesses_[2]);
    other.remove(this->accesses_[1]);
    EXPECT_EQ(this->numbers(), (access_numbers{0, 1}));
    EXPECT_EQ(this->numbers(other), access_numbers{2});
}

TYPED_TEST(access_list, clears) {
    TypeParam other;
    this->push({0, 1, 2});
    this->list_.clear();
    EXPECT_TRUE(this->list_.empty());
    ASSERT_TRUE(other.push(this->accesses_[1]));
    this->list_.remove(this->accesses_[1]);
    this->push({2, 0});
    EXPECT_EQ(this->numbers(), (access_numbers{2, 0}));
    EXPECT_EQ(this->numbers(other), access_numbers{1});
}

TYPED_TEST(access_list, visits_until_told_to_stop) {
    this->push({0, 1, 2});
    access_numbers seen;
    EXPECT_FALSE(this->list_.visit_all([&](const tracked_access& each) {
        seen.push_back(this->number_of(each));
        return seen.size() != 2;
    }));
    EXPECT_EQ(seen, (access_numbers{0, 1}));
}

TYPED_TEST(access_list, agrees_with_a_vector) {
    teff::random_generator random(7);
    access_numbers expected;
    for (unsigned step = 0; step < 5000; ++step) {
        const unsigned number = static_cast<unsigned>(random.below(12));
        const auto place = std::find(expected.begin(), expected.end(), number);
        if (random.below(6) == 0) {
            tracked_access* const oldest = this->list_.pop();
            ASSERT_EQ(oldest, expected.empty() ? nullptr : &this->accesses_[expected.front()]);
            if (oldest != nullptr)
                expected.erase(expected.begin());
        } else if (place == expected.end()) {
            this->push({number});
            expected.push_back(number);
        } else {
            this->list_.remove(this->accesses_[number]);
            expected.erase(place);
        }
        ASSERT_EQ(this->numbers(), expected);
    }
}

}  // namespace
