! Reads the first 16 bytes: the byte order, and where the layout begins.
subroutine PREFIX_begin(s, path, ierr)
  type(PREFIX_stream), intent(inout) :: s
  character(len=*), intent(in) :: path
  integer, intent(out), optional :: ierr
  character(len=8) :: signature
  integer(int64) :: address
  integer :: iostat
  if (present(ierr)) ierr = 0
  iostat = 0
  signature = ''
  if (s%length >= 16) read(s%unit, pos=1, iostat=iostat) signature
  s%big = signature(2:2) == '>'
  if (iostat /= 0 .or. signature /= PREFIX_signature(s%big)) then
    call PREFIX_fail(s, path, 'it does not begin as a finished stream', ierr)
    return
  end if
  call PREFIX_param(s, address, 'the address of the layout', 8_int64, 8, .false., s%big)
  if (address /= 0 .and. (address < 16 .or. address >= s%length)) then
    call PREFIX_fail(s, path, 'the address of its layout is not in it', ierr)
    return
  end if
  if (address /= 0) s%length = address
end subroutine

! What a stream of a byte order begins with.
pure function PREFIX_signature(big) result(signature)
  logical, intent(in) :: big
  character(len=8) :: signature
  signature = char(141) // merge('>', '<', big) // 'BD' // achar(13) // achar(10) // achar(26) // achar(10)
end function

