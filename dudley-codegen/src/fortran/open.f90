! Opens the stream of a file.
subroutine PREFIX_open(s, path, ierr)
  type(PREFIX_stream), intent(out) :: s
  character(len=*), intent(in) :: path
  integer, intent(out), optional :: ierr
  character(len=8) :: signature
  integer(int64) :: address
  integer :: iostat
  if (present(ierr)) ierr = 0
  open(newunit=s%unit, file=path, access='stream', form='unformatted', action='read', status='old', iostat=iostat)
  if (iostat /= 0) then
    call PREFIX_fail(s, path, 'it cannot be opened', ierr)
    return
  end if
  inquire(unit=s%unit, size=s%length)
  signature = ''
  if (s%length >= 16) read(s%unit, pos=1, iostat=iostat) signature
  s%big = signature(2:2) == '>'
  if (iostat /= 0 .or. signature /= PREFIX_signature(s%big)) then
    close(s%unit)
    call PREFIX_fail(s, path, 'it does not begin as a finished stream', ierr)
    return
  end if
  call PREFIX_param(s, address, 'the address of the layout', 8_int64, 8, .false., s%big)
  if (address /= 0 .and. (address < 16 .or. address >= s%length)) then
    close(s%unit)
    call PREFIX_fail(s, path, 'the address of its layout is not in it', ierr)
    return
  end if
  if (address /= 0) s%length = address
  call PREFIX_place(s, .true.)
end subroutine

! What a stream of a byte order begins with.
pure function PREFIX_signature(big) result(signature)
  logical, intent(in) :: big
  character(len=8) :: signature
  signature = char(141) // merge('>', '<', big) // 'BD' // achar(13) // achar(10) // achar(26) // achar(10)
end function

! Closes the file.
subroutine PREFIX_close(s)
  type(PREFIX_stream), intent(inout) :: s
  close(s%unit)
  s%unit = -1
end subroutine

