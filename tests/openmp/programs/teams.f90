! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! teams and distribute in Fortran, on the host and in a target region. Compilers: gfortran.
program teams
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer :: visits, runs(100), i
    visits = 0
    !$omp teams num_teams(3) shared(visits)
    call visit(visits)
    !$omp end teams
    call expect_equal(visits, 6, 'visits')
    runs = 0
    !$omp target teams distribute parallel do num_teams(2) map(tofrom: runs)
    do i = 1, 100
        runs(i) = runs(i) + i
    end do
    do i = 1, 100
        call expect_equal(runs(i), i, 'runs')
    end do
    call expect_equal(omp_get_num_teams(), 1, 'the number of teams outside')
    call expect_equal(omp_get_team_num(), 0, 'the team outside')
    call finish()
contains
    subroutine visit(visits)
        integer, intent(inout) :: visits
        call expect_equal(omp_get_num_teams(), 3, 'the number of teams')
        call expect_equal(omp_get_num_threads(), 1, 'the number of threads')
        !$omp atomic
        visits = visits + 1 + omp_get_team_num()
    end subroutine
    include 'expect.inc'
end program
