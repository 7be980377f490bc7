// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts decisions to text and back.
#include <model/replay.hpp>

namespace model {

std::string to_text(const std::vector<std::uint8_t>& decisions) {
    std::string text;
    for (std::size_t i = 0; i < decisions.size();) {
        std::size_t run = 1;
        while (i + run < decisions.size() && decisions[i + run] == decisions[i])
            ++run;
        text += static_cast<char>('a' + decisions[i]);
        if (run > 1)
            text += std::to_string(run);
        i += run;
    }
    return text;
}

bool from_text(std::string_view text, std::vector<std::uint8_t>& decisions) {
    constexpr std::size_t most = 1'000'000;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] < 'a' || text[i] > 'z')
            return false;
        const auto decision = static_cast<std::uint8_t>(text[i++] - 'a');
        std::size_t run = 0;
        for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && run < most; ++i)
            run = 10 * run + static_cast<std::size_t>(text[i] - '0');
        if (decisions.size() + run > most)
            return false;
        decisions.insert(decisions.end(), run == 0 ? 1 : run, decision);
    }
    return true;
}

}  // namespace model
