// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repeats an execution from its recorded decisions, and converts decisions to text and back.
#pragma once

#include <model/explorer.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace model {

class replay final : public explorer {
public:
    replay(std::vector<std::uint8_t> decisions, bool weak) : decisions_(std::move(decisions)), weak_(weak) {}

    bool weak() const noexcept override { return weak_; }
    bool begin() override {
        at_ = 0;
        return true;
    }
    unsigned choose_thread(const thread_choice& choice) override {
        return at_ < decisions_.size() ? decisions_[at_++] : next_in_round(choice.current, choice.ready);
    }
    unsigned choose_store_to_read(unsigned options) override { return value_below(options); }
    unsigned choose_place_of_store(unsigned options) override { return value_below(options); }
    bool choose_spurious_failure() override { return value_below(2) != 0; }
    void end(unsigned) override {}

private:
    unsigned value_below(unsigned options) noexcept {
        const unsigned wanted = at_ < decisions_.size() ? decisions_[at_++] : 0;
        return wanted < options ? wanted : 0;
    }

    std::vector<std::uint8_t> decisions_;
    std::size_t at_ = 0;
    const bool weak_;
};

// A letter per decision, `a` for 0. A number after a letter is the length of a run of that decision.
std::string to_text(const std::vector<std::uint8_t>& decisions);
// Returns false if the text does not have that form.
bool from_text(std::string_view text, std::vector<std::uint8_t>& decisions);

}  // namespace model
