// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often a thief polls for an answer before it gives up (X-OpenMP, section 4.1): the number of polls doubles after
// each failure and falls a little after each success, between two bounds.
//
// Differs from algorithm 3, which sets the number to the minimum on success, and at each call: the text says otherwise.
// One thread.
#pragma once

#include <algorithm>

namespace teff {

class adaptive_polling {
public:
    // least: 1 or more; most: not below least. The next member of a slot keeps what the last one has learnt.
    void begin(unsigned least, unsigned most) noexcept {
        least_ = least;
        most_ = most;
        looks_ = std::clamp(looks_, least, most);
    }
    unsigned looks() const noexcept { return looks_; }
    void succeeded() noexcept { looks_ = std::max(looks_ - std::min(looks_, least_), least_); }
    void failed() noexcept { looks_ = looks_ < most_ / 2 ? looks_ * 2 : most_; }

private:
    unsigned least_ = 1;
    unsigned most_ = 1;
    unsigned looks_ = 0;
};

}  // namespace teff
