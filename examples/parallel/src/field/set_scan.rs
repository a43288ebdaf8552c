//! The volumes of a file set before their data are read: the documents, the fields, and the sites of each volume.

use std::path::{Path, PathBuf};

use linkstream::field::Field;
use linkstream::io::{ReadError, VolumeReader};
use linkstream::lattice::{Extents, Region};
use linkstream::lime::{HEADER_LEN, Record};
use linkstream::scidac::{self, StoredChecksum, VolumeFormat};
use linkstream::volume::{Decoder, ErrorKind, Event, SiteAccount, VolumeKind};
use linkstream::{CallbackError, Diagnostic as _, Error, Mode, Severity, ildg};

use super::fingerprint::{self, Fingerprint};
use super::scan::{BUFFER, Contents, Described, FoundField, LONG, Texts};
use super::source::{FileSource, Kept};
use crate::comm::Comm;
use crate::error::Fault;
use crate::file::{Disk, OpenFile, PieceMut};

/// Number of bytes of a site list that are read at a time.
const LIST: usize = 1 << 20;

/// Number of bytes of documents and site list that are read at a time.
const WINDOW: usize = 64 << 10;

/// A volume that one rank reads.
#[derive(Debug, Clone)]
pub(super) struct ReadVolume {
    pub(super) path: PathBuf,
    /// The state of the decoder at the end of the volume.
    pub(super) decoder: Decoder,
    /// The data records of the fields, in the order of the fields.
    pub(super) data: Vec<Option<Record>>,
    /// Number of entries of the site list.
    pub(super) sites: u64,
}

/// The stored checksum of a field, and the offset of its document.
pub(super) type Stored = Option<(StoredChecksum, u64)>;

/// The name of a volume in front of a message, since the offset alone does not identify a byte of a set.
pub(super) fn of_volume(path: &Path, fault: Fault) -> Fault {
    if fault.kind != crate::ErrorKind::File {
        return fault;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let name = if folder.starts_with("vol") { format!("{folder}/{name}") } else { name.into_owned() };
    Fault { message: format!("{name}: {}", fault.message), ..fault }
}

/// Error of a rule of volumes.
pub(super) fn broken(error: Error<ErrorKind>) -> Fault {
    let Error { at, kind, .. } = error;
    Fault::codec(at, kind.class(), kind.rule(), kind)
}

/// An error of the set as a whole, without an offset.
pub(super) fn of_set(kind: ErrorKind) -> Fault {
    Fault { offset: None, ..broken(Error::new(0, kind)) }
}

/// Returns whether a volume begins with the documents of a set.
pub(super) fn begins_as_first<D: Disk>(file: &mut OpenFile<D>) -> Result<bool, Fault> {
    let mut header = [0; HEADER_LEN];
    file.take(PieceMut { offset: 0, bytes: &mut header })?;
    let kind = scidac::PRIVATE_FILE_XML.as_bytes();
    Ok(header[16..].starts_with(kind) && header[16 + kind.len()] == 0)
}

/// Reads everything but the data of a volume in strict mode, up to its end. The first volume describes the fields, which
/// are added to `contents`; the others are compared with them.
pub(super) fn scan_volume<C: Comm, D: Disk>(
    file: &mut OpenFile<D>,
    path: &Path,
    contents: Option<&[FoundField]>,
) -> Result<(ReadVolume, Contents, Vec<Stored>), Fault> {
    scan_records::<C, D>(file, path, contents).map_err(|fault| of_volume(path, fault))
}

fn scan_records<C: Comm, D: Disk>(
    file: &mut OpenFile<D>,
    path: &Path,
    others: Option<&[FoundField]>,
) -> Result<(ReadVolume, Contents, Vec<Stored>), Fault> {
    let mut kept = Kept::default();
    let source = FileSource::<C, _>::new(file, &mut kept, 0);
    let mut reader = VolumeReader::new(source, [0; 1], vec![0; WINDOW], Decoder::new(Mode::Strict));
    let (mut contents, mut stored) = (Contents::default(), Vec::new());
    let mut data = Vec::new();
    let mut expected =
        others.into_iter().flatten().enumerate().filter(|(_, found)| found.layout().region != Region::Global);
    let mut next = expected.next();
    if let Some(others) = others {
        data = vec![None; others.len()];
        expect(reader.decoder_mut(), next.map(|(_, found)| found.layout()));
    }
    let (mut texts, mut has_format, mut record) = (Texts::default(), false, Record::default());
    loop {
        let event = match reader.next() {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(error) => return Err(reader.into_parts().0.fault(error)),
        };
        let decoder = reader.decoder();
        match event {
            Event::Record(begun) => {
                record = begun;
                has_format |= decoder.content().record_type() == ildg::FORMAT.as_bytes();
            }
            Event::Field => {
                let Some(field) = decoder.field().copied() else { continue };
                if others.is_some() {
                    if let Some((index, _)) = next {
                        data[index] = Some(field.record);
                    }
                    next = expected.next();
                    continue;
                }
                data.push(Some(field.record));
                let Texts { text, lfn, update, .. } =
                    std::mem::take(&mut texts).into_strings(&mut contents.title);
                let decoder = Described::Set(decoder.clone(), std::mem::take(&mut has_format));
                contents.fields.push(FoundField { decoder, field, checksum: None, text, lfn, update });
                stored.push(None);
            }
            Event::Checksum => {
                let sums = decoder.content().stored_checksum();
                if let (Some(last), Some(field)) = (stored.last_mut(), contents.fields.last_mut()) {
                    field.checksum = sums.checksum();
                    *last = Some((sums.clone(), record.payload_offset()));
                }
            }
            Event::End if others.is_some() => {
                expect(reader.decoder_mut(), next.map(|(_, found)| found.layout()));
            }
            _ => {}
        }
    }
    let (_, decoder) = reader.into_parts();
    let list = decoder.site_list().map_or(0, |list| list.length);
    let sites = list / decoder.entry_width().size() as u64;
    if others.is_some() && decoder.kind() == Some(VolumeKind::First) {
        return Err(broken(Error::new(0, ErrorKind::FirstRepeated)));
    }
    drop(expected);
    let _ = texts.into_strings(&mut contents.title);
    // The texts are read by themselves: the reader of volumes does not lend payloads.
    if others.is_none() {
        read_texts::<C, D>(file, &mut kept, &mut contents)?;
    }
    Ok((ReadVolume { path: path.into(), decoder, data, sites }, contents, stored))
}

fn expect(decoder: &mut Decoder, field: Option<&Field>) {
    match field {
        Some(field) => decoder.expect_field(field),
        None => decoder.expect_no_field(),
    }
}

/// Reads the texts of the first volume, which are in the same records as in a single file.
fn read_texts<C: Comm, D: Disk>(
    file: &mut OpenFile<D>,
    kept: &mut Kept,
    contents: &mut Contents,
) -> Result<(), Fault> {
    use linkstream::io::Reader;
    use linkstream::lime;

    let source = FileSource::<C, _>::new(file, kept, 0);
    let mut reader = Reader::new(source, vec![0; BUFFER], lime::Decoder::new(Mode::Strict));
    let (mut texts, mut title) = (Texts::default(), String::new());
    let mut fields = contents.fields.iter_mut();
    let mut is_text = false;
    loop {
        let event = match reader.next() {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(error) => return Err(reader.into_parts().0.fault(error)),
        };
        match event {
            lime::Event::Record(record) => {
                let binary = [scidac::BINARY_DATA, ildg::BINARY_DATA].map(str::as_bytes);
                if binary.contains(&reader.decoder().record_type())
                    && let Some(field) = fields.next()
                {
                    let own = std::mem::take(&mut texts).into_strings(&mut title);
                    (field.text, field.lfn, field.update) = (own.text, own.lfn, own.update);
                }
                is_text = record.length <= LONG && Texts::has(reader.decoder().record_type());
                if !is_text && let Err(error) = reader.skip_seeking() {
                    return Err(reader.into_parts().0.fault(error));
                }
            }
            lime::Event::Payload if is_text => texts.take(reader.decoder().record_type(), reader.bytes()),
            _ => {}
        }
    }
    let _ = texts.into_strings(&mut title);
    contents.title = title;
    Ok(())
}

/// Reads the site list of a volume, and checks what can be checked without the other volumes.
pub(super) fn scan_sites<C: Comm, D: Disk>(
    file: &mut OpenFile<D>,
    volume: &ReadVolume,
    lattice: &Extents,
    format: VolumeFormat,
) -> Result<Fingerprint, Fault> {
    let Some(list) = volume.decoder.site_list() else { return Ok(Fingerprint::default()) };
    let mut kept = Kept::default();
    let source = FileSource::<C, _>::new(file, &mut kept, 0);
    let room = usize::try_from(list.length).unwrap_or(LIST).clamp(8, LIST);
    let mut reader = VolumeReader::new(source, vec![0; room], [0; 1], volume.decoder.clone());
    let mut account = SiteAccount::new(lattice);
    let mut sites = fingerprint::Sites::new();
    account.begin_volume();
    let read = reader.for_each_rank(|rank| {
        account.take(rank);
        // A rank outside the lattice is an error of the account.
        lattice.coordinates(rank).iter().for_each(|site| sites.add(site));
        Ok::<(), Fault>(())
    });
    if let Err(error) = read {
        return Err(of_volume(&volume.path, fault(reader.into_parts().0, error)));
    }
    let is_partition = format != VolumeFormat::Multifile;
    let mut errors = account.end_volume(&list, volume.decoder.entry_width(), is_partition);
    match errors.find(|error| error.kind.severity() >= Severity::Error) {
        Some(error) => Err(of_volume(&volume.path, broken(error))),
        None => Ok(sites.total()),
    }
}

/// The fault that an error of a call with a callback means.
pub(super) fn fault<C: Comm, D: Disk>(
    source: FileSource<'_, C, OpenFile<D>>,
    error: CallbackError<ReadError<std::io::Error, ErrorKind>, Fault>,
) -> Fault {
    match error {
        CallbackError::Failed(error) => source.fault(error),
        CallbackError::Callback(fault) => fault,
    }
}
