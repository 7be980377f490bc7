// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teams on the host, alone and in target regions: each team has an initial thread, a number, a limit of threads, and
// parallel regions of its own; distribute divides a loop among the teams. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { teams = 3, length = 1000, most_threads = 64 };

static int runs[length], inner[teams][most_threads], seen_teams[teams + 1];

static void check_and_clear_runs(int expected) {
    for (int i = 0; i < length; i++) {
        EXPECT_EQUAL(runs[i], expected);
        runs[i] = 0;
    }
}

// A construct of a teams region may call these functions; atomic constructs and most routines may not stand in it
// directly.
static void add(int *to, int value) {
#pragma omp atomic
    *to += value;
}
static void count(int i) { add(&runs[i], 1); }

// In a team of a league of `size`. limit: of threads, 0 for any.
static void check_team(int size, int limit) {
    if (limit != 0)
        EXPECT_EQUAL(omp_get_thread_limit(), limit);
    EXPECT_EQUAL(omp_get_num_teams(), size);
    EXPECT(omp_get_team_num() >= 0 && omp_get_team_num() < size);
    EXPECT_EQUAL(omp_get_num_threads(), 1);
    EXPECT_EQUAL(omp_get_thread_num(), 0);
    EXPECT_EQUAL(omp_get_level(), 0);
    EXPECT_EQUAL(omp_in_parallel(), 0);
    EXPECT_EQUAL(omp_get_ancestor_thread_num(0), 0);
}

static void check_numbers(void) {
#pragma omp teams num_teams(teams) shared(seen_teams)
    {
        check_team(teams, 0);
        add(&seen_teams[omp_get_team_num()], 1);
    }
    for (int i = 0; i < teams; i++)
        EXPECT_EQUAL(seen_teams[i], 1);
    EXPECT_EQUAL(omp_get_num_teams(), 1);
    EXPECT_EQUAL(omp_get_team_num(), 0);
}

static void check_regions_inside(void) {
    const int usual = omp_get_max_threads();
#pragma omp teams num_teams(teams) thread_limit(2) shared(inner)
    {
        const int team = omp_get_team_num();
        check_team(teams, 2);
#pragma omp parallel
        {
            EXPECT_EQUAL(omp_get_team_num(), team);
            EXPECT_EQUAL(omp_get_num_teams(), teams);
            EXPECT_EQUAL(omp_get_level(), 1);
            EXPECT_EQUAL(omp_get_num_threads(), usual < 2 ? usual : 2);
            add(&inner[team][omp_get_thread_num()], 1);
        }
    }
    EXPECT_EQUAL(omp_get_max_threads(), usual);
    for (int team = 0; team < teams; team++)
        for (int thread = 0; thread < most_threads; thread++)
            EXPECT_EQUAL(inner[team][thread], thread < 2 && thread < usual);
}

static void check_distribute(void) {
    long sum = 0;
    int last = -1;
#pragma omp teams distribute num_teams(teams)
    for (int i = 0; i < length; i++)
        count(i);
    check_and_clear_runs(1);
#pragma omp teams distribute num_teams(teams) dist_schedule(static, 7) lastprivate(last)
    for (int i = 0; i < length; i++) {
        count(i);
        last = i;
    }
    EXPECT_EQUAL(last, length - 1);
    check_and_clear_runs(1);
#pragma omp teams distribute parallel for num_teams(teams) reduction(+ : sum)
    for (int i = 0; i < length; i++) {
        count(i);
        sum += i;
    }
    EXPECT_EQUAL(sum, length * (length - 1) / 2);
    check_and_clear_runs(1);
#pragma omp teams distribute parallel for num_teams(teams) schedule(dynamic, 3) dist_schedule(static, 50)
    for (long i = length - 1; i >= 0; i--)
        count((int)i);
    check_and_clear_runs(1);
#pragma omp teams num_teams(teams) reduction(+ : sum)
    {
#pragma omp distribute collapse(2)
        for (int i = 0; i < 10; i++)
            for (unsigned long long j = 0; j < length / 10; j++)
                count(i * (length / 10) + (int)j);
        sum += 1;
    }
    EXPECT_EQUAL(sum, length * (length - 1) / 2 + teams);
    check_and_clear_runs(1);
}

static void check_target(void) {
    int visits = 0;
#pragma omp target teams num_teams(teams) map(tofrom : visits)
    {
        check_team(teams, 0);
        add(&visits, 1 + omp_get_team_num());
    }
    EXPECT_EQUAL(visits, teams * (teams + 1) / 2);
#pragma omp target teams distribute parallel for map(tofrom : runs) num_teams(teams) thread_limit(4)
    for (int i = 0; i < length; i++)
        count(i);
    check_and_clear_runs(1);
    EXPECT_EQUAL(omp_get_num_teams(), 1);
}

// Tasks of a team have ended when the construct has.
static void check_tasks(void) {
    int done = 0;
#pragma omp teams num_teams(teams) shared(done)
    {
#pragma omp parallel
#pragma omp single nowait
        for (int i = 0; i < 50; i++)
#pragma omp task
            add(&done, 1);
    }
    EXPECT_EQUAL(done, teams * 50);
}

static void check_default_number(void) {
    omp_set_num_teams(2);
    omp_set_teams_thread_limit(5);
    int visits = 0;
#pragma omp teams shared(visits)
    {
        check_team(2, 5);
        add(&visits, 1);
    }
    EXPECT_EQUAL(visits, 2);
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < teams; i++) {
            seen_teams[i] = 0;
            for (int j = 0; j < most_threads; j++)
                inner[i][j] = 0;
        }
        check_numbers();
        check_regions_inside();
        check_distribute();
        check_target();
        check_tasks();
    }
    check_default_number();
    return expectations_failed;
}
