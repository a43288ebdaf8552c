//! The clock of the FU540: microseconds since the start.

use super::registers::registers;

registers! { 0x0200_0000:
    LOW = 0xbff8,
    HIGH = 0xbffc,
}

pub fn microseconds() -> i64 {
    loop {
        let (high, low) = (HIGH.read(), LOW.read());
        if HIGH.read() == high {
            return i64::from(high) << 32 | i64::from(low);
        }
    }
}
