! Wrong calls of generated modules: each is an error with a text.
program main
  use t
  use u, only: u_stream, u_open, u_close, u_create, u_finish, u_k_put, u_k_get
  use, intrinsic :: iso_fortran_env, only: int32, real64
  implicit none
  type(t_stream) :: s
  type(u_stream) :: w
  type(t_cell) :: r(2)
  type(t_cell), allocatable :: rs(:)
  real(real64), allocatable :: x(:)
  integer(int32) :: n
  integer :: e
  r(:)%a = 1
  r(:)%b = 2
  call t_close(s)
  call t_n_get(s, n, e); call wrong('get of what is not open')
  call t_n_put(s, 1_int32, e); call wrong('put to what is not open')
  call t_finish(s, e); call wrong('finish of what is not open')
  call t_open(s, 'no such file', e); call wrong('open of no file')
  call t_close(s)
  s%n = -7
  call t_create(s, 't.bd', .false., e); call wrong('create of no size')
  s%n = 2
  call t_create(s, 'no/such/folder', .false., e); call wrong('create in no folder')
  call t_create(s, 't.bd', .false.)
  call t_x_put(s, [1.0_real64], e); call wrong('put of another shape')
  call t_finish(s, e); call wrong('finish without items')
  call t_n_put(s, 1_int32)
  call t_x_put(s, [1.0_real64, 2.0_real64])
  call t_r_put(s, r)
  call t_finish(s)
  call t_finish(s, e); call wrong('finish of what is finished')
  call t_n_put(s, 1_int32, e); call wrong('put to what is finished')
  call t_r_put(s, r, e); call wrong('put of structs to what is finished')
  call t_n_get(s, n, e); call wrong('get of what is finished')
  call t_close(s)
  call t_open(s, 't.bd')
  call t_n_put(s, 1_int32, e); call wrong('put to what is read')
  call t_finish(s, e); call wrong('finish of what is read')
  call t_x_get(s, x)
  call t_close(s)
  call t_close(s)
  call t_n_get(s, n, e); call wrong('get of what is closed')
  call t_x_get(s, x, e); call wrong('get of an array of what is closed')
  call t_r_get(s, rs, e); call wrong('get of structs of what is closed')

  call u_close(w)
  call u_finish(w, e); if (e == 0) error stop 'finish of a raw stream that is not open'
  call u_create(w, 'u.raw', .false.)
  call u_k_put(w, 1_int32)
  call u_finish(w)
  call u_finish(w, e); if (e == 0) error stop 'finish of a raw stream that is finished'
  call u_open(w, 'u.raw', .false.)
  call u_k_get(w, n)
  call u_close(w)
  call u_close(w)
contains
  subroutine wrong(what)
    character(len=*), intent(in) :: what
    if (e == 0) error stop 'no error: ' // what
    if (s%error == '') error stop 'no text: ' // what
    s%error = ''
  end subroutine
end program
