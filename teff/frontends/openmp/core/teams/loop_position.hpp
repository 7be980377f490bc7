// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's own position in the worksharing constructs of its team. Only the thread itself uses it. What the threads
// of a loop share is in loop.hpp.
#pragma once

#include <teff/frontends/openmp/core/iterations/iterations.hpp>

#include <cstdint>

namespace teff::openmp {

class doacross;
class loop_share;
struct shared_loop;

// How the next chunk of a loop is found.
enum class chunk_source : unsigned char {
    shares,         // one chunk of the thread's share, then of those of others (dynamic, in any order)
    counter,        // one chunk of the loop's counter (dynamic)
    counter_slow,   // the same, in a loop that needs more than the counter at each chunk (ordered)
    shrinking,      // several chunks of the loop's counter, fewer towards the end (guided)
    own_chunks,     // every size-th chunk (static with a chunk)
    own_block,      // one contiguous part (static)
    none,           // the own part has been handed out
};

struct loop_position {
    std::uint64_t shared_loops = 0;  // that the thread has begun; the same sequence on all threads of a team
    shared_loop* shared = nullptr;   // nullptr: the loop needs none, or the thread has left it
    doacross* crossing = nullptr;    // nullptr: this is no doacross loop (doacross.hpp), or the thread is alone
    bool is_early = false;           // `shared` is that of the loop that begins next

    // the present loop
    iteration_space space;
    std::uint64_t end_value = 0;  // for the entry points: the end in the terms of the program
    std::uint64_t chunk = 1;
    std::uint64_t chunks = 0;
    std::uint64_t own_next = 0;  // index of the next one of own_chunks
    // of a loop with shares
    loop_share* share = nullptr;  // the one that the thread takes from
    std::uint64_t share_begin = 0, share_size = 0;  // its chunks
    std::uint32_t share_loop = 0;  // the loop's number
    unsigned shares_used_up = 0;   // as far as the thread knows
    chunk_source source = chunk_source::none;
    bool is_ordered = false;
    iteration_range current;         // ordered: the chunk that the thread runs
    std::uint64_t ordered_ends = 0;  // ordered regions that the thread has ended in this chunk
};

}  // namespace teff::openmp
