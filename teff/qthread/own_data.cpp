// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data of a qthread, its identifier, and its team's record; see own_data.hpp.
#include <teff/qthread/own_data.hpp>

#include <teff/qthread/sinc.h>

#include <teff/base/assert.hpp>

namespace teff::qthreads {
namespace {

// A different number at each call, from last + 1 on. 0 and UINT_MAX are left out, since they mean "none".
unsigned next_number(std::atomic<unsigned>& last) noexcept {
    for (;;) {
        // relaxed: the numbers only have to differ.
        const unsigned next = last.fetch_add(1, std::memory_order_relaxed) + 1;
        if (next != 0 && next != UINT_MAX)
            return next;
    }
}

}  // namespace

constinit atomic<std::size_t> waiting_qthreads{0};

own_data& try_own() {
    static fiber_local<own_data> of_fibers;
    return *of_fibers;
}
own_data& own() noexcept {
    try {
        return try_own();
    } catch (const std::bad_alloc&) {
        fatal("Qthreads", "there is no memory for the data of a qthread", "give the process more memory");
    }
}

void end_by_exception(std::exception_ptr error) noexcept {
    try {
        std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
        fatal("Qthreads", "there is no memory for a qthread that was started",
              "give the process more memory, start fewer qthreads at once, or set QT_STACK_SIZE to fewer bytes");
    }
}

unsigned next_id() noexcept {
    static constinit std::atomic<unsigned> last{1};  // 1: the main one
    return next_number(last);
}

int result_place::empty() const noexcept {
    if (at == nullptr || (flags & (QTHREAD_SPAWN_RET_SINC | QTHREAD_SPAWN_RET_SINC_VOID)) != 0)
        return QTHREAD_SUCCESS;
    return (flags & QTHREAD_SPAWN_RET_SYNCVAR_T) != 0 ? qthread_syncvar_empty(static_cast<syncvar_t*>(at))
                                                      : qthread_empty(static_cast<aligned_t*>(at));
}

void result_place::give(aligned_t value) const noexcept {
    if (at == nullptr)
        return;
    // The word is empty, so it is in the table, and filling it needs no memory.
    int code = QTHREAD_SUCCESS;
    if ((flags & QTHREAD_SPAWN_RET_SINC_VOID) != 0)
        qt_sinc_submit(static_cast<qt_sinc_t*>(at), nullptr);
    else if ((flags & QTHREAD_SPAWN_RET_SINC) != 0)
        qt_sinc_submit(static_cast<qt_sinc_t*>(at), &value);
    else if ((flags & QTHREAD_SPAWN_RET_SYNCVAR_T) != 0)
        code = qthread_syncvar_writeF_const(static_cast<syncvar_t*>(at), value);
    else
        code = qthread_writeF_const(static_cast<aligned_t*>(at), value);
    TEFF_CHECK(code == QTHREAD_SUCCESS, "Qthreads", "there is no memory for the result of a qthread",
               "give the process more memory");
}

task_team_record::task_team_record(unsigned parent_id, task_team_record* inside,
                                   const result_place& of_founder) noexcept
    : id_([] {
          static constinit std::atomic<unsigned> last{QTHREAD_DEFAULT_TEAM_ID};
          return next_number(last);
      }()),
      parent_id_(parent_id), inside_(inside), of_founder_(of_founder) {
    if (inside != nullptr)
        inside->add();
}

void task_team_record::leave() noexcept {
    // acq_rel: what each member did comes before what follows the result; partners: this addition by the others.
    if (active_.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    if (has_result_)
        of_founder_.give(result_);
    task_team_record* const around = inside_;
    delete this;
    if (around != nullptr)
        around->leave();
}

}  // namespace teff::qthreads
