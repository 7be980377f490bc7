// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls into the Boehm collector. They are not in the header, so that users of the library do not need the
// collector's headers.
#include <teff/reclaim/gc.hpp>

#if defined(TEFF_WITH_GC)

#include <teff/base/mutex.hpp>
#include <teff/reclaim/collector_stacks.hpp>

#include <csignal>
#include <cstdint>
#include <limits>
#include <unistd.h>

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

namespace teff {
namespace {

// The collector takes the thread that starts it for the process's first thread, unless it is told where the stack of
// this thread begins. Returns whether starting the collector has registered the calling thread.
bool start_collector() noexcept {
    static constinit mutex starting;
    static constinit bool started = false;
    const scoped_lock lock(starting);
    if (started)
        return false;
    started = true;
    // relaxed: see about_to_use_stack().
    collector_runs.store(true, std::memory_order_relaxed);
    // The program itself uses the collector. It may or may not have registered its threads.
    if (GC_is_init_called()) {
        GC_allow_register_threads();
        return false;
    }
    GC_stack_base base{};
    if (GC_get_stack_base(&base) == GC_SUCCESS)
        GC_set_stackbottom(nullptr, &base);
    GC_INIT();
    GC_allow_register_threads();
    // The process's first thread stays registered until the end, since its static destructors may still use blocks.
    return ::gettid() != ::getpid();
}

// The runtime's workers block every signal, and the collector could wait for ever for a thread that blocks its
// signals.
void unblock_collector_signals() noexcept {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, GC_get_suspend_signal());
    sigaddset(&signals, GC_get_thr_restart_signal());
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

class thread_registration {
public:
    thread_registration() noexcept {
        const bool started_here = start_collector();
        unblock_collector_signals();
        GC_stack_base base{};
        if (GC_get_stack_base(&base) != GC_SUCCESS)
            return;
        const int result = GC_register_my_thread(&base);
        registered_ = result == GC_SUCCESS || result == GC_DUPLICATE;
        registered_here_ = result == GC_SUCCESS || started_here;
    }
    // Unregisters only a thread that was registered here. A thread that stayed registered after its end would never
    // answer the collector's signals.
    ~thread_registration() {
        if (registered_here_)
            GC_unregister_my_thread();
    }
    thread_registration(const thread_registration&) = delete;
    thread_registration& operator=(const thread_registration&) = delete;

    bool registered() const noexcept { return registered_; }

private:
    bool registered_ = false;
    bool registered_here_ = false;
};

}  // namespace

bool gc_reclaimer::register_this_thread() noexcept {
    static thread_local thread_registration registration;
    return registration.registered();
}

gc_reclaimer::gc_reclaimer(std::size_t participants) noexcept : roots_(nullptr) {
    if (!register_this_thread() || participants > std::numeric_limits<std::size_t>::max() / 2 / sizeof(root_pair))
        return;
    roots_ = static_cast<root_pair*>(GC_malloc_uncollectable(participants * sizeof(root_pair)));
}

gc_reclaimer::~gc_reclaimer() {
    register_this_thread();
    GC_free(roots_);
}

void* gc_reclaimer::allocate(std::size_t, std::size_t bytes, std::size_t alignment) noexcept {
    if (!register_this_thread())
        return nullptr;
    return alignment <= alignof(std::max_align_t) ? GC_malloc(bytes) : GC_memalign(alignment, bytes);
}

void gc_reclaimer::deallocate(std::size_t, void* memory, std::size_t, std::size_t) noexcept {
    register_this_thread();
    // An aligned block may begin in the middle of the collector's object, but GC_free() needs the beginning of the
    // object.
    GC_free(GC_base(memory));
}

// While the stack pointer is in a thread's alternative stack, the collector looks there and not on its own stack. So
// there is no moment in which it uses the wrong one.
void tell_collector_of_stack(std::uintptr_t low, std::uintptr_t high) noexcept {
    if (gc_reclaimer::register_this_thread())
        GC_register_altstack(nullptr, 0, reinterpret_cast<void*>(low), high - low);
}

void stop_collector() noexcept { GC_disable(); }
void continue_collector() noexcept { GC_enable(); }

}  // namespace teff

#endif
