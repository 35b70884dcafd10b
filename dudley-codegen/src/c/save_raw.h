static inline void PREFIX_frame(PREFIX_stream *s) { (void)s; }

