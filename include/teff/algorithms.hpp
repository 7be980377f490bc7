// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Includes all parallel algorithms: loops, reductions, scans, sorts, transforms, invoke, and pipelines. The guide is
// docs/algorithms.md; for pipelines it is docs/task_groups.md.
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/parallel_for.hpp>
#include <teff/parallel_for_each.hpp>
#include <teff/parallel_invoke.hpp>
#include <teff/parallel_pipeline.hpp>
#include <teff/parallel_reduce.hpp>
#include <teff/parallel_scan.hpp>
#include <teff/parallel_sort.hpp>
#include <teff/parallel_transform.hpp>
#include <teff/partitioner.hpp>
