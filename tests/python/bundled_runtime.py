# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scikit-learn as PyPI has it brings a copy of libgomp under a name of its own, which is loaded. Its regions run on
Teff all the same: they follow Teff's number of threads, and not that of the copy."""

import ctypes
import os

import numpy
from sklearn.ensemble import HistGradientBoostingRegressor

from observed import THREADS, Work, check, runtimes

points = numpy.random.default_rng(3).normal(size=(40_000, 20))


def check_work(threads):
    with Work("HistGradientBoostingRegressor") as work:
        HistGradientBoostingRegressor(max_iter=30, random_state=0).fit(points, points[:, 0] * points[:, 1])
    work.check_threads(threads)


def main():
    check_work(THREADS)
    teff = os.path.realpath(os.environ["EXPECTED_OPENMP_RUNTIME"])
    others = [file for file in runtimes() if file != teff]
    check(teff in runtimes(), f"Teff is not loaded: {runtimes()}")
    check(len(others) == 1 and "/scikit_learn.libs/" in others[0], f"the copy of libgomp is not loaded: {others}")

    ctypes.CDLL(others[0]).omp_set_num_threads(1)
    check_work(THREADS)
    ctypes.CDLL(teff).omp_set_num_threads(2)
    check_work(2)
    print("as expected")


if __name__ == "__main__":
    main()
