! Heat flows through a plate that MPI ranks share: each has some columns. All ranks write one file, each its slice, and after
! a crash any number of ranks continues from the newest checkpoint that is whole, to the same bytes.
!
! usage: mpirun -n RANKS ranks DIRECTORY STEPS [STEP in which the last rank kills itself]
program ranks
  use, intrinsic :: iso_fortran_env, only: int8, int64, real64
  use mpi_f08
  use dudley
  implicit none

  ! The layout has the dimensions in the order of C: heat(nx, ny) is heat[NY, NX] there.
  character(len=*), parameter :: nl = new_line('a')
  character(len=*), parameter :: layout = &
    '## The plate after a step.' // nl // &
    'NX : i8            ## cells along x' // nl // &
    'NY : i8            ## cells along y' // nl // &
    'step = i8          ## steps done' // nl // &
    'heat = f8[NY, NX]  ## (K) temperature of each cell' // nl
  integer, parameter :: nx = 20, ny = 30, keep = 2, every = 10

  integer :: rank, count
  integer(int64) :: first, last, step, steps, killed
  ! The columns from first to last, and one beside them on either side.
  real(real64), allocatable :: heat(:, :)
  type(dud_checkpoints) :: checkpoints
  type(dud_plan) :: plan
  character(len=:), allocatable :: directory, latest

  call mpi_init()
  call mpi_comm_rank(mpi_comm_world, rank)
  call mpi_comm_size(mpi_comm_world, count)
  call arguments()
  first = int(rank, int64) * ny / count + 1
  last = int(rank + 1, int64) * ny / count
  allocate (heat(nx, first - 1:last + 1), source=300.0_real64)
  call dud_layout(plan, layout)
  call dud_param(plan, 'NX', nx)
  call dud_param(plan, 'NY', ny)
  call dud_checksum(plan)

  step = 0
  latest = ''
  ! One rank has the directory; all read from what it finds.
  if (rank == 0) then
    call dud_open(checkpoints, directory, keep, every)
    call dud_latest(checkpoints, step, latest)
    print '(a, i0, a, i0)', 'starts after step ', step, ', ranks: ', count
  end if
  call share(latest)
  if (latest /= '') call read_mine(latest // '/state.bd')

  do while (step < steps)
    call advance()
    if (mod(step, int(every, int64)) == 0) call checkpoint()
    if (step == killed .and. rank == count - 1) call end_at_once()
  end do
  call write_mine(directory // '/final.bd')
  if (rank == 0) call dud_close(checkpoints)
  call dud_close(plan)
  call mpi_finalize()

contains

  subroutine arguments()
    character(len=1000) :: word
    if (command_argument_count() < 2) error stop 'usage: ranks DIRECTORY STEPS [STEP in which the last rank kills itself]'
    call get_command_argument(1, word)
    directory = trim(word)
    call get_command_argument(2, word)
    read (word, *) steps
    killed = 0
    call get_command_argument(3, word)
    if (word /= '') read (word, *) killed
  end subroutine

  subroutine advance()
    real(real64) :: next(nx, first:last)
    integer(int64) :: x, y
    call exchange()
    next = heat(:, first:last)
    do y = max(first, 2_int64), min(last, ny - 1_int64)
      do x = 2, nx - 1
        next(x, y) = heat(x, y) + 0.1_real64 * (heat(x - 1, y) + heat(x + 1, y) + heat(x, y - 1) + heat(x, y + 1) &
          - 4 * heat(x, y))
      end do
    end do
    heat(:, first:last) = next
    ! A flame moves from column to column.
    y = 2 + mod(step, ny - 2_int64)
    if (y >= first .and. y <= last) heat(nx / 2, y) = heat(nx / 2, y) + 50
    step = step + 1
  end subroutine

  ! The columns beside those of this rank come from its neighbours.
  subroutine exchange()
    integer :: left, right
    left = merge(rank - 1, mpi_proc_null, rank > 0)
    right = merge(rank + 1, mpi_proc_null, rank < count - 1)
    call mpi_sendrecv(heat(:, last), nx, mpi_double_precision, right, 0, heat(:, first - 1), nx, mpi_double_precision, &
      left, 0, mpi_comm_world, mpi_status_ignore)
    call mpi_sendrecv(heat(:, first), nx, mpi_double_precision, left, 1, heat(:, last + 1), nx, mpi_double_precision, &
      right, 1, mpi_comm_world, mpi_status_ignore)
  end subroutine

  ! The checkpoint is published when all ranks have written their parts.
  subroutine checkpoint()
    type(dud_draft) :: draft
    type(dud_sum) :: sum
    character(len=:), allocatable :: folder
    folder = ''
    if (rank == 0) call dud_begin(draft, checkpoints, step, folder)
    call share(folder)
    call write_mine(folder // '/state.bd', sum)
    if (rank == 0) call dud_checksum(draft, 'state.bd', sum)
    if (rank == 0) call dud_publish(draft)
  end subroutine

  ! Writes one file: rank 0 begins and finishes it, and each rank writes its columns. Rank 0 has the checksum of all of it: what the
  ! others report of their columns has theirs.
  subroutine write_mine(path, sum)
    character(len=*), intent(in) :: path
    type(dud_sum), intent(out), optional :: sum
    type(dud_writer) :: writer
    integer(int8), allocatable :: written(:)
    integer :: from, length
    if (rank == 0) call dud_create(writer, plan, path, overwrite=.true., shared=.true.)
    call mpi_barrier(mpi_comm_world)
    if (rank > 0) call dud_join(writer, plan, path)
    if (rank == 0) call dud_write(writer, '/step', step)
    call dud_write(writer, '/heat', heat(:, first:last), start=[1_int64, first])
    if (step == killed .and. rank == count - 1) call end_at_once()
    if (rank > 0) then
      ! What is reported is durable.
      call dud_sync(writer)
      call dud_coverage(writer, written)
      call mpi_send(size(written), 1, mpi_integer, 0, 2, mpi_comm_world)
      call mpi_send(written, size(written), mpi_integer1, 0, 3, mpi_comm_world)
      call mpi_barrier(mpi_comm_world)
      call dud_abort(writer)
    else
      do from = 1, count - 1
        call mpi_recv(length, 1, mpi_integer, from, 2, mpi_comm_world, mpi_status_ignore)
        allocate (written(length))
        call mpi_recv(written, length, mpi_integer1, from, 3, mpi_comm_world, mpi_status_ignore)
        call dud_cover(writer, written)
        deallocate (written)
      end do
      call dud_finish(writer, sum=sum)
      call mpi_barrier(mpi_comm_world)
    end if
  end subroutine

  ! Reads the columns of this rank, however many ranks have written them.
  subroutine read_mine(path)
    character(len=*), intent(in) :: path
    type(dud_file) :: file
    call dud_open(file, path)
    call dud_read(file, '/step', step)
    call dud_read(file, '/heat', heat(:, first:last), start=[1_int64, first])
    call dud_close(file)
  end subroutine

  ! Gives a text of rank 0 to all.
  subroutine share(text)
    character(len=:), allocatable, intent(inout) :: text
    character(len=1000) :: room
    room = text
    call mpi_bcast(room, len(room), mpi_character, 0, mpi_comm_world)
    text = trim(room)
  end subroutine

  ! Ends this rank as a signal that cannot be caught would; MPI ends the others.
  subroutine end_at_once()
    use, intrinsic :: iso_c_binding, only: c_int
    interface
      function raise(signal) bind(c) result(failed)
        import :: c_int
        integer(c_int), value :: signal
        integer(c_int) :: failed
      end function
    end interface
    if (raise(9_c_int) /= 0) error stop 'it was not killed'
  end subroutine
end program
