! Writes, reads, adds to and checks streams through the module. usage: use FOLDER
program use
  use, intrinsic :: iso_c_binding, only: c_bool, c_double, c_int8_t, c_int16_t, c_sizeof
  use, intrinsic :: iso_fortran_env
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use dudley
  implicit none
  type, bind(c) :: sample
    integer(c_int8_t) :: kind
    real(c_double) :: value
    integer(c_int16_t) :: channel(3)
  end type
  character(len=1000) :: folder
  character(len=:), allocatable :: path
  call get_command_argument(1, folder)
  path = trim(folder) // '/run.bd'
  call write_all()
  call read_all()
  call add()
  call share()
  call attributes()
  call structs()

contains

  subroutine check(is, what)
    logical, intent(in) :: is
    character(len=*), intent(in) :: what
    if (is) return
    write (error_unit, '(4a)') what, ': ', dud_error()
    error stop 1
  end subroutine

  ! A call failed with an error of a group, whose text has these words.
  subroutine fails(ierr, group, words)
    integer, intent(in) :: ierr, group
    character(len=*), intent(in) :: words
    call check(ierr == group .and. index(dud_error(), words) > 0, words)
  end subroutine

  subroutine write_all()
    type(dud_plan) :: plan
    type(dud_writer) :: w
    integer :: i, j, ierr
    integer(int32) :: a(2, 3)
    real(real64) :: wide(4, 6), seven(2, 1, 2, 1, 3, 1, 2)
    character(len=4) :: names(3)
    logical(c_bool) :: flags(3)
    do j = 1, 3
      do i = 1, 2
        a(i, j) = 10 * i + j
      end do
    end do
    call dud_layout(plan, 'N : i8  x =', ierr)
    call fails(ierr, dud_error_layout, 'expected')
    call dud_layout(plan, 'N : i8  time = f8  ## (us) time' // new_line('a') // &
      'i1s = i1[N, 2]  i2s = i2[N, 2]  i4s = i4[N, 2]  i8s = i8[N, 2]  f4s = f4[N, 2]  f8s = f8[N, 2]' // &
      '  c8s = c8[N, 2]  c16s = c16[N, 2]  flags = b1[3]  part = f8[6, 4]  seven = f8[2, 1, 3, 1, 2, 1, 2]' // &
      '  title = S1[8]  names = S1[N, 4]')
    call dud_param(plan, 'N', 3)
    call dud_create(w, plan, path)
    call dud_write(w, '/time', 0.5_real32)
    call dud_write(w, '/i1s', int(a, int8))
    call dud_write(w, '/i2s', int(a, int16))
    call dud_write(w, '/i4s', a)
    call dud_write(w, '/i8s', int(a, int64))
    call dud_write(w, '/f4s', real(a, real32))
    call dud_write(w, '/f8s', a)
    call dud_write(w, '/c8s', cmplx(a, -a, real32))
    call dud_write(w, '/c16s', cmplx(a, -a, real64))
    flags = [.true._c_bool, .false._c_bool, .true._c_bool]
    call dud_write(w, '/flags', flags)
    wide = 0
    wide(2::2, 1::3) = reshape([1, 2, 3, 4], [2, 2])
    call dud_write(w, '/part', wide(1::2, :), start=[1_int64, 1_int64], stride=[2_int64, 1_int64])
    ! What is not contiguous is copied.
    call dud_write(w, '/part', wide(2::2, :), start=[2_int64, 1_int64], stride=[2_int64, 1_int64])
    call dud_finish(w, ierr)
    call fails(ierr, dud_error_bad_value, '/seven')
    seven = reshape([(real(i, real64), i=1, size(seven))], shape(seven))
    call dud_write(w, '/seven', seven)
    call dud_write(w, '/title', 'blast')
    names = ['one ', 'two ', 'four']
    call dud_write(w, '/names', names)
    call dud_write(w, '/f4s', transpose(a), ierr=ierr)
    call fails(ierr, dud_error_bad_value, '[3, 2]')
    call dud_write(w, '/i4s', 0.5_real64 * a, ierr=ierr)
    call fails(ierr, dud_error_bad_value, '/i4s')
    call dud_write(w, '/part', a, ierr, start=[1_int64])
    call fails(ierr, dud_error_bad_value, 'start')
    call dud_finish(w)
    call dud_write(w, '/f4s', a, ierr=ierr)
    call fails(ierr, dud_error_closed, 'NULL')
    call dud_create(w, plan, path, overwrite=.true.)
    call dud_abort(w)
    call dud_close(plan)
  end subroutine

  subroutine read_all()
    type(dud_file) :: f
    type(dud_options) :: options
    integer(int64), allocatable :: n(:)
    integer(int32), allocatable :: a(:, :)
    integer(int64) :: address
    integer(int8) :: small(2, 3)
    real(real64), allocatable :: x(:, :), seven(:, :, :, :, :, :, :)
    real(real64) :: time, part(2, 2)
    complex(real32), allocatable :: c(:, :)
    logical(c_bool) :: flags(3)
    character(len=:), allocatable :: text, names(:)
    character(len=6) :: title
    logical, allocatable :: missing(:)
    integer :: ierr, kind, of
    call dud_open(f, path)
    call dud_read(f, '/time', time)
    call dud_unit(f, '/time', text)
    call check(time > 0.4 .and. text == 'us', 'time')
    call dud_shape(f, '/i4s', n)
    call check(all(n == [2, 3]), 'shape')
    call dud_get(f, '/i8s', a)
    call check(a(2, 3) == 23 .and. a(1, 2) == 12, 'elements')
    call dud_read(f, '/i4s', small)
    call check(all(small == a), 'converted')
    call dud_get(f, '/f4s', x)
    call dud_get(f, '/c8s', c)
    call check(all(nint(x) == a) .and. all(nint(aimag(c)) == -a), 'complex')
    call dud_read(f, '/part', part, start=[2_int64, 1_int64], stride=[2_int64, 3_int64])
    call check(all(nint(part) == reshape([1, 2, 3, 4], [2, 2])), 'part')
    call dud_read(f, '/part', part, start=[0_int64, 1_int64], ierr=ierr)
    call fails(ierr, dud_error_bad_value, 'start counts from 1')
    call dud_get(f, '/seven', seven)
    call check(nint(seven(2, 1, 1, 1, 1, 1, 1)) == 2 .and. nint(seven(1, 1, 1, 1, 1, 1, 2)) == 13, 'seven')
    call dud_read(f, '/flags', flags)
    call check(logical(flags(1) .and. .not. flags(2)), 'flags')
    call dud_missing(f, '/flags', missing)
    call check(size(missing) == 0, 'missing')
    call dud_read(f, '/title', title)
    call check(title == 'blast', 'title')
    call dud_get(f, '/names', names)
    call check(size(names) == 3 .and. names(3) == 'four' .and. names(1) == 'one', 'names')
    call dud_children(f, '/', names)
    call check(size(names) == 14 .and. names(2) == '/i1s', 'children')
    call dud_kind(f, '/', kind)
    call dud_type(f, '/f4s', of)
    call dud_dtype(f, '/f4s', text)
    call check(kind == dud_dict .and. of == dud_float .and. text == '<f4', 'kinds')
    call dud_address(f, '/time', address)
    call check(address == 24, 'address')
    call dud_read(f, '/f4s', part, ierr=ierr)
    call fails(ierr, dud_error_bad_value, '[3, 2]')
    call dud_read(f, '/title', title(:2), ierr=ierr)
    call fails(ierr, dud_error_bad_value, 'longer')
    call dud_get(f, '/seven', x, ierr)
    call fails(ierr, dud_error_bad_value, 'rank')
    call dud_get(f, '/f8s', a, ierr)
    call fails(ierr, dud_error_bad_value, 'f8')
    call dud_read(f, '/no', time, ierr)
    call fails(ierr, dud_error_not_found, '/no')
    call dud_close(f)
    call dud_read(f, '/time', time, ierr)
    call fails(ierr, dud_error_closed, 'NULL')
    call dud_layout(options, 'x = u1[SIZE]', ierr)
    call fails(ierr, dud_error_layout, 'SIZE')
    call dud_layout(options, 'N : 2  x = f8[N]')
    call dud_param(options, 'N', 1)
    call dud_raw(options)
    call dud_order(options, '<')
    call dud_unterminated(options)
    call dud_base(options, 24_int64)
    call dud_open(f, path, options)
    call dud_read(f, '/x[0]', time)
    call check(nint(2 * time) == 1, 'raw')
    call dud_close(f)
    call dud_close(options)
  end subroutine

  subroutine add()
    type(dud_plan) :: plan
    type(dud_writer) :: w
    type(dud_appender) :: history
    type(dud_checkpoints) :: checkpoints
    type(dud_draft) :: draft
    type(dud_sum) :: sum
    type(dud_family) :: family
    type(dud_file) :: f
    integer(int64) :: step, length
    integer :: ierr
    real(real64), allocatable :: r(:, :)
    real(real64) :: two(3, 2), part(2, 2)
    character(len=:), allocatable :: directory, within
    directory = trim(folder) // '/checkpoints'
    call dud_open(checkpoints, directory, 2, 2)
    call dud_latest(checkpoints, step, within)
    call check(within == '', 'no checkpoint')
    call dud_layout(plan, 'NT : i8  hist [/ t = f8  r = f8[3]]*NT')
    call dud_param(plan, 'NT', 0_int64)
    call dud_create(w, plan, directory // '/history.bd')
    call dud_finish(w, sum=sum)
    call check(.not. sum%known, 'no checksum')
    call dud_close(plan)
    call dud_open(history, directory // '/history.bd')
    call dud_layout(plan, 't = f8')
    call dud_checksum(plan)
    do step = 1, 5
      call dud_column(history, 't', real(step, real64))
      call dud_column(history, 'r', [1, 2, 3] * real(step, real32))
      call dud_push(history, '/no', ierr=ierr)
      call fails(ierr, dud_error_not_found, '/no')
      ! After an error the parts are gone, and those that come next are not mixed with them.
      call dud_column(history, 't', real(step, real64))
      call dud_column(history, 'r', [1, 2, 3] * real(step, real32))
      call dud_push(history, '/hist', length=length)
      call check(length == step, 'length')
      if (.not. dud_due(checkpoints, step)) cycle
      call dud_begin(draft, checkpoints, step, within)
      call dud_create(w, plan, within // '/state.bd')
      call dud_write(w, '/t', step)
      call dud_finish(w, sum=sum)
      call check(sum%known .and. sum%bytes > 8, 'a checksum')
      call dud_checksum(draft, 'state.bd', sum)
      call dud_history(draft, 'history.bd', history, '/hist')
      call dud_publish(draft)
    end do
    two = reshape([1, 2, 3, 4, 5, 6], [3, 2])
    call dud_column(history, 't', [6.0_real64, 7.0_real64])
    call dud_column(history, 'r', two)
    call dud_push(history, '/hist', 3_int64, ierr=ierr)
    call fails(ierr, dud_error_bad_value, 'records')
    call dud_column(history, 't', [6.0_real64, 7.0_real64])
    call dud_column(history, 'r', two)
    call dud_push(history, '/hist', 2_int64, length)
    call check(length == 7, 'two records')
    call dud_commit(history)
    call dud_write(history, '/hist[6]/r', [7, 8, 9])
    call dud_truncate(history, '/hist', -1, ierr)
    call fails(ierr, dud_error_bad_value, 'negative')
    call dud_push(history, '/hist', -1, ierr=ierr)
    call fails(ierr, dud_error_bad_value, 'negative')
    call dud_truncate(history, '/hist', 6_int64)
    call dud_close(history)
    call dud_close(plan)
    call dud_open(f, directory // '/history.bd')
    call dud_read(f, '/hist[:]/r', two, start=[2_int64, 3_int64], stride=[1_int64, 3_int64], ierr=ierr)
    call fails(ierr, dud_error_bad_value, 'hist')
    part = 0
    call dud_read(f, '/hist[:]/r', part, start=[2_int64, 3_int64], stride=[1_int64, 2_int64])
    call check(all(nint(part) == reshape([6, 9, 10, 15], [2, 2])), 'part of a column')
    call dud_get(f, '/hist[:]/r', r)
    call check(size(r, 2) == 6 .and. nint(r(3, 5)) == 15 .and. nint(r(2, 6)) == 2, 'history')
    call dud_close(f)
    call dud_latest(checkpoints, step, within)
    call check(step == 4 .and. index(within, 'checkpoint-0000000004') > 0, 'latest')
    call dud_close(checkpoints)
    call dud_open(family, trim(folder) // '/no.bd', ierr)
    call fails(ierr, dud_error_file, 'no.bd')
    call dud_open(family, trim(folder) // '/all.bd')
    call dud_select(family, 'member = 1')
    call dud_read(family, '/x', two(:2, :1))
    call check(nint(two(2, 1)) == 4, 'family')
    call dud_read(family, '/x', two(:2, :1), start=[1_int64, 1_int64], ierr=ierr)
    call fails(ierr, dud_error_bad_value, 'slices')
    call dud_close(family)
  end subroutine

  ! Processes that write one file: here they are two writers.
  subroutine share()
    type(dud_plan) :: plan
    type(dud_writer) :: one, two
    integer(int8), allocatable :: bytes(:)
    integer, parameter :: half(3, 2) = reshape([1, 2, 3, 4, 5, 6], [3, 2])
    call dud_layout(plan, 'x = f8[4, 3]')
    call dud_create(one, plan, trim(folder) // '/shared.bd', shared=.true.)
    call dud_join(two, plan, trim(folder) // '/shared.bd')
    call dud_write(one, '/x', half, start=[1_int64, 1_int64])
    call dud_write(two, '/x', half, start=[1_int64, 3_int64])
    call dud_sync(two)
    call dud_coverage(two, bytes)
    call dud_cover(one, bytes)
    call dud_finish(one)
    call dud_abort(two)
    call dud_close(plan)
  end subroutine

  ! Attributes, physical values, params, names of dimensions.
  subroutine attributes()
    type(dud_plan) :: plan
    type(dud_writer) :: w
    type(dud_file) :: f
    integer(int64), allocatable :: n(:)
    integer(int64) :: wide
    integer(int32) :: small, range(2)
    integer(int32), allocatable :: list(:)
    integer(int8) :: tiny
    real(real64) :: x(2, 3), factor
    real(real32), allocatable :: single(:, :), table(:)
    character(len=:), allocatable :: text, names(:)
    logical :: is
    integer :: of, ierr
    call dud_layout(plan, 'N : i8  raw = i2[N, 2]  #: scale_factor = 0.1, _FillValue = -1, range = [-5, 300],' // &
      ' words = ["a", "bc"], note = "a text"' // new_line('a') // 'plain = f8[3]')
    call dud_param(plan, 'N', 3)
    call dud_create(w, plan, trim(folder) // '/attributes.bd')
    call dud_shape(w, '/raw', n)
    call check(all(n == [2, 3]), 'shape of a writer')
    call dud_write(w, '/raw', reshape([1, 2, 3, 4, -1, 30], [2, 3]))
    call dud_write(w, '/plain', [1, 2, 3])
    call dud_finish(w)
    call dud_close(plan)
    call dud_open(f, trim(folder) // '/attributes.bd')
    call dud_attrs(f, '/raw', names)
    call check(size(names) == 5 .and. any(names == 'range') .and. names(1) == 'scale_factor', 'attrs')
    call dud_attr(f, '/raw', 'scale_factor', factor)
    call check(nint(100 * factor) == 10, 'scale_factor')
    call dud_attr(f, '/raw', '_FillValue', tiny)
    call check(tiny == -1, '_FillValue')
    call dud_attr(f, '/raw', 'range', list)
    call check(size(list) == 2 .and. list(1) == -5 .and. list(2) == 300, 'range')
    call dud_attr(f, '/raw', 'range', table)
    call check(nint(table(2)) == 300, 'table')
    call dud_attr_shape(f, '/raw', 'range', n)
    call dud_attr_type(f, '/raw', 'range', of)
    call check(size(n) == 1 .and. n(1) == 2 .and. of == dud_int64, 'type of range')
    call dud_attr(f, '/raw', 'words', names)
    call check(size(names) == 2 .and. names(1) == 'a ' .and. names(2) == 'bc', 'words')
    call dud_attr(f, '/raw', 'note', text)
    call check(text == 'a text', 'note')
    call dud_attr(f, '/raw', 'range', tiny, ierr)
    call fails(ierr, dud_error_bad_value, '[2]')
    call dud_attr(f, '/raw', 'scale_factor', list, ierr)
    call fails(ierr, dud_error_bad_value, 'rank')
    call dud_attr(f, '/raw', 'scale_factor', small, ierr)
    call fails(ierr, dud_error_bad_value, 'f8')
    call dud_attr(f, '/raw', 'note', factor, ierr)
    call fails(ierr, dud_error_bad_value, 'text')
    call dud_attr(f, '/raw', 'none', factor, ierr)
    call fails(ierr, dud_error_not_found, 'none')
    call dud_attr(f, '/raw', 'none', names, ierr)
    call fails(ierr, dud_error_not_found, 'none')
    call dud_params(f, '/', names)
    call check(size(names) == 1 .and. names(1) == '/:N', 'params')
    call dud_param(f, names(1), small)
    call dud_param(f, '/:N', wide)
    call check(small == 3 .and. wide == 3, 'param')
    call dud_dim(f, '/raw', 2, text)
    call check(text == 'N', 'dim')
    call dud_dim(f, '/raw', 1, text)
    call check(text == '', 'no dim')
    call dud_dim(f, '/raw', 3, text, ierr)
    call fails(ierr, dud_error_bad_value, 'dimension')
    call dud_element_size(f, '/raw', wide)
    call check(wide == 2, 'element_size')
    call dud_scaled(f, '/raw', is, of)
    call check(is .and. of == dud_double, 'scaled')
    call dud_scaled(f, '/plain', is)
    call check(.not. is, 'not scaled')
    call dud_read(f, '/raw', x, scaled=.true.)
    call check(nint(100 * x(2, 1)) == 20 .and. ieee_is_nan(x(1, 3)) .and. nint(x(2, 3)) == 3, 'physical')
    call dud_get(f, '/raw', single, scaled=.true.)
    call check(nint(100 * single(2, 2)) == 40, 'physical, single')
    call dud_read(f, '/raw[0, 1]', factor, scaled=.true.)
    call check(nint(100 * factor) == 20, 'one physical')
    call dud_read(f, '/raw', x(:1, :1), scaled=.true., start=[2_int64, 3_int64])
    call check(nint(x(1, 1)) == 3, 'a physical part')
    call dud_read(f, '/raw[1]', range, scaled=.true., ierr=ierr)
    call fails(ierr, dud_error_bad_value, '/raw')
    call dud_close(f)
  end subroutine

  ! Structs, elements that are looked at, families.
  subroutine structs()
    type(dud_plan) :: plan
    type(dud_writer) :: w
    type(dud_file) :: f
    type(dud_view) :: view, other
    type(dud_appender) :: history
    type(dud_family) :: family
    type(dud_options) :: options
    type(sample) :: samples(2), back(2), one
    real(real64), pointer, contiguous :: x(:, :), flat(:)
    real(real32), pointer, contiguous :: single(:, :)
    complex(real64), pointer, contiguous :: z(:)
    real(real64) :: value
    character(len=:), allocatable :: file, text
    character(len=1000) :: files(1)
    character(len=:), allocatable :: remarks(:)
    integer :: ierr
    file = trim(folder) // '/structs.bd'
    samples(1) = sample(1_int8, 1.5_real64, [1_int16, 2_int16, 3_int16])
    samples(2) = sample(2_int8, 2.5_real64, [4_int16, 5_int16, -6_int16])
    call dud_layout(plan, 's = {kind = i1  value = f8  channel = i2[3]}[2]  x = f8[3, 2]  z = c16[2]  N : i8' // &
      '  h = {kind = i1  value = f8  channel = i2[3]}[N]')
    call dud_param(plan, 'N', 0)
    call dud_create(w, plan, file)
    call dud_write_structs(w, '/s', samples, c_sizeof(value), ierr)
    call fails(ierr, dud_error_bad_value, '/s')
    call dud_write_structs(w, '/s', samples(1), c_sizeof(one), ierr)
    call fails(ierr, dud_error_bad_value, '/s')
    call dud_write_structs(w, '/s', samples(2:1:-1), c_sizeof(one))
    call dud_write(w, '/x', reshape([1, 2, 3, 4, 5, 6], [2, 3]))
    call dud_write(w, '/z', [(1.0_real64, 2.0_real64), (3.0_real64, -4.0_real64)])
    call dud_finish(w)
    call dud_close(plan)
    call dud_open(history, file)
    call dud_column_structs(history, '', samples, c_sizeof(one))
    call dud_push(history, '/h', 2)
    call dud_column_structs(history, '', samples(2), c_sizeof(one))
    call dud_push(history, '/h')
    call dud_close(history)
    call dud_threads(options, 1)
    call dud_open(f, file, options)
    call dud_close(options)
    call dud_read_structs(f, '/s', back, c_sizeof(one))
    call check(back(1)%channel(3) == -6 .and. nint(2 * back(2)%value) == 3 .and. back(1)%kind == 2, 'structs')
    call dud_read_structs(f, '/h[1]', one, c_sizeof(one))
    call check(one%channel(1) == 4, 'a struct')
    call dud_read_structs(f, '/h[1:]', back, c_sizeof(one))
    call check(all(back%kind == 2), 'records')
    call dud_read_structs(f, '/s', back, c_sizeof(value), ierr)
    call fails(ierr, dud_error_bad_value, '/s')
    call dud_read_structs(f, '/s', one, c_sizeof(one), ierr)
    call fails(ierr, dud_error_bad_value, '[2')
    call dud_remarks(f, remarks)
    call check(size(remarks) == 0, 'remarks')
    call dud_view_open(f, '/x', x, view)
    call check(all(shape(x) == [2, 3]) .and. all(nint(x) == reshape([1, 2, 3, 4, 5, 6], [2, 3])), 'view')
    call dud_view_open(f, '/z', z, other)
    call check(nint(aimag(z(2))) == -4, 'view of complex numbers')
    call dud_close(other)
    call dud_view_open(f, '/x', flat, other, ierr)
    call fails(ierr, dud_error_bad_value, 'rank')
    call check(.not. associated(flat), 'no view')
    call dud_view_open(f, '/x', single, other, ierr)
    call fails(ierr, dud_error_bad_value, 'f8')
    call dud_view_open(f, '/s.value', flat, other, ierr)
    call check(ierr /= 0 .and. .not. associated(flat), 'not side by side')
    call dud_close(f)
    call check(nint(x(2, 3)) == 6, 'a view stays')
    call dud_close(view)
    call dud_close(view)
    files = file
    call dud_family_create(trim(folder) // '/family.bd', files)
    call dud_open(family, trim(folder) // '/family.bd')
    call dud_family_file(family, 0_int64, text)
    call check(index(text, 'structs.bd') > 0, 'file of a member')
    call dud_family_value(family, 0_int64, 'N', value)
    call check(nint(value) == 3, 'value of a member')
    call dud_family_value(family, 1_int64, 'N', value, ierr)
    call check(ierr /= 0, 'no member')
    call dud_close(family)
  end subroutine
end program
