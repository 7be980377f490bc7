! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Tasks in Fortran: firstprivate, shared, if, final, untied, taskwait, taskgroup, taskyield, taskloop, dependences.
! Compilers: gfortran.
program tasks
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer :: result
    !$omp parallel
    !$omp single
    result = fib(15)
    !$omp end single
    !$omp end parallel
    call expect_equal(result, 610, 'fib')
    call clauses()
    call dependences()
    call loops()
    call finish()
contains
    include 'expect.inc'

    recursive integer function fib(n) result(value)
        integer, intent(in) :: n
        integer :: left, right
        if (n < 2) then
            value = n
            return
        end if
        !$omp task shared(left) firstprivate(n) untied
        left = fib(n - 1)
        !$omp end task
        !$omp task shared(right) firstprivate(n) final(n < 5)
        right = fib(n - 2)
        !$omp end task
        !$omp taskwait
        value = left + right
    end function

    subroutine clauses()
        integer :: i, value, values(100), in_group, text_length
        integer, allocatable :: copied(:)
        character(20) :: text
        values = 0
        in_group = 0
        allocate(copied(3))
        !$omp parallel private(i, value) firstprivate(copied, text)
        !$omp single
        do i = 1, 100
            value = i
            copied = i
            write (text, '(a,i0)') 'task ', i
            !$omp task firstprivate(value, copied, text) shared(values) if (mod(i, 3) /= 0)
            values(value) = values(value) + sum(copied) - 2 * value
            text_length = len_trim(text)
            !$omp end task
            copied = -1
            text = ''
            !$omp taskyield
        end do
        !$omp taskgroup
        do i = 1, 10
            !$omp task shared(in_group)
            !$omp task shared(in_group)
            !$omp atomic
            in_group = in_group + 1
            !$omp end task
            !$omp end task
        end do
        !$omp end taskgroup
        call expect_equal(in_group, 10, 'tasks of the group')
        !$omp end single
        !$omp end parallel
        do i = 1, 100
            call expect_equal(values(i), i, 'values')
        end do
    end subroutine

    subroutine dependences()
        integer :: i, j, table(20)
        table = 0
        !$omp parallel private(i, j)
        !$omp single
        do j = 1, 10
            do i = 1, 20
                !$omp task depend(inout: table(i)) firstprivate(i, j) shared(table)
                if (table(i) == j - 1) table(i) = j
                !$omp end task
            end do
            do i = 2, 20
                !$omp task depend(in: table(i - 1), table(i)) firstprivate(i, j) shared(table)
                call expect_equal(table(i - 1) + table(i), 2 * j, 'the neighbours')
                !$omp end task
            end do
        end do
        !$omp task depend(mutexinoutset: table(1)) shared(table)
        table(1) = table(1) + 1
        !$omp end task
        !$omp taskwait depend(in: table(1))
        call expect_equal(table(1), 11, 'after the taskwait')
        !$omp end single
        !$omp end parallel
        call expect_equal(sum(table), 201, 'the sum')
    end subroutine

    subroutine loops()
        integer :: i, j, last, total
        integer :: runs(100)
        runs = 0
        total = 5
        !$omp parallel
        !$omp single
        !$omp taskloop grainsize(7) lastprivate(last) shared(runs)
        do i = 100, 1, -1
            runs(i) = runs(i) + 1
            last = i
        end do
        !$omp taskloop num_tasks(5) collapse(2) reduction(+: total)
        do i = 1, 10
            do j = 1, 10
                total = total + runs((i - 1) * 10 + j)
            end do
        end do
        !$omp end single
        !$omp end parallel
        call expect_equal(last, 1, 'last')
        call expect_equal(total, 105, 'total')
        call expect(all(runs == 1), 'runs')
    end subroutine
end program
