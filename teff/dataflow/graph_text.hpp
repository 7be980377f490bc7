// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record of a task graph as text: JSON, and the language of Graphviz.
//
// The JSON is one object. Times are in nanoseconds since the recording began.
//   teff_dataflow_graph  1, the version of this format
//   work_ns, span_ns, parallelism, elapsed_ns
//   tasks_left_out       how many tasks were not recorded
//   threads, functions   names; the tasks refer to them by index
//   addresses            for each object its address, or null for a teff::object
//   tasks                in program order, numbered from 1; see below
//   dependences          each task of `to` depends on each of `from`, by its access to `object`
//   critical_path        the tasks on it, in order
// A task has these members:
//   task, parent         numbers; 0: an outermost function
//   outermost            the number of the outermost function that it belongs to, from 1
//   function, thread     indices; thread -1: none
//   outcome              ended, failed or not_called; running or waiting, if the file was written before its end
//   begin_ns, end_ns, own_ns
//   depth                greater than the depth of every predecessor
//   syncs_before         how often its parent had waited for its tasks
//   critical_ns          its part of the span
//   accesses             `object` (a number from 0), `kind`, `version`, `generation`
//
// In Graphviz, tasks are drawn inside the box of their spawner, and a node `sync` is between the tasks before and after
// a sync. Dependences that the sync implies are left out. A point replaces the edges from each task of a generation to
// each task of the next one.
#pragma once

#include <teff/dataflow/recorded_graph.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace teff::dataflow {

struct graph_text_input {
    const recorded_graph& graph;
    const graph_facts& facts;
    const std::vector<std::string>& names;  // of functions
    const std::vector<unsigned>& workers;  // by number of the thread; 0: a calling thread
    unsigned long left_out = 0;
};

void write_json(std::FILE* to, const graph_text_input& input);
// Throws std::bad_alloc.
void write_dot(std::FILE* to, const graph_text_input& input);

}  // namespace teff::dataflow
