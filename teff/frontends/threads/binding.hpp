// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers that run on one shepherd only: Qthreads' binding and migration (Evans and others, ROSS 2017, section 2.3).
//
// The workers of a team are grouped into shepherds, as the option `shepherds` says. A bound fiber runs only on workers
// of its shepherd: at its start, and after each wait. The number of bound fibers that run at the same time is at most
// the number of the shepherd's workers. Workers join and leave; while one is absent, a worker of another shepherd, or
// the thread that made the team, may take its place. team/bound_tasks.hpp has the mechanism.
//
// Any thread may call any function. Numbers are those of the calling thread's team, which it gets if it is in none;
// then functions that are not noexcept may throw what starting a fiber throws.
#pragma once

#include <stdexcept>

namespace teff {

// A number that no shepherd has.
inline constexpr unsigned no_shepherd = ~0U;

// Where a fiber is started: teff::fiber(teff::on_shepherd{2}, f).
struct on_shepherd {
    unsigned number;
};

// Thrown if the calling code cannot continue on another worker: it runs on no fiber, or on a fiber on top of a task or
// of another team.
class not_on_fiber : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

// The number of shepherds of the team. They are numbered from 0.
unsigned shepherd_count();
// How many workers a shepherd has when all are there: at least 1. Throws std::out_of_range.
unsigned workers_of_shepherd(unsigned shepherd);

namespace this_fiber {

// The shepherd for which the calling code's worker works now; no_shepherd on a thread that is in no team.
unsigned shepherd() noexcept;
// The shepherd that the calling fiber is bound to. no_shepherd if it is not bound, and outside of fibers, in another
// team that was entered on the fiber, and in a reduction. A fiber that a bound fiber joins may run as a part of the
// joiner, and is then bound like it.
unsigned bound_to() noexcept;
// Binds the fiber to a shepherd, and returns when it runs there. Throws std::out_of_range, not_on_fiber, or
// std::bad_alloc; then the fiber stays as it is.
void migrate_to(unsigned shepherd);
// From here on the fiber may continue on any worker. Has no effect if bound_to() is no_shepherd.
void unbind() noexcept;

}  // namespace this_fiber

}  // namespace teff
