//! libscda: the calls of the scda paper (Griesbach and Burstedde, 2023, appendix A) for C programs. `scda.h` describes
//! them; this crate exports them.

mod calls;
mod calls_read;
mod calls_write;
mod code;
mod context;
mod memory;
mod owned;
mod release;

pub use calls::{
    Options, scda_fclose, scda_ferror_string, scda_fopen, scda_fopen_comm, scda_fopen_failed,
    scda_fopen_with, scda_frefuse,
};
pub use calls_read::{
    scda_fread_array_data, scda_fread_block_data, scda_fread_inline_data, scda_fread_section_header,
    scda_fread_section_header_n, scda_fread_varray_data, scda_fread_varray_sizes, scda_fskip,
};
pub use calls_write::{
    scda_fwrite_array, scda_fwrite_array_n, scda_fwrite_block, scda_fwrite_block_n, scda_fwrite_inline,
    scda_fwrite_inline_n, scda_fwrite_varray, scda_fwrite_varray_n,
};
pub use context::Context;
