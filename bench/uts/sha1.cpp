// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-1 by the x86 instructions for it (Intel Software Developer's Manual, volume 2: SHA1RNDS4, SHA1NEXTE, SHA1MSG1,
// SHA1MSG2). One instruction performs four rounds. The working variables a to d are in one register, with a in the
// highest lane. The variable e of the next four rounds is the rotated a from before the last four rounds, which
// SHA1NEXTE adds to the words of the message. This code is not called on processors without these instructions.
#include <bench/uts/sha1.hpp>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace bench::uts {

#if defined(__x86_64__)
namespace {

#define TEFF_BENCH_SHA [[gnu::target("sha,sse4.1")]]

bool find_instructions() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSE4_1) == 0) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

// Four words, with the first one in the highest lane.
TEFF_BENCH_SHA __m128i four(std::uint32_t first, std::uint32_t second, std::uint32_t third, std::uint32_t fourth) {
    return _mm_set_epi32(static_cast<int>(first), static_cast<int>(second), static_cast<int>(third),
                         static_cast<int>(fourth));
}

// Converts from the order of the lanes to that of an array in memory, and back.
TEFF_BENCH_SHA __m128i reversed(__m128i words) { return _mm_shuffle_epi32(words, 0x1b); }

struct working {
    __m128i abcd;
    __m128i before;                  // abcd four rounds ago
    __m128i words[4];                // the last sixteen words of the schedule
};

template <int Group> TEFF_BENCH_SHA [[gnu::always_inline]] inline void four_rounds(working& w) {
    __m128i& words = w.words[Group % 4];
    if constexpr (Group >= 4) {
        words = _mm_sha1msg1_epu32(words, w.words[(Group + 1) % 4]);
        words = _mm_xor_si128(words, w.words[(Group + 2) % 4]);
        words = _mm_sha1msg2_epu32(words, w.words[(Group + 3) % 4]);
    }
    __m128i with_e;
    if constexpr (Group == 0)
        with_e = _mm_add_epi32(four(initial_digest[4], 0, 0, 0), words);
    else
        with_e = _mm_sha1nexte_epu32(w.before, words);
    w.before = w.abcd;
    w.abcd = _mm_sha1rnds4_epu32(w.abcd, with_e, Group / 5);
}

template <int... Group>
TEFF_BENCH_SHA [[gnu::always_inline]] inline void all_rounds(working& w, std::integer_sequence<int, Group...>) {
    (four_rounds<Group>(w), ...);
}

}  // namespace

const bool has_sha1_instructions = find_instructions();

// The message is padded in registers: with the bit that ends it, and with its length, 192 bits.
TEFF_BENCH_SHA digest sha1_by_instructions(const digest& words, std::uint32_t last) {
    const __m128i initial = four(initial_digest[0], initial_digest[1], initial_digest[2], initial_digest[3]);
    const __m128i first_four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words.data()));
    working w = {initial,
                 initial,
                 {reversed(first_four), four(words[4], last, 0x80000000U, 0), _mm_setzero_si128(), four(0, 0, 0, 192)}};
    all_rounds(w, std::make_integer_sequence<int, 20>{});
    const __m128i e = _mm_sha1nexte_epu32(w.before, four(initial_digest[4], 0, 0, 0));
    digest result;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(result.data()), reversed(_mm_add_epi32(w.abcd, initial)));
    result[4] = static_cast<std::uint32_t>(_mm_extract_epi32(e, 3));
    return result;
}

#else

const bool has_sha1_instructions = false;

digest sha1_by_instructions(const digest& words, std::uint32_t last) { return sha1(words, last); }

#endif

}  // namespace bench::uts
