// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race detector. Its cells lie in a mapping whose pages the system provides on first access.
#include <model/races.hpp>

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace model {

race_detector::race_detector(std::size_t bytes) : touched_(bytes / line + 1) {
    void* const memory = ::mmap(nullptr, bytes / granule * sizeof(cell) + sizeof(cell), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        std::fprintf(stderr, "teff_model: no address space for the race detector; raise the limit (ulimit -v)\n");
        std::exit(2);
    }
    cells_ = static_cast<cell*>(memory);
}

bool race_detector::note(std::size_t position, std::size_t size, access kind, unsigned thread,
                         const vector_clock& clock, const void* code, race& found) noexcept {
    const std::size_t end = position + size;
    for (std::size_t i = position / line; i <= (end - 1) / line; ++i)
        touched_[i] = generation_;
    while (position < end) {
        cell& at = cells_[position / granule];
        const std::size_t first = position % granule;
        const std::size_t last = end - position < granule - first ? first + (end - position) : granule;
        const auto bytes = static_cast<std::uint8_t>((1U << last) - (1U << first));
        if (at.generation != generation_)
            at = {generation_, 0, 0, 0, {}, nullptr};
        if ((at.written_bytes & bytes) != 0 && at.write_step > clock.steps[at.writer]) {
            found = {at.writer, at.write_code, true};
            return true;
        }
        if (kind == access::write) {
            for (unsigned other = 0; other < max_threads; ++other) {
                for (std::size_t byte = first; other != thread && byte < last; ++byte) {
                    if (at.read_steps[other][byte] > clock.steps[other]) {
                        found = {other, nullptr, false};
                        return true;
                    }
                }
            }
            at.write_step = clock.steps[thread];
            at.writer = static_cast<std::uint8_t>(thread);
            at.written_bytes = bytes;
            at.write_code = code;
        } else {
            for (std::size_t byte = first; byte < last; ++byte)
                at.read_steps[thread][byte] = clock.steps[thread];
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
