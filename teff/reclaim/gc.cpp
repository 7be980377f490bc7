// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers threads and stacks with the Boehm collector, and allocates blocks from it; see gc.hpp.
#include <teff/reclaim/gc.hpp>

#if defined(TEFF_WITH_GC)

#include <teff/base/locks.hpp>
#include <teff/base/thread.hpp>
#include <teff/reclaim/collector_library.hpp>
#include <teff/reclaim/collector_stacks.hpp>

#include <csignal>
#include <cstdint>
#include <limits>
#include <unistd.h>

namespace teff {
namespace {

// Starts the collector once. The collector takes the thread that starts it for the process's first thread, unless it is
// told where this thread's stack begins. Returns whether the start has registered the calling thread and its end must
// unregister it.
bool start_collector() noexcept {
    static constinit mutex starting;
    static constinit bool started = false;
    const scoped_lock lock(starting);
    if (started)
        return false;
    started = true;
    // relaxed: see change_of_stack.
    collector_runs.store(true, std::memory_order_relaxed);
    // The program itself has started the collector. It may or may not have registered its threads.
    if (collector().is_init_called()) {
        collector().allow_register_threads();
        return false;
    }
    collector_library::stack_base base{};
    if (collector().get_stack_base(&base) == collector_library::success)
        collector().set_stackbottom(nullptr, &base);
    collector().init();
    collector().allow_register_threads();
    // The process's first thread stays registered until the end, since its static destructors may still use blocks.
    return ::gettid() != ::getpid();
}

// The runtime's workers block every signal, and the collector could wait for ever for a thread that blocks its
// signals.
void unblock_collector_signals() noexcept {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, collector().get_suspend_signal());
    sigaddset(&signals, collector().get_thr_restart_signal());
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

class thread_registration {
public:
    // Tried once. False: the thread is not registered.
    bool begin() noexcept;
    // Unregisters only a thread that was registered here. A thread that stayed registered after its end would never
    // answer the collector's signals.
    void end() noexcept {
        if (registered_here_)
            collector().unregister_my_thread();
        *this = {};
    }

private:
    bool was_tried_ = false;
    bool registered_ = false;
    bool registered_here_ = false;
};

constinit thread_local thread_registration own_registration;
void end_own_registration() noexcept { own_registration.end(); }

bool thread_registration::begin() noexcept {
    if (was_tried_) [[likely]]
        return registered_;
    was_tried_ = true;
    if (!call_at_thread_end<end_own_registration>())
        return false;
    const bool started_here = start_collector();
    unblock_collector_signals();
    collector_library::stack_base base{};
    if (collector().get_stack_base(&base) != collector_library::success)
        return false;
    const int result = collector().register_my_thread(&base);
    registered_ = result == collector_library::success || result == collector_library::duplicate;
    registered_here_ = result == collector_library::success || started_here;
    return registered_;
}

}  // namespace

bool gc_reclaimer::register_this_thread() noexcept { return own_registration.begin(); }

gc_reclaimer::gc_reclaimer(std::size_t participants) noexcept : roots_(nullptr) {
    if (collector_obstacle() != nullptr || !register_this_thread() ||
        participants > std::numeric_limits<std::size_t>::max() / 2 / sizeof(root_pair))
        return;
    roots_ = static_cast<root_pair*>(collector().malloc_uncollectable(participants * sizeof(root_pair)));
}

gc_reclaimer::~gc_reclaimer() {
    if (roots_ == nullptr)
        return;
    register_this_thread();
    collector().free(roots_);
}

void* gc_reclaimer::allocate(std::size_t, std::size_t bytes, std::size_t alignment) noexcept {
    if (!register_this_thread())
        return nullptr;
    return alignment <= alignof(std::max_align_t) ? collector().malloc(bytes) : collector().memalign(alignment, bytes);
}

void gc_reclaimer::deallocate(std::size_t, void* memory, std::size_t, std::size_t) noexcept {
    register_this_thread();
    // An aligned block may begin in the middle of the collector's object, but GC_free() needs the beginning of the
    // object.
    collector().free(collector().base(memory));
}

// The collector searches the alternative stack only while the thread's stack pointer is inside it, and otherwise the
// thread's own stack. So it never searches the wrong one.
void tell_collector_of_stack(std::uintptr_t low, std::uintptr_t high) noexcept {
    if (gc_reclaimer::register_this_thread())
        collector().register_altstack(nullptr, 0, reinterpret_cast<void*>(low), high - low);
}

void stop_collector() noexcept { collector().disable(); }
void continue_collector() noexcept { collector().enable(); }

}  // namespace teff

#endif
