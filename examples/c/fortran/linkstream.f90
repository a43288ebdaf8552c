! linkstream.h for Fortran 2003: files of lattice QCD. The C header documents the calls, their answers and the
! structures. Compile this file with your program, and link with -llinkstream.
!
! The interfaces with `bind(c)` are the calls themselves. Each structure has its size from the start. Numbers without
! sign of C are numbers with sign here. Arrays are passed as c_loc(array), with their size in bytes, and have the axes
! of C in reverse order: the links of SU(3) are complex links(column, row, mu, x, y, z, t).
module linkstream
    use, intrinsic :: iso_c_binding
    implicit none
    private :: c_text

    ! Answers.
    integer(c_int32_t), parameter :: linkstream_ok = 0, linkstream_unverified = 1, linkstream_doubtful = 2
    integer(c_int32_t), parameter :: linkstream_err_usage = -1, linkstream_err_system = -2, &
        linkstream_err_format = -3, linkstream_err_broken = -4, linkstream_err_checksum = -5, &
        linkstream_err_size = -6, linkstream_err_number = -7, linkstream_err_exists = -8, &
        linkstream_err_refused = -9, linkstream_err_cancelled = -10, linkstream_err_defect = -11
    ! Types of numbers, verdicts, documents and options.
    integer(c_int32_t), parameter :: linkstream_f32 = 1, linkstream_f64 = 2, linkstream_i32 = 3, linkstream_u8 = 4
    integer(c_int32_t), parameter :: linkstream_verdict_ok = 0, linkstream_verdict_unverified = 1, &
        linkstream_verdict_wrong = 2, linkstream_verdict_unreadable = 3
    integer(c_int32_t), parameter :: linkstream_both = 0, linkstream_ildg = 1, linkstream_scidac = 2
    integer(c_int32_t), parameter :: linkstream_replace = 1, linkstream_read_back = 2, &
        linkstream_checksum = 4, linkstream_global = 1

    type, bind(c) :: linkstream_error
        character(kind=c_char) :: rule(64), clause(128), message(824)
        integer(c_int64_t) :: offset
        integer(c_int) :: has_offset
    end type

    type, bind(c) :: linkstream_report_info
        integer(c_size_t) :: struct_size = 56
        integer(c_int64_t) :: bytes = 0, findings = 0, json_length = 0
        integer(c_int32_t) :: verdict = 0, is_ok = 0
        character(kind=c_char) :: format(16) = c_null_char
    end type

    type, bind(c) :: linkstream_file_info
        integer(c_size_t) :: struct_size = 64
        integer(c_int64_t) :: bytes = 0, fields = 0, records = 0, sections = 0, matrices = 0, warnings = 0
        integer(c_int32_t) :: format = 0, is_set = 0
    end type

    type, bind(c) :: linkstream_axis
        integer(c_int64_t) :: extent = 0
        character(kind=c_char) :: name(16) = c_null_char
    end type

    type, bind(c) :: linkstream_field_info
        integer(c_size_t) :: struct_size = 576
        integer(c_int64_t) :: bytes = 0, numbers = 0, sites = 0, bytes_per_site = 0, offset = 0
        integer(c_int32_t) :: element = 0, is_complex = 0, is_gauge_field = 0, has_checksum = 0
        integer(c_int32_t) :: colors = 0, spins = 0, items = 0, dimensions = 0, extents(8) = 0
        integer(c_int32_t) :: lattice_axes = 0, axes = 0
        type(linkstream_axis) :: axis(16)
        character(kind=c_char) :: datatype(72) = c_null_char
    end type

    type, bind(c) :: linkstream_read
        integer(c_size_t) :: struct_size = 48
        integer(c_int32_t) :: element = 0, reserved = 0
        integer(c_int64_t) :: first_slice = 0, slices = 0
        type(c_funptr) :: progress = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
    end type

    type, bind(c) :: linkstream_new_file
        integer(c_size_t) :: struct_size = 136
        integer(c_int32_t) :: flags = 0, documents = 0, dimensions = 0, extents(8) = 0, reserved = 0
        type(c_ptr) :: file_xml = c_null_ptr, lfn = c_null_ptr, date = c_null_ptr
        type(c_funptr) :: progress = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
        integer(c_int32_t) :: volumes(8) = 0, layout = 0, unused = 0
    end type

    type, bind(c) :: linkstream_new_archive
        integer(c_size_t) :: struct_size = 64
        integer(c_int32_t) :: flags = 0, element = 0, stored = 0, reserved = 0, extents(4) = 0
        type(c_ptr) :: lines = c_null_ptr
        type(c_funptr) :: progress = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
    end type

    type, bind(c) :: linkstream_new_gauge
        integer(c_size_t) :: struct_size = 40
        integer(c_int32_t) :: element = 0, stored = 0
        type(c_ptr) :: kind = c_null_ptr, record_xml = c_null_ptr, update = c_null_ptr
    end type

    type, bind(c) :: linkstream_new_field
        integer(c_size_t) :: struct_size = 56
        integer(c_int32_t) :: element = 0, stored = 0, flags = 0, colors = 0, spins = 0, items = 0, components = 0, &
            reserved = 0
        type(c_ptr) :: datatype = c_null_ptr, record_xml = c_null_ptr
    end type

    interface
        function linkstream_last_error() bind(c) result(error)
            import :: c_ptr
            type(c_ptr) :: error
        end function

        function linkstream_check_path(path, check, report) bind(c) result(answer)
            import :: c_char, c_ptr, c_int32_t
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), value :: check
            type(c_ptr), intent(out) :: report
            integer(c_int32_t) :: answer
        end function

        function linkstream_report_get(report, info) bind(c) result(answer)
            import :: c_ptr, c_int32_t, linkstream_report_info
            type(c_ptr), value :: report
            type(linkstream_report_info), intent(inout) :: info
            integer(c_int32_t) :: answer
        end function

        function linkstream_report_json(report) bind(c) result(json)
            import :: c_ptr
            type(c_ptr), value :: report
            type(c_ptr) :: json
        end function

        function linkstream_report_close(report) bind(c) result(answer)
            import :: c_ptr, c_int32_t
            type(c_ptr), value :: report
            integer(c_int32_t) :: answer
        end function

        function linkstream_open_path(path, file) bind(c) result(answer)
            import :: c_char, c_ptr, c_int32_t
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: file
            integer(c_int32_t) :: answer
        end function

        function linkstream_file_get(file, info) bind(c) result(answer)
            import :: c_ptr, c_int32_t, linkstream_file_info
            type(c_ptr), value :: file
            type(linkstream_file_info), intent(inout) :: info
            integer(c_int32_t) :: answer
        end function

        function linkstream_file_close(file) bind(c) result(answer)
            import :: c_ptr, c_int32_t
            type(c_ptr), value :: file
            integer(c_int32_t) :: answer
        end function

        function linkstream_field_get(file, index, info) bind(c) result(answer)
            import :: c_ptr, c_int32_t, c_int64_t, linkstream_field_info
            type(c_ptr), value :: file
            integer(c_int64_t), value :: index
            type(linkstream_field_info), intent(inout) :: info
            integer(c_int32_t) :: answer
        end function

        function linkstream_field_read(file, index, how, array, size) bind(c) result(answer)
            import :: c_ptr, c_int32_t, c_int64_t, c_size_t, linkstream_read
            type(c_ptr), value :: file
            integer(c_int64_t), value :: index
            type(linkstream_read), intent(in) :: how
            type(c_ptr), value :: array
            integer(c_size_t), value :: size
            integer(c_int32_t) :: answer
        end function

        function linkstream_create(path, how, writer) bind(c) result(answer)
            import :: c_char, c_ptr, c_int32_t, linkstream_new_file
            character(kind=c_char), intent(in) :: path(*)
            type(linkstream_new_file), intent(in) :: how
            type(c_ptr), intent(out) :: writer
            integer(c_int32_t) :: answer
        end function

        function linkstream_write_gauge(writer, how, links, size) bind(c) result(answer)
            import :: c_ptr, c_int32_t, c_size_t, linkstream_new_gauge
            type(c_ptr), value :: writer
            type(linkstream_new_gauge), intent(in) :: how
            type(c_ptr), value :: links
            integer(c_size_t), value :: size
            integer(c_int32_t) :: answer
        end function

        function linkstream_write_field(writer, how, numbers, size) bind(c) result(answer)
            import :: c_ptr, c_int32_t, c_size_t, linkstream_new_field
            type(c_ptr), value :: writer
            type(linkstream_new_field), intent(in) :: how
            type(c_ptr), value :: numbers
            integer(c_size_t), value :: size
            integer(c_int32_t) :: answer
        end function

        function linkstream_write_archive(path, how, links, size) bind(c) result(answer)
            import :: c_char, c_ptr, c_int32_t, c_size_t, linkstream_new_archive
            character(kind=c_char), intent(in) :: path(*)
            type(linkstream_new_archive), intent(in) :: how
            type(c_ptr), value :: links
            integer(c_size_t), value :: size
            integer(c_int32_t) :: answer
        end function

        function linkstream_writer_finish(writer) bind(c) result(answer)
            import :: c_ptr, c_int32_t
            type(c_ptr), value :: writer
            integer(c_int32_t) :: answer
        end function

        function linkstream_writer_discard(writer) bind(c) result(answer)
            import :: c_ptr, c_int32_t
            type(c_ptr), value :: writer
            integer(c_int32_t) :: answer
        end function
    end interface

contains

    ! Opens a file whose path is a text of Fortran, without the spaces at its end.
    function linkstream_open(path, file) result(answer)
        character(len=*), intent(in) :: path
        type(c_ptr), intent(out) :: file
        integer(c_int32_t) :: answer
        answer = linkstream_open_path(c_text(path), file)
    end function

    ! Begins a file in the same way.
    function linkstream_begin(path, how, writer) result(answer)
        character(len=*), intent(in) :: path
        type(linkstream_new_file), intent(in) :: how
        type(c_ptr), intent(out) :: writer
        integer(c_int32_t) :: answer
        answer = linkstream_create(c_text(path), how, writer)
    end function

    ! The sentence of the last error of this thread.
    function linkstream_message() result(message)
        character(len=:), allocatable :: message
        type(linkstream_error), pointer :: error
        call c_f_pointer(linkstream_last_error(), error)
        message = linkstream_text(error%message)
    end function

    ! A text of a structure, up to its zero byte.
    function linkstream_text(bytes) result(text)
        character(kind=c_char), intent(in) :: bytes(:)
        character(len=:), allocatable :: text
        integer :: i, length
        length = 0
        do while (length < size(bytes))
            if (bytes(length + 1) == c_null_char) exit
            length = length + 1
        end do
        allocate (character(len=length) :: text)
        do i = 1, length
            text(i:i) = bytes(i)
        end do
    end function

    function c_text(text) result(bytes)
        character(len=*), intent(in) :: text
        character(len=:, kind=c_char), allocatable :: bytes
        bytes = trim(text)//c_null_char
    end function
end module
