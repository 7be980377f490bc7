// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of Qthreads, QT_NAME or QTHREAD_NAME, and their meaning for a team of Teff (docs/qthreads.md has the
// table). If both names are set, the one with QT_ counts. The variables are read when the first function of the
// interface needs a team, and again at the first initialisation after qthread_finalize(). qthread_init(n) precedes
// them, and they precede the TEFF_* variables.
//
// A value that cannot be used is ignored, with one message that names the variable, the value and the remedy. Unknown
// names are ignored without a message, since the toolkit Qt has the prefix QT_, too. A program that runs with more
// rights than its user reads none of the variables.
#pragma once

#include <teff/team/team_options.hpp>

namespace teff::qthreads {

struct settings {
    team_options how;
    unsigned local_size = 8;         // bytes that qthread_get_tasklocal() gives at least
    unsigned io_workers = 10;        // threads that serve the calls of qt_syscalls.h, at most
    unsigned io_timeout_us = 1'000;  // after which such a thread ends without work
    unsigned says = 0;               // what is printed at the start: 0 nothing, 1 the numbers, 2 the variables as well

    bool operator==(const settings&) const = default;
};

// shepherds: from the program; 0: it does not say. Prints each variable that is set if QT_INFO asks for that. Throws
// std::invalid_argument if the TEFF_* options do not fit together, and std::bad_alloc. QT_AFFINITY takes effect for
// workers that are started afterwards.
settings read_settings(unsigned shepherds);

// The settings of the present initialisation. If there is none, reads them now, with this number of shepherds. Throws
// what read_settings() throws. The reference is valid until the process ends.
const settings& current_settings(unsigned shepherds = 0);
// The next call of current_settings() reads them anew.
void forget_settings() noexcept;

}  // namespace teff::qthreads
