// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thief asks a victim for an item without a lock, a read-modify-write or a fence (X-OpenMP, section 4.1 and 4.2,
// algorithms 2 to 5, after Acar and others).
//
// Each member has a `steal_request`: its round, which it alone writes, and a word in which thieves leave their request:
// the thief's number and the round of the victim that it saw. The victim answers a request of its present round, or
// declines it, and either way begins the next round; requests of other rounds mean nothing.
//
//   word's round < round    nobody asks: a thief may write its request
//   word's round = round    the thief named in the word asks; if that is the victim itself, it accepts no requests
//   (word's round > round)  for a moment while close() is under way: accepts none, nobody asks
//
//   ask, is_over, ask_again            any thread, as a thief
//   asking_thief, next_round, close    the member only
//
// Plain stores race here on purpose: of two thieves that write at once one is forgotten, and sees it when the round is
// over; a thief that was slow may overwrite a newer request with an outdated one. Hence:
// (1) A victim answers at most one request per round, and hands over what it gives before it begins the next round. So
//     a thief that sees the round changed has got its item by then or never will for this request.
// (2) A thief whose request was overwritten by an outdated word writes it again (ask_again) while the round lasts.
// (3) A member without items closes: it declines who asks, and keeps others from asking. If an outdated request
//     overwrites that, the next close() repairs it.
//
// Slips of the paper's pseudocode, and what we do: (1) algorithm 2 takes the round out of the word's low 40 bits, which
// agrees with the packing, but the thieves' test `steal_req & ((1 << 40) - 1) < round` binds as `&` after `<` in C, and
// shifts a 32-bit one: here in one function, 64 bits wide. (2) The loop of algorithm 3 goes on while `round ==
// victim.round || stolen_task != NULL`, so it would spin on a task that has arrived; meant is: while the round lasts
// and no task is there. (3) After MAX tries the thief gives up, but its request stays, and a task given for it could
// meet another victim's in the one cell. Here a thief that gave up keeps the request in mind and asks nobody else until
// the round is over. (4) `thread.num_tries` would be reset by every call and shrink to the minimum at once, while the
// text says that it shrinks a little after each success: as the text says. (5) The self-query is compared with the
// round before and written with the one after: here close() writes the word for the next round, then begins it.
// (6) Nothing says when a victim that has no items for the asking thief goes on: it declines (text, section 4.1).
//
// Memory order: the paper relies on total store order. Here each word is published by release and read by acquire,
// which costs nothing on such machines and is enough on others, as each step needs only what its predecessor wrote:
// request before answer before round. Rounds have 40 bits and begin again after the last: at 10^8 thefts per second
// from one victim they last three hours, and a thief would have to sleep through half of them between two steps to be
// mistaken.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>

#include <cstdint>

namespace teff {

class steal_request {
public:
    static constexpr unsigned nobody = ~0U;
    using round = std::uint64_t;
    static constexpr round not_asked = ~round{0};

    // first: the first round, 0..2^40 - 1.
    explicit steal_request(round first = 1) noexcept : word_(pack(0, first - 1)), round_(first) {}

    // Thief: asks, unless another one does or the victim has closed. The round of the request, or not_asked.
    round ask(unsigned thief) noexcept {
        const round seen = now();
        // relaxed: decides only whether to ask; a wrong decision is (2) above.
        if (!is_before(word_.load(std::memory_order_relaxed), seen))
            return not_asked;
        write(thief, seen);
        return seen;
    }
    // Thief: whether the victim has finished the round, and with it handed over what it will hand over.
    bool is_over(round asked) const noexcept { return now() != asked; }
    // Thief, while the round is not over: repairs a request that was overwritten by an outdated one.
    void ask_again(unsigned thief, round asked) noexcept {
        // relaxed: as in ask().
        if (is_before(word_.load(std::memory_order_relaxed), asked))
            write(thief, asked);
    }

    // Member: who asks, or nobody.
    unsigned asking_thief(unsigned self) const noexcept {
        // acquire: what the thief did before it asked, such as emptying the cell for the answer; partner: write().
        const std::uint64_t word = word_.load(std::memory_order_acquire);
        const auto thief = static_cast<unsigned>(word >> round_bits);
        return round_of(word) == own_round() && thief != self ? thief : nobody;
    }
    // Member: the request was answered or declined; also: accepts requests again.
    void next_round() noexcept {
        // release: what was handed over is seen by who sees the round over; partner: the acquire in now().
        round_.store(round_of(own_round() + 1), std::memory_order_release);
    }
    // Member: declines and accepts no requests until next_round().
    void close(unsigned self) noexcept {
        const round mine = own_round();
        // relaxed: compared with the member's own.
        if (word_.load(std::memory_order_relaxed) == pack(self, mine))
            return;
        write(self, mine + 1);
        next_round();
    }

private:
    static constexpr unsigned round_bits = 40;
    static constexpr std::uint64_t pack(unsigned who, round when) noexcept {
        return std::uint64_t{who} << round_bits | round_of(when);
    }
    static constexpr round round_of(std::uint64_t word) noexcept { return word & ((round{1} << round_bits) - 1); }
    // Whether the word's round is one of those that came before `when`.
    static constexpr bool is_before(std::uint64_t word, round when) noexcept {
        return (word - when) >> (round_bits - 1) & 1;
    }

    round now() const noexcept {
        // acquire: sees what was handed over before; partner: the release in next_round().
        return round_.load(std::memory_order_acquire);
    }
    // relaxed: written by the member alone.
    round own_round() const noexcept { return round_.load(std::memory_order_relaxed); }
    void write(unsigned who, round when) noexcept {
        // release: partner: the acquire in asking_thief().
        word_.store(pack(who, when), std::memory_order_release);
    }

    // thieves write
    alignas(false_sharing_range) atomic<std::uint64_t> word_;
    // member writes, thieves read
    alignas(false_sharing_range) atomic<round> round_;
};

}  // namespace teff
