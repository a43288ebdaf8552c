//! Writes sections one after the other.

use std::io::BufWriter;
use std::path::Path;

use anyhow::Context as _;
use linkstream::io::FromStd;
use linkstream::io::SectionWriter;
use linkstream::scda::{INLINE_LEN, Style};
use linkstream_access::write::{LONGEST, Packed, Packing, Texts};

use super::piece::{Content, Piece};
use crate::data::Data;
use crate::failure::{Failure, failed};
use crate::fields::made;
use crate::human::{bytes, one_line, thousands};
use crate::judged::{Asked, Permission, not_wrong};
use crate::output::whole;
use crate::source::{BUFFER, filled};
use crate::system::File;

/// Properties of the new file.
pub struct Making {
    pub vendor: Vec<u8>,
    pub user: Vec<u8>,
    pub style: Style,
    /// The compression of blocks and arrays; `None`: they are not compressed.
    pub packing: Option<Packing>,
    /// True if damaged files of known formats may become sections.
    pub permission: Permission,
}

type Writer<'f> = SectionWriter<FromStd<BufWriter<&'f File>>>;

/// Makes the file; on an error, nothing is written.
pub fn create(out: &Path, force: bool, how: &Making, pieces: &[Piece]) -> anyhow::Result<()> {
    whole(out, force, |file| {
        write(file, how, pieces)?;
        not_wrong(file, out, Asked::default())
    })
}

fn write(file: &File, how: &Making, pieces: &[Piece]) -> anyhow::Result<()> {
    let mut writer = SectionWriter::create(FromStd(BufWriter::with_capacity(BUFFER, file)), how.style);
    writer.write_header(&how.vendor, &how.user).map_err(failed).context("vendor and user string")?;
    for piece in pieces {
        let user = || format!("section \"{}\"", one_line(&String::from_utf8_lossy(&piece.user)));
        section(&mut writer, how, piece).with_context(user)?;
    }
    writer.finish().map_err(failed).map(drop)
}

fn section(writer: &mut Writer<'_>, how: &Making, piece: &Piece) -> anyhow::Result<()> {
    let user = &piece.user[..];
    match &piece.content {
        Content::Text(data) => return writer.write_inline(user, data).map_err(failed),
        Content::Inline(path) => return inline(writer, how, user, path),
        Content::Block(path) => {
            let data = Data::of(path, how.permission)?;
            let length = data.length;
            if let Some(packing) = &how.packing {
                let packed = packed(packing, None, [data])?;
                writer.begin_compressed_block(user, length.into(), packed.total).map_err(failed)?;
                return copy(writer, packed);
            }
            writer.begin_block(user, length.into()).map_err(failed)?;
            data.read(BUFFER as u64, |bytes| writer.put(bytes).map_err(failed))?;
        }
        Content::Array(e, path) => {
            let data = Data::of(path, how.permission)?;
            let length = data.length;
            if !length.is_multiple_of(*e) {
                anyhow::bail!("{} are not a multiple of the element size, {}", bytes(length), bytes(*e));
            }
            let n = length / e;
            if let Some(packing) = &how.packing {
                let packed = packed(packing, Some(*e), [data])?;
                let begun = writer.begin_compressed_array(user, n, (*e).into(), packed.lengths());
                packed.verified().map_err(made)?;
                begun.map_err(failed)?;
                return copy(writer, packed);
            }
            writer.begin_array(user, n.into(), (*e).into()).map_err(failed)?;
            data.read(BUFFER as u64, |bytes| writer.put(bytes).map_err(failed))?;
        }
        Content::Varray(paths) => {
            let each = paths
                .iter()
                .map(|path| Data::of(path, how.permission))
                .collect::<anyhow::Result<Vec<_>>>()?;
            let sizes: Vec<_> = each.iter().map(|data| data.length).collect();
            let n = sizes.len() as u64;
            if let Some(packing) = &how.packing {
                let packed = packed(packing, None, each)?;
                let begun = writer.begin_compressed_varray(user, n, sizes, packed.lengths());
                packed.verified().map_err(made)?;
                begun.map_err(failed)?;
                return copy(writer, packed);
            }
            writer.begin_varray(user, n, sizes).map_err(failed)?;
            for data in each {
                data.read(BUFFER as u64, |bytes| writer.put(bytes).map_err(failed))?;
            }
        }
        Content::VarrayOf(_) => anyhow::bail!("the list of its files was not read"),
    }
    writer.end().map_err(failed)
}

fn inline(writer: &mut Writer<'_>, how: &Making, user: &[u8], path: &Path) -> anyhow::Result<()> {
    let data = Data::of(path, how.permission)?;
    if data.length != INLINE_LEN as u64 {
        anyhow::bail!("an inline section has {INLINE_LEN} bytes of data, not {}", thousands(data.length));
    }
    data.read(INLINE_LEN as u64, |bytes| {
        let data = bytes.first_chunk().context("too few bytes")?;
        writer.write_inline(user, data).map_err(failed)
    })
}

/// The texts of elements of `size` bytes; `None`: each file is one element.
fn packed(
    packing: &Packing,
    size: Option<u64>,
    files: impl IntoIterator<Item = Data>,
) -> anyhow::Result<Packed> {
    let mut texts = Texts::new(packing).map_err(made)?;
    for data in files {
        // Without data there are no elements, whatever their size.
        let longest = size.unwrap_or(data.length).min(data.length);
        if longest > LONGEST {
            anyhow::bail!("an element of {}; at most {} can be compressed", bytes(longest), bytes(LONGEST));
        }
        if data.length == 0 && size.is_none() {
            texts.add(&[]).map_err(made)?;
        }
        data.read(longest, |element| texts.add(element).map_err(made))?;
    }
    texts.finish().map_err(made)
}

/// Writes the texts and the end of the section.
fn copy(writer: &mut Writer<'_>, mut packed: Packed) -> anyhow::Result<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        let n = filled(&mut packed.texts, &mut buffer).map_err(Failure::Temporary)?;
        if n == 0 {
            return writer.end().map_err(failed);
        }
        writer.put(&buffer[..n]).map_err(failed)?;
    }
}
