//! Parsers of arguments that count something, or name one of several things by its number. A negative number is taken
//! for a number, not for an option, so that the message says what is expected.

use std::str::FromStr;

/// A number counted from 0.
pub fn from_zero<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "a number counted from 0 is expected".to_owned())
}

/// A number counted from 1.
pub fn from_one<T: FromStr + Default + PartialEq>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| *number != T::default());
    number.ok_or_else(|| "a number counted from 1 is expected".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_not_negative() {
        assert_eq!((from_zero("0"), from_one("7")), (Ok(0_u32), Ok(7_u64)));
        for wrong in ["-1", "", "x", "99999999999999999999"] {
            assert!(from_zero::<u64>(wrong).is_err() && from_one::<u64>(wrong).is_err(), "{wrong}");
        }
        assert!(from_one::<usize>("0").is_err());
    }
}
