! Waves run over a square of water. The program writes checkpoints and a history, and after a crash it continues from the
! newest checkpoint that is whole, to the same bytes.
!
! usage: waves DIRECTORY STEPS [STEP in which it stops as if it were killed]
program waves
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use dudley
  implicit none

  ! The layout has the dimensions in the order of C: height(nx, ny) is height[NY, NX] there.
  character(len=*), parameter :: nl = new_line('a')
  character(len=*), parameter :: state_layout = &
    '## The water after a step.' // nl // &
    '{' // nl // &
    '  NX : i8     ## cells along x' // nl // &
    '  NY : i8     ## cells along y' // nl // &
    '  step = i8   ## steps done' // nl // &
    '  time = f8   ## (s) time of this state' // nl // &
    '}' // nl // &
    'height = f8[NY, NX]      ## (m) height of the water' // nl // &
    'speed = f8[2, NY, NX]    ## (m/s) its speed, along x and along y' // nl // &
    'name = S1[16]            ## of the run' // nl
  character(len=*), parameter :: history_layout = &
    '## What is noted after each step.' // nl // &
    'NT : i8           ## steps noted' // nl // &
    'history [/' // nl // &
    '  time = f8       ## (s) time' // nl // &
    '  volume = f8     ## (m3) water in all cells' // nl // &
    '  middle = f4[3]  ## (m) height in the middle, and to its left and right' // nl // &
    ']*NT' // nl

  real(real64), parameter :: dt = 0.01_real64, gravity = 9.81_real64, depth = 2
  integer, parameter :: keep = 2, every = 10

  type :: water
    integer(int64) :: step = 0
    real(real64) :: time = 0
    character(len=16) :: name = 'a drop'
    real(real64), allocatable :: height(:, :)
    ! The last dimension is the direction.
    real(real64), allocatable :: speed(:, :, :)
  end type

  type(water) :: w
  type(dud_checkpoints) :: checkpoints
  type(dud_appender) :: history
  character(len=:), allocatable :: directory, latest
  integer(int64) :: steps, stopped, step

  call arguments(directory, steps, stopped)
  call dud_open(checkpoints, directory, keep, every)
  call dud_latest(checkpoints, step, latest)
  if (latest == '') then
    call begin(w)
    call create_history(directory // '/history.bd')
  else
    call read_state(w, latest // '/state.bd')
  end if
  print '(a, i0)', 'starts after step ', w%step

  call dud_open(history, directory // '/history.bd')
  do while (w%step < steps)
    call advance(w)
    call note(w, history)
    if (dud_due(checkpoints, w%step)) call checkpoint(w, checkpoints, history)
    ! Nothing is closed, and nothing is committed.
    if (w%step == stopped) call end_at_once()
  end do
  call dud_close(history)
  call write_state(w, directory // '/final.bd')
  call dud_close(checkpoints)

contains

  subroutine arguments(directory, steps, stopped)
    character(len=:), allocatable, intent(out) :: directory
    integer(int64), intent(out) :: steps, stopped
    character(len=1000) :: word
    if (command_argument_count() < 2) error stop 'usage: waves DIRECTORY STEPS [STEP in which it stops]'
    call get_command_argument(1, word)
    directory = trim(word)
    call get_command_argument(2, word)
    read (word, *) steps
    stopped = 0
    call get_command_argument(3, word)
    if (word /= '') read (word, *) stopped
  end subroutine

  ! Still water, and a drop that is about to fall into it.
  subroutine begin(w)
    type(water), intent(inout) :: w
    integer :: x, y
    allocate (w%height(40, 30), w%speed(40, 30, 2))
    w%speed = 0
    do y = 1, 30
      do x = 1, 40
        w%height(x, y) = depth + exp(-0.1_real64 * ((x - 12)**2 + (y - 15)**2))
      end do
    end do
  end subroutine

  subroutine advance(w)
    type(water), intent(inout) :: w
    integer :: nx, ny
    nx = size(w%height, 1)
    ny = size(w%height, 2)
    associate (h => w%height, u => w%speed(:, :, 1), v => w%speed(:, :, 2))
      u(2:, :) = u(2:, :) - dt * gravity * (h(2:, :) - h(:nx - 1, :))
      v(:, 2:) = v(:, 2:) - dt * gravity * (h(:, 2:) - h(:, :ny - 1))
      h(:nx - 1, :) = h(:nx - 1, :) - dt * depth * (u(2:, :) - u(:nx - 1, :))
      h(:, :ny - 1) = h(:, :ny - 1) - dt * depth * (v(:, 2:) - v(:, :ny - 1))
    end associate
    w%step = w%step + 1
    w%time = w%time + dt
  end subroutine

  ! The new file takes the place of one that is there in one step, when it is complete.
  ! The checksum is computed while the file is written.
  subroutine write_state(w, path, sum)
    type(water), intent(in) :: w
    character(len=*), intent(in) :: path
    type(dud_sum), intent(out), optional :: sum
    type(dud_plan) :: plan
    type(dud_writer) :: writer
    call dud_layout(plan, state_layout)
    call dud_param(plan, 'NX', size(w%height, 1))
    call dud_param(plan, 'NY', size(w%height, 2))
    call dud_checksum(plan)
    call dud_create(writer, plan, path, overwrite=.true.)
    call dud_write(writer, '/step', w%step)
    call dud_write(writer, '/time', w%time)
    call dud_write(writer, '/name', w%name)
    call dud_write(writer, '/height', w%height)
    call dud_write(writer, '/speed', w%speed)
    call dud_finish(writer, sum=sum)
    call dud_close(plan)
  end subroutine

  subroutine read_state(w, path)
    type(water), intent(inout) :: w
    character(len=*), intent(in) :: path
    type(dud_file) :: file
    call dud_open(file, path)
    call dud_read(file, '/step', w%step)
    call dud_read(file, '/time', w%time)
    call dud_read(file, '/name', w%name)
    call dud_get(file, '/height', w%height)
    call dud_get(file, '/speed', w%speed)
    call dud_close(file)
  end subroutine

  subroutine create_history(path)
    character(len=*), intent(in) :: path
    type(dud_plan) :: plan
    type(dud_writer) :: writer
    call dud_layout(plan, history_layout)
    call dud_param(plan, 'NT', 0)
    call dud_create(writer, plan, path, overwrite=.true.)
    call dud_finish(writer)
    call dud_close(plan)
  end subroutine

  ! A record of the history.
  subroutine note(w, history)
    type(water), intent(in) :: w
    type(dud_appender), intent(inout) :: history
    call dud_column(history, 'time', w%time)
    call dud_column(history, 'volume', sum(w%height))
    call dud_column(history, 'middle', real(w%height(19:21, 15), real32))
    call dud_push(history, '/history')
  end subroutine

  ! The history is durable before the checkpoint that counts on it; a restart cuts it back to that.
  subroutine checkpoint(w, checkpoints, history)
    type(water), intent(in) :: w
    type(dud_checkpoints), intent(in) :: checkpoints
    type(dud_appender), intent(in) :: history
    type(dud_draft) :: draft
    type(dud_sum) :: sum
    character(len=:), allocatable :: folder
    call dud_begin(draft, checkpoints, w%step, folder)
    call write_state(w, folder // '/state.bd', sum)
    call dud_checksum(draft, 'state.bd', sum)
    call dud_history(draft, 'history.bd', history, '/history')
    if (w%step == stopped) call end_at_once()
    call dud_publish(draft)
  end subroutine

  ! Ends the program as a signal that cannot be caught would.
  subroutine end_at_once()
    use, intrinsic :: iso_c_binding, only: c_int
    interface
      function raise(signal) bind(c) result(failed)
        import :: c_int
        integer(c_int), value :: signal
        integer(c_int) :: failed
      end function
    end interface
    integer(c_int), parameter :: sigkill = 9
    if (raise(sigkill) /= 0) error stop 'it was not killed'
  end subroutine
end program
