//! Names of unpacked files: `msgnn.recnn.lime_type` (LIME 1.2, section 4), which are safe for any type.
//!
//! A type may contain any bytes. Bytes that could lead out of the directory, control a terminal, have a meaning in a
//! shell or be refused by a file system are escaped. No two records get the same name, because their numbers differ.

use linkstream::lime::Record;

/// Maximum length of the escaped type: with the numbers before it, a name stays below the 255 bytes that file systems
/// allow.
const LONGEST: usize = 200;

pub fn of(record: &Record, record_type: &[u8]) -> String {
    format!("msg{:02}.rec{:02}.{}", record.message, record.number, escaped(record_type))
}

fn escaped(record_type: &[u8]) -> String {
    let mut name = String::new();
    for byte in record_type {
        let piece = match byte {
            b'-' | b'_' | b'.' | b'+' | b'=' | b',' | b'@' => char::from(*byte).to_string(),
            byte if byte.is_ascii_alphanumeric() => char::from(*byte).to_string(),
            byte => format!("%{byte:02x}"),
        };
        if name.len() + piece.len() > LONGEST {
            // No name contains `~` otherwise, so it marks a name that was cut.
            name.push('~');
            break;
        }
        name.push_str(&piece);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(message: u64, number: u64, record_type: &[u8]) -> String {
        of(&Record { message, number, ..Record::default() }, record_type)
    }

    #[test]
    fn plain_types_stand_as_they_are() {
        assert_eq!(name(1, 2, b"ildg-binary-data"), "msg01.rec02.ildg-binary-data");
        assert_eq!(name(100, 12, b"A_z.9+=,@"), "msg100.rec12.A_z.9+=,@");
        assert_eq!(name(3, 4, b""), "msg03.rec04.");
    }

    #[test]
    fn everything_else_is_escaped() {
        assert_eq!(name(1, 1, b"/../x"), "msg01.rec01.%2f..%2fx");
        assert_eq!(name(1, 1, b"a b\n%~\\"), "msg01.rec01.a%20b%0a%25%7e%5c");
        assert_eq!(name(1, 1, &[0xe9, 0x1b, 0x7f]), "msg01.rec01.%e9%1b%7f");
    }

    #[test]
    fn names_have_room_in_every_file_system() {
        assert_eq!(name(1, 1, &[b'T'; 128]).len(), 12 + 128);
        let cut = name(u64::MAX, u64::MAX, &[b'/'; 128]);
        assert!(cut.len() < 255 && cut.ends_with("%2f~"), "{cut}");
    }
}
