// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stall_report.hpp.
#include <teff/runtime/stall_report.hpp>

#include <teff/base/assert.hpp>
#include <teff/machine/text.hpp>
#include <teff/machine/text_file.hpp>
#include <teff/runtime/frame_names.hpp>
#include <teff/runtime/options.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/runtime/thread_waits.hpp>

#include <array>
#include <cstdio>
#include <span>
#include <string_view>
#include <type_traits>
#include <unistd.h>

namespace teff {
namespace {

// The waits that are named; the others are counted.
constexpr unsigned long most_waits = 40;
// The fibers whose calls are named, and the calls that are named of one wait.
constexpr unsigned most_fibers = 8;
constexpr unsigned most_calls = 8;

// The one that waits; the other is nullptr.
struct waiting {
    const known_thread* thread;
    const void* fiber;
};

// Calls visit(wait, waiting) for each wait until it returns true.
template <class Visit>
bool find_wait(Visit&& visit) noexcept {
    using visitor = std::remove_reference_t<Visit>;
    if (find_thread_wait(
            [](const known_thread& thread, const noted_wait& wait, void* argument) noexcept {
                return (*static_cast<visitor*>(argument))(wait, waiting{&thread, nullptr});
            },
            &visit))
        return true;
    const wait_listener* const listener = pool::instance().still().listener();
    return listener != nullptr &&
           listener->find([](const noted_wait& wait, const void* fiber, void* argument) noexcept {
               return (*static_cast<visitor*>(argument))(wait, waiting{nullptr, fiber});
           }, &visit);
}

// 0: it cannot be found out.
long threads_of_process() noexcept {
    text_file status("/proc/self/status");
    constexpr std::string_view key = "Threads:";
    for (std::string_view line; status.next_line(line);)
        if (line.starts_with(key))
            return parse_number(trim(line.substr(key.size()))).value_or(0);
    return 0;
}
bool knows_all_threads() noexcept {
    return threads_of_process() == static_cast<long>(pool::instance().still().threads());
}
bool has_wait_for_object() noexcept {
    return find_wait([](const noted_wait& wait, const waiting&) noexcept { return !wait.what.is_for_tasks; });
}

using phrase = std::array<char, 160>;

phrase waiting_one(const noted_wait& wait, const known_thread* thread) noexcept {
    phrase text{};
    if (thread == nullptr) {
        std::snprintf(text.data(), text.size(), wait.name == nullptr ? "fiber %lu" : "fiber %lu '%.60s'",
                      static_cast<unsigned long>(wait.fiber), wait.name);
        return text;
    }
    // relaxed: a number.
    const long number = thread->thread.load(std::memory_order_relaxed);
    if (thread->worker != 0)
        std::snprintf(text.data(), text.size(), "worker %u (thread %ld)", thread->worker, number);
    else
        std::snprintf(text.data(), text.size(), number == ::getpid() ? "thread %ld (main)" : "thread %ld", number);
    return text;
}

phrase what_it_awaits(const wait_reason& what) noexcept {
    phrase text{};
    if (what.fiber != 0)
        std::snprintf(text.data(), text.size(), "fiber %lu %s", static_cast<unsigned long>(what.fiber), what.event);
    else if (what.object != nullptr)
        std::snprintf(text.data(), text.size(), "the %s %p %s", what.kind, what.object, what.event);
    else
        std::snprintf(text.data(), text.size(), "%s", what.kind);
    return text;
}

void say(const noted_wait& wait, const known_thread* thread) noexcept {
    const phrase who = waiting_one(wait, thread), what = what_it_awaits(wait.what);
    if (wait.what.made.line() == 0)
        warn("  %s waits for %s", who.data(), what.data());
    else
        warn("  %s waits for %s; made at %s:%u", who.data(), what.data(), wait.what.made.file_name(),
             static_cast<unsigned>(wait.what.made.line()));
}

void say_calls(std::span<void* const> calls) noexcept {
    unsigned said = 0;
    for (void* const each : calls) {
        const frame_name name = name_of_frame(each);
        if (name.is_of_runtime)
            continue;
        warn("      %s %s", said == 0 ? "at" : "called by", name.text.data());
        if (++said == most_calls)
            return;
    }
}

void say_where(const wait_trace& trace) noexcept {
    // acquire: partner: the release in take_trace().
    const unsigned count = trace.frame_count.load(std::memory_order_acquire);
    if (count == 0)
        return;
    for (const wait_trace::owner_of_task& owner : trace.owners)
        if (owner.group != nullptr)
            warn("      in a task of the %s %p", owner.is_arena ? "arena" : "task_group", owner.group);
    say_calls(std::span(trace.frames).first(count));
}

void say_where(const void* fiber) noexcept {
    std::array<void*, 40> calls;
    say_calls(std::span(calls).first(pool::instance().still().listener()->calls_of(fiber, calls)));
}

// threads_have_traces: those that have slept for long have.
void say_waits(bool threads_have_traces) noexcept {
    const stillness::scoped_hold held(pool::instance().still());
    unsigned long count = 0, fibers = 0;
    find_wait([&](const noted_wait& wait, const waiting& one) noexcept {
        if (++count > most_waits)
            return false;
        say(wait, one.thread);
        if (one.thread != nullptr && threads_have_traces)
            say_where(one.thread->trace);
        if (one.fiber != nullptr && held.is_still() && ++fibers <= most_fibers)
            say_where(one.fiber);
        return false;
    });
    if (count > most_waits)
        warn("  and %lu more", count - most_waits);
}

}  // namespace

bool has_waits() noexcept {
    return find_wait([](const noted_wait&, const waiting&) noexcept { return true; });
}

bool has_deadlock() noexcept { return has_wait_for_object() && knows_all_threads(); }

bool is_stall_certain() noexcept { return !has_wait_for_object() || knows_all_threads(); }

void report_deadlock() noexcept {
    // A thread that a signal wakes falls asleep again; then nothing is new.
    static constinit atomic<std::uint64_t> last_said{0};
    std::uint64_t mark = 1;
    find_wait([&](const noted_wait& wait, const waiting& waits) noexcept {
        const std::uint64_t one =
            wait.fiber + (waits.thread != nullptr
                              // relaxed: a number.
                              ? static_cast<std::uint64_t>(waits.thread->thread.load(std::memory_order_relaxed))
                              : 0);
        mark += one * 0x9E37'79B9'7F4A'7C15U ^ reinterpret_cast<std::uintptr_t>(wait.what.object) ^ wait.what.fiber;
        return false;
    });
    // relaxed: only decides whether it is said.
    if (mark == 1 || last_said.exchange(mark, std::memory_order_relaxed) == mark)
        return;
    warn("deadlock: all threads of the process wait, and nothing can wake them; the waits are:");
    say_waits(false);
}

void report_stall() noexcept {
    const configuration& options = process_configuration();
    const long seconds = options.integer("stall_report_s");
    if (is_stall_certain())
        warn("stall: for %ld s no task has run, and every thread that could run one waits; the waits are:", seconds);
    else if (options.where("stall_report_s") != origin::built_in)
        warn("no task has run for %ld s; unless a thread that the runtime does not know ends one of these waits, this "
             "is a stall:",
             seconds);
    else
        return;
    say_waits(true);
    pool::instance().report();
}

}  // namespace teff
