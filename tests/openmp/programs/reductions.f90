! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! reduction in Fortran: the intrinsic operations, arrays, allocatable arrays, complex numbers, operations of the user,
! task reductions. Compilers: gfortran.
module pairs
    implicit none
    type pair
        integer :: total = 0, largest = -1
    end type
contains
    pure type(pair) function joined(first, second)
        type(pair), intent(in) :: first, second
        joined = pair(first%total + second%total, max(first%largest, second%largest))
    end function
end module

program reductions
    use omp_lib
    use pairs
    implicit none
    logical :: failed = .false.
    integer :: round
    do round = 1, 10
        call operations()
        call arrays()
        call of_tasks()
    end do
    call finish()
contains
    include 'expect.inc'

    subroutine operations()
        integer :: i, total, smallest, largest, ones, zeros, flips
        integer(8) :: product
        logical :: any_of, all_of, even, odd
        real(8) :: sum_of
        complex(8) :: number
        type(pair) :: own
        !$omp declare reduction(join: pair: omp_out = joined(omp_out, omp_in)) initializer(omp_priv = pair())
        total = 10
        product = 1
        smallest = huge(1)
        largest = -huge(1)
        ones = 0
        zeros = not(0)
        flips = 0
        any_of = .false.
        all_of = .true.
        even = .true.
        odd = .false.
        sum_of = 0
        number = (1, 0)
        !$omp parallel do reduction(+: total, sum_of, number) reduction(*: product) reduction(min: smallest) &
        !$omp& reduction(max: largest) reduction(ior: ones) reduction(iand: zeros) reduction(ieor: flips) &
        !$omp& reduction(.or.: any_of) reduction(.and.: all_of) reduction(.eqv.: even) reduction(.neqv.: odd) &
        !$omp& reduction(join: own)
        do i = 1, 101
            total = total + i
            sum_of = sum_of + 0.5d0
            number = number + cmplx(i, -1, 8)
            if (mod(i, 25) == 0) product = product * 3
            smallest = min(smallest, i)
            largest = max(largest, i)
            ones = ior(ones, ishft(1, mod(i, 20)))
            zeros = iand(zeros, not(ishft(1, mod(i, 4))))
            flips = ieor(flips, 1)
            any_of = any_of .or. i == 77
            all_of = all_of .and. i /= 3
            even = even .eqv. .false.
            odd = odd .neqv. .true.
            own%total = own%total + 1
            own%largest = max(own%largest, mod(i * 7, 90))
        end do
        call expect_equal(total, 10 + 101 * 51, 'total')
        call expect(sum_of == 50.5d0, 'sum_of')
        call expect(number == cmplx(1 + 101 * 51, -101, 8), 'number')
        call expect(product == 81_8, 'product')
        call expect_equal(smallest, 1, 'smallest')
        call expect_equal(largest, 101, 'largest')
        call expect_equal(ones, 2**20 - 1, 'ones')
        call expect_equal(zeros, not(15), 'zeros')
        call expect_equal(flips, 1, 'flips')
        call expect(any_of .and. .not. all_of, 'any and all')
        call expect(odd .and. .not. even, 'odd and even')
        call expect_equal(own%total, 101, 'the total of the pair')
        call expect_equal(own%largest, 89, 'the largest of the pair')
    end subroutine

    subroutine arrays()
        integer :: i, fixed(8)
        real, allocatable :: allocated(:, :)
        allocate(allocated(3, 4))
        fixed = 1
        allocated = 0.5
        !$omp parallel do reduction(+: fixed, allocated) schedule(dynamic, 5)
        do i = 0, 799
            fixed(mod(i, 8) + 1) = fixed(mod(i, 8) + 1) + 1
            allocated(mod(i, 3) + 1, mod(i, 4) + 1) = allocated(mod(i, 3) + 1, mod(i, 4) + 1) + 1
        end do
        call expect(all(fixed == 101), 'the array')
        call expect(sum(allocated) == 806, 'the allocatable array')
        call expect(all(allocated >= 66 .and. allocated <= 68), 'its elements')
    end subroutine

    subroutine of_tasks()
        integer :: i, total
        total = 7
        !$omp parallel
        !$omp single
        !$omp taskgroup task_reduction(+: total)
        do i = 1, 100
            !$omp task in_reduction(+: total) firstprivate(i)
            total = total + i
            !$omp end task
        end do
        !$omp end taskgroup
        !$omp end single
        !$omp end parallel
        call expect_equal(total, 5057, 'the total of the tasks')
    end subroutine
end program
