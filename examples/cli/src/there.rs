//! Handles files that do not exist.

use std::io::{ErrorKind, Result};

/// `None` if the file does not exist; other errors are returned.
pub fn if_there<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        found => found.map(Some),
    }
}
