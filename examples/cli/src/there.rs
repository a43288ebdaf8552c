//! Whether something is there at all.

use std::io::{ErrorKind, Result};

/// `None` if it does not exist; other errors are returned.
pub fn if_there<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        found => found.map(Some),
    }
}
