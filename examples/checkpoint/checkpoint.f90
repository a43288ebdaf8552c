! Checkpoints of a simulation in scda files: checkpoint DIRECTORY STEPS [ABORT]. Copy it, and replace the simulation.
!
! The simulation continues from the newest checkpoint in the directory, on any number of ranks, and writes one every
! `every` steps. Two files take turns, so the two newest checkpoints are kept. Each appears under its name when it is
! complete: a job that is killed at any time leaves the older ones. ABORT is a step: the job ends while it writes that
! checkpoint, for tests. checkpoint.c and checkpoint.rs write the same bytes.
program checkpoint
    use, intrinsic :: iso_fortran_env, only: error_unit
    use mpi_f08
    use scda
    implicit none
    integer(c_int64_t), parameter :: cells_of_all = 1000, values = 3, every = 10, size_of_cell = 8 * values
    ! A known number, written as this computer has it in memory: a reader finds other bytes if its own order differs.
    integer(c_int64_t), parameter :: known = int(z'0102030405060708', c_int64_t)
    integer(c_int64_t), parameter :: none = -1, damaged = -2

    integer :: rank, ranks, q, slot, status
    integer(c_int64_t) :: first, step, steps, abort_at, found(0:1)
    integer(c_int64_t), allocatable :: n_q(:)
    real(c_double), allocatable, target :: cells(:, :)
    real(c_double) :: all
    character(len=1000) :: directory
    character(len=1020) :: paths(0:1)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    if (command_argument_count() < 2) error stop 2
    call get_command_argument(1, directory)
    steps = number_of(2)
    abort_at = -1
    if (command_argument_count() > 2) abort_at = number_of(3)
    allocate (n_q(0:ranks - 1))
    n_q = [(cells_of_all * (q + 1) / ranks - cells_of_all * q / ranks, q = 0, ranks - 1)]
    first = sum(n_q(:rank - 1))
    allocate (cells(values, n_q(rank)), source=0.0_c_double)

    ! The newest checkpoint, or the other one if that cannot be read.
    do slot = 0, 1
        write (paths(slot), '(2a, i0, a)') trim(directory), "/state.", slot, ".scda"
        found(slot) = load(paths(slot), .false.)
    end do
    slot = merge(1, 0, found(1) > found(0))
    step = none
    if (found(slot) >= 0) step = load(paths(slot), .true.)
    if (step < 0 .and. found(1 - slot) >= 0) then
        slot = 1 - slot
        step = load(paths(slot), .true.)
    end if
    if (step >= 0) then
        if (rank == 0) print '(3a, i0)', "continued from ", trim(paths(slot)), ", step ", step
    else if (all_none()) then
        step = 0
    else
        ! A simulation that began again would overwrite what may still be saved.
        if (rank == 0) write (error_unit, '(a)') "no checkpoint can be read"
        call MPI_Finalize()
        error stop 1, quiet=.true.
    end if

    status = 0
    do while (step < steps .and. status == 0)
        step = step + 1
        call simulate()
        if (mod(step, every) == 0) status = save(paths(mod(step / every, 2_c_int64_t)))
    end do
    call MPI_Reduce(sum(cells), all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
    if (rank == 0 .and. status == 0) print '(a, i0, a, f0.2)', "step ", step, ", sum ", all
    call MPI_Finalize()
    if (status /= 0) error stop 1, quiet=.true.

contains

    logical function all_none()
        all_none = found(0) == none .and. found(1) == none
    end function

    integer(c_int64_t) function number_of(argument)
        integer, intent(in) :: argument
        character(len=30) :: text
        call get_command_argument(argument, text)
        read (text, *) number_of
    end function

    ! One step of the simulation: each cell by itself, so the result does not depend on the number of ranks.
    subroutine simulate()
        integer(c_int64_t) :: i
        do i = 1, n_q(rank)
            cells(1, i) = cells(1, i) + real(step, c_double)
            cells(2, i) = cells(2, i) + 0.5_c_double * real(mod(first + i - 1, 16_c_int64_t), c_double)
            cells(3, i) = cells(3, i) - 0.25_c_double * real(step, c_double)
        end do
    end subroutine

    ! Prints the last error, on one rank: it is the same on all of them.
    subroutine report(path)
        character(len=*), intent(in) :: path
        if (rank == 0) write (error_unit, '(3a)') trim(path), ": ", scda_message()
    end subroutine

    ! Writes a checkpoint. Returns 0, or another number on all ranks.
    integer function save(path) result(failed)
        character(len=*), intent(in) :: path
        type(c_ptr) :: f
        type(scda_options) :: options
        integer(c_int) :: err
        character(kind=c_char), target :: line(scda_inline_size)
        integer(c_int64_t), target :: number
        number = step
        line = " "
        line(:8) = transfer(known, line(:8))
        line(scda_inline_size) = achar(10)
        options%replace = scda_replace_complete ! The file gets its name in scda_fclose.
        f = scda_fopen_mpi_f(MPI_COMM_WORLD%MPI_VAL, options, trim(path)//c_null_char, 'w', &
            "checkpoint"//c_null_char, err)
        if (c_associated(f)) f = scda_fwrite_inline(f, c_loc(line), "known number"//c_null_char, 0, err)
        if (c_associated(f)) f = scda_fwrite_block(f, c_loc(number), 8_c_int64_t, "step"//c_null_char, 0, 0, err)
        ! With 1 instead of the last 0, each cell is compressed, with a checksum: worth it for cells of 1 kB or more.
        if (c_associated(f)) f = scda_fwrite_array(f, c_loc(cells), n_q, size_of_cell, 0, "cells"//c_null_char, 0, err)
        if (c_associated(f) .and. step == abort_at .and. rank == ranks - 1) call MPI_Abort(MPI_COMM_WORLD, 9)
        failed = 1
        if (c_associated(f)) failed = scda_fclose(f, err)
        if (failed /= 0) call report(path)
    end function

    ! Reads the next header, which must be this one.
    subroutine header(f, letter, n, e, name)
        type(c_ptr), intent(inout) :: f
        character, intent(in) :: letter
        integer(c_int64_t), intent(in) :: n, e
        character(len=*), intent(in) :: name
        integer(c_int) :: err, decode
        integer(c_int64_t) :: found_n, found_e
        character(kind=c_char) :: section
        character(len=scda_userstr_size) :: userstr
        if (.not. c_associated(f)) return
        decode = 1
        f = scda_fread_section_header(f, section, found_n, found_e, userstr, decode, err)
        if (.not. c_associated(f)) return
        if (section == letter .and. found_n == n .and. found_e == e .and. scda_text(userstr) == name) return
        ! The same on all ranks, so all of them refuse.
        f = scda_frefuse(f, "this is no checkpoint of this program"//c_null_char, err)
    end subroutine

    ! Reads a checkpoint; without cells, only its step. Returns the step, none without a file, or damaged, on all ranks.
    integer(c_int64_t) function load(path, with_cells)
        character(len=*), intent(in) :: path
        logical, intent(in) :: with_cells
        type(c_ptr) :: f, room
        integer(c_int) :: err, failed
        character(len=scda_userstr_size) :: userstr
        character(kind=c_char), target :: line(scda_inline_size)
        integer(c_int64_t), target :: numbers(2)
        numbers = 0
        f = scda_fopen_f(MPI_COMM_WORLD%MPI_VAL, trim(path)//c_null_char, 'r', userstr, err)
        load = none
        if (.not. c_associated(f) .and. err == scda_err_no_file) return
        call header(f, 'I', 0_c_int64_t, 0_c_int64_t, "known number")
        if (c_associated(f)) f = scda_fread_inline_data(f, c_loc(line), 0, err)
        call header(f, 'B', 0_c_int64_t, 8_c_int64_t, "step")
        if (c_associated(f)) f = scda_fread_block_data(f, c_loc(numbers(2)), 8_c_int64_t, 0, err)
        call header(f, 'A', cells_of_all, size_of_cell, "cells")
        ! Without cells, this skips them, and finds whether the file is as long as it claims.
        room = c_null_ptr
        if (with_cells) room = c_loc(cells)
        if (c_associated(f)) f = scda_fread_array_data(f, room, n_q, size_of_cell, 0, err)
        load = damaged
        failed = 1
        if (c_associated(f)) failed = scda_fclose(f, err)
        if (failed /= 0) then
            call report(path)
            return
        end if
        if (rank == 0) numbers(1) = transfer(line(:8), numbers(1))
        call MPI_Bcast(numbers, 2, MPI_INTEGER8, 0, MPI_COMM_WORLD)
        if (numbers(1) == known) then
            load = numbers(2)
        else if (swapped(numbers(1)) == known) then
            if (rank == 0 .and. with_cells) print '(2a)', trim(path), ": from a computer with another order of bytes"
            if (with_cells) cells = reshape(transfer(swapped(transfer(cells, [0_c_int64_t])), cells), shape(cells))
            load = swapped(numbers(2))
        else if (rank == 0) then
            write (error_unit, '(2a)') trim(path), ": the known number is in no order of bytes"
        end if
    end function

    elemental integer(c_int64_t) function swapped(number)
        integer(c_int64_t), intent(in) :: number
        integer :: i
        swapped = 0
        do i = 0, 7
            swapped = ior(ishft(swapped, 8), ibits(number, 8 * i, 8))
        end do
    end function
end program
