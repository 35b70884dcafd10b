//! Whatever a writer does, and whenever it is killed, what was committed is there. See
//! `dudley_tests::fuzzed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dudley_tests::fuzzed::run("append", data));
