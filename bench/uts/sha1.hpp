// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-1 (FIPS 180-4) of messages that fit into one block of 512 bits, given as words: all that a splittable random
// stream needs. It works on words instead of bytes because a digest is the beginning of the next message, so no bytes
// are ever moved. Every runtime's version calls it for every node, and it is nearly the whole cost of a node; so it
// uses the processor's SHA-1 instructions where they exist. Not for security.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace bench::uts {

using digest = std::array<std::uint32_t, 5>;

using block = std::array<std::uint32_t, 16>;

inline constexpr digest initial_digest = {0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U, 0xc3d2e1f0U};

// The digest of six words by the processor's SHA-1 instructions; may be called only if has_sha1_instructions.
extern const bool has_sha1_instructions;
digest sha1_by_instructions(const digest& words, std::uint32_t last);

// Plain C++. The 80 rounds are unrolled, because a loop would keep its sixteen words in memory.
class portable_sha1 {
public:
    explicit portable_sha1(const block& padded) : schedule_(padded) {}

    digest compress() {
        digest value = initial_digest;
        rounds(value, std::make_index_sequence<80>{});
        for (std::size_t index = 0; index < value.size(); ++index) value[index] += initial_digest[index];
        return value;
    }

private:
    template <std::size_t... Round> [[gnu::always_inline]] void rounds(digest& value, std::index_sequence<Round...>) {
        (round<Round>(value), ...);
    }

    template <std::size_t Round> [[gnu::always_inline]] void round(digest& value) {
        auto& [a, b, c, d, e] = value;
        const std::uint32_t next = std::rotl(a, 5) + mix<Round>(b, c, d) + e + word<Round>();
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }

    template <std::size_t Round> [[gnu::always_inline]] std::uint32_t word() {
        std::uint32_t& oldest = schedule_[Round % 16];
        if constexpr (Round >= 16) {
            oldest ^= schedule_[(Round - 3) % 16] ^ schedule_[(Round - 8) % 16] ^ schedule_[(Round - 14) % 16];
            oldest = std::rotl(oldest, 1);
        }
        return oldest;
    }

    template <std::size_t Round>
    [[gnu::always_inline]] static std::uint32_t mix(std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        if constexpr (Round < 20)
            return (d ^ (b & (c ^ d))) + 0x5a827999U;
        else if constexpr (Round < 40)
            return (b ^ c ^ d) + 0x6ed9eba1U;
        else if constexpr (Round < 60)
            return ((b & c) | (d & (b | c))) + 0x8f1bbcdcU;
        else
            return (b ^ c ^ d) + 0xca62c1d6U;
    }

    block schedule_;
};

// A message of whole words, followed by the bit that ends it and its length in bits.
template <std::size_t Count> block padded(const std::array<std::uint32_t, Count>& message) {
    static_assert(Count <= 13);
    block result = {};
    for (std::size_t index = 0; index < Count; ++index) result[index] = message[index];
    result[Count] = 0x80000000U;
    result[15] = static_cast<std::uint32_t>(32 * Count);
    return result;
}

// The digest of a message of at most 13 words.
template <std::size_t Count> digest sha1(const std::array<std::uint32_t, Count>& message) {
    return portable_sha1(padded(message)).compress();
}

// The digest of five words and one more word.
inline digest sha1(const digest& words, std::uint32_t last) {
    if (has_sha1_instructions) return sha1_by_instructions(words, last);
    return sha1(std::array{words[0], words[1], words[2], words[3], words[4], last});
}

}  // namespace bench::uts
