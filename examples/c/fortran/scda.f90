! scda.h for Fortran 2003: files of sections that many processes write and read together. The C header documents the
! calls. Compile this file and scda_f.c with your program, and link with -lscda:
!
!     mpicc -I PREFIX/include -c PREFIX/include/scda_f.c
!     mpif90 PREFIX/include/scda.f90 program.f90 scda_f.o -L PREFIX/lib -lscda
!
! A program without MPI needs no scda_f.c: it opens files by scda_fopen_comm with c_null_ptr as communicator.
!
! The functions are the calls themselves: each returns the file, or c_null_ptr after an error, and sets err to 0 or to
! a code; scda_message is the sentence of the last error. Texts end with c_null_char: "name"//c_null_char. Room for a
! user string is a variable of scda_userstr_size characters; scda_text is the text in it. Data are c_loc(array), of a
! contiguous array with the attribute target, or c_null_ptr. Sizes are in bytes, and 8-byte integers; the array n_q has
! a number for each rank, in the order of the ranks.
module scda
    use, intrinsic :: iso_c_binding
    implicit none
    private :: last_error, scda_last_error, joined

    integer, parameter :: scda_userstr_size = 59, scda_inline_size = 32

    ! Codes. The first digit is the group.
    integer(c_int), parameter :: scda_success = 0, scda_err_format = 100, scda_err_version = 101, &
        scda_err_truncated = 102, scda_err_decode = 103, scda_err_limit = 104, scda_err_system = 200, &
        scda_err_no_file = 201, scda_err_access = 202, scda_err_no_space = 203, scda_err_bad_file = 204, &
        scda_err_io = 205, scda_err_memory = 206, scda_err_comm = 290, scda_err_argument = 300, &
        scda_err_sequence = 301, scda_err_different = 302, scda_err_defect = 390
    ! Values of options.
    integer(c_int), parameter :: scda_replace_complete = 0, scda_replace_at_once = 1, scda_replace_as_set = 2, &
        scda_unix = 0, scda_mime = 1, scda_level_store = -1, scda_level_default = 0, &
        scda_io_as_set = 0, scda_io_ranks = 1, scda_io_direct = 2

    type, bind(c) :: scda_options
        integer(c_size_t) :: struct_size = 72
        type(c_funptr) :: release = c_null_funptr
        type(c_ptr) :: vendor = c_null_ptr
        integer(c_int) :: style = 0, level = 0, strict = 0, replace = 0, keep = 0, io_engine = 0
        integer(c_int64_t) :: io_ranks = 0, io_buffer = 0, io_stripe = 0
    end type

    type, bind(c) :: last_error
        character(kind=c_char) :: rule(64), clause(128), message(824)
        integer(c_int64_t) :: offset
        integer(c_int) :: has_offset
    end type

    interface
        ! Opens a file for the ranks of a communicator: comm%MPI_VAL with mpi_f08, comm with mpi and mpif.h. The mode is
        ! 'w' or 'r'. Defined in scda_f.c.
        function scda_fopen_f(comm, filename, mode, userstr, err) bind(c) result(file)
            import :: c_char, c_int, c_ptr
            integer(c_int), value :: comm
            character(kind=c_char), intent(in) :: filename(*)
            character(kind=c_char), value :: mode
            character(kind=c_char) :: userstr(*)
            integer(c_int), intent(out) :: err
            type(c_ptr) :: file
        end function

        ! The same with options. Defined in scda_f.c.
        function scda_fopen_mpi_f(comm, options, filename, mode, userstr, err) bind(c) result(file)
            import :: c_char, c_int, c_ptr, scda_options
            integer(c_int), value :: comm
            type(scda_options), intent(in) :: options
            character(kind=c_char), intent(in) :: filename(*)
            character(kind=c_char), value :: mode
            character(kind=c_char) :: userstr(*)
            integer(c_int), intent(out) :: err
            type(c_ptr) :: file
        end function

        ! Opens a file in a serial program: comm is c_null_ptr.
        function scda_fopen_comm(comm, filename, mode, userstr, err) bind(c) result(file)
            import :: c_char, c_int, c_ptr
            type(c_ptr), value :: comm
            character(kind=c_char), intent(in) :: filename(*)
            character(kind=c_char), value :: mode
            character(kind=c_char) :: userstr(*)
            integer(c_int), intent(out) :: err
            type(c_ptr) :: file
        end function

        function scda_fclose(file, err) bind(c) result(failed)
            import :: c_int, c_ptr
            type(c_ptr), value :: file
            integer(c_int), intent(out) :: err
            integer(c_int) :: failed
        end function

        function scda_fwrite_inline(file, dbytes, userstr, root, err) bind(c) result(same)
            import :: c_char, c_int, c_ptr
            type(c_ptr), value :: file, dbytes
            character(kind=c_char), intent(in) :: userstr(*)
            integer(c_int), value :: root
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_fwrite_block(file, dbytes, e, userstr, root, encode, err) bind(c) result(same)
            import :: c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: file, dbytes
            integer(c_int64_t), value :: e
            character(kind=c_char), intent(in) :: userstr(*)
            integer(c_int), value :: root, encode
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_fwrite_array(file, dbytes, n_q, e, indirect, userstr, encode, err) bind(c) result(same)
            import :: c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: file, dbytes
            integer(c_int64_t), intent(in) :: n_q(*)
            integer(c_int64_t), value :: e
            integer(c_int), value :: indirect, encode
            character(kind=c_char), intent(in) :: userstr(*)
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_fwrite_varray(file, dbytes, n_q, e_i, s_q, indirect, userstr, encode, err) bind(c) result(same)
            import :: c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: file, dbytes
            integer(c_int64_t), intent(in) :: n_q(*), e_i(*), s_q(*)
            integer(c_int), value :: indirect, encode
            character(kind=c_char), intent(in) :: userstr(*)
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        ! section is 'I', 'B', 'A' or 'V', or c_null_char at the end of the file.
        function scda_fread_section_header(file, section, n, e, userstr, decode, err) bind(c) result(same)
            import :: c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: file
            character(kind=c_char), intent(out) :: section
            integer(c_int64_t), intent(out) :: n, e
            character(kind=c_char), intent(inout) :: userstr(*)
            integer(c_int), intent(inout) :: decode
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_fread_inline_data(file, dbytes, root, err) bind(c) result(same)
            import :: c_int, c_ptr
            type(c_ptr), value :: file, dbytes
            integer(c_int), value :: root
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_fread_block_data(file, dbytes, e, root, err) bind(c) result(same)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: file, dbytes
            integer(c_int64_t), value :: e
            integer(c_int), value :: root
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_fread_array_data(file, dbytes, n_q, e, indirect, err) bind(c) result(same)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: file, dbytes
            integer(c_int64_t), intent(in) :: n_q(*)
            integer(c_int64_t), value :: e
            integer(c_int), value :: indirect
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_fread_varray_sizes(file, e_i, n_q, err) bind(c) result(same)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: file
            integer(c_int64_t), intent(inout) :: e_i(*)
            integer(c_int64_t), intent(in) :: n_q(*)
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        ! s_q is c_null_ptr, or c_loc of the array with the number of bytes of each rank.
        function scda_fread_varray_data(file, dbytes, n_q, e_i, s_q, indirect, err) bind(c) result(same)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: file, dbytes, s_q
            integer(c_int64_t), intent(in) :: n_q(*), e_i(*)
            integer(c_int), value :: indirect
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_fskip(file, err) bind(c) result(same)
            import :: c_int, c_ptr
            type(c_ptr), value :: file
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        ! For layers above the library: message ends with c_null_char.
        function scda_frefuse(file, message, err) bind(c) result(same)
            import :: c_char, c_int, c_ptr
            type(c_ptr), value :: file
            character(kind=c_char), intent(in) :: message(*)
            integer(c_int), intent(out) :: err
            type(c_ptr) :: same
        end function

        function scda_ferror_string(err, errorstr, length) bind(c) result(failed)
            import :: c_char, c_int
            integer(c_int), value :: err
            character(kind=c_char), intent(inout) :: errorstr(*)
            integer(c_int), intent(inout) :: length
            integer(c_int) :: failed
        end function

        function scda_last_error() bind(c, name="linkstream_last_error") result(error)
            import :: c_ptr
            type(c_ptr) :: error
        end function
    end interface

contains

    ! The sentence of the last error of this thread, and its rule and clause, if it has them.
    function scda_message() result(message)
        character(len=:), allocatable :: message
        type(last_error), pointer :: error
        call c_f_pointer(scda_last_error(), error)
        message = joined(error%message)
        if (error%rule(1) /= c_null_char) message = message//" ("//joined(error%rule)//", "//joined(error%clause)//")"
    end function

    ! A user string that was read, without its zero bytes.
    function scda_text(userstr) result(text)
        character(len=*), intent(in) :: userstr
        character(len=:), allocatable :: text
        text = userstr(:index(userstr//c_null_char, c_null_char) - 1)
    end function

    ! A text of a structure.
    function joined(bytes) result(text)
        character(kind=c_char), intent(in) :: bytes(:)
        character(len=:), allocatable :: text
        character(len=size(bytes)) :: all
        integer :: i
        do i = 1, size(bytes)
            all(i:i) = bytes(i)
        end do
        text = scda_text(all)
    end function
end module
