// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of all threads, and the file; see timeline.hpp.
#include <teff/runtime/timeline.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/mutex.hpp>
#include <teff/base/per_thread.hpp>
#include <teff/runtime/options.hpp>
#include <teff/runtime/worker.hpp>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
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
char file_name[PATH_MAX];           // constant after begin_timeline()

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

void warn_of_file(std::string_view name, int error) noexcept {
    warn("TEFF_TIMELINE: the file '%.*s' cannot be written: %s; there is no timeline", static_cast<int>(name.size()),
         name.data(), std::strerror(error));
}

// Makes a relative name absolute: the program may change its folder later. False with errno set.
bool keep_name(std::string_view name) noexcept {
    std::size_t length = 0;
    if (!name.starts_with('/')) {
        if (::getcwd(file_name, sizeof file_name) == nullptr)
            return false;
        length = std::strlen(file_name);
        file_name[length++] = '/';
    }
    if (length + name.size() >= sizeof file_name) {
        errno = ENAMETOOLONG;
        return false;
    }
    name.copy(file_name + length, name.size());
    file_name[length + name.size()] = '\0';
    return true;
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

// The file, emptied, or nullptr with errno set. Of the processes that name the same file only one has it open at a
// time, so that they do not mix their records.
std::FILE* open_file() noexcept {
    const int descriptor = ::open(file_name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return nullptr;
    // Goes on without the lock where the file system has none.
    while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
    // EINVAL: it is no regular file, so there is nothing to empty.
    const bool is_empty = ::ftruncate(descriptor, 0) == 0 || errno == EINVAL;
    std::FILE* const file = is_empty ? ::fdopen(descriptor, "w") : nullptr;
    if (file == nullptr) {
        const int error = errno;
        ::close(descriptor);
        errno = error;
    }
    return file;
}

// Whether all was written; false with errno set.
bool close_file(std::FILE* file) noexcept {
    const bool is_complete = std::fflush(file) == 0 && std::ferror(file) == 0;
    const int error = errno;
    // A child that was made without the handlers of fork() may have the descriptor, too, and would keep the lock.
    ::flock(::fileno(file), LOCK_UN);
    std::fclose(file);
    errno = error;
    return is_complete;
}

// Under list_guard. False with errno set.
bool write_file() noexcept {
    std::FILE* const to = open_file();
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
    return close_file(to);
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
    if (name == row("timeline").usual.text)
        return;
    std::FILE* const file = keep_name(name) ? open_file() : nullptr;
    if (file == nullptr || !close_file(file))
        return warn_of_file(name, errno);
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
    warn_of_file(file_name, errno);
    return false;
}

}  // namespace teff
