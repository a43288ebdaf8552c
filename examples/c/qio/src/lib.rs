//! libqio: the C interface of QIO 2.3. The headers in `include` document the calls.
//!
//! The modules `calls_…` are the functions that C programs call: they check pointers and translate. The other modules
//! do the work.

pub mod calls_layout;
pub mod calls_names;
pub mod calls_record_info;
pub mod calls_string;
pub mod code;
pub mod families;
pub mod filename;
pub mod filesystem;
pub mod host_layout;
pub mod layout;
pub mod record_info;
pub mod string;
pub mod text;
pub mod verbosity;
