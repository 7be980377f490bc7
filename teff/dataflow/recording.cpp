// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the record; see recording.hpp. It is on the heap and never freed: threads may run while the process exits.
#include <teff/dataflow/recording.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/thread.hpp>
#include <teff/dataflow/function_names.hpp>
#include <teff/dataflow/graph_text.hpp>
#include <teff/dataflow_graph.hpp>
#include <teff/observe/record_file.hpp>
#include <teff/options/options.hpp>
#include <teff/strand/worker.hpp>

#include <cerrno>
#include <cstdlib>
#include <new>
#include <pthread.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teff::dataflow {
namespace {

constexpr std::size_t max_tasks = 100'000, max_accesses = 1'000'000;
constexpr std::uint32_t no_thread = no_task;

// The state of an entry while its function runs.
struct progress {
    std::int64_t since_ns = 0;      // when its own code last began to run
    bool runs_itself = false;
    bool has_spawned = false;       // since its last sync
    std::uint64_t stretch = 0;      // of its tasks between two syncs
};

struct record {
    std::uint32_t number = 1;
    std::int64_t start_ns = monotonic_ns();
    recorded_graph graph;
    std::vector<progress> running;  // in the order of graph.tasks
    std::size_t task_count = 0;     // without outermost functions
    unsigned long left_out = 0;
    bool is_full = false;
    bool is_written = false;
    std::uint64_t last_stretch = 0;
    std::uint64_t last_object = 0;
    // not forgotten by a restart
    function_names names;
    std::vector<unsigned> workers;  // by number of the thread; 0: a calling thread
};

constinit bool is_recording_on = false;
constinit bool was_on_before_fork = false;
constinit record_file file("TEFF_DATAFLOW_GRAPH", "task graph");  // its name is constant
constinit bool is_dot = false;
pthread_once_t begun = PTHREAD_ONCE_INIT;

constinit mutex guard;              // of the rest
constinit record* kept_record = nullptr;

struct own_thread {
    record_entry current{};         // the entry that it runs
    record_entry ended{};           // the outermost function that has ended last
    std::uint32_t number = no_thread;
};

bool is_valid(record_entry entry) noexcept { return entry.record == kept_record->number; }
recorded_task& task_of(record_entry entry) noexcept { return kept_record->graph.tasks[entry.place]; }
progress& progress_of(record_entry entry) noexcept { return kept_record->running[entry.place]; }

void suspend(record_entry entry, std::int64_t now_ns) noexcept {
    if (!is_valid(entry) || !std::exchange(progress_of(entry).runs_itself, false))
        return;
    task_of(entry).own_ns += now_ns - progress_of(entry).since_ns;
}

void resume(record_entry entry, std::int64_t now_ns) noexcept {
    if (!is_valid(entry) || task_of(entry).spawner == no_task)
        return;
    progress_of(entry).runs_itself = true;
    progress_of(entry).since_ns = now_ns;
}

// Throws std::bad_alloc; then nothing was changed.
record_entry add_entry(const recorded_task& made) {
    kept_record->graph.tasks.push_back(made);
    try {
        kept_record->running.emplace_back();
    } catch (...) {
        kept_record->graph.tasks.pop_back();
        throw;
    }
    return {static_cast<std::uint32_t>(kept_record->graph.tasks.size() - 1), kept_record->number};
}

record_entry running_entry(const running_function& function, const own_thread& self) noexcept {
    return function.outermost == nullptr ? self.current : *function.outermost;
}

// The same, but makes an entry for an outermost function that has none. Throws std::bad_alloc.
record_entry entry_of(const running_function& function, const own_thread& self) {
    if (function.outermost == nullptr || is_valid(*function.outermost))
        return running_entry(function, self);
    if (function.is_at_top_level && is_valid(self.current))
        return *function.outermost = self.current;
    recorded_task made;
    if (function.is_at_top_level && is_valid(self.ended))
        made.follows = self.ended.place;
    return *function.outermost = add_entry(made);
}

std::uint32_t number_of(own_thread& self) {
    if (self.number == no_thread && kept_record->workers.size() < static_cast<std::size_t>(max_threads)) {
        kept_record->workers.push_back(this_thread().worker);
        self.number = static_cast<std::uint32_t>(kept_record->workers.size() - 1);
    }
    return self.number;
}

// Makes the task the entry that the thread runs.
void begin_task(recorded_run& run, record_entry entry, own_thread& self) noexcept {
    run = {entry, std::exchange(self.current, entry), true};
    if (!is_valid(entry))
        return;
    recorded_task& task = task_of(entry);
    try {
        task.thread = number_of(self);
    } catch (...) {
        task.thread = no_thread;
    }
    task.begin_ns = monotonic_ns() - kept_record->start_ns;
    task.outcome = task_outcome::running;
}

// Returns the number of the function's name. Releases the mutex while it searches for a new name (function_names.hpp).
std::uint32_t number_of_name(const task_function& function, unsigned long long unloaded) {
    if (const auto known = kept_record->names.known(function, unloaded))
        return *known;
    std::string name;
    {
        struct without_mutex {
            without_mutex() noexcept { guard.unlock(); }
            ~without_mutex() { guard.lock(); }
        } outside;
        name = function_names::name_of(function);
    }
    return kept_record->names.add(function, unloaded, name);
}

// Removes the youngest task.
void leave_out(record_entry& youngest) noexcept {
    kept_record->graph.accesses.resize(task_of(youngest).first_access);
    kept_record->graph.tasks.pop_back();
    kept_record->running.pop_back();
    --kept_record->task_count;
    ++kept_record->left_out;
    youngest = {};
}

void end_stretch(record_entry entry) noexcept {
    progress& function = progress_of(entry);
    if (!std::exchange(function.has_spawned, false))
        return;
    recorded_task& task = task_of(entry);
    ++task.syncs;
    task.last_sync_ns = task.own_ns;
    function.stretch = 0;
}

// Calls f(thread) while the record is on, with the running task suspended.
template <class F>
void record_event(F&& f) noexcept {
    if (!is_recording_on)
        return;
    const std::int64_t now_ns = monotonic_ns();
    auto& self = per_thread<own_thread>();
    const scoped_lock lock(guard);
    suspend(self.current, now_ns);
    f(self, now_ns);
    resume(self.current, monotonic_ns());
}

// Under the mutex. Returns 0 or the number of an error.
int write_record(std::FILE* to) noexcept {
    try {
        const std::int64_t now_ns = monotonic_ns();
        recorded_graph seen = kept_record->graph;
        for (std::size_t i = 0; i != seen.tasks.size(); ++i) {
            if (kept_record->running[i].runs_itself)
                seen.tasks[i].own_ns += now_ns - kept_record->running[i].since_ns;
            if (seen.tasks[i].outcome == task_outcome::running)
                seen.tasks[i].end_ns = now_ns - kept_record->start_ns;
        }
        const graph_facts facts = facts_of(seen);
        const graph_text_input input{seen, facts, kept_record->names.all(), kept_record->workers,
                                     kept_record->left_out};
        is_dot ? write_dot(to, input) : write_json(to, input);
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    return 0;
}

struct handlers {
    static void prepare() noexcept { guard.lock(); }
    static void parent() noexcept { guard.unlock(); }
    static void child() noexcept {
        was_on_before_fork = true;
        is_recording_on = false;
        guard.reset_after_fork();
    }
    static void at_exit() noexcept {
        bool is_due = false;
        if (is_recording_on) {
            const scoped_lock lock(guard);
            is_due = !kept_record->is_written;
        }
        if (is_due)
            write_dataflow_graph();
    }
    // A child of a fork() restarts it if the parent had not finished it.
    static void begin() noexcept {
        const std::string_view name = process_configuration().text("dataflow_graph");
        if (name == row("dataflow_graph").usual.text || was_on_before_fork)
            return;
        try {
            if ((kept_record = create<record>()) == nullptr)
                throw std::bad_alloc();
        } catch (const std::bad_alloc&) {
            return warn("TEFF_DATAFLOW_GRAPH: no memory; there is no task graph");
        }
        if (!file.begin(name))
            return;
        is_dot = name.ends_with(".dot");
        pthread_atfork(prepare, parent, child);
        is_recording_on = std::atexit(at_exit) == 0;
    }
};

}  // namespace

namespace recording {

bool begin() noexcept {
    ::pthread_once(&begun, handlers::begin);
    return is_recording_on;
}

new_task::new_task(const running_function& spawner, const task_function& function) noexcept : is_on_(is_recording_on) {
    if (!is_on_)
        return;
    const std::int64_t now_ns = monotonic_ns();
    const unsigned long long unloaded = function_names::count_unloaded();
    guard.lock();
    auto& self = per_thread<own_thread>();
    suspend(self.current, now_ns);
    try {
        const std::uint32_t name = kept_record->is_full ? 0 : number_of_name(function, unloaded);
        // Other threads may have filled the record while the name was looked for.
        if (kept_record->is_full) {
            ++kept_record->left_out;
            return;
        }
        const record_entry entry = entry_of(spawner, self);
        // The spawner may have been left out, or belong to an older record.
        if (!is_valid(entry)) {
            ++kept_record->left_out;
            return;
        }
        recorded_task made;
        const recorded_task& by = task_of(entry);
        made.spawner = entry.place;
        made.name = name;
        made.first_access = static_cast<std::uint32_t>(kept_record->graph.accesses.size());
        made.syncs_before = by.syncs;
        made.sync_offset_ns = by.last_sync_ns;
        made.offset_ns = by.own_ns;
        self_ = add_entry(made);
        kept_record->is_full = ++kept_record->task_count == max_tasks;
        progress& parent = progress_of(entry);
        parent.has_spawned = true;
        if (parent.stretch == 0)
            parent.stretch = ++kept_record->last_stretch;
        stretch_ = parent.stretch;
    } catch (...) {
        ++kept_record->left_out;
    }
}

new_task::~new_task() {
    if (!is_on_)
        return;
    resume(per_thread<own_thread>().current, monotonic_ns());
    guard.unlock();
}

void new_task::add(recorded_access access) noexcept {
    if (!is_on_ || !is_valid(self_))
        return;
    try {
        if (kept_record->graph.accesses.size() == max_accesses) {
            kept_record->is_full = true;
            return leave_out(self_);
        }
        kept_record->graph.accesses.push_back(access);
        ++task_of(self_).access_count;
    } catch (...) {
        leave_out(self_);
    }
}

std::uint64_t new_task::add(recorded_access access, std::uint64_t& object) noexcept {
    if (is_on_ && object == 0)
        object = ++kept_record->last_object;
    access.object = object;
    add(access);
    return stretch_;
}

void new_task::begin(recorded_run& run) noexcept {
    if (is_on_)
        begin_task(run, self_, per_thread<own_thread>());
}

void begin_run(recorded_run& run, record_entry task) noexcept {
    record_event([&](own_thread& self, std::int64_t) { begin_task(run, task, self); });
}

void end_run(recorded_run& run) noexcept {
    record_event([&](own_thread& self, std::int64_t now_ns) {
        self.current = run.outer;
        if (!is_valid(run.self))
            return;
        recorded_task& task = task_of(run.self);
        task.end_ns = now_ns - kept_record->start_ns;
        if (task.outcome == task_outcome::running)
            task.outcome = task_outcome::ended;
    });
}

void sync(const running_function& function) noexcept {
    record_event([&](own_thread& self, std::int64_t) {
        const record_entry entry = running_entry(function, self);
        if (is_valid(entry))
            end_stretch(entry);
    });
}

void sync_if_used(const running_function& function, std::uint64_t stretch) noexcept {
    record_event([&](own_thread& self, std::int64_t) {
        const record_entry entry = running_entry(function, self);
        if (is_valid(entry) && stretch != 0 && progress_of(entry).stretch == stretch)
            end_stretch(entry);
    });
}

void mark(task_outcome outcome) noexcept {
    record_event([&](own_thread& self, std::int64_t) {
        if (is_valid(self.current))
            task_of(self.current).outcome = outcome;
    });
}

void end_function(const running_function& function) noexcept {
    record_event([&](own_thread& self, std::int64_t) {
        const record_entry entry = *function.outermost;
        if (function.is_at_top_level && is_valid(entry) && task_of(entry).spawner == no_task)
            self.ended = entry;
    });
}

}  // namespace recording
}  // namespace teff::dataflow

namespace teff {

using namespace dataflow;

void name_task(const char* name) noexcept {
    record_event([&](own_thread& self, std::int64_t) {
        if (!is_valid(self.current))
            return;
        try {
            task_of(self.current).name = kept_record->names.find(name);
        } catch (...) {
            // It keeps the name of its type.
        }
    });
}

void restart_dataflow_graph() noexcept {
    if (!recording::begin())
        return;
    const scoped_lock lock(guard);
    // All entries of the old record become invalid.
    ++kept_record->number;
    kept_record->graph.tasks.clear();
    kept_record->graph.accesses.clear();
    kept_record->running.clear();
    kept_record->task_count = 0;
    kept_record->left_out = 0;
    kept_record->is_full = kept_record->is_written = false;
    kept_record->start_ns = monotonic_ns();
}

bool write_dataflow_graph() noexcept {
    if (!recording::begin())
        return false;
    bool is_done = false;
    // Writing the file does not count as the task's own time.
    record_event([&](own_thread&, std::int64_t) {
        kept_record->is_written = true;
        is_done = file.write(write_record);
    });
    return is_done;
}

}  // namespace teff
