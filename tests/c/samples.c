/* Writes the structs of examples/layouts/c-struct.dud as this compiler lays them out. */

#include <stdio.h>
#include <string.h>

struct sample {
    char kind;
    double value;
    short channel[3];
    struct { float x; char good; } point;
    long long stamp;
};

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "wb") : NULL;
    long long n = 5;
    struct sample sample;
    int i;
    if (file == NULL) return 1;
    if (fwrite(&n, sizeof n, 1, file) != 1) return 1;
    for (i = 0; i < n; ++i) {
        /* What lies between the members may be anything. */
        memset(&sample, 0xa5, sizeof sample);
        sample.kind = (char)-i;
        sample.value = i * 0.3;
        sample.channel[0] = (short)i;
        sample.channel[1] = (short)(2 * i);
        sample.channel[2] = (short)(-3 * i);
        sample.point.x = i / 2.0f;
        sample.point.good = (char)(i % 2);
        sample.stamp = 1000000000000000LL + i;
        if (fwrite(&sample, sizeof sample, 1, file) != 1) return 1;
    }
    printf("%d\n", (int)sizeof sample);
    return fclose(file) != 0;
}
