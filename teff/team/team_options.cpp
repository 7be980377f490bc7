// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of the API go through the same table as variables and flags.
#include <teff/team/team_options.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/clock.hpp>
#include <teff/depend/names.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/pool.hpp>
#include <teff/reclaim/collector_library.hpp>
#include <teff/scheduler/schedulers.hpp>
#include <teff/strand/stack.hpp>
#include <teff/strand/worker.hpp>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>

namespace teff {
namespace {

template <class Value>
void apply(configuration& to, option which, const std::optional<Value>& value) {
    char error[option_message_size];
    if (value && !to.set(which, *value, origin::api, error, sizeof error))
        throw std::invalid_argument(error);
}

scheduler_settings settings_of(const configuration& from) {
    scheduler_settings made;
    made.slots = thread_count(from);
    made.machine = &machine_topology();
    // Fields of options that were not set keep their defaults.
    for (const option_row& each : option_table())
        if (each.usual.fill != nullptr && from.where(each.id) != origin::built_in)
            each.usual.fill(made, each, from.integer(each.id));
    if (made.max_queued != 0)
        made.private_items = std::min(made.private_items, made.max_queued);
    made.xqueue_capacity = std::bit_ceil(made.xqueue_capacity);
    made.max_tries = std::max(made.min_tries, made.max_tries);
    return made;
}

// How long an idle member searches, rounded up to whole microseconds.
long search_us(const configuration& from) noexcept {
    const auto scheduler = find_scheduler(from.text("scheduler"));
    if (!scheduler || scheduler->idle_cycles == nullptr)
        return from.integer("spin_us");
    return (ns_of_cycles(from.integer(find_option(scheduler->idle_cycles)->id)) + 999) / 1000;
}

std::size_t tracker_choice(const configuration& from) noexcept {
    const auto found = std::find_if(tracker_choices.begin(), tracker_choices.end(), [&](const auto& row) {
        return from.text("tracker") == row.name;
    });
    return static_cast<std::size_t>(found - tracker_choices.begin());
}

unsigned char tracker_of(const configuration& from, unsigned threads) noexcept {
    return static_cast<unsigned char>(tracker_for(tracker_choice(from), threads));
}

// The reclaimer gc can be chosen in every build and needs a library when it is used. Without it, a call that asks for
// gc throws, and otherwise there is one warning.
void replace_missing_collector([[maybe_unused]] configuration& to) {
#if defined(TEFF_WITH_GC)
    const auto scheduler = find_scheduler(to.text("scheduler"));
    if (to.text("reclaimer") != "gc" || !scheduler || !scheduler->reclaims())
        return;
    const char* const obstacle = collector_obstacle();
    if (obstacle == nullptr)
        return;
    if (to.where("reclaimer") == origin::api)
        throw std::invalid_argument(std::string("reclaimer: 'gc' needs the library libgc.so.1: ") + obstacle +
                                    ", or choose epoch, arena or hazard");
    static constinit atomic<bool> has_warned{false};
    // relaxed: the value alone matters.
    if (!has_warned.exchange(true, std::memory_order_relaxed))
        warn("the reclaimer 'gc' needs the library libgc.so.1: %s; epoch is used instead", obstacle);
    [[maybe_unused]] const bool is_set = to.set("reclaimer", "epoch", origin::api, nullptr, 0);
#endif
}

}  // namespace

team_options resolve(const options& call) { return resolve(process_configuration(), call); }

team_options resolve(const configuration& base, const options& call) {
    configuration effective = base;
    apply(effective, "threads", call.threads);
    apply(effective, "scheduler", call.scheduler);
    apply(effective, "reclaimer", call.reclaimer);
    apply(effective, "tracker", call.tracker);
    apply(effective, "max_queued", call.max_queued);
    apply(effective, "rescue", call.rescue);
    apply(effective, "shepherds", call.shepherds);
    replace_missing_collector(effective);
    const scheduler_settings settings = settings_of(effective);
    return {settings, effective.text("scheduler"), search_us(effective), tracker_of(effective, settings.slots),
            static_cast<std::size_t>(effective.integer("dataflow_tasks")),
            static_cast<std::size_t>(effective.integer("rename_memory_mib")) << 20,
            static_cast<std::size_t>(effective.integer("fiber_stack_kib")) << 10,
            static_cast<std::size_t>(effective.integer("more_stack_mib")) << 20};
}

std::size_t tracker_choice() noexcept {
    static const std::size_t choice = tracker_choice(process_configuration());
    return choice;
}

void prepare_workers(unsigned threads) noexcept {
    pool& workers = pool::instance();
    // Before the workers' stacks: the main thread's may have to take its room first.
    measured_stack();
    if (this_thread().innermost == nullptr || workers.worker_count() == 0)
        workers.ensure_workers(threads - 1);
}

}  // namespace teff
