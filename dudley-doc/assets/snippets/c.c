$include$#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    size_t count = $count$;
    $ctype$ *$name$ = malloc((count + 1) * sizeof *$name$);
    FILE *file = fopen("$file$", "rb");
    if (!file || !$name$ || fseek(file, $address$L, SEEK_SET)) return 1;
    if (fread($name$, sizeof *$name$, count, file) != count) return 1;
    fclose(file);
$swap$    for (size_t i = 0; i < count; i++) printf("$format$\n", $shown$);
    free($name$);
    return 0;
}
