! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! task detach in Fortran: the task ends when its event is fulfilled, by another task or by itself. Compilers: gfortran.
program task_detach
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer(omp_event_handle_kind) :: event
    integer :: i, value, fulfilled, seen
    fulfilled = 0
    !$omp parallel private(i, event, value, seen)
    !$omp single
    do i = 1, 50
        value = 0
        !$omp task detach(event) depend(out: value) shared(value)
        value = i
        !$omp end task
        !$omp task firstprivate(event) shared(fulfilled)
        !$omp atomic
        fulfilled = fulfilled + 1
        call omp_fulfill_event(event)
        !$omp end task
        !$omp task depend(in: value) shared(value, fulfilled) private(seen)
        !$omp atomic read
        seen = fulfilled
        call expect_equal(seen, i, 'the number of events')
        call expect_equal(value, i, 'value')
        !$omp end task
        !$omp taskwait
    end do
    !$omp end single
    !$omp end parallel
    call expect_equal(fulfilled, 50, 'fulfilled')
    call finish()
contains
    include 'expect.inc'
end program
