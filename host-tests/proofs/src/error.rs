//! Types that the formats share, and the traits that all error kinds implement.

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

/// Calls the methods of one type of error kinds, and of an [`Error`] with it.
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

/// Calls `Display`.
pub fn message<T: Display>(any: T) {
    used(write!(Paper, "{}", unknown(any)));
}

/// Calls derived methods, except `Debug`: there, the optimiser cannot rule out panics in core, when it escapes text or
/// formats structs with more than five fields.
pub fn value<T: Clone + PartialEq>(any: T) {
    let any = unknown(any);
    let copy = unknown(any.clone());
    used(any == copy);
}
