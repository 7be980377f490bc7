! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! single with copyprivate and nowait, master, masked, sections, barrier and flush in Fortran. Compilers: gfortran.
program single
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer :: round, number, values(30), runs, masters, parts(4), last, given, waited
    integer, allocatable :: allocated(:)
    runs = 0
    masters = 0
    waited = 0
    do round = 1, 30
        parts = 0
        last = -1
        given = 3
        !$omp parallel private(number, values) firstprivate(allocated)
        number = -1
        !$omp single
        number = round
        values = [(round + number, number = 1, 30)]
        number = round
        runs = runs + 1
        !$omp end single copyprivate(number, values)
        call expect_equal(number, round, 'number')
        call expect_equal(values(30), round + 30, 'values')
        !$omp master
        masters = masters + 1
        !$omp end master
        !$omp masked
        masters = masters + 1
        !$omp end masked
        !$omp single
        waited = waited + 1
        !$omp end single nowait
        !$omp barrier
        call expect_equal(masters, 2 * round, 'masters')
        !$omp sections lastprivate(last) firstprivate(given)
        !$omp section
        parts(1) = parts(1) + given
        last = 1
        !$omp section
        parts(2) = parts(2) + given
        last = 2
        !$omp section
        parts(3) = parts(3) + given
        last = 3
        !$omp end sections
        call expect_equal(sum(parts(:3)), 9, 'parts')
        call expect_equal(last, 3, 'last')
        !$omp flush
        !$omp end parallel
        !$omp parallel sections reduction(+: last)
        last = last + 10
        !$omp section
        last = last + 20
        !$omp end parallel sections
        call expect_equal(last, 33, 'last after the sections')
    end do
    call expect_equal(runs, 30, 'runs')
    call expect_equal(waited, 30, 'single nowait')
    call finish()
contains
    include 'expect.inc'
end program
