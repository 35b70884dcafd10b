/* Whether the layout that a stream carries begins with the text of this one. */
static inline int PREFIX_is_same(const PREFIX_stream *s, int64_t whole) {
  int64_t at = s->length;
  int line;
  if (whole - at >= 3 && memcmp(s->data + at, "\xef\xbb\xbf", 3) == 0) at += 3;
  /* The last line is that of the end: items that were appended since stand before theirs. */
  for (line = 0; PREFIX_layout[line + 1] != NULL; line++) {
    /* The line before may end otherwise. */
    const size_t bytes = strlen(PREFIX_layout[line]) - (PREFIX_layout[line + 2] == NULL);
    if ((uint64_t)(whole - at) < bytes || memcmp(s->data + at, PREFIX_layout[line], bytes) != 0) return 0;
    at += (int64_t)bytes;
  }
  /* What stands behind it is no more of the last item: neither a suffix nor attributes. */
  for (; at < whole; at++) {
    const unsigned char c = s->data[at];
    if (c == '#' && at + 1 < whole && s->data[at + 1] != ':') {
      while (at + 1 < whole && s->data[at + 1] != '\n' && s->data[at + 1] != '\r') at++;
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      return strchr("#[]{}@%*+,>", c) == NULL && !(c == '-' && at + 1 < whole && s->data[at + 1] == '>');
    }
  }
  return 1;
}

/* Opens a stream in memory, which must stay there. If the stream carries a layout of another text, that is
   DUDC_LAYOUT: it is open all the same, for who knows that both texts mean the same. */
static inline int PREFIX_open(PREFIX_stream *s, const void *bytes, int64_t length) {
  int64_t layout;
  int status;
  PREFIX_init(s);
  /* Nothing is written into it: only memory that is the stream's own is. */
  memcpy(&s->data, &bytes, sizeof s->data);
  s->length = bytes == NULL ? 0 : length;
  if (s->length < 16) return PREFIX_fail(s, DUDC_SIGNATURE, "/", "a stream has at least 16 bytes, this one fewer", s->length, 16);
  s->big = memcmp(s->data, dudc_signature(1), 8) == 0;
  if (!s->big && memcmp(s->data, dudc_signature(0), 8) != 0) {
    return PREFIX_fail(s, DUDC_SIGNATURE, "/", "it does not begin as a finished stream", s->data[0], s->data[1]);
  }
  layout = dudc_param(s->data + 8, 8, 0, s->big);
  if (layout == DUDC_NONE || (layout != 0 && (layout < 16 || layout >= length))) {
    return PREFIX_fail(s, DUDC_SIGNATURE, "/", "the address of its layout is not in it", layout, length);
  }
  if (layout != 0) s->length = layout;
  status = PREFIX_place(s, 1);
  if (status == DUDC_OK && layout != 0 && !PREFIX_is_same(s, length)) {
    return PREFIX_fail(s, DUDC_LAYOUT, "/", "the stream carries another layout: its address follows", layout, length);
  }
  return status;
}

