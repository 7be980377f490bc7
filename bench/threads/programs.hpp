// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All programs of kernels.inc. The faces include it.
#pragma once

#include <bench/threads/graph500.hpp>
#include <bench/threads/micro.hpp>
#include <bench/threads/quicksort.hpp>
#include <bench/threads/ssca2.hpp>
#include <bench/threads/stream.hpp>
#include <bench/threads/tree.hpp>
