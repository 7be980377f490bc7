// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector. Its cells lie in a mapping whose pages the system provides on first access.
#include <model/races.hpp>

#include <bit>
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
                                                            std::uint32_t step) noexcept {
    cell& here = cells_[at];
    const unsigned reader = 1U << thread;
    if ((here.split & reader) == 0) [[likely]] {
        const unsigned before = here.read_bytes[thread];
        if ((before & ~bytes) == 0 || here.read_steps[thread] == step) [[likely]] {
            here.readers = static_cast<std::uint8_t>(here.readers | reader);
            here.read_bytes[thread] = static_cast<std::uint8_t>(before | bytes);
            here.read_steps[thread] = step;
            return;
        }
    }
    note_read_of_bytes(at, bytes, thread, step);
}

// The steps of the bytes differ.
void race_detector::note_read_of_bytes(std::size_t at, unsigned bytes, unsigned thread, std::uint32_t step) noexcept {
    cell& here = cells_[at];
    const unsigned reader = 1U << thread;
    std::uint32_t* const steps = byte_steps_[at].of[thread];
    if ((here.split & reader) == 0) {
        here.split = static_cast<std::uint8_t>(here.split | reader);
        for (std::size_t byte = 0; byte < granule; ++byte)
            steps[byte] = (here.read_bytes[thread] >> byte & 1U) != 0 ? here.read_steps[thread] : 0;
    }
    for (std::size_t byte = 0; byte < granule; ++byte) {
        if ((bytes >> byte & 1U) != 0)
            steps[byte] = step;
    }
}

bool race_detector::races_with_reads(std::size_t at, unsigned bytes, unsigned thread, const vector_clock& clock,
                                     race& found) const noexcept {
    const cell& here = cells_[at];
    for (unsigned left = here.readers & ~(1U << thread); left != 0; left &= left - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(left));
        const std::uint32_t known = clock.steps[other];
        bool races = false;
        if ((here.split >> other & 1U) == 0) {
            races = (here.read_bytes[other] & bytes) != 0 && here.read_steps[other] > known;
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
    cell& here = cells_[at];
    if (here.generation != generation_) [[unlikely]] {
        here = {};
        here.generation = generation_;
        touched_[at / cells_per_line] = generation_;
    }
    if ((here.written_bytes & bytes) != 0 && here.write_step > clock.steps[here.writer]) [[unlikely]] {
        found = {here.writer, here.write_code, true};
        return true;
    }
    if (kind != access::write) {
        note_read(at, bytes, thread, clock.steps[thread]);
        return false;
    }
    if ((here.readers & ~(1U << thread)) != 0 && races_with_reads(at, bytes, thread, clock, found)) [[unlikely]]
        return true;
    here.write_step = clock.steps[thread];
    here.writer = static_cast<std::uint8_t>(thread);
    here.written_bytes = static_cast<std::uint8_t>(bytes);
    here.write_code = code;
    return false;
}

bool race_detector::note(std::size_t position, std::size_t size, access kind, unsigned thread,
                         const vector_clock& clock, const void* code, race& found) noexcept {
    if (size == 0)
        return false;
    constexpr unsigned all = (1U << granule) - 1;
    const std::size_t last = (position + size - 1) / granule;
    const unsigned bytes_of_last = all >> (last * granule + granule - position - size);
    // Of the first cell, those from the position on.
    unsigned bytes = all << position % granule & all;
    for (std::size_t at = position / granule; at != last; ++at) {
        if (note_in_cell(at, bytes, kind, thread, clock, code, found))
            return true;
        bytes = all;
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
