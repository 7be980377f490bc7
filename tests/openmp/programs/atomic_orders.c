// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic with memory orders and hints: a release publishes what was written before, an acquire reads it; with seq_cst
// two threads cannot both miss the other's store. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <sched.h>

enum { rounds = 40 };

static int data[rounds], ready, turn;

static void wait_for(int value) {
    int seen;
    do {
        sched_yield();
#pragma omp atomic read acquire
        seen = ready;
    } while (seen < value);
}

static void publish(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < rounds; i++) {
                data[i] = i + 1;
                switch (i % 3) {
                case 0:
#pragma omp atomic write release
                    ready = i + 1;
                    break;
                case 1:
#pragma omp atomic update release
                    ready++;
                    break;
                default:
#pragma omp atomic seq_cst hint(omp_sync_hint_contended)
                    ready += 1;
                }
            }
        } else {
            for (int i = 0; i < rounds; i++) {
                wait_for(i + 1);
                EXPECT_EQUAL(data[i], i + 1);
            }
        }
    }
}

static void store_and_look(void) {
    for (int round = 0; round < rounds; round++) {
        int flag[2] = {0, 0}, missed = 0;
        turn = 0;
#pragma omp parallel num_threads(2)
        {
            const int me = omp_get_thread_num();
            int other, arrived;
            // Both begin at about the same time.
#pragma omp atomic relaxed
            turn++;
            do {
                sched_yield();
#pragma omp atomic read relaxed
                arrived = turn;
            } while (arrived < 2);
#pragma omp atomic write seq_cst
            flag[me] = 1;
#pragma omp atomic read seq_cst
            other = flag[1 - me];
            if (!other) {
#pragma omp atomic capture acq_rel
                {
                    other = missed;
                    missed++;
                }
                EXPECT_EQUAL(other, 0);
            }
        }
        EXPECT(missed < 2);
        EXPECT_EQUAL(flag[0] + flag[1], 2);
    }
}

int main(void) {
    publish();
    store_and_look();
    return expectations_failed;
}
