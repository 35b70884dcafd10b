/* The C interface of Dudley: reads files of all formats that Dudley reads, and writes streams.

   Made from the crate dudley-c by `DUDLEY_UPDATE=1 cargo test -p dudley-c fresh`: do not edit.

   Functions return 0, or the group of an error, such as DUD_NOT_FOUND; dud_error() has its text. Arguments that are wrong
   are errors: NULL, a handle that is closed or of another kind, a path, a type, a shape. Memory cannot be
   checked: it must have as many elements as its shape says.

       dud_file *file;
       double rho[3][4];
       const uint64_t shape[2] = {3, 4};
       if (dud_open("run.bd", NULL, &file) ||
           dud_read(file, "/rho", rho, DUD_DOUBLE, 2, shape, NULL, NULL))
           fprintf(stderr, "%s\n", dud_error());
       dud_close(file);

   Any thread may use any handle. Calls that read, and dud_write, run at the same time; those with one appender or draft wait
   for each other. A handle that one thread closes stays valid for calls of others that have begun. Texts are UTF-8. Shapes
   are in elements, the slowest varying dimension first. */
#ifndef DUDLEY_H
#define DUDLEY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dud_options dud_options;
typedef struct dud_file dud_file;
typedef struct dud_view dud_view;
typedef struct dud_plan dud_plan;
typedef struct dud_writer dud_writer;
typedef struct dud_appender dud_appender;
typedef struct dud_checkpoints dud_checkpoints;
typedef struct dud_draft dud_draft;
typedef struct dud_family dud_family;

/* A part of records, for dud_append_push. */
typedef struct dud_column {
    const char *name;      /* its name in the record; NULL if a record is one item */
    const void *from;      /* the elements of all records, one after the other */
    int type;              /* their type, such as DUD_DOUBLE */
    size_t rank;           /* the dimensions of the part in one record */
    const uint64_t *shape; /* elements in each of them; NULL for a number */
} dud_column;

/* ---- Errors as C has them: a number for the group, and the text of the last one of each thread ---- */

/* No error. */
#define DUD_OK 0

/* There is nothing of this name or path, or no checkpoint. */
#define DUD_NOT_FOUND 1

/* An argument is wrong: NULL, a type, a shape, a slice, a length. */
#define DUD_BAD_VALUE 2

/* The handle is closed, or of another kind. */
#define DUD_CLOSED 3

/* A file cannot be opened, read or written, or is there already. */
#define DUD_FILE 4

/* The layout has errors, or there is none. */
#define DUD_LAYOUT 5

/* The bytes of the file are wrong: it is cut off, a checksum differs, no format is known. */
#define DUD_DATA 6

/* A fault of the library itself. */
#define DUD_PANIC 7

/* The text of the last error of this thread, empty if there was none. The memory is the library's, and stays as it is
   until the next error of the thread. */
const char *dud_error(void);

/* ---- The library itself ---- */

/* The version of the library, such as `0.1.0`. */
const char *dud_version(void);

/* For interfaces of other languages over this one: makes a text the last error of this thread, and returns
   `DUD_BAD_VALUE`. */
int dud_fail(const char *text);

/* ---- The types of elements in memory ---- */

/* Elements that are none of the types below: structs, floats of 2 bytes, text of 2 or 4 bytes a unit. */
#define DUD_OTHER 0

/* `int8_t` */
#define DUD_INT8 1

/* `int16_t` */
#define DUD_INT16 2

/* `int32_t` */
#define DUD_INT32 3

/* `int64_t` */
#define DUD_INT64 4

/* `uint8_t` */
#define DUD_UINT8 5

/* `uint16_t` */
#define DUD_UINT16 6

/* `uint32_t` */
#define DUD_UINT32 7

/* `uint64_t` */
#define DUD_UINT64 8

/* `float` */
#define DUD_FLOAT 9

/* `double` */
#define DUD_DOUBLE 10

/* Two `float`: real and imaginary part. */
#define DUD_COMPLEX_FLOAT 11

/* Two `double`: real and imaginary part. */
#define DUD_COMPLEX_DOUBLE 12

/* `char`: the bytes of texts, which are not ended by a NUL. */
#define DUD_CHAR 13

/* One byte, 0 or 1. */
#define DUD_BOOL 14

/* The bytes of each element where they lie in it, numbers in the byte order of the machine: for structs. The shape has
   one dimension more, the bytes of an element (`dud_element_size`). */
#define DUD_BYTES 15

/* ---- Opening files of any format ---- */

/* Makes options; free them with `dud_options_free`. */
int dud_options_new(dud_options **options);

/* Frees options. NULL is allowed. */
int dud_options_free(dud_options *options);

/* Gives the text of the layout of a stream that carries none. */
int dud_options_layout(dud_options *options, const char *text);

/* Takes the file for a stream without a signature. */
int dud_options_raw(dud_options *options);

/* Gives the byte order of a raw stream: "<" or ">". */
int dud_options_order(dud_options *options, const char *order);

/* Gives a param that the stream does not hold. The name may be a path: `N`, `/grp/N`. */
int dud_options_param(dud_options *options, const char *name, int64_t value);

/* Says where in the file the stream begins, in bytes. */
int dud_options_base(dud_options *options, uint64_t base);

/* Says how many threads read large arrays; 0 for as many as the machine has. */
int dud_options_threads(dud_options *options, size_t threads);

/* Opens a stream, too, that seems to be cut off within its layout: this has no terminator, a line `-`, and describes less
   data than the file has. Items may be missing, and the last one may have lost its shape or filter. */
int dud_options_unterminated(dud_options *options);

/* Opens a file of any format that Dudley reads: a stream with its layout, HDF5, netCDF, FITS, ASDF, numpy and more.
   `options` may be NULL. A stream that seems to be cut off within its layout is an error, unless `dud_options_unterminated`
   allows it. Close it with `dud_close`. */
int dud_open(const char *path, dud_options *options, dud_file **file);

/* The name of the format of a file, such as `stream`, `hdf5` or `asdf`; as `dud_read_text` gives texts. */
int dud_format(dud_file *file, char *to, size_t room, size_t *length);

/* Remarks about oddities and faults of a file that were found so far: a layout that may be cut off, or parts of a file
   of another format that a layout cannot hold. Gives texts as `dud_children` does. */
int dud_remarks(dud_file *file, char *to, size_t room, size_t *length);

/* Closes a file. Views of it stay. NULL is allowed. */
int dud_close(dud_file *file);

/* ---- The nodes of a file, with their units, documentation and attributes ---- */

/* The kind of an item that has items by names. */
#define DUD_DICT 1

/* The kind of an item that has items by numbers. */
#define DUD_LIST 2

/* The kind of an array; one without dimensions is a number. */
#define DUD_ARRAY 3

/* The kind of a value that is no array: a param, a text or number of another format. */
#define DUD_VALUE 4

/* The kind of the item at a path: `DUD_DICT`, `DUD_LIST`, `DUD_ARRAY` or `DUD_VALUE`. */
int dud_kind(dud_file *file, const char *path, int *kind);

/* How many items a dict or list has. */
int dud_len(dud_file *file, const char *path, uint64_t *length);

/* The paths of all items of a dict, in the order of the file, each with a NUL behind it, into memory of `room` bytes.
   `length` (or NULL) gets the bytes of all of them; `to` NULL asks for these alone. An item of a list has the number of
   it behind the path of the list, from 0: `/list/2`. */
int dud_children(dud_file *file, const char *path, char *to, size_t room, size_t *length);

/* Elements in each dimension of an array, slowest varying first, into room for `room` numbers. `rank` (or NULL) gets how
   many dimensions there are; `shape` NULL asks for that alone. The path may have slices: `/hist[:]/t`. */
int dud_shape(dud_file *file, const char *path, uint64_t *shape, size_t room, size_t *rank);

/* The type of the elements, such as `DUD_DOUBLE`, or `DUD_OTHER`. The path may have slices and fields. */
int dud_type(dud_file *file, const char *path, int *type);

/* The type of the elements as a layout has it, such as `<f8`; as `dud_read_text` gives texts. */
int dud_dtype(dud_file *file, const char *path, char *to, size_t room, size_t *length);

/* Bytes of an element in memory: of a struct, from one to the next. */
int dud_element_size(dud_file *file, const char *path, uint64_t *bytes);

/* The name of a dimension of an array, from 0, such as `JMAX`; empty if it has none; as `dud_read_text` gives texts. */
int dud_dim(dud_file *file, const char *path, size_t dim, char *to, size_t room, size_t *length);

/* The unit of an item, or of a field of structs (`/samples.value`), empty if it has none; as `dud_read_text` gives texts. */
int dud_unit(dud_file *file, const char *path, char *to, size_t room, size_t *length);

/* The documentation of an item or field, its lines with line feeds between them; as `dud_read_text` gives texts. */
int dud_doc(dud_file *file, const char *path, char *to, size_t room, size_t *length);

/* The paths of the params of a dict, such as `/:N`, as `dud_children` gives texts. */
int dud_params(dud_file *file, const char *path, char *to, size_t room, size_t *length);

/* The value of a param, by its path: `/:N`. */
int dud_param(dud_file *file, const char *path, int64_t *value);

/* Where the first byte of an array is, in bytes from the start of the stream. */
int dud_address(dud_file *file, const char *path, uint64_t *address);

/* ---- Attributes of items: texts, numbers, and arrays of these ---- */

/* The names of the attributes of an item, or of a field of structs (`/samples.value`), as `dud_children` gives texts. */
int dud_attrs(dud_file *file, const char *path, char *to, size_t room, size_t *length);

/* An attribute of an item as one text: a text as it is, numbers as a program of C has them, blanks between the elements of
   an array; as `dud_read_text` gives texts. */
int dud_attr(dud_file *file, const char *path, const char *name, char *to, size_t room, size_t *length);

/* The type of an attribute: `DUD_CHAR` for texts, `DUD_INT64` for integers (`DUD_UINT64` if one of them needs it),
   `DUD_DOUBLE`, `DUD_COMPLEX_DOUBLE`, `DUD_BOOL`; `DUD_OTHER` if its elements are of several kinds, or there are none. */
int dud_attr_type(dud_file *file, const char *path, const char *name, int *type);

/* Elements in each dimension of an attribute, as `dud_shape` gives them: none for one number or text. */
int dud_attr_shape(dud_file *file, const char *path, const char *name, uint64_t *shape, size_t room, size_t *rank);

/* Reads the numbers of an attribute into memory of `rank` dimensions of `shape` elements of a type. They are converted as
   `dud_read` converts elements. */
int dud_attr_read(dud_file *file, const char *path, const char *name, void *to, int type, size_t rank,
    const uint64_t *shape);

/* Reads the texts of an attribute, in the order of their array, as `dud_children` gives texts. */
int dud_attr_texts(dud_file *file, const char *path, const char *name, char *to, size_t room, size_t *length);

/* ---- Reading elements and texts, and looking at elements without a copy ---- */

/* Reads elements into memory, which has `rank` dimensions of `shape` elements of a type, such as `DUD_DOUBLE`, the last
   dimension varying fastest. The path may have slices and fields: `/rho[2, ::2]`, `/hist[:]/t`, `/samples.channel`.
   A number has rank 0; its shape may be NULL.

   `start` and `stride` have a number for each dimension of what the path picks, be it of an array or, as in
   `/hist[:]/t`, of a list: elements are read from `start` on, each `stride`-th, as many as `shape` says. With `start` NULL, all are, and `shape` must be that of the array; `stride` NULL
   means each.

   Elements of another type are converted if the type holds each value exactly: integers to integers and floats,
   floats to floats, complex numbers to each other. Else it is an error, and the memory may have been changed. */
int dud_read(dud_file *file, const char *path, void *to, int type, size_t rank, const uint64_t *shape,
    const uint64_t *start, const uint64_t *stride);

/* As `dud_read`, with the physical values that stored ones stand for (`scale_factor`, `add_offset`, `_Unsigned`,
   `decimal`): NaN where they stand for none (`_FillValue`, `missing_value`). They are of type `DUD_DOUBLE`, or of what
   `dud_scaled` says; read as `DUD_FLOAT` they are rounded. */
int dud_read_scaled(dud_file *file, const char *path, void *to, int type, size_t rank, const uint64_t *shape,
    const uint64_t *start, const uint64_t *stride);

/* Whether (1 or 0) the physical values at a path differ from the stored values, which `dud_read` gives.
   `type` (or NULL) gets the type of the physical ones, as `dud_type` gives it. */
int dud_scaled(dud_file *file, const char *path, int *is, int *type);

/* The elements at a path that have no value, because the file masks them. `dud_read` reads their stored
   values. There is a byte for each element, 1 if it has no value, into memory of `room` bytes. `count` (or
   NULL) gets how many bytes there are, 0 if all elements have a value; `to` NULL asks for that alone. */
int dud_missing(dud_file *file, const char *path, void *to, size_t room, size_t *count);

/* Reads a text into memory of `room` bytes, with a NUL behind it. `length` (or NULL) gets its bytes without the NUL;
   `to` NULL asks for these alone. */
int dud_read_text(dud_file *file, const char *path, char *to, size_t room, size_t *length);

/* The elements of an array without a copy: `data` points to `bytes` bytes of a type, until the view is closed with
   `dud_view_close`; the file may be closed before. It is an error if the elements are of another type or byte order, not
   side by side, or compressed. The file is mapped: if another program cuts it off meanwhile, the system ends the
   program that looks (SIGBUS). */
int dud_view_open(dud_file *file, const char *path, int type, dud_view **view, const void **data, size_t *bytes);

/* Closes a view. NULL is allowed. */
int dud_view_close(dud_view *view);

/* ---- Creating streams from a layout, and filling them ---- */

/* Makes a plan of a stream from the text of a layout: little-endian, the layout attached. Free it with `dud_plan_free`. */
int dud_plan_new(const char *layout, dud_plan **plan);

/* Frees a plan. NULL is allowed. */
int dud_plan_free(dud_plan *plan);

/* Gives a param. The name may be a path: `N`, `/grp/N`. */
int dud_plan_param(dud_plan *plan, const char *name, int64_t value);

/* Gives the byte order: "<" or ">". */
int dud_plan_order(dud_plan *plan, const char *order);

/* Plans a stream without a signature and layout. */
int dud_plan_raw(dud_plan *plan);

/* Whether (not 0) a file that is there may be replaced. */
int dud_plan_overwrite(dud_plan *plan, int overwrite);

/* Whether (not 0) the checksum of a file is computed while it is written, for `dud_finish_summed`; of a shared file all processes
   ask for it. */
int dud_plan_checksum(dud_plan *plan, int checksum);

/* Begins a file, which appears when the writer is finished. The plan may be used again. */
int dud_create(dud_plan *plan, const char *path, dud_writer **writer);

/* Begins a file that several processes write in place, each its part: one makes it so, and the others call `dud_join`
   after that. Each calls `dud_sync` when it has written its part, and then one calls `dud_finish`: it has to know by
   `dud_cover` or `dud_mark_written` what the others have written. */
int dud_create_shared(dud_plan *plan, const char *path, dud_writer **writer);

/* Writes to a file that another process has begun with `dud_create_shared`, by the same plan. */
int dud_join(dud_plan *plan, const char *path, dud_writer **writer);

/* Elements in each dimension of an item that is written, as `dud_shape` gives them. */
int dud_writer_shape(dud_writer *writer, const char *path, uint64_t *shape, size_t room, size_t *rank);

/* Writes elements from memory, which has `rank` dimensions of `shape` elements of a type, such as `DUD_DOUBLE`, the last
   dimension varying fastest. The path may have slices: `/rho[2, ::2]`, `/hist[:]/t`. A number has rank 0; its shape may
   be NULL.

   `start` and `stride` have a number for each dimension of what the path picks: elements are written from `start` on,
   to each `stride`-th place, as many as `shape` says. With `start` NULL, the item is written, and `shape` must be that of
   the item; `stride` NULL means each. Elements are converted as `dud_read` converts them.

   Items can be written in any order. Threads may write different parts at the same time. */
int dud_write(dud_writer *writer, const char *path, const void *from, int type, size_t rank, const uint64_t *shape,
    const uint64_t *start, const uint64_t *stride);

/* Writes a text to an item of text, which is as long or longer: what is left is filled with NULs. */
int dud_write_text(dud_writer *writer, const char *path, const char *text);

/* Says that an item was written by other processes. */
int dud_mark_written(dud_writer *writer, const char *path);

/* What was written so far by this writer, as bytes for `dud_cover` of another process, into memory of `room` bytes.
   `length` (or NULL) gets the number of bytes; with `to` NULL nothing else is done. */
int dud_coverage(dud_writer *writer, void *to, size_t room, size_t *length);

/* Takes for written what another process has written, by the bytes of its `dud_coverage`. */
int dud_cover(dud_writer *writer, const void *from, size_t bytes);

/* Makes durable what was written so far, as each process must before one of them finishes a shared file. */
int dud_sync(dud_writer *writer);

/* Completes the file and closes the writer. If items are missing, that is an error with their paths, and the writer
   stays open: they can be written, or the writer be aborted. */
int dud_finish(dud_writer *writer);

/* As `dud_finish`; gives the length of the file and the CRC-32C of all of it, for `dud_draft_checksum`. `known` gets 1, or 0 if they
   are not known, and 0 then: `dud_plan_checksum` did not ask for them, or elements were written twice or by other code. */
int dud_finish_summed(dud_writer *writer, int *known, uint64_t *bytes, uint32_t *crc32c);

/* Closes the writer without completing the file, which does not appear. NULL is allowed. */
int dud_abort(dud_writer *writer);

/* ---- Streams that grow ---- */

/* Opens a stream with its layout to append to it, and locks it against other writers. What an interrupted writer left
   behind the last commit is taken away. Close it with `dud_append_close`. */
int dud_append_open(const char *path, dud_appender **appender);

/* Adds `records` records to a list, or to an array whose first dimension grows. There is a column for each part of a
   record, by its name: the elements of all records one after the other, and the shape that it has in one record. Where
   a record is one item, there is one column without a name. `length` (or NULL) gets how many records there are then.
   Others see them after `dud_append_commit`. After an error none of them was added. */
int dud_append_push(dud_appender *appender, const char *path, uint64_t records, const dud_column *columns,
    size_t count, uint64_t *length);

/* Writes over elements that are there, from memory of `rank` dimensions of `shape` elements of a type. The path may have
   slices: `/rho[2, ::2]`. */
int dud_append_write(dud_appender *appender, const char *path, const void *from, int type, size_t rank,
    const uint64_t *shape);

/* Makes durable what was added, and lets readers see it. */
int dud_append_commit(dud_appender *appender);

/* Takes records away from the end of a list or array, so that `records` stay. */
int dud_append_truncate(dud_appender *appender, const char *path, uint64_t records);

/* Commits, and closes the file. The handle is closed even if that fails. NULL is allowed. */
int dud_append_close(dud_appender *appender);

/* ---- Checkpoints that are known to be whole ---- */

/* Opens a directory of checkpoints, which is made if it is not there, and locks it against other programs. The newest
   `keep` are kept; one is due every `every` steps. Close it with `dud_checkpoints_close`. */
int dud_checkpoints_open(const char *directory, size_t keep, uint64_t every, dud_checkpoints **checkpoints);

/* Closes a directory of checkpoints. NULL is allowed. */
int dud_checkpoints_close(dud_checkpoints *checkpoints);

/* Whether (1 or 0) a checkpoint belongs to a step. */
int dud_checkpoint_due(dud_checkpoints *checkpoints, uint64_t step, int *due);

/* Finds the newest checkpoint that is whole: its step, and its folder, as `dud_read_text` gives texts. The histories
   that were noted with it are cut back to what they were; they must not be open. If there is none, the result is
   `DUD_NOT_FOUND`. */
int dud_checkpoint_latest(dud_checkpoints *checkpoints, uint64_t *step, char *folder, size_t room, size_t *length);

/* Begins the checkpoint of a step. Write its files into the folder that `dud_draft_folder` gives, finish them, and call
   `dud_draft_publish`. */
int dud_draft_begin(dud_checkpoints *checkpoints, uint64_t step, dud_draft **draft);

/* The folder for the files of a checkpoint, as `dud_read_text` gives texts. */
int dud_draft_folder(dud_draft *draft, char *folder, size_t room, size_t *length);

/* Commits a history, a file beside the checkpoints that grows, and notes how many records it has: `file` is its path
   from the directory of the checkpoints, `path` the list or array in it. A restart cuts it back to that. */
int dud_draft_history(dud_draft *draft, const char *file, dud_appender *appender, const char *path);

/* Notes the length and the CRC-32C of a complete file of the checkpoint, as `dud_finish_summed` gives them; `file` is its path in the
   folder. `dud_draft_publish` reads a file once more whose checksum is not known (`known` is 0), or that has another length. */
int dud_draft_checksum(dud_draft *draft, const char *file, int known, uint64_t bytes, uint32_t crc32c);

/* Makes the files durable and publishes the checkpoint in one step, removes old ones, and closes the draft. It is closed
   even if that fails; nothing is published then, unless the text says that old ones could not be removed. */
int dud_draft_publish(dud_draft *draft);

/* Closes a draft without publishing it: nothing of it is left. NULL is allowed. */
int dud_draft_abandon(dud_draft *draft);

/* ---- Catalogs of many streams of one layout ---- */

/* Makes a catalog of `count` streams, which carry the same layout. A catalog that is there is replaced. */
int dud_family_create(const char *catalog, const char *const *files, size_t count);

/* Opens a catalog. Close it with `dud_family_close`. */
int dud_family_open(const char *catalog, dud_family **family);

/* Closes a catalog. NULL is allowed. */
int dud_family_close(dud_family *family);

/* How many members there are. Their numbers begin at 0. */
int dud_family_len(dud_family *family, uint64_t *members);

/* The numbers of the members that a condition picks, such as `time > 0.5`, into room for `room` numbers. `count` (or
   NULL) gets how many members the condition picks; with `members` NULL nothing else is done. */
int dud_family_select(dud_family *family, const char *condition, uint64_t *members, size_t room, size_t *count);

/* The file of a member, as `dud_read_text` gives texts. */
int dud_family_file(dud_family *family, uint64_t member, char *to, size_t room, size_t *length);

/* A number of the summary of a member, by the name of its column. */
int dud_family_value(dud_family *family, uint64_t member, const char *column, double *value);

/* Reads a path of `count` members into memory of `rank` dimensions of `shape` elements of a type: the first
   dimension is the member. The path may have slices. Elements are converted as `dud_read` converts them. */
int dud_family_read(dud_family *family, const char *path, const uint64_t *members, size_t count, void *to, int type,
    size_t rank, const uint64_t *shape);

#ifdef __cplusplus
}
#endif

#endif
