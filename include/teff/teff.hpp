// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All of Teff for C++ by one include: every public header, teff/*.hpp, but mpi.hpp, which needs MPI.
//
// It is meant for first programs, examples and experiments. A program that includes only the headers that it uses
// compiles faster. Programs in C include teff/c/threads.h instead, those of Qthreads teff/qthread/qthread.h.
#pragma once

#include <teff/algorithms.hpp>
#include <teff/arena.hpp>
#include <teff/blocked_range.hpp>
#include <teff/constructs.hpp>
#include <teff/coroutine.hpp>
#include <teff/counters.hpp>
#include <teff/dataflow.hpp>
#include <teff/dataflow_graph.hpp>
#include <teff/fiber.hpp>
#include <teff/fork_join.hpp>
#include <teff/label.hpp>
#include <teff/machine.hpp>
#include <teff/options.hpp>
#include <teff/parallel_for.hpp>
#include <teff/parallel_for_each.hpp>
#include <teff/parallel_invoke.hpp>
#include <teff/parallel_pipeline.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/parallel_scan.hpp>
#include <teff/parallel_sort.hpp>
#include <teff/parallel_transform.hpp>
#include <teff/partitioner.hpp>
#include <teff/reduce.hpp>
#include <teff/reducer.hpp>
#include <teff/schedulers.hpp>
#include <teff/spawn.hpp>
#include <teff/suspend.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>
#include <teff/timeline.hpp>
#include <teff/version.hpp>
#include <teff/with_stack.hpp>
