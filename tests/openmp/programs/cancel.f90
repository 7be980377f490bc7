! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! cancel and cancellation point for all four constructs in Fortran. Compilers: gfortran.
program cancel
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer :: i, round, passed, team, ran
    call expect(omp_get_cancellation(), 'OMP_CANCELLATION')
    do round = 1, 50
        passed = 0
        !$omp parallel
        if (omp_get_thread_num() == 0) then
            !$omp cancel parallel
        end if
        !$omp barrier
        !$omp atomic
        passed = passed + 1
        !$omp end parallel
        call expect_equal(passed, 0, 'threads behind the barrier')

        passed = 0
        ran = 0
        !$omp parallel
        !$omp do schedule(dynamic)
        do i = 1, 100000
            !$omp atomic
            ran = ran + 1
            !$omp cancel do if (i == 5)
            !$omp cancellation point do
        end do
        !$omp end do
        !$omp sections
        !$omp section
        !$omp cancel sections
        call expect(.false., 'a canceller goes on')
        !$omp section
        !$omp cancellation point sections
        !$omp end sections
        !$omp atomic
        passed = passed + 1
        !$omp single
        team = omp_get_num_threads()
        !$omp end single
        !$omp end parallel
        call expect_equal(passed, team, 'threads behind the loop')
        call expect(ran < 100000, 'the loop was not cancelled')

        passed = 0
        !$omp parallel
        !$omp single
        !$omp taskgroup
        !$omp task if (.false.)
        !$omp cancel taskgroup
        !$omp end task
        do i = 1, 20
            !$omp task shared(passed)
            !$omp atomic
            passed = passed + 1
            !$omp end task
        end do
        !$omp end taskgroup
        !$omp end single
        !$omp end parallel
        call expect_equal(passed, 0, 'tasks of the cancelled group')
    end do
    call finish()
contains
    include 'expect.inc'
end program
