# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""threadpoolctl finds Teff, and its limits hold for the regions that follow, in scikit-learn and in OpenBLAS.

OpenBLAS sets the number of threads of OpenMP together with its own. So a limit for BLAS alone is one for OpenMP, too,
and scikit-learn's estimators that set it, as KMeans does, are not used here. Before its first call OpenBLAS gives the
number of processors as its own, and threadpoolctl restores that."""

import os

import numpy
import threadpoolctl
from sklearn.ensemble import HistGradientBoostingRegressor

from observed import THREADS, Work, check, check_blas, check_runtime

points = numpy.random.default_rng(3).normal(size=(40_000, 20))
matrix = numpy.random.default_rng(0).normal(size=(1200, 1200))


def check_info(threads):
    found = [each for each in threadpoolctl.threadpool_info() if each["user_api"] == "openmp"]
    files = [os.path.realpath(each["filepath"]) for each in found]
    check(files == [os.path.realpath(os.environ["EXPECTED_OPENMP_RUNTIME"])], f"threadpoolctl sees {found}")
    check(found[0]["num_threads"] == threads, f"threadpoolctl sees {found} instead of {threads} threads")


def check_work(threads):
    check_info(threads)
    with Work("HistGradientBoostingRegressor") as work:
        HistGradientBoostingRegressor(max_iter=30, random_state=0).fit(points, points[:, 0] * points[:, 1])
    work.check_threads(threads)
    check_info(threads)


def check_product(threads):
    with Work("a product") as work:
        for _ in range(3):
            matrix @ matrix
    work.check_threads(threads)


def main():
    check_product(THREADS)
    check_work(THREADS)
    for limit in (1, 2, 3):
        with threadpoolctl.threadpool_limits(limit):
            check_work(limit)
            check_product(limit)
        check_work(THREADS)
    with threadpoolctl.threadpool_limits(1, user_api="openmp"):
        check_work(1)
    with threadpoolctl.threadpool_limits(1, user_api="blas"):
        check_product(1)
    check_product(THREADS)
    check_runtime()
    check_blas()
    print("as expected")


if __name__ == "__main__":
    main()
