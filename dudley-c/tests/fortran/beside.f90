! Reads arrays that Python wrote, and writes what it sees of them. usage: beside FOLDER
program beside
  use, intrinsic :: iso_fortran_env
  use dudley
  implicit none
  character(len=1000) :: folder
  real(real64), allocatable :: one(:)
  integer(int32), allocatable :: two(:, :)
  real(real32), allocatable :: three(:, :, :)
  complex(real64), allocatable :: four(:, :, :, :)
  integer(int64), allocatable :: seven(:, :, :, :, :, :, :)
  type(dud_file) :: all, single
  integer :: unit
  call get_command_argument(1, folder)
  call dud_open(all, trim(folder) // '/all.h5')

  call open_npy('one')
  call dud_get(all, '/one', one)
  call seen('one.h5', shape(one), real(one(2), real64))
  write (unit) one
  call dud_get(single, '/one', one)
  call seen('one.npy', shape(one), real(one(2), real64))
  write (unit) one

  call open_npy('two')
  call dud_get(all, '/two', two)
  call seen('two.h5', shape(two), real(two(2, 1), real64))
  write (unit) two
  call dud_get(single, '/two', two)
  call seen('two.npy', shape(two), real(two(2, 1), real64))
  write (unit) two

  call open_npy('three')
  call dud_get(all, '/three', three)
  call seen('three.h5', shape(three), real(three(2, 1, 1), real64))
  write (unit) three
  call dud_get(single, '/three', three)
  call seen('three.npy', shape(three), real(three(2, 1, 1), real64))
  write (unit) three

  call open_npy('four')
  call dud_get(all, '/four', four)
  call seen('four.h5', shape(four), real(four(2, 1, 1, 1), real64))
  write (unit) four
  call dud_get(single, '/four', four)
  call seen('four.npy', shape(four), real(four(2, 1, 1, 1), real64))
  write (unit) four

  call open_npy('seven')
  call dud_get(all, '/seven', seven)
  call seen('seven.h5', shape(seven), real(seven(2, 1, 1, 1, 1, 1, 1), real64))
  write (unit) seven
  call dud_get(single, '/seven', seven)
  call seen('seven.npy', shape(seven), real(seven(2, 1, 1, 1, 1, 1, 1), real64))
  write (unit) seven
  close (unit)
  call dud_close(single)
  call dud_close(all)

contains

  subroutine open_npy(name)
    character(len=*), intent(in) :: name
    if (name /= 'one') call dud_close(single)
    call dud_open(single, trim(folder) // '/' // name // '.npy')
  end subroutine

  ! Writes a shape and the second element, and opens the file for all of them.
  subroutine seen(name, dims, second)
    character(len=*), intent(in) :: name
    integer, intent(in) :: dims(:)
    real(real64), intent(in) :: second
    integer :: text
    open (newunit=text, file=trim(folder) // '/' // name // '.txt', status='replace', action='write')
    write (text, '(*(i0, 1x))') dims
    write (text, '(f0.6)') second
    close (text)
    if (name /= 'one.h5') close (unit)
    open (newunit=unit, file=trim(folder) // '/' // name // '.raw', access='stream', form='unformatted', &
      status='replace', action='write')
  end subroutine

end program
