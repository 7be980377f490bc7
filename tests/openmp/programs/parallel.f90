! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! parallel in Fortran with private, firstprivate and shared data, num_threads and if. Compilers: gfortran.
program parallel
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer :: runs(0:63), given, scratch, team, me, i
    runs = 0
    given = 42
    scratch = 7
    team = 0
    !$omp parallel default(none) shared(runs, team) firstprivate(given) private(scratch, me)
    me = omp_get_thread_num()
    scratch = me
    given = given + me
    !$omp barrier
    if (scratch == me .and. given == 42 + me) runs(me) = runs(me) + 1
    if (me == 0) team = omp_get_num_threads()
    !$omp end parallel
    call expect_equal(team, omp_get_max_threads(), 'the size of the team')
    call expect_equal(given, 42, 'given')
    call expect_equal(scratch, 7, 'scratch')
    do i = 0, 63
        call expect_equal(runs(i), merge(1, 0, i < team), 'runs')
    end do

    !$omp parallel num_threads(3) shared(team)
    !$omp master
    team = omp_get_num_threads()
    !$omp end master
    !$omp end parallel
    call expect_equal(team, 3, 'the size with num_threads(3)')
    !$omp parallel num_threads(3) if (team < 0) shared(team)
    team = omp_get_num_threads()
    !$omp end parallel
    call expect_equal(team, 1, 'the size with if (.false.)')
    call finish()
contains
    include 'expect.inc'
end program
