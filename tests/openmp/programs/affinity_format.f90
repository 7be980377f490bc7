! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The affinity format in Fortran: texts that end with blanks. Places with integers of both sizes. Compilers: gfortran.
program affinity_format
    use omp_lib
    implicit none
    logical :: failed = .false.
    character(20) :: text
    character(4) :: short
    integer :: ids(1024), length
    integer(8) :: wide_ids(1024)
    call omp_set_affinity_format('thread %n of %N')
    length = omp_get_affinity_format(text)
    call expect_equal(length, 15, 'the length of the format')
    call expect(text == 'thread %n of %N', 'the format')
    length = omp_capture_affinity(text, '')
    call expect_equal(length, 13, 'the length of the text')
    call expect(text == 'thread 0 of 1', 'the text')
    length = omp_capture_affinity(short, 'level %L  ')
    call expect_equal(length, 7, 'the length of another text')
    call expect(short == 'leve', 'a text that is too long')
    call expect(omp_get_num_places() > 0, 'there are places')
    call expect_equal(omp_get_place_num_procs(0_8), omp_get_place_num_procs(0), 'processors')
    call omp_get_place_proc_ids(0, ids)
    call omp_get_place_proc_ids(0_8, wide_ids)
    call expect(all(wide_ids(:omp_get_place_num_procs(0)) == ids(:omp_get_place_num_procs(0))), 'their numbers')
    call omp_get_partition_place_nums(ids)
    call omp_get_partition_place_nums(wide_ids)
    call expect(all(wide_ids(:omp_get_num_places()) == ids(:omp_get_num_places())), 'the partition')
    call expect_equal(omp_get_place_num(), 0, 'the place')
    call finish()
contains
    include 'expect.inc'
end program
