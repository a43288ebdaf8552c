#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz_c::scda::check(input));
