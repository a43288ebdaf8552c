//! Logical file names: a file has one (ILDG 1.2, section 2.2), and files that have several are distinguished by data
//! record.

use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};

/// More than two need not be known to say that they differ.
const ENOUGH: usize = 2;

/// The different names in a message or a file.
#[derive(Debug, Clone, Default)]
pub struct Names(Vec<String>);

impl Names {
    /// An empty name is none.
    pub fn add(&mut self, name: &str) {
        if !name.is_empty() && self.0.len() < ENOUGH && !self.0.iter().any(|known| known == name) {
            self.0.push(name.to_owned());
        }
    }

    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// Whether that can be a logical file name (section 2.6).
pub fn judge(name: &str) -> Result<(), EncodeErrorKind> {
    Encoder::new().begin(&OutgoingMessage::lfn(name), &mut [])
}

/// Whether that can be an update number (section 2.4).
pub fn is_update(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
