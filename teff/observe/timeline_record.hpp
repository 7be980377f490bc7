// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of all threads, as timeline.cpp makes them and timeline_file.cpp writes them down.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cycle_clock.hpp>
#include <teff/base/mutex.hpp>
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
    std::int64_t activity_begin = 0;       // in cycles: of what it does now; the thread writes it, under `guard`
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

// Nanoseconds since the option was read, of a number of cycles since then.
inline std::int64_t ns_between(std::int64_t from_cycles, std::int64_t to_cycles) noexcept {
    return to_cycles > from_cycles ? ns_of_cycles(to_cycles - from_cycles) : 0;
}

// Writes the file: the events of up to now. Under the records' mutex. begun: the cycles from which the times of the
// stretches are counted. False if there is no memory, with errno set; whether the stream has failed it does not say.
bool write_trace(std::FILE* to, timeline_records& all, std::int64_t begun) noexcept;

}  // namespace teff
