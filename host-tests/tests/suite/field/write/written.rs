//! Files written again from their content, in every way of writing.

use crate::sinks::{Disk, contents, disk};
use host_tests::drive::Random;
use linkstream::CallbackError;
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::field::{BegunMessage, EncodeErrorKind, Encoder, OutgoingMessage, SiteError, Want};
use linkstream::ildg::Format;
use linkstream::io::{FieldWriter, Fill, WriteError};
use linkstream::lattice::Checksum;
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream::xml::Spacing;

/// The content of one message of a file.
#[derive(Debug, Clone)]
pub struct Content {
    pub foreign: Option<(Vec<u8>, Vec<u8>)>,
    pub file: Option<(PrivateFile, Vec<u8>)>,
    pub record: Option<(PrivateRecord, Vec<u8>)>,
    pub format: Option<Format>,
    pub update: Option<String>,
    pub lfn: Option<String>,
    pub checksum: bool,
    pub form: Spacing,
    pub data: Vec<u8>,
}

impl Content {
    /// The content of a message with these records; `None` if a field encoder cannot write some of them.
    pub fn of(records: &[(Vec<u8>, Vec<u8>)]) -> Option<Self> {
        let mut content = Self {
            foreign: None,
            file: None,
            record: None,
            format: None,
            update: None,
            lfn: None,
            checksum: false,
            form: Spacing::Lines,
            data: Vec::new(),
        };
        for (kind, payload) in records {
            let text = payload.strip_suffix(b"\0").unwrap_or(payload);
            let string = || String::from_utf8(text.to_vec()).ok();
            let is_data = kind.ends_with(b"-binary-data");
            if !is_data && text.len() < payload.len() {
                content.form = Spacing::Line;
            }
            match kind.as_slice() {
                b"scidac-private-file-xml" => {
                    content.file = Some((PrivateFile::parse(payload).ok()?, Vec::new()))
                }
                b"scidac-file-xml" => content.file.as_mut()?.1 = text.to_vec(),
                b"scidac-private-record-xml" => {
                    content.record = Some((PrivateRecord::parse(payload).ok()?, Vec::new()));
                }
                b"scidac-record-xml" => content.record.as_mut()?.1 = text.to_vec(),
                b"ildg-format" => content.format = Some(Format::parse(payload).ok()?),
                b"ildg-update" => content.update = Some(string()?),
                b"ildg-data-lfn" => content.lfn = Some(string()?),
                b"scidac-checksum" => content.checksum = true,
                _ if is_data => content.data = payload.clone(),
                _ if records.len() == 1 => content.foreign = Some((kind.clone(), payload.clone())),
                _ => return None,
            }
        }
        Some(content)
    }

    pub fn message(&self) -> OutgoingMessage<'_> {
        let mut message = match (&self.foreign, &self.file, &self.record, &self.format, &self.lfn) {
            (Some((kind, payload)), ..) => return OutgoingMessage::foreign(kind, payload),
            (_, Some((file, text)), ..) => OutgoingMessage::file(file, text),
            (_, _, Some((record, text)), ..) => OutgoingMessage::scidac(record, text),
            (_, _, _, Some(format), _) => OutgoingMessage::ildg(format),
            (_, _, _, None, Some(name)) => return OutgoingMessage::lfn(name).with_spacing(self.form),
            _ => OutgoingMessage::default(),
        };
        if let Some(format) = &self.format {
            message = message.with_format(format);
        }
        if let Some(update) = &self.update {
            message = message.with_update(update);
        }
        if let Some(name) = &self.lfn {
            message = message.with_lfn(name);
        }
        message.with_checksum(self.checksum).with_spacing(self.form)
    }

    pub fn has_data(&self) -> bool {
        self.record.is_some() || self.format.is_some()
    }
}

pub type Refused = WriteError<std::io::Error, EncodeErrorKind>;

/// The error of a call whose callback does not fail.
fn refused(error: CallbackError<Refused, SiteError>) -> Refused {
    match error {
        CallbackError::Failed(error) => error,
        CallbackError::Callback(error) => panic!("{error}"),
    }
}

/// Writes the file with a callback for every site, through a buffer of this size.
pub fn by_sites(file: &[Content], buffer: usize) -> Result<Vec<u8>, Refused> {
    let mut buffer = vec![0xee; buffer];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
    for content in file {
        let message = content.message();
        if content.has_data() {
            let mut rest = content.data.as_slice();
            let sites = Fill::sites(|site| {
                assert!(
                    site.bytes_mut().iter().all(|byte| *byte == 0),
                    "the previous site must not be visible"
                );
                let (here, behind) = rest.split_at(site.bytes_mut().len());
                site.bytes_mut().copy_from_slice(here);
                rest = behind;
                Ok::<(), SiteError>(())
            });
            writer.write(&message, sites).map_err(refused)?;
            assert!(rest.is_empty());
        } else {
            writer.write_message(&message)?;
        }
    }
    Ok(contents(writer.finish()?))
}

/// Writes the file in pieces of any size, and saves and restores the encoder between them.
pub fn by_pieces(file: &[Content], seed: u64) -> Result<Vec<u8>, Refused> {
    let mut random = Random(seed);
    let mut buffer = [0; 1024];
    let (mut sink, mut encoder): (Disk, _) = (disk(Vec::new()), Encoder::new());
    let mut writer = FieldWriter::with_encoder(sink, &mut buffer, encoder);
    for content in file {
        let message = content.message();
        if !content.has_data() {
            writer.write_message(&message)?;
            continue;
        }
        writer.begin(&message)?;
        let mut rest = content.data.as_slice();
        while !rest.is_empty() {
            let n = random.below(200).min(rest.len());
            writer.put(&rest[..n])?;
            rest = &rest[n..];
            if random.below(8) == 0 {
                (sink, encoder) = writer.into_parts();
                let restored = Encoder::load(&encoder.save()).expect("a saved state can be loaded");
                assert_eq!(restored.save(), encoder.save());
                writer = FieldWriter::with_encoder(sink, &mut buffer, restored);
            }
        }
        writer.end(&message)?;
    }
    Ok(contents(writer.finish()?))
}

/// Writes bytes at an offset of a file.
fn put(file: &mut Vec<u8>, offset: u64, bytes: &[u8]) {
    let start = usize::try_from(offset).expect("a small file");
    file.resize(file.len().max(start + bytes.len()), 0xEE);
    file[start..start + bytes.len()].copy_from_slice(bytes);
}

/// Writes everything that is not data, up to the data or to the end of the message: on the root only.
fn put_documents(
    encoder: &mut Encoder,
    begun: &BegunMessage<'_>,
    file: &mut Vec<u8>,
    is_root: bool,
) -> Result<(), EncodeErrorKind> {
    let mut scratch = [0; 4096];
    loop {
        let offset = encoder.position();
        match encoder.next(begun, &mut scratch)? {
            Want::Bytes(bytes) if is_root => put(file, offset, bytes),
            Want::Bytes(_) => {}
            Want::Data(_) | Want::Nothing => return Ok(()),
        }
        // Data without bytes also end the documents before them.
        if encoder.site().is_some() {
            return Ok(());
        }
    }
}

/// Writes the file by `count` processes with a random range of the sites each, one process after the other in any
/// order. Each has an encoder; the root also writes what is not data.
pub fn by_parts(file: &[Content], count: usize, seed: u64) -> Result<Vec<u8>, EncodeErrorKind> {
    let mut random = Random(seed);
    let (mut scratch, mut bytes) = (vec![0; 4096], Vec::new());
    let root = random.below(count);
    let mut encoders = vec![Encoder::new(); count];
    for content in file {
        let message = content.message();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_cached_key(|_| random.below(1 << 30));
        let mut sums = vec![Checksum::default(); count];
        let mut bounds = Vec::new();
        for q in &order {
            let encoder = &mut encoders[*q];
            let begun = encoder.begin(&message, &mut scratch)?;
            put_documents(encoder, &begun, &mut bytes, *q == root)?;
            if !content.has_data() {
                continue;
            }
            let field = *encoder.field().expect("has begun");
            if bounds.is_empty() {
                bounds = (1..count).map(|_| random.below(field.sites() as usize + 1) as u64).collect();
                bounds.extend([0, field.sites()]);
                bounds.sort_unstable();
            }
            let size = field.bytes_per_site as usize;
            encoder.seek(bounds[*q])?;
            let mut sites = Fill::sites(|site| {
                let payload =
                    content.data.chunks(size).nth(site_index(&field, site.rank())).expect("in the field");
                site.bytes_mut().copy_from_slice(payload);
            })
            .at_most(bounds[*q + 1] - bounds[*q]);
            let mut offset = encoder.position();
            while let Some(filled) =
                encoder.fill(&mut sites, &mut scratch).map_err(CallbackError::into_failed)?
            {
                put(&mut bytes, offset, filled);
                offset = encoder.position();
            }
            sums[*q] = encoder.checksum().expect("of its part");
        }
        for q in order.into_iter().filter(|_| content.has_data()) {
            let others = (0..count)
                .filter(|other| *other != q)
                .fold(Checksum::default(), |sum, other| sum.combine(sums[other]));
            encoders[q].others(others)?;
            let begun = encoders[q].resume(&message, &mut scratch)?;
            put_documents(&mut encoders[q], &begun, &mut bytes, q == root)?;
        }
    }
    for encoder in &encoders {
        encoder.finish()?;
        assert_eq!(encoder.position(), encoders[0].position());
    }
    Ok(bytes)
}

/// The index of a site in stored order, found by counting.
fn site_index(field: &linkstream::field::Field, rank: u64) -> usize {
    use linkstream::lattice::Region;
    match field.region {
        Region::Lattice | Region::Global => rank as usize,
        Region::Hypercube(cube) => {
            let inside = |r: &u64| cube.contains(&field.extents.coordinates(*r).expect("a site"));
            (0..rank).filter(inside).count()
        }
    }
}
