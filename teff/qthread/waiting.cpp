// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' barrier and its queues of qthreads: lists of waiting qthreads under a spin lock (threads::wait_list).
//
// In contrast to a fiber_barrier, a barrier can be resized, and a queue reports its length. qthread_readstate() counts
// a qthread as waiting before the qthread is in the queue. So a thread that has read the length of a queue then reads
// at least as many waiting qthreads.
#include <teff/qthread/barrier.h>
#include <teff/qthread/own_data.hpp>

#include <teff/base/locks.hpp>
#include <teff/frontends/threads/parking.hpp>

#include <cstddef>
#include <cstdio>
#include <new>
#include <utility>

namespace {

using namespace teff::qthreads;
using teff::scoped_lock;
using teff::threads::wait_list;
using teff::threads::waiter;

}  // namespace

struct qt_barrier_s {
    teff::spin_lock guard;
    // under the guard
    std::size_t count;
    std::size_t arrived = 0;
    wait_list waiting{};
};

struct qthread_queue_s {
    teff::spin_lock guard;
    const aligned_t most;
    // under the guard
    aligned_t length = 0;
    wait_list waiting{};
};

extern "C" {

qt_barrier_t* qt_barrier_create(std::size_t max_threads, qt_barrier_btype) {
    return new (std::nothrow) qt_barrier_s{{}, max_threads};
}
void qt_barrier_enter(qt_barrier_t* barrier) {
    const scoped_asleep asleep;
    barrier->guard.lock();
    if (++barrier->arrived < barrier->count) {
        waiter self;
        barrier->waiting.add(self);
        self.here.release_and_wait(barrier->guard, {.kind = "qt_barrier", .event = "to open", .object = barrier});
        return;
    }
    barrier->arrived = 0;
    wait_list taken = std::exchange(barrier->waiting, wait_list());
    barrier->guard.unlock();
    teff::threads::wake_all(taken);
}
void qt_barrier_enter_id(qt_barrier_t* barrier, std::size_t) { qt_barrier_enter(barrier); }
void qt_barrier_destroy(qt_barrier_t* barrier) { delete barrier; }
void qt_barrier_resize(qt_barrier_t* barrier, std::size_t size) {
    const scoped_lock locked(barrier->guard);
    barrier->count = size;
    barrier->arrived = 0;
}
void qt_barrier_dump(qt_barrier_t* barrier, qt_barrier_dtype) {
    barrier->guard.lock();
    const std::size_t count = barrier->count;
    const std::size_t arrived = barrier->arrived;
    barrier->guard.unlock();
    std::printf("barrier %p: %zu of %zu have entered\n", static_cast<void*>(barrier), arrived, count);
}
qt_barrier_t* qt_get_barrier(void) { return static_cast<qt_barrier_t*>(own().barrier); }
void qt_set_barrier(qt_barrier_t* barrier) { own().barrier = barrier; }

qthread_queue_t qthread_queue_create(std::uint8_t flags, aligned_t length) {
    return new (std::nothrow) qthread_queue_s{{}, (flags & QTHREAD_QUEUE_CAPPED) != 0 ? length : ~aligned_t{0}};
}
int qthread_queue_join(qthread_queue_t queue) {
    if (queue == nullptr)
        return QTHREAD_BADARGS;
    const scoped_asleep asleep;
    queue->guard.lock();
    if (queue->length >= queue->most) {
        queue->guard.unlock();
        return QTHREAD_OPFAIL;
    }
    ++queue->length;
    waiter self;
    queue->waiting.add(self);
    self.here.release_and_wait(queue->guard, {.kind = "qthread_queue", .event = "to release it", .object = queue});
    return QTHREAD_SUCCESS;
}
aligned_t qthread_queue_length(qthread_queue_t queue) {
    if (queue == nullptr)
        return 0;
    const scoped_lock locked(queue->guard);
    return queue->length;
}
int qthread_queue_release_one(qthread_queue_t queue) {
    if (queue == nullptr)
        return QTHREAD_BADARGS;
    queue->guard.lock();
    waiter* const first = queue->waiting.take();
    if (first != nullptr)
        --queue->length;
    queue->guard.unlock();
    if (first != nullptr)
        first->here.wake();
    return QTHREAD_SUCCESS;
}
int qthread_queue_release_all(qthread_queue_t queue) {
    if (queue == nullptr)
        return QTHREAD_BADARGS;
    queue->guard.lock();
    wait_list taken = std::exchange(queue->waiting, wait_list());
    queue->length = 0;
    queue->guard.unlock();
    teff::threads::wake_all(taken);
    return QTHREAD_SUCCESS;
}
int qthread_queue_destroy(qthread_queue_t queue) {
    if (queue == nullptr)
        return QTHREAD_BADARGS;
    delete queue;
    return QTHREAD_SUCCESS;
}

}  // extern "C"
