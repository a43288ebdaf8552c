//! The fields of a set: checksums over all volumes, and the figures of the whole field.

use std::sync::{Mutex, PoisonError};

use linkstream::field::{Field, Source, Verdict};
use linkstream::io::{ReadError, VolumeReader};
use linkstream::lattice::Region;
use linkstream::scidac::{PrivateRecord, StoredChecksum};
use linkstream::volume::{Decoder, Tally};
use linkstream::{CallbackError, Error, ildg};

use super::gather::{Places, SetBytes};
use super::open_volume::{OpenVolume, for_each_rank};
use super::reader::PartsReader;
use crate::figures::{Measured, Observables};
use crate::findings::Findings;
use crate::lime::{Contents, FieldEntry, Stored, is_gauge, judge, threshold};
use crate::options::Options;
use crate::parallel::{each, is_worthwhile};
use crate::parts::PartError;
use crate::reading::{MAX_SITE, SurveyError};

/// Bytes of a volume that are read at a time, at least.
const BUFFER: usize = 256 << 10;

/// A field as the first volume describes it.
pub struct SetField {
    pub field: Field,
    document: Option<Box<PrivateRecord>>,
    kind: Option<ildg::GaugeKind>,
    pub stored: Option<StoredChecksum>,
}

impl SetField {
    /// The field that the decoder of the first volume has announced.
    pub fn of(decoder: &Decoder) -> Option<Self> {
        let field = *decoder.field()?;
        let is_ildg = decoder.record_type() == ildg::BINARY_DATA.as_bytes();
        let format = decoder.content().format().filter(|_| is_ildg);
        Some(Self {
            field,
            document: decoder.private_record().map(|record| Box::new(record.clone())),
            kind: format.map(ildg::Format::kind),
            stored: None,
        })
    }
}

/// Reads a field, adds it to the contents, and reports what is wrong with it.
pub fn read<E: embedded_io::Error + Send>(
    index: usize,
    set_field: &SetField,
    volumes: &mut [OpenVolume<'_, E>],
    is_sound: bool,
    options: &Options,
    contents: &mut Contents,
    findings: &mut Findings,
) -> Result<(), SurveyError<E>> {
    let field = &set_field.field;
    let mut entry = FieldEntry {
        field: *field,
        datatype: set_field.document.as_ref().map(|document| document.datatype.as_str().to_owned()),
        document: set_field.document.clone(),
        checksum: None,
        verdict: None,
        stored: Stored::default(),
        open: None,
        measured: None,
        word_sum: None,
        recorded: Vec::new(),
    };
    debug_assert!(field.source == Source::Scidac, "sets have SciDAC documents");
    if let Some(stored) = &set_field.stored {
        entry.stored = Stored { suma: stored.suma(), sumb: stored.sumb() };
    }
    if options.read_data {
        let measures = is_sound && options.observables;
        let observables =
            if measures { Observables::of(field, set_field.kind, options.slices) } else { None };
        let (checksum, measured) = match observables {
            Some(observables) if field.region == Region::Lattice => {
                measure(index, field, volumes, observables)?
            }
            _ => (sum(index, field, volumes)?, None),
        };
        entry.measured = measured;
        let stored = set_field.stored.clone().unwrap_or_default();
        entry.checksum = checksum.is_complete().then(|| checksum.checksum());
        if checksum.is_complete() {
            let verdict = checksum.verdict(&stored);
            if let Verdict::Mismatch(stored) = verdict {
                let kind =
                    linkstream::field::ErrorKind::ChecksumMismatch { computed: checksum.checksum(), stored };
                findings.add(&Error::new(field.record.next_offset(), kind));
            }
            entry.verdict = Some(verdict);
        }
    }
    contents.fields.push(entry);
    let is_gauge = contents.fields.last().is_some_and(|entry| is_gauge(entry, contents));
    if let Some(measured) = contents.fields.last_mut().and_then(|entry| entry.measured.as_mut()) {
        measured.threshold = if is_gauge { threshold(measured, field) } else { None };
        judge(measured, field).into_iter().for_each(|found| findings.push(found));
    }
    Ok(())
}

/// The checksum of a field, several volumes at a time.
fn sum<E: embedded_io::Error + Send>(
    index: usize,
    field: &Field,
    volumes: &mut [OpenVolume<'_, E>],
) -> Result<Tally, SurveyError<E>> {
    if field.bytes_per_site > MAX_SITE {
        return Ok(Tally::new(field));
    }
    let length = BUFFER.max(field.bytes_per_site as usize);
    let bytes = field.sites().saturating_mul(field.bytes_per_site);
    let tally = Mutex::new(Tally::new(field));
    let volumes: Vec<_> = volumes.iter_mut().collect();
    each(is_worthwhile(bytes), volumes, |volume, (window, buffer): &mut (Vec<u8>, Vec<u8>)| {
        let Some(record) = volume.data.get(index).copied().flatten() else { return Ok(()) };
        window.resize(BUFFER, 0);
        buffer.resize(length, 0);
        let source = PartsReader::new(volume.parts);
        let mut reader = VolumeReader::new(source, volume.decoder.clone(), window, buffer);
        match reader.sites_of(&Field { record, ..*field }, |_, _| ()) {
            Ok((sites, checksum)) => {
                tally.lock().unwrap_or_else(PoisonError::into_inner).add(sites, checksum);
                Ok(())
            }
            Err(CallbackError::Failed(ReadError::Format(error))) => {
                volume.report(&error);
                Ok(())
            }
            Err(CallbackError::Failed(ReadError::Io(error))) => Err(SurveyError::Io(error)),
            Err(CallbackError::Failed(_)) => Err(SurveyError::NoProgress),
        }
    })?;
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The figures of a field that is whole: its sites are read in lexicographic order, and summed up on the way.
fn measure<E: embedded_io::Error + Send>(
    index: usize,
    field: &Field,
    volumes: &mut [OpenVolume<'_, E>],
    mut observables: Observables,
) -> Result<(Tally, Option<Measured>), SurveyError<E>> {
    let Some(mut places) = Places::new(field.sites()) else { return Ok((sum(index, field, volumes)?, None)) };
    let mut at = 0;
    let mut data = Vec::new();
    for (nth, volume) in volumes.iter().enumerate() {
        if nth > 0 {
            places.begin(at);
        }
        for_each_rank(volume, |rank| {
            places.add(rank, at);
            at += 1;
        })?;
        let record = volume.data.get(index).copied().flatten();
        data.push((volume.parts, record.map_or(0, |record| record.payload_offset())));
    }
    let bytes = SetBytes { volumes: data, places: &places, field, suma: 0.into(), sumb: 0.into() };
    match observables.read(&bytes) {
        Ok(()) => {
            let mut tally = Tally::new(field);
            tally.add(field.sites(), bytes.checksum());
            Ok((tally, observables.finish()))
        }
        Err(PartError::Io(error)) => Err(SurveyError::Io(error)),
        // A volume was truncated while it was read.
        Err(PartError::Ended) => Ok((Tally::new(field), None)),
    }
}
