//! Events of a file that is only looked at.

use linkstream::Decode;
use linkstream::io::FromStd;
use linkstream::io::Reader;

use crate::failure::failed;

/// The next event; an error if the file is invalid or cannot be read.
pub fn next<R: std::io::Read, D: Decode<ErrorKind: Send + Sync + 'static>>(
    reader: &mut Reader<FromStd<R>, &mut [u8], D>,
) -> anyhow::Result<Option<D::Event>> {
    reader.next().map_err(failed)
}

/// Skips payload.
pub fn pass_over<R: std::io::Read + std::io::Seek, D: Decode<ErrorKind: Send + Sync + 'static>>(
    reader: &mut Reader<FromStd<R>, &mut [u8], D>,
) -> anyhow::Result<()> {
    reader.skip_seeking().map_err(failed)
}
