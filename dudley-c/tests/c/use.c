/* Writes, reads, adds to and checks streams through the C interface, and uses it wrongly.

   usage: use FOLDER */
#define _POSIX_C_SOURCE 200809L
#include <complex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dudley.h"

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #what, dud_error());                                \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
#define OK(call) CHECK((call) == DUD_OK)
/* The call fails with this group, and a text that has these words. */
#define FAILS(call, group, words)                                                                                      \
    do {                                                                                                               \
        int found_group = (call);                                                                                      \
        if (found_group != (group) || !strstr(dud_error(), words)) {                                                   \
            fprintf(stderr, "%s:%d: %s: %d: %s\n", __FILE__, __LINE__, #call, found_group, dud_error());               \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef struct {
    int8_t kind;
    double value;
    int16_t channel[3];
} sample;

static const char *LAYOUT = "< ## State of a run.\n"
                            "N : i8                ## zones\n"
                            "time = f8             ## (us) time of this dump\n"
                            "rho = f4[N, 3]        ## (g/cc) density\n#: order_of = \"first\"\n"
                            "count = i4[N]\n"
                            "wave = c16[2]\n"
                            "flags = b1[3]\n"
                            "name = S1[8]\n"
                            "label = U1[2, 4]\n"
                            "SAMPLE {\n  kind = i1\n  value = f8  ## (keV) energy\n  #: least = 0.5\n  channel = i2[3]\n}\n"
                            "samples = SAMPLE[2]\n"
                            "raw = i2[N]\n#: scale_factor = 0.1, add_offset = 2, _FillValue = -1, words = [\"a\", \"bc\"],\n"
                            "#: range = [-5, 300], table = [1.5, 2]\n"
                            "packed = f8[N] -> zlib\n"
                            "grp/\n  x = i8\n/\n"
                            "l [/ a = i2[2]]*3\n";

static void write_all(const char *path, const char *order)
{
    dud_plan *plan;
    dud_writer *writer;
    const uint64_t n[2] = {4, 3}, three[1] = {3}, two[1] = {2}, two_two[2] = {3, 2}, start[2] = {1, 0}, part[2] = {2, 3},
                   stride[2] = {2, 1}, first[2] = {0, 0}, label[2] = {2, 4}, bytes[2] = {2, sizeof(sample)};
    uint64_t shape[2];
    size_t rank;
    const double time = 0.5, odd[2][3] = {{10, 11, 12}, {30, 31, 32}}, even[2][3] = {{0, 1, 2}, {20, 21, 22}},
                 packed[4] = {1, 2, 3, 4}, tenth[1] = {0.1};
    const int64_t count[4] = {1, -2, 3, 1 << 30}, large[4] = {1, 2, INT64_C(1) << 40, 4};
    const double complex wave[2] = {1 + 2 * I, -3 * I};
    const unsigned char flags[3] = {1, 0, 1};
    const int16_t stored[4] = {0, 1, -1, 30000};
    const int16_t a[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    sample samples[2];
    memset(samples, 0xee, sizeof samples); /* what lies in gaps does not come into files */
    for (int at = 0; at < 2; at++)
        samples[at].kind = (int8_t)(at + 1), samples[at].value = 0.5 + at, samples[at].channel[0] = (int16_t)at,
        samples[at].channel[1] = 7, samples[at].channel[2] = -1;

    FAILS(dud_plan_new("N : i8  x = f8[M]", &plan), DUD_LAYOUT, "M");
    OK(dud_plan_new(LAYOUT, &plan));
    OK(dud_plan_param(plan, "N", 4));
    OK(dud_plan_order(plan, order));
    OK(dud_create(plan, path, &writer));
    CHECK(access(path, F_OK) != 0);
    OK(dud_writer_shape(writer, "/rho", shape, 2, &rank));
    CHECK(rank == 2 && shape[0] == 4 && shape[1] == 3);
    OK(dud_write(writer, "/time", &time, DUD_DOUBLE, 0, NULL, NULL, NULL));
    OK(dud_write(writer, "/rho", odd, DUD_DOUBLE, 2, part, start, stride));
    FAILS(dud_finish(writer), DUD_BAD_VALUE, "/rho");
    OK(dud_write(writer, "/rho", even, DUD_DOUBLE, 2, part, first, stride));
    FAILS(dud_write(writer, "/count", large, DUD_INT64, 1, n, NULL, NULL), DUD_BAD_VALUE, "1099511627776");
    OK(dud_write(writer, "/count", count, DUD_INT64, 1, n, NULL, NULL));
    OK(dud_write(writer, "/wave", wave, DUD_COMPLEX_DOUBLE, 1, two, NULL, NULL));
    OK(dud_write(writer, "/flags", flags, DUD_BOOL, 1, three, NULL, NULL));
    OK(dud_write_text(writer, "/name", "blast"));
    OK(dud_write(writer, "/label", "ab\0\0cdef", DUD_CHAR, 2, label, NULL, NULL));
    /* One after the other: bytes of an element have no start. */
    for (uint64_t at = 0; at < bytes[0]; ++at) {
        const uint64_t one[2] = {1, sizeof(sample)};
        OK(dud_write(writer, "/samples", &samples[at], DUD_BYTES, 2, one, &at, NULL));
    }
    OK(dud_write(writer, "/packed", packed, DUD_DOUBLE, 1, n, NULL, NULL));
    OK(dud_write(writer, "/raw", stored, DUD_INT16, 1, n, NULL, NULL));
    OK(dud_write(writer, "/grp/x", count, DUD_INT64, 0, NULL, NULL, NULL));
    OK(dud_write(writer, "/l[:]/a", a, DUD_INT16, 2, two_two, NULL, NULL));
    /* Wrong uses change nothing. */
    FAILS(dud_write(writer, "/rho", even, DUD_DOUBLE, 2, part, NULL, NULL), DUD_BAD_VALUE, "[4, 3]");
    FAILS(dud_write(writer, "/rho", even, DUD_DOUBLE, 1, n, NULL, NULL), DUD_BAD_VALUE, "/rho");
    FAILS(dud_write(writer, "/rho", even, DUD_DOUBLE, 2, n, start, NULL), DUD_BAD_VALUE, "/rho");
    FAILS(dud_write(writer, "/rho[0:1]", even, DUD_DOUBLE, 2, part, start, NULL), DUD_BAD_VALUE, "slice");
    FAILS(dud_write(writer, "/time", tenth, DUD_DOUBLE, 1, NULL, NULL, NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_write(writer, "/count", packed, DUD_DOUBLE, 1, n, NULL, NULL), DUD_BAD_VALUE, "/count");
    FAILS(dud_write(writer, "/rho[0, 0]", tenth, DUD_DOUBLE, 0, NULL, NULL, NULL), DUD_BAD_VALUE, "0.1");
    FAILS(dud_write(writer, "/no", packed, DUD_DOUBLE, 1, n, NULL, NULL), DUD_NOT_FOUND, "/no");
    FAILS(dud_write(writer, "/rho", packed, 99, 1, n, NULL, NULL), DUD_BAD_VALUE, "99");
    FAILS(dud_write(writer, "/samples", samples, DUD_BYTES, 0, NULL, NULL, NULL), DUD_BAD_VALUE, "dimension");
    FAILS(dud_write(writer, "/samples", samples, DUD_BYTES, 1, two, NULL, NULL), DUD_BAD_VALUE, "/samples");
    const uint64_t nothing[3] = {UINT64_MAX, UINT64_MAX, 0};
    FAILS(dud_write(writer, "/samples", samples, DUD_BYTES, 3, nothing, NULL, NULL), DUD_BAD_VALUE, "/samples");
    FAILS(dud_write(writer, NULL, NULL, DUD_DOUBLE, 0, NULL, NULL, NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_write(writer, "/time", NULL, DUD_DOUBLE, 0, NULL, NULL, NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_write_text(writer, "/name", "much too long"), DUD_BAD_VALUE, "/name");
    OK(dud_finish(writer));
    FAILS(dud_finish(writer), DUD_CLOSED, "closed");
    FAILS(dud_create(plan, path, &writer), DUD_FILE, "exists");
    FAILS(dud_create(plan, "/no/such/folder/x.bd", &writer), DUD_FILE, "x.bd");
    OK(dud_plan_overwrite(plan, 1));
    OK(dud_create(plan, path, &writer));
    OK(dud_abort(writer));
    FAILS(dud_create(plan, path, NULL), DUD_BAD_VALUE, "NULL");
    OK(dud_plan_free(plan));
}

static void attributes(dud_file *file)
{
    const uint64_t two[1] = {2}, three[1] = {3}, four[1] = {4}, start[1] = {1}, stride[1] = {2};
    uint64_t shape[2];
    size_t rank, length;
    int type, is;
    double number, table[2], physical[4];
    float single[2];
    int32_t range[2];
    int8_t small[2];
    unsigned char on;
    char text[64];
    OK(dud_attr_type(file, "/raw", "scale_factor", &type));
    CHECK(type == DUD_DOUBLE);
    OK(dud_attr_read(file, "/raw", "scale_factor", &number, DUD_DOUBLE, 0, NULL));
    CHECK(number == 0.1);
    FAILS(dud_attr_read(file, "/raw", "scale_factor", single, DUD_FLOAT, 0, NULL), DUD_BAD_VALUE, "0.1");
    OK(dud_attr_read(file, "/raw", "add_offset", &number, DUD_DOUBLE, 0, NULL));
    CHECK(number == 2);
    OK(dud_attr_type(file, "/raw", "range", &type));
    OK(dud_attr_shape(file, "/raw", "range", shape, 2, &rank));
    CHECK(type == DUD_INT64 && rank == 1 && shape[0] == 2);
    OK(dud_attr_read(file, "/raw", "range", range, DUD_INT32, 1, two));
    CHECK(range[0] == -5 && range[1] == 300);
    FAILS(dud_attr_read(file, "/raw", "range", small, DUD_INT8, 1, two), DUD_BAD_VALUE, "300");
    FAILS(dud_attr_read(file, "/raw", "range", range, DUD_INT32, 1, three), DUD_BAD_VALUE, "[2]");
    FAILS(dud_attr_read(file, "/raw", "range", range, DUD_INT32, 0, NULL), DUD_BAD_VALUE, "[2]");
    FAILS(dud_attr_read(file, "/raw", "range", NULL, DUD_INT32, 1, two), DUD_BAD_VALUE, "NULL");
    FAILS(dud_attr_read(file, "/raw", "range", range, DUD_BYTES, 1, two), DUD_BAD_VALUE, "numbers");
    FAILS(dud_attr_read(file, "/raw", "range", range, 77, 1, two), DUD_BAD_VALUE, "77");
    FAILS(dud_attr_read(file, "/raw", "words", range, DUD_INT32, 1, two), DUD_BAD_VALUE, "text");
    FAILS(dud_attr_read(file, "/raw", "none", range, DUD_INT32, 1, two), DUD_NOT_FOUND, "none");
    FAILS(dud_attr_texts(file, "/raw", "range", text, sizeof text, NULL), DUD_BAD_VALUE, "no text");
    FAILS(dud_attr_type(file, "/none", "range", &type), DUD_NOT_FOUND, "/none");
    FAILS(dud_attr_type(file, "/raw", NULL, &type), DUD_BAD_VALUE, "NULL");
    FAILS(dud_attr_shape(NULL, "/raw", "range", shape, 2, &rank), DUD_CLOSED, "NULL");
    OK(dud_attr_read(file, "/raw", "table", table, DUD_DOUBLE, 1, two));
    CHECK(table[0] == 1.5 && table[1] == 2);
    FAILS(dud_attr_read(file, "/raw", "range", &on, DUD_BOOL, 1, two), DUD_BAD_VALUE, "no boolean");
    OK(dud_attr_type(file, "/raw", "words", &type));
    OK(dud_attr_texts(file, "/raw", "words", text, sizeof text, &length));
    CHECK(type == DUD_CHAR && length == 5 && !memcmp(text, "a\0bc", 5));
    OK(dud_attr_texts(file, "/rho", "order_of", text, sizeof text, &length));
    CHECK(length == 6 && !strcmp(text, "first"));

    /* Fields have units, documentation and attributes too. */
    OK(dud_unit(file, "/samples.value", text, sizeof text, NULL));
    CHECK(!strcmp(text, "keV"));
    OK(dud_doc(file, "/samples[1].value", text, sizeof text, NULL));
    CHECK(!strcmp(text, "energy"));
    OK(dud_attr_read(file, "/samples.value", "least", &number, DUD_DOUBLE, 0, NULL));
    CHECK(number == 0.5);
    FAILS(dud_unit(file, "/samples.none", text, sizeof text, NULL), DUD_NOT_FOUND, "none");

    OK(dud_scaled(file, "/raw", &is, &type));
    CHECK(is == 1 && type == DUD_DOUBLE);
    OK(dud_read_scaled(file, "/raw", physical, DUD_DOUBLE, 1, four, NULL, NULL));
    CHECK(physical[0] == 2 && physical[1] == 2.1 && physical[2] != physical[2] && physical[3] == 3002);
    OK(dud_read_scaled(file, "/raw", single, DUD_FLOAT, 1, two, start, stride));
    CHECK(single[0] == 2.1f && single[1] == 3002);
    OK(dud_read_scaled(file, "/raw[1]", single, DUD_FLOAT, 0, NULL, NULL, NULL));
    CHECK(single[0] == 2.1f);
    FAILS(dud_read_scaled(file, "/raw", single, DUD_FLOAT, 1, two, NULL, NULL), DUD_BAD_VALUE, "[4]");
    FAILS(dud_read_scaled(file, "/raw", range, DUD_INT32, 1, four, NULL, NULL), DUD_BAD_VALUE, "/raw");
    FAILS(dud_read_scaled(file, "/raw", NULL, DUD_FLOAT, 1, four, NULL, NULL), DUD_BAD_VALUE, "NULL");
    OK(dud_scaled(file, "/count", &is, NULL));
    CHECK(is == 0);
    OK(dud_read_scaled(file, "/count[:2]", range, DUD_INT32, 1, two, NULL, NULL));
    CHECK(range[1] == -2);
    FAILS(dud_scaled(file, "/raw", NULL, NULL), DUD_BAD_VALUE, "NULL");
}

static void read_all(const char *path)
{
    dud_file *file;
    dud_view *view = NULL;
    const void *data;
    char text[64];
    double time, rho[4][3], column[4], packed[4];
    float single[4][3];
    int32_t small[4];
    int64_t wide[4], n = 0;
    int16_t a[3][2], channel[2][3];
    uint64_t shape[4], bytes;
    size_t rank, length, size;
    int kind, type;
    double complex wave[2];
    unsigned char flags[3];
    sample samples[2];
    const uint64_t all[2] = {4, 3}, four[1] = {4}, two[1] = {2}, three[1] = {3}, eight[1] = {8}, l[2] = {3, 2}, c[2] = {2, 3},
                   block[2] = {2, 2}, start[2] = {1, 1}, stride[2] = {2, 1}, beyond[2] = {3, 1}, none[2] = {0, 1},
                   raw[2] = {2, sizeof(sample)}, huge[2] = {UINT64_MAX, UINT64_MAX};
    OK(dud_open(path, NULL, &file));
    OK(dud_remarks(file, text, sizeof text, &length));
    CHECK(!*text && length == 0);
    OK(dud_format(file, text, sizeof text, NULL));
    OK(dud_params(file, "/", text, sizeof text, &length));
    CHECK(!strncmp(text, "/:N", 4));
    OK(dud_param(file, text, &n));
    CHECK(n == 4);
    OK(dud_read(file, "/:N", small, DUD_INT32, 0, NULL, NULL, NULL));
    CHECK(small[0] == 4);
    OK(dud_read(file, "/time", &time, DUD_DOUBLE, 0, NULL, NULL, NULL));
    CHECK(time == 0.5);
    OK(dud_shape(file, "/rho", NULL, 0, &rank));
    CHECK(rank == 2);
    OK(dud_shape(file, "/rho", shape, 4, NULL));
    CHECK(shape[0] == 4 && shape[1] == 3);
    OK(dud_dim(file, "/rho", 0, text, sizeof text, NULL));
    CHECK(!strcmp(text, "N"));
    FAILS(dud_dim(file, "/rho", 2, text, sizeof text, NULL), DUD_BAD_VALUE, "no dimension 2");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, 1, all, NULL, NULL), DUD_BAD_VALUE, "the memory has rank 1");
    FAILS(dud_view_open(file, "/flags", DUD_BOOL, &view, &data, &size), DUD_BAD_VALUE, "`/flags`: elements of type");
    OK(dud_type(file, "/rho", &type));
    CHECK(type == DUD_FLOAT);
    OK(dud_unit(file, "/rho", text, sizeof text, &length));
    CHECK(!strcmp(text, "g/cc") && length == 4);
    OK(dud_doc(file, "/rho", text, sizeof text, &length));
    CHECK(!strcmp(text, "density"));
    OK(dud_attrs(file, "/rho", text, sizeof text, &length));
    CHECK(length == 9 && !strcmp(text, "order_of"));
    OK(dud_attr(file, "/rho", "order_of", text, sizeof text, &length));
    CHECK(!strcmp(text, "first"));
    attributes(file);
    OK(dud_read(file, "/rho", rho, DUD_DOUBLE, 2, all, NULL, NULL));
    OK(dud_read(file, "/rho", single, DUD_FLOAT, 2, all, NULL, NULL));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) CHECK(rho[i][j] == 10 * i + j && single[i][j] == rho[i][j]);
    OK(dud_read(file, "/rho[:, 2]", column, DUD_DOUBLE, 1, four, NULL, NULL));
    CHECK(column[3] == 32);
    OK(dud_read(file, "/rho", rho, DUD_DOUBLE, 2, block, start, stride));
    CHECK(rho[0][0] == 11 && rho[0][1] == 12 && rho[0][2] == 31 && rho[1][0] == 32);
    OK(dud_read(file, "/rho", NULL, DUD_DOUBLE, 2, none, start, NULL));
    OK(dud_read(file, "/count", wide, DUD_INT64, 1, four, NULL, NULL));
    CHECK(wide[1] == -2 && wide[3] == 1 << 30);
    OK(dud_read(file, "/count", packed, DUD_DOUBLE, 1, four, NULL, NULL));
    CHECK(packed[1] == -2);
    OK(dud_read(file, "/wave", wave, DUD_COMPLEX_DOUBLE, 1, two, NULL, NULL));
    CHECK(creal(wave[0]) == 1 && cimag(wave[0]) == 2 && cimag(wave[1]) == -3);
    OK(dud_read(file, "/flags", flags, DUD_BOOL, 1, three, NULL, NULL));
    CHECK(flags[0] == 1 && flags[1] == 0 && flags[2] == 1);
    OK(dud_read_text(file, "/name", text, sizeof text, &length));
    CHECK(!strcmp(text, "blast") && length == 5);
    OK(dud_read(file, "/label[1]", text, DUD_CHAR, 1, four, NULL, NULL));
    CHECK(!memcmp(text, "cdef", 4));
    OK(dud_type(file, "/samples", &type));
    OK(dud_element_size(file, "/samples", &bytes));
    CHECK(type == DUD_OTHER && bytes == sizeof(sample));
    OK(dud_read(file, "/samples", samples, DUD_BYTES, 2, raw, NULL, NULL));
    CHECK(samples[1].kind == 2 && samples[1].value == 1.5 && samples[1].channel[2] == -1);
    const uint64_t last[2] = {1, sizeof(sample)}, second = 1;
    memset(samples, 0, sizeof samples);
    OK(dud_read(file, "/samples", samples, DUD_BYTES, 2, last, &second, NULL));
    CHECK(samples[0].kind == 2 && samples[0].value == 1.5 && samples[1].kind == 0);
    OK(dud_read(file, "/samples", samples, DUD_BYTES, 2, raw, NULL, NULL));
    OK(dud_read(file, "/samples.channel", channel, DUD_INT16, 2, c, NULL, NULL));
    CHECK(channel[1][0] == 1 && channel[0][1] == 7);
    OK(dud_read(file, "/packed", packed, DUD_DOUBLE, 1, four, NULL, NULL));
    CHECK(packed[3] == 4);
    OK(dud_read(file, "/l[:]/a", a, DUD_INT16, 2, l, NULL, NULL));
    CHECK(a[2][0] == 5);
    OK(dud_kind(file, "/l", &kind));
    OK(dud_len(file, "/l", &bytes));
    CHECK(kind == DUD_LIST && bytes == 3);
    OK(dud_kind(file, "/grp", &kind));
    CHECK(kind == DUD_DICT);
    OK(dud_children(file, "/grp", text, sizeof text, &length));
    CHECK(length == 7 && !strcmp(text, "/grp/x"));
    OK(dud_address(file, "/time", &bytes));
    CHECK(bytes == 24);

    /* A view lives on its own. */
    if (dud_view_open(file, "/rho", DUD_FLOAT, &view, &data, &size) == 0)
        CHECK(size == sizeof single && !memcmp(data, single, size));
    else CHECK(strstr(dud_error(), "read a copy"));
    FAILS(dud_view_open(file, "/rho", DUD_DOUBLE, &view, &data, &size), DUD_BAD_VALUE, "f4");
    FAILS(dud_view_open(file, "/packed", DUD_DOUBLE, &view, &data, &size), DUD_BAD_VALUE, "/packed");
    FAILS(dud_view_open(file, "/rho", DUD_FLOAT, NULL, &data, &size), DUD_BAD_VALUE, "NULL");
    FAILS(dud_view_open(file, "/rho", DUD_FLOAT, &view, NULL, &size), DUD_BAD_VALUE, "NULL");

    /* Wrong uses. */
    FAILS(dud_read(file, "/no", rho, DUD_DOUBLE, 2, all, NULL, NULL), DUD_NOT_FOUND, "/no");
    FAILS(dud_read(file, "rho[", rho, DUD_DOUBLE, 2, all, NULL, NULL), DUD_BAD_VALUE, "rho");
    FAILS(dud_read(file, "/grp", rho, DUD_DOUBLE, 2, all, NULL, NULL), DUD_BAD_VALUE, "/grp");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, 1, four, NULL, NULL), DUD_BAD_VALUE, "[4, 3]");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, 2, block, beyond, NULL), DUD_BAD_VALUE, "/rho");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, 2, huge, start, NULL), DUD_BAD_VALUE, "elements");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, 2, huge, NULL, NULL), DUD_BAD_VALUE, "/rho");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, (size_t)-1, huge, NULL, NULL), DUD_BAD_VALUE, "dimensions");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, 2, block, NULL, stride), DUD_BAD_VALUE, "start");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, 2, block, start, none), DUD_BAD_VALUE, "stride");
    FAILS(dud_read(file, "/rho", rho, DUD_INT32, 2, all, NULL, NULL), DUD_BAD_VALUE, "f4");
    FAILS(dud_read(file, "/rho", rho, 99, 2, all, NULL, NULL), DUD_BAD_VALUE, "99");
    FAILS(dud_read(file, "/rho", rho, DUD_OTHER, 2, all, NULL, NULL), DUD_BAD_VALUE, "type");
    FAILS(dud_read(file, "/rho", (char *)rho + 1, DUD_DOUBLE, 2, all, NULL, NULL), DUD_BAD_VALUE, "aligned");
    FAILS(dud_read(file, "/rho", NULL, DUD_DOUBLE, 2, all, NULL, NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_read(file, "/rho", rho, DUD_DOUBLE, 2, NULL, NULL, NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_read(file, NULL, rho, DUD_DOUBLE, 2, all, NULL, NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_read(file, "\xff", rho, DUD_DOUBLE, 2, all, NULL, NULL), DUD_BAD_VALUE, "UTF-8");
    FAILS(dud_read(file, "/count", flags, DUD_INT8, 1, four, NULL, NULL), DUD_BAD_VALUE, "1073741824");
    FAILS(dud_read(file, "/samples", rho, DUD_DOUBLE, 1, two, NULL, NULL), DUD_BAD_VALUE, "/samples");
    FAILS(dud_read_text(file, "/name", text, 5, &length), DUD_BAD_VALUE, "6 bytes");
    CHECK(length == 5);
    FAILS(dud_read_text(file, "/rho", text, sizeof text, NULL), DUD_BAD_VALUE, "/rho");
    FAILS(dud_param(file, "/:M", &n), DUD_NOT_FOUND, "M");
    FAILS(dud_param(file, "/rho", &n), DUD_BAD_VALUE, "/rho");
    FAILS(dud_attr(file, "/rho", "m", text, 9, NULL), DUD_NOT_FOUND, "m");
    FAILS(dud_kind(file, "/rho", NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_shape(file, "/rho", shape, 1, NULL), DUD_BAD_VALUE, "room");
    FAILS(dud_children(file, "/rho", text, 9, NULL), DUD_BAD_VALUE, "/rho");
    OK(dud_read(file, "/name", text, DUD_CHAR, 1, eight, NULL, NULL));

    /* A handle is of one kind, and closed once. */
    FAILS(dud_plan_param((dud_plan *)(void *)file, "N", 1), DUD_CLOSED, "kind");
    OK(dud_close(file));
    FAILS(dud_close(file), DUD_CLOSED, "closed");
    FAILS(dud_kind(file, "/", &kind), DUD_CLOSED, "closed");
    FAILS(dud_close((dud_file *)(void *)text), DUD_CLOSED, "closed");
    OK(dud_close(NULL));
    FAILS(dud_kind(NULL, "/", &kind), DUD_CLOSED, "NULL");
    if (view) CHECK(!memcmp(data, single, sizeof single));
    OK(dud_view_close(view));
    FAILS(dud_open(NULL, NULL, &file), DUD_BAD_VALUE, "NULL");
    FAILS(dud_open(path, NULL, NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_open("/no/such/file", NULL, &file), DUD_FILE, "file");
}

/* A layout that is cut off may be legal, without the end of its last item: what is opened all the same has right values, or
   says so. */
static void cut_layout(const char *folder, const char *item, const char *suffix)
{
    char path[4096], text[256];
    static unsigned char bytes[1 << 12];
    const double x[2] = {1.5, 2.5};
    const uint64_t two[1] = {2};
    int cuts = 0;
    dud_plan *plan;
    dud_writer *writer;
    dud_options *options;
    dud_file *file;
    snprintf(path, sizeof path, "%s/layout.bd", folder);
    snprintf(text, sizeof text, "N : i8  %s%s", item, suffix);
    OK(dud_plan_new(text, &plan));
    OK(dud_plan_param(plan, "N", 2));
    OK(dud_plan_overwrite(plan, 1));
    OK(dud_create(plan, path, &writer));
    OK(dud_write(writer, "/x", x, DUD_DOUBLE, 1, two, NULL, NULL));
    OK(dud_finish(writer));
    OK(dud_plan_free(plan));
    OK(dud_options_new(&options));
    OK(dud_options_unterminated(options));
    FILE *from = fopen(path, "rb");
    CHECK(from);
    const size_t length = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    for (size_t end = 0; end <= length; end++) {
        double found[2] = {0, 0};
        FILE *to = fopen(path, "wb");
        CHECK(to && fwrite(bytes, 1, end, to) == end && !fclose(to));
        char remarks[1024];
        if (dud_open(path, NULL, &file)) {
            CHECK(*dud_error());
            if (!strstr(dud_error(), "dud_options_unterminated")) continue;
            cuts++;
            OK(dud_open(path, options, &file));
            OK(dud_remarks(file, remarks, sizeof remarks, NULL));
            CHECK(strstr(remarks, "terminator"));
            OK(dud_close(file));
            continue;
        }
        /* A layout without a terminator is legal; that attributes may be missing is a remark. */
        OK(dud_remarks(file, remarks, sizeof remarks, NULL));
        if (!strstr(remarks, "terminator")) {
            OK(dud_read(file, "/x", found, DUD_DOUBLE, 1, two, NULL, NULL));
            CHECK(found[0] == 1.5 && found[1] == 2.5);
        }
        OK(dud_close(file));
    }
    CHECK(cuts > 0);
    OK(dud_options_free(options));
}

/* A file that ends early is an error, wherever it ends. */
static void cut(const char *folder, const char *path)
{
    char other[4096];
    snprintf(other, sizeof other, "%s/cut.bd", folder);
    FILE *from = fopen(path, "rb");
    static unsigned char bytes[1 << 16];
    CHECK(from);
    size_t length = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    for (size_t end = 0; end < length; end += 37) {
        dud_file *file;
        double rho[4][3];
        const uint64_t all[2] = {4, 3};
        FILE *to = fopen(other, "wb");
        CHECK(to && fwrite(bytes, 1, end, to) == end && !fclose(to));
        if (dud_open(other, NULL, &file)) {
            CHECK(*dud_error());
            continue;
        }
        /* Only the line end behind the terminator is missing. */
        CHECK(end + 2 >= length);
        if (dud_read(file, "/rho", rho, DUD_DOUBLE, 2, all, NULL, NULL)) CHECK(*dud_error());
        OK(dud_close(file));
    }
    /* A text is a layout; one that has errors is named. */
    FILE *source = fopen(other, "w");
    CHECK(source && fputs("static const x;\n", source) >= 0 && !fclose(source));
    dud_file *none;
    FAILS(dud_open(other, NULL, &none), DUD_LAYOUT, "cut.bd:1:");
    FAILS(dud_open(folder, NULL, &none), DUD_DATA, "a folder");
    dud_options *options;
    OK(dud_options_new(&options));
    FAILS(dud_options_layout(options, "x = "), DUD_LAYOUT, "expected");
    OK(dud_options_layout(options, "n : u2  x = u1[n]"));
    FAILS(dud_options_order(options, "="), DUD_BAD_VALUE, "=");
    OK(dud_options_order(options, ">"));
    OK(dud_options_raw(options));
    OK(dud_options_base(options, 2));
    OK(dud_options_threads(options, 1));
    FILE *to = fopen(other, "wb");
    CHECK(to && fwrite("??\0\3abc", 1, 7, to) == 7 && !fclose(to));
    dud_file *file;
    char x[3];
    const uint64_t three[1] = {3};
    OK(dud_open(other, options, &file));
    OK(dud_read(file, "/x", x, DUD_UINT8, 1, three, NULL, NULL));
    CHECK(!memcmp(x, "abc", 3));
    OK(dud_close(file));
    OK(dud_options_free(options));
}

/* A file of another format, with values that are no arrays, and an element without a value. */
static void other_format(const char *folder)
{
    static const char text[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
                               "--- !core/asdf-1.1.0\nx: !core/ndarray-1.0.0\n  data: [1.5, null, 3.5]\n"
                               "  datatype: float64\nn: 7\nhalf: 0.5\non: true\nname: blast\n...\n";
    char path[4096], name[16];
    dud_file *file;
    double x[3];
    int n, kind, type;
    size_t count;
    unsigned char missing[3], on;
    const uint64_t three[1] = {3};
    snprintf(path, sizeof path, "%s/other.asdf", folder);
    FILE *to = fopen(path, "wb");
    CHECK(to && fputs(text, to) >= 0 && !fclose(to));
    OK(dud_open(path, NULL, &file));
    OK(dud_format(file, name, sizeof name, NULL));
    CHECK(!strcmp(name, "asdf"));
    OK(dud_read(file, "/x", x, DUD_DOUBLE, 1, three, NULL, NULL));
    OK(dud_missing(file, "/x", missing, 3, &count));
    CHECK(count == 3 && x[0] == 1.5 && x[2] == 3.5 && missing[1] == 1 && missing[2] == 0);
    OK(dud_missing(file, "/n", NULL, 0, &count));
    CHECK(count == 0);
    OK(dud_kind(file, "/n", &kind));
    OK(dud_type(file, "/n", &type));
    CHECK(kind == DUD_VALUE && type == DUD_INT64);
    OK(dud_read(file, "/n", &n, DUD_INT32, 0, NULL, NULL, NULL));
    OK(dud_read(file, "/half", x, DUD_DOUBLE, 0, NULL, NULL, NULL));
    OK(dud_read(file, "/on", &on, DUD_BOOL, 0, NULL, NULL, NULL));
    CHECK(n == 7 && x[0] == 0.5 && on == 1);
    OK(dud_read_text(file, "/name", name, sizeof name, NULL));
    CHECK(!strcmp(name, "blast"));
    FAILS(dud_read(file, "/name", x, DUD_DOUBLE, 0, NULL, NULL, NULL), DUD_BAD_VALUE, "/name");
    FAILS(dud_read(file, "/half", &n, DUD_INT32, 0, NULL, NULL, NULL), DUD_BAD_VALUE, "/half");
    OK(dud_close(file));
}

static void append(const char *folder)
{
    char path[4096], catalog[4096];
    dud_plan *plan;
    dud_writer *writer;
    dud_appender *appender;
    dud_file *file;
    uint64_t there, members[4], three[1] = {3}, two[1] = {2}, six[2] = {6, 3}, stacked[3] = {2, 6, 3}, one[1] = {1};
    double t[3] = {0, 1, 2}, r[3][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, all[2][6][3];
    float late = 2.5F;
    size_t count;
    snprintf(path, sizeof path, "%s/history.bd", folder);
    OK(dud_plan_new("{time = f8  NT : i8}  hist [/ t = f8  r = f8[3]]*NT", &plan));
    OK(dud_plan_param(plan, "NT", 0));
    OK(dud_create(plan, path, &writer));
    OK(dud_write(writer, "/time", t, DUD_DOUBLE, 0, NULL, NULL, NULL));
    OK(dud_finish(writer));
    OK(dud_append_open(path, &appender));
    dud_appender *second;
    FAILS(dud_append_open(path, &second), DUD_FILE, "history.bd");
    dud_column columns[2] = {{"t", t, DUD_DOUBLE, 0, NULL}, {"r", r, DUD_DOUBLE, 1, three}};
    OK(dud_append_push(appender, "/hist", 3, columns, 2, &there));
    CHECK(there == 3);
    /* After an error nothing was added, and nothing is lost. */
    FAILS(dud_append_push(appender, "/no", 3, columns, 2, NULL), DUD_NOT_FOUND, "/no");
    FAILS(dud_append_push(appender, "/hist", 3, columns, 1, NULL), DUD_BAD_VALUE, "r");
    FAILS(dud_append_push(appender, "/hist", 3, NULL, 2, NULL), DUD_BAD_VALUE, "NULL");
    FAILS(dud_append_push(appender, "/hist", 3, NULL, 0, NULL), DUD_BAD_VALUE, "columns");
    columns[1].shape = two;
    FAILS(dud_append_push(appender, "/hist", 3, columns, 2, NULL), DUD_BAD_VALUE, "r");
    columns[1].shape = three;
    OK(dud_append_push(appender, "/hist", 3, columns, 2, &there));
    CHECK(there == 6);
    OK(dud_append_push(appender, "/hist", 1, columns, 2, NULL));
    OK(dud_append_commit(appender));
    OK(dud_append_truncate(appender, "/hist", 6));
    FAILS(dud_append_truncate(appender, "/hist", 60), DUD_BAD_VALUE, "hist");
    OK(dud_append_write(appender, "/hist[5]/r[0:1]", &late, DUD_FLOAT, 1, one));
    FAILS(dud_append_write(appender, "/hist[5]/r", &late, DUD_FLOAT, 1, one), DUD_BAD_VALUE, "r");
    OK(dud_append_close(appender));
    FAILS(dud_append_commit(appender), DUD_CLOSED, "closed");
    OK(dud_append_close(NULL));
    OK(dud_open(path, NULL, &file));
    OK(dud_read(file, "/hist[:]/r", all, DUD_DOUBLE, 2, six, NULL, NULL));
    /* Part of a column: its first dimension is that of the records. */
    {
        const uint64_t from[2] = {1, 1}, by[2] = {3, 1}, part[2] = {2, 1}, none[2] = {0, 1}, many[2] = {3, 1};
        double some[3] = {0, 0, 0}, times[6], two_times[2];
        OK(dud_read(file, "/hist[:]/r", some, DUD_DOUBLE, 2, part, from, by));
        CHECK(some[0] == all[0][1][1] && some[1] == all[0][4][1]);
        OK(dud_read(file, "/hist[:]/r", some, DUD_DOUBLE, 2, none, from, by));
        FAILS(dud_read(file, "/hist[:]/r", some, DUD_DOUBLE, 2, many, from, by), DUD_BAD_VALUE, "hist");
        FAILS(dud_read(file, "/hist[1:4]/r", some, DUD_DOUBLE, 2, part, from, by), DUD_BAD_VALUE, "hist");
        OK(dud_read(file, "/hist[:]/t", times, DUD_DOUBLE, 1, six, NULL, NULL));
        OK(dud_read(file, "/hist[:]/t", two_times, DUD_DOUBLE, 1, part, from, by));
        CHECK(two_times[0] == times[1] && two_times[1] == times[4]);
    }
    CHECK(all[0][5][0] == 2.5 && all[0][5][2] == 8);
    OK(dud_close(file));

    /* A family of two of them. */
    char other[4096];
    snprintf(other, sizeof other, "%s/other.bd", folder);
    snprintf(catalog, sizeof catalog, "%s/runs.bd", folder);
    OK(dud_plan_param(plan, "NT", 6));
    OK(dud_create(plan, other, &writer));
    OK(dud_write(writer, "/time", t + 1, DUD_DOUBLE, 0, NULL, NULL, NULL));
    OK(dud_write(writer, "/hist[:]/t", all, DUD_DOUBLE, 1, six, NULL, NULL));
    OK(dud_write(writer, "/hist[:]/r", all, DUD_DOUBLE, 2, six, NULL, NULL));
    OK(dud_finish(writer));
    OK(dud_plan_free(plan));
    const char *files[2] = {path, other};
    dud_family *family;
    FAILS(dud_family_create(catalog, files, 0), DUD_BAD_VALUE, "one file");
    OK(dud_family_create(catalog, files, 2));
    OK(dud_family_open(catalog, &family));
    OK(dud_family_len(family, &there));
    CHECK(there == 2);
    OK(dud_family_select(family, "time >= 0", members, 4, &count));
    CHECK(count == 2);
    FAILS(dud_family_select(family, "member >=", members, 4, &count), DUD_BAD_VALUE, "condition");
    OK(dud_family_read(family, "/hist[:]/r", members, 2, all, DUD_DOUBLE, 3, stacked));
    CHECK(all[1][5][0] == 2.5 && all[0][5][2] == 8);
    members[1] = 9;
    FAILS(dud_family_read(family, "/hist[:]/r", members, 2, all, DUD_DOUBLE, 3, stacked), DUD_NOT_FOUND, "9");
    OK(dud_family_file(family, 1, other, sizeof other, NULL));
    CHECK(strstr(other, "other.bd"));
    double value;
    OK(dud_family_value(family, 1, "time", &value));
    CHECK(value == 1);
    FAILS(dud_family_value(family, 0, "no", &value), DUD_NOT_FOUND, "no");
    OK(dud_family_close(family));
    FAILS(dud_family_create(catalog, NULL, 1), DUD_BAD_VALUE, "NULL");
    files[1] = NULL;
    FAILS(dud_family_create(catalog, files, 2), DUD_BAD_VALUE, "NULL");
}

/* Checksums that are known by the time a checkpoint is published, so that its files are not read for them. */
static void checksums(const char *folder)
{
    char path[4096];
    dud_checkpoints *checkpoints;
    dud_draft *draft;
    dud_plan *plan;
    dud_writer *writer;
    uint64_t step, bytes;
    uint32_t crc32c;
    const uint64_t four[1] = {4};
    const double x[4] = {1, 2, 3, 4};
    int known;
    snprintf(path, sizeof path, "%s/checksums", folder);
    OK(dud_checkpoints_open(path, 2, 1, &checkpoints));
    OK(dud_plan_new("x = f8[4]", &plan));
    /* Asked for and known; written twice; not asked for. */
    for (int round = 0; round < 3; round++) {
        OK(dud_draft_begin(checkpoints, 100, &draft));
        OK(dud_draft_folder(draft, path, sizeof path, NULL));
        strcat(path, "/state.bd");
        OK(dud_plan_checksum(plan, round < 2));
        OK(dud_create(plan, path, &writer));
        FAILS(dud_finish_summed(writer, &known, &bytes, &crc32c), DUD_BAD_VALUE, "/x");
        for (int times = round == 1 ? 2 : 1; times > 0; times--)
            OK(dud_write(writer, "/x", x, DUD_DOUBLE, 1, four, NULL, NULL));
        FAILS(dud_finish_summed(writer, &known, &bytes, NULL), DUD_BAD_VALUE, "NULL");
        OK(dud_finish_summed(writer, &known, &bytes, &crc32c));
        FAILS(dud_finish(writer), DUD_CLOSED, "closed");
        CHECK(known == (round == 0) && (bytes > 4 * sizeof(double)) == known && (crc32c != 0) == known);
        OK(dud_draft_checksum(draft, "state.bd", known, bytes, crc32c));
        FAILS(dud_draft_checksum(draft, NULL, known, bytes, crc32c), DUD_BAD_VALUE, "NULL");
        if (round < 2) OK(dud_draft_abandon(draft));
    }
    OK(dud_draft_publish(draft));
    OK(dud_checkpoint_latest(checkpoints, &step, path, sizeof path, NULL));
    CHECK(step == 100);
    /* What is noted is taken: a wrong checksum of the right length is found by the next run. */
    OK(dud_plan_checksum(plan, 1));
    for (step = 101; step <= 102; step++) {
        OK(dud_draft_begin(checkpoints, step, &draft));
        OK(dud_draft_folder(draft, path, sizeof path, NULL));
        strcat(path, "/state.bd");
        OK(dud_create(plan, path, &writer));
        OK(dud_write(writer, "/x", x, DUD_DOUBLE, 1, four, NULL, NULL));
        OK(dud_finish_summed(writer, &known, &bytes, &crc32c));
        OK(dud_draft_checksum(draft, "state.bd", known, bytes, step == 101 ? crc32c : crc32c ^ 1));
        OK(dud_draft_publish(draft));
    }
    OK(dud_checkpoint_latest(checkpoints, &step, path, sizeof path, NULL));
    CHECK(step == 101);
    OK(dud_plan_free(plan));
    OK(dud_checkpoints_close(checkpoints));
}

static void checkpoints(const char *folder)
{
    char path[4096], directory[4000];
    dud_checkpoints *checkpoints, *again;
    dud_draft *draft;
    dud_plan *plan;
    dud_writer *writer;
    dud_appender *appender;
    uint64_t step;
    int due;
    snprintf(directory, sizeof directory, "%s/checkpoints", folder);
    OK(dud_checkpoints_open(directory, 2, 10, &checkpoints));
    FAILS(dud_checkpoints_open(directory, 2, 10, &again), DUD_FILE, "checkpoints");
    FAILS(dud_checkpoint_latest(checkpoints, &step, path, sizeof path, NULL), DUD_NOT_FOUND, "whole");
    OK(dud_plan_new("NT : i8  t = f8[NT]", &plan));
    OK(dud_plan_param(plan, "NT", 0));
    snprintf(path, sizeof path, "%s/history.bd", directory);
    OK(dud_create(plan, path, &writer));
    OK(dud_finish(writer));
    OK(dud_append_open(path, &appender));
    for (step = 1; step <= 35; step++) {
        double t = (double)step;
        dud_column column = {NULL, &t, DUD_DOUBLE, 0, NULL};
        OK(dud_append_push(appender, "/t", 1, &column, 1, NULL));
        OK(dud_checkpoint_due(checkpoints, step, &due));
        CHECK(due == (step % 10 == 0));
        if (!due) continue;
        OK(dud_draft_begin(checkpoints, step, &draft));
        OK(dud_draft_folder(draft, path, sizeof path, NULL));
        strcat(path, "/state.bd");
        OK(dud_plan_param(plan, "NT", (int64_t)step));
        OK(dud_create(plan, path, &writer));
        const uint64_t one[1] = {1};
        for (uint64_t at = 0; at < step; at++) OK(dud_write(writer, "/t", &t, DUD_DOUBLE, 1, one, &at, NULL));
        OK(dud_finish(writer));
        OK(dud_draft_history(draft, "history.bd", appender, "/t"));
        OK(dud_draft_publish(draft));
        FAILS(dud_draft_publish(draft), DUD_CLOSED, "closed");
    }
    OK(dud_draft_begin(checkpoints, 99, &draft));
    OK(dud_draft_abandon(draft));
    FAILS(dud_draft_checksum(draft, "state.bd", 1, 1, 1), DUD_CLOSED, "closed");
    OK(dud_append_close(appender));
    OK(dud_plan_free(plan));
    OK(dud_checkpoint_latest(checkpoints, &step, path, sizeof path, NULL));
    CHECK(step == 30 && strstr(path, "checkpoint-0000000030"));
    OK(dud_checkpoints_close(checkpoints));
    dud_file *file;
    uint64_t shape[1];
    snprintf(path, sizeof path, "%s/history.bd", directory);
    OK(dud_open(path, NULL, &file));
    OK(dud_shape(file, "/t", shape, 1, NULL));
    CHECK(shape[0] == 30);
    OK(dud_close(file));
}

/* Processes that write one file: here they are two writers. */
static void shared(const char *folder)
{
    char path[4096];
    dud_plan *plan;
    dud_writer *one, *two;
    const uint64_t half[2] = {2, 3}, first[2] = {0, 0}, second[2] = {2, 0};
    const double x[2][3] = {{1, 2, 3}, {4, 5, 6}};
    size_t length;
    snprintf(path, sizeof path, "%s/shared.bd", folder);
    OK(dud_plan_new("x = f8[4, 3]", &plan));
    OK(dud_create_shared(plan, path, &one));
    OK(dud_join(plan, path, &two));
    OK(dud_write(one, "/x", x, DUD_DOUBLE, 2, half, first, NULL));
    OK(dud_write(two, "/x", x, DUD_DOUBLE, 2, half, second, NULL));
    OK(dud_sync(two));
    FAILS(dud_finish(one), DUD_BAD_VALUE, "/x");
    OK(dud_coverage(two, NULL, 0, &length));
    void *bytes = malloc(length);
    FAILS(dud_coverage(two, bytes, length - 1, NULL), DUD_BAD_VALUE, "room");
    OK(dud_coverage(two, bytes, length, NULL));
    CHECK(dud_cover(one, "?", 1) != DUD_OK);
    OK(dud_cover(one, bytes, length));
    OK(dud_finish(one));
    OK(dud_abort(two));
    free(bytes);
    OK(dud_plan_free(plan));
}

typedef struct {
    dud_file *file;
    dud_writer *writer;
    uint64_t at;
} work;

static void *run(void *data)
{
    work *mine = data;
    const uint64_t one[1] = {1}, all[2] = {4, 3};
    const double x = (double)mine->at;
    double rho[4][3];
    char own[32];
    for (int round = 0; round < 20; round++) {
        OK(dud_write(mine->writer, "/x", &x, DUD_DOUBLE, 1, one, &mine->at, NULL));
        OK(dud_read(mine->file, "/rho", rho, DUD_DOUBLE, 2, all, NULL, NULL));
        /* Each thread has its error. */
        snprintf(own, sizeof own, "/no%d", (int)mine->at);
        FAILS(dud_read(mine->file, own, rho, DUD_DOUBLE, 2, all, NULL, NULL), DUD_NOT_FOUND, own);
    }
    return NULL;
}

static void threads(const char *folder, const char *path)
{
    char to[4096];
    dud_plan *plan;
    dud_writer *writer;
    dud_file *file;
    pthread_t threads[4];
    work works[4];
    double x[4];
    const uint64_t four[1] = {4};
    snprintf(to, sizeof to, "%s/threads.bd", folder);
    OK(dud_open(path, NULL, &file));
    OK(dud_plan_new("x = f8[4]", &plan));
    OK(dud_create(plan, to, &writer));
    for (int at = 0; at < 4; at++) {
        works[at] = (work){file, writer, (uint64_t)at};
        CHECK(!pthread_create(&threads[at], NULL, run, &works[at]));
    }
    for (int at = 0; at < 4; at++) CHECK(!pthread_join(threads[at], NULL));
    OK(dud_finish(writer));
    OK(dud_close(file));
    OK(dud_open(to, NULL, &file));
    OK(dud_read(file, "/x", x, DUD_DOUBLE, 1, four, NULL, NULL));
    CHECK(x[0] == 0 && x[3] == 3);
    OK(dud_close(file));
    OK(dud_plan_free(plan));
}

int main(int count, char **arguments)
{
    char path[4096];
    if (count != 2) return 2;
    CHECK(!*dud_error() && strchr(dud_version(), '.'));
    for (int big = 0; big < 2; big++) {
        snprintf(path, sizeof path, "%s/state%d.bd", arguments[1], big);
        write_all(path, big ? ">" : "<");
        read_all(path);
    }
    cut(arguments[1], path);
    cut_layout(arguments[1], "x = f8[N]", " -> zlib");
    cut_layout(arguments[1], "y = u1[0]  x = f8[N]", "  @64");
    cut_layout(arguments[1], "x = f8[N]", "  ## a\n#: view_shape = [2]");
    other_format(arguments[1]);
    append(arguments[1]);
    checkpoints(arguments[1]);
    checksums(arguments[1]);
    shared(arguments[1]);
    threads(arguments[1], path);
    return 0;
}
