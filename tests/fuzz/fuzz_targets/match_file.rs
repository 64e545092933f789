#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kawari_fuzz::match_file(data));
