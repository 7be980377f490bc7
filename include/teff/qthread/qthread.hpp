// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' interface for programs in C++: that of C, and the class syncvar.
#pragma once

#include "qthread.h"
#include "syncvar.hpp"
