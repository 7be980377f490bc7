! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The routines of omp_lib in Fortran, with default integers: numbers of threads, levels, schedules, clocks.
! Compilers: gfortran.
program icv_routines
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer :: before, chunk, sum_of, i
    integer(omp_sched_kind) :: kind_of
    real(8) :: start
    before = omp_get_max_threads()
    call omp_set_num_threads(3)
    call expect_equal(omp_get_max_threads(), 3, 'max_threads')
    !$omp parallel
    call expect_equal(omp_get_num_threads(), 3, 'num_threads')
    call expect(omp_in_parallel(), 'in_parallel')
    call expect_equal(omp_get_team_size(1), 3, 'team_size')
    call omp_set_num_threads(7)
    !$omp end parallel
    call expect_equal(omp_get_max_threads(), 3, 'max_threads after the region')
    call omp_set_num_threads(before)
    call expect(.not. omp_in_parallel(), 'in_parallel outside')
    call omp_set_dynamic(.true.)
    call expect(omp_get_dynamic(), 'dynamic')
    call omp_set_dynamic(.false.)
    call expect(.not. omp_get_dynamic(), 'not dynamic')
    call omp_set_max_active_levels(3)
    call expect_equal(omp_get_max_active_levels(), 3, 'max_active_levels')
    call expect_equal(omp_get_level() + omp_get_active_level(), 0, 'the levels')
    call expect_equal(omp_get_ancestor_thread_num(0), 0, 'ancestor')
    call expect_equal(omp_get_ancestor_thread_num(1), -1, 'no ancestor')
    call omp_set_schedule(omp_sched_guided, 9)
    call omp_get_schedule(kind_of, chunk)
    call expect(kind_of == omp_sched_guided, 'the schedule')
    call expect_equal(chunk, 9, 'its chunk')
    sum_of = 0
    !$omp parallel do schedule(runtime) reduction(+: sum_of)
    do i = 1, 500
        sum_of = sum_of + i
    end do
    call expect_equal(sum_of, 125250, 'the sum')
    call expect(omp_get_num_procs() >= 1 .and. omp_get_thread_limit() >= 1, 'the machine')
    call expect(.not. omp_get_cancellation() .and. .not. omp_in_final(), 'cancellation')
    call expect_equal(omp_get_max_task_priority(), 0, 'max_task_priority')
    start = omp_get_wtime()
    do while (omp_get_wtime() == start)
    end do
    call expect(omp_get_wtime() > start .and. omp_get_wtick() > 0, 'the clock')
    call finish()
contains
    include 'expect.inc'
end program
