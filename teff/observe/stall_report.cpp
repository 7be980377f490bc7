// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether a wait is a deadlock or a stall, and writes the report; see stall_report.hpp.
#include <teff/observe/stall_report.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/machine/text.hpp>
#include <teff/machine/text_file.hpp>
#include <teff/observe/frame_names.hpp>
#include <teff/observe/quiescence.hpp>
#include <teff/observe/thread_waits.hpp>
#include <teff/options/options.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string_view>
#include <type_traits>
#include <unistd.h>

namespace teff {
namespace {

// At most this many waits are named; further ones are counted.
constexpr std::size_t most_waits = 40;
// At most this many fibers have their calls named, and this many calls are named for each wait.
constexpr unsigned most_fibers = 8;
constexpr unsigned most_calls = 8;

// The thread or the fiber that waits; the other pointer is nullptr.
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
    const wait_listener* const listener = process_quiescence().listener();
    return listener != nullptr &&
           listener->find([](const noted_wait& wait, const void* fiber, void* argument) noexcept {
               return (*static_cast<visitor*>(argument))(wait, waiting{nullptr, fiber});
           }, &visit);
}

// Returns 0 if the number cannot be read.
long threads_of_process() noexcept {
    text_file status("/proc/self/status");
    constexpr std::string_view key = "Threads:";
    for (std::string_view line; status.next_line(line);)
        if (line.starts_with(key))
            return parse_number(trim(line.substr(key.size()))).value_or(0);
    return 0;
}
bool knows_all_threads() noexcept {
    return threads_of_process() == static_cast<long>(process_quiescence().threads());
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

// A wait, in the words of the report.
struct copied_wait {
    phrase waiter;
    phrase what;
    site made;
    std::array<wait_trace::owner_of_task, 4> owners{};
    decltype(wait_trace::frames) calls;
    std::size_t call_count = 0;
};

// All waits are copied while the threads are held, so that nothing changes. Functions are named and lines written
// afterwards, since both may wait for a held thread: for a lock that it has, or because it is the reader of stderr.
class copied_waits {
public:
    // threads_have_traces: whether each thread has slept long enough to have taken its trace (thread_waits.hpp).
    void copy(bool threads_have_traces) noexcept {
        const quiescence::scoped_hold held(process_quiescence());
        find_wait([&](const noted_wait& wait, const waiting& one) noexcept {
            if (++count_ > most_waits)
                return false;
            copied_wait& to = waits_[count_ - 1];
            to.waiter = waiting_one(wait, one.thread);
            to.what = what_it_awaits(wait.what);
            to.made = wait.what.made;
            if (!held.is_still())
                return false;
            if (one.thread != nullptr && threads_have_traces)
                copy_place(to, one.thread->trace);
            if (one.fiber != nullptr && ++fibers_ <= most_fibers)
                to.call_count = process_quiescence().listener()->calls_of(one.fiber, to.calls);
            return false;
        });
    }
    void say() const noexcept {
        for (std::size_t each = 0; each < std::min(count_, most_waits); ++each)
            say(waits_[each]);
        if (count_ > most_waits)
            warn("  and %zu more", count_ - most_waits);
    }

private:
    static void copy_place(copied_wait& to, const wait_trace& trace) noexcept {
        // acquire: partner: the release in take_trace().
        to.call_count = trace.frame_count.load(std::memory_order_acquire);
        if (to.call_count == 0)
            return;
        to.owners = trace.owners;
        to.calls = trace.frames;
    }
    static void say(const copied_wait& wait) noexcept {
        if (wait.made.line() == 0)
            warn("  %s waits for %s", wait.waiter.data(), wait.what.data());
        else
            warn("  %s waits for %s; made at %s:%u", wait.waiter.data(), wait.what.data(), wait.made.file_name(),
                 static_cast<unsigned>(wait.made.line()));
        for (const wait_trace::owner_of_task& owner : wait.owners)
            if (owner.group != nullptr)
                warn("      in a task of the %s %p", owner.is_arena ? "arena" : "task_group", owner.group);
        unsigned said = 0;
        for (void* const each : std::span(wait.calls).first(wait.call_count)) {
            const frame_name name = name_of_frame(each);
            if (name.is_of_runtime)
                continue;
            warn("      %s %s", said == 0 ? "at" : "called by", name.text.data());
            if (++said == most_calls)
                return;
        }
    }

    std::array<copied_wait, most_waits> waits_;
    std::size_t count_ = 0;
    unsigned fibers_ = 0;
};

void say_waits(bool threads_have_traces) noexcept {
    load_unwinder();
    auto* const copied = create<copied_waits>();
    if (copied == nullptr) {
        warn("  there is no memory to name them");
        return;
    }
    copied->copy(threads_have_traces);
    copied->say();
    destroy(copied);
}

}  // namespace

bool has_waits() noexcept {
    return find_wait([](const noted_wait&, const waiting&) noexcept { return true; });
}

bool has_deadlock() noexcept { return has_wait_for_object() && knows_all_threads(); }

bool is_stall_certain() noexcept { return !has_wait_for_object() || knows_all_threads(); }

void report_deadlock() noexcept {
    // A thread that a signal wakes falls asleep again, with the same waits; these are not reported twice.
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
    // relaxed: only decides whether to report.
    if (mark == 1 || last_said.exchange(mark, std::memory_order_relaxed) == mark)
        return;
    warn("deadlock: all threads of the process wait, and nothing can wake them; the waits are:");
    say_waits(false);
}

bool report_stall() noexcept {
    const configuration& options = process_configuration();
    const long seconds = options.integer("stall_report_s");
    if (is_stall_certain())
        warn("stall: for %ld s no task has run, and every thread that could run one waits; the waits are:", seconds);
    else if (options.where("stall_report_s") != origin::built_in)
        warn("no task has run for %ld s; unless a thread that the runtime does not know ends one of these waits, this "
             "is a stall:",
             seconds);
    else
        return false;
    say_waits(true);
    return true;
}

}  // namespace teff
