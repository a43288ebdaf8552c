//! Commands, as `protocol.md` lists them.

use crate::digest::Digest;
use crate::name::Name;

/// Longest line of a command in bytes.
pub const LONGEST: usize = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Put { name: Name, length: u64, digest: Digest },
    Get(Name),
    List,
    Check(Name),
    Slice { name: Name, rank: u32, ranks: u32 },
    Drop(Name),
    Figures,
}

impl Command {
    /// `None` if the line, without its line feed, is not a command.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut words = line.split(|&byte| byte == b' ');
        let command = match words.next()? {
            b"put" => Self::Put {
                name: Name::parse(words.next()?)?,
                length: number(words.next()?)?,
                digest: digest(words.next()?, words.next()?)?,
            },
            b"get" => Self::Get(Name::parse(words.next()?)?),
            b"list" => Self::List,
            b"check" => Self::Check(Name::parse(words.next()?)?),
            b"slice" => Self::Slice {
                name: Name::parse(words.next()?)?,
                rank: number(words.next()?)?.try_into().ok()?,
                ranks: number(words.next()?)?.try_into().ok()?,
            },
            b"drop" => Self::Drop(Name::parse(words.next()?)?),
            b"figures" => Self::Figures,
            _ => return None,
        };
        let is_possible = !matches!(command, Self::Slice { rank, ranks, .. } if rank >= ranks);
        (words.next().is_none() && is_possible).then_some(command)
    }
}

fn number(word: &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for &byte in word {
        let digit = byte.checked_sub(b'0').filter(|&digit| digit < 10)?;
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    (!word.is_empty()).then_some(value)
}

fn digest(crc: &[u8], sha: &[u8]) -> Option<Digest> {
    Some(Digest { crc: u32::from_be_bytes(hexadecimal(crc)?), sha: hexadecimal(sha)? })
}

fn hexadecimal<const N: usize>(word: &[u8]) -> Option<[u8; N]> {
    let (pairs, rest) = word.as_chunks();
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    (pairs.len() == N && rest.is_empty()).then_some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA: &str = "00112233445566778899AABBccddeeff00112233445566778899aabbccddeeff";

    #[test]
    fn a_command_has_exactly_its_words() {
        let name = Name::parse(b"A.LIM");
        let Some(name) = name else { return assert!(name.is_some()) };
        let sha = core::array::from_fn(|index| index as u8 % 16 * 0x11);
        let put = Command::Put { name, length: 5_000_000_000, digest: Digest { crc: 0xcbf4_3926, sha } };
        let line = std::format!("put a.lim 5000000000 cbf43926 {SHA}\r");
        assert_eq!(Command::parse(line.as_bytes()), Some(put));
        assert_eq!(Command::parse(b"slice A.LIM 1 2"), Some(Command::Slice { name, rank: 1, ranks: 2 }));
        for line in [
            "",
            " ",
            "put",
            "put a 1",
            "put a 1 cbf43926",
            "put a 1 cbf4392 SHA",
            "put a x cbf43926 SHA",
            "put a 1 cbf43926 SHA ",
            "put a 1 cbf43926 SHA0",
            "put a 1 cbf43926 SHA00",
            "put a 1 cbf4392g SHA",
            "put a 1 SHA cbf43926",
            "list all",
            "get",
            "slice a 2 2",
            "slice a 0 0",
            "put a 18446744073709551616 cbf43926 SHA",
            "get ../a",
            "LIST",
            "put a  cbf43926 SHA",
        ] {
            assert_eq!(Command::parse(line.replace("SHA", SHA).as_bytes()), None, "{line}");
        }
    }

    /// The longest command there is.
    #[test]
    fn every_command_fits_in_a_line() {
        let line = std::format!("put ABCDEFGH.IJK {} cbf43926 {SHA}\r", u64::MAX);
        assert!(line.len() <= LONGEST && Command::parse(line.as_bytes()).is_some());
    }
}
