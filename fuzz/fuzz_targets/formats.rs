//! Whatever bytes a file of another format is, reading it ends. See `dudley_tests::fuzzed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dudley_tests::fuzzed::run("formats", data));
