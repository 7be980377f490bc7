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

void race_detector::note_read(std::size_t at, unsigned bytes, unsigned thread, std::uint32_t step) noexcept {
    cell& here = cells_[at];
    const unsigned reader = 1U << thread;
    std::uint32_t* const steps = byte_steps_[at].of[thread];
    if ((here.split & reader) == 0) {
        const unsigned before = (here.readers & reader) != 0 ? here.read_bytes[thread] : 0;
        const bool at_once = before != 0 && here.read_steps[thread] == step;
        if (at_once || (before & ~bytes) == 0) {
            here.readers = static_cast<std::uint8_t>(here.readers | reader);
            here.read_bytes[thread] = static_cast<std::uint8_t>(before | bytes);
            here.read_steps[thread] = step;
            return;
        }
        here.split = static_cast<std::uint8_t>(here.split | reader);
        for (std::size_t byte = 0; byte < granule; ++byte)
            steps[byte] = (before >> byte & 1U) != 0 ? here.read_steps[thread] : 0;
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

bool race_detector::note(std::size_t position, std::size_t size, access kind, unsigned thread,
                         const vector_clock& clock, const void* code, race& found) noexcept {
    const std::size_t end = position + size;
    for (std::size_t i = position / line; i <= (end - 1) / line; ++i)
        touched_[i] = generation_;
    while (position < end) {
        const std::size_t at = position / granule;
        cell& here = cells_[at];
        const std::size_t first = position % granule;
        const std::size_t last = end - position < granule - first ? first + (end - position) : granule;
        const unsigned bytes = (1U << last) - (1U << first);
        if (here.generation != generation_) {
            here = {};
            here.generation = generation_;
        }
        if ((here.written_bytes & bytes) != 0 && here.write_step > clock.steps[here.writer]) {
            found = {here.writer, here.write_code, true};
            return true;
        }
        if (kind == access::write) {
            if (races_with_reads(at, bytes, thread, clock, found))
                return true;
            here.write_step = clock.steps[thread];
            here.writer = static_cast<std::uint8_t>(thread);
            here.written_bytes = static_cast<std::uint8_t>(bytes);
            here.write_code = code;
        } else {
            note_read(at, bytes, thread, clock.steps[thread]);
        }
        position += last - first;
    }
    return false;
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
