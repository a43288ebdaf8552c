//! Reading: the file, headers of sections, and data that one rank reads (scda A.3, A.5.1 to A.5.3).

use std::path::Path;

use linkstream::scda::{self, INLINE_LEN, Section, SectionType};

use super::header::{ReadOptions, SectionHeader};
use super::joined::{read_alone, zeros};
use super::partition::misuse;
use super::parts::{PartDecoder, PartHeader, RankExtent};
use super::sizes::{OwnSizes, damaged, pass_sizes};
use super::unpack::Unpacking;
use super::write::check_root;
use crate::arguments::Arguments;
use crate::comm::Comm;
use crate::error::{Error, Fault};
use crate::file::{Access, Engine, SharedFile};
use crate::session::Session;

/// An scda file that all ranks read together, section by section.
///
/// After [`section_header`](Self::section_header), the data of the section are read, or skipped by
/// [`skip`](Self::skip); then comes the next header. All calls are collective, and all arguments must be the same on all
/// ranks unless something else is said. After an error the file is closed, and later calls return the same error.
///
/// The padding of a section is checked when the next header is read, even if its data were skipped. Read until
/// [`section_header`](Self::section_header) returns `None` to check all of the file.
///
/// ```
/// use linkstream::scda::SectionType;
/// use linkstream_parallel::comm::Solo;
/// use linkstream_parallel::file::Direct;
/// # use linkstream_parallel::scda::{Elements, Partition, Writer};
/// use linkstream_parallel::scda::Reader;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("file.scda");
/// # let engine: Direct = Direct::default();
/// # let mut writer = Writer::create(&Solo, &engine, &path, b"my file", &Default::default())?;
/// # writer.inline(b"32 bytes", 0, &[b'.'; 32])?;
/// # writer.block(b"a compressed text", 0, 5, b"hello", true)?;
/// # writer.varray(b"words", Partition::Own(2), &[3, 5], Elements::Contiguous(b"onethree"), false)?;
/// # writer.close()?;
/// let engine: Direct = Direct::default();
/// let mut reader = Reader::open(&Solo, &engine, &path, &Default::default())?;
/// assert_eq!(reader.userstr(), b"my file");
/// while let Some(header) = reader.section_header(true)? {
///     match header.section_type {
///         SectionType::Block => {
///             let mut text = vec![0; header.e.to_u64().unwrap() as usize];
///             reader.block_data(0, Some(&mut text))?;
///             assert_eq!((header.decode, &text[..]), (true, &b"hello"[..]));
///         }
///         _ => reader.skip()?,
///     }
/// }
/// reader.close()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<'c, C, F> {
    pub(super) session: Session<'c, C, F>,
    pub(super) decoder: PartDecoder,
    pub(super) state: State,
    userstr: Vec<u8>,
    findings: Findings,
}

/// Place in the file, the same on all ranks.
#[derive(Debug)]
pub(super) enum State {
    /// Before a header, or at the end of the file.
    Between,
    /// After the header of a section.
    Header,
    /// After the sizes of a varray.
    Sizes(OwnSizes),
}

/// Broken rules that the mode accepts.
#[derive(Debug, Clone, Copy, Default)]
struct Findings {
    count: u64,
    first: Option<linkstream::Error<scda::ErrorKind>>,
}

impl Findings {
    fn add(&mut self, finding: linkstream::Error<scda::ErrorKind>) {
        self.count += 1;
        self.first = self.first.or(Some(finding));
    }
}

impl State {
    /// The open section, if it is of one of these types.
    pub(super) fn section(&self, decoder: &PartDecoder, types: &[SectionType]) -> Result<Section, Fault> {
        let section = *decoder.section();
        let (found, expected) = (section.section_type, types.iter().map(|each| char::from(each.letter())));
        match self {
            Self::Between => Err(Fault::usage("the header of a section must be read before its data")),
            Self::Header | Self::Sizes(_) if types.contains(&found) => Ok(section),
            Self::Header | Self::Sizes(_) => {
                let (expected, found) = (expected.collect::<String>(), char::from(found.letter()));
                Err(Fault::usage(format!(
                    "this call reads sections of type {expected}, but the type is {found}"
                )))
            }
        }
    }
}

/// Length of the header of a file, in bytes.
const FILE_HEADER: usize = SectionType::Header.head_length() as usize;

impl<'c, C: Comm, F: SharedFile<C>> Reader<'c, C, F> {
    /// Opens a file, and reads the file header (A.3.1). Three small collective calls; rank 0 reads.
    ///
    /// # Errors
    /// The file cannot be opened or read, or it is no scda file.
    pub fn open<E: Engine<C, File = F>>(
        comm: &'c C,
        engine: &E,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let arguments = Arguments::new("open an scda file").text("path", path.as_os_str().as_encoded_bytes());
        arguments.choice("mode", &options.mode).enter(comm, Ok(()))?;
        let opened = open(comm, engine, path, options);
        let (session, (decoder, findings)) = Session::begin(comm, opened)?;
        let userstr = decoder.user().to_vec();
        Ok(Self { session, decoder, state: State::Between, userstr, findings })
    }

    /// The user string of the file, at most 58 bytes.
    pub fn userstr(&self) -> &[u8] {
        &self.userstr
    }

    /// The vendor string of the file, at most 20 bytes.
    pub fn vendor(&self) -> &[u8] {
        self.decoder.vendor()
    }

    /// Sizes of the elements of this rank in bytes, after [`varray_sizes`](Self::varray_sizes) and before the data.
    pub fn sizes(&self) -> Option<&[u64]> {
        match &self.state {
            State::Sizes(own) => Some(&own.sizes),
            State::Between | State::Header => None,
        }
    }

    /// Number of broken rules so far that the mode accepts. They are the same on all ranks.
    pub const fn findings(&self) -> u64 {
        self.findings.count
    }

    /// The first of the [`findings`](Self::findings), with its absolute offset.
    pub const fn first_finding(&self) -> Option<linkstream::Error<scda::ErrorKind>> {
        self.findings.first
    }

    /// Reads the header of the next section (A.5.1); `None` at the end of the file. Three small collective calls, and one
    /// request of rank 0; one more of each for a compressed varray.
    ///
    /// With `decode`, a compressed section is one section (section 3), and its data are decompressed on reading. The
    /// header has whether it is compressed (Table 2). Without `decode`, its two parts are sections by themselves.
    ///
    /// # Errors
    /// The header or the padding before it is damaged, or the file ends in it. The data of the previous section have
    /// been neither read nor skipped.
    pub fn section_header(&mut self, decode: bool) -> Result<Option<SectionHeader>, Error> {
        let arguments = Arguments::new("read a section header").flag("decode", decode);
        let Self { session, decoder, state, findings, .. } = self;
        session.call_checked(arguments, |comm, file| {
            if !matches!(state, State::Between) {
                return Err(Fault::usage(
                    "the data of the section must be read or skipped before the next header",
                ));
            }
            let section = next_header(comm, file, decoder, decode, findings)?;
            if section.is_some() {
                *state = State::Header;
            }
            Ok(section.map(|section| SectionHeader::of(&section, decoder.user())))
        })
    }

    /// Reads the data of an inline section (A.5.2). Two small collective calls; rank `root` reads.
    ///
    /// `dbytes` are filled on rank `root`, unless they are `None`, and ignored on others.
    ///
    /// # Errors
    /// The file ends in the data, there is no rank `root`, or the section is not an inline section.
    pub fn inline_data(&mut self, root: usize, dbytes: Option<&mut [u8; INLINE_LEN]>) -> Result<(), Error> {
        let arguments = Arguments::new("read inline data").word("root", root as u64);
        self.whole(arguments, SectionType::Inline, root, dbytes.map(<[u8; INLINE_LEN]>::as_mut_slice))
    }

    /// Reads the data of a block (A.5.3). Two small collective calls; rank `root` reads.
    ///
    /// `dbytes` are `E` bytes of room, which are filled on rank `root`, unless they are `None`, and ignored on others.
    ///
    /// # Errors
    /// The file ends in the data, or a compressed block is damaged; there is no rank `root`, the section is no block, or
    /// the room has another number of bytes.
    pub fn block_data(&mut self, root: usize, dbytes: Option<&mut [u8]>) -> Result<(), Error> {
        let arguments = Arguments::new("read block data").word("root", root as u64);
        self.whole(arguments, SectionType::Block, root, dbytes)
    }

    fn whole(
        &mut self,
        arguments: Arguments,
        section_type: SectionType,
        root: usize,
        dbytes: Option<&mut [u8]>,
    ) -> Result<(), Error> {
        let Self { session, decoder, state, .. } = self;
        session.call_checked(arguments, |comm, file| {
            let section = state.section(decoder, &[section_type])?;
            check_root(comm, root)?;
            let extent = RankExtent::whole(comm.rank(), &section.stored(), root).map_err(misuse)?;
            decoder.data(extent.total()).map_err(damaged)?;
            *state = State::Between;
            let (Some(dbytes), true) = (dbytes, root == comm.rank()) else { return Ok(()) };
            let length =
                if section_type == SectionType::Block { section.e.get() } else { INLINE_LEN as u128 };
            if dbytes.len() as u128 != length {
                let room = dbytes.len();
                return Err(Fault::usage(format!(
                    "room for {room} bytes was passed, but the section has {length}"
                )));
            }
            let window = extent.data();
            if !section.is_compressed() {
                return read_alone(file, window.offset(), dbytes);
            }
            let mut text = zeros(window.length() as usize)?;
            read_alone(file, window.offset(), &mut text)?;
            let mut unpacking = Unpacking::new(decoder, window.offset());
            unpacking.unpack(&text, &[window.length()], &mut std::iter::once(dbytes))?;
            unpacking.finish()
        })
    }

    /// Skips the data of the section, of any type. Two small collective calls. If the sizes of a varray, or of the
    /// elements of a compressed array, have not been read, they are added up to find the next section: two more small
    /// collective calls, and one collective access for each 32,768 elements of a rank.
    ///
    /// # Errors
    /// No header of a section has been read, or the sizes are damaged.
    pub fn skip(&mut self) -> Result<(), Error> {
        let Self { session, decoder, state, .. } = self;
        session.call_checked(Arguments::new("skip the data of a section"), |comm, file| {
            let all = [SectionType::Inline, SectionType::Block, SectionType::Array, SectionType::Varray];
            let section = state.section(decoder, &all)?;
            let is_done =
                matches!(state, State::Sizes(_)) || section.stored().section_type != SectionType::Varray;
            if !is_done {
                pass_sizes(comm, file, decoder)?;
            }
            *state = State::Between;
            Ok(())
        })
    }

    /// Reads the headers of all sections up to the end of the file, and skips their data: the query function of A.5.1.
    /// Costs as much as [`section_header`](Self::section_header) and [`skip`](Self::skip) for each section.
    ///
    /// # Errors
    /// The errors of these calls.
    pub fn query(&mut self, decode: bool, mut each: impl FnMut(&SectionHeader)) -> Result<(), Error> {
        while let Some(header) = self.section_header(decode)? {
            each(&header);
            self.skip()?;
        }
        Ok(())
    }

    /// Closes the file (A.3.2). Two small collective calls.
    ///
    /// # Errors
    /// An earlier call failed, or the data of the section have been neither read nor skipped.
    pub fn close(mut self) -> Result<(), Error> {
        let state = self.state;
        self.session.call_checked(Arguments::new("close an scda file"), |comm, file| {
            file.close(comm)?;
            match state {
                State::Between => Ok(()),
                _ => Err(Fault::usage(
                    "the data of the section must be read or skipped before the file is closed",
                )),
            }
        })
    }
}

/// Opens a file. Rank 0 reads its size and header, and broadcasts them.
fn open<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    options: &ReadOptions,
) -> Result<(E::File, (PartDecoder, Findings)), Fault> {
    // One byte that shows success, the size, and the header.
    let mut message = [0; 1 + 8 + FILE_HEADER];
    let decoder_for = |size| PartDecoder::new(options.mode, true, size);
    let opened = engine.open(comm, path, Access::Read).and_then(|mut file| {
        if comm.rank() == 0 {
            let size = file.size()?;
            let window = decoder_for(size).header_window();
            read_alone(&mut file, window.offset(), &mut message[9..9 + window.length() as usize])?;
            message[0] = 1;
            message[1..9].copy_from_slice(&size.to_le_bytes());
        }
        Ok(file)
    });
    comm.broadcast(0, &mut message)?;
    let mut file = opened?;
    let (head, header) = message.split_at(9);
    let [1, size @ ..] = head else { return Err(Fault::elsewhere()) };
    let mut decoder = decoder_for(size.iter().rev().fold(0, |size, byte| size << 8 | u64::from(*byte)));
    let window = decoder.header_window();
    let mut findings = Findings::default();
    let header = decoder.header(&header[..window.length() as usize]).map_err(damaged)?;
    if let PartHeader::Finding(finding) = header {
        findings.add(finding);
        next_header(comm, &mut file, &mut decoder, true, &mut findings)?;
    }
    Ok((file, (decoder, findings)))
}

/// Collective: rank 0 reads the next header and broadcasts it. One small collective call and one request for each part.
fn next_header<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    decoder: &mut PartDecoder,
    decode: bool,
    findings: &mut Findings,
) -> Result<Option<Section>, Fault> {
    loop {
        let window = decoder.header_window();
        let length = window.length() as usize;
        // One byte that shows success, and `decode` of rank 0: what follows depends on it on all ranks.
        let mut message = [0; 2 + PartDecoder::HEADER_LEN];
        let message = &mut message[..2 + length];
        let mut read = Ok(());
        if comm.rank() == 0 {
            message[1] = decode.into();
            read = read_alone(file, window.offset(), &mut message[2..]);
            message[0] = read.is_ok().into();
        }
        comm.broadcast(0, message)?;
        read?;
        let [1, decode, header @ ..] = &*message else { return Err(Fault::elsewhere()) };
        decoder.set_decode(*decode == 1);
        match decoder.header(header).map_err(damaged)? {
            PartHeader::Section(section) => return Ok(Some(section)),
            PartHeader::Finding(finding) => findings.add(finding),
            PartHeader::End => return Ok(None),
            PartHeader::More => {}
        }
    }
}
