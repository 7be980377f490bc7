! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! do in Fortran: schedules, steps of both signs, integers of both sizes, collapse, lastprivate, ordered, nowait, simd.
! Compilers: gfortran.
program do_loops
    use omp_lib
    use iso_fortran_env, only: int64
    implicit none
    logical :: failed = .false.
    integer, parameter :: length = 200
    integer :: runs(-length:length)
    call schedules()
    call collapsed()
    call last_values()
    call in_order()
    call finish()
contains
    include 'expect.inc'

    subroutine expect_runs(from, to, step)
        integer, intent(in) :: from, to, step
        integer :: expected(-length:length), i
        expected = 0
        do i = from, to, step
            expected(i) = expected(i) + 1
        end do
        call expect(all(runs == expected), 'every iteration once')
        runs = 0
    end subroutine

    subroutine schedules()
        integer :: i, none
        integer(int64) :: wide
        runs = 0
        none = 4
        !$omp parallel do schedule(static)
        do i = -50, 77, 3
            runs(i) = runs(i) + 1
        end do
        call expect_runs(-50, 77, 3)
        !$omp parallel do schedule(static, 4)
        do i = 100, -100, -7
            runs(i) = runs(i) + 1
        end do
        call expect_runs(100, -100, -7)
        !$omp parallel do schedule(dynamic, 3)
        do i = length, 1, -1
            runs(i) = runs(i) + 1
        end do
        call expect_runs(length, 1, -1)
        !$omp parallel do schedule(guided)
        do wide = 0_int64, int(length, int64)
            runs(int(wide)) = runs(int(wide)) + 1
        end do
        call expect_runs(0, length, 1)
        !$omp parallel do schedule(runtime)
        do wide = int(length, int64), -10_int64, -3_int64
            runs(int(wide)) = runs(int(wide)) + 1
        end do
        call expect_runs(length, -10, -3)
        call omp_set_schedule(omp_sched_dynamic, 5)
        !$omp parallel
        !$omp do schedule(runtime)
        do i = 1, length
            runs(i) = runs(i) + 1
        end do
        !$omp end do nowait
        !$omp do schedule(auto)
        do i = -length, 0
            runs(i) = runs(i) + 1
        end do
        !$omp end do
        !$omp do
        do i = 5, none
            runs(i) = runs(i) + 1
        end do
        !$omp end parallel
        call expect_runs(-length, length, 1)
    end subroutine

    subroutine collapsed()
        integer :: i, j, table(10, 20)
        table = 0
        !$omp parallel do collapse(2) schedule(dynamic)
        do j = 20, 1, -1
            do i = 1, 10
                table(i, j) = table(i, j) + i + 100 * j
            end do
        end do
        do j = 1, 20
            do i = 1, 10
                call expect_equal(table(i, j), i + 100 * j, 'table')
            end do
        end do
        !$omp parallel do simd collapse(2)
        do j = 1, 20
            do i = 1, 10
                table(i, j) = 1
            end do
        end do
        call expect_equal(sum(table), 200, 'the sum of the table')
    end subroutine

    subroutine last_values()
        integer :: i, last, given, many
        last = -1
        given = 7
        !$omp parallel do lastprivate(last, i) firstprivate(given) schedule(dynamic, 7)
        do i = 1, length
            last = i + given
        end do
        call expect_equal(last, length + 7, 'last')
        call expect_equal(i, length + 1, 'the variable of the loop')
        many = 0
        !$omp parallel do linear(given: 2) reduction(+: many)
        do i = 1, length
            if (given == 7 + 2 * (i - 1)) many = many + 1
            given = given + 2
        end do
        call expect_equal(many, length, 'linear values')
    end subroutine

    subroutine in_order()
        integer :: i, next
        next = 1
        !$omp parallel do ordered schedule(dynamic)
        do i = 1, length
            !$omp ordered
            call expect_equal(next, i, 'the order')
            next = next + 1
            !$omp end ordered
        end do
        call expect_equal(next, length + 1, 'next')
    end subroutine
end program
