/* Opens a stream in memory, which must stay there. */
static inline int PREFIX_open(PREFIX_stream *s, const void *bytes, int64_t length) {
  int64_t layout;
  PREFIX_init(s);
  /* Nothing is written into it: only memory that is the stream's own is. */
  memcpy(&s->data, &bytes, sizeof s->data);
  s->length = length;
  if (length < 16) return PREFIX_fail(s, DUDC_SIGNATURE, "/", "a stream has at least 16 bytes, this one fewer", length, 16);
  s->big = memcmp(s->data, dudc_signature(1), 8) == 0;
  if (!s->big && memcmp(s->data, dudc_signature(0), 8) != 0) {
    return PREFIX_fail(s, DUDC_SIGNATURE, "/", "it does not begin as a finished stream", s->data[0], s->data[1]);
  }
  layout = dudc_param(s->data + 8, 8, 0, s->big);
  if (layout == DUDC_NONE || (layout != 0 && (layout < 16 || layout >= length))) {
    return PREFIX_fail(s, DUDC_SIGNATURE, "/", "the address of its layout is not in it", layout, length);
  }
  if (layout != 0) s->length = layout;
  return PREFIX_place(s, 1);
}

