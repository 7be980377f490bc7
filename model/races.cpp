// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector. Its cells lie in a mapping whose pages the system provides on first access.
#include <model/races.hpp>

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace model {

namespace {

void* map(std::size_t bytes) {
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        std::fprintf(stderr, "teff_model: no address space for the race detector; raise the limit (ulimit -v)\n");
        std::exit(2);
    }
    return memory;
}

}  // namespace

race_detector::race_detector(std::size_t bytes)
    : cells_(static_cast<cell*>(map((bytes / granule + 1) * sizeof(cell)))),
      byte_steps_(static_cast<steps_of_bytes*>(map((bytes / granule + 1) * sizeof(steps_of_bytes)))),
      touched_(bytes / line + 1) {}

[[gnu::always_inline]] inline void race_detector::note_read(std::size_t at, unsigned bytes, unsigned thread,
                                                            std::uint16_t step) noexcept {
    cell& accesses = cells_[at];
    const bool is_split = (accesses.split >> thread & 1U) != 0;
    if (is_split || ((accesses.read_by(thread) & ~bytes) != 0 && accesses.read_steps[thread] != step)) [[unlikely]]
        return note_read_of_bytes(at, bytes, thread, step);
    accesses.read_bytes |= bytes << granule * thread;
    accesses.read_steps[thread] = step;
}

// Keeps a step for each byte of the cell, since they differ.
void race_detector::note_read_of_bytes(std::size_t at, unsigned bytes, unsigned thread, std::uint16_t step) noexcept {
    cell& accesses = cells_[at];
    std::uint16_t* const steps = byte_steps_[at].of[thread];
    if ((accesses.split >> thread & 1U) == 0) {
        accesses.split = static_cast<std::uint8_t>(accesses.split | 1U << thread);
        for (std::size_t byte = 0; byte < granule; ++byte)
            steps[byte] = (accesses.read_by(thread) >> byte & 1U) != 0 ? accesses.read_steps[thread] : std::uint16_t{0};
    }
    for (std::size_t byte = 0; byte < granule; ++byte) {
        if ((bytes >> byte & 1U) != 0)
            steps[byte] = step;
    }
}

bool race_detector::races_with_reads(std::size_t at, unsigned bytes, unsigned thread, const vector_clock& clock,
                                     race& found) const noexcept {
    const cell& accesses = cells_[at];
    for (unsigned other = 0; other < max_threads; ++other) {
        if (other == thread || accesses.read_by(other) == 0)
            continue;
        const std::uint32_t known = clock.steps[other];
        bool races = false;
        if ((accesses.split >> other & 1U) == 0) {
            races = (accesses.read_by(other) & bytes) != 0 && accesses.read_steps[other] > known;
        } else {
            for (std::size_t byte = 0; byte < granule; ++byte)
                races |= (bytes >> byte & 1U) != 0 && byte_steps_[at].of[other][byte] > known;
        }
        if (races) {
            found = {other, nullptr, false};
            return true;
        }
    }
    return false;
}

[[gnu::always_inline]] inline bool race_detector::note_in_cell(std::size_t at, unsigned bytes, access kind,
                                                               unsigned thread, const vector_clock& clock,
                                                               const void* code, race& found) noexcept {
    cell& accesses = cells_[at];
    if (accesses.generation != generation_) [[unlikely]] {
        accesses = {};
        accesses.generation = generation_;
        touched_[at / cells_per_line] = generation_;
    }
    if ((accesses.written_bytes & bytes) != 0 && accesses.write_step > clock.steps[accesses.writer]) [[unlikely]] {
        found = {accesses.writer, reinterpret_cast<const void*>(std::uintptr_t{accesses.write_code}), true};
        return true;
    }
    const auto step = static_cast<std::uint16_t>(clock.steps[thread]);
    if (kind != access::write) {
        note_read(at, bytes, thread, step);
        return false;
    }
    if (accesses.is_read_by_others(thread) && races_with_reads(at, bytes, thread, clock, found)) [[unlikely]]
        return true;
    accesses.write_step = step;
    accesses.writer = thread & 0xFU;
    accesses.written_bytes = bytes & all_bytes;
    accesses.write_code = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code));
    return false;
}

bool race_detector::note(std::size_t position, std::size_t size, access kind, unsigned thread,
                         const vector_clock& clock, const void* code, race& found) noexcept {
    if (size == 0)
        return false;
    const std::size_t last = (position + size - 1) / granule;
    const unsigned bytes_of_last = all_bytes >> (last * granule + granule - position - size);
    // The access does not touch the bytes of the first cell that lie before the position.
    unsigned bytes = all_bytes << position % granule & all_bytes;
    for (std::size_t at = position / granule; at != last; ++at) {
        if (note_in_cell(at, bytes, kind, thread, clock, code, found))
            return true;
        bytes = all_bytes;
    }
    return note_in_cell(last, bytes & bytes_of_last, kind, thread, clock, code, found);
}

bool race_detector::note_end(std::size_t position, std::size_t size, unsigned thread, const vector_clock& clock,
                             race& found) noexcept {
    const std::size_t end = position + size;
    for (; position < end; position = (position / line + 1) * line) {
        const std::size_t next = (position / line + 1) * line;
        if (touched_[position / line] == generation_ &&
            note(position, (next < end ? next : end) - position, access::write, thread, clock, nullptr, found))
            return true;
    }
    return false;
}

}  // namespace model
