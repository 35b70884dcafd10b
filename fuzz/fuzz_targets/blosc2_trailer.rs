//! Whatever bytes the trailer of a Blosc2 frame is, opening it ends. See `dudley_tests::fuzzed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dudley_tests::fuzzed::run("blosc2_trailer", data));
