// Makes shared.h5: messages of objects in the heaps that a file has for messages that objects share.
// cc shared.c -lhdf5 && ./a.out
#include <hdf5.h>
#include <stdio.h>

int main(void) {
    hid_t create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_shared_mesg_nindexes(create, 2);
    unsigned others = H5O_SHMESG_SDSPACE_FLAG | H5O_SHMESG_DTYPE_FLAG | H5O_SHMESG_FILL_FLAG | H5O_SHMESG_PLINE_FLAG;
    H5Pset_shared_mesg_index(create, 0, others, 4);
    H5Pset_shared_mesg_index(create, 1, H5O_SHMESG_ATTR_FLAG, 4);
    // B-trees instead of lists.
    H5Pset_shared_mesg_phase_change(create, 0, 0);
    hid_t file = H5Fcreate("shared.h5", H5F_ACC_TRUNC, create, H5P_DEFAULT);
    hsize_t shape[2] = {6, 7}, chunk[2] = {3, 4};
    hid_t space = H5Screate_simple(2, shape, NULL), scalar = H5Screate(H5S_SCALAR);
    hid_t array = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(array, 2, chunk);
    H5Pset_shuffle(array);
    H5Pset_deflate(array, 4);
    double fill = -9;
    H5Pset_fill_value(array, H5T_NATIVE_DOUBLE, &fill);
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 5);
    for (int number = 0; number < 4; number++) {
        char name[40];
        sprintf(name, "d%d", number);
        hid_t made = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, array, H5P_DEFAULT);
        double values[42];
        for (int at = 0; at < 42; at++) values[at] = at + 100 * number;
        H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        hid_t attribute = H5Acreate2(made, "units", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, text, "metre");
        H5Aclose(attribute);
        // Many are kept in a heap.
        for (int at = 0; at < (number % 2 ? 20 : 3); at++) {
            sprintf(name, "att%d", at);
            attribute = H5Acreate2(made, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
            H5Awrite(attribute, H5T_NATIVE_INT, &at);
            H5Aclose(attribute);
        }
        H5Dclose(made);
    }
    H5Fclose(file);
    return 0;
}
