// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in UTF-8 that is cut where a character ends.
#pragma once

#include <cstddef>
#include <string_view>

namespace teff {

// The begin of the text, of at most `most` bytes, without a part of a character at its end.
constexpr std::string_view cut_utf8(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most)
        return text;
    // All bytes of a character but the first one have these two bits.
    while (most != 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;
    return text.substr(0, most);
}

}  // namespace teff
