//! Large files within the program, which `build.rs` compresses.

use flate2::read::DeflateDecoder;
use std::io::Read;

/// The compressed bytes of a file.
macro_rules! packed {
    ($name:expr) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name))
    };
}
pub(crate) use packed;

/// Decompresses a file; `None` if its bytes are not deflated.
pub fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    DeflateDecoder::new(packed).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
