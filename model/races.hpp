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
// different steps. Seldom are they: the cell has one step for each thread, with the bytes that were read then, and lies
// in one cache line. Where they do differ, the thread's steps move to a table beside the cells, one for each byte.
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
    static constexpr std::size_t granule = 4, line = 64, cells_per_line = line / granule;

    // Sets of bytes and of threads are masks with a bit for each.
    struct alignas(64) cell {
        std::uint32_t generation;
        std::uint32_t write_step;
        const void* write_code;
        std::uint8_t writer;
        std::uint8_t written_bytes;
        std::uint8_t readers;
        std::uint8_t split;  // the readers whose steps are in byte_steps_
        std::uint8_t read_bytes[max_threads];
        std::uint32_t read_steps[max_threads];
    };
    static_assert(sizeof(cell) == 64 && max_threads <= 8);
    struct steps_of_bytes {
        std::uint32_t of[max_threads][granule];  // 0: not read
    };

    bool note_in_cell(std::size_t at, unsigned bytes, access kind, unsigned thread, const vector_clock& clock,
                      const void* code, race& found) noexcept;
    void note_read(std::size_t at, unsigned bytes, unsigned thread, std::uint32_t step) noexcept;
    void note_read_of_bytes(std::size_t at, unsigned bytes, unsigned thread, std::uint32_t step) noexcept;
    bool races_with_reads(std::size_t at, unsigned bytes, unsigned thread, const vector_clock& clock,
                          race& found) const noexcept;

    cell* cells_;
    steps_of_bytes* byte_steps_;
    std::vector<std::uint32_t> touched_;  // per line: the last generation that touched it
    std::uint32_t generation_ = 0;
};

}  // namespace model
