! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! workshare and parallel workshare: array assignments, where, forall, scalar assignments, atomic and critical, one after
! the other. Compilers: gfortran.
program workshare
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer, parameter :: length = 300
    integer :: a(length), b(length), c(length), total, count_of, round, i
    real :: table(20, 30), other(20, 30)
    do round = 1, 20
        a = [(i, i = 1, length)]
        count_of = 0
        !$omp parallel shared(a, b, c, total, table, other, count_of)
        !$omp workshare
        b = a * 2
        c = b(length:1:-1) + 1
        total = sum(c)
        where (mod(a, 2) == 0)
            b = 0
        elsewhere
            b = 1
        end where
        table = real(round)
        forall (i = 1:20) other(i, :) = table(i, :) + i
        !$omp atomic
        count_of = count_of + 1
        !$omp end workshare
        call expect_equal(total, length * (length + 1) + length, 'total')
        call expect_equal(sum(b), length / 2, 'b')
        !$omp barrier
        !$omp workshare
        a = a + 1
        !$omp end workshare nowait
        !$omp barrier
        call expect_equal(sum(a), length * (length + 1) / 2 + length, 'a')
        !$omp end parallel
        call expect_equal(count_of, 1, 'the atomic statement')
        call expect_equal(c(1), 2 * length + 1, 'c')
        call expect(abs(sum(other) - (600 * round + 30 * 210)) < 0.5, 'other')
        !$omp parallel workshare shared(a, b)
        b = a + 5
        a = b + round
        !$omp end parallel workshare
        call expect_equal(sum(a), length * (length + 1) / 2 + (6 + round) * length, 'a after the last one')
    end do
    call finish()
contains
    include 'expect.inc'
end program
