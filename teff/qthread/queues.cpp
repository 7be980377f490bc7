// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' queues of pointers, and its pools of memory.
//
// Each queue is a deque with a mutex that is held for a few instructions; Qthreads' own queues are lock-free. A program
// that passes millions of items per second should use tasks instead. The queue with a limit has a mutex of fibers,
// since its callers may wait.
//
// A pool takes slabs from the system, cuts them into items, and keeps items that were given back in a list. Its
// destructor gives the slabs back to the system.
#include <teff/qthread/own_data.hpp>
#include <teff/qthread/qdqueue.h>
#include <teff/qthread/qlfqueue.h>
#include <teff/qthread/qpool.h>
#include <teff/qthread/qswsrqueue.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

// Part of types of the C interface, so not of an unnamed namespace.
namespace teff::qthreads {

class pointer_queue {
public:
    // Throws std::bad_alloc.
    void add(void* element) {
        const std::lock_guard locked(guard_);
        elements_.push_back(element);
    }
    // nullptr: it is empty.
    void* take() noexcept {
        const std::lock_guard locked(guard_);
        if (elements_.empty())
            return nullptr;
        void* const first = elements_.front();
        elements_.pop_front();
        return first;
    }
    bool empty() noexcept {
        const std::lock_guard locked(guard_);
        return elements_.empty();
    }

private:
    std::mutex guard_;
    std::deque<void*> elements_;  // under the guard
};

}  // namespace teff::qthreads

namespace {

using namespace teff::qthreads;

// Returns the object that make() makes; nullptr: there is no memory.
template <class Make>
auto made_or_null(Make&& make) noexcept -> decltype(make()) {
    decltype(make()) made = nullptr;
    return code_of([&] { made = make(); }) == QTHREAD_SUCCESS ? made : nullptr;
}

}  // namespace

struct qlfqueue_s : pointer_queue {};

struct qdqueue_s {
    std::vector<pointer_queue> parts = std::vector<pointer_queue>(qthread_num_shepherds());
    // The part of the caller's shepherd; the first one on a thread that has none.
    std::size_t own_part() const noexcept {
        const qthread_shepherd_id_t own_shepherd = qthread_shep();
        return own_shepherd < parts.size() ? own_shepherd : 0;
    }
};

struct qswsrqueue_s {
    explicit qswsrqueue_s(std::size_t most) : ring(most) {}

    teff::fiber_mutex guard;
    teff::fiber_condition_variable changed;
    // under the guard
    std::vector<void*> ring;
    std::size_t first = 0;
    std::size_t count = 0;

    // Under the guard.
    bool add(void* element) noexcept {
        if (count == ring.size())
            return false;
        ring[(first + count++) % ring.size()] = element;
        changed.notify_all();
        return true;
    }
    void* take() noexcept {
        if (count == 0)
            return nullptr;
        void* const oldest = ring[first];
        first = (first + 1) % ring.size();
        --count;
        changed.notify_all();
        return oldest;
    }
};

struct qt_mpool_s {
    qt_mpool_s(std::size_t item_size, std::size_t item_alignment)
        : alignment(std::max(item_alignment, alignof(free_item))),
          item((std::max(item_size, sizeof(free_item)) + alignment - 1) / alignment * alignment) {}
    ~qt_mpool_s() {
        for (void* const each : slabs)
            std::free(each);
    }
    qt_mpool_s(const qt_mpool_s&) = delete;
    qt_mpool_s& operator=(const qt_mpool_s&) = delete;

    // Throws std::bad_alloc.
    void* take() {
        const std::lock_guard locked(guard);
        if (free_items == nullptr)
            add_slab();
        free_item* const taken = free_items;
        free_items = taken->next;
        return taken;
    }
    void give_back(void* given) noexcept {
        const std::lock_guard locked(guard);
        free_items = new (given) free_item{free_items};
    }

private:
    struct free_item {
        free_item* next;
    };

    void add_slab() {
        constexpr std::size_t usual_slab = 64 << 10;
        const std::size_t items = std::max<std::size_t>(usual_slab / item, 1);
        slabs.reserve(slabs.size() + 1);
        auto* const slab = static_cast<unsigned char*>(std::aligned_alloc(alignment, items * item));
        if (slab == nullptr)
            throw std::bad_alloc();
        slabs.push_back(slab);
        // So that the items are taken in the order of their addresses.
        for (std::size_t i = items; i-- > 0;)
            free_items = new (slab + i * item) free_item{free_items};
    }

    const std::size_t alignment;
    const std::size_t item;
    std::mutex guard;
    // under the guard
    free_item* free_items = nullptr;
    std::vector<void*> slabs;
};

extern "C" {

qlfqueue_t* qlfqueue_create(void) {
    return made_or_null([] { return new qlfqueue_s; });
}
int qlfqueue_destroy(qlfqueue_t* queue) {
    delete queue;
    return queue != nullptr ? QTHREAD_SUCCESS : QTHREAD_BADARGS;
}
int qlfqueue_enqueue(qlfqueue_t* queue, void* element) {
    if (queue == nullptr || element == nullptr)
        return QTHREAD_BADARGS;
    return code_of([&] { queue->add(element); });
}
void* qlfqueue_dequeue(qlfqueue_t* queue) { return queue != nullptr ? queue->take() : nullptr; }
int qlfqueue_empty(qlfqueue_t* queue) { return queue == nullptr || queue->empty() ? 1 : 0; }

qdqueue_t* qdqueue_create(void) {
    return made_or_null([] { return new qdqueue_s; });
}
int qdqueue_destroy(qdqueue_t* queue) {
    delete queue;
    return queue != nullptr ? QTHREAD_SUCCESS : QTHREAD_BADARGS;
}
int qdqueue_enqueue(qdqueue_t* queue, void* element) {
    if (queue == nullptr)
        return QTHREAD_BADARGS;
    return qdqueue_enqueue_there(queue, element, static_cast<qthread_shepherd_id_t>(queue->own_part()));
}
int qdqueue_enqueue_there(qdqueue_t* queue, void* element, qthread_shepherd_id_t there) {
    if (queue == nullptr || element == nullptr || there >= queue->parts.size())
        return QTHREAD_BADARGS;
    return code_of([&] { queue->parts[there].add(element); });
}
void* qdqueue_dequeue(qdqueue_t* queue) {
    if (queue == nullptr)
        return nullptr;
    const std::size_t own_part = queue->own_part();
    for (std::size_t i = 0; i < queue->parts.size(); ++i)
        if (void* const taken = queue->parts[(own_part + i) % queue->parts.size()].take())
            return taken;
    return nullptr;
}
int qdqueue_empty(qdqueue_t* queue) {
    return queue == nullptr || std::all_of(queue->parts.begin(), queue->parts.end(),
                                           [](pointer_queue& part) { return part.empty(); })
               ? 1
               : 0;
}

qswsrqueue_t* qswsrqueue_create(std::size_t elements) {
    return elements != 0 ? made_or_null([=] { return new qswsrqueue_s(elements); }) : nullptr;
}
int qswsrqueue_destroy(qswsrqueue_t* queue) {
    delete queue;
    return queue != nullptr ? QTHREAD_SUCCESS : QTHREAD_BADARGS;
}
int qswsrqueue_enqueue(qswsrqueue_t* queue, void* element) {
    if (queue == nullptr || element == nullptr)
        return QTHREAD_BADARGS;
    const std::lock_guard locked(queue->guard);
    return queue->add(element) ? QTHREAD_SUCCESS : QTHREAD_OPFAIL;
}
int qswsrqueue_enqueue_blocking(qswsrqueue_t* queue, void* element) {
    if (queue == nullptr || element == nullptr)
        return QTHREAD_BADARGS;
    std::unique_lock locked(queue->guard);
    queue->changed.wait(locked, [&] { return queue->add(element); });
    return QTHREAD_SUCCESS;
}
void* qswsrqueue_dequeue(qswsrqueue_t* queue) {
    if (queue == nullptr)
        return nullptr;
    const std::lock_guard locked(queue->guard);
    return queue->take();
}
void* qswsrqueue_dequeue_blocking(qswsrqueue_t* queue) {
    if (queue == nullptr)
        return nullptr;
    std::unique_lock locked(queue->guard);
    void* taken = nullptr;
    queue->changed.wait(locked, [&] { return (taken = queue->take()) != nullptr; });
    return taken;
}
int qswsrqueue_empty(qswsrqueue_t* queue) {
    if (queue == nullptr)
        return 1;
    const std::lock_guard locked(queue->guard);
    return queue->count == 0 ? 1 : 0;
}

qpool* qpool_create(std::size_t item_size) { return qpool_create_aligned(item_size, 0); }
qpool* qpool_create_aligned(std::size_t item_size, std::size_t alignment) {
    const std::size_t wanted = alignment != 0 ? alignment : alignof(std::max_align_t);
    return std::has_single_bit(wanted) ? made_or_null([=] { return new qt_mpool_s(item_size, wanted); }) : nullptr;
}
void* qpool_alloc(qpool* pool) {
    return made_or_null([=] { return pool->take(); });
}
void qpool_free(qpool* pool, void* item) {
    if (item != nullptr)
        pool->give_back(item);
}
void qpool_destroy(qpool* pool) { delete pool; }

}  // extern "C"
