// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the records of known threads; see thread_waits.hpp. Records are never freed; the record of a thread that has
// exited is used again. The first records are static, so that most programs allocate none.
#include <teff/observe/thread_waits.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/locks.hpp>
#include <teff/observe/quiescence.hpp>
#include <teff/strand/worker.hpp>

#include <pthread.h>
#include <unistd.h>

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif

namespace teff {
namespace {

constinit mutex records_mutex;
constinit atomic<known_thread*> first_known{nullptr};
constinit std::array<known_thread, 32> static_places{};
constinit std::size_t used_places = 0;  // under the mutex

constinit thread_local known_thread* own_place [[gnu::tls_model("initial-exec")]] = nullptr;
pthread_key_t own_key;
pthread_once_t begun = PTHREAD_ONCE_INIT;

void leave(void* own) noexcept {
    auto& record = *static_cast<known_thread*>(own);
    own_place = nullptr;
    process_quiescence().leave_out_this_thread();
    // release: our last use of the record; partner: the acquire in take_known().
    record.thread.store(0, std::memory_order_release);
}

known_thread* take_known() noexcept {
    const scoped_lock locked(records_mutex);
    // relaxed: written under the mutex.
    known_thread* const first = first_known.load(std::memory_order_relaxed);
    for (known_thread* each = first; each != nullptr; each = each->next)
        // acquire: the last thread's uses of the record come before ours; partner: the release in leave().
        if (each->thread.load(std::memory_order_acquire) == 0) {
            // relaxed: a number.
            each->thread.store(::gettid(), std::memory_order_relaxed);
            return each;
        }
    known_thread* const made =
        used_places < static_places.size() ? &static_places[used_places++] : create<known_thread>();
    if (made == nullptr)
        return nullptr;
    // relaxed: the release below publishes it.
    made->thread.store(::gettid(), std::memory_order_relaxed);
    made->next = first;
    // release: the record is complete; partner: the acquire in find_thread_wait().
    first_known.store(made, std::memory_order_release);
    return made;
}

}  // namespace

[[gnu::noinline]] known_thread* know_this_thread() noexcept {
    if (own_place == nullptr) [[unlikely]] {
        ::pthread_once(&begun, [] { ::pthread_key_create(&own_key, leave); });
        own_place = take_known();
        if (own_place == nullptr) {
            // Without a record the thread counts as awake for ever, so no report is written any more.
            if (!this_thread().is_counted)
                process_quiescence().count_this_thread();
            return nullptr;
        }
        own_place->worker = this_thread().worker;
        // A worker is counted already, and calls forget_this_thread() before it exits.
        if (!this_thread().is_counted) {
            process_quiescence().count_this_thread();
            ::pthread_setspecific(own_key, own_place);
        }
    }
    return own_place;
}

void forget_this_thread() noexcept {
    if (own_place != nullptr)
        leave(own_place);
    else
        process_quiescence().leave_out_this_thread();
}

void load_unwinder() noexcept {
#if __has_include(<execinfo.h>)
    void* any = nullptr;
    [[maybe_unused]] const int count = ::backtrace(&any, 1);
#endif
}

void take_trace(wait_trace& to, const wait_reason& why) noexcept {
    to.owners.fill({});
    const running_task* each = why.task;
    for (wait_trace::owner_of_task& owner : to.owners) {
        if (each == nullptr)
            break;
        owner = {each->group, each->is_of_arena};
        each = each->around;
    }
    int count = 0;
#if __has_include(<execinfo.h>)
    count = ::backtrace(to.frames.data(), static_cast<int>(to.frames.size()));
#endif
    // release: publishes the frames; partner: the acquire in copied_waits::copy_place().
    to.frame_count.store(count > 0 ? static_cast<unsigned>(count) : 0, std::memory_order_release);
}

bool find_thread_wait(bool (*visit)(const known_thread& thread, const noted_wait& wait, void* argument) noexcept,
                      void* argument) noexcept {
    // acquire: the record is complete; partner: the release in take_known().
    for (known_thread* each = first_known.load(std::memory_order_acquire); each != nullptr; each = each->next)
        if (const auto wait = noted_wait::of(each->waits))
            if (visit(*each, *wait, argument))
                return true;
    return false;
}

void forget_threads_after_fork() noexcept {
    records_mutex.reset_after_fork();
    // relaxed, both: the child has one thread.
    for (known_thread* each = first_known.load(std::memory_order_relaxed); each != nullptr; each = each->next) {
        each->waits.end();
        if (each == own_place) {
            each->thread.store(::gettid(), std::memory_order_relaxed);
            each->worker = 0;
        } else {
            each->thread.store(0, std::memory_order_relaxed);
        }
    }
}

}  // namespace teff
