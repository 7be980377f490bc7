// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of threads, and the report; see waits.hpp.
#include <teff/frontends/threads/waits.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/mutex.hpp>
#include <teff/fiber/fiber_stack.hpp>
#include <teff/machine/text.hpp>
#include <teff/machine/text_file.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/runtime/stillness.hpp>
#include <teff/runtime/worker.hpp>

#include <cstdio>
#include <optional>
#include <pthread.h>
#include <string_view>
#include <type_traits>
#include <unistd.h>

namespace teff::threads {

static_assert(sizeof(wait_record) <= stack_record_size);

// What a record says of a wait.
struct noted_wait {
    std::uint64_t fiber;
    const char* name;
    awaited what;

    // nullopt: nothing waits.
    static std::optional<noted_wait> of(const wait_record& from) noexcept {
        // relaxed, all: see wait_record::begin().
        const char* const kind = from.kind_.load(std::memory_order_relaxed);
        if (kind == nullptr)
            return std::nullopt;
        return noted_wait{
            from.fiber_.load(std::memory_order_relaxed),
            from.name_.load(std::memory_order_relaxed),
            {kind, from.event_.load(std::memory_order_relaxed), from.object_.load(std::memory_order_relaxed),
             from.awaited_fiber_.load(std::memory_order_relaxed), from.made_.load(std::memory_order_relaxed)}};
    }
};

namespace {

struct thread_record {
    wait_record waits;
    atomic<long> thread{0};  // its number in the system; 0: of no thread any more
    thread_record* next = nullptr;
};

// Records of threads are never freed, but used again.
constinit mutex records_mutex;
constinit atomic<thread_record*> first_record{nullptr};

constinit thread_local thread_record* own_record [[gnu::tls_model("initial-exec")]] = nullptr;
pthread_key_t own_key;
pthread_once_t begun = PTHREAD_ONCE_INIT;

// Calls visit(wait, thread) for each wait until it returns true.
template <class Visit>
bool find_wait(Visit&& visit) noexcept {
    // acquire: the record is complete; partner: the release in take_record().
    for (thread_record* each = first_record.load(std::memory_order_acquire); each != nullptr; each = each->next)
        if (const auto wait = noted_wait::of(each->waits))
            // relaxed: a number.
            if (visit(*wait, each->thread.load(std::memory_order_relaxed)))
                return true;
    return find_stack_record(
        [](void* record, void* argument) noexcept {
            const auto wait = noted_wait::of(*static_cast<const wait_record*>(record));
            return wait && (*static_cast<std::remove_reference_t<Visit>*>(argument))(*wait, 0);
        },
        &visit);
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

bool has_waits() noexcept {
    return threads_of_process() == static_cast<long>(pool::instance().still().threads()) &&
           find_wait([](const noted_wait&, long) { return true; });
}

void say(const noted_wait& wait, long thread) noexcept {
    char who[96];
    if (wait.fiber == 0)
        std::snprintf(who, sizeof who, "thread %ld", thread);
    else if (wait.name == nullptr)
        std::snprintf(who, sizeof who, "fiber %lu", wait.fiber);
    else
        std::snprintf(who, sizeof who, "fiber %lu '%.60s'", wait.fiber, wait.name);
    char what[128];
    if (wait.what.fiber != 0)
        std::snprintf(what, sizeof what, "fiber %lu %s", wait.what.fiber, wait.what.event);
    else if (wait.what.object != nullptr)
        std::snprintf(what, sizeof what, "the %s %p %s", wait.what.kind, wait.what.object, wait.what.event);
    else
        std::snprintf(what, sizeof what, "%s", wait.what.kind);
    if (wait.what.made.line() == 0)
        warn("  %s waits for %s", who, what);
    else
        warn("  %s waits for %s; made at %s:%u", who, what, wait.what.made.file_name(),
             static_cast<unsigned>(wait.what.made.line()));
}

void report(bool is_deadlock) noexcept {
    constexpr unsigned long most = 40;
    // A thread that a signal wakes falls asleep again; then nothing is new.
    static constinit atomic<std::uint64_t> last_said{0};
    unsigned long count = 0;
    std::uint64_t mark = 1;
    find_wait([&](const noted_wait& wait, long thread) {
        ++count;
        mark += (wait.fiber + static_cast<std::uint64_t>(thread)) * 0x9E37'79B9'7F4A'7C15U ^
                reinterpret_cast<std::uintptr_t>(wait.what.object) ^ wait.what.fiber;
        return false;
    });
    // relaxed: only decides whether it is said.
    if (count == 0 || (is_deadlock && last_said.exchange(mark, std::memory_order_relaxed) == mark))
        return;
    if (is_deadlock)
        warn("deadlock: all threads of the process wait, and nothing can wake them; the waits are:");
    else
        warn("waits of fibers and threads at the moment:");
    unsigned long said = 0;
    find_wait([&](const noted_wait& wait, long thread) {
        say(wait, thread);
        return ++said == most;
    });
    if (count > most)
        warn("  and %lu more", count - most);
}

constexpr wait_listener listener{&has_waits, &report};

void leave(void* own) noexcept {
    auto& record = *static_cast<thread_record*>(own);
    own_record = nullptr;
    pool::instance().still().leave_out_this_thread();
    // release: our last use; partner: the acquire in take_record().
    record.thread.store(0, std::memory_order_release);
}

thread_record* take_record() noexcept {
    const scoped_lock locked(records_mutex);
    // relaxed: written under the mutex.
    thread_record* const first = first_record.load(std::memory_order_relaxed);
    for (thread_record* each = first; each != nullptr; each = each->next)
        // acquire: partner: the release in leave().
        if (each->thread.load(std::memory_order_acquire) == 0) {
            // relaxed: a number.
            each->thread.store(::gettid(), std::memory_order_relaxed);
            return each;
        }
    thread_record* const made = create<thread_record>();
    if (made == nullptr)
        return nullptr;
    made->thread.store(::gettid(), std::memory_order_relaxed);
    made->next = first;
    // release: partner: the acquire in find_wait().
    first_record.store(made, std::memory_order_release);
    return made;
}

}  // namespace

[[gnu::noinline]] wait_record* own_wait_record() noexcept {
    if (own_record == nullptr) [[unlikely]] {
        ::pthread_once(&begun, [] {
            ::pthread_key_create(&own_key, leave);
            pool::instance().still().listen(listener);
        });
        own_record = take_record();
        if (own_record == nullptr)
            return nullptr;
        // A worker is counted already, and does not exit.
        if (!this_thread().is_counted) {
            pool::instance().still().count_this_thread();
            ::pthread_setspecific(own_key, own_record);
        }
    }
    return &own_record->waits;
}

}  // namespace teff::threads
