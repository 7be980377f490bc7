// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A record of the task graph of a program that uses dataflow (dataflow.hpp): what each task accessed, which tasks it
// depends on, when and where it ran; the work, the span, and which tasks are on the critical path. It is on while the
// option `dataflow_graph` (TEFF_DATAFLOW_GRAPH=FILE) names a file. FILE.json is for `teff graph FILE.json`, which draws
// it, and for programs; FILE.dot is for Graphviz. docs/dataflow.md says what they contain.
//
// The first 100,000 tasks are recorded, or fewer if these have more than a million accesses; the file says how many
// were left out. With one access each, 90,000 tasks took 36 MiB at most, while the file was written. Spawning costs a
// few hundred nanoseconds more. The times of tasks are without that.
//
// The file is written when the process exits, as a whole: a new file takes the place of what was there, which stays if
// the record cannot be written. docs/options.md says what becomes of links. The first spawn finds out whether the file
// can be written; one warning tells of a file that cannot. Nothing is written if the process ends without exit(), or by
// the child of a fork(), which records nothing: the file belongs to its parent. If other processes name the same file,
// it has the whole record of the one that writes last.
//
// All functions may be called from any thread, and have no effect while the option is off.
#pragma once

namespace teff {

// Called in the function of a task: gives the function a name in the record. Without one it has the name that the
// compiler gives it. Give all tasks of a function the same name: pictures colour tasks by it.
void name_task(const char* name) noexcept;

// Forgets all that was recorded, and starts again now: for example where the part of a program begins that is to be
// seen. Tasks that were spawned before are not in the record any more; what they still spawn is left out, too.
void restart_dataflow_graph() noexcept;
// Writes the file now, and not again at the exit unless restart_dataflow_graph() is called later. Recording goes on.
// Returns false if the option is off or the file cannot be written; of the latter a warning tells.
bool write_dataflow_graph() noexcept;

}  // namespace teff
