/* What stands around the items; the layout behind them. */
static inline void PREFIX_frame(PREFIX_stream *s) {
  int64_t at = s->length;
  int line;
  memcpy(s->data, dudc_signature(s->big), 8);
  dudc_put_param(s->data + 8, s->length, 8, 0, s->big);
  for (line = 0; PREFIX_layout[line] != NULL; line++) {
    const size_t bytes = strlen(PREFIX_layout[line]);
    memcpy(s->data + at, PREFIX_layout[line], bytes);
    at += (int64_t)bytes;
  }
}

