/* Wrong calls of generated code: each is an error with a text. */
#include "t.h"
#include "u.h"

static int line;

static void expect(int at, int status, int wanted, const char *error) {
  if (status == wanted && error[0] != 0) return;
  fprintf(stderr, "line %d: status %d, not %d: %s\n", at, status, wanted, error);
  line = at;
}

#define WRONG(call, wanted) (s.error[0] = 0, expect(__LINE__, call, wanted, s.error))

int main(void) {
  t_stream s;
  u_stream u;
  int32_t n = 1;
  double x[2] = {1, 2};
  char w[5];
  t_R r[2] = {{1, 2}, {3, 4}};
  int16_t y[2] = {5, 6};
  t_init(&s);
  WRONG(t_finish(&s), DUDC_FILE);
  WRONG(t_save(&s, "none"), DUDC_FILE);
  WRONG(t_n_get(&s, &n), DUDC_TRUNCATED);
  s.param.N = 2;
  if (t_create(&s, 0) != DUDC_OK) return 1;
  WRONG(t_n_put(&s, NULL), DUDC_ROOM);
  WRONG(t_x_put(&s, NULL, 2), DUDC_ROOM);
  WRONG(t_x_put(&s, x, 3), DUDC_ROOM);
  WRONG(t_w_put(&s, NULL, 2), DUDC_ROOM);
  WRONG(t_r_put(&s, NULL, 2), DUDC_ROOM);
  WRONG(t_one_put(&s, NULL), DUDC_ROOM);
  WRONG(t_l_y_put(&s, 0, NULL, 2), DUDC_ROOM);
  WRONG(t_l_y_put(&s, 2, y, 2), DUDC_INDEX);
  WRONG(t_finish(&s), DUDC_MISSING);
  if (t_n_put(&s, &n) || t_x_put(&s, x, 2) || t_w_put(&s, NULL, 0) || t_r_put(&s, r, 2) || t_one_put(&s, r)) return 2;
  if (t_l_y_put(&s, 0, y, 2) || t_l_y_put(&s, 1, y, 2)) return 3;
  WRONG(t_save(&s, NULL), DUDC_FILE);
  WRONG(t_save(&s, "no/such/folder"), DUDC_FILE);
  if (t_save(&s, "t.bd")) return 4;
  WRONG(t_n_get(&s, NULL), DUDC_ROOM);
  WRONG(t_x_get(&s, NULL, 2), DUDC_ROOM);
  WRONG(t_w_get(&s, NULL, 5), DUDC_ROOM);
  WRONG(t_w_get(&s, w, 4), DUDC_ROOM);
  WRONG(t_r_get(&s, NULL, 2), DUDC_ROOM);
  WRONG(t_one_get(&s, NULL), DUDC_ROOM);
  WRONG(t_l_y_get(&s, 0, NULL, 2), DUDC_ROOM);
  t_free(&s);
  t_free(&s);
  WRONG(t_save(&s, "none"), DUDC_FILE);
  WRONG(t_x_get(&s, x, 2), DUDC_TRUNCATED);
  WRONG(t_x_put(&s, x, 2), DUDC_TRUNCATED);
  WRONG(t_open(&s, NULL, 100), DUDC_SIGNATURE);
  WRONG(t_open(&s, "abc", -1), DUDC_SIGNATURE);
  WRONG(t_load(&s, NULL), DUDC_FILE);
  WRONG(t_load(&s, "no such file"), DUDC_FILE);
  if (t_load(&s, "t.bd")) return 5;
  WRONG(t_x_put(&s, x, 2), DUDC_FILE);
  WRONG(t_finish(&s), DUDC_FILE);
  t_free(&s);

  /* All items of this layout are in a list, so that no item is missing. What is read is not written. */
  u_init(&u);
  u.param.N = 1;
  if (u_create(&u, 0) || u_l_y_put(&u, 0, y, 2)) return 6;
  {
    unsigned char bytes[24];
    memcpy(bytes, u.data, sizeof bytes);
    memcpy(bytes, "\215<BD\r\n\032\n", 8);
    memset(bytes + 8, 0, 8);
    u_free(&u);
    if (u_open(&u, bytes, sizeof bytes)) return 7;
    expect(__LINE__, u_save(&u, "none"), DUDC_FILE, u.error);
    u_free(&u);
  }
  return line == 0 ? 0 : 8;
}
