! Opens the stream of a file.ANY_COMMENT
subroutine PREFIX_open(s, path, MORE, ierrANY_ARGUMENT)
  type(PREFIX_stream), intent(out) :: s
  character(len=*), intent(in) :: path
  ! MORE
  integer, intent(out), optional :: ierr
  ! ANY
  integer :: iostat
  if (present(ierr)) ierr = 0
  open(newunit=s%unit, file=path, access='stream', form='unformatted', action='read', status='old', iostat=iostat)
  if (iostat /= 0) then
    call PREFIX_fail(s, path, 'it cannot be opened', ierr)
    return
  end if
  inquire(unit=s%unit, size=s%length)
  ! BEGIN
  call PREFIX_place(s, .true., ierr)
  if (PREFIX_failed(ierr)) call PREFIX_close(s)
end subroutine

! Closes the file. One that is not open stays so.
subroutine PREFIX_close(s)
  type(PREFIX_stream), intent(inout) :: s
  integer :: iostat
  if (s%unit /= -1) close(s%unit, iostat=iostat)
  s%unit = -1
end subroutine

