// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See own_data.hpp.
#include <teff/qthread/own_data.hpp>

#include <teff/qthread/sinc.h>

namespace teff::qthreads {
namespace {

// A different number at each call, from the one after `last` on, without the two that stand for none.
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

own_data& own() {
    static fiber_local<own_data> of_fibers;
    return *of_fibers;
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
    if ((flags & QTHREAD_SPAWN_RET_SINC_VOID) != 0)
        qt_sinc_submit(static_cast<qt_sinc_t*>(at), nullptr);
    else if ((flags & QTHREAD_SPAWN_RET_SINC) != 0)
        qt_sinc_submit(static_cast<qt_sinc_t*>(at), &value);
    else if ((flags & QTHREAD_SPAWN_RET_SYNCVAR_T) != 0)
        qthread_syncvar_writeF_const(static_cast<syncvar_t*>(at), value);
    else
        qthread_writeF_const(static_cast<aligned_t*>(at), value);
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
