#define _FILE_OFFSET_BITS 64
#define _POSIX_C_SOURCE 200112L
$include$#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#define fseeko _fseeki64
#endif

int main(void) {
    size_t count = $count$;
$note$    $ctype$ $declared$ = malloc((count + 1) * sizeof *$name$);
    FILE *file = fopen($file$, "rb");
    if (!file || !$name$ || fseeko(file, INT64_C($address$), SEEK_SET)) return 1;
    if (fread($name$, sizeof *$name$, count, file) != count) return 1;
    fclose(file);
$swap$    for (size_t i = 0; i < count; i++) printf("$format$\n", $shown$);
    free($name$);
    return 0;
}
