//! Files and directories: every system call of the program is repeated if a signal interrupts it.

pub use linkstream_access::system::{
    File, entries, exists, link_metadata, metadata, remove_file, uninterrupted,
};
