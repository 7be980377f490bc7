// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All programs of kernels.inc. The faces include it.
#pragma once

#include <bench/arguments/arguments.hpp>
#include <bench/block_product/block_product.hpp>
#include <bench/cholesky/cholesky.hpp>
#include <bench/cholesky_graph/cholesky_graph.hpp>
#include <bench/compression/compression.hpp>
#include <bench/generations/generations.hpp>
#include <bench/growth/growth.hpp>
#include <bench/similarity/similarity.hpp>
#include <bench/spawn_delay/spawn_delay.hpp>
#include <bench/syrk/syrk.hpp>
#include <bench/task_length/task_length.hpp>
#include <bench/wavefront/wavefront.hpp>
