// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of all threads: timeline.cpp fills them, and timeline_file.cpp writes them to the file.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/locks.hpp>
#include <teff/observe/event_log.hpp>
#include <teff/observe/stretches.hpp>

#include <cstdint>
#include <cstdio>

namespace teff {

struct thread_record {
    thread_record(unsigned which, std::int64_t now_ns) noexcept : worker(which), done(now_ns) {}

    const unsigned worker;                 // 0: not a worker of the pool
    thread_record* next = nullptr;         // constant once the record is in the list
    mutex guard;
    stretches<> done;                      // under `guard`
    event_log events;
    // The thread writes them; the writer of the file reads them.
    atomic<std::uint64_t> steals_tried{0}, steals{0};
    std::int64_t activity_begin = 0;       // of the present activity, in cycles; the thread writes it, under `guard`
};

// All records, and the beginning of the present one. The mutex is held while the file is written.
struct timeline_records {
    mutex guard;
    thread_record* newest = nullptr;
    long count = 0;
    long left_out = 0;                     // threads without a record
    std::int64_t start_cycles = 0;
    unsigned number = 1;                   // of the present record: counts restarts
};

// The time between two readings of the cycle counter, in nanoseconds; 0 if the second one is not later.
inline std::int64_t ns_between(std::int64_t from_cycles, std::int64_t to_cycles) noexcept {
    return to_cycles > from_cycles ? ns_of_cycles(to_cycles - from_cycles) : 0;
}

// Writes the file, with the events up to now. Call under the records' mutex. begun: the cycles from which the times of
// the stretches are counted. Sets errno and returns false if there is no memory; the caller checks the stream for
// errors.
bool write_trace(std::FILE* to, timeline_records& all, std::int64_t begun) noexcept;

}  // namespace teff
