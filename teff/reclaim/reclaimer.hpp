// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The concept `reclaimer`: decides when memory that other threads may still be reading can be reused.
//
// A reclaimer belongs to one team and is built for N participants, which are the slots 0 to N-1 of that team. They
// are not thread ids: one thread at a time acts for a slot. Structures like block_queue are asymmetric: one
// participant, the owner, allocates, unlinks and retires blocks; the other participants, the thieves, only read
// blocks that they reach through a shared pointer. In other structures (fifo_queue) every participant allocates, and
// the participant that unlinks a block acts as its owner and retires it.
//
//   thief    enter(me)  p = protect(me, source) ... access *p ...  leave(me)
//   owner    moves `source` past p for good; then retire(me, *p)
//   promise  p->dispose(p) runs only after every participant that obtained p has left or (hazard) protects another
//            block. The thread that calls retire() or flush() runs it.
//
//   operation    called by             together with
//   allocate     owner                 everything
//   deallocate   owner                 everything; never for a block that a thief may still access
//   anchor       owner                 everything; one anchor per participant
//   enter/leave  participant           everything; in pairs, not nested
//   protect      participant           everything; between its enter and leave; ends its previous protection
//   hold         participant           everything; between its enter and leave, for the block that it protects and will
//                                      still access after leave, under another agreement with the owner
//                                      (block_queue: until all moves are over); lasts until its next hold
//   retire       owner                 everything
//   observe      any thread            everything; before it reads a block's atomic fields without protection, for a
//                                      hint; only where blocks return to their owner instead of being freed
//   flush        any thread            calls for other participants; no participant may be between enter and leave
//   pending      owner                 everything
//
// dispose may be called late (arena: at flush()) or never (gc: the collector frees the block), so nothing but the
// reuse of memory may depend on it. It may call no function of the reclaimer but deallocate(). Nothing here aborts:
// if a constructor finds no memory, valid() is false; if allocate() finds none, it returns nullptr; retire() cannot
// fail.
//
// A user may write a reclaimer (docs/schedulers.md): a class for which team_reclaimer holds. A team builds it for its
// members and destroys it after its queues. A class that derives from one of the library's is another reclaimer.
// Rejected: a guard object that carries the protection (four reclaimers would need four layouts of it inside every
// thief).
#pragma once

#include <teff/base/atomic.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>

namespace teff {

// The prefix of every block that a reclaimer manages. Only the owner accesses the two fields. It sets `dispose`
// before it retires the block; `next_retired` belongs to the reclaimer from retire() to dispose().
struct reclaimable {
    // The reclaimer's, from retire() to dispose().
    reclaimable* next_retired = nullptr;
    // Frees the block. Called once, after retire().
    void (*dispose)(reclaimable*) noexcept = nullptr;
};

// A type of block for the requirements below; types of blocks derive from reclaimable.
struct any_block : reclaimable {};

// A type with these members, which the head of this file describes.
template <class R>
concept reclaimer =
    requires(R& r, const R& constant, std::size_t participant, reclaimable& block, const atomic<reclaimable*>& source,
             const atomic<any_block*>& typed, void* memory, std::size_t bytes, std::size_t alignment) {
        { constant.valid() } noexcept -> std::same_as<bool>;
        { r.allocate(participant, bytes, alignment) } noexcept -> std::same_as<void*>;
        { r.deallocate(participant, memory, bytes, alignment) } noexcept -> std::same_as<void>;
        { r.anchor(participant, memory) } noexcept -> std::same_as<void>;
        { r.hold(participant, memory) } noexcept -> std::same_as<void>;
        { r.enter(participant) } noexcept -> std::same_as<void>;
        { r.leave(participant) } noexcept -> std::same_as<void>;
        { r.protect(participant, source) } noexcept -> std::same_as<reclaimable*>;
        { r.protect(participant, typed) } noexcept -> std::same_as<any_block*>;
        { r.observe() } noexcept -> std::same_as<void>;
        { r.retire(participant, block) } noexcept -> std::same_as<void>;
        { r.flush(participant) } noexcept -> std::same_as<void>;
        { constant.pending(participant) } noexcept -> std::same_as<std::size_t>;
    };

// A reclaimer that a team can build: from the number of participants, or from that and the value of the option
// epoch_threshold.
template <class R>
concept team_reclaimer = reclaimer<R> && (std::constructible_from<R, std::size_t, std::size_t> ||
                                          std::constructible_from<R, std::size_t>);

// A reclaimer of the library, which its name `R::name` chooses at run time (names.hpp). False for a class derived from
// one.
template <class R>
concept named_reclaimer = reclaimer<R> && requires {
    { R::name } -> std::convertible_to<std::string_view>;
    requires std::same_as<typename R::named, R>;
};

// Calls enter() at the beginning of a scope and leave() at its end.
template <reclaimer R>
class [[nodiscard]] scoped_participation {
public:
    // Calls r.enter(participant). `r` must outlive the object.
    scoped_participation(R& r, std::size_t participant) noexcept : reclaimer_(r), participant_(participant) {
        reclaimer_.enter(participant_);
    }
    ~scoped_participation() { reclaimer_.leave(participant_); }
    scoped_participation(const scoped_participation&) = delete;
    scoped_participation& operator=(const scoped_participation&) = delete;

private:
    R& reclaimer_;
    std::size_t participant_;
};

}  // namespace teff
