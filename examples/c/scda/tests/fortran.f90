! The module scda with MPI: fortran DIRECTORY write|read|errors. The file is written on some ranks and read on others.
! Prints what is wrong.
program fortran
    use mpi_f08
    use scda
    implicit none
    integer(c_int64_t), parameter :: elements = 10, eight = 8
    integer :: ranks, rank, failures, failures_of_all
    integer(c_int64_t), allocatable, target :: n_q(:)
    integer(c_int64_t) :: first
    character(len=200) :: directory, what
    type(c_ptr) :: file
    integer(c_int) :: err, decode
    integer(c_int64_t) :: n, e
    character(len=scda_userstr_size) :: userstr
    character(kind=c_char) :: section

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call get_command_argument(1, directory)
    call get_command_argument(2, what)
    failures = 0
    allocate (n_q(0:ranks - 1))
    call divide()
    select case (what)
    case ("write")
        call write_sections()
    case ("read")
        call read_sections()
    case default
        call errors()
    end select
    call MPI_Allreduce(failures, failures_of_all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Finalize()
    if (failures_of_all /= 0) error stop 1

contains

    subroutine check(is_right, text)
        logical, intent(in) :: is_right
        character(len=*), intent(in) :: text
        if (is_right) return
        failures = failures + 1
        print '(a, i0, 4a)', "rank ", rank, ": ", text, " (last error: ", scda_message()//")"
    end subroutine

    ! All elements but one on the last rank.
    subroutine divide()
        n_q = 0
        n_q(ranks - 1) = elements
        if (ranks > 1) n_q(0) = 1
        if (ranks > 1) n_q(ranks - 1) = elements - 1
        first = sum(n_q(:rank - 1))
    end subroutine

    function path(name) result(text)
        character(len=*), intent(in) :: name
        character(len=:), allocatable :: text
        text = trim(directory)//"/"//name//c_null_char
    end function

    ! Element i has these three numbers.
    pure function element(i) result(numbers)
        integer(c_int64_t), intent(in) :: i
        real(c_double) :: numbers(3)
        numbers = [real(i, c_double), 0.5_c_double * i, -1.0_c_double]
    end function

    subroutine write_sections()
        integer :: i
        type(scda_options) :: options
        real(c_double), target :: field(3, n_q(rank))
        character(len=scda_inline_size), target :: line
        character(len=9), target :: block
        integer(c_int64_t), target :: sizes(max(1_c_int64_t, n_q(rank))), bytes(0:ranks - 1)
        real(c_double), target :: rows(2 * n_q(rank) + 1)
        integer :: length
        do i = 1, int(n_q(rank))
            field(:, i) = element(first + i)
        end do
        options%replace = scda_replace_complete
        file = scda_fopen_mpi_f(MPI_COMM_WORLD%MPI_VAL, options, path("f.scda"), 'w', "from Fortran"//c_null_char, err)
        call check(c_associated(file) .and. err == 0, "open")
        line = "32 bytes of an inline section  "//new_line("a")
        file = scda_fwrite_inline(file, c_loc(line), "line"//c_null_char, 0, err)
        block = "the block"
        file = scda_fwrite_block(file, c_loc(block), 9_c_int64_t, "block"//c_null_char, ranks - 1, 1, err)
        file = scda_fwrite_array(file, c_loc(field), n_q, 3 * eight, 0, "field"//c_null_char, 0, err)
        call check(c_associated(file) .and. err == 0, "array")
        ! Rows of different length: element i has mod(i, 3) numbers, all of them i.
        length = 0
        do i = 1, int(n_q(rank))
            rows(length + 1:length + mod(first + i, 3_c_int64_t)) = real(first + i, c_double)
            length = length + int(mod(first + i, 3_c_int64_t))
        end do
        sizes = [(mod(first + i, 3_c_int64_t) * eight, i = 1, max(1, int(n_q(rank))))]
        if (n_q(rank) == 0) sizes = 0
        call MPI_Allgather(sum(sizes), 1, MPI_INTEGER8, bytes, 1, MPI_INTEGER8, MPI_COMM_WORLD)
        file = scda_fwrite_varray(file, c_loc(rows), n_q, sizes, bytes, 0, "rows"//c_null_char, 0, err)
        call check(c_associated(file) .and. err == 0, "varray")
        call check(scda_fclose(file, err) == 0, "close")
    end subroutine

    subroutine header(letter, count, size_of_each, name)
        character, intent(in) :: letter
        integer(c_int64_t), intent(in) :: count, size_of_each
        character(len=*), intent(in) :: name
        decode = 1
        file = scda_fread_section_header(file, section, n, e, userstr, decode, err)
        call check(c_associated(file) .and. err == 0 .and. section == letter .and. n == count .and. &
            e == size_of_each .and. scda_text(userstr) == name, "header of "//name)
    end subroutine

    subroutine read_sections()
        integer :: i
        character(len=scda_inline_size), target :: line
        character(len=9), target :: block
        real(c_double), target :: field(3, n_q(rank))
        real(c_double), target :: rows(2 * n_q(rank) + 1)
        integer(c_int64_t), target :: sizes(max(1_c_int64_t, n_q(rank)))
        integer(c_int64_t) :: next
        file = scda_fopen_f(MPI_COMM_WORLD%MPI_VAL, path("f.scda"), 'r', userstr, err)
        call check(c_associated(file) .and. scda_text(userstr) == "from Fortran", "open")
        call header('I', 0_c_int64_t, 0_c_int64_t, "line")
        line = " "
        file = scda_fread_inline_data(file, c_loc(line), ranks - 1, err)
        call check(rank /= ranks - 1 .or. line(:8) == "32 bytes", "inline data")
        call header('B', 0_c_int64_t, 9_c_int64_t, "block")
        call check(decode == 1, "the block is compressed")
        file = scda_fread_block_data(file, c_loc(block), e, 0, err)
        call check(rank /= 0 .or. block == "the block", "block data")
        call header('A', elements, 3 * eight, "field")
        file = scda_fread_array_data(file, c_loc(field), n_q, e, 0, err)
        call check(c_associated(file) .and. err == 0, "array data")
        do i = 1, int(n_q(rank))
            call check(all(abs(field(:, i) - element(first + i)) <= 0), "element")
        end do
        call header('V', elements, 0_c_int64_t, "rows")
        file = scda_fread_varray_sizes(file, sizes, n_q, err)
        do i = 1, int(n_q(rank))
            call check(sizes(i) == mod(first + i, 3_c_int64_t) * eight, "size")
        end do
        rows = 0
        file = scda_fread_varray_data(file, c_loc(rows), n_q, sizes, c_null_ptr, 0, err)
        call check(c_associated(file) .and. err == 0, "varray data")
        do i = 1, int(n_q(rank))
            next = sum(sizes(:i - 1)) / eight
            call check(all(abs(rows(next + 1:next + sizes(i) / eight) - real(first + i, c_double)) <= 0), "row")
        end do
        file = scda_fread_section_header(file, section, n, e, userstr, decode, err)
        call check(c_associated(file) .and. section == c_null_char, "end")
        call check(scda_fclose(file, err) == 0, "close")
        ! The same file, skipped.
        file = scda_fopen_f(MPI_COMM_WORLD%MPI_VAL, path("f.scda"), 'r', userstr, err)
        call header('I', 0_c_int64_t, 0_c_int64_t, "line")
        file = scda_fskip(file, err)
        call check(scda_fclose(file, err) == 0, "close")
    end subroutine

    ! The last call has failed with this code, and its sentence has this part.
    subroutine fails(code, part, text)
        integer(c_int), intent(in) :: code
        character(len=*), intent(in) :: part, text
        character(len=:), allocatable :: message
        message = scda_message()
        call check(.not. c_associated(file) .and. err == code .and. index(message, part) > 0, text)
    end subroutine

    ! Every error is a code on all ranks, with a sentence.
    subroutine errors()
        type(scda_options) :: options
        integer(c_int) :: length, failed
        character(len=100) :: text
        file = scda_fopen_f(MPI_COMM_WORLD%MPI_VAL, path("none/f.scda"), 'r', userstr, err)
        call fails(scda_err_no_file, "none", "missing file")
        length = len(text)
        failed = scda_ferror_string(err, text, length)
        call check(failed == 0 .and. text(:length) == "there is no such file or directory", "text of the code")
        file = scda_fopen_f(MPI_COMM_NULL%MPI_VAL, path("f.scda"), 'r', userstr, err)
        call fails(scda_err_comm, "communicat", "no communicator")
        file = scda_fopen_f(MPI_COMM_WORLD%MPI_VAL, path("e.scda"), 'w', "e"//c_null_char, err)
        file = scda_fwrite_block(file, c_null_ptr, 3_c_int64_t, "b"//c_null_char, 0, 0, err)
        call fails(scda_err_argument, "dbytes", "no data")
        file = scda_fopen_f(MPI_COMM_WORLD%MPI_VAL, path("e.scda"), 'r', userstr, err)
        call fails(scda_err_format, "(scda-", "a file that was not closed")
        failed = scda_fclose(c_null_ptr, err)
        call check(failed /= 0 .and. err == scda_err_argument, "no file")
        ! The size of the options is that of C, and their members are at the same places.
        options%style = 7
        file = scda_fopen_mpi_f(MPI_COMM_WORLD%MPI_VAL, options, path("e.scda"), 'w', "e"//c_null_char, err)
        call fails(scda_err_argument, "style 7", "style")
        options%style = scda_mime
        options%replace = 9
        file = scda_fopen_mpi_f(MPI_COMM_WORLD%MPI_VAL, options, path("e.scda"), 'w', "e"//c_null_char, err)
        call fails(scda_err_argument, "replace", "replace")
        options%replace = scda_replace_at_once
        options%io_engine = 9
        file = scda_fopen_mpi_f(MPI_COMM_WORLD%MPI_VAL, options, path("e.scda"), 'w', "e"//c_null_char, err)
        call fails(scda_err_argument, "engine 9", "engine")
        options%io_engine = scda_io_direct
        ! Ranks that differ.
        if (ranks == 1) return
        file = scda_fopen_f(MPI_COMM_WORLD%MPI_VAL, path("e.scda"), 'w', achar(65 + rank)//c_null_char, err)
        call fails(scda_err_different, "userstr", "different user strings")
        options%io_stripe = rank
        file = scda_fopen_mpi_f(MPI_COMM_WORLD%MPI_VAL, options, path("e.scda"), 'w', "e"//c_null_char, err)
        call fails(scda_err_different, "io_stripe", "different stripes")
    end subroutine
end program
