// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OMP_PLACES=threads: each thread of a region is on the place that it is told of, and nowhere else; proc_bind decides
// which one that is; inner regions divide their partition. Compilers: gcc, clang.
#include "affinity_helpers.h"
#include "expect.h"
#include <omp.h>

enum { most = 1024 };

// Whether the thread may run exactly on the processors of its place.
static int is_on_its_place(void) {
    int ids[most];
    const int place = omp_get_place_num();
    const int count = place < 0 ? 0 : omp_get_place_num_procs(place);
    cpu_set_t mask = current_mask();
    if (count == 0 || CPU_COUNT(&mask) != count)
        return 0;
    omp_get_place_proc_ids(place, ids);
    for (int i = 0; i < count; i++)
        if (!CPU_ISSET(ids[i], &mask))
            return 0;
    return 1;
}

int main(void) {
    cpu_set_t all = current_mask();
    const int places = omp_get_num_places();
    EXPECT_EQUAL(places, CPU_COUNT(&all));
    EXPECT(omp_get_proc_bind() != omp_proc_bind_false);
    EXPECT_EQUAL(omp_get_place_num(), 0);
    EXPECT_EQUAL(omp_get_partition_num_places(), places);
    EXPECT_EQUAL(omp_get_place_num_procs(0), 1);
    EXPECT_EQUAL(omp_get_place_num_procs(places), 0);
    EXPECT_EQUAL(omp_get_place_num_procs(-1), 0);
    EXPECT(is_on_its_place());

    for (int round = 0; round < 3; round++) {
        int used[most] = {0};
#pragma omp parallel num_threads(places) proc_bind(close)
        {
            EXPECT(is_on_its_place());
            EXPECT_EQUAL(omp_get_place_num(), omp_get_thread_num());
            EXPECT_EQUAL(omp_get_partition_num_places(), places);
            used[omp_get_place_num()]++;
        }
        for (int place = 0; place < places; place++)
            EXPECT_EQUAL(used[place], 1);

#pragma omp parallel num_threads(3) proc_bind(primary)
        {
            EXPECT(is_on_its_place());
            EXPECT_EQUAL(omp_get_place_num(), 0);
        }
#pragma omp parallel num_threads(places) proc_bind(spread)
        {
            int number = -1;
            EXPECT(is_on_its_place());
            EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_spread);
            EXPECT_EQUAL(omp_get_partition_num_places(), 1);
            omp_get_partition_place_nums(&number);
            EXPECT_EQUAL(number, omp_get_place_num());
        }
    }

    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(places) proc_bind(spread)
    {
        const int mine = omp_get_place_num();
#pragma omp parallel num_threads(2) proc_bind(close)
        {
            EXPECT(is_on_its_place());
            EXPECT_EQUAL(omp_get_place_num(), mine);
        }
        EXPECT(is_on_its_place());
        EXPECT_EQUAL(omp_get_place_num(), mine);
    }
#pragma omp parallel num_threads(2 * places)
    EXPECT(is_on_its_place());
    return expectations_failed;
}
