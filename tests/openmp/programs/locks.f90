! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! critical, atomic and the locks of omp_lib in Fortran. Compilers: gfortran.
program locks
    use omp_lib
    implicit none
    integer, parameter :: turns = 200
    logical :: failed = .false.
    integer :: i, team, unnamed, named, counted, captured, largest, depth
    integer :: seen(0:16 * turns)
    real(8) :: total
    logical :: any_of
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nestable
    team = omp_get_max_threads()
    unnamed = 0
    named = 0
    !$omp parallel private(i)
    do i = 1, turns
        !$omp critical
        unnamed = unnamed + 1
        !$omp end critical
        !$omp critical (name)
        named = named + 1
        !$omp end critical (name)
    end do
    !$omp end parallel
    call expect_equal(unnamed, turns * team, 'the unnamed section')
    call expect_equal(named, turns * team, 'the named section')

    counted = 0
    largest = -1
    total = 0
    any_of = .false.
    seen = 0
    !$omp parallel private(i, captured) num_threads(4)
    do i = 1, turns
        !$omp atomic
        total = total + 0.5d0
        !$omp atomic update
        largest = max(largest, i)
        !$omp atomic
        any_of = any_of .or. i == turns
        !$omp atomic capture
        captured = counted
        counted = counted + 1
        !$omp end atomic
        seen(captured) = seen(captured) + 1
        !$omp atomic read
        captured = counted
        if (captured < i) failed = .true.
    end do
    !$omp end parallel
    call expect(total == 0.5d0 * turns * 4, 'the atomic sum')
    call expect_equal(largest, turns, 'the largest')
    call expect(any_of, 'the logical value')
    call expect(all(seen(:4 * turns - 1) == 1) .and. all(seen(4 * turns:) == 0), 'each number once')
    !$omp atomic write
    counted = 3
    call expect_equal(counted, 3, 'what was written')

    call omp_init_lock(lock)
    call omp_init_nest_lock(nestable)
    counted = 0
    named = 0
    !$omp parallel private(i, depth)
    do i = 1, turns
        call omp_set_lock(lock)
        counted = counted + 1
        call omp_unset_lock(lock)
        do while (.not. omp_test_lock(lock))
        end do
        counted = counted + 1
        call omp_unset_lock(lock)

        call omp_set_nest_lock(nestable)
        depth = omp_test_nest_lock(nestable)
        if (depth == 2) named = named + 1
        call omp_unset_nest_lock(nestable)
        call omp_unset_nest_lock(nestable)
    end do
    !$omp end parallel
    call expect_equal(counted, 2 * turns * team, 'what the lock protects')
    call expect_equal(named, turns * team, 'what the nestable lock protects')
    call omp_set_lock(lock)
    call expect(.not. omp_test_lock(lock), 'the lock is held')
    call omp_unset_lock(lock)
    call omp_destroy_lock(lock)
    call omp_destroy_nest_lock(nestable)
    call finish()
contains
    include 'expect.inc'
end program
