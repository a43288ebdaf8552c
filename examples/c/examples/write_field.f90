! Writes a field of color vectors on 4x4x4x8 sites, in double precision: write_field FILE
program write_field
    use linkstream
    implicit none
    type(c_ptr) :: writer
    type(linkstream_new_file) :: new
    type(linkstream_new_field) :: how
    character(len=32), target :: datatype = 'USQCD_D3_ColorVector'//c_null_char
    ! In C, the axes are t, z, y, x, color.
    complex(c_double_complex), target :: psi(3, 4, 4, 4, 8)
    character(len=4096) :: path

    if (command_argument_count() /= 1) stop 'usage: write_field FILE'
    call get_command_argument(1, path)
    psi = (0, 0)
    psi(1, 1, 1, 1, 1) = (1, 0)

    new%dimensions = 4
    new%extents(1:4) = [4, 4, 4, 8]
    new%flags = linkstream_replace
    new%documents = linkstream_scidac
    if (linkstream_begin(path, new, writer) /= linkstream_ok) call fail('beginning the file')

    how%element = linkstream_f64
    how%datatype = c_loc(datatype)
    how%colors = 3
    how%items = 1       ! At a site
    how%components = 6  ! Real numbers in an item
    if (linkstream_write_field(writer, how, c_loc(psi), size(psi, kind=c_size_t)*16) /= linkstream_ok) call fail('writing')
    ! Now the file appears under its name.
    if (linkstream_writer_finish(writer) /= linkstream_ok) call fail('completing the file')

contains

    subroutine fail(doing)
        character(len=*), intent(in) :: doing
        write (*, '(3a)') doing, ': ', linkstream_message()
        stop 1
    end subroutine
end program
