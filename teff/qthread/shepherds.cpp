// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' shepherds and workers: those of the team (frontends/threads/binding.hpp), with a flag for each shepherd
// that is disabled. See qthread.h.
//
// A disabled shepherd gets no more tasks: functions that start a task there take the next enabled shepherd, and tasks
// that could run anywhere are dealt to the enabled shepherds in turn. Its workers still run unbound tasks that were
// started before, since the team does not read the flags.
#include <teff/qthread/own_data.hpp>

#include <teff/team/task_team.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace {

using namespace teff::qthreads;

// relaxed, here and below: the flags are hints for tasks that are started later; they publish nothing.
constinit std::array<std::atomic<bool>, 4096> disabled{};
constinit std::atomic<unsigned> disabled_count{0};
constinit std::atomic<unsigned> dealt{0};

bool is_shepherd(qthread_shepherd_id_t number) noexcept { return number < qthread_num_shepherds(); }
bool is_disabled(qthread_shepherd_id_t number) noexcept {
    return number < disabled.size() && disabled[number].load(std::memory_order_relaxed);
}

qthread_worker_id_t worker_here(qthread_shepherd_id_t* shepherd) noexcept {
    const teff::task_member* const member = member_here();
    if (shepherd != nullptr)
        *shepherd = qthread_shep();
    return member != nullptr ? static_cast<qthread_worker_id_t>(member->slot()) : NO_WORKER;
}

// The numbers from `from` + 1 on, and then from 0 on to `from` - 1. The caller never frees them.
const qthread_shepherd_id_t* others_than(qthread_shepherd_id_t from, qthread_shepherd_id_t count) {
    static std::mutex guard;
    // All shepherds of a team with so many of them, twice. Lives as long as the process.
    static auto& rounds = *new std::map<qthread_shepherd_id_t, std::vector<qthread_shepherd_id_t>>;
    const std::lock_guard locked(guard);
    std::vector<qthread_shepherd_id_t>& round = rounds[count];
    for (std::size_t i = round.size(); i < std::size_t{2} * count; ++i)
        round.push_back(static_cast<qthread_shepherd_id_t>(i % count));
    return round.data() + from + 1;
}

}  // namespace

namespace teff::qthreads {

qthread_shepherd_id_t usable_shepherd(qthread_shepherd_id_t wanted) {
    if (wanted == NO_SHEPHERD && disabled_count.load(std::memory_order_relaxed) == 0)
        return NO_SHEPHERD;
    const unsigned count = qthread_num_shepherds();
    const unsigned first = wanted != NO_SHEPHERD ? wanted : dealt.fetch_add(1, std::memory_order_relaxed);
    for (unsigned i = 0; i < count; ++i) {
        const auto number = static_cast<qthread_shepherd_id_t>((first + i) % count);
        if (!is_disabled(number))
            return number;
    }
    return 0;  // shepherd 0 is never disabled
}

void enable_all_shepherds() noexcept {
    for (std::atomic<bool>& each : disabled)
        each.store(false, std::memory_order_relaxed);
    disabled_count.store(0, std::memory_order_relaxed);
}

std::size_t enabled_shepherds() noexcept {
    return qthread_num_shepherds() - disabled_count.load(std::memory_order_relaxed);
}

}  // namespace teff::qthreads

extern "C" {

qthread_shepherd_id_t qthread_shep(void) {
    return own().is_blocking ? NO_SHEPHERD : static_cast<qthread_shepherd_id_t>(teff::this_fiber::shepherd());
}
qthread_worker_id_t qthread_worker(qthread_shepherd_id_t* shepherd) { return worker_here(shepherd); }
qthread_worker_id_t qthread_worker_unique(qthread_shepherd_id_t* shepherd) { return worker_here(shepherd); }
qthread_worker_id_t qthread_worker_local(qthread_shepherd_id_t* shepherd) { return worker_here(shepherd); }
qthread_shepherd_id_t qthread_num_shepherds(void) {
    unsigned count = 1;
    return code_of([&] {
               ensure_team();
               count = teff::shepherd_count();
           }) == QTHREAD_SUCCESS
               ? static_cast<qthread_shepherd_id_t>(count)
               : qthread_shepherd_id_t{1};
}
qthread_worker_id_t qthread_num_workers(void) {
    if (code_of(ensure_team) != QTHREAD_SUCCESS)
        return 1;
    const teff::task_member* const member = member_here();
    return member != nullptr ? static_cast<qthread_worker_id_t>(member->team().how().settings.slots) : 1;
}
qthread_worker_id_t qthread_num_workers_local(qthread_shepherd_id_t shepherd) {
    unsigned count = 0;
    return code_of([&] {
               ensure_team();
               count = teff::workers_of_shepherd(shepherd);
           }) == QTHREAD_SUCCESS
               ? static_cast<qthread_worker_id_t>(count)
               : qthread_worker_id_t{0};
}
int qthread_migrate_to(qthread_shepherd_id_t shepherd) {
    if (shepherd == NO_SHEPHERD)
        teff::this_fiber::unbind();
    else if (!is_shepherd(shepherd))
        return QTHREAD_BADARGS;
    else if (is_disabled(shepherd))
        return QTHREAD_NOT_ALLOWED;
    else if (is_on_fiber())
        return code_of([&] { teff::this_fiber::migrate_to(shepherd); });
    else if (shepherd != qthread_shep())
        return QTHREAD_NOT_ALLOWED;
    return QTHREAD_SUCCESS;
}
void qthread_reset_target_shep(void) { teff::this_fiber::unbind(); }
int qthread_shep_ok(void) { return qthread_shep() != NO_SHEPHERD ? 1 : 0; }
void qthread_shep_next(qthread_shepherd_id_t* shepherd) {
    const qthread_shepherd_id_t count = qthread_num_shepherds();
    *shepherd = static_cast<qthread_shepherd_id_t>(*shepherd + 1 < count ? *shepherd + 1 : 0);
}
void qthread_shep_prev(qthread_shepherd_id_t* shepherd) {
    const qthread_shepherd_id_t count = qthread_num_shepherds();
    *shepherd = static_cast<qthread_shepherd_id_t>((*shepherd != 0 && *shepherd <= count ? *shepherd : count) - 1);
}
void qthread_shep_next_local(qthread_shepherd_id_t* shepherd) { qthread_shep_next(shepherd); }
void qthread_shep_prev_local(qthread_shepherd_id_t* shepherd) { qthread_shep_prev(shepherd); }
int qthread_distance(qthread_shepherd_id_t from, qthread_shepherd_id_t to) {
    if (!is_shepherd(from) || !is_shepherd(to))
        return QTHREAD_BADARGS;
    return from == to ? 0 : 1;
}
const qthread_shepherd_id_t* qthread_sorted_sheps(void) { return qthread_sorted_sheps_remote(qthread_shep()); }
const qthread_shepherd_id_t* qthread_sorted_sheps_remote(qthread_shepherd_id_t from) {
    const qthread_shepherd_id_t count = qthread_num_shepherds();
    if (from >= count || count == 1)
        return nullptr;
    const qthread_shepherd_id_t* others = nullptr;
    return code_of([&] { others = others_than(from, count); }) == QTHREAD_SUCCESS ? others : nullptr;
}
int qthread_disable_shepherd(qthread_shepherd_id_t shepherd) {
    if (!is_shepherd(shepherd))
        return QTHREAD_BADARGS;
    if (shepherd == 0)
        return QTHREAD_NOT_ALLOWED;
    if (!disabled[shepherd].exchange(true, std::memory_order_relaxed))
        disabled_count.fetch_add(1, std::memory_order_relaxed);
    return QTHREAD_SUCCESS;
}
void qthread_enable_shepherd(qthread_shepherd_id_t shepherd) {
    if (is_shepherd(shepherd) && disabled[shepherd].exchange(false, std::memory_order_relaxed))
        disabled_count.fetch_sub(1, std::memory_order_relaxed);
}
int qthread_disable_worker(qthread_worker_id_t) { return QTHREAD_NOT_ALLOWED; }
void qthread_enable_worker(qthread_worker_id_t) {}

}  // extern "C"
