/* Opens a stream in memory, which must stay there. `big` says whether it is big-endian, where the layout does not. */
static inline int PREFIX_open(PREFIX_stream *s, const void *bytes, int64_t length, int big) {
  PREFIX_init(s);
  /* Nothing is written into it: only memory that is the stream's own is. */
  memcpy(&s->data, &bytes, sizeof s->data);
  s->length = bytes == NULL || length < 0 ? 0 : length;
  s->big = big;
  return PREFIX_place(s, 1);
}

