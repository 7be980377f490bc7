// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of all threads, and the file; see timeline.hpp.
#include <teff/runtime/timeline.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/mutex.hpp>
#include <teff/base/per_thread.hpp>
#include <teff/runtime/options.hpp>
#include <teff/runtime/record_file.hpp>
#include <teff/runtime/worker.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace teff {
namespace {

struct thread_record {
    explicit thread_record(unsigned which, std::int64_t now_ns) noexcept : worker(which), done(now_ns) {}

    const unsigned worker;
    thread_record* next = nullptr;  // constant once the record is in the list
    mutex guard;
    stretches<> done;               // under `guard`
};

constinit bool is_on = false;
constinit record_file file("TEFF_TIMELINE", "timeline");  // its name is constant after begin_timeline()

constinit mutex list_guard;         // of the rest
constinit thread_record* newest = nullptr;
constinit long thread_count_so_far = 0;
constinit long left_out = 0;
constinit std::int64_t start_ns = 0;
constinit bool is_written = false;

// The record of a thread, or that it has none for lack of memory.
struct own_record {
    thread_record* made = nullptr;
    bool is_left_out = false;
};

thread_record* make_record() noexcept {
    const scoped_lock lock(list_guard);
    thread_record* const made =
        thread_count_so_far < max_threads ? create<thread_record>(this_thread().worker, monotonic_ns()) : nullptr;
    if (made == nullptr) {
        ++left_out;
        return nullptr;
    }
    ++thread_count_so_far;
    made->next = newest;
    newest = made;
    return made;
}

constexpr const char* names[activity_count] = {"outside", "work", "search", "pool", "sleep"};

// Nanoseconds as microseconds.
void write_time(std::FILE* to, const char* key, std::int64_t ns) noexcept {
    std::fprintf(to, ",\"%s\":%lld.%03lld", key, static_cast<long long>(ns / 1000), static_cast<long long>(ns % 1000));
}

void write_name(std::FILE* to, const thread_record& of) noexcept {
    if (of.worker == 0)
        std::fprintf(to, "\"caller\"");
    else
        std::fprintf(to, "\"worker %u\"", of.worker);
}

// Callers come first, then the workers by number.
long sort_key(const thread_record& of, long thread) noexcept {
    return of.worker == 0 ? thread : max_threads + static_cast<long>(of.worker);
}

void write_sums(std::FILE* to, thread_record& of, long thread, std::int64_t now_ns) noexcept {
    const scoped_lock lock(of.guard);
    std::fprintf(to, "{\"thread\":%ld,\"order\":%ld,\"name\":", thread, sort_key(of, thread));
    write_name(to, of);
    for (const activity each : {activity::work, activity::search, activity::pool, activity::sleep})
        std::fprintf(to, ",\"%s_ns\":%lld", names[static_cast<std::size_t>(each)],
                     static_cast<long long>(of.done.sum(each, now_ns)));
    std::fprintf(to, ",\"merged\":%llu,\"merged_below_ns\":%lld}",
                 static_cast<unsigned long long>(of.done.merged()),
                 static_cast<long long>(of.done.merged_below_ns()));
}

void write_event(std::FILE* to, const char* phase, long thread) noexcept {
    std::fprintf(to, ",\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%ld", phase, static_cast<int>(::getpid()), thread);
}

void write_stretches(std::FILE* to, thread_record& of, long thread, std::int64_t now_ns) noexcept {
    const scoped_lock lock(of.guard);
    write_event(to, "M", thread);
    std::fprintf(to, ",\"name\":\"thread_name\",\"args\":{\"name\":");
    write_name(to, of);
    std::fprintf(to, "}}");
    write_event(to, "M", thread);
    std::fprintf(to, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%ld}}", sort_key(of, thread));
    for (std::size_t place = 0; place < of.done.size(); ++place) {
        const stretch& each = of.done[place];
        // The thread may have gone on while others were written.
        const std::int64_t end_ns = place + 1 < of.done.size() ? of.done[place + 1].begin_ns : now_ns;
        if (each.what == activity::outside || end_ns <= each.begin_ns)
            continue;
        write_event(to, "X", thread);
        write_time(to, "ts", each.begin_ns - start_ns);
        write_time(to, "dur", end_ns - each.begin_ns);
        std::fprintf(to, ",\"name\":\"%s\"}", names[static_cast<std::size_t>(each.what)]);
    }
}

// Under list_guard. False with errno set.
bool write_file() noexcept {
    std::FILE* const to = file.open();
    if (to == nullptr)
        return false;
    const std::int64_t now_ns = monotonic_ns();
    std::fprintf(to, "{\"displayTimeUnit\":\"ms\",\n\"teff\":{\"span_ns\":%lld,\"threads_left_out\":%ld,\"threads\":[",
                 static_cast<long long>(now_ns - start_ns), left_out);
    long thread = thread_count_so_far;
    for (thread_record* each = newest; each != nullptr; each = each->next, --thread) {
        std::fprintf(to, each == newest ? "\n" : ",\n");
        write_sums(to, *each, thread, now_ns);
    }
    std::fprintf(to,
                 "]},\n\"traceEvents\":[\n"
                 "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"Teff\"}}",
                 static_cast<int>(::getpid()));
    thread = thread_count_so_far;
    for (thread_record* each = newest; each != nullptr; each = each->next, --thread)
        write_stretches(to, *each, thread, now_ns);
    std::fprintf(to, "\n]}\n");
    return record_file::close(to);
}

void write_at_exit() noexcept {
    bool is_due = false;
    {
        const scoped_lock lock(list_guard);
        is_due = !is_written;
    }
    if (is_due)
        write_timeline();
}

}  // namespace

void begin_timeline() noexcept {
    const std::string_view name = process_configuration().text("timeline");
    if (name == row("timeline").usual.text || !file.begin(name))
        return;
    start_ns = monotonic_ns();
    is_on = std::atexit([] { write_at_exit(); }) == 0;
}

void hold_timeline() noexcept { list_guard.lock(); }
void release_timeline() noexcept { list_guard.unlock(); }
void end_timeline_in_child() noexcept {
    is_on = false;
    list_guard.reset_after_fork();
}

bool timeline_is_on() noexcept { return is_on; }

[[gnu::noinline]] activity begin_activity(activity what) noexcept {
    if (!is_on)
        return activity::outside;
    own_record& own = per_thread<own_record>();
    if (own.made == nullptr && !own.is_left_out) {
        own.made = make_record();
        own.is_left_out = own.made == nullptr;
    }
    if (own.is_left_out)
        return activity::outside;
    // The clock is read under the mutex, so that restart_timeline() cannot come between.
    const scoped_lock lock(own.made->guard);
    const activity before = own.made->done.now();
    own.made->done.begin(monotonic_ns(), what);
    return before;
}

void restart_timeline() noexcept {
    if (!is_on)
        return;
    const scoped_lock lock(list_guard);
    start_ns = monotonic_ns();
    is_written = false;
    for (thread_record* each = newest; each != nullptr; each = each->next) {
        const scoped_lock lock_record(each->guard);
        each->done.restart(start_ns);
    }
}

bool write_timeline() noexcept {
    if (!is_on)
        return false;
    const scoped_lock lock(list_guard);
    is_written = true;
    if (write_file())
        return true;
    file.warn();
    return false;
}

}  // namespace teff
