// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The callbacks that a tool has registered, and what the runtime keeps for each thread that it reports.
//
//   set_callback, callback    any thread, at any time
//   own_thread                the calling thread
//   end_tool                  any thread; the first call counts
#pragma once

#if TEFF_OPENMP_CALLS_TOOL

#include <teff/base/atomic.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/openmp/omp-tools.h>

namespace teff::openmp::tools {

inline constexpr unsigned event_count = ompt_callback_error + 1;

extern atomic<ompt_callback_t> callbacks[event_count];

ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) noexcept;
int get_callback(ompt_callbacks_t event, ompt_callback_t* callback) noexcept;

struct thread_record {
    // State that is not set for a wait: it follows from the thread's place.
    static constexpr int works = -1;

    ompt_data_t data{};
    ompt_wait_id_t wait_id = 0;
    int state = works;
    atomic<bool> has_begun{false};
    bool initializes_tool = false;      // begins afterwards
    unsigned requested_threads = 1;     // of the region that begins next
    bool has_sections = false;          // the loop that begins next
    bool yields = false;                // the program's task yields
    // of the task that is made next
    ompt_dispatch_chunk_t next_chunk{};
    int next_flags = 0;
    const events::dependence* next_dependences = nullptr;
    int next_dependence_count = 0;
    const void* called_from = nullptr;  // return address of the program's outermost running call
    thread_record* next = nullptr;      // of all threads that have begun
};
extern thread_local constinit thread_record own_thread;
// The thread that a callback is about: the calling one, except where it reports the end of another one. nullptr: the
// calling thread has not begun.
extern thread_local constinit thread_record* reported_thread;

// Calls the tool back, unless it does not know the calling thread (yet).
template <class Callback, class... Arguments>
inline void call(ompt_callbacks_t event, Arguments... arguments) noexcept {
    if (reported_thread == nullptr)
        return;
    // acquire: sees what the tool wrote before it registered the callback; partner: the release in set_callback().
    if (const ompt_callback_t registered = callbacks[event].load(std::memory_order_acquire))
        reinterpret_cast<Callback>(registered)(arguments...);
}

// Starts the tool. False: it does not want to observe the program.
bool begin_tool(ompt_start_tool_result_t& tool) noexcept;
// It does; also after its end.
bool is_active() noexcept;
// Reports the end of all threads and calls the tool's `finalize`.
void end_tool() noexcept;

// The routine of that name for a tool; nullptr: there is none.
ompt_interface_fn_t look_up(const char* name) noexcept;

}  // namespace teff::openmp::tools

#endif
