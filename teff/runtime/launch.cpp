// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of the API go through the same table as variables and flags.
#include <teff/runtime/launch.hpp>

#include <teff/base/cycle_clock.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/runtime/options.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/scheduler/schedulers.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>

namespace teff {
namespace {

template <class Value>
void apply(configuration& to, option which, const std::optional<Value>& value) {
    char error[option_message_size];
    if (value && !to.set(which, *value, origin::api, error, sizeof error))
        throw std::invalid_argument(error);
}

unsigned unsigned_option(const configuration& from, option which) { return static_cast<unsigned>(from.integer(which)); }

std::size_t size_option(const configuration& from, option which) {
    return static_cast<std::size_t>(from.integer(which));
}

scheduler_settings settings_of(const configuration& from) {
    const std::size_t max_queued = size_option(from, option::max_queued);
    const std::size_t private_items = size_option(from, option::demand_private_items);
    return {
        .slots = thread_count(from),
        .machine = &machine_topology(),
        .attempts_same_core = unsigned_option(from, option::blaze_attempts_same_core),
        .attempts_same_socket = unsigned_option(from, option::blaze_attempts_same_socket),
        .attempts_other_socket = unsigned_option(from, option::blaze_attempts_other_socket),
        .attempts_above_average = unsigned_option(from, option::blaze_attempts_above_average),
        .below_average_divisor = unsigned_option(from, option::blaze_below_average_divisor),
        .block_size = size_option(from, option::block_size),
        .reclaimer = from.text(option::reclaimer),
        .epoch_threshold = size_option(from, option::epoch_threshold),
        .max_queued = max_queued,
        .private_items = max_queued == 0 ? private_items : std::min(private_items, max_queued),
        .xqueue_capacity = std::bit_ceil(size_option(from, option::xqueue_capacity)),
        .xqueue_memory = size_option(from, option::xqueue_memory_mib) << 20,
        .min_tries = unsigned_option(from, option::xqueue_min_tries),
        .max_tries = std::max(unsigned_option(from, option::xqueue_min_tries),
                              unsigned_option(from, option::xqueue_max_tries)),
        .ompi_queue_size = size_option(from, option::ompi_queue_size),
        .task_limit = size_option(from, option::task_limit),
        .shepherds = unsigned_option(from, option::shepherds),
        .sherwood_steal = unsigned_option(from, option::sherwood_steal),
        .distrib_steal_ratio = unsigned_option(from, option::distrib_steal_ratio),
        .counts = from.text(option::counters) == "on",
        .inline_depth = unsigned_option(from, option::inline_depth),
    };
}

// How long an idle member searches. A part of a microsecond counts as one.
long idle_us(const configuration& from) noexcept {
    const auto scheduler = find_scheduler(from.text(option::scheduler));
    if (!scheduler || scheduler->idle_cycles == nullptr)
        return from.integer(option::spin_us);
    return (ns_of_cycles(from.integer(find_option(scheduler->idle_cycles)->id)) + 999) / 1000;
}

}  // namespace

launch resolve(const options& call) { return resolve(process_configuration(), call); }

launch resolve(const configuration& base, const options& call) {
    configuration effective = base;
    apply(effective, option::threads, call.threads);
    apply(effective, option::scheduler, call.scheduler);
    apply(effective, option::reclaimer, call.reclaimer);
    apply(effective, option::max_queued, call.max_queued);
    return {settings_of(effective), effective.text(option::scheduler), idle_us(effective)};
}

void prepare_workers(unsigned threads) noexcept {
    pool& workers = pool::instance();
    if (this_thread().innermost == nullptr || workers.worker_count() == 0)
        workers.ensure_workers(threads - 1);
}

}  // namespace teff
