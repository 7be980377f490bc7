# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""joblib's processes (loky), which start by exec, not as copies. They run on Teff, too, each with the threads that
joblib gives it. Their parent has used OpenMP before and uses it afterwards."""

import os

import numpy
from joblib import Parallel, delayed, parallel_backend
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score

from observed import THREADS, Work, check, check_runtime

PROCESSES, INNER_THREADS = 2, 2

points = numpy.random.default_rng(3).normal(size=(30_000, 20))
groups = (points[:, 0] * points[:, 1] > 0).astype(int)


def clusters(seed, threads):
    with Work(f"KMeans {seed}") as work:
        model = KMeans(8, n_init=1, max_iter=40, tol=0, random_state=seed).fit(points)
    work.check_threads(threads)
    check_runtime()
    return os.getpid(), model.inertia_


def main():
    expected = [clusters(seed, THREADS)[1] for seed in range(4)]
    with parallel_backend("loky", inner_max_num_threads=INNER_THREADS):
        found = Parallel(n_jobs=PROCESSES)(delayed(clusters)(seed, INNER_THREADS) for seed in range(4))
    check(os.getpid() not in {process for process, _ in found}, "the work was done by the parent")
    check(numpy.allclose([inertia for _, inertia in found], expected), "the processes have other results")

    model = HistGradientBoostingClassifier(max_iter=5, random_state=0)
    scores = [cross_val_score(model, points, groups, cv=3, n_jobs=jobs) for jobs in (PROCESSES, 1)]
    check(numpy.allclose(*scores), f"the scores of processes and of threads differ: {scores}")
    check(numpy.isclose(clusters(0, THREADS)[1], expected[0]), "the parent has another result than before")
    print("as expected")


if __name__ == "__main__":
    main()
