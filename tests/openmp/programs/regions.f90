! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Regions in Fortran: nested ones, firstprivate and private arrays, allocatable and pointer variables, copyin, and a
! reduction. Compilers: gfortran.
module own_data
    implicit none
    integer, save :: number = 5
    real, save :: table(10) = 0
    !$omp threadprivate(number, table)
end module

program regions
    use omp_lib
    use own_data
    implicit none
    logical :: failed = .false.
    call nested()
    call arrays(7)
    call own_copies()
    call finish()
contains
    include 'expect.inc'

    subroutine nested()
        integer :: leaves, outer
        leaves = 0
        call omp_set_max_active_levels(2)
        !$omp parallel num_threads(2) private(outer) shared(leaves)
        outer = omp_get_thread_num()
        !$omp parallel num_threads(3) firstprivate(outer) shared(leaves)
        call expect_equal(omp_get_num_threads(), 3, 'the inner team')
        call expect_equal(omp_get_ancestor_thread_num(1), outer, 'the ancestor')
        call expect_equal(omp_get_level(), 2, 'the level')
        !$omp atomic
        leaves = leaves + 1
        !$omp end parallel
        !$omp end parallel
        call expect_equal(leaves, 6, 'leaves')
        call omp_set_max_active_levels(1)
    end subroutine

    subroutine arrays(length)
        integer, intent(in) :: length
        integer :: automatic(length), total
        integer, allocatable :: allocated(:)
        integer, pointer :: pointed(:)
        integer, target :: target_of(4)
        allocate(allocated(5))
        automatic = 3
        allocated = 4
        target_of = 5
        pointed => target_of
        total = 0
        !$omp parallel firstprivate(automatic, allocated, pointed) reduction(+: total)
        automatic(length) = automatic(length) + omp_get_thread_num()
        allocated(5) = allocated(5) + omp_get_thread_num()
        !$omp barrier
        total = sum(automatic) - 3 * length + sum(allocated) - 20
        call expect_equal(size(allocated), 5, 'the size of the copy')
        call expect(associated(pointed, target_of), 'the copy of the pointer')
        !$omp end parallel
        call expect_equal(total, omp_get_max_threads() * (omp_get_max_threads() - 1), 'total')
        call expect_equal(sum(automatic) + sum(allocated), 3 * length + 20, 'the originals')
    end subroutine

    subroutine own_copies()
        integer :: round, me, first, second
        common /block/ first, second
        !$omp threadprivate(/block/)
        do round = 1, 20
            number = round
            table = real(round)
            first = -round
            second = 2 * round
            !$omp parallel private(me) copyin(number, table, /block/)
            me = omp_get_thread_num()
            call expect_equal(number, round, 'number')
            call expect(all(table == real(round)), 'table')
            call expect_equal(first, -round, 'first')
            call expect_equal(second, 2 * round, 'second')
            number = me
            second = 100 + me
            !$omp barrier
            call expect_equal(number, me, 'number of its own')
            !$omp end parallel
            ! The values stay with the threads.
            !$omp parallel private(me)
            me = omp_get_thread_num()
            call expect_equal(number, me, 'number in the next region')
            call expect_equal(second, 100 + me, 'second in the next region')
            !$omp end parallel
        end do
    end subroutine
end program
