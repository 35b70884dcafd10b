! Creates a file for a stream, whose params are set, and writes them; `big` is the byte order of what the layout gives
! none. Until it is finished nothing takes it for a stream.
subroutine PREFIX_create(s, path, big, ierr)
  type(PREFIX_stream), intent(inout) :: s
  character(len=*), intent(in) :: path
  logical, intent(in) :: big
  integer, intent(out), optional :: ierr
  integer :: iostat
  if (present(ierr)) ierr = 0
  s%big = big
  s%put = .false.
  call PREFIX_place(s, .false., ierr)
  if (PREFIX_failed(ierr)) return
  s%length = END_OF_DATA
  if (s%length < SIGNATURE_BYTES) then
    call PREFIX_fail(s, path, 'with these params the size comes to no legal number', ierr)
    return
  end if
  open(newunit=s%unit, file=path, access='stream', form='unformatted', action='readwrite', status='replace', iostat=iostat)
  if (iostat == 0 .and. s%length > 0) write(s%unit, pos=s%length, iostat=iostat) 0_int8
  if (iostat /= 0) then
    call PREFIX_fail(s, path, 'it cannot be created', ierr)
    return
  end if
  s%writes = .true.
  ! PARAMS
  ! LEGAL
end subroutine

