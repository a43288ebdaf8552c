//! Writes and shows the header of an array.

use std::io::Write;

use crate::failure::Failure;
use crate::npy::{Header, tuple};

/// Writes the header and shows it on standard error.
pub fn begin(header: &Header, sink: &mut dyn Write) -> anyhow::Result<()> {
    sink.write_all(&header.to_bytes()).map_err(Failure::Output)?;
    say(header);
    Ok(())
}

/// Shows the dtype and shape of an array on standard error.
pub fn say(header: &Header) {
    let _ = writeln!(std::io::stderr(), "dtype {}, shape {}", header.dtype, tuple(&header.shape));
}
