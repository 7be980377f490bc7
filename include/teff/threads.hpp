// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lightweight threads: fibers, which run on the workers, have stacks of their own, and may wait for each other.
//
//   teff::fiber other([&] { serve(requests); });
//   ...
//   other.join();
//
// A fiber that waits (join, or anything else of these headers) is put aside, and its worker runs other tasks. It goes
// on when what it waits for has happened, perhaps on another worker; so it must not keep addresses of thread-local
// variables across a wait, nor hold a lock of the operating system. Scheduling is cooperative: a fiber runs until it
// waits, yields or ends.
//
// All functions may also be called by threads that are no fibers. The thread that starts a fiber is in a team with the
// options of execute() or of the TEFF_* variables (fork_join.hpp), and its fibers run in this team. While such a thread
// waits, it runs tasks of its team; a thread without a team sleeps. A task of another kind, such as that of a group,
// waits on top of its worker's stack and keeps what lies below from going on. So do a function that a reduction calls,
// and one inside of execute() on a fiber.
//
// execute() returns, and a thread other than the main one exits, when all fibers of its team have ended. A program that
// returns from main() ends without waiting for them.
#pragma once

#include <teff/constructs.hpp>
#include <teff/fiber.hpp>
#include <teff/frontends/threads/channel.hpp>
#include <teff/frontends/threads/fiber_barrier.hpp>
#include <teff/frontends/threads/fiber_condition_variable.hpp>
#include <teff/frontends/threads/fiber_counts.hpp>
#include <teff/frontends/threads/fiber_local.hpp>
#include <teff/frontends/threads/fiber_mutex.hpp>
#include <teff/frontends/threads/full_empty_word.hpp>
#include <teff/frontends/threads/sync_var.hpp>
#include <teff/options.hpp>
#include <teff/with_stack.hpp>
