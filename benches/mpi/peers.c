/* What others take to write one array of doubles from all ranks, or to read it:
   peers pwrite|mpi-independent|mpi-collective|hdf5|pnetcdf FILE NY NX GRID-Y GRID-X [read]. Prints seconds, of the slowest
   rank. All of them make the file that they write durable in the end. Sizes of the grid divide those of the array. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <hdf5.h>
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(is)                                                              \
  do {                                                                         \
    if (!(is)) {                                                               \
      fprintf(stderr, "failed: %s\n", #is);                                    \
      MPI_Abort(MPI_COMM_WORLD, 1);                                            \
    }                                                                          \
  } while (0)

static long ny, nx, y0, x0, h, w;
static double *block;
static int reading;

static void sync_file(const char *path) {
  int file = open(path, O_RDWR);
  CHECK(file >= 0 && fsync(file) == 0);
  close(file);
}

static void plain(const char *path, int rank) {
  if (rank == 0 && !reading) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    CHECK(file >= 0 && ftruncate(file, 8 * ny * nx) == 0);
    close(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int file = open(path, O_RDWR);
  CHECK(file >= 0);
  long rows = w == nx ? 1 : h, run = w == nx ? h * w : w;
  for (long row = 0; row < rows; row++) {
    char *from = (char *)(block + row * run);
    long left = 8 * run, at = 8 * ((y0 + row) * nx + x0);
    while (left > 0) {
      ssize_t done = reading ? pread(file, from, left, at) : pwrite(file, from, left, at);
      CHECK(done > 0);
      from += done, at += done, left -= done;
    }
  }
  CHECK(reading || fsync(file) == 0);
  close(file);
}

static void mpi_io(const char *path, int collective) {
  MPI_File file;
  MPI_Datatype type;
  int sizes[2] = {ny, nx}, own[2] = {h, w}, starts[2] = {y0, x0};
  int mode = reading ? MPI_MODE_RDONLY : MPI_MODE_CREATE | MPI_MODE_WRONLY;
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file) == 0);
  MPI_Type_create_subarray(2, sizes, own, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  CHECK(MPI_File_set_view(file, 0, MPI_DOUBLE, type, "native", MPI_INFO_NULL) == 0);
  if (reading) {
    int read = collective ? MPI_File_read_all(file, block, h * w, MPI_DOUBLE, MPI_STATUS_IGNORE)
                          : MPI_File_read(file, block, h * w, MPI_DOUBLE, MPI_STATUS_IGNORE);
    CHECK(read == 0 && MPI_File_close(&file) == 0);
    return;
  }
  int wrote = collective ? MPI_File_write_all(file, block, h * w, MPI_DOUBLE, MPI_STATUS_IGNORE)
                         : MPI_File_write(file, block, h * w, MPI_DOUBLE, MPI_STATUS_IGNORE);
  CHECK(wrote == 0 && MPI_File_sync(file) == 0 && MPI_File_close(&file) == 0);
}

static void hdf5(const char *path) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  hid_t file = reading ? H5Fopen(path, H5F_ACC_RDONLY, access) : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hsize_t sizes[2] = {ny, nx}, own[2] = {h, w}, starts[2] = {y0, x0};
  hid_t all = H5Screate_simple(2, sizes, NULL), memory = H5Screate_simple(2, own, NULL);
  hid_t set = reading ? H5Dopen2(file, "rho", H5P_DEFAULT)
                      : H5Dcreate2(file, "rho", H5T_IEEE_F64LE, all, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sselect_hyperslab(all, H5S_SELECT_SET, starts, NULL, own, NULL);
  CHECK((reading ? H5Dread(set, H5T_NATIVE_DOUBLE, memory, all, transfer, block)
                 : H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, all, transfer, block)) >= 0);
  CHECK(H5Dclose(set) >= 0 && H5Fclose(file) >= 0);
}

static void pnetcdf(const char *path) {
  int file, dims[2], rho;
  MPI_Offset own[2] = {h, w}, starts[2] = {y0, x0};
  if (reading) {
    CHECK(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &file) == 0);
    CHECK(ncmpi_inq_varid(file, "rho", &rho) == 0);
    CHECK(ncmpi_get_vara_double_all(file, rho, starts, own, block) == 0 && ncmpi_close(file) == 0);
    return;
  }
  CHECK(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file) == 0);
  ncmpi_def_dim(file, "y", ny, &dims[0]);
  ncmpi_def_dim(file, "x", nx, &dims[1]);
  ncmpi_def_var(file, "rho", NC_DOUBLE, 2, dims, &rho);
  CHECK(ncmpi_enddef(file) == 0);
  CHECK(ncmpi_put_vara_double_all(file, rho, starts, own, block) == 0 && ncmpi_close(file) == 0);
}

int main(int count, char **words) {
  MPI_Init(&count, &words);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(count == 7 || count == 8);
  reading = count == 8;
  const char *how = words[1], *path = words[2];
  ny = atol(words[3]), nx = atol(words[4]);
  long gy = atol(words[5]), gx = atol(words[6]);
  h = ny / gy, w = nx / gx, y0 = rank / gx * h, x0 = rank % gx * w;
  CHECK((block = malloc(8 * h * w)));
  for (long at = 0; at < h * w; at++)
    block[at] = at + rank;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  int synced = 1;
  if (!strcmp(how, "pwrite"))
    plain(path, rank);
  else if (!strncmp(how, "mpi", 3))
    mpi_io(path, !strcmp(how, "mpi-collective"));
  else if (synced = 0, !strcmp(how, "hdf5"))
    hdf5(path);
  else
    pnetcdf(path);
  if (!synced && !reading)
    sync_file(path);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.6f\n", MPI_Wtime() - begin);
  MPI_Finalize();
}
