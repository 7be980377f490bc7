// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for the flush and error directives (OpenMP 5.1, sections 2.19.8 and 2.5.4). The error directive's line
// has the words of LLVM's runtime, since scripts look for them.
#include <teff/frontends/openmp/core/environment/warning.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <teff/base/atomic.hpp>

#include <cstdlib>
#include <unistd.h>

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

void __kmpc_flush(ident*) {
    // seq_cst: a flush without a list orders all accesses of the thread before it and all after it, and all such
    // flushes have one order.
    teff::atomic_thread_fence(std::memory_order_seq_cst);
}

void __kmpc_error(ident* where, int severity, const char* message) {
    const bool is_fatal = severity == 2;
    char storage[1024];
    teff::bounded_text line(storage);
    line.add(is_fatal ? "OMP: Error #282: " : "OMP: Warning #283: ");
    add_source_place(line, where == nullptr ? nullptr : where->source);
    line.add(is_fatal ? ": Encountered user-directed error: " : ": Encountered user-directed warning: ")
        .add(message == nullptr ? "no message" : message)
        .add(".\n");
    // A line that cannot be written is lost.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.view().data(), line.view().size());
    if (is_fatal)
        std::exit(1);
}
}
