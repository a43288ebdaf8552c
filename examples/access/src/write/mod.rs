//! Writing fields.
