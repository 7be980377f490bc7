// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHA-1 by the x86 instructions for it (Intel Software Developer's Manual, volume 2: SHA1RNDS4, SHA1NEXTE, SHA1MSG1, SHA1MSG2).
// One instruction does four rounds: the working variables a to d lie in one register, a in the highest lane; e of the next four
// rounds is a of the last four, rotated, which SHA1NEXTE adds to the words of the message. On other processors it is not called.
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

// Four words, the first in the highest lane.
TEFF_BENCH_SHA __m128i four(const std::uint32_t* words) {
    return _mm_set_epi32(static_cast<int>(words[0]), static_cast<int>(words[1]), static_cast<int>(words[2]),
                         static_cast<int>(words[3]));
}

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
        with_e = _mm_add_epi32(_mm_set_epi32(static_cast<int>(initial_digest[4]), 0, 0, 0), words);
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

TEFF_BENCH_SHA digest compress_by_instructions(const block& padded) {
    const __m128i initial = four(initial_digest.data());
    const std::uint32_t* const message = padded.data();
    working w = {initial, initial, {four(message), four(message + 4), four(message + 8), four(message + 12)}};
    all_rounds(w, std::make_integer_sequence<int, 20>{});
    const __m128i e = _mm_sha1nexte_epu32(w.before, _mm_set_epi32(static_cast<int>(initial_digest[4]), 0, 0, 0));
    const __m128i abcd = _mm_add_epi32(w.abcd, initial);
    return {static_cast<std::uint32_t>(_mm_extract_epi32(abcd, 3)), static_cast<std::uint32_t>(_mm_extract_epi32(abcd, 2)),
            static_cast<std::uint32_t>(_mm_extract_epi32(abcd, 1)), static_cast<std::uint32_t>(_mm_extract_epi32(abcd, 0)),
            static_cast<std::uint32_t>(_mm_extract_epi32(e, 3))};
}

#else

const bool has_sha1_instructions = false;

digest compress_by_instructions(const block& padded) { return portable_sha1(padded).compress(); }

#endif

}  // namespace bench::uts
