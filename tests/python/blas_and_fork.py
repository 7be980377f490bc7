# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy with the OpenBLAS that uses OpenMP: products on all threads; then processes made by fork() that multiply, too,
while their parent goes on."""

import multiprocessing
import os

import numpy

from observed import THREADS, Work, check, check_blas, check_runtime

SIZE = 1200


def matrices(seed):
    """Whole numbers, so that the product is exact, whatever the order of the sums."""
    draw = numpy.random.default_rng(seed)
    return [draw.integers(-9, 10, size=(SIZE, SIZE)).astype(float) for _ in range(2)]


def check_product(seed, threads):
    left, right = matrices(seed)
    with Work(f"product {seed}") as work:
        for _ in range(3):
            product = left @ right
    work.check_threads(threads)
    # The product of integers takes no BLAS. Some rows are enough.
    rows = slice(seed % 100, None, 97)
    exact = left[rows].astype(int) @ right.astype(int)
    check((product[rows] == exact).all(), f"product {seed} is wrong")
    check_runtime()
    check_blas()
    return float(product.sum())


def in_child(seed):
    return os.getpid(), check_product(seed, THREADS)


def check_pool(first):
    """Each child is a copy of this process, whose threads are not in it."""
    with multiprocessing.get_context("fork").Pool(3) as pool:
        running = pool.map_async(in_child, range(first, first + 6), chunksize=1)
        own = [check_product(seed, THREADS) for seed in range(first, first + 6)]
        results = running.get(timeout=200)
    check([result for _, result in results] == own, "the children have other results than their parent")
    check(os.getpid() not in {process for process, _ in results}, "the children's work was done by their parent")


def check_grandchild():
    """A child that has used its own threads has a child, too."""
    child = os.fork()
    if child == 0:
        check_product(50, THREADS)
        grandchild = os.fork()
        check_product(51, THREADS)
        status = os.waitpid(grandchild, 0)[1] if grandchild != 0 else 0
        os._exit(0 if status == 0 else 1)
    check_product(52, THREADS)
    check(os.waitpid(child, 0)[1] == 0, "the child or its child failed")


def main():
    check_product(0, THREADS)
    eigenvalues = numpy.linalg.eigvalsh(sum(matrices(1)) @ numpy.diag(numpy.ones(SIZE)))
    check(numpy.isfinite(eigenvalues).all(), "LAPACK's result is not finite")
    for first in (10, 20):
        check_pool(first)
    check_grandchild()
    check_product(60, THREADS)
    print("as expected")


if __name__ == "__main__":
    main()
