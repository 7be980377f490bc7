! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! target regions on the host in Fortran: map, firstprivate, target data, update, nowait with depend.
! Compilers: gfortran.
program target
    use omp_lib
    implicit none
    logical :: failed = .false.
    integer :: values(20), scale, i
    integer, allocatable :: grown(:)
    values = [(i, i = 1, 20)]
    scale = 2
    allocate (grown(5))
    grown = 1
    !$omp target map(tofrom: values, grown) firstprivate(scale)
    values = values * scale
    grown = grown + scale
    scale = 0
    !$omp end target
    call expect_equal(scale, 2, 'scale')
    call expect_equal(sum(values), 420, 'the sum')
    call expect_equal(sum(grown), 15, 'the sum of the allocatable array')

    !$omp target data map(tofrom: values)
    !$omp target
    values(1) = 7
    !$omp end target
    !$omp target update from(values(1:1))
    call expect_equal(values(1), 7, 'the first value')
    !$omp end target data

    !$omp parallel
    !$omp single
    do i = 1, 100
        !$omp target map(tofrom: values) firstprivate(i) depend(inout: values) nowait
        if (values(1) == 6 + i) values(1) = values(1) + 1
        !$omp end target
    end do
    !$omp end single
    !$omp end parallel
    call expect_equal(values(1), 107, 'the first value after all tasks')
    call finish()
contains
    include 'expect.inc'
end program
