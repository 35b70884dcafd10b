/* Names an item that was not written; those in lists are not looked at. */
static inline int PREFIX_finish(PREFIX_stream *s) {
  static const struct { const char *path; int item; } wanted[] = {
    /* WANTED */
    {NULL, 0}
  };
  int at;
  /* A stream of no bytes may have been created. */
  if (s->data == NULL || (s->room == 0 && s->length > 0)) {
    return PREFIX_fail(s, DUDC_FILE, "/", "no stream was created", 0, 0);
  }
  for (at = 0; wanted[at].path != NULL; at++) {
    if (!s->put[wanted[at].item]) return PREFIX_fail(s, DUDC_MISSING, wanted[at].path, "it was not written", 0, 0);
  }
  PREFIX_frame(s);
  return DUDC_OK;
}

/* Writes a stream that is complete to a file. What is there is replaced; after an error there is no file. */
static inline int PREFIX_save(PREFIX_stream *s, const char *path) {
  FILE *file;
  size_t written;
  const int status = PREFIX_finish(s);
  if (status != DUDC_OK) return status;
  file = path == NULL ? NULL : fopen(path, "wb");
  if (file == NULL) return PREFIX_fail(s, DUDC_FILE, path == NULL ? "NULL" : path, "it cannot be created", 0, 0);
  written = fwrite(s->data, 1, (size_t)s->room, file);
  if (fclose(file) != 0 || written != (size_t)s->room) {
    remove(path);
    return PREFIX_fail(s, DUDC_FILE, path, "it cannot be written", (int64_t)written, s->room);
  }
  return DUDC_OK;
}

