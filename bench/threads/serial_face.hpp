// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The face without threads (threads.hpp): a function is called where it would be started.
#pragma once

#include <bench/harness/serial.hpp>
#include <bench/threads/threads.hpp>

namespace bench::threads {

struct serial_face : serial_forks {
    template <class F> static void run(const parameters&, const F& f) { f(); }
    template <class... F> static void all(const F&... f) { (f(), ...); }
};

}  // namespace bench::threads
