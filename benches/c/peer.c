/* What a program in C measures: reads through the library, and generated code beside loads by hand.

   usage: peer FOLDER. It answers each line with seconds of the processor, or ends with an error. */
#define _POSIX_C_SOURCE 200809L
#include <dudley.h>
#include <time.h>

#include "state.h"

/* Elements of each array that generated code reads: they stay in the cache. */
enum { SMALL = 16, CALLS = 20000, KEPT = 1024, ROUNDS = 4000 };

static void need(int failed, const char *why)
{
    if (!failed) return;
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* What is read has to be there, whatever the compiler thinks of it. */
static void use(void *memory) { __asm__ volatile("" : : "r"(memory) : "memory"); }

static double hand_double(const unsigned char *from)
{
    double value;
    memcpy(&value, from, sizeof value);
    return value;
}

static double hand_big(const unsigned char *from)
{
    uint64_t bits;
    double value;
    memcpy(&bits, from, sizeof bits);
    bits = __builtin_bswap64(bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The loads of a program that knows where everything lies on a little-endian machine, and that it is there. */
static void hand(const unsigned char *data, const char *what, void *to)
{
    int64_t n, at;
    memcpy(&n, data + 16, sizeof n);
    data += 24;
    if (!strcmp(what, "plain")) {
        memcpy(to, data, (size_t)n * sizeof(double));
    } else if (!strcmp(what, "big")) {
        for (at = 0; at < n; at++) ((double *)to)[at] = hand_big(data + 8 * (n + at));
    } else {
        for (at = 0; at < n; at++) {
            const unsigned char *from = data + 16 * n + 40 * at;
            state_SAMPLE *sample = (state_SAMPLE *)to + at;
            memcpy(&sample->id, from, sizeof sample->id);
            sample->mass = hand_double(from + 8);
            memcpy(sample->v, from + 16, sizeof sample->v);
        }
    }
}

static int generated(state_stream *s, const char *what, void *to, int64_t room)
{
    if (!strcmp(what, "plain")) return state_x_get(s, to, room);
    if (!strcmp(what, "big")) return state_big_get(s, to, room);
    return state_samples_get(s, to, room);
}

/* Writes what generated code reads, by generated code. */
static void write_state(const char *path)
{
    state_stream s;
    double numbers[KEPT];
    state_SAMPLE samples[KEPT];
    memset(samples, 0, sizeof samples);
    for (int at = 0; at < KEPT; at++) {
        numbers[at] = at / 4.0;
        samples[at].id = at;
        samples[at].mass = samples[at].v[1] = at / 8.0;
    }
    state_init(&s);
    s.param.N = KEPT;
    need(state_create(&s, 0) || state_x_put(&s, numbers, KEPT) || state_big_put(&s, numbers, KEPT) ||
             state_samples_put(&s, samples, KEPT) || state_save(&s, path),
         s.error);
    state_free(&s);
}

int main(int count, char **arguments)
{
    char line[64], path[1024];
    double small[SMALL], *large, start;
    const uint64_t few[1] = {SMALL};
    uint64_t many[1];
    dud_file *small_file, *large_file;
    state_stream s;
    if (count != 2) return 2;
    snprintf(path, sizeof path, "%s/small.bd", arguments[1]);
    need(dud_open(path, NULL, &small_file), dud_error());
    snprintf(path, sizeof path, "%s/large.bd", arguments[1]);
    need(dud_open(path, NULL, &large_file), dud_error());
    need(dud_shape(large_file, "/x", many, 1, NULL), dud_error());
    large = aligned_alloc(4096, many[0] * sizeof *large);
    need(!large, "no memory");
    memset(large, 1, many[0] * sizeof *large);
    snprintf(path, sizeof path, "%s/state.bd", arguments[1]);
    write_state(path);
    need(state_load(&s, path), s.error);
    const int64_t n = s.param.N;
    void *by_hand = calloc((size_t)n, sizeof(state_SAMPLE)), *by_code = calloc((size_t)n, sizeof(state_SAMPLE));
    need(!by_hand || !by_code, "no memory");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        const char *what = strchr(line, ' ') ? strchr(line, ' ') + 1 : "";
        start = now();
        if (!strcmp(line, "small")) {
            for (int at = 0; at < CALLS; at++) {
                need(dud_read(small_file, "/x", small, DUD_DOUBLE, 1, few, NULL, NULL), dud_error());
                use(small);
            }
        } else if (!strcmp(line, "large")) {
            need(dud_read(large_file, "/x", large, DUD_DOUBLE, 1, many, NULL, NULL), dud_error());
            use(large);
        } else if (*line == 'h') {
            for (int at = 0; at < ROUNDS; at++) {
                hand(s.data, what, by_hand);
                use(by_hand);
            }
        } else if (*line == 'g') {
            for (int at = 0; at < ROUNDS; at++) {
                need(generated(&s, what, by_code, n), s.error);
                use(by_code);
            }
        } else {
            /* Both have to find the same. */
            const size_t bytes = (size_t)n * (strcmp(what, "records") ? sizeof(double) : sizeof(state_SAMPLE));
            /* Gaps in records have any bytes. */
            memset(by_hand, 0, bytes);
            memset(by_code, 0, bytes);
            hand(s.data, what, by_hand);
            need(generated(&s, what, by_code, n), s.error);
            need(memcmp(by_hand, by_code, bytes) != 0, "generated code reads something else");
        }
        printf("%.9f\n", now() - start);
        fflush(stdout);
    }
    free(by_hand);
    free(by_code);
    free(large);
    state_free(&s);
    return dud_close(small_file) || dud_close(large_file);
}
