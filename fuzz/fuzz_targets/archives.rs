#![no_main]

libfuzzer_sys::fuzz_target!(|file: &[u8]| fuzz::verdict::archives::check(file));
