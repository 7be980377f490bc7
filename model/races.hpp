// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data races on ordinary memory: two accesses, one of them a write, of which neither happens before the other.
//
// For each four bytes of the heap, the stacks and the static variables of the checked sources: who wrote last (and
// which of the bytes; an earlier write of others is forgotten), and up to which step each thread has read. An atomic
// access counts as a read: it may race with the construction or the end of the object, not with other atomic accesses.
// (As in FastTrack, Flanagan and Freund, PLDI 2009, with all readers kept.)
#pragma once

#include <model/vector_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace model {

enum class access : unsigned char { read, write, atomic };

struct race {
    unsigned other_thread;
    const void* other_code;  // where the other access was; nullptr if not known
    bool other_wrote;
};

class race_detector {
public:
    // Watches `cells` times four bytes; the caller maps addresses to positions.
    explicit race_detector(std::size_t bytes);
    race_detector(const race_detector&) = delete;
    race_detector& operator=(const race_detector&) = delete;

    void begin() noexcept { ++generation_; }

    // Notes an access to [position, position + size) by `thread`, whose knowledge is `clock`, from the code address
    // `code`. Returns whether it races; `found` then describes the other access.
    bool note(std::size_t position, std::size_t size, access kind, unsigned thread, const vector_clock& clock,
              const void* code, race& found) noexcept;

    // The same for the end of an object: a write that looks only at what was touched.
    bool note_end(std::size_t position, std::size_t size, unsigned thread, const vector_clock& clock,
                  race& found) noexcept;

private:
    static constexpr std::size_t granule = 4, line = 64;

    struct alignas(64) cell {
        std::uint32_t generation;
        std::uint32_t write_step;
        std::uint8_t writer;
        std::uint8_t written_bytes;
        std::uint8_t read_bytes[max_threads];
        std::uint32_t read_steps[max_threads];
        const void* write_code;
    };

    cell* cells_;
    std::vector<std::uint32_t> touched_;  // per line: the last generation that touched it
    std::uint32_t generation_ = 0;
};

}  // namespace model
