// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adaptive polling (X-OpenMP, section 4.1): how many times a thief polls for an answer before it gives up. The number
// doubles after each failure and shrinks a little after each success, between two bounds.
//
// Differs from algorithm 3, which sets the number to the minimum after a success, and also at each call. The paper's
// text says otherwise, and this class follows the text. Only one thread uses an object.
#pragma once

#include <teff/base/light_standard.hpp>

namespace teff {

class adaptive_polling {
public:
    // least: 1 or more; most: at least `least`. The next member of a slot starts with the number that the last one
    // reached.
    void begin(unsigned least, unsigned most) noexcept {
        least_ = least;
        most_ = most;
        looks_ = within(looks_, least, most);
    }
    unsigned looks() const noexcept { return looks_; }
    void succeeded() noexcept { looks_ = larger(looks_ - smaller(looks_, least_), least_); }
    void failed() noexcept { looks_ = looks_ < most_ / 2 ? looks_ * 2 : most_; }

private:
    unsigned least_ = 1;
    unsigned most_ = 1;
    unsigned looks_ = 0;
};

}  // namespace teff
