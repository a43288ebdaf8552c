//! What the formats share, and the interface that all lists of errors have.

use core::error::Error as StdError;
use core::fmt::{Display, Write};

use linkstream::{Class, Diagnostic, Error, LoadError, Misuse, Mode, Severity};
use proofs::{Paper, unknown, used};

use crate::error;

pub fn all() {
    used(Mode::refuses(unknown(Mode::Strict), unknown(Severity::Info)));
    used(Class::as_str(unknown(Class::Magic)));
    value(Class::Magic);
    used(unknown(Severity::Info).cmp(&unknown(Severity::Fatal)));
    value(Severity::Info);
    value(Mode::Strict);
    error::kind(Misuse::NoPayload);
    message(LoadError::Damaged);
    value(LoadError::Damaged);
    used(LoadError::source(&unknown(LoadError::Damaged)).is_some());
}

/// One list of errors, as itself and with a place.
pub fn kind<K: Diagnostic>(any: K) {
    used(Diagnostic::class(&unknown(any)));
    used(Diagnostic::severity(&unknown(any)));
    used(Diagnostic::rule(&unknown(any)));
    used(Diagnostic::clause(&unknown(any)));
    message(any);
    value(any);
    let error = Error::new(unknown(0), unknown(any));
    message(error);
    used(StdError::source(&unknown(error)).is_some());
}

/// What `Display` writes.
pub fn message<T: Display>(any: T) {
    used(write!(Paper, "{}", unknown(any)));
}

/// What is derived. Not `Debug`: core itself can panic there, as far as the optimiser sees, where it escapes
/// text and where a struct has more than five fields.
pub fn value<T: Clone + PartialEq>(any: T) {
    let any = unknown(any);
    let copy = unknown(any.clone());
    used(any == copy);
}
