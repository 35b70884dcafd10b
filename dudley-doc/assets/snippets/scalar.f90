program get_$name$
  use, intrinsic :: iso_fortran_env
  implicit none
$note$  $ftype$ :: $name$
  integer :: unit
  open (newunit=unit, file=$file$, access="stream", form="unformatted", &
        status="old", action="read"$convert$)
  read (unit, pos=$address$_int64 + 1_int64) $name$
  close (unit)
  print *, $name$
end program
