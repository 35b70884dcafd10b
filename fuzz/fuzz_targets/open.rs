//! Whatever bytes a layout is opened with, reading ends. See `dudley_tests::fuzzed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dudley_tests::fuzzed::run("open", data));
