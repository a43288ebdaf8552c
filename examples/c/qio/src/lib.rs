//! libqio: the C interface of QIO 2.3. The headers in `include` document the calls.
//!
//! The modules `calls_…` are the functions that C programs call: they check pointers and translate. The other modules
//! do the work.

pub mod border;
pub mod calls_convert;
pub mod calls_layout;
pub mod calls_names;
pub mod calls_parts_read;
pub mod calls_parts_write;
pub mod calls_read;
pub mod calls_record_info;
pub mod calls_string;
pub mod calls_tags;
pub mod calls_usqcd;
pub mod calls_usqcd_ksprop;
pub mod calls_usqcd_lattice;
pub mod calls_usqcd_prop;
pub mod calls_version;
pub mod calls_world;
pub mod calls_write;
pub mod code;
pub mod convert;
pub mod cursor;
pub mod dml_checksum;
pub mod factory;
pub mod families;
pub mod filename;
pub mod files;
pub mod filesystem;
pub mod host_layout;
pub mod layout;
pub mod memory;
mod opened;
pub mod out;
pub mod parts;
pub mod parts_read;
pub mod parts_write;
pub mod program;
pub mod reader;
pub mod record_info;
pub mod record_info_c;
pub mod send;
pub mod stop;
pub mod string;
pub mod tags;
pub mod text;
pub mod transfer;
pub mod usqcd;
pub mod usqcd_c;
pub mod verbosity;
pub mod walk;
pub mod world;
pub mod writer;
pub mod xml;
