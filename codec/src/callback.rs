//! What a call that takes a callback can fail with.

use core::fmt;

/// Why a call that takes a callback ended early: the call itself failed, or the callback did.
///
/// ```
/// use linkstream::CallbackError;
/// use linkstream::field::{Sites, SitesError};
///
/// let mut buffer = [0; 16];
/// let fed = Sites::new(&mut buffer).feed(None, b"data", |_| Err("no site is handed out"));
/// assert_eq!(fed, Err(CallbackError::Failed(SitesError::NotBegun)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CallbackError<F, C> {
    /// The call failed.
    Failed(F),
    /// The callback returned this error.
    Callback(C),
}

impl<F: fmt::Display, C: fmt::Display> fmt::Display for CallbackError<F, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::Callback(error) => error.fmt(f),
        }
    }
}

impl<F: core::error::Error, C: core::error::Error> core::error::Error for CallbackError<F, C> {
    // The message is that of the cause, so the source is the cause's own.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Failed(error) => error.source(),
            Self::Callback(error) => error.source(),
        }
    }
}

impl<F, C> From<F> for CallbackError<F, C> {
    fn from(error: F) -> Self {
        Self::Failed(error)
    }
}
