! Files that Fortran programs write: plain records, a snapshot as Gadget-2 writes it, a trajectory as CHARMM does.
program records
  implicit none
  integer, parameter :: i4 = selected_int_kind(9)
  real(8) :: a(3) = [0.5d0, 1.5d0, -2d0], b(0), c(1) = [7d0]
  integer(i4) :: counts(6) = [3, 2, 0, 0, 1, 0], i, frame
  real(4) :: pos(3, 6), x(4)
  character(80) :: line
  integer(i4) :: control(20)

  open(1, file='records.bin', form='unformatted', access='sequential')
  write(1) a
  write(1) b
  write(1) c
  close(1)

  open(1, file='snapshot', form='unformatted', access='sequential')
  write(1) counts, [(0.25d0 * i, i = 0, 5)], 0.5d0, 1d0, 0_i4, 0_i4, counts, 0_i4, 1_i4, &
    25d0, 0.3d0, 0.7d0, 0.7d0, [(0_i4, i = 1, 24)]
  pos = reshape([(real(i, 4) / 2, i = 1, 18)], [3, 6])
  write(1) pos
  write(1) -pos
  write(1) [(int(100 + i, i4), i = 1, 6)]
  close(1)

  do i = 0, 1
    if (i == 0) open(1, file='plain.dcd', form='unformatted', access='sequential')
    if (i == 1) open(1, file='cell.dcd', form='unformatted', access='sequential')
    control = 0
    control(1:4) = [3, 0, 10, 30]
    control(10) = transfer(0.5, 1_i4)
    control(11) = i
    control(20) = 24
    write(1) 'CORD', control
    line = 'a trajectory'
    write(1) 2_i4, line, line
    write(1) 4_i4
    do frame = 1, 3
      if (i == 1) write(1) 10d0, 90d0, 11d0, 90d0, 90d0, 12d0 + frame
      x = [1.0, 2.0, 3.0, 4.0] * frame
      write(1) x
      write(1) -x
      write(1) x / 2
    end do
    close(1)
  end do
end program
