// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cancel taskgroup: tasks that have begun go on to their next cancellation point, others are not begun, also those of
// groups inside of the cancelled one. Tasks outside of it run. Variables of dropped tasks are destroyed.
// Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <omp.h>

static std::atomic<int> run_inside, run_outside, alive;
static std::atomic<bool> is_cancelling;

struct counted {
    counted() { ++alive; }
    counted(const counted&) { ++alive; }
    ~counted() { --alive; }
};

static void one_cancels_all() {
    run_inside = 0;
    is_cancelling = false;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task
                {
                    // Once one is about to cancel, the others that have begun end only because they notice.
                    run_inside++;
                    if (i % 5 == 0)
                        is_cancelling = true;
#pragma omp cancel taskgroup if (i % 5 == 0)
                    for (int look = 0; look < 100 || is_cancelling; look++) {
#pragma omp cancellation point taskgroup
                    }
                }
            }
        }
        EXPECT(run_inside >= 1);
        const int at_end = run_inside;
        // The group is over, and so is its cancellation.
#pragma omp taskgroup
        {
            for (int i = 0; i < 10; i++) {
#pragma omp task
                {
#pragma omp cancellation point taskgroup
                    run_inside++;
                }
            }
        }
        EXPECT_EQUAL(run_inside, at_end + 10);
    }
}

static void nothing_begins_after_it() {
    run_inside = run_outside = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            run_outside++;
#pragma omp taskgroup
            {
#pragma omp task if (0)
                {
#pragma omp cancel taskgroup
                }
                for (int i = 0; i < 30; i++) {
#pragma omp task
                    run_inside++;
#pragma omp task depend(inout : run_inside)
                    run_inside++;
                }
#pragma omp taskgroup
                {
#pragma omp task
                    run_inside++;
                }
            }
#pragma omp task
            run_outside++;
        }
    }
    EXPECT_EQUAL(run_inside, 0);
    EXPECT_EQUAL(run_outside, 2);
}

static void a_search() {
    int found = -1;
#pragma omp parallel shared(found)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 2000; i++) {
#pragma omp task shared(found)
        {
            run_inside++;
            if (i % 700 == 699) {
#pragma omp atomic write
                found = i;
#pragma omp cancel taskgroup
            }
        }
    }
    EXPECT(found >= 0 && found % 700 == 699);
}

static void a_taskloop() {
    run_inside = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(500)
    for (int i = 0; i < 500; i++) {
        run_inside++;
#pragma omp cancel taskgroup
    }
    EXPECT(run_inside >= 1);
    EXPECT(run_inside <= omp_get_max_threads());
}

static void destroys_variables() {
#pragma omp parallel
#pragma omp single
    {
        counted made;
#pragma omp taskgroup
        for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(made)
            {
                EXPECT(alive >= 1);
#pragma omp cancel taskgroup
                (void)made;
            }
        }
        EXPECT_EQUAL(alive, 1);
    }
    EXPECT_EQUAL(alive, 0);
}

int main() {
    EXPECT(omp_get_cancellation());
    for (int round = 0; round < 100; round++) {
        one_cancels_all();
        nothing_begins_after_it();
        a_search();
        a_taskloop();
        destroys_variables();
    }
    return expectations_failed;
}
