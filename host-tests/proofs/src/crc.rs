use linkstream::crc;
use proofs::{unknown, used};

pub fn all() {
    used(crc::crc32(unknown(0), unknown(b"123456789")));
    used(crc::crc32(unknown(0), unknown::<&[u8]>(b"any length")));
}
