// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thief asks a victim for an item without a lock, a read-modify-write or a fence (X-OpenMP, section 4.1 and
// 4.2, algorithms 2 to 5, after Acar and others).
//
// Each member has a `steal_request`: a round number, which only the member writes, and a word, in which thieves write
// their requests. A request is the thief's number and the victim's round that the thief read. The victim answers or
// declines a request of its present round, and then begins the next round. It ignores requests of other rounds.
//
//   word's round < round    no request: a thief may write one
//   word's round = round    the thief named in the word asks; if that is the victim itself, it is closed: it accepts no
//                           requests
//   (word's round > round)  for a moment inside close(): closed, and no request
//
//   ask, is_over, ask_again            any thread, as a thief
//   asking_thief, next_round, close    the member only
//
// The stores to the word race on purpose. If two thieves write at once, one request is lost, and its thief learns
// that when the round is over. A slow thief may overwrite a newer request with an outdated one. Hence:
// (1) A victim answers at most one request per round, and hands over all that it gives before it begins the next
// round. So a thief that sees a new round has its item by then, or will never get one for this request.
// (2) A thief whose request was overwritten by an outdated word writes it again (ask_again) while the round lasts.
// (3) A member without items closes: it declines a pending request and prevents further ones. If an outdated request
// overwrites that, the next close() repairs it.
//
// Slips of the paper's pseudocode, and what we do: (1) Algorithm 2 takes the round from the word's low 40 bits, which
// agrees with the packing. But in the thieves' test `steal_req & ((1 << 40) - 1) < round`, `<` binds tighter than `&`
// in C, and a 32-bit 1 is shifted. Here one function extracts the round, 64 bits wide. (2) The loop of algorithm 3
// continues while `round == victim.round || stolen_task != NULL`, so it would spin on a task that has arrived. It
// must continue while the round lasts and no task has arrived. (3) After MAX tries the thief gives up, but its
// request stays, and a task given for it could collide with another victim's task in the thief's only cell. Here a
// thief that gave up remembers the request and asks no other victim until the round is over. (4) `thread.num_tries`
// would be reset by every call and shrink to the minimum at once, while the text says that it shrinks a little after
// each success. We follow the text (adaptive_polling, below). (5) A victim closes by a request to itself, which the
// pseudocode compares with the round before the increment and writes with the round after it. Here close() writes the
// word for the next round, then begins that round. (6) The algorithms do not say when a victim that has no items for
// the asking thief begins the next round. Here it declines the request (text, section 4.1).
//
// Memory order: the paper relies on total store order. Here each word is published by release and read by acquire.
// That costs nothing on such machines and is enough on others, because each step needs only what the step before it
// wrote: the request before the answer, the answer before the next round. Rounds have 40 bits and wrap around. At
// 10^8 thefts per second from one victim they last three hours, and a thief would have to sleep through half of that
// time between two steps to mistake an old round for a new one.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>

#include <cstdint>

namespace teff {

class steal_request {
public:
    static constexpr unsigned nobody = ~0U;
    using round = std::uint64_t;
    static constexpr round not_asked = ~round{0};

    // first: the first round, 0..2^40 - 1.
    explicit steal_request(round first = 1) noexcept : word_(pack(0, first - 1)), round_(first) {}

    // Thief: sends a request, unless another thief's request is pending or the victim is closed. Returns the round of
    // the request, or not_asked.
    round ask(unsigned thief) noexcept {
        const round seen = now();
        // relaxed: only decides whether to ask; a wrong decision is case (2) above.
        if (!is_before(word_.load(std::memory_order_relaxed), seen))
            return not_asked;
        write(thief, seen);
        return seen;
    }
    // Thief: whether the victim has ended the round. If so, it has handed over all that it gives for this request.
    bool is_over(round asked) const noexcept { return now() != asked; }
    // Thief, while the round is not over: writes its request again if an outdated one has overwritten it.
    void ask_again(unsigned thief, round asked) noexcept {
        // relaxed: as in ask().
        if (is_before(word_.load(std::memory_order_relaxed), asked))
            write(thief, asked);
    }

    // Member: the number of the thief that asks, or `nobody`.
    unsigned asking_thief(unsigned self) const noexcept {
        // acquire: sees what the thief did before it asked, such as emptying the cell for the answer; partner: the
        // release in write().
        const std::uint64_t word = word_.load(std::memory_order_acquire);
        const auto thief = static_cast<unsigned>(word >> round_bits);
        return round_of(word) == own_round() && thief != self ? thief : nobody;
    }
    // Member: ends the round, after it has answered or declined the request. A closed member accepts requests again.
    void next_round() noexcept {
        // release: a thief that sees the end of the round also sees what was handed over; partner: the acquire in
        // now().
        round_.store(round_of(own_round() + 1), std::memory_order_release);
    }
    // Member: declines a pending request, and accepts none until next_round().
    void close(unsigned self) noexcept {
        const round mine = own_round();
        // relaxed: only compared with the member's own mark.
        if (word_.load(std::memory_order_relaxed) == pack(self, mine))
            return;
        write(self, mine + 1);
        next_round();
    }

private:
    static constexpr unsigned round_bits = 40;
    static constexpr std::uint64_t pack(unsigned thief, round asked) noexcept {
        return std::uint64_t{thief} << round_bits | round_of(asked);
    }
    static constexpr round round_of(std::uint64_t word) noexcept { return word & ((round{1} << round_bits) - 1); }
    // Whether the word's round is before `when`; correct also when rounds wrap around.
    static constexpr bool is_before(std::uint64_t word, round later) noexcept {
        return (word - later) >> (round_bits - 1) & 1;
    }

    round now() const noexcept {
        // acquire: sees what was handed over before the new round; partner: the release in next_round().
        return round_.load(std::memory_order_acquire);
    }
    // relaxed: written by the member alone.
    round own_round() const noexcept { return round_.load(std::memory_order_relaxed); }
    void write(unsigned thief, round asked) noexcept {
        // release: publishes what the thief did before it asked; partner: the acquire in asking_thief().
        word_.store(pack(thief, asked), std::memory_order_release);
    }

    // thieves write
    alignas(false_sharing_range) atomic<std::uint64_t> word_;
    // member writes, thieves read
    alignas(false_sharing_range) atomic<round> round_;
};

// Adaptive polling (X-OpenMP, section 4.1): how many times a thief polls for an answer before it gives up. The number
// doubles after each failure and shrinks a little after each success, between two bounds.
//
// Differs from algorithm 3, which sets the number to the minimum after a success, and also at each call. The paper's
// text says otherwise, and this class follows the text. Only one thread uses an object.
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
