//! Logical file names. A file has one (ILDG 1.2, section 2.2); in a file with several, the message decides which name
//! belongs to a data record.

use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};

use super::refusal::Refusal;

/// Two different names are enough to report that names differ.
const ENOUGH: usize = 2;

/// The different names in a message or a file.
#[derive(Debug, Clone, Default)]
pub struct Names(Vec<String>);

impl Names {
    /// Adds a name. An empty name is ignored.
    pub fn add(&mut self, name: &str) {
        if !name.is_empty() && self.0.len() < ENOUGH && !self.0.iter().any(|known| known == name) {
            self.0.push(name.to_owned());
        }
    }

    /// The first two different names.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// Checks that `name` can be the logical file name of a new file: a URI, like the names in the catalogues of ILDG. A name
/// that a file already has is copied in any form, see [`check_lfn`].
///
/// # Errors
/// The rule that it breaks.
///
/// ```
/// use linkstream_access::write::check_new_lfn;
///
/// assert!(check_new_lfn("lfn://example/ensemble/lat.0100").is_ok());
/// assert!(check_new_lfn("lat.0100").is_err() && check_new_lfn("lfn://a b").is_err());
/// ```
pub fn check_new_lfn(name: &str) -> Result<(), Refusal> {
    check_lfn(name).map_err(Refusal::Name)?;
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    match name.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) && !rest.trim_matches('/').is_empty() => Ok(()),
        _ => Err(Refusal::NameNotUri),
    }
}

/// Checks that `name` can be a logical file name (ILDG 1.2, section 2.6).
///
/// # Errors
/// The rule that it breaks.
pub fn check_lfn(name: &str) -> Result<(), EncodeErrorKind> {
    Encoder::new().begin(&OutgoingMessage::lfn(name), &mut []).map(drop)
}

/// Returns whether `text` can be an update number (ILDG 1.2, section 2.4).
#[must_use]
pub fn is_update(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_name_is_a_uri() {
        for name in ["lfn://a/b", "mc://a", "lfn:/grid/lattice/a", "srm+x.1-y://h/p"] {
            assert_eq!(check_new_lfn(name), Ok(()), "{name}");
        }
        for name in ["nonsense", "a/b", "lfn:", "lfn://", ":a", "1a:b", "l n:b", "://a"] {
            assert!(check_new_lfn(name).is_err(), "{name}");
        }
        assert!(matches!(check_new_lfn(""), Err(Refusal::Name(EncodeErrorKind::LfnNotOneString))));
    }
}
