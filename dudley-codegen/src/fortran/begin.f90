! Reads the first 16 bytes: the byte order, and where the layout begins.
subroutine PREFIX_begin(s, path, ierr, any_layout)
  type(PREFIX_stream), intent(inout) :: s
  character(len=*), intent(in) :: path
  integer, intent(out), optional :: ierr
  logical, intent(in), optional :: any_layout
  logical :: is_same
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
  if (address == 0) return
  s%length = address
  if (present(any_layout)) then
    if (any_layout) return
  end if
  is_same = .true.
  address = address + 1
  ! A byte order mark may stand before the text.
  read(s%unit, pos=address, iostat=iostat) signature(:3)
  if (iostat == 0 .and. signature(:3) == char(239) // char(187) // char(191)) address = address + 3
  ! SAME
  if (.not. is_same) call PREFIX_fail(s, path, 'the stream carries another layout', ierr)
end subroutine

! Whether part of the layout that a stream carries is this text.
subroutine PREFIX_compare(s, text, at, is_same)
  type(PREFIX_stream), intent(in) :: s
  character(len=*), intent(in) :: text
  integer(int64), intent(inout) :: at
  logical, intent(inout) :: is_same
  character(len=len(text)) :: found
  integer :: iostat
  if (.not. is_same) return
  read(s%unit, pos=at, iostat=iostat) found
  is_same = iostat == 0 .and. found == text
  at = at + len(text, int64)
end subroutine

! Whether what stands here, behind the text, is no more of the last item: neither a suffix nor attributes.
subroutine PREFIX_ends(s, at, is_same)
  type(PREFIX_stream), intent(in) :: s
  integer(int64), intent(in) :: at
  logical, intent(inout) :: is_same
  character(len=1) :: found, next
  integer(int64) :: here
  integer :: iostat
  logical :: is_comment
  if (.not. is_same) return
  is_comment = .false.
  here = at
  do
    read(s%unit, pos=here, iostat=iostat) found
    if (iostat /= 0) return
    here = here + 1
    next = ' '
    if (scan(found, '#-') > 0) read(s%unit, pos=here, iostat=iostat) next
    if (found == achar(10) .or. found == achar(13)) then
      is_comment = .false.
    else if (.not. is_comment .and. found == '#' .and. next /= ':') then
      is_comment = .true.
    else if (.not. is_comment .and. found /= ' ' .and. found /= achar(9)) then
      is_same = scan(found, '#[]{}@%*+,>') == 0 .and. .not. (found == '-' .and. next == '>')
      return
    end if
  end do
end subroutine

! What a stream of a byte order begins with.
pure function PREFIX_signature(big) result(signature)
  logical, intent(in) :: big
  character(len=8) :: signature
  signature = char(141) // merge('>', '<', big) // 'BD' // achar(13) // achar(10) // achar(26) // achar(10)
end function

