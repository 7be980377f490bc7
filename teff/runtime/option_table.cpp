// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows, and finding one by name.
//
// The numbers of the scheduler `blaze` are those of Blaze-Tasks, section 4.3.2. The compiler checks what it can: the
// order of the rows, and that each default is within its own range.
#include <teff/runtime/option_table.hpp>

#include <teff/machine/synthetic_shape.hpp>
#include <teff/machine/text.hpp>
#include <teff/reclaim/names.hpp>
#include <teff/runtime/nearest_name.hpp>
#include <teff/scheduler/schedulers.hpp>

#include <array>

namespace teff {
namespace {

constexpr auto scheduler_names = [] {
    constexpr auto rows = schedulers();
    std::array<named_choice, rows.size()> names{};
    for (std::size_t index = 0; index < rows.size(); ++index)
        names[index] = {rows[index].name, rows[index].sentence};
    return names;
}();

constexpr named_choice bind_names[] = {
    {"none", "the operating system places the workers"},
    {"cores", "each worker stays on one CPU, on a core of its own while there are enough; the caller's thread is free"},
};

constexpr named_choice counters_names[] = {
    {"off", "nothing is counted"},
    {"on", "tasks, thefts, sleeps and idle time of each worker"},
};

static_assert(max_option_text >= max_synthetic_text);

bool is_shape(std::string_view text) noexcept { return parse_synthetic_shape(text).has_value(); }

using enum option_type;

constexpr option_row rows[] = {
    {option::threads, "threads", "TEFF_NUM_THREADS", integer, 1, max_threads, "auto",
     "threads that work together, the caller's included; auto is the smaller of the CPUs in the affinity mask and the "
     "control groups' CPU quota"},
    {option::scheduler, "scheduler", "TEFF_SCHEDULER", choice, 0, 0, scheduler_names.front().name,
     "which ready task a worker runs next, and where a new one goes", scheduler_names},
    {option::reclaimer, "reclaimer", "TEFF_RECLAIMER", choice, 0, 0, reclaimer_names[0].name,
     "when memory that a scheduler shares between threads is freed", reclaimer_names},
    {option::max_queued, "max_queued", "TEFF_MAX_QUEUED", integer, 0, 1'000'000'000'000, "0",
     "tasks that one worker may have queued before it runs new ones at once; 0 is no limit"},
    {option::bind, "bind", "TEFF_BIND", choice, 0, 0, bind_names[0].name,
     "whether workers are bound to CPUs", bind_names},
    {option::topology, "topology", "TEFF_TOPOLOGY", text, 0, 0, "machine",
     "the CPUs and their distances: those of the machine, or of a synthetic one to try a scheduler on", {}, is_shape,
     "sockets:2 cores:4 threads:2"},
    {option::spin_us, "spin_us", "TEFF_SPIN_US", integer, 0, 1'000'000, "50",
     "microseconds that an idle worker searches for work before it sleeps"},
    {option::tree_start_threshold, "tree_start_threshold", "TEFF_TREE_START_THRESHOLD", integer, 1, max_threads, "8",
     "a starter of more threads than this hands half of them to another (Blaze-Tasks)"},
    {option::inline_depth, "inline_depth", "TEFF_INLINE_DEPTH", integer, 0, 10'000, "64",
     "how many tasks that the scheduler refused to queue may run inside each other on one stack"},
    {option::block_size, "block_size", "TEFF_BLOCK_SIZE", integer, 2, 65'536, "128",
     "tasks in a block of a block_queue"},
    {option::epoch_threshold, "epoch_threshold", "TEFF_EPOCH_THRESHOLD", integer, 1, 1'000'000, "16",
     "reclaimers epoch, hazard: freed blocks of a thread before it looks at the others (Blaze-Tasks, section 2.3)"},
    {option::blaze_attempts_same_core, "blaze_attempts_same_core", "TEFF_BLAZE_ATTEMPTS_SAME_CORE", integer,
     1, 1000, "6", "schedulers blaze, demand: attempts to steal from a victim on the same core"},
    {option::blaze_attempts_same_socket, "blaze_attempts_same_socket", "TEFF_BLAZE_ATTEMPTS_SAME_SOCKET", integer,
     1, 1000, "4", "schedulers blaze, demand: the same for the same socket"},
    {option::blaze_attempts_other_socket, "blaze_attempts_other_socket", "TEFF_BLAZE_ATTEMPTS_OTHER_SOCKET", integer,
     1, 1000, "2", "schedulers blaze, demand: the same for other sockets"},
    {option::blaze_attempts_above_average, "blaze_attempts_above_average", "TEFF_BLAZE_ATTEMPTS_ABOVE_AVERAGE", integer,
     0, 1000, "8",
     "schedulers blaze, demand: attempts at a victim that holds more than the rolling average, if that is more"},
    {option::blaze_below_average_divisor, "blaze_below_average_divisor", "TEFF_BLAZE_BELOW_AVERAGE_DIVISOR", integer,
     0, 1000, "4",
     "schedulers blaze, demand: no attempt at a victim below the average divided by this; 0 tries every victim"},
    {option::demand_private_items, "demand_private_items", "TEFF_DEMAND_PRIVATE_ITEMS", integer,
     1, 1'000'000'000, "65536",
     "scheduler demand: tasks that one worker may have queued before it runs new ones at once"},
    {option::xqueue_capacity, "xqueue_capacity", "TEFF_XQUEUE_CAPACITY", integer, 4, 1'048'576, "64",
     "schedulers xqueue_*: tasks in one of the queues, of which each worker has one per worker; rounded up to a power "
     "of two"},
    {option::xqueue_memory_mib, "xqueue_memory_mib", "TEFF_XQUEUE_MEMORY_MIB", integer, 1, 1'000'000, "64",
     "schedulers xqueue_*: MiB that all queues may take; bounds how many others a worker gives tasks to"},
    {option::xqueue_min_tries, "xqueue_min_tries", "TEFF_XQUEUE_MIN_TRIES", integer, 1, 1'000'000, "16",
     "scheduler xqueue_wait: looks for an answer before a thief gives up, at first (X-OpenMP, section 4.1)"},
    {option::xqueue_max_tries, "xqueue_max_tries", "TEFF_XQUEUE_MAX_TRIES", integer, 1, 1'000'000'000, "4096",
     "scheduler xqueue_wait: the same at most"},
    {option::ompi_queue_size, "ompi_queue_size", "TEFF_OMPI_QUEUE_SIZE", integer, 1, 1'048'576, "24",
     "scheduler ompi: tasks that one worker may have queued before new ones run at once (OMPi, section 4)"},
    {option::task_limit, "task_limit", "TEFF_TASK_LIMIT", integer, 0, 1'000'000'000'000, "1024",
     "schedulers fifo, sherwood, nemesis, distrib: tasks that one worker has made and that have not run, before new "
     "ones run at once; 0 is no limit"},
    {option::shepherds, "shepherds", "TEFF_SHEPHERDS", integer, 1, max_threads, "auto",
     "schedulers fifo, sherwood: groups of workers that share a queue; auto is one per socket"},
    {option::sherwood_steal, "sherwood_steal", "TEFF_SHERWOOD_STEAL", integer, 1, 1'000'000, "auto",
     "scheduler sherwood: tasks stolen at once; auto is as many as the thief's shepherd has workers"},
    {option::distrib_steal_ratio, "distrib_steal_ratio", "TEFF_DISTRIB_STEAL_RATIO", integer, 1, 1'000'000, "8",
     "scheduler distrib: looks into the own queue for each attempt to steal (STEAL_RATIO of Qthreads)"},
    {option::distrib_cond_backoff, "distrib_cond_backoff", "TEFF_DISTRIB_COND_BACKOFF", integer, 0, 1'000'000'000'000,
     "100000",
     "scheduler distrib: cycles that an idle worker looks around before it leaves or sleeps, in place of spin_us "
     "(COND_BACKOFF of Qthreads)"},
    {option::counters, "counters", "TEFF_COUNTERS", choice, 0, 0, counters_names[0].name,
     "whether to count what each worker does (teff/counters.hpp)", counters_names},
    {option::stall_report_s, "stall_report_s", "TEFF_STALL_REPORT_S", integer, 0, 86'400, "0",
     "seconds without progress after which the states of the workers are reported; 0 is never"},
};

constexpr bool is_consistent(const option_row& each) {
    if (!std::string_view(each.variable).starts_with("TEFF_") || std::string_view(each.name).empty())
        return false;
    switch (each.type) {
    case integer: return each.minimum >= 0 && each.minimum < each.maximum;
    case choice: return !each.choices.empty();
    case text: break;
    }
    return each.accepts != nullptr && each.form != nullptr;
}

constexpr bool is_table_consistent() {
    std::size_t index = 0;
    for (const option_row& each : rows)
        if (static_cast<std::size_t>(each.id) != index++ || !is_consistent(each))
            return false;
    return index == option_count;
}
static_assert(is_table_consistent());

constexpr char without_dash(char character) noexcept { return character == '-' ? '_' : character; }

// Equal if a dash counts as an underscore.
bool same_name(std::string_view written, std::string_view name) noexcept {
    if (written.size() != name.size())
        return false;
    for (std::size_t index = 0; index < name.size(); ++index)
        if (without_dash(written[index]) != name[index])
            return false;
    return true;
}

// "TEFF_MAX_QUEUED", "max-queued" and "max_queued" all become "max_queued"; false if it does not fit.
bool as_option_name(std::string_view written, std::span<char> storage, std::string_view& name) noexcept {
    if (written.starts_with("TEFF_"))
        written.remove_prefix(5);
    if (written.size() > storage.size())
        return false;
    for (std::size_t index = 0; index < written.size(); ++index) {
        const char character = without_dash(written[index]);
        storage[index] = character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
    }
    name = {storage.data(), written.size()};
    return true;
}

}  // namespace

std::span<const option_row> option_table() noexcept { return rows; }

const option_row& row(option which) noexcept { return rows[static_cast<std::size_t>(which)]; }

const option_row* find_option(std::string_view name) noexcept {
    for (const option_row& each : rows)
        if (same_name(name, each.name))
            return &each;
    return nullptr;
}

const option_row* find_variable(std::string_view variable) noexcept {
    for (const option_row& each : rows)
        if (variable == each.variable)
            return &each;
    return nullptr;
}

const option_row* nearest_option(std::string_view unknown) noexcept {
    char storage[nearest_name::max_length];
    std::string_view name;
    if (!as_option_name(unknown, storage, name))
        return nullptr;
    nearest_name nearest(name);
    const option_row* result = nullptr;
    for (const option_row& each : rows) {
        char variable_storage[nearest_name::max_length];
        std::string_view variable_name;
        const bool fits = as_option_name(each.variable, variable_storage, variable_name);
        if (nearest.offer(each.name) || (fits && nearest.offer(variable_name)))
            result = &each;
    }
    return result;
}

}  // namespace teff
