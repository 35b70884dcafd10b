//! Whatever bytes an HDF5 file is, reading ends. See `dudley_tests::fuzzed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dudley_tests::fuzzed::run("hdf5", data));
