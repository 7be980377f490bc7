// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teams with OMP_PLACES=threads: teams of one thread divide the places, teams without a limit have all of them, and the
// thread is where it was when the league has ended. Compilers: gcc, clang.
#include "affinity_helpers.h"
#include "expect.h"
#include <omp.h>

enum { most = 1024 };

static int team_count;
static int first_places[most];

// Compilers refuse these calls between teams and parallel.
static void be_limited_team(void) {
    const int places = omp_get_num_places(), team = omp_get_team_num(), teams = omp_get_num_teams();
    const int mine = omp_get_partition_num_places();
    cpu_set_t mask = current_mask();
    EXPECT_EQUAL(CPU_COUNT(&mask), 1);
    if (teams <= places)
        EXPECT(mine == places / teams || mine == (places + teams - 1) / teams);
    else
        EXPECT_EQUAL(mine, 1);
    int numbers[most];
    omp_get_partition_place_nums(numbers);
    EXPECT(omp_get_place_num() == numbers[0] || team == 0);
    first_places[team] = numbers[0];
    team_count++;
}
static void be_free_team(void) {
    EXPECT_EQUAL(omp_get_partition_num_places(), omp_get_num_places());
    team_count++;
}

int main(void) {
    const int places = omp_get_num_places(), begin = omp_get_place_num();
    for (int teams = 1; teams <= 2 * places; teams++) {
        team_count = 0;
#pragma omp teams num_teams(teams) thread_limit(1)
        be_limited_team();
        EXPECT_EQUAL(team_count, teams);
        int used[most] = {0};
        for (int team = 0; team < teams; team++)
            used[first_places[team]]++;
        const int least = teams / places, greatest = (teams + places - 1) / places;
        for (int place = 0; place < places; place++)
            EXPECT(used[place] >= least && used[place] <= greatest);

        team_count = 0;
#pragma omp teams num_teams(teams)
        be_free_team();
        EXPECT_EQUAL(team_count, teams);
        cpu_set_t mask = current_mask();
        EXPECT_EQUAL(CPU_COUNT(&mask), 1);
        EXPECT_EQUAL(omp_get_place_num(), begin);
        EXPECT_EQUAL(omp_get_partition_num_places(), places);
    }
    return expectations_failed;
}
