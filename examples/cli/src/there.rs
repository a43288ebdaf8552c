//! Whether something is there at all.

use std::io::{ErrorKind, Result};

/// `None` of what does not exist. Of what cannot be looked at nobody knows.
pub fn if_there<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        found => found.map(Some),
    }
}
