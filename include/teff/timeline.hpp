// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace: a record of what each thread did when, as a file in the Trace Event format, which `teff trace`, Perfetto
// and chrome://tracing show. It is on while the option `trace` (TEFF_TRACE=FILE.json) names a file.
//
// A thread does one of the following. This is recorded for the whole run:
//   work     it runs tasks: from the first that it finds until it finds no more
//   search   it looks for tasks of other members of its team
//   wait     one of its functions waits for others (a fork, a group, a barrier, the end of a team) and there is nothing
//            that it may run meanwhile; or the thread sleeps in its team until there is work
//   pool     a worker is in no team and looks for one
//   sleep    a worker sleeps, since there is no work for it
// A calling thread is in none of these while it is outside of the library. One whose forks or groups are outside
// execute() counts as working from the first of them until it ends, except while it waits.
//
// Inside of that, slices with names:
//   tasks         each time that a thread takes a task from a queue and runs it: of a group, a fork, dataflow or
//                 OpenMP; or a fiber, from where it is entered to where it is left. What the runtime calls at once, as
//                 plain forks and most tasks of a group while no worker is idle, is a part of the code around it
//   reductions    one slice from the first item of a thread to the last; items have none
//   regions       of OpenMP, and the functions that execute() calls
//   labels        teff/label.hpp
// The name of a task is that of its function, as the symbol table of the program's file has it. There is an instant
// event for each search that has found something, and a counter of the threads that work.
//
// The option `trace_events` bounds the memory of slices, instants and all activities but work: when so many were
// recorded, further ones are dropped, and the file says how many. After that the lines of the threads show only the
// activities, in outline: a thread keeps at most 16384 of these, and if there are more, those shorter than a limit,
// which grows as needed, become parts of the ones before them. With trace_events=0 that is so from the start. The times
// by activity, which the file has for each thread, are exact in any case.
//
// The file is written when the process exits, as a whole: a new file takes the place of what was there, which stays if
// the record cannot be written. docs/options.md says what becomes of links. The first use of the library finds out
// whether the file can be written; one warning tells of a file that cannot. Nothing is written if the process ends
// without exit(), by a crash or by a signal; but see the option `trace_on_interrupt`. The child of a fork() records and
// writes nothing: the file belongs to its parent. If other processes name the same file, it has the whole record of the
// one that writes last.
//
// The file has the JSON object format of trace events: `traceEvents`, with times in microseconds since the start;
// `otherData`: `version`, `program`, `scheduler` and `threads` (by the variables), `events` and `dropped_events`; and
// `teff`: `span_ns`, `threads_left_out` (above 4096 threads) and `threads`, each with `thread` (the tid of its events),
// `order` (callers first, then workers), `name`, the times `work_ns`, `search_ns`, `pool_ns`, `sleep_ns` and `wait_ns`,
// `merged` (short activities, as above) and `merged_below_ns`, `steals_tried` and `steals` (searches that looked, and
// that found something), and `dropped` (events).
//
// Both functions may be called from any thread, and have no effect while the option is off.
#pragma once

namespace teff {

// Forgets all that was recorded, and starts again now.
void restart_timeline() noexcept;
// Writes the file now, and not again at the exit unless restart_timeline() is called later. Recording goes on. Returns
// false if the option is off or the file cannot be written; of the latter a warning tells.
bool write_timeline() noexcept;

}  // namespace teff
