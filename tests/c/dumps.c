/* Files that C programs write: structs one after the other, and a binary dump as LAMMPS writes it (`DumpCustom`, in the
   order of its header: two snapshots, the second of two processes). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sample {
  char kind;
  double value;
  short channel[3];
};

static FILE *file;

static void text(const char *it) {
  int32_t length = (int32_t)strlen(it);
  fwrite(&length, 4, 1, file);
  fwrite(it, 1, (size_t)length, file);
}

static void integer(int32_t it) { fwrite(&it, 4, 1, file); }

static void large(int64_t it) { fwrite(&it, 8, 1, file); }

static void real(double it) { fwrite(&it, 8, 1, file); }

static void snapshot(int64_t step, int triclinic, int timed, int processes) {
  large(-10);
  fwrite("DUMPCUSTOM", 1, 10, file);
  integer(1);
  integer(2);
  large(step);
  large(4);
  integer(triclinic);
  for (int face = 0; face < 6; face++) integer(face % 4);
  for (int face = 0; face < 6; face++) real(face % 2 ? 2.5 : 0.0);
  if (triclinic) for (int tilt = 0; tilt < 3; tilt++) real(0.125 * tilt);
  integer(3);
  text("lj");
  fputc(timed, file);
  if (timed) real(0.5);
  text("id x y");
  integer(processes);
  for (int process = 0; process < processes; process++) {
    int atoms = process ? 1 : 5 - processes;
    integer(3 * atoms);
    for (int atom = 0; atom < atoms; atom++) {
      real(100 * process + atom + 1);
      real(0.5 * atom);
      real(-0.5 * atom);
    }
  }
}

int main(void) {
  file = fopen("samples.bin", "wb");
  for (int i = 0; i < 4; i++) {
    struct sample it;
    memset(&it, 0, sizeof it);
    it.kind = (char)-i;
    it.value = i * 0.5;
    for (int at = 0; at < 3; at++) it.channel[at] = (short)(i * at);
    fwrite(&it, sizeof it, 1, file);
  }
  fclose(file);
  file = fopen("dump.bin", "wb");
  snapshot(0, 0, 0, 1);
  snapshot(10, 1, 1, 2);
  return fclose(file);
}
