//! Reason of errors after the caller has cancelled a call.

use std::fmt;
use std::io;

/// Reason why a source stops: the caller has cancelled the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl Cancelled {
    /// True if this is the reason of an error, or of one that it contains.
    #[must_use]
    pub fn is(error: &io::Error) -> bool {
        let mut cause: Option<&(dyn std::error::Error + 'static)> =
            error.get_ref().map(|inner| inner as &(dyn std::error::Error + 'static));
        while let Some(error) = cause {
            if error.is::<Self>() || error.downcast_ref::<io::Error>().is_some_and(Self::is) {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the progress function has cancelled the call")
    }
}

impl std::error::Error for Cancelled {}

impl From<Cancelled> for io::Error {
    fn from(cancelled: Cancelled) -> Self {
        // Not `Interrupted`: reading would be tried again.
        Self::other(cancelled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_error_is_recognised_wherever_it_is() {
        let inner = io::Error::from(Cancelled);
        assert!(Cancelled::is(&inner));
        assert!(Cancelled::is(&io::Error::other(inner)));
        assert!(!Cancelled::is(&io::Error::other("something else")));
    }
}
