/* Makes room for a stream, whose params are set, and writes them; `big` is the byte order of what the layout gives none. */
static inline int PREFIX_create(PREFIX_stream *s, int big) {
  int64_t end;
  int64_t more = 0;
  int line;
  int status;
  s->big = big;
  status = PREFIX_place(s, 0);
  if (status != DUDC_OK) return status;
  end = END;
  if (ATTACHED) {
    for (line = 0; PREFIX_layout[line] != NULL; line++) more += (int64_t)strlen(PREFIX_layout[line]);
  }
  if (end < SIGNATURE_BYTES || end > INT64_MAX - more || (uint64_t)(end + more) > SIZE_MAX) {
    return PREFIX_fail(s, DUDC_PARAM, "/", "with these params the size comes to no legal number", end, more);
  }
  s->data = (unsigned char *)calloc((size_t)(end + more > 0 ? end + more : 1), 1);
  if (s->data == NULL) return PREFIX_fail(s, DUDC_FILE, "/", "there is no memory of so many bytes", end + more, 0);
  s->owned = 1;
  s->length = end;
  s->room = end + more;
  /* PARAMS */
  /* LEGAL */
  return status;
}

