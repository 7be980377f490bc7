// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects data races on ordinary memory: two accesses, one of them a write, of which neither happens before the
// other.
//
// For each four bytes of the heap, the stacks and the static variables of the checked sources, a cell records the
// last write (its thread and step, and which of the bytes it wrote; an earlier write to the other bytes is forgotten)
// and the step of each thread's last read. An atomic access counts as a read: it may race with the construction or
// the end of the object, but not with other atomic accesses. (As in FastTrack, Flanagan and Freund, PLDI 2009, but
// all readers are kept.)
#pragma once

#include <model/vector_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace model {

enum class access : unsigned char { read, write, atomic };

struct race {
    unsigned other_thread;
    const void* other_code;  // the code address of the other access; nullptr if not known
    bool other_wrote;
};

class race_detector {
public:
    // Watches `bytes` bytes. The caller maps addresses to positions in them.
    explicit race_detector(std::size_t bytes);
    race_detector(const race_detector&) = delete;
    race_detector& operator=(const race_detector&) = delete;

    void begin() noexcept { ++generation_; }

    // Records an access to [position, position + size) by `thread`, whose vector clock is `clock`, from the code
    // address `code`. Returns whether it races; `found` then describes the other access.
    bool note(std::size_t position, std::size_t size, access kind, unsigned thread, const vector_clock& clock,
              const void* code, race& found) noexcept;

    // The same for the end of an allocation. It counts as a write, but only lines that this execution has accessed
    // are checked.
    bool note_end(std::size_t position, std::size_t size, unsigned thread, const vector_clock& clock,
                  race& found) noexcept;

private:
    static constexpr std::size_t granule = 4, line = 64;

    struct alignas(64) cell {
        std::uint32_t generation;
        std::uint32_t write_step;
        std::uint8_t writer;
        std::uint8_t written_bytes;
        // Of each byte, since the bytes of a granule may be different objects, and were others before; 0: not read.
        std::uint32_t read_steps[max_threads][granule];
        const void* write_code;
    };

    cell* cells_;
    std::vector<std::uint32_t> touched_;  // per line: the last generation that touched it
    std::uint32_t generation_ = 0;
};

}  // namespace model
