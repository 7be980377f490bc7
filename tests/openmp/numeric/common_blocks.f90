! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Common blocks that are threadprivate, copied into regions by copyin; nested tasks that work with them; reductions.
! Threads integrate a function with weights that a common block holds, and sort by tasks with work spaces of threads.
module quadrature
    use omp_lib
    implicit none
contains
    ! Gauss' points and weights for five points lie in a common block, scaled by the caller.
    real(8) function panel(left, right)
        real(8), intent(in) :: left, right
        real(8) :: points(5), weights(5), middle, half
        integer :: calls, i
        common /rule/ points, weights, calls
        !$omp threadprivate(/rule/)
        middle = (left + right) / 2
        half = (right - left) / 2
        panel = 0
        do i = 1, 5
            panel = panel + weights(i) * integrand(middle + half * points(i))
        end do
        panel = panel * half
        calls = calls + 1
    end function

    real(8) function integrand(x)
        real(8), intent(in) :: x
        integrand = exp(-x) * sin(10 * x)
    end function
end module

program common_blocks
    use quadrature
    implicit none
    real(8) :: points(5), weights(5)
    integer :: calls
    common /rule/ points, weights, calls
    !$omp threadprivate(/rule/)
    integer :: space(64), used
    common /workspace/ space, used
    !$omp threadprivate(/workspace/)
    logical :: failed = .false.
    character(1024) :: mode, file, text
    integer :: panels, threads

    call get_command_argument(1, mode)
    call get_command_argument(2, file)
    call get_command_argument(3, text)
    read (text, *) panels
    threads = omp_get_max_threads()
    call omp_set_dynamic(.false.)
    if (mode == 'compare') then
        open (10, file=file, access='stream', form='unformatted', status='old', action='read')
    else
        open (10, file=file, access='stream', form='unformatted', status='replace', action='write')
    end if

    call set_rule(1d0)
    call integrate()
    call by_tasks()
    call sort_by_tasks()
    call members_share()
    close (10)
    call finish()
contains
    include '../programs/expect.inc'

    ! As in results.h, with a tolerance that is relative to the number.
    subroutine result(name, value, tolerance)
        character(*), intent(in) :: name
        real(8), intent(in) :: value, tolerance
        real(8) :: other
        if (mode == 'compare') then
            read (10) other
            call expect(abs(value - other) <= tolerance * abs(other), name//' differs from the other runtime')
        else
            write (10) value
        end if
    end subroutine

    subroutine set_rule(factor)
        real(8), intent(in) :: factor
        real(8) :: inner, outer
        inner = sqrt(5 - 2 * sqrt(10d0 / 7)) / 3
        outer = sqrt(5 + 2 * sqrt(10d0 / 7)) / 3
        points = [-outer, -inner, 0d0, inner, outer]
        weights = factor * [(322 - 13 * sqrt(70d0)) / 900, (322 + 13 * sqrt(70d0)) / 900, 128d0 / 225, &
            (322 + 13 * sqrt(70d0)) / 900, (322 - 13 * sqrt(70d0)) / 900]
        calls = 0
    end subroutine

    real(8) function exact()
        exact = (10 - exp(-3d0) * (sin(30d0) + 10 * cos(30d0))) / 101
    end function

    ! A loop with a reduction; each thread counts its panels in its own block, and keeps it from region to region.
    subroutine integrate()
        real(8) :: points(5), weights(5)
        integer :: calls
        common /rule/ points, weights, calls
        !$omp threadprivate(/rule/)
        real(8) :: total
        integer :: i, round, all_calls, least, most
        do round = 1, 3
            call set_rule(real(round, 8))
            total = 0
            !$omp parallel do copyin(/rule/) reduction(+: total) schedule(static)
            do i = 1, panels
                total = total + panel(3d0 * (i - 1) / panels, 3d0 * i / panels)
            end do
            call expect(abs(total - round * exact()) < 1d-12 * round, 'the integral')
            call result('the integral', total, 1d-14)
            all_calls = 0
            least = huge(least)
            most = 0
            !$omp parallel reduction(+: all_calls) reduction(min: least) reduction(max: most)
            all_calls = all_calls + calls
            least = min(least, calls)
            most = max(most, calls)
            !$omp end parallel
            call expect_equal(all_calls, panels, 'the panels of all threads')
            call expect_equal(least, panels / threads, 'the panels of one thread')
            call expect_equal(most, (panels + threads - 1) / threads, 'the panels of another thread')
        end do
    end subroutine

    ! Nested tied tasks: halves of the interval. A task finds the rule in the block of the thread that runs it.
    subroutine by_tasks()
        real(8) :: points(5), weights(5)
        integer :: calls
        common /rule/ points, weights, calls
        !$omp threadprivate(/rule/)
        real(8) :: total
        integer :: all_calls
        call set_rule(2d0)
        all_calls = 0
        !$omp parallel copyin(/rule/) shared(total) reduction(+: all_calls)
        !$omp single
        total = halves(0d0, 3d0, panels)
        !$omp end single
        all_calls = all_calls + calls
        !$omp end parallel
        call expect(abs(total - 2 * exact()) < 1d-12, 'the integral by tasks')
        call expect_equal(all_calls, panels, 'the panels of all tasks')
        call result('the integral by tasks', total, 0d0)
    end subroutine

    recursive real(8) function halves(left, right, count) result(total)
        real(8), intent(in) :: left, right
        integer, intent(in) :: count
        real(8) :: first, second, middle
        integer :: in_first
        if (count == 1) then
            total = panel(left, right)
            return
        end if
        in_first = count / 2
        middle = left + (right - left) * in_first / count
        !$omp task shared(first) firstprivate(left, middle, in_first)
        first = halves(left, middle, in_first)
        !$omp end task
        !$omp task shared(second) firstprivate(middle, right, in_first, count) if (count > 16)
        second = halves(middle, right, count - in_first)
        !$omp end task
        !$omp taskwait
        total = first + second
    end function

    ! Merge sort; the leaves sort by insertion in the thread's work space, in which no task is left in the middle.
    subroutine sort_by_tasks()
        integer, allocatable :: numbers(:), other(:)
        integer :: i, state, all_used
        real(8) :: digest
        allocate (numbers(50 * panels), other(50 * panels))
        state = 12345
        do i = 1, size(numbers)
            state = modulo(state * 1103 + 7919, 1000003)
            numbers(i) = state
        end do
        used = 0
        all_used = 0
        !$omp parallel copyin(used) reduction(+: all_used)
        !$omp single
        call sort(numbers, other, 1, size(numbers))
        !$omp end single
        all_used = all_used + used
        !$omp end parallel
        call expect_equal(all_used, size(numbers), 'numbers through the work spaces')
        digest = 0
        do i = 1, size(numbers)
            if (i > 1) call expect(numbers(i - 1) <= numbers(i), 'the order')
            digest = digest + real(i, 8) * numbers(i)
        end do
        call result('the sorted numbers', digest, 0d0)
    end subroutine

    recursive subroutine sort(numbers, other, first, last)
        integer, intent(inout) :: numbers(:), other(:)
        integer, intent(in) :: first, last
        integer :: middle, i, j, k
        if (last - first < size(space)) then
            do i = first, last
                k = i - first
                do while (k > 0)
                    if (space(k) <= numbers(i)) exit
                    space(k + 1) = space(k)
                    k = k - 1
                end do
                space(k + 1) = numbers(i)
            end do
            numbers(first:last) = space(1:last - first + 1)
            used = used + last - first + 1
            return
        end if
        middle = (first + last) / 2
        !$omp taskgroup
        !$omp task shared(numbers, other) firstprivate(first, middle)
        call sort(numbers, other, first, middle)
        !$omp end task
        !$omp task shared(numbers, other) firstprivate(middle, last)
        call sort(numbers, other, middle + 1, last)
        !$omp end task
        !$omp end taskgroup
        i = first
        j = middle + 1
        do k = first, last
            if (j > last .or. (i <= middle .and. numbers(i) <= numbers(min(j, last)))) then
                other(k) = numbers(i)
                i = i + 1
            else
                other(k) = numbers(j)
                j = j + 1
            end if
        end do
        numbers(first:last) = other(first:last)
    end subroutine

    ! Tasks find the block of the thread that runs them: makes some until another thread has run one.
    subroutine members_share()
        integer :: i, maker
        logical :: is_shared
        if (threads == 1) return
        is_shared = .false.
        !$omp parallel private(i, maker)
        used = omp_get_thread_num()
        !$omp barrier
        !$omp single
        maker = used
        do while (.not. is_shared)
            do i = 1, 50
                !$omp task firstprivate(maker) shared(is_shared)
                if (used /= maker) then
                    !$omp atomic write
                    is_shared = .true.
                end if
                !$omp end task
            end do
            !$omp taskwait
        end do
        !$omp end single
        !$omp end parallel
        call expect(is_shared, 'tasks on two threads')
    end subroutine
end program
