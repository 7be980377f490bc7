// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A record of what each thread did when, as a file that chrome://tracing, Perfetto and `teff bench --timeline` show
// (the plots of X-OpenMP, Figs. 3 and 14). It is on while the option `timeline` (TEFF_TIMELINE=FILE) names a file.
//
// Recorded are stretches of time, not tasks, which may be too many and too short:
//   work     the thread runs tasks: from the first that it finds until it finds no more
//   search   it looks for tasks of other members of its team
//   pool     a worker is in no team and looks for one
//   sleep    it sleeps until it is woken
// A calling thread is in no stretch while it is outside of the library. One whose forks or groups are outside execute()
// counts as working from the first of them until it ends, except while it waits.
//
// A thread keeps at most 16384 stretches (256 KiB). If there are more, those shorter than a limit become part of the
// one before them, and the limit grows as needed. The file says how many, and the limit. The times by kind, which it
// has for each thread, stay exact.
//
// The file is emptied at the first use of the library and written when the process exits. It is not written if the
// process ends without exit(), or by the child of a fork(), which records nothing: the file belongs to its parent. If
// other processes name the same file, it has the whole record of the one that writes last. One warning tells of a file
// that cannot be written.
//
// The file has the JSON object format of trace events: `traceEvents`, with times in microseconds since the start, and
// `teff`: `span_ns`, `threads_left_out` (above 4096 threads) and `threads`, each with `thread` (the tid of its events),
// `order` (callers first, then workers), `name`, the times `work_ns`, `search_ns`, `pool_ns` and `sleep_ns`, `merged`
// (short stretches, as above) and `merged_below_ns`.
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
