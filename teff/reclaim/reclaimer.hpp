// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The concept `reclaimer`: when may memory that other threads might still read be used again?
//
// A reclaimer belongs to one team and is built for N participants, slots 0 to N-1 of that team (not thread ids; one
// thread at a time acts for a slot). Structures like block_queue are asymmetric: one participant, the owner, allocates,
// unlinks and retires blocks; the others, thieves, only look at blocks that they reach through a shared pointer.
// In others (fifo_queue) every participant allocates, and whoever unlinks a block is its owner and retires it.
//
//   thief    enter(me)  p = protect(me, source) ... look at *p ...  leave(me)
//   owner    source moves past p for ever; then retire(me, *p)
//   promise  p->dispose(p) is called by the thread that calls retire() or flush(), once every participant that
//            obtained p has left, or (hazard) protects something else
//
//   operation    called by             together with
//   allocate     owner                 everything
//   deallocate   owner                 everything; never for a block that a thief may still look at
//   anchor       owner                 everything; one anchor per participant
//   enter/leave  participant           everything; in pairs, not nested
//   protect      participant           everything; between its enter and leave; forgets what it protected before
//   hold         participant           everything; between enter and leave, for a block that it protects and will use
//                                      afterwards under another agreement with the owner (block_queue: until all
//                                      moves are over); lasts until its next hold
//   retire       owner                 everything
//   observe      any thread            everything; before it looks at a block's atomic fields without protection, for
//                                      a hint; only where blocks return to their owner instead of being freed
//   flush        any thread            nothing that names this participant; nobody between enter and leave
//   pending      owner                 everything
//
// dispose may be called late or never (arena: at flush(); gc: never, the collector frees), so it must not be needed for
// anything but memory; it must not call the reclaimer except deallocate(). Nothing here aborts: a constructor that
// finds no memory leaves valid() false, allocate() answers nullptr, and retire() cannot fail.
// Rejected: a guard object that carries the protection (four reclaimers would need four layouts inside every thief).
#pragma once

#include <teff/base/atomic.hpp>

#include <concepts>
#include <cstddef>

namespace teff {

// The prefix of every block that a reclaimer manages. Both fields are the owner's: dispose is set before the block is
// retired, next_retired belongs to the reclaimer from retire() to dispose().
struct reclaimable {
    reclaimable* next_retired = nullptr;
    void (*dispose)(reclaimable*) noexcept = nullptr;
};

template <class R>
concept reclaimer =
    requires(R& r, const R& constant, std::size_t participant, reclaimable& block, const atomic<reclaimable*>& source,
             void* memory, std::size_t bytes, std::size_t alignment) {
        { constant.valid() } noexcept -> std::same_as<bool>;
        { r.allocate(participant, bytes, alignment) } noexcept -> std::same_as<void*>;
        { r.deallocate(participant, memory, bytes, alignment) } noexcept -> std::same_as<void>;
        { r.anchor(participant, memory) } noexcept -> std::same_as<void>;
        { r.hold(participant, memory) } noexcept -> std::same_as<void>;
        { r.enter(participant) } noexcept -> std::same_as<void>;
        { r.leave(participant) } noexcept -> std::same_as<void>;
        { r.protect(participant, source) } noexcept -> std::same_as<reclaimable*>;
        { r.observe() } noexcept -> std::same_as<void>;
        { r.retire(participant, block) } noexcept -> std::same_as<void>;
        { r.flush(participant) } noexcept -> std::same_as<void>;
        { constant.pending(participant) } noexcept -> std::same_as<std::size_t>;
    };

// enter() and leave() around a scope.
template <reclaimer R>
class [[nodiscard]] scoped_participation {
public:
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
