static inline int PREFIX_fail(PREFIX_stream *s, int status, const char *path, const char *why, int64_t number, int64_t other) {
  snprintf(s->error, sizeof s->error, "%.120s: %.80s (%lld, %lld)", path, why, (long long)number, (long long)other);
  return status;
}

/* A stream of nothing, with the params as the layout says them. */
static inline void PREFIX_init(PREFIX_stream *s) {
  memset(s, 0, sizeof *s);
  /* FIXED */
}

/* Whether bytes of an item are there. */
static inline int PREFIX_range(PREFIX_stream *s, const char *path, int64_t address, int64_t bytes) {
  if (address < 0 || bytes < 0) {
    return PREFIX_fail(s, DUDC_PARAM, path, "its place or size comes to no legal number", address, bytes);
  }
  if (bytes > 0 && (address > s->length || bytes > s->length - address)) {
    return PREFIX_fail(s, DUDC_TRUNCATED, path, "the stream ends before it does: address and bytes follow", address, bytes);
  }
  return DUDC_OK;
}

static inline void PREFIX_param(PREFIX_stream *s, int64_t *value, const char *path, int64_t address, int size, int is_signed, int big) {
  *value = DUDC_NONE;
  if (PREFIX_range(s, path, address, size) == DUDC_OK) *value = dudc_param(s->data + address, size, is_signed, big);
}

static inline int PREFIX_put_param(PREFIX_stream *s, int64_t value, const char *path, int64_t address, int size, int is_signed, int big) {
  const int status = PREFIX_range(s, path, address, size);
  if (status != DUDC_OK) return status;
  if (!dudc_put_param(s->data + address, value, size, is_signed, big)) {
    return PREFIX_fail(s, DUDC_PARAM, path, "the value of the param does not fit its type: value and bytes follow", value, size);
  }
  return DUDC_OK;
}

