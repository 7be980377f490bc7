// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same as fiber_stack.hpp, with a few free stacks for each thread in front, so that most fibers get and give back a
// stack without a mutex. A thread gives its stacks back when it exits. Both functions act on the calling thread. A
// stack need not be given back by the thread that took it.
#pragma once

#include <teff/fiber/fiber_stack.hpp>

namespace teff {

fiber_stack take_spare_stack(std::size_t size) noexcept;
void give_back_spare_stack(const fiber_stack& ended) noexcept;

}  // namespace teff
