    /* The stream is big-endian: turned round for a little-endian machine. */
    for (unsigned char *p = (unsigned char *)$name$; p < (unsigned char *)($name$ + count); p += $unit$)
        for (int i = 0; i < $unit$ / 2; i++) {
            unsigned char byte = p[i];
            p[i] = p[$unit$ - 1 - i];
            p[$unit$ - 1 - i] = byte;
        }
