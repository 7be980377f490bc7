// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// taskwait waits for the children, and for no others: neither for the grandchildren nor for the tasks of others.
// taskyield: anything may run. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int in_a_tree(int depth) {
    int left = 0, right = 0;
    if (depth == 0)
        return 1;
#pragma omp task shared(left)
    left = in_a_tree(depth - 1);
#pragma omp taskyield
#pragma omp task shared(right)
    right = in_a_tree(depth - 1);
#pragma omp taskwait
    return left + right;
}

// A grandchild ends only when its event is fulfilled, which happens after the taskwait.
static void children_only(void) {
    int children = 0, grandchildren = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task shared(children, grandchildren, event)
        {
            omp_event_handle_t made;
#pragma omp task detach(made) shared(grandchildren)
            grandchildren++;
            event = made;
            children++;
        }
#pragma omp taskwait
        EXPECT_EQUAL(children, 1);
        omp_fulfill_event(event);
    }
    EXPECT_EQUAL(grandchildren, 1);
}

// Every thread waits for its own tasks.
static void by_all(void) {
#pragma omp parallel
    {
        for (int round = 0; round < 20; round++) {
            int own = 0;
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(own)
#pragma omp atomic
                own++;
            }
#pragma omp taskwait
            EXPECT_EQUAL(own, 20);
        }
    }
}

// Without tasks it does nothing; twice is as good as once.
static void without_tasks(void) {
    int value = 0;
#pragma omp taskwait
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskwait
#pragma omp task shared(value)
        value = 1;
#pragma omp taskwait
#pragma omp taskwait
        EXPECT_EQUAL(value, 1);
#pragma omp taskyield
    }
}

int main(void) {
    int leaves = 0;
#pragma omp parallel
#pragma omp single
    leaves = in_a_tree(12);
    EXPECT_EQUAL(leaves, 4096);
    for (int round = 0; round < 10; round++) {
        children_only();
        by_all();
        without_tasks();
    }
    return expectations_failed;
}
