//! Collective writing of single files.

use std::path::Path;

use linkstream::field::{Field, FieldDocuments, Form};
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Checksum, Precision};
use linkstream::scidac::{Date, PrivateRecord};
use linkstream_memory as memory;

use super::data::Source;
use super::documents::{Content, Documents, Staged};
use super::layout::{Layout, OwnPart};
use super::record::write_rounds;
use super::rounds::{NUMBERS, ROUND, Rounds, note};
use super::transfer::{self, Transfer};
use crate::arguments::Arguments;
use crate::comm::Comm;
use crate::error::{Error, Fault};
use crate::file::{Engine, NewFile, Piece, PieceMut, SharedFile};
use crate::session::Session;

/// Writes SciDAC and ILDG files together with all ranks: the bytes of the file are the ones that a single process would
/// write with [`linkstream::io::FieldWriter`].
///
/// All ranks make the same calls with the same arguments, except for their layouts and data. Rank 0 writes the
/// documents, in two requests for each field; the file message is part of the first one. The data are written in
/// rounds, with one collective call each. Beside the memory of the engine, a rank needs memory for the bytes of one
/// round (8 MiB, see [`with_memory`](Self::with_memory)) and for a list of their stretches in the file. The first bytes of
/// the file are written by [`finish`](Self::finish): after an error, or if the job is killed, what is there is no LIME file.
///
/// ```
/// use linkstream::field::Form;
/// use linkstream::ildg::GaugeKind;
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream_parallel::comm::{Comm, Threads};
/// use linkstream_parallel::field::{FieldReader, FieldWriter, Grid, Layout};
/// use linkstream_parallel::file::{IoRanks, SystemDisk};
/// use linkstream_parallel::Error;
/// # let directory = tempfile::tempdir()?;
///
/// let path = directory.path().join("lattice.lime");
/// let lattice = Extents::new(&[4, 4, 4, 8])?;
/// let grid = Grid::new(&lattice, &[2, 1, 1, 2])?;
/// let outcomes = Threads::new(4).run(|comm| -> Result<(), Error> {
///     let engine = IoRanks::new(comm, SystemDisk).expect("threads can communicate");
///     let layout = || Layout::grid(&grid, comm.rank());
///     let links = vec![comm.rank() as f32; 128 * 72];
///     let mut file = FieldWriter::create(comm, &engine, &path, layout())?;
///     file.next_lfn("lfn://example/lattice");
///     file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &links[..])?;
///     file.finish()?;
///
///     let mut file = FieldReader::open(comm, &engine, &path)?;
///     let mut again = vec![0.0_f64; links.len()];
///     let verdict = file.read(0, &layout(), &mut again[..])?;
///     assert!(verdict.is_match() && again[0] == f64::from(links[0]));
///     file.close()
/// });
/// assert_eq!(outcomes, [Ok(()), Ok(()), Ok(()), Ok(())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct FieldWriter<'c, 't, C, F> {
    session: Session<'c, C, NewFile<F>>,
    documents: Documents<'t>,
    layout: Layout<'t>,
    memory: usize,
    verify: bool,
    /// The calls so far, which must be the same on all ranks.
    arguments: Arguments,
    has_fields: bool,
    /// A call that the codec has refused, which the next collective call reports.
    fault: Option<Fault>,
}

/// A field that has been begun on all ranks.
struct Begun {
    documents: FieldDocuments,
    field: Field,
    part: OwnPart,
    before: Staged,
}

impl<'c, 't, C: Comm, F: SharedFile<C>> FieldWriter<'c, 't, C, F> {
    /// Collective: creates a file, or truncates an existing one at once. All fields are on the lattice of the layout.
    ///
    /// # Errors
    /// The layouts of the ranks are not a layout of one lattice: nothing is created then. The file cannot be created.
    pub fn create<E: Engine<C, File = F>>(
        comm: &'c C,
        engine: &E,
        path: &Path,
        layout: Layout<'t>,
    ) -> Result<Self, Error> {
        Self::placed(comm, engine, path, layout, false)
    }

    /// Collective: like [`create`](Self::create), but the file is called `.NAME.part` until
    /// [`finish`](Self::finish) has succeeded: an existing file stays as it is until then. After an error, or if this
    /// structure is dropped, the incomplete file is removed.
    ///
    /// # Errors
    /// The errors of [`create`](Self::create), or another job is writing the file.
    pub fn replace<E: Engine<C, File = F>>(
        comm: &'c C,
        engine: &E,
        path: &Path,
        layout: Layout<'t>,
    ) -> Result<Self, Error> {
        Self::placed(comm, engine, path, layout, true)
    }

    fn placed<E: Engine<C, File = F>>(
        comm: &'c C,
        engine: &E,
        path: &Path,
        layout: Layout<'t>,
        replaces: bool,
    ) -> Result<Self, Error> {
        let arguments = Arguments::new("create a file of fields");
        let arguments = arguments.text("path", path.as_os_str().as_encoded_bytes()).flag("replace", replaces);
        arguments.enter(comm, layout.check())?;
        // The outcome is the same on all ranks.
        layout.cover(comm).map_err(|fault| Error { rank: 0, fault })?;
        let documents = Documents::new(*layout.lattice(), comm.rank() == 0);
        let file = NewFile::create(comm, engine, path, replaces);
        let (session, ()) = Session::begin(comm, file.map(|file| (file, ())))?;
        let arguments = Arguments::new("write a field");
        Ok(Self {
            session,
            documents,
            layout,
            memory: ROUND,
            verify: false,
            arguments,
            has_fields: false,
            fault: None,
        })
    }

    /// Sets the memory for the data of a round on each rank, in bytes. All ranks set the same.
    pub const fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets whether the ranks read everything again before the checksum is written, and compare it: for file systems or
    /// engines that report success for bytes that were not written. Bytes that are still in the memory of the computer
    /// that wrote them are read from there.
    pub const fn verify_written(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Sets the text of the file's `scidac-file-xml`, which is written with the first field that has a SciDAC record.
    /// Too late after it: the next collective call returns the error.
    pub fn set_title(&mut self, text: &'t str) {
        self.arguments = self.arguments.number(1).text("title", text.as_bytes());
        if let Err(fault) = self.documents.set_title(text) {
            self.fault.get_or_insert(fault);
        }
    }

    /// Sets the text of the `scidac-record-xml` of the next field.
    pub fn next_text(&mut self, text: &'t str) {
        self.arguments = self.arguments.number(2).text("text", text.as_bytes());
        self.documents.next_text(text);
    }

    /// Sets the date of the next field; without this call it is 1 January 1970.
    pub fn next_date(&mut self, date: Date) {
        self.arguments = self.arguments.number(3).text("date", date.to_string().as_bytes());
        self.documents.next_date(date);
    }

    /// Sets the `ildg-update` of the next field, a string of digits (ILDG 1.2, section 2.4).
    pub fn next_update(&mut self, update: &'t str) {
        self.arguments = self.arguments.number(4).text("update", update.as_bytes());
        self.documents.next_update(update);
    }

    /// Sets the logical file name, which is written with the next field. A file has only one.
    pub fn next_lfn(&mut self, name: &'t str) {
        self.arguments = self.arguments.number(5).text("lfn", name.as_bytes());
        self.documents.next_lfn(name);
    }

    /// Collective: writes a gauge field. Returns the checksum of the whole field.
    ///
    /// # Errors
    /// The codec refuses the field (see [`linkstream::io::FieldWriter::write`]), the data of a rank do not suit
    /// it, or bytes cannot be written.
    pub fn gauge_field(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        data: impl Source,
    ) -> Result<Checksum, Error> {
        self.field(Content::Gauge(kind, precision, form), data)
    }

    /// Collective: writes data that a SciDAC record describes, on the lattice, on a hypercube, or global data. A rank
    /// has the sites of its layout that the data cover; rank 0 has global data. Returns the checksum of all data.
    ///
    /// ```
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    /// use linkstream_parallel::comm::Solo;
    /// use linkstream_parallel::field::{FieldWriter, Grid, Layout, Sites};
    /// use linkstream_parallel::file::{Direct, SystemDisk};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("file");
    ///
    /// let layout = Layout::grid(&Grid::new(&Extents::new(&[4, 4])?, &[1])?, 0);
    /// let mut file = FieldWriter::create(&Solo, &Direct::<SystemDisk>::default(), &path, layout)?;
    /// file.scidac_field(PrivateRecord::real_field(Precision::F64), &[0.5_f64; 16][..])?;
    /// file.scidac_field(PrivateRecord::real_field(Precision::F64), Sites::new(|site, numbers: &mut [f64]| {
    ///     numbers[0] = f64::from(site.coordinates().as_slice()[1]);
    ///     Ok(())
    /// }))?;
    /// file.scidac_field(PrivateRecord::global(Precision::F64, 3), &[1.0_f64, 2.0, 3.0][..])?;
    /// file.finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`gauge_field`](Self::gauge_field).
    pub fn scidac_field(&mut self, record: PrivateRecord, data: impl Source) -> Result<Checksum, Error> {
        self.field(Content::Scidac(Box::new(record)), data)
    }

    /// Collective: checks that the file can end here, waits until all bytes are on the storage device, and closes it.
    ///
    /// # Errors
    /// There are no fields; a title, a text, a date, an update number or a name was set and no field followed; bytes may
    /// be lost; or an earlier call failed.
    pub fn finish(mut self) -> Result<(), Error> {
        let Self { session, documents, has_fields, fault, arguments, verify, .. } = &mut self;
        session.enter(arguments.number(6).text("the call", b"finish"))?;
        session.call(|comm, file| {
            let empty = (!*has_fields).then(|| Fault::usage("no field was written: the file is empty"));
            let complete = fault.take().or(empty).map_or(Ok(()), Err).and_then(|()| documents.complete());
            file.close_if(comm, complete, *verify)
        })
    }

    fn field(&mut self, content: Content, mut data: impl Source) -> Result<Checksum, Error> {
        let (begun, rounds) = self.begin(content, &data)?;
        let sum = self.data(&begun, rounds, &mut data)?;
        if self.verify {
            self.read_back(&begun, rounds, sum)?;
        }
        self.has_fields = true;
        let Self { session, documents, verify, .. } = self;
        session.call(|comm, file| {
            let sum = transfer::combined(comm, sum)?;
            let after = documents.end(&begun.documents, sum)?;
            put(comm, file, &after, *verify).map(|()| sum)
        })
    }

    /// Begins a field on all ranks, and agrees on its rounds.
    fn begin(&mut self, content: Content, data: &impl Source) -> Result<(Begun, Rounds), Error> {
        let Self { session, documents, layout, memory, verify, arguments, fault, .. } = self;
        // All calls so far, in order.
        *arguments = arguments
            .number(7)
            .text("the call", b"field")
            .word("memory", *memory as u64)
            .flag("verify", *verify)
            .choice("the field", &content);
        session.enter(*arguments)?;
        *arguments = arguments.unnamed();
        let mut largest = [0; NUMBERS];
        let begun = session.call_with(&mut largest, |comm, _, largest| {
            fault.take().map_or(Ok(()), Err)?;
            let (documents, field, before) = documents.begin(content)?;
            let part = layout.of_field(&field, comm.rank() == 0)?;
            data.check(&field, part.sites(), layout.place(&field).as_deref())?;
            largest.copy_from_slice(&Rounds::require(&field, &part, *memory));
            Ok(Begun { documents, field, part, before })
        })?;
        let rounds = Rounds::new(&begun.field, self.memory, &largest);
        Ok((begun, rounds))
    }

    /// Writes the documents before the data, and the data. Returns the checksum of the data of this rank.
    fn data(&mut self, begun: &Begun, rounds: Rounds, data: &mut impl Source) -> Result<Checksum, Error> {
        let Self { session, layout, verify, .. } = self;
        session.call(|comm, file| {
            let outcome = put(comm, file, &begun.before, *verify);
            let Begun { field, part, .. } = begun;
            write_rounds(comm, file, layout, field, Some(part), rounds, data, outcome)
        })
    }

    /// Reads the data again, and compares their checksum on each rank.
    fn read_back(&mut self, begun: &Begun, rounds: Rounds, sum: Checksum) -> Result<(), Error> {
        let Self { session, layout, .. } = self;
        session.call(|comm, file| {
            let mut outcome = Ok(());
            let mut transfer = Transfer::new(layout, &begun.field);
            for round in 0..rounds.number {
                note(&mut outcome, transfer.prepare(rounds.windows(&begun.part, round)))?;
                let mut pieces = if outcome.is_ok() { transfer.pieces_mut() } else { Vec::new() };
                note(&mut outcome, file.read_all(comm, &mut pieces))?;
                if outcome.is_ok() {
                    outcome = transfer.sum();
                }
            }
            outcome?;
            if transfer.checksum() == sum {
                Ok(())
            } else {
                Err(Fault::lost(begun.field.record.payload_offset()))
            }
        })
    }
}

/// Rank 0 writes documents and, if they are to be verified, reads them again.
fn put<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    staged: &Staged,
    verify: bool,
) -> Result<(), Fault> {
    let Staged { offset, bytes } = staged;
    if comm.rank() != 0 || bytes.is_empty() {
        return Ok(());
    }
    file.write_at(Piece { offset: *offset, bytes })?;
    if verify {
        let mut again = memory::zeroed(bytes.len())?;
        let read = file.read_at(PieceMut { offset: *offset, bytes: &mut again })?;
        if read != bytes.len() || again != *bytes {
            return Err(Fault::lost(*offset));
        }
    }
    Ok(())
}
