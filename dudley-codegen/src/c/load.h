/* Gives memory back. */
static inline void PREFIX_free(PREFIX_stream *s) {
  if (s->owned) free(s->data);
  s->data = NULL;
  s->owned = 0;
  s->length = 0;
  s->room = 0;
}

/* Reads a file whole, and opens it: after any status but DUDC_OK and DUDC_LAYOUT, it is closed again. */
static inline int PREFIX_load(PREFIX_stream *s, const char *pathMORE_PARAMETER) {
  FILE *file = path == NULL ? NULL : fopen(path, "rb");
  unsigned char *data = NULL;
  size_t length = 0;
  size_t room = 0;
  int status;
  PREFIX_init(s);
  if (file == NULL) return PREFIX_fail(s, DUDC_FILE, path == NULL ? "NULL" : path, "it cannot be opened", 0, 0);
  for (;;) {
    size_t found;
    if (length == room) {
      unsigned char *larger = (unsigned char *)realloc(data, room = room == 0 ? 65536 : 2 * room);
      if (larger == NULL) {
        free(data);
        fclose(file);
        return PREFIX_fail(s, DUDC_FILE, path, "there is no memory of so many bytes", (int64_t)room, 0);
      }
      data = larger;
    }
    found = fread(data + length, 1, room - length, file);
    if (found == 0) break;
    length += found;
  }
  if (ferror(file)) {
    free(data);
    fclose(file);
    return PREFIX_fail(s, DUDC_FILE, path, "it cannot be read", (int64_t)length, 0);
  }
  fclose(file);
  status = PREFIX_open(s, data, (int64_t)lengthMORE_ARGUMENT);
  s->owned = 1;
  if (status != DUDC_OK && status != DUDC_LAYOUT) PREFIX_free(s);
  return status;
}

