//! Misuse of readers and writers: which is a compile error, which an error, and what cannot be expressed.
#![doc = include_str!("misuse_readers.md")]
#![doc = include_str!("misuse_writers.md")]
