// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the counters of all workers, one record per worker. The array is zero-initialised, so a record costs no memory
// until it is used.
#include <teff/observe/counters.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/options/option_table.hpp>

#include <array>
#include <cstddef>

namespace teff {
namespace {

constexpr std::uint64_t worker_counters::*fields[] = {
    &worker_counters::run,          &worker_counters::pushed,     &worker_counters::run_at_once,
    &worker_counters::steals_tried, &worker_counters::steals_won, &worker_counters::steals_contended,
    &worker_counters::requests_served, &worker_counters::parked,  &worker_counters::idle_ns,
    &worker_counters::combining_rounds, &worker_counters::combined,
};

// A record is written when a thread adds its counts. All threads outside the pool share record 0, so several may write
// it at once.
struct alignas(cache_line_size) record {
    std::array<atomic<std::uint64_t>, std::size(fields)> values;
};
constinit std::array<record, max_threads + 1> records{};
constinit atomic<unsigned> in_use{0};

}  // namespace

worker_counters& worker_counters::operator+=(const worker_counters& other) noexcept {
    for (const auto field : fields)
        this->*field += other.*field;
    return *this;
}

void add_counters(unsigned worker, const worker_counters& counted) noexcept {
    for (std::size_t i = 0; i < std::size(fields); ++i)
        // relaxed: statistics only.
        records[worker].values[i].fetch_add(counted.*fields[i], std::memory_order_relaxed);
    // relaxed, both: as above.
    unsigned seen = in_use.load(std::memory_order_relaxed);
    while (seen <= worker &&
           !in_use.compare_exchange_weak(seen, worker + 1, std::memory_order_relaxed, std::memory_order_relaxed)) {
    }
}

// relaxed: statistics only.
unsigned counted_workers() noexcept { return in_use.load(std::memory_order_relaxed); }

worker_counters counters_of_worker(unsigned worker) noexcept {
    worker_counters result;
    if (worker >= records.size())
        return result;
    for (std::size_t i = 0; i < std::size(fields); ++i)
        // relaxed: statistics only.
        result.*fields[i] = records[worker].values[i].load(std::memory_order_relaxed);
    return result;
}

void reset_counters() noexcept {
    for (unsigned worker = 0; worker < counted_workers(); ++worker) {
        for (auto& value : records[worker].values)
            // relaxed: statistics only.
            value.store(0, std::memory_order_relaxed);
    }
    // relaxed: as above.
    in_use.store(0, std::memory_order_relaxed);
}

}  // namespace teff
