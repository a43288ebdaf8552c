//! The files in a packed file: the content of a compressed file, or the files of an archive, which can be compressed.

use std::io::{self, Read};
use std::ops::ControlFlow;

use linkstream_memory as memory;

use super::archive::{Kind, is_tar, members};
use super::compression::{Compression, Unpacker};
use super::fault::Fault;

/// Number of first bytes that show whether a file is packed.
pub const FIRST: usize = 512;

/// True if a file that begins with these bytes is compressed, or an archive.
#[must_use]
pub fn is_packed(first: &[u8]) -> bool {
    Compression::of(first).is_some() || is_tar(first)
}

/// A file in a packed file.
pub struct Content<'r> {
    /// Its path in the archive; `None` if there is no archive. It can be anything, and is used for nothing but messages and
    /// comparisons.
    pub name: Option<Vec<u8>>,
    /// Number of bytes, if an archive states it.
    pub size: Option<u64>,
    pub kind: Kind,
    /// The names of the compression and the archive, from the outside inwards.
    pub packing: Vec<&'static str>,
    /// The content; empty unless it is a file.
    pub reader: &'r mut dyn Read,
}

/// Knowledge about a packed file after it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unpacked {
    /// The names of the compression and the archive, from the outside inwards.
    pub packing: Vec<&'static str>,
    /// Number of bytes after decompression; 0 for an archive that is not compressed.
    pub bytes: u64,
    /// The fault of the compression or the archive. Always `None` if `each` ended the loop.
    pub fault: Option<Fault>,
}

/// Reads a packed file from its first byte, and calls `each` with every file in it, in their order, until it ends the loop.
/// The rest of a content that it leaves is read, too. Nothing is called for a file that is not packed.
///
/// # Errors
/// The source failed, or an error of `each`.
pub fn unpack<R: Read, E: From<io::Error>>(
    mut source: R,
    mut each: impl FnMut(Content<'_>) -> Result<ControlFlow<()>, E>,
) -> Result<Unpacked, E> {
    let first = beginning(&mut source)?;
    let whole = first.chain(source);
    let Some(compression) = Compression::of(&first) else {
        let is_tar = is_tar(&first);
        let packing = if is_tar { vec!["tar"] } else { Vec::new() };
        let fault = if is_tar { archived(whole, &packing, &mut each)?.1 } else { None };
        return Ok(Unpacked { packing, bytes: 0, fault });
    };
    memory::afford(compression.memory()).map_err(io::Error::from)?;
    let mut packing = vec![compression.as_str()];
    let mut content = Unpacker::new(whole, compression);
    let first = beginning(&mut content)?;
    if is_tar(&first) {
        packing.push("tar");
        let (flow, of_archive) = archived(first.chain(&mut content), &packing, &mut each)?;
        let fault = match flow {
            ControlFlow::Break(()) => None,
            // The end of an archive is missing because the compression is damaged.
            ControlFlow::Continue(()) => content.finish()?.cloned().or(of_archive),
        };
        return Ok(Unpacked { packing, bytes: content.unpacked(), fault });
    }
    let reader = &mut first.chain(&mut content);
    let flow = each(Content { name: None, size: None, kind: Kind::File, packing: packing.clone(), reader })?;
    let fault = if flow.is_break() { content.fault() } else { content.finish()? }.cloned();
    Ok(Unpacked { packing, bytes: content.unpacked(), fault })
}

fn archived<E: From<io::Error>>(
    source: impl Read,
    packing: &[&'static str],
    each: &mut dyn FnMut(Content<'_>) -> Result<ControlFlow<()>, E>,
) -> Result<(ControlFlow<()>, Option<Fault>), E> {
    let mut flow = ControlFlow::Continue(());
    let fault = members(source, |member| {
        let (name, size, packing) = (Some(member.name), Some(member.size), packing.to_vec());
        flow = each(Content { name, size, kind: member.kind, packing, reader: member.content })?;
        Ok::<_, E>(flow)
    })?;
    Ok((flow, fault))
}

fn beginning(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(FIRST);
    source.take(FIRST as u64).read_to_end(&mut first)?;
    Ok(first)
}

impl std::fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.name.as_ref().map(|name| name.escape_ascii().to_string());
        let Self { size, kind, packing, .. } = self;
        f.debug_struct("Content")
            .field("name", &name)
            .field("size", size)
            .field("kind", kind)
            .field("packing", packing)
            .finish()
    }
}
