// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects data races on ordinary memory: two accesses, one of them a write, of which neither happens before the
// other.
//
// For each four bytes of the heap, the stacks and the static variables of the checked sources, a cell records the
// last write (its thread and step, and which of the bytes it wrote; an earlier write to the other bytes is forgotten)
// and the step of each thread's last read. An atomic access counts as a read: it may race with the construction or
// the end of the object, but not with other atomic accesses. (As in FastTrack, Flanagan and Freund, PLDI 2009, but
// all readers are kept.)
//
// The bytes of a cell may be different objects, and were others before, so a thread's last reads of them may be at
// different steps. Seldom are they: the cell has one step for each thread, with the bytes that were read then, and is
// small, since most of the time of an exploration goes by waiting for cells. Where the steps do differ, those of the
// thread move to a table beside the cells, one for each byte.
#pragma once

#include <model/operations.hpp>
#include <model/vector_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace model {

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
    static constexpr std::size_t granule = 4, line = 64, cells_per_line = line / granule;
    static constexpr std::uint32_t all_bytes = (1U << granule) - 1;

    // Sets of bytes and of threads are masks with a bit for each. An execution has fewer steps than 16 bits can count,
    // and the code that is checked is below 4 GiB (-no-pie).
    struct alignas(32) cell {
        std::uint32_t generation;
        std::uint32_t write_code;
        std::uint16_t write_step;
        std::uint8_t writer : 4;
        std::uint8_t written_bytes : granule;
        std::uint8_t split;        // the readers whose steps are in byte_steps_
        std::uint32_t read_bytes;  // `granule` bits for each thread
        std::uint16_t read_steps[max_threads];

        unsigned read_by(unsigned thread) const noexcept { return read_bytes >> granule * thread & all_bytes; }
        bool is_read_by_others(unsigned thread) const noexcept {
            return (read_bytes & ~(all_bytes << granule * thread)) != 0;
        }
    };
    static_assert(sizeof(cell) == 32 && max_threads == 8);
    struct steps_of_bytes {
        std::uint16_t of[max_threads][granule];  // 0: not read
    };

    bool note_in_cell(std::size_t at, unsigned bytes, access kind, unsigned thread, const vector_clock& clock,
                      const void* code, race& found) noexcept;
    void note_read(std::size_t at, unsigned bytes, unsigned thread, std::uint16_t step) noexcept;
    void note_read_of_bytes(std::size_t at, unsigned bytes, unsigned thread, std::uint16_t step) noexcept;
    bool races_with_reads(std::size_t at, unsigned bytes, unsigned thread, const vector_clock& clock,
                          race& found) const noexcept;

    cell* cells_;
    steps_of_bytes* byte_steps_;
    std::vector<std::uint32_t> touched_;  // per line: the last generation that touched it
    std::uint32_t generation_ = 0;
};

}  // namespace model
