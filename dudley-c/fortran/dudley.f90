! Made from template.f90 by `DUDLEY_UPDATE=1 cargo test -p dudley-c fresh`: do not edit.
!
! Dudley for Fortran: reads files of all formats that Dudley reads, and writes streams. Over the library dudley_c.
!
!   use dudley
!   type(dud_file) :: f
!   real(real64), allocatable :: rho(:, :)
!   call dud_open(f, 'run.bd')
!   call dud_get(f, '/rho', rho)                      ! allocated as the file has it
!   call dud_read(f, '/rho', column, start=[1_int64, 3_int64])   ! memory of one's own
!   call dud_close(f)
!
! Dimensions are in the order of Fortran: an array rho[N, 3] of a layout is rho(3, N) here. Starts count from 1. Slices in
! paths are those of the layout, from 0 and in its order: '/rho[2, :]'.
!
! The argument ierr of each procedure is optional. It is 0, or the group of an error, such as dud_error_not_found, whose
! text dud_error() has. Without it an error ends the program with its text. What is open stays open until it is closed.
!
! Threads may use one file at the same time, and one writer. An appender is for one thread.
module dudley
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, int8, int16, int32, int64, real32, real64
  implicit none
  private

  public :: dud_error, dud_version
  public :: dud_options, dud_file, dud_family, dud_plan, dud_writer, dud_appender, dud_checkpoints, dud_draft
  public :: dud_sum
  public :: dud_layout, dud_param, dud_raw, dud_order, dud_base, dud_threads
  public :: dud_unterminated
  public :: dud_remarks
  public :: dud_open, dud_close, dud_format, dud_kind, dud_len, dud_children, dud_shape, dud_type, dud_dtype, dud_unit
  public :: dud_doc, dud_dim, dud_element_size, dud_address, dud_missing, dud_scaled, dud_params
  public :: dud_attr, dud_attrs, dud_attr_type, dud_attr_shape
  public :: dud_read, dud_get, dud_read_structs, dud_view, dud_view_open
  public :: dud_select, dud_family_create, dud_family_file, dud_family_value
  public :: dud_create, dud_join, dud_write, dud_write_structs, dud_coverage, dud_cover, dud_mark_written
  public :: dud_sync, dud_finish, dud_abort
  public :: dud_column, dud_column_structs, dud_push, dud_commit, dud_truncate
  public :: dud_due, dud_latest, dud_begin, dud_checksum, dud_history, dud_publish, dud_abandon

  ! No error.
  integer, parameter, public :: dud_error_ok = 0
  ! There is nothing of this name or path, or no checkpoint.
  integer, parameter, public :: dud_error_not_found = 1
  ! An argument is wrong: NULL, a type, a shape, a slice, a length.
  integer, parameter, public :: dud_error_bad_value = 2
  ! The handle is closed, or of another kind.
  integer, parameter, public :: dud_error_closed = 3
  ! A file cannot be opened, read or written, or is there already.
  integer, parameter, public :: dud_error_file = 4
  ! The layout has errors, or there is none.
  integer, parameter, public :: dud_error_layout = 5
  ! The bytes of the file are wrong: it is cut off, a checksum differs, no format is known.
  integer, parameter, public :: dud_error_data = 6
  ! A fault of the library itself.
  integer, parameter, public :: dud_error_panic = 7
  ! Elements that are none of the types below: structs, floats of 2 bytes, text of 2 or 4 bytes a unit.
  integer, parameter, public :: dud_other = 0
  ! int8_t
  integer, parameter, public :: dud_int8 = 1
  ! int16_t
  integer, parameter, public :: dud_int16 = 2
  ! int32_t
  integer, parameter, public :: dud_int32 = 3
  ! int64_t
  integer, parameter, public :: dud_int64 = 4
  ! uint8_t
  integer, parameter, public :: dud_uint8 = 5
  ! uint16_t
  integer, parameter, public :: dud_uint16 = 6
  ! uint32_t
  integer, parameter, public :: dud_uint32 = 7
  ! uint64_t
  integer, parameter, public :: dud_uint64 = 8
  ! float
  integer, parameter, public :: dud_float = 9
  ! double
  integer, parameter, public :: dud_double = 10
  ! Two float: real and imaginary part.
  integer, parameter, public :: dud_complex_float = 11
  ! Two double: real and imaginary part.
  integer, parameter, public :: dud_complex_double = 12
  ! char: the bytes of texts, which are not ended by a NUL.
  integer, parameter, public :: dud_char = 13
  ! One byte, 0 or 1.
  integer, parameter, public :: dud_bool = 14
  ! The bytes of each element where they lie in it, numbers in the byte order of the machine: for structs. The shape has
  ! one dimension more, the bytes of an element (dud_element_size).
  integer, parameter, public :: dud_bytes = 15
  ! The kind of an item that has items by names.
  integer, parameter, public :: dud_dict = 1
  ! The kind of an item that has items by numbers.
  integer, parameter, public :: dud_list = 2
  ! The kind of an array; one without dimensions is a number.
  integer, parameter, public :: dud_array = 3
  ! The kind of a value that is no array: a param, a text or number of another format.
  integer, parameter, public :: dud_value = 4

  ! What reads: a file, or the members of a family.
  type, abstract :: dud_reader
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! A file of any format.
  type, extends(dud_reader) :: dud_file
  end type

  ! A catalog of many streams of one layout. What is read has one dimension more, the members that were selected.
  type, extends(dud_reader) :: dud_family
    ! The numbers of the members that are read, from 0: all, until dud_select picks some.
    integer(int64), allocatable, public :: members(:)
  end type

  ! What takes elements: a stream that is written, or one that is there and grows.
  type, abstract :: dud_taker
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! A stream that is written.
  type, extends(dud_taker) :: dud_writer
  end type

  ! A part of records that is about to be added.
  type :: column
    ! With a NUL behind it; empty if a record is one item.
    character(kind=c_char), allocatable :: name(:)
    integer(c_int) :: of = 0
    ! Dimensions in the order of C.
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable :: bytes(:)
  end type

  ! A stream that grows.
  type, extends(dud_taker) :: dud_appender
    private
    type(column), allocatable :: columns(:)
  end type

  ! What a file does not say itself.
  type :: dud_options
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! Elements that are looked at.
  type :: dud_view
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! The layout and params of a stream that is to be written.
  type :: dud_plan
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! A directory of checkpoints.
  type :: dud_checkpoints
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! A checkpoint that is written.
  type :: dud_draft
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! The checksum of a file, as dud_finish gives it.
  type :: dud_sum
    logical :: known = .false.
    ! The length of the file, and the bits of the CRC-32C of all of it.
    integer(int64) :: bytes = 0
    integer(int32) :: crc32c = 0
  end type

  ! A part of records, as C has it.
  type, bind(c) :: c_column
    type(c_ptr) :: name, from
    integer(c_int) :: of
    integer(c_size_t) :: rank
    type(c_ptr) :: shape
  end type

  ! call dud_open(file, path, options, ierr): opens a file of any format.
  ! call dud_open(family, catalog, ierr): opens a catalog.
  ! call dud_open(appender, path, ierr): opens a stream to add to it, and locks it.
  ! call dud_open(checkpoints, directory, keep, every, ierr): opens a directory of checkpoints, and locks it.
  interface dud_open
    module procedure open_file, open_family, open_appender, open_checkpoints
  end interface

  ! call dud_close(file, ierr), and so on: closes it; an appender commits; pointers of a view must not be used any more.
  interface dud_close
    module procedure close_file, close_view, close_family, close_appender, close_checkpoints, close_plan, close_options
  end interface

  ! call dud_layout(plan, text, ierr): begins a plan with the text of a layout.
  ! call dud_layout(options, text, ierr): says the layout of a stream that carries none.
  interface dud_layout
    module procedure layout_plan, layout_options
  end interface

  ! call dud_param(plan, name, value, ierr), call dud_param(options, name, value, ierr): gives a param.
  ! call dud_param(file, path, value, ierr): the value of a param, by its path: '/:N'.
  interface dud_param
    module procedure param_plan, param_plan_4, param_options, param_options_4, param_file, param_file_4
  end interface

  ! call dud_shape(file, path, shape, ierr): the dimensions of what a path picks, in the order of Fortran.
  ! call dud_shape(writer, path, shape, ierr): those of an item that is written.
  interface dud_shape
    module procedure shape_file, shape_writer
  end interface

  ! call dud_raw(plan, ierr), call dud_raw(options, ierr): a stream without a signature.
  interface dud_raw
    module procedure raw_plan, raw_options
  end interface

  ! call dud_order(plan, order, ierr), call dud_order(options, order, ierr): the byte order, '<' or '>'.
  interface dud_order
    module procedure order_plan, order_options
  end interface

  ! call dud_checksum(plan, ierr): has the checksum computed while a file is written, for dud_finish; of a shared file all
  ! processes ask for it.
  ! call dud_checksum(draft, file, sum, ierr): notes the checksum of a complete file of a checkpoint, by its path in the folder.
  ! dud_publish reads a file once more whose checksum is not known.
  interface dud_checksum
    module procedure checksum_plan, checksum_draft
  end interface

  ! call dud_push(appender, path, records, length, ierr): adds to a list or array the record of the parts that dud_column
  ! has given since the last one; with records, so many of them, which are the last dimension of each part. length is how
  ! many there are then. After an error none was added, and the parts are gone: give them again.
  interface dud_push
    module procedure push_8, push_4
  end interface

  ! call dud_truncate(appender, path, records, ierr): takes records away from the end, so that records stay.
  interface dud_truncate
    module procedure truncate_8, truncate_4
  end interface

  ! call dud_read(file, path, x, ierr, start, stride, scaled): reads elements into x, of rank 0 to 7; for texts call
  ! dud_read(file, path, x, ierr). Without start all are read, and x has the shape of the array. What is of another type
  ! is converted if each value stays the same. With scaled=.true. x gets the physical values, as dud_read_scaled of C gives
  ! them. The file may be a family: the last dimension is the member.
  interface dud_read
    module procedure read_i1_0, read_i1_1, read_i1_2, read_i1_3, read_i1_4, read_i1_5, read_i1_6, read_i1_7
    module procedure read_i2_0, read_i2_1, read_i2_2, read_i2_3, read_i2_4, read_i2_5, read_i2_6, read_i2_7
    module procedure read_i4_0, read_i4_1, read_i4_2, read_i4_3, read_i4_4, read_i4_5, read_i4_6, read_i4_7
    module procedure read_i8_0, read_i8_1, read_i8_2, read_i8_3, read_i8_4, read_i8_5, read_i8_6, read_i8_7
    module procedure read_r4_0, read_r4_1, read_r4_2, read_r4_3, read_r4_4, read_r4_5, read_r4_6, read_r4_7
    module procedure read_r8_0, read_r8_1, read_r8_2, read_r8_3, read_r8_4, read_r8_5, read_r8_6, read_r8_7
    module procedure read_c4_0, read_c4_1, read_c4_2, read_c4_3, read_c4_4, read_c4_5, read_c4_6, read_c4_7
    module procedure read_c8_0, read_c8_1, read_c8_2, read_c8_3, read_c8_4, read_c8_5, read_c8_6, read_c8_7
    module procedure read_l1_0, read_l1_1, read_l1_2, read_l1_3, read_l1_4, read_l1_5, read_l1_6, read_l1_7
    module procedure read_t_0, read_t_1, read_t_2, read_t_3, read_t_4, read_t_5, read_t_6, read_t_7
  end interface

  ! call dud_get(file, path, x, ierr, scaled): allocates x in the shape of the array, and reads it.
  interface dud_get
    module procedure get_i1_1, get_i1_2, get_i1_3, get_i1_4, get_i1_5, get_i1_6, get_i1_7
    module procedure get_i2_1, get_i2_2, get_i2_3, get_i2_4, get_i2_5, get_i2_6, get_i2_7
    module procedure get_i4_1, get_i4_2, get_i4_3, get_i4_4, get_i4_5, get_i4_6, get_i4_7
    module procedure get_i8_1, get_i8_2, get_i8_3, get_i8_4, get_i8_5, get_i8_6, get_i8_7
    module procedure get_r4_1, get_r4_2, get_r4_3, get_r4_4, get_r4_5, get_r4_6, get_r4_7
    module procedure get_r8_1, get_r8_2, get_r8_3, get_r8_4, get_r8_5, get_r8_6, get_r8_7
    module procedure get_c4_1, get_c4_2, get_c4_3, get_c4_4, get_c4_5, get_c4_6, get_c4_7
    module procedure get_c8_1, get_c8_2, get_c8_3, get_c8_4, get_c8_5, get_c8_6, get_c8_7
    module procedure get_l1_1, get_l1_2, get_l1_3, get_l1_4, get_l1_5, get_l1_6, get_l1_7
    module procedure get_t_0, get_t_1
  end interface

  ! call dud_write(writer, path, x, ierr, start, stride): writes elements from x, of rank 0 to 7; for texts call
  ! dud_write(writer, path, x, ierr). Without start x has the shape of the item. With an appender elements that are there are
  ! written over.
  interface dud_write
    module procedure write_i1_0, write_i1_1, write_i1_2, write_i1_3, write_i1_4, write_i1_5, write_i1_6, write_i1_7
    module procedure write_i2_0, write_i2_1, write_i2_2, write_i2_3, write_i2_4, write_i2_5, write_i2_6, write_i2_7
    module procedure write_i4_0, write_i4_1, write_i4_2, write_i4_3, write_i4_4, write_i4_5, write_i4_6, write_i4_7
    module procedure write_i8_0, write_i8_1, write_i8_2, write_i8_3, write_i8_4, write_i8_5, write_i8_6, write_i8_7
    module procedure write_r4_0, write_r4_1, write_r4_2, write_r4_3, write_r4_4, write_r4_5, write_r4_6, write_r4_7
    module procedure write_r8_0, write_r8_1, write_r8_2, write_r8_3, write_r8_4, write_r8_5, write_r8_6, write_r8_7
    module procedure write_c4_0, write_c4_1, write_c4_2, write_c4_3, write_c4_4, write_c4_5, write_c4_6, write_c4_7
    module procedure write_c8_0, write_c8_1, write_c8_2, write_c8_3, write_c8_4, write_c8_5, write_c8_6, write_c8_7
    module procedure write_l1_0, write_l1_1, write_l1_2, write_l1_3, write_l1_4, write_l1_5, write_l1_6, write_l1_7
    module procedure write_t_0, write_t_1, write_t_2, write_t_3, write_t_4, write_t_5, write_t_6, write_t_7
  end interface

  ! call dud_column(appender, name, x, ierr): gives a part of the records that dud_push adds; name is empty if a record is
  ! one item. x is copied.
  interface dud_column
    module procedure column_i1_0, column_i1_1, column_i1_2, column_i1_3, column_i1_4, column_i1_5, column_i1_6, column_i1_7
    module procedure column_i2_0, column_i2_1, column_i2_2, column_i2_3, column_i2_4, column_i2_5, column_i2_6, column_i2_7
    module procedure column_i4_0, column_i4_1, column_i4_2, column_i4_3, column_i4_4, column_i4_5, column_i4_6, column_i4_7
    module procedure column_i8_0, column_i8_1, column_i8_2, column_i8_3, column_i8_4, column_i8_5, column_i8_6, column_i8_7
    module procedure column_r4_0, column_r4_1, column_r4_2, column_r4_3, column_r4_4, column_r4_5, column_r4_6, column_r4_7
    module procedure column_r8_0, column_r8_1, column_r8_2, column_r8_3, column_r8_4, column_r8_5, column_r8_6, column_r8_7
    module procedure column_c4_0, column_c4_1, column_c4_2, column_c4_3, column_c4_4, column_c4_5, column_c4_6, column_c4_7
    module procedure column_c8_0, column_c8_1, column_c8_2, column_c8_3, column_c8_4, column_c8_5, column_c8_6, column_c8_7
    module procedure column_l1_0, column_l1_1, column_l1_2, column_l1_3, column_l1_4, column_l1_5, column_l1_6, column_l1_7
  end interface

  ! call dud_attr(file, path, name, x, ierr): reads an attribute, as one number, a list of numbers that is allocated, a list of
  ! texts, or as one text. Numbers are converted if each stays the same.
  interface dud_attr
    module procedure attr_i1_0, attr_i1_1
    module procedure attr_i2_0, attr_i2_1
    module procedure attr_i4_0, attr_i4_1
    module procedure attr_i8_0, attr_i8_1
    module procedure attr_r4_0, attr_r4_1
    module procedure attr_r8_0, attr_r8_1
    module procedure attr_c4_0, attr_c4_1
    module procedure attr_c8_0, attr_c8_1
    module procedure attr_l1_0, attr_l1_1
    module procedure attr_t_0, attr_t_1
  end interface

  ! call dud_view_open(file, path, x, view, ierr): points x, a `pointer, contiguous`, to the elements of an array
  ! without a copy, until dud_close(view). They must have the type of x, and not be written to, which ends the program.
  interface dud_view_open
    module procedure view_i1_1, view_i1_2, view_i1_3, view_i1_4, view_i1_5, view_i1_6, view_i1_7
    module procedure view_i2_1, view_i2_2, view_i2_3, view_i2_4, view_i2_5, view_i2_6, view_i2_7
    module procedure view_i4_1, view_i4_2, view_i4_3, view_i4_4, view_i4_5, view_i4_6, view_i4_7
    module procedure view_i8_1, view_i8_2, view_i8_3, view_i8_4, view_i8_5, view_i8_6, view_i8_7
    module procedure view_r4_1, view_r4_2, view_r4_3, view_r4_4, view_r4_5, view_r4_6, view_r4_7
    module procedure view_r8_1, view_r8_2, view_r8_3, view_r8_4, view_r8_5, view_r8_6, view_r8_7
    module procedure view_c4_1, view_c4_2, view_c4_3, view_c4_4, view_c4_5, view_c4_6, view_c4_7
    module procedure view_c8_1, view_c8_2, view_c8_3, view_c8_4, view_c8_5, view_c8_6, view_c8_7
  end interface

  ! As the C interface has it: see dudley.h.
  interface
    function c_dud_error() &
      bind(c, name='dud_error') result(code)
      import
      type(c_ptr) :: code
    end function
    function c_dud_version() &
      bind(c, name='dud_version') result(code)
      import
      type(c_ptr) :: code
    end function
    function c_dud_fail(text) &
      bind(c, name='dud_fail') result(code)
      import
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int) :: code
    end function
    function c_dud_options_new(options) &
      bind(c, name='dud_options_new') result(code)
      import
      type(c_ptr), intent(inout) :: options
      integer(c_int) :: code
    end function
    function c_dud_options_free(options) &
      bind(c, name='dud_options_free') result(code)
      import
      type(c_ptr), value :: options
      integer(c_int) :: code
    end function
    function c_dud_options_layout(options, text) &
      bind(c, name='dud_options_layout') result(code)
      import
      type(c_ptr), value :: options
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int) :: code
    end function
    function c_dud_options_raw(options) &
      bind(c, name='dud_options_raw') result(code)
      import
      type(c_ptr), value :: options
      integer(c_int) :: code
    end function
    function c_dud_options_order(options, order) &
      bind(c, name='dud_options_order') result(code)
      import
      type(c_ptr), value :: options
      character(kind=c_char), intent(in) :: order(*)
      integer(c_int) :: code
    end function
    function c_dud_options_param(options, name, value) &
      bind(c, name='dud_options_param') result(code)
      import
      type(c_ptr), value :: options
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: value
      integer(c_int) :: code
    end function
    function c_dud_options_base(options, base) &
      bind(c, name='dud_options_base') result(code)
      import
      type(c_ptr), value :: options
      integer(c_int64_t), value :: base
      integer(c_int) :: code
    end function
    function c_dud_options_threads(options, threads) &
      bind(c, name='dud_options_threads') result(code)
      import
      type(c_ptr), value :: options
      integer(c_size_t), value :: threads
      integer(c_int) :: code
    end function
    function c_dud_options_unterminated(options) &
      bind(c, name='dud_options_unterminated') result(code)
      import
      type(c_ptr), value :: options
      integer(c_int) :: code
    end function
    function c_dud_open(path, options, file) &
      bind(c, name='dud_open') result(code)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: options
      type(c_ptr), intent(inout) :: file
      integer(c_int) :: code
    end function
    function c_dud_format(file, to, room, length) &
      bind(c, name='dud_format') result(code)
      import
      type(c_ptr), value :: file
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_remarks(file, to, room, length) &
      bind(c, name='dud_remarks') result(code)
      import
      type(c_ptr), value :: file
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_close(file) &
      bind(c, name='dud_close') result(code)
      import
      type(c_ptr), value :: file
      integer(c_int) :: code
    end function
    function c_dud_kind(file, path, kind) &
      bind(c, name='dud_kind') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), intent(inout) :: kind
      integer(c_int) :: code
    end function
    function c_dud_len(file, path, length) &
      bind(c, name='dud_len') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_children(file, path, to, room, length) &
      bind(c, name='dud_children') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_shape(file, path, shape, room, rank) &
      bind(c, name='dud_shape') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: shape
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: rank
      integer(c_int) :: code
    end function
    function c_dud_type(file, path, ty) &
      bind(c, name='dud_type') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), intent(inout) :: ty
      integer(c_int) :: code
    end function
    function c_dud_dtype(file, path, to, room, length) &
      bind(c, name='dud_dtype') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_element_size(file, path, bytes) &
      bind(c, name='dud_element_size') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), intent(inout) :: bytes
      integer(c_int) :: code
    end function
    function c_dud_dim(file, path, dim, to, room, length) &
      bind(c, name='dud_dim') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_size_t), value :: dim
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_unit(file, path, to, room, length) &
      bind(c, name='dud_unit') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_doc(file, path, to, room, length) &
      bind(c, name='dud_doc') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_params(file, path, to, room, length) &
      bind(c, name='dud_params') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_param(file, path, value) &
      bind(c, name='dud_param') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), intent(inout) :: value
      integer(c_int) :: code
    end function
    function c_dud_address(file, path, address) &
      bind(c, name='dud_address') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), intent(inout) :: address
      integer(c_int) :: code
    end function
    function c_dud_attrs(file, path, to, room, length) &
      bind(c, name='dud_attrs') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_attr(file, path, name, to, room, length) &
      bind(c, name='dud_attr') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_attr_type(file, path, name, ty) &
      bind(c, name='dud_attr_type') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(inout) :: ty
      integer(c_int) :: code
    end function
    function c_dud_attr_shape(file, path, name, shape, room, rank) &
      bind(c, name='dud_attr_shape') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: shape
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: rank
      integer(c_int) :: code
    end function
    function c_dud_attr_read(file, path, name, to, ty, rank, shape) &
      bind(c, name='dud_attr_read') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: to
      integer(c_int), value :: ty
      integer(c_size_t), value :: rank
      type(c_ptr), value :: shape
      integer(c_int) :: code
    end function
    function c_dud_attr_texts(file, path, name, to, room, length) &
      bind(c, name='dud_attr_texts') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_read(file, path, to, ty, rank, shape, start, stride) &
      bind(c, name='dud_read') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_int), value :: ty
      integer(c_size_t), value :: rank
      type(c_ptr), value :: shape
      type(c_ptr), value :: start
      type(c_ptr), value :: stride
      integer(c_int) :: code
    end function
    function c_dud_read_scaled(file, path, to, ty, rank, shape, start, stride) &
      bind(c, name='dud_read_scaled') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_int), value :: ty
      integer(c_size_t), value :: rank
      type(c_ptr), value :: shape
      type(c_ptr), value :: start
      type(c_ptr), value :: stride
      integer(c_int) :: code
    end function
    function c_dud_scaled(file, path, is, ty) &
      bind(c, name='dud_scaled') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), intent(inout) :: is
      integer(c_int), intent(inout) :: ty
      integer(c_int) :: code
    end function
    function c_dud_missing(file, path, to, room, count) &
      bind(c, name='dud_missing') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: code
    end function
    function c_dud_read_text(file, path, to, room, length) &
      bind(c, name='dud_read_text') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_view_open(file, path, ty, view, data, bytes) &
      bind(c, name='dud_view_open') result(code)
      import
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: ty
      type(c_ptr), intent(inout) :: view
      type(c_ptr), intent(inout) :: data
      integer(c_size_t), intent(inout) :: bytes
      integer(c_int) :: code
    end function
    function c_dud_view_close(view) &
      bind(c, name='dud_view_close') result(code)
      import
      type(c_ptr), value :: view
      integer(c_int) :: code
    end function
    function c_dud_plan_new(layout, plan) &
      bind(c, name='dud_plan_new') result(code)
      import
      character(kind=c_char), intent(in) :: layout(*)
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: code
    end function
    function c_dud_plan_free(plan) &
      bind(c, name='dud_plan_free') result(code)
      import
      type(c_ptr), value :: plan
      integer(c_int) :: code
    end function
    function c_dud_plan_param(plan, name, value) &
      bind(c, name='dud_plan_param') result(code)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: value
      integer(c_int) :: code
    end function
    function c_dud_plan_order(plan, order) &
      bind(c, name='dud_plan_order') result(code)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: order(*)
      integer(c_int) :: code
    end function
    function c_dud_plan_raw(plan) &
      bind(c, name='dud_plan_raw') result(code)
      import
      type(c_ptr), value :: plan
      integer(c_int) :: code
    end function
    function c_dud_plan_overwrite(plan, overwrite) &
      bind(c, name='dud_plan_overwrite') result(code)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: overwrite
      integer(c_int) :: code
    end function
    function c_dud_plan_checksum(plan, checksum) &
      bind(c, name='dud_plan_checksum') result(code)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: checksum
      integer(c_int) :: code
    end function
    function c_dud_create(plan, path, writer) &
      bind(c, name='dud_create') result(code)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: writer
      integer(c_int) :: code
    end function
    function c_dud_create_shared(plan, path, writer) &
      bind(c, name='dud_create_shared') result(code)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: writer
      integer(c_int) :: code
    end function
    function c_dud_join(plan, path, writer) &
      bind(c, name='dud_join') result(code)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: writer
      integer(c_int) :: code
    end function
    function c_dud_writer_shape(writer, path, shape, room, rank) &
      bind(c, name='dud_writer_shape') result(code)
      import
      type(c_ptr), value :: writer
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: shape
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: rank
      integer(c_int) :: code
    end function
    function c_dud_write(writer, path, from, ty, rank, shape, start, stride) &
      bind(c, name='dud_write') result(code)
      import
      type(c_ptr), value :: writer
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: from
      integer(c_int), value :: ty
      integer(c_size_t), value :: rank
      type(c_ptr), value :: shape
      type(c_ptr), value :: start
      type(c_ptr), value :: stride
      integer(c_int) :: code
    end function
    function c_dud_write_text(writer, path, text) &
      bind(c, name='dud_write_text') result(code)
      import
      type(c_ptr), value :: writer
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int) :: code
    end function
    function c_dud_mark_written(writer, path) &
      bind(c, name='dud_mark_written') result(code)
      import
      type(c_ptr), value :: writer
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: code
    end function
    function c_dud_coverage(writer, to, room, length) &
      bind(c, name='dud_coverage') result(code)
      import
      type(c_ptr), value :: writer
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_cover(writer, from, bytes) &
      bind(c, name='dud_cover') result(code)
      import
      type(c_ptr), value :: writer
      type(c_ptr), value :: from
      integer(c_size_t), value :: bytes
      integer(c_int) :: code
    end function
    function c_dud_sync(writer) &
      bind(c, name='dud_sync') result(code)
      import
      type(c_ptr), value :: writer
      integer(c_int) :: code
    end function
    function c_dud_finish(writer) &
      bind(c, name='dud_finish') result(code)
      import
      type(c_ptr), value :: writer
      integer(c_int) :: code
    end function
    function c_dud_finish_summed(writer, known, bytes, crc32c) &
      bind(c, name='dud_finish_summed') result(code)
      import
      type(c_ptr), value :: writer
      integer(c_int), intent(inout) :: known
      integer(c_int64_t), intent(inout) :: bytes
      integer(c_int32_t), intent(inout) :: crc32c
      integer(c_int) :: code
    end function
    function c_dud_abort(writer) &
      bind(c, name='dud_abort') result(code)
      import
      type(c_ptr), value :: writer
      integer(c_int) :: code
    end function
    function c_dud_append_open(path, appender) &
      bind(c, name='dud_append_open') result(code)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(inout) :: appender
      integer(c_int) :: code
    end function
    function c_dud_append_push(appender, path, records, columns, count, length) &
      bind(c, name='dud_append_push') result(code)
      import
      type(c_ptr), value :: appender
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), value :: records
      type(c_column), intent(in) :: columns(*)
      integer(c_size_t), value :: count
      integer(c_int64_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_append_write(appender, path, from, ty, rank, shape) &
      bind(c, name='dud_append_write') result(code)
      import
      type(c_ptr), value :: appender
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: from
      integer(c_int), value :: ty
      integer(c_size_t), value :: rank
      type(c_ptr), value :: shape
      integer(c_int) :: code
    end function
    function c_dud_append_commit(appender) &
      bind(c, name='dud_append_commit') result(code)
      import
      type(c_ptr), value :: appender
      integer(c_int) :: code
    end function
    function c_dud_append_truncate(appender, path, records) &
      bind(c, name='dud_append_truncate') result(code)
      import
      type(c_ptr), value :: appender
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), value :: records
      integer(c_int) :: code
    end function
    function c_dud_append_close(appender) &
      bind(c, name='dud_append_close') result(code)
      import
      type(c_ptr), value :: appender
      integer(c_int) :: code
    end function
    function c_dud_checkpoints_open(directory, keep, every, checkpoints) &
      bind(c, name='dud_checkpoints_open') result(code)
      import
      character(kind=c_char), intent(in) :: directory(*)
      integer(c_size_t), value :: keep
      integer(c_int64_t), value :: every
      type(c_ptr), intent(inout) :: checkpoints
      integer(c_int) :: code
    end function
    function c_dud_checkpoints_close(checkpoints) &
      bind(c, name='dud_checkpoints_close') result(code)
      import
      type(c_ptr), value :: checkpoints
      integer(c_int) :: code
    end function
    function c_dud_checkpoint_due(checkpoints, step, due) &
      bind(c, name='dud_checkpoint_due') result(code)
      import
      type(c_ptr), value :: checkpoints
      integer(c_int64_t), value :: step
      integer(c_int), intent(inout) :: due
      integer(c_int) :: code
    end function
    function c_dud_checkpoint_latest(checkpoints, step, folder, room, length) &
      bind(c, name='dud_checkpoint_latest') result(code)
      import
      type(c_ptr), value :: checkpoints
      integer(c_int64_t), intent(inout) :: step
      type(c_ptr), value :: folder
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_draft_begin(checkpoints, step, draft) &
      bind(c, name='dud_draft_begin') result(code)
      import
      type(c_ptr), value :: checkpoints
      integer(c_int64_t), value :: step
      type(c_ptr), intent(inout) :: draft
      integer(c_int) :: code
    end function
    function c_dud_draft_folder(draft, folder, room, length) &
      bind(c, name='dud_draft_folder') result(code)
      import
      type(c_ptr), value :: draft
      type(c_ptr), value :: folder
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_draft_history(draft, file, appender, path) &
      bind(c, name='dud_draft_history') result(code)
      import
      type(c_ptr), value :: draft
      character(kind=c_char), intent(in) :: file(*)
      type(c_ptr), value :: appender
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: code
    end function
    function c_dud_draft_checksum(draft, file, known, bytes, crc32c) &
      bind(c, name='dud_draft_checksum') result(code)
      import
      type(c_ptr), value :: draft
      character(kind=c_char), intent(in) :: file(*)
      integer(c_int), value :: known
      integer(c_int64_t), value :: bytes
      integer(c_int32_t), value :: crc32c
      integer(c_int) :: code
    end function
    function c_dud_draft_publish(draft) &
      bind(c, name='dud_draft_publish') result(code)
      import
      type(c_ptr), value :: draft
      integer(c_int) :: code
    end function
    function c_dud_draft_abandon(draft) &
      bind(c, name='dud_draft_abandon') result(code)
      import
      type(c_ptr), value :: draft
      integer(c_int) :: code
    end function
    function c_dud_family_create(catalog, files, count) &
      bind(c, name='dud_family_create') result(code)
      import
      character(kind=c_char), intent(in) :: catalog(*)
      type(c_ptr), intent(in) :: files(*)
      integer(c_size_t), value :: count
      integer(c_int) :: code
    end function
    function c_dud_family_open(catalog, family) &
      bind(c, name='dud_family_open') result(code)
      import
      character(kind=c_char), intent(in) :: catalog(*)
      type(c_ptr), intent(inout) :: family
      integer(c_int) :: code
    end function
    function c_dud_family_close(family) &
      bind(c, name='dud_family_close') result(code)
      import
      type(c_ptr), value :: family
      integer(c_int) :: code
    end function
    function c_dud_family_len(family, members) &
      bind(c, name='dud_family_len') result(code)
      import
      type(c_ptr), value :: family
      integer(c_int64_t), intent(inout) :: members
      integer(c_int) :: code
    end function
    function c_dud_family_select(family, condition, members, room, count) &
      bind(c, name='dud_family_select') result(code)
      import
      type(c_ptr), value :: family
      character(kind=c_char), intent(in) :: condition(*)
      type(c_ptr), value :: members
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: count
      integer(c_int) :: code
    end function
    function c_dud_family_file(family, member, to, room, length) &
      bind(c, name='dud_family_file') result(code)
      import
      type(c_ptr), value :: family
      integer(c_int64_t), value :: member
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function c_dud_family_value(family, member, column, value) &
      bind(c, name='dud_family_value') result(code)
      import
      type(c_ptr), value :: family
      integer(c_int64_t), value :: member
      character(kind=c_char), intent(in) :: column(*)
      real(c_double), intent(inout) :: value
      integer(c_int) :: code
    end function
    function c_dud_family_read(family, path, members, count, to, ty, rank, shape) &
      bind(c, name='dud_family_read') result(code)
      import
      type(c_ptr), value :: family
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: members
      integer(c_size_t), value :: count
      type(c_ptr), value :: to
      integer(c_int), value :: ty
      integer(c_size_t), value :: rank
      type(c_ptr), value :: shape
      integer(c_int) :: code
    end function
    pure function c_strlen(text) bind(c, name='strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

  ! Functions that give a text.
  abstract interface
    function attr_text_of(file, path, name, to, room, length) bind(c) result(code)
      import :: c_ptr, c_char, c_size_t, c_int
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*), name(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
    function text_of(file, path, to, room, length) bind(c) result(code)
      import :: c_ptr, c_char, c_size_t, c_int
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: to
      integer(c_size_t), value :: room
      integer(c_size_t), intent(inout) :: length
      integer(c_int) :: code
    end function
  end interface

contains

  ! The text of the last error of this thread.
  function dud_error() result(text)
    character(len=:), allocatable :: text
    text = of_c(c_dud_error())
  end function

  ! The version of the library.
  function dud_version() result(text)
    character(len=:), allocatable :: text
    text = of_c(c_dud_version())
  end function

  subroutine open_file(file, path, options, ierr)
    type(dud_file), intent(inout) :: file
    character(len=*), intent(in) :: path
    type(dud_options), intent(in), optional :: options
    integer, intent(out), optional :: ierr
    type(c_ptr) :: how
    how = c_null_ptr
    if (present(options)) how = options%handle
    call told(c_dud_open(trim(path) // c_null_char, how, file%handle), ierr)
  end subroutine

  subroutine close_file(file, ierr)
    type(dud_file), intent(inout) :: file
    integer, intent(out), optional :: ierr
    call told(c_dud_close(file%handle), ierr)
    file%handle = c_null_ptr
  end subroutine

  subroutine open_family(family, catalog, ierr)
    type(dud_family), intent(inout) :: family
    character(len=*), intent(in) :: catalog
    integer, intent(out), optional :: ierr
    integer(int64) :: count, at
    integer(c_int) :: code
    count = 0
    code = c_dud_family_open(trim(catalog) // c_null_char, family%handle)
    if (code == 0) code = c_dud_family_len(family%handle, count)
    family%members = [(at, at=0, count - 1)]
    call told(code, ierr)
  end subroutine

  subroutine close_family(family, ierr)
    type(dud_family), intent(inout) :: family
    integer, intent(out), optional :: ierr
    call told(c_dud_family_close(family%handle), ierr)
    family%handle = c_null_ptr
  end subroutine

  ! Picks the members of a family by a condition, such as 'time > 0.5'.
  subroutine dud_select(family, condition, ierr)
    type(dud_family), intent(inout) :: family
    character(len=*), intent(in) :: condition
    integer, intent(out), optional :: ierr
    integer(int64), allocatable, target :: members(:)
    integer(c_size_t) :: count
    integer(c_int) :: code
    count = 0
    code = c_dud_family_select(family%handle, trim(condition) // c_null_char, c_null_ptr, 0_c_size_t, count)
    allocate (members(count))
    if (code == 0 .and. count > 0) code = c_dud_family_select(family%handle, trim(condition) // c_null_char, &
      c_loc(members), count, count)
    if (code == 0) call move_alloc(members, family%members)
    call told(code, ierr)
  end subroutine

  ! Makes a catalog of streams, which carry the same layout. One that is there is replaced.
  subroutine dud_family_create(catalog, files, ierr)
    character(len=*), intent(in) :: catalog, files(:)
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: names(:, :)
    type(c_ptr), allocatable :: texts(:)
    integer :: at
    allocate (names(len(files) + 1, size(files)), texts(size(files)))
    do at = 1, size(files)
      names(:len_trim(files(at)) + 1, at) = units(trim(files(at)) // c_null_char)
      texts(at) = c_loc(names(1, at))
    end do
    call told(c_dud_family_create(trim(catalog) // c_null_char, texts, size(texts, kind=c_size_t)), ierr)
  end subroutine

  ! The file of a member, by its number from 0.
  subroutine dud_family_file(family, member, text, ierr)
    type(dud_family), intent(in) :: family
    integer(int64), intent(in) :: member
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: room(:)
    integer(c_size_t) :: length
    integer(c_int) :: code
    length = 0
    code = c_dud_family_file(family%handle, member, c_null_ptr, 0_c_size_t, length)
    allocate (room(length + 1))
    if (code == 0) code = c_dud_family_file(family%handle, member, c_loc(room), length + 1, length)
    if (code /= 0) length = 0
    text = joined(room(:length))
    call told(code, ierr)
  end subroutine

  ! A number of the summary of a member, by the name of its column.
  subroutine dud_family_value(family, member, column, value, ierr)
    type(dud_family), intent(in) :: family
    integer(int64), intent(in) :: member
    character(len=*), intent(in) :: column
    real(real64), intent(out) :: value
    integer, intent(out), optional :: ierr
    value = 0
    call told(c_dud_family_value(family%handle, member, trim(column) // c_null_char, value), ierr)
  end subroutine

  ! The name of the format of a file, such as 'stream' or 'hdf5'.
  subroutine dud_format(file, text, ierr)
    type(dud_file), intent(in) :: file
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierr
    integer(c_size_t) :: length
    character(kind=c_char), target :: room(256)
    integer(c_int) :: code
    length = 0
    code = c_dud_format(file%handle, c_loc(room), 256_c_size_t, length)
    text = joined(room(:length))
    call told(code, ierr)
  end subroutine

  ! The kind of what is at a path: dud_dict, dud_list, dud_array or dud_value.
  subroutine dud_kind(file, path, kind, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer, intent(out) :: kind
    integer, intent(out), optional :: ierr
    kind = 0
    call told(c_dud_kind(file%handle, trim(path) // c_null_char, kind), ierr)
  end subroutine

  ! How many items a dict or list has.
  subroutine dud_len(file, path, length, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), intent(out) :: length
    integer, intent(out), optional :: ierr
    length = 0
    call told(c_dud_len(file%handle, trim(path) // c_null_char, length), ierr)
  end subroutine

  ! The paths of the items of a dict, all as long as the longest.
  subroutine dud_children(file, path, paths, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    character(len=:), allocatable, intent(out) :: paths(:)
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: all
    integer :: code
    call text_from(file%handle, path, c_dud_children, all, code)
    call split(all, paths)
    call told(code, ierr)
  end subroutine

  subroutine shape_file(file, path, shape, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: shape(:)
    integer, intent(out), optional :: ierr
    integer(int64), allocatable, target :: dims(:)
    integer(c_size_t) :: rank
    integer(c_int) :: code
    rank = 0
    code = c_dud_shape(file%handle, trim(path) // c_null_char, c_null_ptr, 0_c_size_t, rank)
    allocate (dims(rank))
    if (code == 0 .and. rank > 0) code = c_dud_shape(file%handle, trim(path) // c_null_char, c_loc(dims), rank, rank)
    shape = dims(size(dims):1:-1)
    call told(code, ierr)
  end subroutine

  subroutine shape_writer(writer, path, shape, ierr)
    type(dud_writer), intent(in) :: writer
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: shape(:)
    integer, intent(out), optional :: ierr
    integer(int64), allocatable, target :: dims(:)
    integer(c_size_t) :: rank
    integer(c_int) :: code
    rank = 0
    code = c_dud_writer_shape(writer%handle, trim(path) // c_null_char, c_null_ptr, 0_c_size_t, rank)
    allocate (dims(rank))
    if (code == 0 .and. rank > 0) code = c_dud_writer_shape(writer%handle, trim(path) // c_null_char, c_loc(dims), rank, &
      rank)
    shape = dims(size(dims):1:-1)
    call told(code, ierr)
  end subroutine

  ! The type of the elements, such as dud_double.
  subroutine dud_type(file, path, of, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer, intent(out) :: of
    integer, intent(out), optional :: ierr
    of = dud_other
    call told(c_dud_type(file%handle, trim(path) // c_null_char, of), ierr)
  end subroutine

  ! The type of the elements as a layout has it, such as '<f8'.
  subroutine dud_dtype(file, path, text, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierr
    integer :: code
    call text_from(file%handle, path, c_dud_dtype, text, code)
    call told(code, ierr)
  end subroutine

  ! The unit of an item, empty if it has none.
  subroutine dud_unit(file, path, text, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierr
    integer :: code
    call text_from(file%handle, path, c_dud_unit, text, code)
    call told(code, ierr)
  end subroutine

  ! The documentation of an item.
  subroutine dud_doc(file, path, text, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierr
    integer :: code
    call text_from(file%handle, path, c_dud_doc, text, code)
    call told(code, ierr)
  end subroutine

  ! The name of a dimension of an array, from 1 in the order of Fortran, such as 'JMAX'; empty if it has none.
  subroutine dud_dim(file, path, dim, text, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer, intent(in) :: dim
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    character(kind=c_char), allocatable, target :: room(:)
    integer(c_size_t) :: length, at
    integer :: code
    length = 0
    at = 0
    call shape_file(file, path, n, code)
    if (code == 0 .and. (dim < 1 .or. dim > size(n))) code = refused(path, 'the array has no such dimension')
    if (code == 0) at = int(size(n) - dim, c_size_t)
    if (code == 0) code = c_dud_dim(file%handle, trim(path) // c_null_char, at, c_null_ptr, 0_c_size_t, length)
    allocate (room(length + 1))
    if (code == 0) code = c_dud_dim(file%handle, trim(path) // c_null_char, at, c_loc(room), length + 1, length)
    if (code /= 0) length = 0
    text = joined(room(:length))
    call told(code, ierr)
  end subroutine

  ! Bytes of an element in memory: of a struct, from one to the next.
  subroutine dud_element_size(file, path, bytes, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), intent(out) :: bytes
    integer, intent(out), optional :: ierr
    bytes = 0
    call told(c_dud_element_size(file%handle, trim(path) // c_null_char, bytes), ierr)
  end subroutine

  ! The paths of the params of a dict, such as '/:N', all as long as the longest.
  subroutine dud_params(file, path, paths, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    character(len=:), allocatable, intent(out) :: paths(:)
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: all
    integer :: code
    call text_from(file%handle, path, c_dud_params, all, code)
    call split(all, paths)
    call told(code, ierr)
  end subroutine

  ! What is odd in a file or wrong with it, as far as that was seen so far, all as long as the longest.
  subroutine dud_remarks(file, remarks, ierr)
    type(dud_file), intent(in) :: file
    character(len=:), allocatable, intent(out) :: remarks(:)
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: room(:)
    integer(c_size_t) :: length
    integer :: code
    length = 0
    code = c_dud_remarks(file%handle, c_null_ptr, 0_c_size_t, length)
    allocate (room(length + 1))
    if (code == 0) code = c_dud_remarks(file%handle, c_loc(room), length + 1, length)
    if (code /= 0) length = 0
    call split(joined(room(:length)), remarks)
    call told(code, ierr)
  end subroutine

  subroutine param_file(file, path, value, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), intent(out) :: value
    integer, intent(out), optional :: ierr
    value = 0
    call told(c_dud_param(file%handle, trim(path) // c_null_char, value), ierr)
  end subroutine

  subroutine param_file_4(file, path, value, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), intent(out) :: value
    integer, intent(out), optional :: ierr
    integer(int64) :: wide
    integer :: code
    call param_file(file, path, wide, code)
    if (code == 0 .and. abs(wide) > huge(value)) code = refused(path, 'the param needs 8 bytes')
    value = 0
    if (code == 0) value = int(wide, int32)
    call told(code, ierr)
  end subroutine

  ! The names of the attributes of an item, all as long as the longest.
  subroutine dud_attrs(file, path, names, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    character(len=:), allocatable, intent(out) :: names(:)
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: all
    integer :: code
    call text_from(file%handle, path, c_dud_attrs, all, code)
    call split(all, names)
    call told(code, ierr)
  end subroutine

  ! The type of an attribute: dud_char, dud_int64, dud_uint64, dud_double, dud_complex_double, dud_bool or dud_other.
  subroutine dud_attr_type(file, path, name, of, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer, intent(out) :: of
    integer, intent(out), optional :: ierr
    of = dud_other
    call told(c_dud_attr_type(file%handle, trim(path) // c_null_char, trim(name) // c_null_char, of), ierr)
  end subroutine

  ! The dimensions of an attribute, in the order of Fortran: none for one number or text.
  subroutine dud_attr_shape(file, path, name, shape, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int64), allocatable, intent(out) :: shape(:)
    integer, intent(out), optional :: ierr
    integer(int64), allocatable, target :: dims(:)
    integer(c_size_t) :: rank
    integer(c_int) :: code
    rank = 0
    code = c_dud_attr_shape(file%handle, trim(path) // c_null_char, trim(name) // c_null_char, c_null_ptr, 0_c_size_t, rank)
    allocate (dims(rank))
    if (code == 0 .and. rank > 0) code = c_dud_attr_shape(file%handle, trim(path) // c_null_char, &
      trim(name) // c_null_char, c_loc(dims), rank, rank)
    shape = dims(size(dims):1:-1)
    call told(code, ierr)
  end subroutine

  subroutine attr_t_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    character(len=:), allocatable, intent(out) :: x
    integer, intent(out), optional :: ierr
    integer :: code
    call attr_text_from(file, path, name, c_dud_attr, x, code)
    call told(code, ierr)
  end subroutine

  subroutine attr_t_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    character(len=:), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: all
    integer :: code
    call attr_text_from(file, path, name, c_dud_attr_texts, all, code)
    call split(all, x)
    call told(code, ierr)
  end subroutine

  ! A text of an attribute that a function of C gives.
  subroutine attr_text_from(file, path, name, function, text, code)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    procedure(attr_text_of) :: function
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out) :: code
    character(kind=c_char), allocatable, target :: room(:)
    integer(c_size_t) :: length
    length = 0
    code = function(file%handle, trim(path) // c_null_char, trim(name) // c_null_char, c_null_ptr, 0_c_size_t, length)
    allocate (room(length + 1))
    if (code == 0) code = function(file%handle, trim(path) // c_null_char, trim(name) // c_null_char, c_loc(room), &
      length + 1, length)
    if (code /= 0) length = 0
    text = joined(room(:length))
  end subroutine

  ! Reads the numbers of an attribute.
  subroutine attr_any(file, path, name, to, of, shape, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    type(c_ptr), intent(in) :: to
    integer(c_int), intent(in) :: of
    integer(int64), intent(in) :: shape(:)
    integer, intent(out), optional :: ierr
    integer(int64), target :: count(size(shape))
    count = shape(size(shape):1:-1)
    call told(c_dud_attr_read(file%handle, trim(path) // c_null_char, trim(name) // c_null_char, to, of, &
      size(shape, kind=c_size_t), c_loc(count)), ierr)
  end subroutine

  ! How many elements a list has that is an attribute.
  subroutine attr_count(file, path, name, count, code)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int64), intent(out) :: count
    integer, intent(out) :: code
    integer(int64), allocatable :: n(:)
    count = 0
    call dud_attr_shape(file, path, name, n, code)
    if (code == 0 .and. size(n) /= 1) code = refused(path, 'the attribute ' // trim(name) // ' has another rank than 1')
    if (code == 0) count = n(1)
  end subroutine

  ! Whether the physical values of what a path picks are others than those that are stored; of is the type of the physical
  ! ones.
  subroutine dud_scaled(file, path, is, of, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical, intent(out) :: is
    integer, intent(out), optional :: of, ierr
    integer(c_int) :: answer, type
    answer = 0
    type = dud_other
    call told(c_dud_scaled(file%handle, trim(path) // c_null_char, answer, type), ierr)
    is = answer /= 0
    if (present(of)) of = type
  end subroutine

  ! Which elements have no value, in the order of the array; none if all have one.
  subroutine dud_missing(file, path, missing, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical, allocatable, intent(out) :: missing(:)
    integer, intent(out), optional :: ierr
    integer(int8), allocatable, target :: bytes(:)
    integer(c_size_t) :: count
    integer(c_int) :: code
    count = 0
    code = c_dud_missing(file%handle, trim(path) // c_null_char, c_null_ptr, 0_c_size_t, count)
    allocate (bytes(count), missing(count))
    if (code == 0 .and. count > 0) code = c_dud_missing(file%handle, trim(path) // c_null_char, c_loc(bytes), count, count)
    missing(:) = bytes /= 0
    call told(code, ierr)
  end subroutine

  ! Where the first byte of an array is, in bytes from the start of the stream.
  subroutine dud_address(file, path, address, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), intent(out) :: address
    integer, intent(out), optional :: ierr
    address = 0
    call told(c_dud_address(file%handle, trim(path) // c_null_char, address), ierr)
  end subroutine

  subroutine layout_options(options, text, ierr)
    type(dud_options), intent(inout) :: options
    character(len=*), intent(in) :: text
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    code = ready(options)
    if (code == 0) code = c_dud_options_layout(options%handle, text // c_null_char)
    call told(code, ierr)
  end subroutine

  subroutine param_options(options, name, value, ierr)
    type(dud_options), intent(inout) :: options
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: value
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    code = ready(options)
    if (code == 0) code = c_dud_options_param(options%handle, trim(name) // c_null_char, value)
    call told(code, ierr)
  end subroutine

  subroutine param_options_4(options, name, value, ierr)
    type(dud_options), intent(inout) :: options
    character(len=*), intent(in) :: name
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: ierr
    call param_options(options, name, int(value, int64), ierr)
  end subroutine

  subroutine raw_options(options, ierr)
    type(dud_options), intent(inout) :: options
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    code = ready(options)
    if (code == 0) code = c_dud_options_raw(options%handle)
    call told(code, ierr)
  end subroutine

  subroutine order_options(options, order, ierr)
    type(dud_options), intent(inout) :: options
    character(len=*), intent(in) :: order
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    code = ready(options)
    if (code == 0) code = c_dud_options_order(options%handle, trim(order) // c_null_char)
    call told(code, ierr)
  end subroutine

  ! Says where in the file the stream begins, in bytes.
  subroutine dud_base(options, bytes, ierr)
    type(dud_options), intent(inout) :: options
    integer(int64), intent(in) :: bytes
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    code = ready(options)
    if (code == 0) code = c_dud_options_base(options%handle, bytes)
    call told(code, ierr)
  end subroutine

  ! Opens a stream, too, that seems to be cut off within its layout.
  subroutine dud_unterminated(options, ierr)
    type(dud_options), intent(inout) :: options
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    code = ready(options)
    if (code == 0) code = c_dud_options_unterminated(options%handle)
    call told(code, ierr)
  end subroutine

  ! Says how many threads read large arrays; 0 for as many as the machine has.
  subroutine dud_threads(options, count, ierr)
    type(dud_options), intent(inout) :: options
    integer, intent(in) :: count
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    code = ready(options)
    if (code == 0 .and. count < 0) code = refused('threads', 'their number is negative')
    if (code == 0) code = c_dud_options_threads(options%handle, int(count, c_size_t))
    call told(code, ierr)
  end subroutine

  subroutine close_view(view, ierr)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    call told(c_dud_view_close(view%handle), ierr)
    view%handle = c_null_ptr
  end subroutine

  subroutine close_options(options, ierr)
    type(dud_options), intent(inout) :: options
    integer, intent(out), optional :: ierr
    call told(c_dud_options_free(options%handle), ierr)
    options%handle = c_null_ptr
  end subroutine

  ! Options that are there.
  function ready(options) result(code)
    type(dud_options), intent(inout) :: options
    integer(c_int) :: code
    code = 0
    if (.not. c_associated(options%handle)) code = c_dud_options_new(options%handle)
  end function

  subroutine layout_plan(plan, text, ierr)
    type(dud_plan), intent(inout) :: plan
    character(len=*), intent(in) :: text
    integer, intent(out), optional :: ierr
    call told(c_dud_plan_new(text // c_null_char, plan%handle), ierr)
  end subroutine

  subroutine param_plan(plan, name, value, ierr)
    type(dud_plan), intent(in) :: plan
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: value
    integer, intent(out), optional :: ierr
    call told(c_dud_plan_param(plan%handle, trim(name) // c_null_char, value), ierr)
  end subroutine

  subroutine param_plan_4(plan, name, value, ierr)
    type(dud_plan), intent(in) :: plan
    character(len=*), intent(in) :: name
    integer(int32), intent(in) :: value
    integer, intent(out), optional :: ierr
    call param_plan(plan, name, int(value, int64), ierr)
  end subroutine

  subroutine raw_plan(plan, ierr)
    type(dud_plan), intent(in) :: plan
    integer, intent(out), optional :: ierr
    call told(c_dud_plan_raw(plan%handle), ierr)
  end subroutine

  subroutine order_plan(plan, order, ierr)
    type(dud_plan), intent(in) :: plan
    character(len=*), intent(in) :: order
    integer, intent(out), optional :: ierr
    call told(c_dud_plan_order(plan%handle, trim(order) // c_null_char), ierr)
  end subroutine

  subroutine close_plan(plan, ierr)
    type(dud_plan), intent(inout) :: plan
    integer, intent(out), optional :: ierr
    call told(c_dud_plan_free(plan%handle), ierr)
    plan%handle = c_null_ptr
  end subroutine

  ! Begins a file, which appears when it is finished. With overwrite it takes the place of one that is there; with shared
  ! it is written in place, by this process and those that join.
  subroutine dud_create(writer, plan, path, overwrite, shared, ierr)
    type(dud_writer), intent(inout) :: writer
    type(dud_plan), intent(in) :: plan
    character(len=*), intent(in) :: path
    logical, intent(in), optional :: overwrite, shared
    integer, intent(out), optional :: ierr
    logical :: over, many
    integer(c_int) :: code
    over = .false.
    many = .false.
    if (present(overwrite)) over = overwrite
    if (present(shared)) many = shared
    code = c_dud_plan_overwrite(plan%handle, merge(1_c_int, 0_c_int, over))
    if (code == 0 .and. many) then
      code = c_dud_create_shared(plan%handle, trim(path) // c_null_char, writer%handle)
    else if (code == 0) then
      code = c_dud_create(plan%handle, trim(path) // c_null_char, writer%handle)
    end if
    call told(code, ierr)
  end subroutine

  ! Writes to a file that another process has begun, with shared, by the same plan.
  subroutine dud_join(writer, plan, path, ierr)
    type(dud_writer), intent(inout) :: writer
    type(dud_plan), intent(in) :: plan
    character(len=*), intent(in) :: path
    integer, intent(out), optional :: ierr
    call told(c_dud_join(plan%handle, trim(path) // c_null_char, writer%handle), ierr)
  end subroutine

  ! Says that an item was written by other processes.
  subroutine dud_mark_written(writer, path, ierr)
    type(dud_writer), intent(in) :: writer
    character(len=*), intent(in) :: path
    integer, intent(out), optional :: ierr
    call told(c_dud_mark_written(writer%handle, trim(path) // c_null_char), ierr)
  end subroutine

  ! What this process has written so far, for dud_cover of another one.
  subroutine dud_coverage(writer, bytes, ierr)
    type(dud_writer), intent(in) :: writer
    integer(int8), allocatable, target, intent(out) :: bytes(:)
    integer, intent(out), optional :: ierr
    integer(c_size_t) :: length
    integer(c_int) :: code
    length = 0
    code = c_dud_coverage(writer%handle, c_null_ptr, 0_c_size_t, length)
    allocate (bytes(length))
    if (code == 0) code = c_dud_coverage(writer%handle, c_loc(bytes), length, length)
    call told(code, ierr)
  end subroutine

  ! Takes for written what another process has written.
  subroutine dud_cover(writer, bytes, ierr)
    type(dud_writer), intent(in) :: writer
    integer(int8), contiguous, target, intent(in) :: bytes(:)
    integer, intent(out), optional :: ierr
    call told(c_dud_cover(writer%handle, c_loc(bytes), size(bytes, kind=c_size_t)), ierr)
  end subroutine

  ! Makes durable what this process has written.
  subroutine dud_sync(writer, ierr)
    type(dud_writer), intent(in) :: writer
    integer, intent(out), optional :: ierr
    call told(c_dud_sync(writer%handle), ierr)
  end subroutine

  ! Completes the file and closes the writer. If items are missing the writer stays open. With sum its checksum is given, if
  ! dud_checksum(plan) asked for it and it is known.
  subroutine dud_finish(writer, ierr, sum)
    type(dud_writer), intent(inout) :: writer
    integer, intent(out), optional :: ierr
    type(dud_sum), intent(out), optional :: sum
    type(dud_sum) :: found
    integer(c_int) :: code, known
    known = 0
    code = c_dud_finish_summed(writer%handle, known, found%bytes, found%crc32c)
    if (code == 0) writer%handle = c_null_ptr
    found%known = known /= 0
    if (present(sum)) sum = found
    call told(code, ierr)
  end subroutine

  ! Closes the writer; the file does not appear.
  subroutine dud_abort(writer, ierr)
    type(dud_writer), intent(inout) :: writer
    integer, intent(out), optional :: ierr
    call told(c_dud_abort(writer%handle), ierr)
    writer%handle = c_null_ptr
  end subroutine

  subroutine open_appender(appender, path, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: path
    integer, intent(out), optional :: ierr
    if (allocated(appender%columns)) deallocate (appender%columns)
    call told(c_dud_append_open(trim(path) // c_null_char, appender%handle), ierr)
  end subroutine

  subroutine close_appender(appender, ierr)
    type(dud_appender), intent(inout) :: appender
    integer, intent(out), optional :: ierr
    if (allocated(appender%columns)) deallocate (appender%columns)
    call told(c_dud_append_close(appender%handle), ierr)
    appender%handle = c_null_ptr
  end subroutine

  subroutine push_8(appender, path, records, length, ierr)
    type(dud_appender), intent(inout), target :: appender
    character(len=*), intent(in) :: path
    integer(int64), intent(in), optional :: records
    integer(int64), intent(out), optional :: length
    integer, intent(out), optional :: ierr
    type(c_column), allocatable :: parts(:)
    type(column), pointer :: one
    integer(int64) :: many, count, there
    integer :: at, rank
    integer(c_int) :: code
    many = 1
    count = 0
    if (present(records)) many = records
    if (.not. allocated(appender%columns)) allocate (appender%columns(0))
    allocate (parts(size(appender%columns)))
    code = 0
    if (many < 0) code = refused(path, 'the number of records is negative')
    do at = 1, size(parts)
      one => appender%columns(at)
      rank = size(one%shape)
      ! The records are the slowest dimension, which is the first of C.
      if (present(records)) then
        there = 1
        if (rank > 0) there = one%shape(1)
        if (rank == 0 .or. there /= many) code = refused(path, 'the last dimension of a part is not that of the records')
        rank = max(rank - 1, 0)
      end if
      parts(at) = c_column(c_null_ptr, c_loc(one%bytes), one%of, int(rank, c_size_t), c_null_ptr)
      if (size(one%name) > 1) parts(at)%name = c_loc(one%name)
      if (rank > 0) parts(at)%shape = c_loc(one%shape(size(one%shape) - rank + 1))
    end do
    if (code == 0) code = c_dud_append_push(appender%handle, trim(path) // c_null_char, many, parts, &
      size(parts, kind=c_size_t), count)
    ! After an error, too: what is pushed next must not be mixed with them.
    deallocate (appender%columns)
    allocate (appender%columns(0))
    if (present(length)) length = count
    call told(code, ierr)
  end subroutine

  subroutine push_4(appender, path, records, length, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: path
    integer(int32), intent(in) :: records
    integer(int64), intent(out), optional :: length
    integer, intent(out), optional :: ierr
    call push_8(appender, path, int(records, int64), length, ierr)
  end subroutine

  ! Makes durable what was added, and lets readers see it.
  subroutine dud_commit(appender, ierr)
    type(dud_appender), intent(in) :: appender
    integer, intent(out), optional :: ierr
    call told(c_dud_append_commit(appender%handle), ierr)
  end subroutine

  subroutine truncate_8(appender, path, records, ierr)
    type(dud_appender), intent(in) :: appender
    character(len=*), intent(in) :: path
    integer(int64), intent(in) :: records
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    if (records < 0) then
      code = refused(path, 'the number of records is negative')
    else
      code = c_dud_append_truncate(appender%handle, trim(path) // c_null_char, records)
    end if
    call told(code, ierr)
  end subroutine

  subroutine truncate_4(appender, path, records, ierr)
    type(dud_appender), intent(in) :: appender
    character(len=*), intent(in) :: path
    integer(int32), intent(in) :: records
    integer, intent(out), optional :: ierr
    call truncate_8(appender, path, int(records, int64), ierr)
  end subroutine

  subroutine open_checkpoints(checkpoints, directory, keep, every, ierr)
    type(dud_checkpoints), intent(inout) :: checkpoints
    character(len=*), intent(in) :: directory
    integer, intent(in) :: keep, every
    integer, intent(out), optional :: ierr
    call told(c_dud_checkpoints_open(trim(directory) // c_null_char, int(keep, c_size_t), int(every, int64), &
      checkpoints%handle), ierr)
  end subroutine

  subroutine close_checkpoints(checkpoints, ierr)
    type(dud_checkpoints), intent(inout) :: checkpoints
    integer, intent(out), optional :: ierr
    call told(c_dud_checkpoints_close(checkpoints%handle), ierr)
    checkpoints%handle = c_null_ptr
  end subroutine

  ! Whether a checkpoint belongs to a step.
  function dud_due(checkpoints, step) result(due)
    type(dud_checkpoints), intent(in) :: checkpoints
    integer(int64), intent(in) :: step
    logical :: due
    integer(c_int) :: answer
    answer = 0
    call told(c_dud_checkpoint_due(checkpoints%handle, step, answer))
    due = answer /= 0
  end function

  ! The folder of the newest checkpoint that is whole, empty if there is none, and its step. Histories are cut back to it.
  subroutine dud_latest(checkpoints, step, folder, ierr)
    type(dud_checkpoints), intent(in) :: checkpoints
    integer(int64), intent(out) :: step
    character(len=:), allocatable, intent(out) :: folder
    integer, intent(out), optional :: ierr
    character(kind=c_char), target :: room(4096)
    integer(c_size_t) :: length
    integer(c_int) :: code
    step = 0
    length = 0
    code = c_dud_checkpoint_latest(checkpoints%handle, step, c_loc(room), 4096_c_size_t, length)
    if (code /= 0) length = 0
    folder = joined(room(:length))
    if (code == dud_error_not_found) code = 0
    call told(code, ierr)
  end subroutine

  ! Begins the checkpoint of a step, and gives the folder for its files.
  subroutine dud_begin(draft, checkpoints, step, folder, ierr)
    type(dud_draft), intent(inout) :: draft
    type(dud_checkpoints), intent(in) :: checkpoints
    integer(int64), intent(in) :: step
    character(len=:), allocatable, intent(out) :: folder
    integer, intent(out), optional :: ierr
    character(kind=c_char), target :: room(4096)
    integer(c_size_t) :: length
    integer(c_int) :: code
    length = 0
    code = c_dud_draft_begin(checkpoints%handle, step, draft%handle)
    if (code == 0) code = c_dud_draft_folder(draft%handle, c_loc(room), 4096_c_size_t, length)
    if (code /= 0) length = 0
    folder = joined(room(:length))
    call told(code, ierr)
  end subroutine

  subroutine checksum_plan(plan, ierr)
    type(dud_plan), intent(in) :: plan
    integer, intent(out), optional :: ierr
    call told(c_dud_plan_checksum(plan%handle, 1_c_int), ierr)
  end subroutine

  subroutine checksum_draft(draft, file, sum, ierr)
    type(dud_draft), intent(in) :: draft
    character(len=*), intent(in) :: file
    type(dud_sum), intent(in) :: sum
    integer, intent(out), optional :: ierr
    call told(c_dud_draft_checksum(draft%handle, trim(file) // c_null_char, merge(1_c_int, 0_c_int, sum%known), &
      sum%bytes, sum%crc32c), ierr)
  end subroutine

  ! Commits a history, a file beside the checkpoints, and notes its length in the checkpoint.
  subroutine dud_history(draft, file, appender, path, ierr)
    type(dud_draft), intent(in) :: draft
    character(len=*), intent(in) :: file, path
    type(dud_appender), intent(in) :: appender
    integer, intent(out), optional :: ierr
    call told(c_dud_draft_history(draft%handle, trim(file) // c_null_char, appender%handle, &
      trim(path) // c_null_char), ierr)
  end subroutine

  ! Publishes a checkpoint in one step.
  subroutine dud_publish(draft, ierr)
    type(dud_draft), intent(inout) :: draft
    integer, intent(out), optional :: ierr
    call told(c_dud_draft_publish(draft%handle), ierr)
    draft%handle = c_null_ptr
  end subroutine

  ! Leaves nothing of a checkpoint that is not published.
  subroutine dud_abandon(draft, ierr)
    type(dud_draft), intent(inout) :: draft
    integer, intent(out), optional :: ierr
    call told(c_dud_draft_abandon(draft%handle), ierr)
    draft%handle = c_null_ptr
  end subroutine

  ! Gives the result of a call to who asked for it, or ends the program.
  subroutine told(code, ierr)
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: ierr
    if (present(ierr)) then
      ierr = code
    else if (code /= 0) then
      write (error_unit, '(2a)') 'dudley: ', dud_error()
      error stop 1
    end if
  end subroutine

  ! Reads elements into memory of a shape of Fortran.
  subroutine read_any(reader, path, to, of, shape, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    type(c_ptr), intent(in) :: to
    integer(c_int), intent(in) :: of
    integer(int64), intent(in) :: shape(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), target :: count(size(shape)), first(size(shape)), step(size(shape))
    integer(int64), allocatable, target :: members(:)
    integer(c_size_t) :: rank
    type(c_ptr) :: from, by
    integer(c_int) :: code
    logical :: physical
    rank = size(shape, kind=c_size_t)
    physical = .false.
    if (present(scaled)) physical = scaled
    call place(path, shape, start, stride, count, first, step, from, by, code)
    select type (reader)
    type is (dud_family)
      members = [integer(int64) ::]
      if (allocated(reader%members)) members = reader%members
      if (code == 0 .and. c_associated(from)) code = refused(path, 'members are read by slices in the path')
      if (code == 0 .and. physical) code = refused(path, 'physical values are read file by file')
      if (code == 0) code = c_dud_family_read(reader%handle, trim(path) // c_null_char, c_loc(members), &
        size(members, kind=c_size_t), to, of, rank, c_loc(count))
    class default
      if (code == 0 .and. physical) then
        code = c_dud_read_scaled(reader%handle, trim(path) // c_null_char, to, of, rank, c_loc(count), from, by)
      else if (code == 0) then
        code = c_dud_read(reader%handle, trim(path) // c_null_char, to, of, rank, c_loc(count), from, by)
      end if
    end select
    call told(code, ierr)
  end subroutine

  ! Writes elements from memory of a shape of Fortran.
  subroutine write_any(taker, path, from, of, shape, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    type(c_ptr), intent(in) :: from
    integer(c_int), intent(in) :: of
    integer(int64), intent(in) :: shape(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    integer(int64), target :: count(size(shape)), first(size(shape)), step(size(shape))
    integer(c_size_t) :: rank
    type(c_ptr) :: at, by
    integer(c_int) :: code
    rank = size(shape, kind=c_size_t)
    call place(path, shape, start, stride, count, first, step, at, by, code)
    select type (taker)
    type is (dud_appender)
      if (code == 0 .and. c_associated(at)) code = refused(path, 'a part is written over by slices in the path')
      if (code == 0) code = c_dud_append_write(taker%handle, trim(path) // c_null_char, from, of, rank, c_loc(count))
    class default
      if (code == 0) code = c_dud_write(taker%handle, trim(path) // c_null_char, from, of, rank, c_loc(count), at, by)
    end select
    call told(code, ierr)
  end subroutine

  ! Reads structs into x, of any rank, whose elements have this many bytes: c_sizeof(x(1)). They are laid out as those of the
  ! layout, as those of a type with bind(c) are. A part is read by slices in the path.
  subroutine dud_read_structs(reader, path, x, bytes, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    type(*), dimension(..), intent(inout), target, contiguous :: x
    integer(c_size_t), intent(in) :: bytes
    integer, intent(out), optional :: ierr
    call read_any(reader, path, c_loc(x), dud_bytes, [int(bytes, int64), shape(x, int64)], ierr)
  end subroutine

  ! Writes structs from x, as dud_read_structs reads them.
  subroutine dud_write_structs(taker, path, x, bytes, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    type(*), dimension(..), intent(in), target, contiguous :: x
    integer(c_size_t), intent(in) :: bytes
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bytes, [int(bytes, int64), shape(x, int64)], ierr)
  end subroutine

  ! As dud_column, for structs as dud_read_structs reads them.
  subroutine dud_column_structs(appender, name, x, bytes, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    type(*), dimension(..), intent(in), target, contiguous :: x
    integer(c_size_t), intent(in) :: bytes
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bytes, [int(bytes, int64), shape(x, int64)], 8, ierr)
  end subroutine

  ! Looks at elements of a type and rank: where they are, and their dimensions.
  subroutine view_any(file, path, of, rank, view, at, n, code)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(c_int), intent(in) :: of
    integer, intent(in) :: rank
    type(dud_view), intent(inout) :: view
    type(c_ptr), intent(out) :: at
    integer(int64), allocatable, intent(out) :: n(:)
    integer, intent(out) :: code
    integer(c_size_t) :: bytes
    at = c_null_ptr
    bytes = 0
    call shape_of(file, path, rank, n, code)
    if (code == 0) code = c_dud_view_open(file%handle, trim(path) // c_null_char, of, view%handle, at, bytes)
  end subroutine

  ! Dimensions, starts and strides of Fortran as those of C. What is of another length than the shape is wrong.
  subroutine place(path, shape, start, stride, count, first, step, from, by, code)
    character(len=*), intent(in) :: path
    integer(int64), intent(in) :: shape(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer(int64), intent(out), target, contiguous :: count(:), first(:), step(:)
    type(c_ptr), intent(out) :: from, by
    integer(c_int), intent(out) :: code
    integer :: rank
    rank = size(shape)
    code = 0
    from = c_null_ptr
    by = c_null_ptr
    count = shape(rank:1:-1)
    first = 0
    step = 1
    if (present(start)) then
      if (size(start) == rank) then
        first = start(rank:1:-1) - 1
        from = c_loc(first)
        if (any(start < 1)) code = refused(path, 'start counts from 1')
      else
        code = refused(path, 'start has another rank than the array')
      end if
    end if
    if (present(stride)) then
      if (size(stride) == rank) then
        step = stride(rank:1:-1)
        from = c_loc(first)
        by = c_loc(step)
      else
        code = refused(path, 'stride has another rank than the array')
      end if
    end if
  end subroutine

  ! Keeps a part of records.
  subroutine column_any(appender, name, from, of, shape, bits, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: from
    integer(c_int), intent(in) :: of
    integer(int64), intent(in) :: shape(:)
    integer, intent(in) :: bits
    integer, intent(out), optional :: ierr
    integer(int8), pointer :: elements(:)
    type(column) :: one
    integer(int64) :: bytes
    integer :: rank
    rank = size(shape)
    bytes = product(shape) * (bits / 8)
    one%name = units(trim(name) // c_null_char)
    one%of = of
    one%shape = shape(rank:1:-1)
    allocate (one%bytes(max(bytes, 1_int64)), source=0_int8)
    if (bytes > 0) then
      call c_f_pointer(from, elements, [bytes])
      one%bytes(:bytes) = elements
    end if
    if (.not. allocated(appender%columns)) allocate (appender%columns(0))
    appender%columns = [appender%columns, one]
    call told(0_c_int, ierr)
  end subroutine

  ! The dimensions of an array that has to be of a rank.
  subroutine shape_of(file, path, rank, n, code)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer, intent(in) :: rank
    integer(int64), allocatable, intent(out) :: n(:)
    integer, intent(out) :: code
    call shape_file(file, path, n, code)
    if (code == 0 .and. size(n) /= rank) code = refused(path, 'the array is of another rank')
  end subroutine

  ! An error that is found here.
  function refused(path, why) result(code)
    character(len=*), intent(in) :: path, why
    integer(c_int) :: code
    code = c_dud_fail('`' // trim(path) // '`: ' // why // c_null_char)
  end function

  ! A text that a function of C gives.
  subroutine text_from(file, path, function, text, code)
    type(c_ptr), intent(in) :: file
    character(len=*), intent(in) :: path
    procedure(text_of) :: function
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out) :: code
    character(kind=c_char), allocatable, target :: room(:)
    integer(c_size_t) :: length
    length = 0
    code = function(file, trim(path) // c_null_char, c_null_ptr, 0_c_size_t, length)
    allocate (room(length + 1))
    if (code == 0) code = function(file, trim(path) // c_null_char, c_loc(room), length + 1, length)
    if (code /= 0) length = 0
    text = joined(room(:length))
  end subroutine

  ! Texts, each with a NUL behind it, all as long as the longest.
  subroutine split(all, texts)
    character(len=*), intent(in) :: all
    character(len=:), allocatable, intent(out) :: texts(:)
    integer :: at, begin, longest, count, turn
    longest = 0
    do turn = 1, 2
      count = 0
      begin = 1
      do at = 1, len(all)
        if (all(at:at) /= c_null_char) cycle
        count = count + 1
        if (turn == 2) texts(count) = all(begin:at - 1)
        longest = max(longest, at - begin)
        begin = at + 1
      end do
      if (turn == 1) allocate (character(len=longest) :: texts(count))
    end do
  end subroutine

  ! Units as one text.
  pure function joined(units) result(text)
    character(kind=c_char), intent(in) :: units(:)
    character(len=size(units)) :: text
    integer :: at
    do at = 1, size(units)
      text(at:at) = units(at)
    end do
  end function

  ! A text as its units.
  pure function units(text)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: units(len(text))
    integer :: at
    do at = 1, len(text)
      units(at) = text(at:at)
    end do
  end function

  ! A text of C.
  function of_c(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: copy
    character(kind=c_char), pointer :: units(:)
    call c_f_pointer(text, units, [c_strlen(text)])
    copy = joined(units)
  end function

  subroutine read_t_0(reader, path, x, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    character(len=*), intent(inout) :: x
    integer, intent(out), optional :: ierr
    character(len=:), allocatable :: text
    integer :: code
    call text_from(reader%handle, path, c_dud_read_text, text, code)
    if (code == 0 .and. len(text) > len(x)) code = refused(path, 'the text is longer than the variable')
    if (code == 0) x = text
    call told(code, ierr)
  end subroutine

  subroutine get_t_0(file, path, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    character(len=:), allocatable, intent(out) :: x
    integer, intent(out), optional :: ierr
    integer :: code
    call text_from(file%handle, path, c_dud_read_text, x, code)
    call told(code, ierr)
  end subroutine

  subroutine get_t_1(file, path, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    character(len=:), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    integer :: code
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (character(len=n(1)) :: x(n(2)))
      call read_t_1(file, path, x, code)
    end if
    call told(code, ierr)
  end subroutine

  subroutine write_t_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path, x
    integer, intent(out), optional :: ierr
    integer(c_int) :: code
    select type (taker)
    type is (dud_writer)
      code = c_dud_write_text(taker%handle, trim(path) // c_null_char, trim(x) // c_null_char)
    class default
      code = refused(path, 'a text is written over as an array of texts')
    end select
    call told(code, ierr)
  end subroutine

  ! Reads texts of a shape; x has all of them.
  subroutine read_texts(reader, path, x, count, shape, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer, intent(in) :: count
    character(len=*), intent(inout) :: x(count)
    integer(int64), intent(in) :: shape(:)
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: all(:, :)
    integer :: at, unit, code
    allocate (all(len(x), count))
    call read_any(reader, path, c_loc(all), dud_char, [int(len(x), int64), shape], code)
    if (code == 0) then
      do at = 1, count
        do unit = 1, len(x)
          ! A NUL that fills a text is a blank.
          x(at)(unit:unit) = merge(' ', all(unit, at), all(unit, at) == c_null_char)
        end do
      end do
    end if
    call told(code, ierr)
  end subroutine

  ! Writes texts of a shape.
  subroutine write_texts(taker, path, x, count, shape, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer, intent(in) :: count
    character(len=*), intent(in) :: x(count)
    integer(int64), intent(in) :: shape(:)
    integer, intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: all(:, :)
    integer :: at
    allocate (all(len(x), count))
    do at = 1, count
      all(:, at) = units(x(at))
    end do
    call write_any(taker, path, c_loc(all), dud_char, [int(len(x), int64), shape], ierr)
  end subroutine

  subroutine read_i1_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int8), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int8, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_i1_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int8), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int8, shape(x, int64), ierr)
  end subroutine

  subroutine column_i1_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int8), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int8, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_i1_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int8), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_int8, shape(x, int64), ierr)
  end subroutine

  subroutine read_i2_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int16), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int16, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_i2_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int16), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int16, shape(x, int64), ierr)
  end subroutine

  subroutine column_i2_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int16), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int16, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_i2_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int16), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_int16, shape(x, int64), ierr)
  end subroutine

  subroutine read_i4_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int32), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int32, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_i4_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int32), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int32, shape(x, int64), ierr)
  end subroutine

  subroutine column_i4_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int32), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int32, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_i4_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int32), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_int32, shape(x, int64), ierr)
  end subroutine

  subroutine read_i8_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int64), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int64, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_i8_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int64), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int64, shape(x, int64), ierr)
  end subroutine

  subroutine column_i8_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int64), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int64, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_i8_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int64), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_int64, shape(x, int64), ierr)
  end subroutine

  subroutine read_r4_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real32), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_float, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_r4_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real32), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_float, shape(x, int64), ierr)
  end subroutine

  subroutine column_r4_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real32), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_r4_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    real(real32), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_float, shape(x, int64), ierr)
  end subroutine

  subroutine read_r8_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real64), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_double, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_r8_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real64), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_double, shape(x, int64), ierr)
  end subroutine

  subroutine column_r8_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real64), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_r8_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    real(real64), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_double, shape(x, int64), ierr)
  end subroutine

  subroutine read_c4_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real32), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_c4_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real32), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_float, shape(x, int64), ierr)
  end subroutine

  subroutine column_c4_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real32), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_c4_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    complex(real32), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_complex_float, shape(x, int64), ierr)
  end subroutine

  subroutine read_c8_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real64), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_c8_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real64), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_double, shape(x, int64), ierr)
  end subroutine

  subroutine column_c8_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real64), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_c8_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    complex(real64), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_complex_double, shape(x, int64), ierr)
  end subroutine

  subroutine read_l1_0(reader, path, x, ierr, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    logical(c_bool), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_bool, shape(x, int64), ierr, scaled=scaled)
  end subroutine

  subroutine write_l1_0(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    logical(c_bool), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bool, shape(x, int64), ierr)
  end subroutine

  subroutine column_l1_0(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    logical(c_bool), intent(in), target :: x
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bool, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine attr_l1_0(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    logical(c_bool), intent(inout), target :: x
    integer, intent(out), optional :: ierr
    call attr_any(file, path, name, c_loc(x), dud_bool, shape(x, int64), ierr)
  end subroutine

  subroutine read_i1_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int8), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i1_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int8), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i1_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int8), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int8, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i1_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i1_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i1_1(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), pointer, contiguous, intent(out) :: x(:)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int8, 1, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine attr_i1_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int8), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_int8, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_i2_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int16), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i2_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int16), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i2_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int16), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int16, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i2_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i2_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i2_1(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), pointer, contiguous, intent(out) :: x(:)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int16, 1, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine attr_i2_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int16), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_int16, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_i4_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int32), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i4_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int32), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i4_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int32), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int32, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i4_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i4_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i4_1(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), pointer, contiguous, intent(out) :: x(:)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int32, 1, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine attr_i4_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int32), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_int32, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_i8_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int64), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i8_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int64), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i8_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int64), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int64, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i8_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i8_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i8_1(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), pointer, contiguous, intent(out) :: x(:)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int64, 1, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine attr_i8_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    integer(int64), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_int64, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_r4_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real32), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r4_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real32), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r4_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real32), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r4_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r4_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r4_1(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), pointer, contiguous, intent(out) :: x(:)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_float, 1, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine attr_r4_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    real(real32), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_float, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_r8_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real64), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r8_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real64), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r8_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real64), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r8_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r8_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r8_1(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), pointer, contiguous, intent(out) :: x(:)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_double, 1, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine attr_r8_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    real(real64), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_double, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_c4_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real32), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c4_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real32), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c4_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real32), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c4_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c4_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c4_1(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), pointer, contiguous, intent(out) :: x(:)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_float, 1, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine attr_c4_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    complex(real32), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_complex_float, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_c8_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real64), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c8_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real64), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c8_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real64), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c8_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c8_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c8_1(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), pointer, contiguous, intent(out) :: x(:)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_double, 1, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine attr_c8_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    complex(real64), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_complex_double, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_l1_1(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    logical(c_bool), intent(inout), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_l1_1(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    logical(c_bool), intent(in), target, contiguous :: x(:)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_l1_1(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    logical(c_bool), intent(in), target, contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bool, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_l1_1(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical(c_bool), allocatable, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 1, n, code)
    if (code == 0) then
      allocate (x(n(1)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_l1_1(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine attr_l1_1(file, path, name, x, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path, name
    logical(c_bool), allocatable, target, intent(out) :: x(:)
    integer, intent(out), optional :: ierr
    integer(int64) :: n
    integer :: code
    call attr_count(file, path, name, n, code)
    allocate (x(n))
    if (code == 0) call attr_any(file, path, name, c_loc(x), dud_bool, shape(x, int64), code)
    call told(code, ierr)
  end subroutine

  subroutine read_t_1(reader, path, x, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    character(len=*), intent(inout), contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call read_texts(reader, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine write_t_1(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    character(len=*), intent(in), contiguous :: x(:)
    integer, intent(out), optional :: ierr
    call write_texts(taker, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine read_i1_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int8), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i1_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int8), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i1_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int8), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int8, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i1_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i1_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i1_2(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), pointer, contiguous, intent(out) :: x(:, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int8, 2, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i2_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int16), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i2_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int16), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i2_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int16), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int16, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i2_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i2_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i2_2(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), pointer, contiguous, intent(out) :: x(:, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int16, 2, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i4_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int32), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i4_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int32), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i4_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int32), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int32, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i4_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i4_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i4_2(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), pointer, contiguous, intent(out) :: x(:, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int32, 2, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i8_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int64), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i8_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int64), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i8_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int64), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int64, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i8_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i8_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i8_2(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), pointer, contiguous, intent(out) :: x(:, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int64, 2, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r4_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real32), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r4_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real32), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r4_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real32), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r4_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r4_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r4_2(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), pointer, contiguous, intent(out) :: x(:, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_float, 2, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r8_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real64), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r8_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real64), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r8_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real64), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r8_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r8_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r8_2(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), pointer, contiguous, intent(out) :: x(:, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_double, 2, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c4_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real32), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c4_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real32), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c4_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real32), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c4_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c4_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c4_2(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), pointer, contiguous, intent(out) :: x(:, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_float, 2, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c8_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real64), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c8_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real64), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c8_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real64), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c8_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c8_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c8_2(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), pointer, contiguous, intent(out) :: x(:, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_double, 2, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_l1_2(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    logical(c_bool), intent(inout), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_l1_2(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    logical(c_bool), intent(in), target, contiguous :: x(:, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_l1_2(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    logical(c_bool), intent(in), target, contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bool, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_l1_2(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical(c_bool), allocatable, intent(out) :: x(:, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 2, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_l1_2(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine read_t_2(reader, path, x, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    character(len=*), intent(inout), contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call read_texts(reader, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine write_t_2(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    character(len=*), intent(in), contiguous :: x(:, :)
    integer, intent(out), optional :: ierr
    call write_texts(taker, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine read_i1_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int8), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i1_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int8), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i1_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int8), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int8, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i1_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i1_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i1_3(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), pointer, contiguous, intent(out) :: x(:, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int8, 3, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i2_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int16), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i2_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int16), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i2_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int16), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int16, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i2_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i2_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i2_3(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), pointer, contiguous, intent(out) :: x(:, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int16, 3, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i4_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int32), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i4_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int32), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i4_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int32), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int32, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i4_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i4_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i4_3(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), pointer, contiguous, intent(out) :: x(:, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int32, 3, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i8_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int64), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i8_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int64), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i8_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int64), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int64, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i8_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i8_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i8_3(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), pointer, contiguous, intent(out) :: x(:, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int64, 3, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r4_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real32), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r4_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real32), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r4_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real32), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r4_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r4_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r4_3(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), pointer, contiguous, intent(out) :: x(:, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_float, 3, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r8_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real64), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r8_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real64), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r8_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real64), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r8_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r8_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r8_3(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), pointer, contiguous, intent(out) :: x(:, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_double, 3, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c4_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real32), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c4_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real32), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c4_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real32), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c4_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c4_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c4_3(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), pointer, contiguous, intent(out) :: x(:, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_float, 3, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c8_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real64), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c8_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real64), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c8_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real64), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c8_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c8_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c8_3(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), pointer, contiguous, intent(out) :: x(:, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_double, 3, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_l1_3(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    logical(c_bool), intent(inout), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_l1_3(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_l1_3(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bool, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_l1_3(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical(c_bool), allocatable, intent(out) :: x(:, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 3, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_l1_3(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine read_t_3(reader, path, x, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    character(len=*), intent(inout), contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call read_texts(reader, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine write_t_3(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    character(len=*), intent(in), contiguous :: x(:, :, :)
    integer, intent(out), optional :: ierr
    call write_texts(taker, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine read_i1_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int8), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i1_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int8), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i1_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int8), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int8, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i1_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i1_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i1_4(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), pointer, contiguous, intent(out) :: x(:, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int8, 4, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i2_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int16), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i2_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int16), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i2_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int16), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int16, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i2_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i2_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i2_4(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), pointer, contiguous, intent(out) :: x(:, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int16, 4, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i4_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int32), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i4_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int32), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i4_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int32), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int32, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i4_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i4_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i4_4(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), pointer, contiguous, intent(out) :: x(:, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int32, 4, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i8_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int64), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i8_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int64), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i8_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int64), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int64, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i8_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i8_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i8_4(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), pointer, contiguous, intent(out) :: x(:, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int64, 4, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r4_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real32), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r4_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real32), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r4_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real32), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r4_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r4_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r4_4(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), pointer, contiguous, intent(out) :: x(:, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_float, 4, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r8_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real64), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r8_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real64), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r8_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real64), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r8_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r8_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r8_4(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), pointer, contiguous, intent(out) :: x(:, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_double, 4, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c4_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real32), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c4_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real32), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c4_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real32), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c4_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c4_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c4_4(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), pointer, contiguous, intent(out) :: x(:, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_float, 4, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c8_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real64), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c8_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real64), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c8_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real64), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c8_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c8_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c8_4(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), pointer, contiguous, intent(out) :: x(:, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_double, 4, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_l1_4(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    logical(c_bool), intent(inout), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_l1_4(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_l1_4(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bool, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_l1_4(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical(c_bool), allocatable, intent(out) :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 4, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_l1_4(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine read_t_4(reader, path, x, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    character(len=*), intent(inout), contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call read_texts(reader, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine write_t_4(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    character(len=*), intent(in), contiguous :: x(:, :, :, :)
    integer, intent(out), optional :: ierr
    call write_texts(taker, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine read_i1_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int8), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i1_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int8), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i1_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int8), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int8, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i1_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i1_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i1_5(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), pointer, contiguous, intent(out) :: x(:, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int8, 5, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i2_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int16), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i2_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int16), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i2_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int16), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int16, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i2_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i2_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i2_5(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), pointer, contiguous, intent(out) :: x(:, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int16, 5, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i4_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int32), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i4_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int32), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i4_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int32), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int32, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i4_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i4_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i4_5(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), pointer, contiguous, intent(out) :: x(:, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int32, 5, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i8_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int64), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i8_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int64), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i8_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int64), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int64, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i8_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i8_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i8_5(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), pointer, contiguous, intent(out) :: x(:, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int64, 5, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r4_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real32), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r4_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real32), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r4_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real32), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r4_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r4_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r4_5(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), pointer, contiguous, intent(out) :: x(:, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_float, 5, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r8_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real64), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r8_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real64), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r8_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real64), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r8_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r8_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r8_5(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), pointer, contiguous, intent(out) :: x(:, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_double, 5, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c4_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real32), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c4_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real32), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c4_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real32), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c4_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c4_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c4_5(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), pointer, contiguous, intent(out) :: x(:, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_float, 5, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c8_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real64), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c8_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real64), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c8_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real64), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c8_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c8_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c8_5(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), pointer, contiguous, intent(out) :: x(:, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_double, 5, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_l1_5(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    logical(c_bool), intent(inout), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_l1_5(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_l1_5(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bool, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_l1_5(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical(c_bool), allocatable, intent(out) :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 5, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_l1_5(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine read_t_5(reader, path, x, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    character(len=*), intent(inout), contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call read_texts(reader, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine write_t_5(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    character(len=*), intent(in), contiguous :: x(:, :, :, :, :)
    integer, intent(out), optional :: ierr
    call write_texts(taker, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine read_i1_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int8), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i1_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int8), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i1_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int8), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int8, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i1_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i1_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i1_6(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int8, 6, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i2_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int16), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i2_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int16), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i2_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int16), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int16, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i2_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i2_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i2_6(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int16, 6, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i4_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int32), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i4_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int32), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i4_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int32), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int32, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i4_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i4_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i4_6(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int32, 6, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i8_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int64), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i8_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int64), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i8_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int64), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int64, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i8_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i8_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i8_6(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int64, 6, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r4_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real32), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r4_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real32), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r4_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real32), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r4_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r4_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r4_6(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_float, 6, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r8_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real64), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r8_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real64), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r8_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real64), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r8_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r8_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r8_6(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_double, 6, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c4_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real32), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c4_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real32), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c4_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real32), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c4_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c4_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c4_6(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_float, 6, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c8_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real64), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c8_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real64), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c8_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real64), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c8_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c8_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c8_6(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_double, 6, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_l1_6(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    logical(c_bool), intent(inout), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_l1_6(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_l1_6(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bool, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_l1_6(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical(c_bool), allocatable, intent(out) :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 6, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_l1_6(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine read_t_6(reader, path, x, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    character(len=*), intent(inout), contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call read_texts(reader, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine write_t_6(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    character(len=*), intent(in), contiguous :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call write_texts(taker, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine read_i1_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int8), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i1_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int8), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int8, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i1_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int8), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int8, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i1_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i1_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i1_7(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int8), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int8, 7, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i2_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int16), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i2_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int16), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int16, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i2_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int16), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int16, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i2_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i2_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i2_7(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int16), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int16, 7, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i4_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int32), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i4_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int32), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int32, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i4_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int32), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int32, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i4_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i4_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i4_7(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int32), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int32, 7, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_i8_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    integer(int64), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_i8_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    integer(int64), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_int64, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_i8_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    integer(int64), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_int64, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_i8_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_i8_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_i8_7(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    integer(int64), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_int64, 7, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r4_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real32), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r4_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real32), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r4_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real32), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r4_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r4_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r4_7(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real32), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_float, 7, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_r8_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    real(real64), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_r8_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    real(real64), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_r8_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    real(real64), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_r8_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_r8_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_r8_7(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    real(real64), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_double, 7, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c4_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real32), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c4_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real32), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_float, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c4_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real32), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_float, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c4_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c4_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c4_7(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real32), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_float, 7, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_c8_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    complex(real64), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_c8_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    complex(real64), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_complex_double, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_c8_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    complex(real64), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_complex_double, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_c8_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_c8_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine view_c8_7(file, path, x, view, ierr)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    complex(real64), pointer, contiguous, intent(out) :: x(:, :, :, :, :, :, :)
    type(dud_view), intent(inout) :: view
    integer, intent(out), optional :: ierr
    integer(int64), allocatable :: n(:)
    type(c_ptr) :: at
    integer :: code
    nullify (x)
    call view_any(file, path, dud_complex_double, 7, view, at, n, code)
    if (code == 0) call c_f_pointer(at, x, n)
    call told(code, ierr)
  end subroutine

  subroutine read_l1_7(reader, path, x, ierr, start, stride, scaled)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    logical(c_bool), intent(inout), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    call read_any(reader, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride, scaled=scaled)
  end subroutine

  subroutine write_l1_7(taker, path, x, ierr, start, stride)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer(int64), intent(in), optional :: start(:), stride(:)
    integer, intent(out), optional :: ierr
    call write_any(taker, path, c_loc(x), dud_bool, shape(x, int64), ierr, start, stride)
  end subroutine

  subroutine column_l1_7(appender, name, x, ierr)
    type(dud_appender), intent(inout) :: appender
    character(len=*), intent(in) :: name
    logical(c_bool), intent(in), target, contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call column_any(appender, name, c_loc(x), dud_bool, shape(x, int64), storage_size(x), ierr)
  end subroutine

  subroutine get_l1_7(file, path, x, ierr, scaled)
    type(dud_file), intent(in) :: file
    character(len=*), intent(in) :: path
    logical(c_bool), allocatable, intent(out) :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    logical, intent(in), optional :: scaled
    integer(int64), allocatable :: n(:)
    integer :: code, failed
    call shape_of(file, path, 7, n, code)
    if (code == 0) then
      allocate (x(n(1), n(2), n(3), n(4), n(5), n(6), n(7)), stat=failed)
      if (failed /= 0) code = refused(path, 'there is no memory for the array')
    end if
    if (code == 0) call read_l1_7(file, path, x, code, scaled=scaled)
    call told(code, ierr)
  end subroutine

  subroutine read_t_7(reader, path, x, ierr)
    class(dud_reader), intent(in) :: reader
    character(len=*), intent(in) :: path
    character(len=*), intent(inout), contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call read_texts(reader, path, x, size(x), shape(x, int64), ierr)
  end subroutine

  subroutine write_t_7(taker, path, x, ierr)
    class(dud_taker), intent(in) :: taker
    character(len=*), intent(in) :: path
    character(len=*), intent(in), contiguous :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: ierr
    call write_texts(taker, path, x, size(x), shape(x, int64), ierr)
  end subroutine
end module
