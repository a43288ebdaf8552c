//! Collective writing of file sets.

use std::path::Path;

use linkstream::field::{EncodeErrorKind, Field, FieldDocuments, Form, OutgoingMessage};
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Checksum, Precision, Region};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::VolumeKind;

use super::data::Source;
use super::documents::{DATE, LFN, TEXT, UPDATE, unused};
use super::families::{Family, Volumes};
use super::layout::{Layout, OwnPart};
use super::rounds::{ROUND, note};
use super::set_name::{volume_path, volumes};
use super::set_rounds::{NUMBERS, SetRounds, gather, run_heads, stretches};
use super::transfer::{self, Transfer};
use super::volume::Volume;
use crate::Arguments;
use crate::comm::{Comm, CommError, Message, Op};
use crate::error::{Error, Fault};
use crate::file::{Access, Disk, NewFile, OpenFile};
use crate::session::Session;

/// Writes QIO file sets together with all ranks: the bytes of each volume are the ones that a single process would
/// write with [`linkstream::io::VolumeWriter`].
///
/// [`Volumes`] assigns each rank to a rank that writes its sites. That rank writes its volume from the first byte to
/// the last; the other ranks of the family send it their sites in rounds. Ranks that write only for themselves send
/// nothing. The lowest rank that writes has the first volume, with the documents; rank 0 has global data. All ranks
/// make the same calls with the same arguments, except for their layouts and data. A volume without sites is not
/// written. The first bytes of all volumes are written by [`finish`](Self::finish), when all ranks have written the rest:
/// after an error, or if the job is killed, volumes are no LIME files, and the set cannot be read.
///
/// A rank that writes needs memory for the bytes of three rounds. A round has 8 MiB of all ranks of the family together
/// (see [`with_memory`](Self::with_memory)), and at least one site of each. In the order of memory, a rank also needs
/// about 32 bytes for each of its own sites.
///
/// ```
/// use linkstream::field::Form;
/// use linkstream::ildg::GaugeKind;
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream_parallel::Error;
/// use linkstream_parallel::comm::{Comm, Threads};
/// use linkstream_parallel::field::{Grid, Layout, SetReader, SetWriter, Volumes};
/// use linkstream_parallel::file::SystemDisk;
/// # let directory = tempfile::tempdir()?;
///
/// let path = directory.path().join("lattice.lime");
/// let lattice = Extents::new(&[4, 4, 4, 8])?;
/// let grid = Grid::new(&lattice, &[2, 1, 1, 2])?;
/// // Two nodes of two ranks each, and a volume for each node.
/// let outcomes = Threads::on_nodes(4, 2).run(|comm| -> Result<(), Error> {
///     let links = vec![comm.rank() as f32; 128 * 72];
///     let layout = Layout::grid(&grid, comm.rank());
///     let mut set = SetWriter::create(comm, SystemDisk, &path, layout, Volumes::each_node(comm))?;
///     set.next_lfn("lfn://example/lattice");
///     set.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &links[..])?;
///     set.finish()?;
///
///     let mut set = SetReader::open(comm, SystemDisk, &path)?;
///     let mut again = vec![0.0_f32; links.len()];
///     assert!(set.read(0, &Layout::grid(&grid, comm.rank()), &mut again[..])?.is_match());
///     assert!(again == links);
///     set.close()
/// });
/// assert_eq!(outcomes, [Ok(()), Ok(()), Ok(()), Ok(())]);
/// assert!(directory.path().join("lattice.lime.vol0002").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct SetWriter<'c, 't, C, D: Disk> {
    session: Session<'c, C, NewFile<OpenFile<D>>>,
    layout: Layout<'t>,
    family: Family,
    volume: Option<Volume>,
    format: VolumeFormat,
    memory: usize,
    verify: bool,
    /// Text of the file message, until it is written.
    title: &'t str,
    has_begun: bool,
    /// The calls so far, which must be the same on all ranks.
    arguments: Arguments,
    next: Next<'t>,
    /// A call without meaning, which the next collective call reports.
    fault: Option<Fault>,
}

/// Texts of the next field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Next<'t> {
    text: &'t str,
    date: Option<Date>,
    update: Option<&'t str>,
    lfn: Option<&'t str>,
}

impl<'t> Next<'t> {
    /// Refuses something that has been set.
    fn check_unset(&self) -> Result<(), Fault> {
        unused([
            (!self.text.is_empty(), TEXT),
            (self.date.is_some(), DATE),
            (self.update.is_some(), UPDATE),
            (self.lfn.is_some(), LFN),
        ])
    }

    fn message<'m>(&self, documents: &'m FieldDocuments) -> OutgoingMessage<'m>
    where
        't: 'm,
    {
        let mut message = documents.message(self.text.as_bytes());
        if let Some(update) = self.update {
            message = message.with_update(update);
        }
        if let Some(lfn) = self.lfn {
            message = message.with_lfn(lfn);
        }
        message
    }
}

/// The site list, as the ranks of a field whose sites are their entries.
struct List {
    field: Field,
    part: OwnPart,
    rounds: SetRounds,
}

/// A field that has been begun on all ranks.
struct Begun<'t> {
    documents: FieldDocuments,
    next: Next<'t>,
    field: Field,
    part: OwnPart,
    /// The site list, unless it has been written.
    list: Option<List>,
}

fn refused(error: &EncodeErrorKind) -> Fault {
    Fault::usage(error.to_string())
}

impl<'c, 't, C: Comm, D: Disk> SetWriter<'c, 't, C, D> {
    /// Collective: creates the volumes of a set, or replaces existing ones. `path` is the name of the set, without the
    /// numbers of volumes. All fields are on the lattice of the layout.
    ///
    /// # Errors
    /// The layouts of the ranks are not a layout of one lattice; [`Volumes`] name a rank that does not exist or does not
    /// write for itself; or there are volumes of this name with other numbers, which would look like a part of the
    /// set: nothing is created then. A volume cannot be created.
    pub fn create(
        comm: &'c C,
        disk: D,
        path: &Path,
        layout: Layout<'t>,
        volumes: Volumes,
    ) -> Result<Self, Error> {
        let checked = layout.check();
        let arguments = Arguments::new("create a file set")
            .text("path", path.as_os_str().as_encoded_bytes())
            .choice("the volume format", &volumes.format());
        arguments.enter(comm, Ok(()))?;
        let covered = layout.cover(comm);
        let (rank, format) = (comm.rank(), volumes.format());
        let family = Family::agree(comm, &layout, &volumes, checked.and(covered), |has_volume| {
            no_others(comm, &disk, path, format, has_volume)
        })?;
        let has_volume = family.has_volume(rank);
        let own = volume_path(path, format, rank as u64);
        let opened = make_directory(&disk, has_volume.then_some(&own), format)
            .and_then(|()| OpenFile::open(disk, has_volume, &own, Access::Write));
        let (session, ()) = Session::begin(comm, opened.map(|file| (NewFile::from_offset(file, 0), ())))?;
        let kind = if rank == family.first { VolumeKind::First } else { VolumeKind::Other };
        let volume = has_volume.then(|| Volume::new(kind, family.sites, family.bounds[1]));
        Ok(Self {
            session,
            layout,
            family,
            volume,
            format,
            memory: ROUND,
            verify: false,
            title: "",
            has_begun: false,
            arguments: Arguments::new("write a field"),
            next: Next::default(),
            fault: None,
        })
    }

    /// Sets the memory for the data of a round on each rank that writes, in bytes. All ranks set the same.
    pub const fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets whether the ranks that write read everything again before the checksum is written, and compare it. See
    /// [`FieldWriter::verify_written`](super::FieldWriter::verify_written).
    pub const fn verify_written(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Sets the text of the `scidac-file-xml`, which is written before the first field. Too late after it: the next
    /// collective call returns the error.
    pub fn set_title(&mut self, text: &'t str) {
        self.arguments = self.arguments.number(1).text("title", text.as_bytes());
        if self.has_begun {
            self.fault.get_or_insert(Fault::usage("the title of a file set is set before its first field"));
        }
        self.title = text;
    }

    /// Sets the text of the `scidac-record-xml` of the next field.
    pub fn next_text(&mut self, text: &'t str) {
        self.arguments = self.arguments.number(2).text("text", text.as_bytes());
        self.next.text = text;
    }

    /// Sets the date of the next field; without this call it is 1 January 1970.
    pub fn next_date(&mut self, date: Date) {
        self.arguments = self.arguments.number(3).text("date", date.to_string().as_bytes());
        self.next.date = Some(date);
    }

    /// Sets the `ildg-update` of the next field, a string of digits (ILDG 1.2, section 2.4).
    pub fn next_update(&mut self, update: &'t str) {
        self.arguments = self.arguments.number(4).text("update", update.as_bytes());
        self.next.update = Some(update);
    }

    /// Sets the logical file name, which is written with the next field. A file has only one.
    pub fn next_lfn(&mut self, name: &'t str) {
        self.arguments = self.arguments.number(5).text("lfn", name.as_bytes());
        self.next.lfn = Some(name);
    }

    /// Collective: writes a gauge field. Returns the checksum of the whole field. A set has SciDAC records:
    /// [`Form::Ildg`] is refused.
    ///
    /// # Errors
    /// The codec refuses the field, the data of a rank do not suit it, or bytes cannot be written.
    pub fn gauge_field(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        data: impl Source,
    ) -> Result<Checksum, Error> {
        let documents = FieldDocuments::gauge_field(kind, precision, form, self.layout.lattice());
        self.field(documents.map_err(|error| refused(&error)), data)
    }

    /// Collective: writes data that a SciDAC record describes, on the lattice, on a hypercube, or global data. A rank
    /// has the sites of its layout that the data cover; rank 0 has global data. Returns the checksum of all data.
    ///
    /// # Errors
    /// The errors of [`gauge_field`](Self::gauge_field).
    pub fn scidac_field(&mut self, record: PrivateRecord, data: impl Source) -> Result<Checksum, Error> {
        self.field(Ok(FieldDocuments::scidac(record)), data)
    }

    /// Collective: checks that the set can end here, waits until all bytes are on the storage device, and closes the
    /// volumes.
    ///
    /// # Errors
    /// A text, a date, an update number or a name was set and no field followed; bytes may be lost; or an earlier call
    /// failed.
    pub fn finish(self) -> Result<(), Error> {
        let Self { mut session, layout, family, mut volume, format, memory, verify, .. } = self;
        let Self { title, has_begun, next, fault, arguments, .. } = self;
        let arguments = arguments.number(6).text("the call", b"finish");
        session.enter(arguments.word("memory", memory as u64).flag("verify", verify))?;
        let document = PrivateFile::new(layout.lattice()).with_volume_format(format);
        let message = OutgoingMessage::file(&document, title.as_bytes());
        session.call(|comm, file| {
            let mut complete = Ok(());
            if !has_begun {
                if let Some(volume) = &mut volume {
                    volume.set(memory, verify);
                }
                let (mut largest, field, part) =
                    Self::list(&layout, format, &family, memory, comm.rank() == 0)?;
                comm.combine(Op::Max, &mut largest)?;
                let rounds = SetRounds::new(&family, &field, &part, memory, &largest);
                let list = List { field, part, rounds };
                note(&mut complete, write_list(&list, &message, comm, &family, &mut volume, file))?;
            }
            if let (Ok(()), Some(volume)) = (&complete, &mut volume) {
                complete = volume.complete().and_then(|()| volume.flush(file));
            }
            let used = fault.map_or_else(|| next.check_unset(), Err);
            file.close_if(comm, used.and(complete), verify)
        })
    }

    fn field(
        &mut self,
        documents: Result<FieldDocuments, Fault>,
        mut data: impl Source,
    ) -> Result<Checksum, Error> {
        let (begun, rounds) = self.begin(documents, &data)?;
        let own = self.data(&begun, &rounds, &mut data)?;
        let Self { session, volume, .. } = self;
        session.call(|comm, file| {
            let sum = transfer::combined(comm, own)?;
            if let Some(volume) = volume.as_mut().filter(|_| comm.rank() == self.family.first) {
                volume.checksum(file, &begun.next.message(&begun.documents), sum)?;
                volume.flush(file)?;
            }
            Ok(sum)
        })
    }

    /// The sites of this rank in a field, in the order of the volume.
    fn part(
        layout: &Layout<'_>,
        format: VolumeFormat,
        field: &Field,
        is_root: bool,
    ) -> Result<OwnPart, Fault> {
        let part = layout.of_field(field, is_root)?;
        let in_order = format == VolumeFormat::Multifile;
        Ok(if in_order { layout.in_order_of_memory(field, part) } else { part })
    }

    /// Begins a field on all ranks, and agrees on its rounds.
    fn begin(
        &mut self,
        documents: Result<FieldDocuments, Fault>,
        data: &impl Source,
    ) -> Result<(Begun<'t>, SetRounds), Error> {
        let Self {
            session, layout, family, format, memory, verify, arguments, fault, next, has_begun, ..
        } = self;
        // All calls so far, in order.
        *arguments = arguments
            .number(7)
            .text("the call", b"field")
            .word("memory", *memory as u64)
            .flag("verify", *verify)
            .choice("the field", &documents);
        session.enter(*arguments)?;
        *arguments = arguments.unnamed();
        let (mut largest, next) = ([0; 2 * NUMBERS], std::mem::take(next));
        let begins = !std::mem::replace(has_begun, true);
        let begun = session.call_with(&mut largest, |comm, _, largest| {
            fault.take().map_or(Ok(()), Err)?;
            let mut documents = documents?;
            if let Some(date) = next.date {
                documents = documents.dated(date);
            }
            let field = documents.layout(layout.lattice()).map_err(|error| refused(&error))?;
            let part = Self::part(layout, *format, &field, comm.rank() == 0)?;
            data.check(&field, part.sites(), layout.place(&field).as_deref())?;
            largest[..NUMBERS].copy_from_slice(&SetRounds::require(family, &field, &part, *memory));
            let mut list = None;
            if begins {
                let (own, field, part) = Self::list(layout, *format, family, *memory, comm.rank() == 0)?;
                largest[NUMBERS..2 * NUMBERS].copy_from_slice(&own);
                list = Some((field, part));
            }
            Ok((documents, field, part, list))
        })?;
        let (documents, field, part, list) = begun;
        let [of_data, of_list] = [0, NUMBERS].map(|at| &largest[at..]);
        let comm = session.comm();
        let rounds = |field: &Field, part: &OwnPart, largest: &[u64]| {
            let rounds = SetRounds::new(family, field, part, *memory, largest);
            let lost = |error: CommError| Error { rank: comm.rank(), fault: error.into() };
            rounds.without_empty(comm, family, part).map_err(lost)
        };
        let list = match list {
            Some((field, part)) => Some(List { rounds: rounds(&field, &part, of_list)?, field, part }),
            None => None,
        };
        let rounds = rounds(&field, &part, of_data)?;
        Ok((Begun { documents, next, field, part, list }, rounds))
    }

    /// The site list, and the requirements of this rank for its rounds.
    fn list(
        layout: &Layout<'_>,
        format: VolumeFormat,
        family: &Family,
        memory: usize,
        is_root: bool,
    ) -> Result<([u64; NUMBERS], Field, OwnPart), Fault> {
        // An entry has at most as many bytes as a site of this field.
        let entries = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64));
        let field = entries.layout(layout.lattice()).map_err(|error| refused(&error))?;
        let part = Self::part(layout, format, &field, is_root)?;
        Ok((SetRounds::require(family, &field, &part, memory), field, part))
    }

    /// Writes the documents before the data, and the data. Returns the checksum of the data of this rank.
    fn data(
        &mut self,
        begun: &Begun<'_>,
        rounds: &SetRounds,
        data: &mut impl Source,
    ) -> Result<Checksum, Error> {
        let Self { session, layout, family, volume, format, memory, verify, title, .. } = self;
        let Begun { documents, next, field, part, list } = begun;
        let document = PrivateFile::new(layout.lattice()).with_volume_format(*format);
        let of_file = OutgoingMessage::file(&document, title.as_bytes());
        let head = if field.region == Region::Global { family.first } else { family.head };
        session.call(|comm, file| {
            let message = next.message(documents);
            let sites = sites_of_family(comm, rounds, field, part, head)?;
            let mut outcome = Ok(());
            if let Some(volume) = volume {
                volume.set(*memory, *verify);
            }
            if let Some(list) = list {
                note(&mut outcome, write_list(list, &of_file, comm, family, volume, file))?;
            }
            if let (Ok(()), Some(volume)) = (&outcome, volume.as_mut()) {
                outcome = volume.begin(file, &message, sites);
            }
            let mut transfer = Transfer::new(layout, field);
            for round in 0..rounds.number {
                if outcome.is_ok() {
                    outcome = transfer.fill(rounds.windows(part, round), data);
                }
                let is_good = outcome.is_ok();
                if rounds.is_shared {
                    // Every rank enters the call, with nothing after an error.
                    let own = is_good.then(|| Message {
                        rank: head,
                        bytes: gather(field, transfer.windows(), Some(transfer.bytes())),
                    });
                    let inbox = comm.exchange(own.into_iter().collect())?;
                    if let (Ok(()), Some(volume)) = (&outcome, volume.as_mut()) {
                        for (start, count, bytes) in run_heads(&inbox, field.bytes_per_site)? {
                            note(&mut outcome, volume.sites(file, field, start, count, bytes))?;
                        }
                    }
                } else if let (Ok(()), Some(volume)) = (&outcome, volume.as_mut()) {
                    let mut rest = transfer.bytes();
                    for (start, count) in stretches(field, transfer.windows()) {
                        let (bytes, after) = rest.split_at((count * field.bytes_per_site) as usize);
                        note(&mut outcome, volume.sites(file, field, start, count, bytes))?;
                        rest = after;
                    }
                }
            }
            if let (Ok(()), Some(volume)) = (&outcome, volume.as_mut()) {
                outcome = volume.go_on(file, &message).and_then(|()| volume.flush(file));
            }
            outcome.map(|()| transfer.checksum())
        })
    }
}

/// Collective: writes the file message with the site list. Without an agreement on the outcome.
fn write_list<C: Comm, D: Disk>(
    List { field, part, rounds }: &List,
    message: &OutgoingMessage<'_>,
    comm: &C,
    family: &Family,
    volume: &mut Option<Volume>,
    file: &mut NewFile<OpenFile<D>>,
) -> Result<(), Fault> {
    let mut outcome = volume.as_mut().map_or(Ok(()), |volume| volume.begin(file, message, 0));
    for round in 0..rounds.number {
        let windows = rounds.windows(part, round);
        let mut all = Vec::new();
        if rounds.is_shared {
            // Every rank enters the call, with nothing after an error.
            let own =
                outcome.is_ok().then(|| Message { rank: family.head, bytes: gather(field, &windows, None) });
            let inbox = comm.exchange(own.into_iter().collect())?;
            all.extend(run_heads(&inbox, 0)?.into_iter().map(|(start, count, _)| (start, count)));
        } else {
            all.extend(stretches(field, &windows));
        }
        for (start, count) in all {
            if let (Ok(()), Some(volume)) = (&outcome, volume.as_mut()) {
                outcome = volume.entries(file, start..start + count);
            }
        }
    }
    if let (Ok(()), Some(volume)) = (&outcome, volume.as_mut()) {
        outcome = volume.go_on(file, message);
    }
    outcome
}

/// Number of sites of a family that have data of a field on a hypercube. One exchange, if ranks write for others.
fn sites_of_family(
    comm: &impl Comm,
    rounds: &SetRounds,
    field: &Field,
    part: &OwnPart,
    head: usize,
) -> Result<u64, Fault> {
    if !rounds.is_shared || !matches!(field.region, Region::Hypercube(_)) {
        return Ok(part.sites());
    }
    let own = Message { rank: head, bytes: part.sites().to_le_bytes().to_vec() };
    let inbox = comm.exchange(vec![own])?;
    let sites =
        inbox.iter().map(|message| message.bytes.as_chunks().0.first().map_or(0, |n| u64::from_le_bytes(*n)));
    Ok(sites.sum())
}

/// Collective: checks that all existing volumes of this name are replaced. Rank 0 lists them, and each rank whose
/// volume is among them reports it.
fn no_others<D: Disk>(
    comm: &impl Comm,
    disk: &D,
    path: &Path,
    format: VolumeFormat,
    has_volume: bool,
) -> Result<(), Fault> {
    let mut listed = Ok(Vec::new());
    if comm.rank() == 0 {
        listed = match volumes(disk, path) {
            Ok((numbers, found)) => {
                let in_directories = format == VolumeFormat::PartitionDirectory;
                let is_other = (found == VolumeFormat::PartitionDirectory) != in_directories;
                Ok(if is_other && !numbers.is_empty() { vec![u64::MAX] } else { numbers })
            }
            // The directory of the set is created, or the volume cannot be.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Fault::system(None, &error)),
        };
    }
    // Volumes that are replaced, one bit for each rank.
    let mut replaced = vec![0_u64; comm.size().div_ceil(64)];
    replaced[comm.rank() / 64] |= u64::from(has_volume) << (comm.rank() % 64);
    comm.combine(Op::Xor, &mut replaced)?;
    let is_replaced = |number: &u64| {
        let word = usize::try_from(number / 64).ok().and_then(|word| replaced.get(word));
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    };
    match listed?.iter().find(|number| !is_replaced(number)) {
        None => Ok(()),
        Some(&u64::MAX) => {
            Err(Fault::usage("there are volumes of this name in another arrangement of directories"))
        }
        Some(number) => Err(Fault::usage(format!("there is another volume of this name: {number}"))),
    }
}

fn make_directory(
    disk: &impl Disk,
    volume: Option<&std::path::PathBuf>,
    format: VolumeFormat,
) -> Result<(), Fault> {
    let parent = volume.filter(|_| format == VolumeFormat::PartitionDirectory).and_then(|path| path.parent());
    parent.map_or(Ok(()), |parent| disk.make_directory(parent)).map_err(|error| Fault::system(None, &error))
}
