//! Logical file names. A file has one (ILDG 1.2, section 2.2); in a file with several, the message decides which name
//! belongs to a data record.

use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};

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
