// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The internal control variables of the process: read from the environment once, at the first use.
#include <teff/frontends/openmp/core/environment/icvs.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/data/allocator.hpp>
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/environment/read.hpp>
#include <teff/frontends/openmp/core/process/runtimes.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/machine/process_limits.hpp>
#include <teff/version.hpp>

#include <algorithm>
#include <cstring>
#include <stdlib.h>
#include <unistd.h>

namespace teff::openmp {
namespace {

using environment::reading;

constinit device_icvs the_device;

struct process_state {
    reading read;
    process_icvs values;
};

// A setting that the program makes before the first use (take_setting).
struct early_setting {
    char* assignment;
    early_setting* earlier;
};
constinit atomic<early_setting*> early_settings{nullptr};
constinit atomic<bool> is_read{false};

const char* value_of(const char* variable) noexcept {
    const std::size_t length = std::strlen(variable);
    // acquire: makes the setting's text visible; partner: the release in take_setting().
    for (const early_setting* each = early_settings.load(std::memory_order_acquire); each != nullptr;
         each = each->earlier)
        if (std::strncmp(each->assignment, variable, length) == 0 && each->assignment[length] == '=')
            return each->assignment + length + 1;
    return ::secure_getenv(variable);
}

[[noreturn]] void end_without_memory_for_settings() noexcept {
    fatal("OpenMP", "there is no memory for the settings", "give the process more memory");
}

// Copies the texts, since the program may change its environment later.
void keep_texts(reading& read) noexcept {
    for (std::string_view& text : read.texts) {
        if (text.data() == nullptr)
            continue;
        auto* const copy = static_cast<char*>(allocate(text.size() + 1, 1));
        if (copy == nullptr)
            end_without_memory_for_settings();
        std::memcpy(copy, text.data(), text.size());
        copy[text.size()] = '\0';
        text = {copy, text.size()};
    }
}

void set_device(const environment::settings& from) noexcept {
    // relaxed, all: see device_icvs.
    the_device.teams.store(static_cast<int>(from.teams), std::memory_order_relaxed);
    the_device.teams_thread_limit.store(static_cast<int>(from.teams_thread_limit), std::memory_order_relaxed);
    the_device.offload.store(from.offload, std::memory_order_relaxed);
    the_device.spin_us.store(from.block_time_us, std::memory_order_relaxed);
    the_device.library.store(from.library, std::memory_order_relaxed);
    the_device.warns.store(from.warns, std::memory_order_relaxed);
    choose_stack_size(from.stack_size);
}

bool resets_affinity(const reading& read) noexcept {
    environment::affinity_text text;
    return environment::parse_kmp_affinity(read.text_of("KMP_AFFINITY"), text) && text.resets;
}

// As in LLVM's runtime, which programs know: a given number of helpers is increased by one for the thread that manages
// them, and the usual number of eight includes that thread. Here there is none, and its number, 1, is not used.
void set_helpers(process_icvs& made, const environment::settings& from, unsigned processors) noexcept {
    constexpr unsigned usual_helpers = 7;
    if (!from.uses_helpers || from.helpers == 0)
        return;
    made.helpers = from.helpers > 0 ? static_cast<unsigned>(from.helpers) : std::min(usual_helpers, processors);
    made.helper_numbers = 1 + (from.helpers > 0 ? made.helpers : usual_helpers);
}

process_icvs values_of(const reading& read, unsigned processors) noexcept {
    const environment::settings& from = read.values;
    process_icvs made;
    icvs& first = made.initial;
    first.threads = from.threads.at[0];
    first.threads_below = from.threads.at.data() + 1;
    first.threads_below_count = static_cast<unsigned short>(from.threads.count - 1);
    first.bind = from.binds.at[0];
    first.bind_below = from.binds.at.data() + 1;
    first.bind_below_count = static_cast<unsigned short>(from.binds.count - 1);
    first.max_active_levels = static_cast<unsigned>(from.max_active_levels);
    first.thread_limit = static_cast<unsigned>(from.thread_limit);
    first.schedule = from.schedule;
    first.is_dynamic = from.is_dynamic;
    const bool has_default = read.has("OMP_DEFAULT_DEVICE") || from.offload != target_offload::mandatory;
    first.default_device = has_default ? static_cast<int>(from.default_device) : no_device;
    const environment::allocator_text& allocator = from.allocator;
    first.allocator = allocator.allocator;
    if (allocator.trait_count != 0) {
        const auto count = static_cast<int>(allocator.trait_count);
        const allocator_handle made_here = make_allocator(allocator.space, count, allocator.traits.data());
        if (made_here != null_allocator)
            first.allocator = made_here;
        else
            warn("OMP_ALLOCATOR: the allocator cannot be made; omp_default_mem_alloc is used instead");
    }
    made.may_cancel = from.may_cancel;
    made.displays_affinity = from.displays_affinity;
    made.affinity_format =
        read.has("OMP_AFFINITY_FORMAT") ? read.text_of("OMP_AFFINITY_FORMAT") : environment::usual_affinity_format;
    made.resets_affinity = resets_affinity(read);
    if (from.teams_binds.count != 0)
        made.teams_bind = from.teams_binds.at[0];
    made.max_task_priority = static_cast<unsigned>(from.max_task_priority);
    made.throttles_tasks = from.throttles_tasks;
    set_helpers(made, from, processors);
    return made;
}

void show_what_is_wanted(const reading& read) noexcept {
    if (read.values.shows_version)
        warn("OpenMP runtime %s, OpenMP 5.1", TEFF_VERSION_STRING);
    if (read.values.shows_settings)
        show_settings(STDERR_FILENO, read);
    if (read.values.displays_environment != environment::display::off)
        show(STDERR_FILENO, read, read.values.displays_environment == environment::display::verbose);
}

void report_another_runtime(const environment::settings& from) noexcept {
    if (!from.warns || from.allows_two_runtimes)
        return;
    report_two_runtimes();
    // Without memory for the function there is no line at the end.
    ::atexit([] {
        // relaxed: see device_icvs.
        if (the_device.warns.load(std::memory_order_relaxed))
            report_two_runtimes();
    });
}

// The result is never freed, since threads use it while the process exits.
process_state& read_process() noexcept {
    auto* const made = create<process_state>();
    if (made == nullptr)
        end_without_memory_for_settings();
    const cpu_mask usable = cpu_mask::of_calling_thread();
    if (linked_runtime() == runtime_name::libomp)
        made->read.values.schedule = {schedule_kind::static_, false, chunk_without(schedule_kind::static_)};
    read(made->read, &value_of);
    keep_texts(made->read);
    resolve(made->read, default_thread_count(usable, cpu_quota()));
    const auto processors = static_cast<unsigned>(usable.count());
    made->values = values_of(made->read, processors);
    made->values.processors = processors;
    choose_places(made->read, usable);
    set_device(made->read.values);
    // release: publishes the settings; partner: the acquire in take_setting().
    is_read.store(true, std::memory_order_release);
    show_what_is_wanted(made->read);
    announce(made->values.initial.threads);
    report_another_runtime(made->read.values);
    return *made;
}

process_state& state() noexcept {
    static process_state& read = read_process();
    return read;
}

}  // namespace

const process_icvs& process() noexcept { return state().values; }

device_icvs& device() noexcept {
    state();
    return the_device;
}

void display_environment(bool is_verbose) noexcept { show(STDERR_FILENO, state().read, is_verbose); }

void take_setting(const char* assignment) noexcept {
    const std::string_view all = assignment;
    const std::size_t name_ends = all.find('=');
    if (name_ends == std::string_view::npos)
        return;
    // acquire: partner: the release in read_process().
    if (!is_read.load(std::memory_order_acquire)) {
        auto* const copy = static_cast<char*>(allocate(all.size() + 1, 1));
        auto* const added = create<early_setting>(early_setting{copy, nullptr});
        if (copy == nullptr || added == nullptr)
            end_without_memory_for_settings();
        std::memcpy(copy, assignment, all.size() + 1);
        // relaxed: a start for the exchange.
        added->earlier = early_settings.load(std::memory_order_relaxed);
        // release: publishes the setting; partner: the acquire in value_of().
        while (!early_settings.compare_exchange_weak(added->earlier, added, std::memory_order_release,
                                                     std::memory_order_relaxed))
            ;
        return;
    }
    // Only this setting changes; all others keep the values of the start.
    reading changed;
    changed.values = state().read.values;
    const std::string_view name = all.substr(0, name_ends);
    const bool is_taken = take(changed, name, all.substr(name_ends + 1));
    if (!is_taken && name == "OMP_TARGET_OFFLOAD")
        changed.values.offload = target_offload::usual;
    else if (!is_taken)
        return;
    if (name == "KMP_LIBRARY" || name == "OMP_WAIT_POLICY" || name == "GOMP_SPINCOUNT" || name == "KMP_BLOCKTIME" ||
        name == "OMP_STACKSIZE" || name == "KMP_STACKSIZE" || name == "GOMP_STACKSIZE" || name == "OMP_NUM_TEAMS" ||
        name == "OMP_TEAMS_THREAD_LIMIT" || name == "OMP_TARGET_OFFLOAD" || name == "KMP_WARNINGS") {
        if (name.ends_with("STACKSIZE"))
            changed.values.stack_size = name == "OMP_STACKSIZE"   ? changed.values.stack_size
                                        : name == "KMP_STACKSIZE" ? changed.values.kmp_stack_size
                                                                  : changed.values.gomp_stack_size;
        resolve(changed, process().processors);
        set_device(changed.values);
        return;
    }
    const icvs initial = values_of(changed, process().processors).initial;
    icvs& mine = own_environment(this_place());
    if (name == "OMP_NUM_THREADS")
        mine.threads = initial.threads;
    else if (name == "OMP_DYNAMIC")
        mine.is_dynamic = initial.is_dynamic;
    else if (name == "OMP_SCHEDULE")
        mine.schedule = initial.schedule;
    else if (name == "OMP_MAX_ACTIVE_LEVELS")
        mine.max_active_levels = initial.max_active_levels;
    else if (name == "OMP_NESTED")
        mine.max_active_levels = changed.values.is_nested ? no_limit : 1;
    else if (name == "OMP_DEFAULT_DEVICE")
        mine.default_device = initial.default_device;
}

}  // namespace teff::openmp
