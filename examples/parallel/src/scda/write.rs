//! Writing (scda A.3 and A.4).

use std::path::Path;

use linkstream::scda::Style;
use linkstream_pack::Compressor;

use super::elements::{Elements, Sizes};
use super::header::WriteOptions;
use super::joined::{room, write_all, write_alone};
use super::partition::{Partition, elements, elements_and_bytes};
use super::parts::{PartEncoder, PartError};
use crate::arguments::Arguments;
use crate::comm::{Comm, Op};
use crate::error::{Error, Fault};
use crate::file::{Engine, NewFile, Piece, SharedFile};
use crate::session::Session;

/// An scda file that all ranks write together. Each call writes one section.
///
/// All calls are collective, and all arguments must be the same on all ranks unless something else is said. Call
/// [`close`](Self::close) at the end: only then are the bytes on the storage device, and only then does the file begin
/// like an scda file, and get its name (see [`WriteOptions::replace`]). After an error the file is removed, and later calls
/// return the same error; without `replace` it stays, but is no scda file.
///
/// ```
/// use linkstream_parallel::comm::Solo;
/// use linkstream_parallel::file::Direct;
/// use linkstream_parallel::scda::{Elements, Partition, Writer};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("file.scda");
/// let engine: Direct = Direct::default();
/// let mut writer = Writer::create(&Solo, &engine, &path, b"my file", &Default::default())?;
/// writer.inline(b"32 bytes", 0, &[b'.'; 32])?;
/// writer.block(b"a compressed text", 0, 5, b"hello", true)?;
/// let words: [&[u8]; 2] = [b"one", b"three"];
/// writer.varray(b"words", Partition::Own(2), &[3, 5], Elements::Indirect(&words), false)?;
/// writer.close()?;
/// assert!(std::fs::read(&path)?.ends_with(b"onethree\n=====================\n\n"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the file is complete when `close` has returned `Ok`"]
pub struct Writer<'c, C, F> {
    session: Session<'c, C, NewFile<F>>,
    encoder: PartEncoder,
    level: u8,
}

impl<'c, C: Comm, F: SharedFile<C>> Writer<'c, C, F> {
    /// Creates a file, which replaces an existing one when it is complete, or at once (see
    /// [`WriteOptions::replace`]), with the file header (A.3.1). Three small collective calls; without `replace`, two.
    ///
    /// # Errors
    /// The file cannot be created; the user string has more than 58 bytes, the vendor string more than 20, or the level
    /// of compression is above 9.
    pub fn create<E: Engine<C, File = F>>(
        comm: &'c C,
        engine: &E,
        path: &Path,
        userstr: &[u8],
        options: &WriteOptions,
    ) -> Result<Self, Error> {
        let WriteOptions { vendor, style, level, replace } = options;
        let arguments =
            Arguments::new("create an scda file").text("path", path.as_os_str().as_encoded_bytes());
        let arguments = arguments.text("userstr", userstr).text("vendor", vendor);
        let arguments = arguments.choice("style", style).word("level", (*level).into());
        arguments.flag("replace", *replace).enter(comm, Ok(()))?;
        let mut encoder = PartEncoder::new(comm.rank(), *style);
        let header = match encoder.header(vendor, userstr) {
            Ok(_) if *level > 9 => Err(Fault::usage(format!("there is no level of compression {level}"))),
            header => header.map_err(refused),
        };
        let opened = header.and_then(|header| {
            let mut file = NewFile::create(comm, engine, path, *replace)?;
            if !header.is_empty() {
                SharedFile::<C>::write_at(&mut file, Piece { offset: 0, bytes: &header })?;
            }
            Ok((file, ()))
        });
        let (session, ()) = Session::begin(comm, opened)?;
        Ok(Self { session, encoder, level: *level })
    }

    /// Writes an inline section (A.4.1). Two small collective calls; rank 0 and `root` write.
    ///
    /// `dbytes` are 32 bytes on rank `root`, and ignored on others.
    ///
    /// # Errors
    /// `userstr` has more than 58 bytes, there is no rank `root`, it does not pass 32 bytes, or the file cannot be
    /// written.
    pub fn inline(&mut self, userstr: &[u8], root: usize, dbytes: &[u8]) -> Result<(), Error> {
        let arguments = Arguments::new("write an inline section").text("userstr", userstr);
        let Self { session, encoder, .. } = self;
        session.call_checked(arguments.word("root", root as u64), |comm, file| {
            let data = own_data(comm, root, 32, dbytes)?;
            write_alone(file, &encoder.inline(userstr, root, &data).map_err(refused)?)
        })
    }

    /// Writes a block of `e` bytes (A.4.2). Two small collective calls, three with `encode`; rank 0 and `root` write.
    ///
    /// `dbytes` are `e` bytes on rank `root`, and ignored on others. With `encode` they are compressed (section 3).
    ///
    /// # Errors
    /// `userstr` has more than 58 bytes, there is no rank `root`, it does not pass `e` bytes, or the file cannot be
    /// written.
    pub fn block(
        &mut self,
        userstr: &[u8],
        root: usize,
        e: u64,
        dbytes: &[u8],
        encode: bool,
    ) -> Result<(), Error> {
        let arguments = Arguments::new("write a block").text("userstr", userstr).word("root", root as u64);
        let Self { session, encoder, level } = self;
        session.call_checked(arguments.word("e", e).flag("encode", encode), |comm, file| {
            let data = own_data(comm, root, e, dbytes);
            if !encode {
                let data = data?;
                let pieces = encoder.block(userstr, e.into(), root, &data);
                return write_alone(file, &pieces.map_err(refused)?);
            }
            let style = encoder.style();
            let texts: Result<Vec<_>, Fault> = data.and_then(|data| {
                data.iter().map(|data| text(&mut Compressor::new((*level).into()), data, style)).collect()
            });
            // The other ranks need the length of the text, to know where the next section begins.
            let own = texts.as_ref().ok().and_then(|texts| texts.first());
            let mut length = [own.map_or(0, |text| text.len() as u64)];
            comm.combine(Op::Max, &mut length)?;
            let texts = texts?;
            if length == [0] {
                return Err(Fault::elsewhere());
            }
            let pieces = encoder.compressed_block(userstr, e.into(), length[0], root, &texts);
            write_alone(file, &pieces.map_err(refused)?)
        })
    }

    /// Writes an array of elements of `e` bytes each (A.4.3). Two small collective calls, or four with `encode` or
    /// without a table; one collective access.
    ///
    /// `dbytes` are the elements of this rank. With `encode`, each is compressed by itself (section 3).
    ///
    /// # Errors
    /// `userstr` has more than 58 bytes, the table does not have one number for each rank, a rank does not pass the data
    /// of its elements, or the file cannot be written.
    pub fn array(
        &mut self,
        userstr: &[u8],
        partition: Partition<'_>,
        e: u64,
        dbytes: Elements<'_>,
        encode: bool,
    ) -> Result<(), Error> {
        let arguments =
            partition.digest(Arguments::new("write an array").text("userstr", userstr).word("e", e));
        let Self { session, encoder, level } = self;
        session.call_checked(arguments.flag("encode", encode), |comm, file| {
            let own = partition.own(comm).and_then(|count| {
                let sizes = Sizes::Equal { count, size: e };
                dbytes.check(sizes).map(|()| sizes)
            });
            if !encode {
                let part = elements(comm, partition, None, own.map(|_| ()))?;
                let pieces = part.and_then(|part| {
                    encoder.array(userstr, e.into(), &part, dbytes.slices()).map_err(refused)
                });
                return write_all(comm, file, &pieces);
            }
            let texts = own.and_then(|sizes| compressed(&dbytes, sizes, encoder, *level));
            let length = texts.as_ref().map(|texts| total_length(texts)).map_err(Clone::clone);
            let parts = elements_and_bytes(comm, partition, length)?;
            let texts = texts.unwrap_or_default();
            let pieces = parts.and_then(|(part, data)| {
                encoder.compressed_array(userstr, e.into(), &part, &data, &texts).map_err(refused)
            });
            write_all(comm, file, &pieces)
        })
    }

    /// Writes an array of elements of different sizes (A.4.4). Four small collective calls; one collective access.
    ///
    /// `sizes` (`E_i`, in bytes) and `dbytes` are those elements that this rank has. With `encode`, each is compressed by
    /// itself (section 3).
    ///
    /// # Errors
    /// The errors of [`array`](Self::array).
    pub fn varray(
        &mut self,
        userstr: &[u8],
        partition: Partition<'_>,
        sizes: &[u64],
        dbytes: Elements<'_>,
        encode: bool,
    ) -> Result<(), Error> {
        let arguments = partition.digest(Arguments::new("write a varray").text("userstr", userstr));
        let Self { session, encoder, level } = self;
        session.call_checked(arguments.flag("encode", encode), |comm, file| {
            let own = partition.own(comm).and_then(|count| {
                if count != sizes.len() as u64 {
                    let given = sizes.len();
                    return Err(Fault::usage(format!("{given} sizes were passed for {count} elements")));
                }
                dbytes.check(Sizes::Each(sizes))?;
                if encode {
                    let texts = compressed(&dbytes, Sizes::Each(sizes), encoder, *level)?;
                    Ok((total_length(&texts), texts))
                } else {
                    Ok((dbytes.length(), Vec::new()))
                }
            });
            let length = own.as_ref().map(|(length, _)| *length).map_err(Clone::clone);
            let parts = elements_and_bytes(comm, partition, length)?;
            let (_, texts) = own.unwrap_or_default();
            if encode {
                let pieces = parts.and_then(|(part, data)| {
                    encoder.compressed_varray(userstr, &part, &data, sizes, &texts).map_err(refused)
                });
                return write_all(comm, file, &pieces);
            }
            let pieces = parts.and_then(|(part, data)| {
                encoder.varray(userstr, &part, &data, sizes, dbytes.slices()).map_err(refused)
            });
            write_all(comm, file, &pieces)
        })
    }

    /// Absolute offset of the next section: the size of the file so far in bytes.
    pub const fn position(&self) -> u64 {
        self.encoder.position()
    }

    /// Closes the file, after all bytes are on the storage device (A.3.2). Two small collective calls.
    ///
    /// # Errors
    /// An earlier call failed, or the system reports that bytes may be lost.
    pub fn close(self) -> Result<(), Error> {
        self.session.close()
    }
}

/// The fault of a call that the encoder has refused.
fn refused(error: PartError) -> Fault {
    match error {
        PartError::Memory(short) => short.into(),
        error => Fault::usage(error.to_string()),
    }
}

/// The data of the root, which are passed only there.
fn own_data<'a, C: Comm>(comm: &C, root: usize, e: u64, dbytes: &'a [u8]) -> Result<Vec<&'a [u8]>, Fault> {
    check_root(comm, root)?;
    match dbytes.len() as u64 {
        _ if root != comm.rank() => Ok(Vec::new()),
        given if given == e => Ok(vec![dbytes]),
        given => Err(Fault::usage(format!("{given} bytes were passed, but the section has {e}"))),
    }
}

/// Checks that there is a rank `root`.
pub(super) fn check_root<C: Comm>(comm: &C, root: usize) -> Result<(), Fault> {
    let ranks = comm.size();
    if root < ranks { Ok(()) } else { Err(Fault::usage(format!("there is no rank {root} among {ranks}"))) }
}

/// The texts of elements.
fn compressed(
    elements: &Elements<'_>,
    sizes: Sizes<'_>,
    encoder: &PartEncoder,
    level: u8,
) -> Result<Vec<Vec<u8>>, Fault> {
    let style = encoder.style();
    let mut compressor = Compressor::new(level.into());
    let mut texts = room(usize::try_from(sizes.count()).unwrap_or(usize::MAX))?;
    for element in elements.each(sizes) {
        texts.push(text(&mut compressor, element, style)?);
    }
    Ok(texts)
}

/// The text of an element.
fn text(compressor: &mut Compressor, element: &[u8], style: Style) -> Result<Vec<u8>, Fault> {
    let mut text = Vec::new();
    compressor.put(element, style, &mut text).map_err(|error| Fault::system(None, &error))?;
    text.shrink_to_fit();
    Ok(text)
}

fn total_length(texts: &[Vec<u8>]) -> u64 {
    texts.iter().map(|text| text.len() as u64).sum()
}
