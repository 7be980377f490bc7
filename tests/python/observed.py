# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs of this folder observe of their own process: its libraries, and the work of its threads."""

import faulthandler
import os
import sys
import threading

# The threads of a region. `teff run --threads` says the same.
THREADS = 4

# A process that hangs ends with the stacks of its threads.
faulthandler.dump_traceback_later(240, exit=True)


def check(is_so, text):
    if not is_so:
        sys.exit(f"process {os.getpid()}: {text}")


def libraries(*beginnings):
    """The real paths of the loaded libraries whose names begin so."""
    with open("/proc/self/maps") as maps:
        files = {line.split(None, 5)[5].rstrip("\n") for line in maps if "/" in line}
    return sorted(file for file in files if os.path.basename(file).startswith(beginnings) and ".so" in file)


def runtimes():
    return libraries("libgomp", "libomp.", "libomp-", "libiomp")


def check_runtime():
    """Teff's file is the only OpenMP runtime that is loaded."""
    teff = os.path.realpath(os.environ["EXPECTED_OPENMP_RUNTIME"])
    check(runtimes() == [teff], f"the OpenMP runtimes are {runtimes()} instead of {teff}")


def check_blas():
    """OpenBLAS is loaded once, in the build that uses OpenMP."""
    found = libraries("libopenblas")
    check(len(found) == 1 and "/openblas-openmp/" in found[0], f"OpenBLAS is {found} instead of its build for OpenMP")


def processor_times():
    """The processor time so far of this thread and of all that Python has not started, in nanoseconds."""
    times = {}
    others = {str(thread.native_id) for thread in threading.enumerate() if thread is not threading.current_thread()}
    for thread in os.listdir("/proc/self/task"):
        if thread in others:
            continue
        try:
            with open(f"/proc/self/task/{thread}/schedstat") as file:
                times[thread] = int(file.read().split()[0])
        except OSError:
            pass  # the thread has ended
    return times


class Work:
    """Measures what each thread works inside a `with` statement. The work is shared out statically, so that each thread
    of a region has a part of it, however busy the processors are."""

    def __init__(self, what):
        self.what = what

    def __enter__(self):
        self.before = processor_times()
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            after = processor_times()
            self.times = sorted((after[thread] - self.before.get(thread, 0) for thread in after), reverse=True)

    def check_threads(self, wanted):
        """So many threads have done work worth mentioning, and the others have not."""
        longest = self.times[0]
        worked = sum(time > longest / 20 for time in self.times)
        check(longest > 10_000_000, f"{self.what}: it takes too little time to tell: {self.times} ns")
        check(worked == wanted, f"{self.what}: {worked} threads worked instead of {wanted}: {self.times} ns")
