#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_reference.sh DOXYGEN PYTHON SCRATCH_FOLDER
# Makes the pages of the site, and checks that every public name has a text, and that the texts arrive in the pages.
set -euo pipefail
doxygen=$1 python=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
{ cat docs/site/Doxyfile; echo "OUTPUT_DIRECTORY = $scratch"; } | "$doxygen" -
"$python" docs/site/pages.py . "$scratch/xml" "$scratch"

# has PAGE TEXT
has() {
    grep -qF -- "$2" "$scratch/pages/$1" || { echo "$1 lacks: $2"; exit 1; }
}
has include/teff/task_group.hpp.md 'void run(F&& f)'
has include/teff/task_group.hpp.md 'An exception that no wait() has rethrown is lost.'
has include/teff/counters.hpp.md 'times that the worker went to sleep'
has include/teff/c/threads.h.md 'teff_status teff_fiber_join(teff_fiber *fiber)'
has include/teff/qthread/qthread.h.md 'int qthread_readFE(aligned_t *to, const aligned_t *word)'
has include/teff/qthread/qthread.h.md '#define SYNCVAR_STATIC_INITIALIZE_TO(value) {{(uint64_t)(value) << 4}}'
has include/teff/qthread/qthread.h.md 'union { ... } u'
has include/teff/qthread/qloop.h.md 'product of the elements; 1 if none'
has include/teff/qthread/sinc.h.md 'Counts one submission'
has include/teff/qthread/qtimer.h.md 'double qtimer_secs(qtimer_t timer)'
has include/teff/qthread/qarray.h.md 'which are 0 at first'
has include/teff/qthread/syncvar.hpp.md 'std::uint64_t readFE()'
has include/teff/index.md '[`<teff/parallel_for.hpp>`](parallel_for.hpp.md)'
has docs/tutorial.md '[The examples](../examples/README.md)'
has docs/which_front_end.md '(../include/teff/coroutine.hpp.md)'
