// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helper threads: they run the tasks of `target nowait` beside the teams (LLVM's "hidden helper threads"), so that the
// program goes on meanwhile even if its team has one thread, and a task that waits for a device keeps no thread of the
// team. A helper runs its task as an initial region, with a place and a thread number of its own, and no thread of any
// team waits inside it.
//
//   thread of the team    makes the task with an event (tasks/completion_event.hpp), and submits it like every other
//                         task; when its dependences are met, give_to_helper()
//   helper                runs the function, waits for the tasks that it has made, fulfils the event
//   thread of the team    ends the task: its dependences, its family and its memory belong to the team
//
// Helpers are started when they are needed: a task that finds no idle one starts a further one, up to the number in
// process_icvs. They live as long as the process. exit() outside of all regions first waits for their tasks, as the end
// of the initial task does.
//
// The team's threads run such a task themselves if a task reduction around it needs their copies, if it was made inside
// the task of a helper, if thousands of tasks wait for helpers, if the system refuses to start a thread, or if a tool
// observes the program.
//
// Any thread may call any function.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff::openmp {

// Whether the next task of `target nowait` is to be made for a helper.
inline bool has_helpers() noexcept { return !events::are_reported && process().helpers != 0; }

// Called for a task with an event, instead of calling its function. A helper will call self.call() again, with the flag
// is_on_helper, and fulfil the event. False: the caller runs the task.
bool give_to_helper(deferred_task& self) noexcept;

}  // namespace teff::openmp
