// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task without taskwait, as deep as a graph is: each visit makes a task for every node that is new. A path, a star, a
// random graph and a deep binary tree; no stack may overflow. Also tasks of a serial part, which is a team of one.
// Compilers: gcc, clang.
#include "expect.h"
#include <stdlib.h>

enum { path_nodes = 1000000, nodes = 100000 };

// The neighbours of node i are to[first[i]] to to[first[i + 1] - 1].
static int *first, *to, *seen;
static long visits;

static void make_graph(int count, int edges, const int (*ends)[2]) {
    first = calloc((size_t)count + 2, sizeof *first);
    to = malloc(2 * (size_t)edges * sizeof *to);
    seen = calloc((size_t)count, sizeof *seen);
    visits = 0;
    for (int e = 0; e < edges; e++)
        for (int end = 0; end < 2; end++)
            first[ends[e][end] + 2]++;
    for (int i = 2; i < count + 2; i++)
        first[i] += first[i - 1];
    for (int e = 0; e < edges; e++)
        for (int end = 0; end < 2; end++)
            to[first[ends[e][end] + 1]++] = ends[e][1 - end];
}

static void visit(int node) {
#pragma omp atomic
    visits++;
    for (int i = first[node]; i < first[node + 1]; i++) {
        const int next = to[i];
        int was_seen;
#pragma omp atomic capture
        {
            was_seen = seen[next];
            seen[next] = 1;
        }
        if (!was_seen) {
#pragma omp task firstprivate(next)
            visit(next);
        }
    }
}

static void expect_each_once(int count, int edges, const int (*ends)[2]) {
    for (int is_parallel = 0; is_parallel < 2; is_parallel++) {
        make_graph(count, edges, ends);
        seen[0] = 1;
        if (is_parallel) {
#pragma omp parallel
#pragma omp single
            visit(0);
        } else {
#pragma omp taskgroup
            visit(0);
        }
        EXPECT_EQUAL(visits, count);
        free(first);
        free(to);
        free(seen);
    }
}

int main(void) {
    int(*ends)[2] = malloc(2 * (size_t)path_nodes * sizeof *ends);
    for (int i = 1; i < path_nodes; i++) {
        ends[i - 1][0] = i - 1;
        ends[i - 1][1] = i;
    }
    expect_each_once(path_nodes, path_nodes - 1, (const int(*)[2])ends);
    for (int i = 1; i < nodes; i++) {
        ends[i - 1][0] = 0;
        ends[i - 1][1] = i;
    }
    expect_each_once(nodes, nodes - 1, (const int(*)[2])ends);
    unsigned random = 1;
    for (int i = 1; i < nodes; i++)
        for (int k = 0; k < 2; k++) {
            random = random * 1664525U + 1013904223U;
            ends[2 * (i - 1) + k][0] = i;
            ends[2 * (i - 1) + k][1] = (int)((random >> 8) % (unsigned)i);
        }
    expect_each_once(nodes, 2 * (nodes - 1), (const int(*)[2])ends);
    // As deep as it has inner nodes: each has a leaf and the next one.
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < 2; k++) {
            ends[2 * i + k][0] = 2 * i;
            ends[2 * i + k][1] = 2 * i + 1 + k;
        }
    expect_each_once(2 * nodes + 1, 2 * nodes, (const int(*)[2])ends);
    free(ends);
    return expectations_failed;
}
