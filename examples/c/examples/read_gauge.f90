! Reads a gauge field of SU(3), verified, into an array of complex numbers, and prints its plaquette: read_gauge FILE
program read_gauge
    use linkstream
    implicit none
    integer, parameter :: real64 = c_double
    type(c_ptr) :: file
    type(linkstream_field_info) :: field
    type(linkstream_read) :: how
    complex(c_double_complex), allocatable, target :: links(:, :, :, :, :, :, :)
    character(len=4096) :: path
    integer(c_int32_t) :: answer

    if (command_argument_count() /= 1) stop 'usage: read_gauge FILE'
    call get_command_argument(1, path)
    if (linkstream_open(path, file) /= linkstream_ok) call fail('opening')
    if (linkstream_field_get(file, 0_c_int64_t, field) /= linkstream_ok) call fail('the first field')
    if (field%is_gauge_field == 0 .or. field%colors /= 3 .or. field%items /= 4 .or. field%dimensions /= 4) then
        write (*, '(a)') 'the first field is not a gauge field of SU(3)'
        stop 1
    end if
    write (*, '(2a, 4(1x, i0))') linkstream_text(field%datatype), ', lattice', field%extents(1:4)

    ! In C, the axes are t, z, y, x, mu, row, column.
    associate (n => field%extents)
        allocate (links(3, 3, 4, n(1), n(2), n(3), n(4)))
    end associate
    how%element = linkstream_f64
    answer = linkstream_field_read(file, 0_c_int64_t, how, c_loc(links), size(links, kind=c_size_t)*16)
    if (answer < 0) call fail('reading')
    write (*, '(a)') merge('data: checksum OK', 'data: unverified ', answer == linkstream_ok)
    write (*, '(a, f11.9)') 'average plaquette ', plaquette()
    if (linkstream_file_close(file) /= linkstream_ok) call fail('closing')

contains

    subroutine fail(doing)
        character(len=*), intent(in) :: doing
        write (*, '(3a)') doing, ': ', linkstream_message()
        stop 1
    end subroutine

    ! The link at a site in a direction: row first, as in a textbook.
    function link(at, mu) result(u)
        integer, intent(in) :: at(4), mu
        complex(c_double_complex) :: u(3, 3)
        u = transpose(links(:, :, mu, at(1), at(2), at(3), at(4)))
    end function

    function next(at, mu) result(there)
        integer, intent(in) :: at(4), mu
        integer :: there(4)
        there = at
        there(mu) = modulo(at(mu), field%extents(mu)) + 1
    end function

    function plaquette() result(average)
        real(real64) :: average
        complex(c_double_complex) :: one(3, 3), other(3, 3)
        integer :: x, y, z, t, mu, nu, at(4)
        average = 0
        do t = 1, field%extents(4); do z = 1, field%extents(3); do y = 1, field%extents(2); do x = 1, field%extents(1)
            at = [x, y, z, t]
            do mu = 1, 3; do nu = mu + 1, 4
                one = matmul(link(at, mu), link(next(at, mu), nu))
                other = matmul(link(at, nu), link(next(at, nu), mu))
                average = average + real(sum(one*conjg(other)), real64)/3
            end do; end do
        end do; end do; end do; end do
        average = average/(6*real(field%sites, real64))
    end function
end program
