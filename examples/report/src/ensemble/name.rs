//! Names of files in a store.

use std::fmt;

use linkstream_access::text::shown_bytes;

use crate::json::hex;

/// The path of a file in its store, with `/` between the parts. It need not be UTF-8, and never leads out of the store.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Vec<u8>);

/// Reason why something is no name of a file in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("the name is empty, or has an empty part")]
    Empty,
    #[error("the name is absolute")]
    Absolute,
    #[error("the name has a part '.' or '..', which would lead elsewhere")]
    Dots,
    #[error("the name contains a NUL")]
    Nul,
    #[error("the name of a file in an archive does not begin with the archive")]
    Elsewhere,
    #[error("the name in hexadecimal differs from the other one")]
    Hexadecimal,
}

impl Name {
    /// A name as it was found in a store, or is in a list.
    ///
    /// # Errors
    /// It could lead out of the store, or two names would be the same file.
    pub fn new(bytes: Vec<u8>) -> Result<Self, NameError> {
        if bytes.first() == Some(&b'/') || cfg!(windows) && bytes.get(1) == Some(&b':') {
            return Err(NameError::Absolute);
        }
        if bytes.contains(&0) {
            return Err(NameError::Nul);
        }
        let is_separator = |byte: &u8| *byte == b'/' || cfg!(windows) && *byte == b'\\';
        for part in bytes.split(is_separator) {
            match part {
                b"" => return Err(NameError::Empty),
                b"." | b".." => return Err(NameError::Dots),
                _ => {}
            }
        }
        Ok(Self(bytes))
    }

    /// A name in JSON: a text, and its bytes in hexadecimal if they are not UTF-8.
    ///
    /// # Errors
    /// It is no name, or the two differ.
    pub fn of_json(text: &str, hexadecimal: Option<&str>) -> Result<Self, NameError> {
        let Some(hexadecimal) = hexadecimal else { return Self::new(text.as_bytes().to_vec()) };
        let pairs = hexadecimal.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = pairs.map(byte).collect();
        let bytes = bytes.filter(|bytes| hex(bytes) == hexadecimal && String::from_utf8_lossy(bytes) == text);
        Self::new(bytes.ok_or(NameError::Hexadecimal)?)
    }

    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name as a relative path, for a look at its ending.
    #[cfg(feature = "store")]
    pub(super) fn path(&self) -> std::path::PathBuf {
        self.text().into()
    }

    /// The name as text. Bytes that are not UTF-8 become replacement characters.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// The bytes in hexadecimal, if they are not UTF-8.
    #[must_use]
    pub fn hexadecimal(&self) -> Option<String> {
        std::str::from_utf8(&self.0).is_err().then(|| hex(&self.0))
    }

    /// The directory of the file, without the `/` after it, and the name in it.
    #[must_use]
    pub fn parts(&self) -> (&[u8], &[u8]) {
        self.split(0)
    }

    /// The name without its last parts, and these: the name in its directory and `directories` more, as far as there are
    /// any.
    pub(super) fn split(&self, directories: usize) -> (&[u8], &[u8]) {
        let slash = self.0.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').nth(directories);
        match slash {
            Some((at, _)) => {
                (self.0.get(..at).unwrap_or_default(), self.0.get(at.saturating_add(1)..).unwrap_or_default())
            }
            None => (&[], &self.0),
        }
    }

    /// The name and the directories that the file is in, the innermost first.
    pub(super) fn and_folders(&self) -> impl Iterator<Item = &[u8]> {
        std::iter::successors(Some(&*self.0), |path| folder_of(path))
    }
}

fn folder_of(path: &[u8]) -> Option<&[u8]> {
    path.get(..path.iter().rposition(|byte| *byte == b'/')?)
}

/// Names have the order of their bytes.
impl std::borrow::Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

/// The name on one line, without a character that a terminal acts on.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown_bytes(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_store() {
        for (name, error) in [
            ("", NameError::Empty),
            ("a//b", NameError::Empty),
            ("a/", NameError::Empty),
            ("/etc/passwd", NameError::Absolute),
            ("../a", NameError::Dots),
            ("a/../../b", NameError::Dots),
            ("./a", NameError::Dots),
            ("a\0", NameError::Nul),
        ] {
            assert_eq!(Name::of_json(name, None), Err(error), "{name}");
        }
        for name in ["a", "..a/b..", ".hidden", "a\nb", "a\u{1b}[2J", "\u{202e}"] {
            let name = Name::of_json(name, None).expect("a name");
            assert!(!name.to_string().chars().any(char::is_control));
        }
    }

    #[test]
    fn names_that_are_not_text_survive() {
        let name = Name::new(b"l\xe4t/\xff.1".to_vec()).expect("a name");
        let hexadecimal = name.hexadecimal();
        assert_eq!(Name::of_json(&name.text(), hexadecimal.as_deref()), Ok(name.clone()));
        assert_eq!(name.parts(), (&b"l\xe4t"[..], &b"\xff.1"[..]));
        // Neither another text, nor bytes that lead elsewhere.
        assert_eq!(Name::of_json("lat", hexadecimal.as_deref()), Err(NameError::Hexadecimal));
        assert_eq!(Name::of_json("..\u{fffd}", Some("2e2eff")), Ok(Name(b"..\xff".to_vec())));
        assert_eq!(Name::of_json("..", Some("2e2e")), Err(NameError::Dots));
        for wrong in ["2e2", "+1", "zz", "2E", ""] {
            assert!(Name::of_json("..", Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_is_in_its_folder_and_in_those_around_it() {
        let name = Name::new(b"a/bc/d".to_vec()).expect("a name");
        let expected: [&[u8]; 3] = [b"a/bc/d", b"a/bc", b"a"];
        assert!(name.and_folders().eq(expected));
    }
}
