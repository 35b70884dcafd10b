//! Whatever bytes a netCDF-3 file is, reading ends. See `dudley_tests::fuzzed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dudley_tests::fuzzed::run("netcdf3", data));
