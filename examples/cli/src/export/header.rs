//! The header of an array: written, and shown.

use std::io::Write;

use crate::failure::Failure;
use crate::npy::{Header, tuple};

/// Writes the header and shows it.
pub fn begin(header: &Header, sink: &mut dyn Write) -> anyhow::Result<()> {
    sink.write_all(&header.to_bytes()).map_err(Failure::Output)?;
    say(header);
    Ok(())
}

/// Shows the type and shape of an array of the data on standard error.
pub fn say(header: &Header) {
    let _ = writeln!(std::io::stderr(), "dtype {}, shape {}", header.dtype, tuple(&header.shape));
}
