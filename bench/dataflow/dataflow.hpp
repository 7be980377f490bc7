// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of kind dataflow: programs whose tasks declare what they read and write.
//
// A program is written once, as a template over a runtime's face, so that every runtime gets the same tasks in the same
// order. The faces are <family>.cpp in this folder, which also instantiate every program. A face has:
//   data<T>                  a value that tasks access. value(): by the thread that spawns, when no task uses it
//   run(p, f)                calls f where tasks may be spawned, on p.threads threads; returns when all have ended
//   spawn(f, accesses...)    a task: calls f(values...) once the tasks before it allow that. Any number of accesses,
//                            also none; f is copied
//   in(d), out(d), inout(d), commutative(d), reduction(d)
//                            accesses to data; f gets a T&, or for `in` a const T&
//   sync()                   returns when all tasks that the caller has spawned in this run have ended
//   nested(f)                inside of a task: calls f, which may spawn tasks of its own; returns when those have ended
//   has_reductions, has_nested_tasks
//                            whether it has reduction(), nested()
//
//   serial     calls every task at once
//   teff       objects; `out` renames
//   openmp     the clause `depend` on the value's address; commutative is mutexinoutset
//   tbb        a flow graph, made in front and then started. It has nodes and edges and no data, so the face keeps, as
//              a program would, the last node that wrote each value and its readers; commutative is inout
//   starpu     implicit dependences of data handles, in sequential consistency; commutative is STARPU_COMMUTE
#pragma once

#include <bench/harness/kernel.hpp>

#include <vector>

namespace bench::dataflow {

// The abilities that a program needs from a runtime.
struct needs {
    bool reductions = false;
    bool nested_tasks = false;
};
// For `prepare` of a kernel whose first task is held until all are spawned: this library would make their creator wait
// once there are as many as its option dataflow_tasks allows. Other runtimes ignore the variable.
void allow_any_number_of_tasks(const parameters&);

// Its only variant; none if the family cannot run the program.
std::vector<variant_description> variants(runtime_family family, const needs& program = {});
inline std::vector<variant_description> usual_variants(runtime_family family) { return variants(family); }

// An upper estimate of the memory that a runtime needs for itself and for its tasks if none of so many has ended.
std::uint64_t memory_bytes(const parameters& p, runtime_family family, std::uint64_t tasks);

}  // namespace bench::dataflow
