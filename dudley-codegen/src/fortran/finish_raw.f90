! Names an item that was not written (those in lists are not looked at), or closes the file.
subroutine PREFIX_finish(s, ierr)
  type(PREFIX_stream), intent(inout) :: s
  integer, intent(out), optional :: ierr
  integer :: iostat
  if (present(ierr)) ierr = 0
  if (s%unit == -1 .or. .not. s%writes) then
    call PREFIX_fail(s, '/', 'no stream is being written', ierr)
    return
  end if
  ! WANTED
  close(s%unit, iostat=iostat)
  if (iostat /= 0) call PREFIX_fail(s, '/', 'the file cannot be written', ierr)
  s%unit = -1
end subroutine

