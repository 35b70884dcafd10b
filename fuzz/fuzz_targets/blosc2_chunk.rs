//! Whatever bytes a Blosc2 chunk is, decoding it ends. See `dudley_tests::fuzzed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dudley_tests::fuzzed::run("blosc2_chunk", data));
