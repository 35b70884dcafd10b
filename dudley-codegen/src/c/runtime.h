/* What generated code shares: it may stand in several headers of one program. */
#ifndef DUDLEY_RUNTIME
#define DUDLEY_RUNTIME

/* How a call ended. */
enum dudc_status {
  DUDC_OK = 0,
  DUDC_TRUNCATED = 1, /* the stream ends before the item does */
  DUDC_SIGNATURE = 2, /* the stream has no signature, or is not finished */
  DUDC_PARAM = 3,     /* a param, or a number made of params, is illegal */
  DUDC_ROOM = 4,      /* the buffer of the caller is NULL, or has room for fewer elements, or another number of them */
  DUDC_INDEX = 5,     /* there is no such repetition */
  DUDC_VALUE = 6,     /* the value is not the only legal one */
  DUDC_FILE = 7,      /* a file cannot be read or written, or there is no memory */
  DUDC_MISSING = 8,   /* an item was not written */
  DUDC_LAYOUT = 9     /* the stream carries a layout of another text */
};

/* A complex number, and one whose parts are the bits of binary16. */
typedef struct { double re, im; } dudc_c16;
typedef struct { float re, im; } dudc_c8;
typedef struct { uint16_t re, im; } dudc_c4;

/* No legal number: what needs it has none either. */
#define DUDC_NONE INT64_MIN

/* The number that bits of IEEE 754 binary16 are. */
static inline double dudc_half(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  double value = 1.0;
  int power;
  if (exponent == 31) return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
  for (power = exponent == 0 ? 1 : exponent; power < 25; power++) value /= 2;
  for (power = 25; power < exponent; power++) value *= 2;
  return sign * value * (exponent == 0 ? fraction : fraction + 1024);
}

static inline int64_t dudc_natural(int64_t value) { return value < 0 ? DUDC_NONE : value; }

/* A sum of terms, of which those from `plus` on are taken away; it may be past 64 bits in between. */
static inline int64_t dudc_sum(const int64_t *terms, int plus, int count) {
  int64_t high = 0;
  uint64_t low = 0;
  int at;
  for (at = 0; at < count; at++) {
    uint64_t term = (uint64_t)terms[at];
    int64_t sign = terms[at] < 0 ? -1 : 0;
    if (terms[at] == DUDC_NONE) return DUDC_NONE;
    if (at >= plus) {
      term = ~term + 1;
      sign = term == 0 ? 0 : ~sign;
    }
    low += term;
    high += sign + (low < term ? 1 : 0);
  }
  if (high == 0 && low <= (uint64_t)INT64_MAX) return (int64_t)low;
  if (high == -1 && low > (uint64_t)INT64_MAX) return -(int64_t)(~low) - 1;
  return DUDC_NONE;
}

static inline int64_t dudc_times(int64_t a, int64_t b) {
  if (a == DUDC_NONE || b == DUDC_NONE) return DUDC_NONE;
  if (a == 0 || b == 0) return 0;
  if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < -INT64_MAX / a) : (b > 0 ? a < -INT64_MAX / b : a < INT64_MAX / b)) return DUDC_NONE;
  return a * b;
}

/* A quotient that leaves no remainder. */
static inline int64_t dudc_quotient(int64_t a, int64_t b) {
  if (a == DUDC_NONE || b == DUDC_NONE || b == 0 || a % b != 0) return DUDC_NONE;
  return a / b;
}

/* A param and some more of it: 0 and -1 stay what they are. */
static inline int64_t dudc_more(int64_t value, int64_t by) {
  if (value == DUDC_NONE || value == 0 || value == -1) return value;
  return value > INT64_MAX - (by > 0 ? by : 0) ? DUDC_NONE : dudc_natural(value + by);
}

static inline int64_t dudc_add(int64_t a, int64_t b) {
  return a < 0 || b < 0 || a > INT64_MAX - b ? DUDC_NONE : a + b;
}

/* How many elements there are: a dimension of -1 is not there. */
static inline int64_t dudc_count(const int64_t *dims, int rank) {
  int64_t count = 1;
  int dim;
  for (dim = 0; dim < rank; dim++) {
    if (dims[dim] < -1) return DUDC_NONE;
    if (dims[dim] == 0) count = 0;
  }
  for (dim = 0; dim < rank && count > 0; dim++) {
    if (dims[dim] != -1) count = dudc_natural(dudc_times(count, dims[dim]));
  }
  return count;
}

/* Bytes of an array: none if a dimension is 0, whatever an element has. */
static inline int64_t dudc_bytes(const int64_t *dims, int64_t element, int rank) {
  const int64_t count = dudc_count(dims, rank);
  return count == 0 ? 0 : dudc_natural(dudc_times(count, dudc_natural(element)));
}

/* Where an item goes: the next multiple, but nothing of no bytes is aligned. */
static inline int64_t dudc_align(int64_t cursor, int64_t to, int64_t bytes) {
  int64_t more;
  if (cursor < 0 || bytes < 0) return DUDC_NONE;
  more = bytes == 0 ? 0 : (to - cursor % to) % to;
  return dudc_add(cursor, more);
}

static inline int64_t dudc_greatest(const int64_t *ends, int count) {
  int64_t greatest = 0;
  int at;
  for (at = 0; at < count; at++) {
    if (ends[at] == DUDC_NONE) return DUDC_NONE;
    if (ends[at] > greatest) greatest = ends[at];
  }
  return greatest;
}

static inline int64_t dudc_end(int64_t bytes, int64_t cursor) {
  return bytes == 0 || bytes == DUDC_NONE ? bytes : cursor;
}

/* Where the cursor stands before a repetition. */
static inline int64_t dudc_repeat(int64_t index, int64_t first, int64_t second, int64_t third) {
  if (index < 0) return DUDC_NONE;
  if (index < 2) return dudc_natural(index == 0 ? first : second);
  if (second < 0 || third < 0) return DUDC_NONE;
  return dudc_add(second, dudc_natural(dudc_times(index - 1, third < second ? 0 : third - second)));
}

/* How often something of some bytes fits from a place on. */
static inline int64_t dudc_rest(int64_t end, int64_t begin, int64_t bytes) {
  if (begin < 0 || bytes <= 0) return DUDC_NONE;
  return begin > end ? 0 : (end - begin) / bytes;
}

/* Whether this machine is big-endian. */
static inline int dudc_big(void) {
  const uint16_t one = 1;
  return *(const unsigned char *)&one == 0;
}

/* Bytes in the reverse order, for which compilers have instructions. */
static inline uint16_t dudc_swap2(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }
static inline uint32_t dudc_swap4(uint32_t x) { return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24; }
static inline uint64_t dudc_swap8(uint64_t x) { return (uint64_t)dudc_swap4((uint32_t)x) << 32 | dudc_swap4((uint32_t)(x >> 32)); }

/* Copies elements, and reverses the bytes of each unit where the order is not that of this machine. */
static inline void dudc_copy(void *to, const void *from, int64_t bytes, int unit, int big) {
  unsigned char *out = (unsigned char *)to;
  const unsigned char *in = (const unsigned char *)from;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  int64_t at;
  if (bytes <= 0) return;
  if (unit == 1 || big == dudc_big()) {
    memcpy(out, in, (size_t)bytes);
    return;
  }
  for (at = 0; at + unit <= bytes; at += unit) {
    if (unit == 2) {
      memcpy(&two, in + at, 2);
      two = dudc_swap2(two);
      memcpy(out + at, &two, 2);
    } else if (unit == 4) {
      memcpy(&four, in + at, 4);
      four = dudc_swap4(four);
      memcpy(out + at, &four, 4);
    } else {
      memcpy(&eight, in + at, 8);
      eight = dudc_swap8(eight);
      memcpy(out + at, &eight, 8);
    }
  }
}

/* The value of a param: of up to 8 bytes; one below -1 or past 63 bits is none. */
static inline int64_t dudc_param(const unsigned char *from, int size, int is_signed, int big) {
  uint64_t value = 0;
  int at;
  for (at = 0; at < size; at++) value = value << 8 | from[big ? at : size - 1 - at];
  if (is_signed && (value >> (8 * size - 1) & 1) != 0) {
    if (size < 8) value |= UINT64_MAX << (8 * size);
    return value == UINT64_MAX ? -1 : DUDC_NONE;
  }
  return value > (uint64_t)INT64_MAX ? DUDC_NONE : (int64_t)value;
}

/* Writes a param; whether it fits. */
static inline int dudc_put_param(unsigned char *to, int64_t value, int size, int is_signed, int big) {
  int at;
  if (value < (is_signed ? -1 : 0)) return 0;
  if (size < 8 && value >> (8 * size - (is_signed ? 1 : 0)) > 0) return 0;
  for (at = 0; at < size; at++) to[big ? size - 1 - at : at] = (unsigned char)((uint64_t)value >> (8 * at) & 255);
  return 1;
}

/* Bytes from the first byte of an array to behind the last, whose indices are strides apart. */
static inline int64_t dudc_reach(const int64_t *dims, const int64_t *strides, int rank, int64_t bytes) {
  int dim;
  for (dim = 0; dim < rank; dim++) {
    if (dims[dim] == 0) return 0;
    if (dims[dim] < -1) return DUDC_NONE;
    if (dims[dim] != -1) bytes = dudc_add(bytes, dudc_natural(dudc_times(dims[dim] - 1, strides[dim])));
  }
  return bytes;
}

/* Copies elements that are strides apart to where they are side by side, or, if `out`, from there. */
static inline void dudc_strided(unsigned char *near, unsigned char *far, const int64_t *dims, const int64_t *strides, int rank,
                               int64_t bytes, int unit, int big, int out) {
  int64_t at;
  if (rank == 0) {
    dudc_copy(out ? far : near, out ? near : far, bytes, unit, big);
    return;
  }
  for (at = 0; at < (dims[0] == -1 ? 1 : dims[0]); at++) {
    dudc_strided(near + at * bytes * dudc_count(dims + 1, rank - 1), far + at * strides[0], dims + 1, strides + 1, rank - 1, bytes,
                unit, big, out);
  }
}

/* The signature of a stream, before its layout's address. */
static inline const unsigned char *dudc_signature(int big) {
  return (const unsigned char *)(big ? "\215>BD\r\n\032\n" : "\215<BD\r\n\032\n");
}

#endif
