/* Prints all that is in files, through the C interface: the test puts it beside what the engine says.

   usage: walk LIST, with a file in each line: path, path of a layout or -, raw or native, < or > or -, and NAME=VALUE for
   each param, with tabs between them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dudley.h"

/* A text that a function gives, in memory of its own. */
#define TEXT(text, call)                                                                                               \
    size_t text##_length = 0;                                                                                          \
    char *text = NULL;                                                                                                 \
    for (int pass = 0; pass < 2; pass++) {                                                                             \
        char *to = text;                                                                                               \
        size_t room = text##_length + 1, *length = &text##_length;                                                     \
        if (call) {                                                                                                    \
            text##_length = 0;                                                                                         \
            free(text);                                                                                                \
            text = NULL;                                                                                               \
            break;                                                                                                     \
        }                                                                                                              \
        if (!text) text = calloc(1, text##_length + 1);                                                                \
    }

static size_t size_of(int type)
{
    static const size_t sizes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16, 1, 1, 1};
    return sizes[type];
}

static void elements(dud_file *file, const char *path)
{
    uint64_t shape[17], count = 1, bytes = 0;
    size_t rank = 0;
    int type = DUD_OTHER;
    if (dud_shape(file, path, shape, 16, &rank) || dud_type(file, path, &type)) {
        printf(" !%s\n", dud_error());
        return;
    }
    printf(" [");
    for (size_t dim = 0; dim < rank; dim++) printf(dim ? ", %llu" : "%llu", (unsigned long long)shape[dim]);
    printf("]");
    if (type == DUD_OTHER) {
        if (dud_element_size(file, path, &bytes)) {
            printf(" of several sizes\n");
            return;
        }
        type = DUD_BYTES;
        shape[rank++] = bytes;
    }
    for (size_t dim = 0; dim < rank; dim++) count *= shape[dim];
    size_t size = (size_t)count * size_of(type);
    /* What a damaged file says is no reason to ask for memory. */
    unsigned char *memory = count > 1000000 ? NULL : malloc(size + 1);
    if (!memory) {
        printf(" large\n");
    } else if (dud_read(file, path, memory, type, rank, shape, NULL, NULL)) {
        printf(" !%s\n", dud_error());
    } else {
        printf(" ");
        for (size_t at = 0; at < size; at++) printf("%02x", memory[at]);
        printf("\n");
        dud_view *view = NULL;
        const void *there;
        /* What is looked at is what is read. */
        if (type != DUD_BYTES && !dud_view_open(file, path, type, &view, &there, &bytes) &&
            (bytes != size || memcmp(there, memory, size)))
            printf("the view differs\n");
        dud_view_close(view);
    }
    free(memory);
}

static void walk(dud_file *file, const char *path)
{
    int kind = 0;
    uint64_t length = 0;
    TEXT(unit, dud_unit(file, path, to, room, length))
    TEXT(doc, dud_doc(file, path, to, room, length))
    if (dud_kind(file, path, &kind) || !unit || !doc) {
        printf("%s !%s\n", path, dud_error());
    } else if (kind == DUD_ARRAY) {
        TEXT(dtype, dud_dtype(file, path, to, room, length))
        printf("%s array %s (%s) \"%s\"", path, dtype ? dtype : "", unit, doc);
        elements(file, path);
        free(dtype);
    } else if (kind == DUD_LIST) {
        int failed = dud_len(file, path, &length);
        printf("%s list %llu\n", path, failed ? 0 : (unsigned long long)length);
        for (uint64_t at = 0; at < length && at < 3; at++) {
            char *item = malloc(strlen(path) + 24);
            sprintf(item, "%s/%llu", path, (unsigned long long)at);
            walk(file, item);
            free(item);
        }
    } else if (kind == DUD_DICT) {
        printf("%s dict\n", path);
        TEXT(params, dud_params(file, path, to, room, length))
        for (const char *name = params; name && name < params + params_length; name += strlen(name) + 1) {
            int64_t value;
            if (dud_param(file, name, &value)) printf("%s !\n", name);
            else printf("%s = %lld\n", name, (long long)value);
        }
        TEXT(children, dud_children(file, path, to, room, length))
        for (const char *child = children; child && child < children + children_length; child += strlen(child) + 1)
            walk(file, child);
        free(params);
        free(children);
    } else {
        printf("%s value\n", path);
    }
    free(unit);
    free(doc);
}

static char *whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    size_t length = file && text ? fread(text, 1, (1 << 20) - 1, file) : 0;
    (void)length;
    if (file) fclose(file);
    return text;
}

int main(int count, char **arguments)
{
    char *list = count > 1 ? whole(arguments[1]) : NULL, *rest;
    for (char *line = list; line && *line; line = rest) {
        rest = line + strcspn(line, "\n");
        if (*rest) *rest++ = 0;
        dud_options *options = NULL;
        dud_file *file = NULL;
        int failed = dud_options_new(&options), field = 0;
        const char *path = line;
        for (char *word = strtok(line, "\t"); word && !failed; word = strtok(NULL, "\t"), field++) {
            char *value = strchr(word, '=');
            if (field == 1 && *word != '-') {
                char *layout = whole(word);
                failed = dud_options_layout(options, layout);
                free(layout);
            } else if (field == 2 && *word == 'r') {
                failed = dud_options_raw(options);
            } else if (field == 3 && *word != '-') {
                failed = dud_options_order(options, word);
            } else if (field > 3 && value) {
                *value = 0;
                failed = dud_options_param(options, word, strtoll(value + 1, NULL, 10));
            }
        }
        printf("== %s\n", path);
        if (failed || dud_open(path, options, &file)) printf("!%s\n", dud_error());
        else walk(file, "/");
        dud_close(file);
        dud_options_free(options);
    }
    free(list);
    return 0;
}
