! Names an item that was not written (those in lists are not looked at), or makes the file a stream and closes it.
subroutine PREFIX_finish(s, ierr)
  type(PREFIX_stream), intent(inout) :: s
  integer, intent(out), optional :: ierr
  integer(int64) :: at
  integer :: iostat
  if (present(ierr)) ierr = 0
  if (s%unit == -1 .or. .not. s%writes) then
    call PREFIX_fail(s, '/', 'no stream is being written', ierr)
    return
  end if
  ! WANTED
  at = s%length + 1
  iostat = 0
  ! ATTACHED
  if (iostat == 0) flush(s%unit, iostat=iostat)
  if (iostat == 0) then
    call PREFIX_put_param(s, s%length, 'the address of the layout', 8_int64, 8, .false., s%big, ierr)
    if (PREFIX_failed(ierr)) return
    write(s%unit, pos=1, iostat=iostat) PREFIX_signature(s%big)
  end if
  if (iostat == 0) close(s%unit, iostat=iostat)
  if (iostat /= 0) call PREFIX_fail(s, '/', 'the file cannot be written', ierr)
  s%unit = -1
end subroutine

! Writes part of the layout.
subroutine PREFIX_line(s, text, at, iostat)
  type(PREFIX_stream), intent(in) :: s
  character(len=*), intent(in) :: text
  integer(int64), intent(inout) :: at
  integer, intent(inout) :: iostat
  if (iostat /= 0) return
  write(s%unit, pos=at, iostat=iostat) text
  at = at + len(text, int64)
end subroutine

