# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scikit-learn's own OpenMP loops: clusters, decision trees on histograms, neighbours. The results are those of the
system's runtime, which a second process of this program computes."""

import os
import pickle
import subprocess
import sys

import numpy
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.manifold import TSNE
from sklearn.metrics import pairwise_distances_argmin
from sklearn.neighbors import NearestNeighbors

from observed import THREADS, Work, check, check_runtime, runtimes

points = numpy.random.default_rng(3).normal(size=(40_000, 20))
target = points[:, 0] * points[:, 1] + points[:, 2]
groups = (target > 0).astype(int) + (target > 1)


def clusters(algorithm):
    model = KMeans(8, n_init=2, max_iter=40, tol=0, algorithm=algorithm, random_state=0).fit(points)
    return model.labels_, model.cluster_centers_, model.inertia_


def small_batches():
    model = MiniBatchKMeans(8, n_init=2, batch_size=4096, random_state=0).fit(points)
    return model.predict(points), model.cluster_centers_


def classes():
    model = HistGradientBoostingClassifier(max_iter=6, random_state=0).fit(points, groups)
    return model.predict(points), model.predict_proba(points)


def values():
    model = HistGradientBoostingRegressor(max_iter=40, random_state=0).fit(points, target)
    return (model.predict(points),)


def neighbours():
    distances, indices = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(points).kneighbors(points[:2000])
    return distances, indices, pairwise_distances_argmin(points, points[:500])


def map_of_points():
    return (TSNE(n_iter=250, init="random", random_state=0).fit_transform(points[:600]).shape,)


# Name, function, and whether all threads have a part of each loop: that of the last one is too small to tell.
CASES = [
    ("KMeans, Lloyd", lambda: clusters("lloyd"), True),
    ("KMeans, Elkan", lambda: clusters("elkan"), True),
    ("MiniBatchKMeans", small_batches, True),
    ("HistGradientBoostingClassifier", classes, True),
    ("HistGradientBoostingRegressor", values, True),
    ("NearestNeighbors", neighbours, True),
    ("TSNE", map_of_points, False),
]


def results():
    found = {}
    for name, function, is_shared in CASES:
        with Work(name) as work:
            found[name] = function()
        if is_shared:
            work.check_threads(THREADS)
    return found


def on_system_runtime():
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    environment.update(LD_LIBRARY_PATH=os.environ["OPENBLAS_FOLDER"], OMP_NUM_THREADS=str(THREADS))
    done = subprocess.run([sys.executable, __file__, "reference"], env=environment, stdout=subprocess.PIPE, check=True,
                          timeout=200)
    return pickle.loads(done.stdout)


def main():
    if sys.argv[1:] == ["reference"]:
        found = results()
        check([os.path.basename(file).split(".")[0] for file in runtimes()] == ["libgomp"],
              f"the system's runtime is {runtimes()}")
        sys.stdout.buffer.write(pickle.dumps(found))
        return
    expected = on_system_runtime()
    found = results()
    check_runtime()
    for name, parts in found.items():
        for part, wanted in zip(parts, expected[name], strict=True):
            # The order of the threads' sums differs from run to run, on every runtime.
            check(numpy.allclose(part, wanted, rtol=1e-6, atol=1e-9), f"{name} has another result")
    print("as expected")


if __name__ == "__main__":
    main()
