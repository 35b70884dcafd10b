! An error: the caller gets it, or the program ends.
subroutine PREFIX_fail(s, path, why, ierr)
  type(PREFIX_stream), intent(inout) :: s
  character(len=*), intent(in) :: path, why
  integer, intent(out), optional :: ierr
  s%error = path // ': ' // why
  if (.not. present(ierr)) error stop trim(s%error)
  ierr = 1
end subroutine

! Whether something failed before.
pure function PREFIX_failed(ierr) result(failed)
  integer, intent(in), optional :: ierr
  logical :: failed
  failed = .false.
  if (present(ierr)) failed = ierr /= 0
end function

! Whether bytes of an item are there.
subroutine PREFIX_range(s, path, address, bytes, ierr)
  type(PREFIX_stream), intent(inout) :: s
  character(len=*), intent(in) :: path
  integer(int64), intent(in) :: address, bytes
  integer, intent(out), optional :: ierr
  character(len=80) :: place
  if (present(ierr)) ierr = 0
  if (address < 0 .or. bytes < 0) then
    call PREFIX_fail(s, path, 'its place or size comes to no legal number', ierr)
  else if (bytes > 0 .and. (address > s%length .or. bytes > s%length - address)) then
    write(place, '(i0, a, i0, a, i0)') bytes, ' bytes at address ', address, ', but the stream ends at ', s%length
    call PREFIX_fail(s, path, trim(place), ierr)
  end if
end subroutine

! Reads a param; one that cannot be had has no legal number.
subroutine PREFIX_param(s, value, path, address, bytes, is_signed, big)
  type(PREFIX_stream), intent(inout) :: s
  integer(int64), intent(inout) :: value
  character(len=*), intent(in) :: path
  integer(int64), intent(in) :: address
  integer, intent(in) :: bytes
  logical, intent(in) :: is_signed, big
  integer(int8) :: found(bytes)
  integer :: at, ierr
  value = dud_none
  call PREFIX_range(s, path, address, int(bytes, int64), ierr)
  if (ierr /= 0) return
  read(s%unit, pos=address + 1, iostat=ierr) found
  if (ierr /= 0) return
  if (.not. big) found = found(bytes:1:-1)
  if (bytes == 8 .and. .not. is_signed .and. found(1) < 0) return
  value = found(1)
  if (.not. is_signed) value = iand(value, 255_int64)
  do at = 2, bytes
    value = ior(ishft(value, 8), iand(int(found(at), int64), 255_int64))
  end do
  if (value < -1) value = dud_none
end subroutine

! Writes a param.
subroutine PREFIX_put_param(s, value, path, address, bytes, is_signed, big, ierr)
  type(PREFIX_stream), intent(inout) :: s
  integer(int64), intent(in) :: value
  character(len=*), intent(in) :: path
  integer(int64), intent(in) :: address
  integer, intent(in) :: bytes
  logical, intent(in) :: is_signed, big
  integer, intent(out), optional :: ierr
  integer(int8) :: given(bytes)
  integer(int64) :: byte, left
  integer :: at, bits, iostat
  call PREFIX_range(s, path, address, int(bytes, int64), ierr)
  if (PREFIX_failed(ierr)) return
  bits = min(8 * bytes - merge(1, 0, is_signed), 63)
  left = 0
  if (bits < 63) left = ishft(max(value, 0_int64), -bits)
  if (left > 0 .or. value < merge(-1, 0, is_signed)) then
    call PREFIX_fail(s, path, 'the value of the param does not fit its type', ierr)
    return
  end if
  do at = 1, bytes
    byte = ibits(value, 8 * (at - 1), 8)
    given(at) = int(merge(byte - 256, byte, byte > 127), int8)
  end do
  if (big) given = given(bytes:1:-1)
  write(s%unit, pos=address + 1, iostat=iostat) given
  if (iostat /= 0) call PREFIX_fail(s, path, 'it cannot be written', ierr)
end subroutine

