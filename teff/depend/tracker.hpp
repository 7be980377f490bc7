// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The concept of a dependence tracker: when does a task with declared accesses become ready (Vandierendonck et al.,
// section 3.1)? Each tracker is a class with the functions below and four types:
//
//   object_state, access_state, task_state    its state in an object, an access, a task (tracked.hpp)
//   the class itself                          its state for a whole graph
//
// A tracker serves one graph: the tasks that one procedure instance spawns. One thread issues them, in program order.
//
//                      open, close   can_start, is_idle   issue   release, search    safe together?
//   open, close             -                -              -            -           the issuer; the object is idle
//   can_start, is_idle                       -              -           yes          the issuer
//   issue                                                   -           yes          the issuer
//   release, search                                                     yes          any threads
// Objects and tasks must not be destroyed while they are issued and not released. A released task is not touched by the
// tracker any more, nor are its accesses.
//
// The order of accesses to one object is the program order of the tasks' issue(), generation by generation
// (tracked.hpp). Mutual exclusion of commutative tasks, private copies of reductions, and renaming are left to the
// front end.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/depend/names.hpp>
#include <teff/depend/tracked.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>

namespace teff::depend {

// ready: nothing has to be waited for. waits: a release() or search() will return the task. no_memory: the task is
// registered for its first `issued` accesses only. Then the caller waits until all earlier tasks of the graph have been
// released, runs the task and releases it like any other. Only then may it issue another task, or ask whether an object
// is idle.
enum class issue_result { ready, waits, no_memory };

template <class T>
concept tracker_class = requires(T tracker, const T constant, tracked_object& object, const tracked_object& seen,
                                 tracked_task& task, ready_list& ready, access_kind kind) {
    // The name of its row in tracker_names (names.hpp).
    { T::name } -> std::convertible_to<std::string_view>;
    typename T::object_state;
    typename T::access_state;
    typename T::task_state;
    // open: begins to track the object, which has no tasks yet. close: ends that.
    { T::open(object) } noexcept;
    { T::close(object) } noexcept;
    // Whether a task with this access, if it were issued now, would not wait for this object.
    { T::can_start(object, kind) } noexcept -> std::same_as<bool>;
    // Whether all tasks that access the object have been released. If so, the issuer sees their effects.
    { T::is_idle(object) } noexcept -> std::same_as<bool>;
    // Registers the task's accesses, and makes the states of the task and its accesses. `out` requires an idle object
    // (renamed, if need be); for any other object the caller passes `inout`.
    { tracker.issue(task) } noexcept -> std::same_as<issue_result>;
    // Called after the task has ended. Adds to `ready` the tasks that it has made ready.
    { tracker.release(task, ready) } noexcept;
    // Whether tasks may be ready that no release has found; then a thread without other work should call search(). If
    // release() adds no task and this is true, search() must be called.
    { constant.may_have_missed() } noexcept -> std::same_as<bool>;
    // Looks for such tasks; checks a bounded number of tasks per call.
    { tracker.search(ready) } noexcept;
};

// A tracker that is chosen at run time.
class tracker : public deleted_through_base {
public:
    virtual ~tracker() = default;
    tracker(const tracker&) = delete;
    tracker& operator=(const tracker&) = delete;

    virtual void open(tracked_object& object) noexcept = 0;
    virtual void close(tracked_object& object) noexcept = 0;
    virtual bool can_start(tracked_object& object, access_kind kind) noexcept = 0;
    virtual bool is_idle(tracked_object& object) noexcept = 0;
    virtual issue_result issue(tracked_task& task) noexcept = 0;
    virtual void release(tracked_task& task, ready_list& ready) noexcept = 0;
    virtual bool may_have_missed() const noexcept = 0;
    virtual void search(ready_list& ready) noexcept = 0;

protected:
    tracker() noexcept = default;
};

template <tracker_class T>
class tracker_of final : public tracker {
public:
    void open(tracked_object& object) noexcept override { T::open(object); }
    void close(tracked_object& object) noexcept override { T::close(object); }
    bool can_start(tracked_object& object, access_kind kind) noexcept override { return T::can_start(object, kind); }
    bool is_idle(tracked_object& object) noexcept override { return T::is_idle(object); }
    issue_result issue(tracked_task& task) noexcept override { return tracker_.issue(task); }
    void release(tracked_task& task, ready_list& ready) noexcept override { tracker_.release(task, ready); }
    bool may_have_missed() const noexcept override { return tracker_.may_have_missed(); }
    void search(ready_list& ready) noexcept override { tracker_.search(ready); }

private:
    T tracker_;
};

// A request to call a tracker's search(): release() may leave ready tasks unfound. The front end has one task that
// calls search(). It queues this task on a request, and queues it again only after the task has begun.
//
//   a thread that has released a task:   may_have_missed(), make(): if true, queues the search task
//   the search task:                     begin(), search(), then as after a release
//
//           make   begin      safe together?
//   make    yes     yes       any threads
//   begin            -        the search task, once each time that it was queued
class search_request {
public:
    // True: the caller must queue the search task. False: the search task is queued already, and its search() will find
    // the tasks that the caller's releases made ready.
    bool make() noexcept {
        // acquire: the queue's last use of the search task happens before the caller queues it again. release: the
        // search sees what the caller has released. Partner of both: the operation in begin().
        return !is_made_.exchange(true, std::memory_order_acq_rel);
    }
    void begin() noexcept {
        // acquire, release: see make().
        is_made_.exchange(false, std::memory_order_acq_rel);
    }

private:
    atomic<bool> is_made_{false};
};

// The functions of a tracker for a single object.
struct object_functions {
    void (*open)(tracked_object& object) noexcept;
    void (*close)(tracked_object& object) noexcept;
    bool (*can_start)(tracked_object& object, access_kind kind) noexcept;
    bool (*is_idle)(tracked_object& object) noexcept;
};
// By the index of the tracker's row in tracker_names.
const object_functions& functions_for_objects(std::size_t row) noexcept;

// A tracker for one graph, by the index of its row in tracker_names. The caller frees it with `delete`. nullptr: there
// is no memory. Any thread.
tracker* make_tracker(std::size_t row) noexcept;

}  // namespace teff::depend
