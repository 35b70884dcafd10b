pure function dud_natural(value) result(found)
  integer(int64), intent(in) :: value
  integer(int64) :: found
  found = merge(dud_none, value, value < 0)
end function

! A sum of terms, of which those behind the first `plus` are taken away. Terms of either sign are taken in turn, so
! that only a sum that is past 64 bits is.
pure function dud_sum(terms, plus) result(total)
  integer(int64), intent(in) :: terms(:)
  integer, intent(in) :: plus
  integer(int64) :: total
  integer(int64) :: signed(size(terms))
  logical :: left(size(terms))
  integer :: turn, at
  total = dud_none
  if (any(terms == dud_none)) return
  signed(:plus) = terms(:plus)
  signed(plus + 1:) = -terms(plus + 1:)
  left = .true.
  total = 0
  do turn = 1, size(terms)
    if (total >= 0) then
      at = findloc(left .and. signed < 0, .true., dim=1)
    else
      at = findloc(left .and. signed >= 0, .true., dim=1)
    end if
    if (at == 0) at = findloc(left, .true., dim=1)
    left(at) = .false.
    if (total > 0 .and. signed(at) > huge(total) - max(total, 0_int64)) then
      total = dud_none
      return
    else if (total < 0 .and. signed(at) < -huge(total) - min(total, 0_int64)) then
      total = dud_none
      return
    end if
    total = total + signed(at)
  end do
end function

pure function dud_times(a, b) result(product)
  integer(int64), intent(in) :: a, b
  integer(int64) :: product
  product = dud_none
  if (a == dud_none .or. b == dud_none) return
  if (a == 0 .or. b == 0) then
    product = 0
  else if (abs(a) <= huge(a) / abs(b)) then
    product = a * b
  end if
end function

! A quotient that leaves no remainder.
pure function dud_quotient(a, b) result(quotient)
  integer(int64), intent(in) :: a, b
  integer(int64) :: quotient
  quotient = dud_none
  if (a == dud_none .or. b == dud_none .or. b == 0) return
  if (mod(a, b) == 0) quotient = a / b
end function

! A param and some more of it: 0 and -1 stay what they are.
pure function dud_more(value, by) result(found)
  integer(int64), intent(in) :: value, by
  integer(int64) :: found
  found = value
  if (value == dud_none .or. value == 0 .or. value == -1) return
  if (value > huge(value) - max(by, 0_int64)) then
    found = dud_none
  else
    found = dud_natural(value + by)
  end if
end function

pure function dud_add(a, b) result(total)
  integer(int64), intent(in) :: a, b
  integer(int64) :: total
  total = dud_none
  if (a < 0 .or. b < 0) return
  if (a <= huge(a) - b) total = a + b
end function

! How many elements there are: a dimension of -1 is not there.
pure function dud_count(dims) result(count)
  integer(int64), intent(in) :: dims(:)
  integer(int64) :: count
  integer :: dim
  count = 1
  if (any(dims < -1)) then
    count = dud_none
  else if (any(dims == 0)) then
    count = 0
  else
    do dim = 1, size(dims)
      if (dims(dim) /= -1 .and. count > 0) count = dud_natural(dud_times(count, dims(dim)))
    end do
  end if
end function

! Bytes of an array: none if a dimension is 0, whatever an element has.
pure function dud_bytes(dims, element) result(bytes)
  integer(int64), intent(in) :: dims(:), element
  integer(int64) :: bytes
  bytes = dud_count(dims)
  if (bytes /= 0) bytes = dud_natural(dud_times(bytes, dud_natural(element)))
end function

! Where an item goes: the next multiple, but nothing of no bytes is aligned.
pure function dud_align(cursor, to, bytes) result(place)
  integer(int64), intent(in) :: cursor, to, bytes
  integer(int64) :: place
  place = dud_none
  if (cursor < 0 .or. bytes < 0) return
  place = cursor
  if (bytes > 0) place = dud_add(cursor, mod(to - mod(cursor, to), to))
end function

pure function dud_greatest(ends) result(greatest)
  integer(int64), intent(in) :: ends(:)
  integer(int64) :: greatest
  greatest = max(0_int64, maxval(ends))
  if (any(ends == dud_none)) greatest = dud_none
end function

pure function dud_end(bytes, cursor) result(place)
  integer(int64), intent(in) :: bytes, cursor
  integer(int64) :: place
  place = cursor
  if (bytes == 0 .or. bytes == dud_none) place = bytes
end function

! Where the cursor stands before a repetition.
pure function dud_repeat(index, first, second, third) result(place)
  integer(int64), intent(in) :: index, first, second, third
  integer(int64) :: place
  place = dud_none
  if (index < 0) return
  if (index == 0) then
    place = dud_natural(first)
  else if (index == 1) then
    place = dud_natural(second)
  else if (second >= 0 .and. third >= 0) then
    place = dud_add(second, dud_natural(dud_times(index - 1, max(third - second, 0_int64))))
  end if
end function

! How often something of some bytes fits from a place on.
pure function dud_rest(finish, begin, bytes) result(count)
  integer(int64), intent(in) :: finish, begin, bytes
  integer(int64) :: count
  count = dud_none
  if (begin < 0 .or. bytes <= 0) return
  count = max(finish - begin, 0_int64) / bytes
end function

! Bytes from the first byte of an array to behind the last, whose indices are strides apart.
pure function dud_reach(dims, strides, element) result(bytes)
  integer(int64), intent(in) :: dims(:), strides(:), element
  integer(int64) :: bytes
  integer :: dim
  bytes = element
  do dim = 1, size(dims)
    if (dims(dim) == 0) then
      bytes = 0
      return
    end if
    if (dims(dim) /= -1) bytes = dud_add(bytes, dud_natural(dud_times(dims(dim) - 1, strides(dim))))
  end do
end function

! Bytes from the first element of an array to one of them, counted from 0 in the order of the stream.
pure function dud_offset(number, dims, strides) result(offset)
  integer(int64), intent(in) :: number, dims(:), strides(:)
  integer(int64) :: offset
  integer(int64) :: left, extent
  integer :: dim
  offset = 0
  left = number
  do dim = size(dims), 1, -1
    extent = max(dims(dim), 1_int64)
    offset = offset + mod(left, extent) * strides(dim)
    left = left / extent
  end do
end function

! Whether this machine is big-endian.
pure function dud_big() result(big)
  logical :: big
  integer(int8) :: bytes(2)
  bytes = transfer(1_int16, bytes)
  big = bytes(1) == 0
end function

! Reverses the bytes of each unit.
pure subroutine dud_swap(bytes, unit)
  integer(int8), intent(inout) :: bytes(:)
  integer, intent(in) :: unit
  integer(int64) :: at
  do at = 1, size(bytes, kind=int64) - unit + 1, unit
    bytes(at:at + unit - 1) = bytes(at + unit - 1:at:-1)
  end do
end subroutine
