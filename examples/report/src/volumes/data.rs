//! Verifies and examines the data of a set, in all volumes.

use std::sync::{Mutex, PoisonError};

use linkstream::conformance::Decoder;
use linkstream::field::{Field, Site};
use linkstream::io::{ReadError, VolumeReader};
use linkstream::lattice::{Checksum, Region};
use linkstream::volume::{ErrorKind, Tally};
use linkstream::{CallbackError, Error};
use linkstream_access::SourceReader;
use linkstream_access::set::{Joined, Places, SetBytes};
use linkstream_access::source::ReadAtError;
use linkstream_arithmetic::parallel::{each, is_worthwhile};
use linkstream_memory as memory;

use crate::lime::{AnyOrder, Elsewhere, Examination, Outcome, examine, in_order, look_at_boundaries};
use crate::reading::{MAX_SITE, SurveyError};

/// Minimum number of bytes of a volume that are read at a time.
const BUFFER: usize = 256 << 10;

/// Reads the data of the volumes.
pub struct SetData<'d, 's, E> {
    pub joined: &'d Joined<'s, E>,
    /// Each site is in exactly one volume, with data.
    pub is_whole: bool,
    /// Errors in the data, each with the index of its volume.
    pub faults: Mutex<Vec<(usize, Error<ErrorKind>)>>,
}

impl<E: embedded_io::Error + Send> Elsewhere for SetData<'_, '_, E> {
    type Error = E;

    fn read(
        &self,
        decoder: &Decoder,
        examination: Option<&mut Examination>,
    ) -> Result<Outcome, SurveyError<E>> {
        let Some(field) = decoder.content().field() else { return Ok(Outcome::InOrder) };
        let number = self.joined.field_at(field.record.payload_offset());
        let number = match number {
            Some(number) => number,
            // Global data are only in the first volume.
            None if field.region == Region::Global => return Ok(Outcome::InOrder),
            None => return Ok(Outcome::Incomplete),
        };
        // The examination requires every site exactly once.
        let examination = examination.filter(|_| self.is_whole && field.region == Region::Lattice);
        let Some(examination) = examination else { return self.sum_only(number, field) };
        if examination.observables.is_some() || examination.keeps_slice_sums {
            let places = match Places::of_set(&self.joined.set, field) {
                Ok(Some(places)) => places,
                Ok(None) => return self.sum_only(number, field),
                Err(error) => return incomplete(error),
            };
            let bytes = SetBytes::of_set(&self.joined.set, number, field, &places);
            return examine(&bytes, examination).map(Outcome::Sum).or_else(incomplete);
        }
        // Sums do not need the places of sites, which take memory.
        let found = AnyOrder::new(examination);
        let Some(checksum) = self.sum(number, field, Some(&found))? else { return Ok(Outcome::Incomplete) };
        examination.word_sum = found.word_sum();
        examination.of_cksum = found.of_cksum();
        if found.has_absent() {
            let places = match Places::of_set(&self.joined.set, field) {
                Ok(places) => places,
                Err(error) => return incomplete(error),
            };
            if let Some((mut boundaries, places)) = examination.boundaries.take().zip(places) {
                let bytes = SetBytes::of_set(&self.joined.set, number, field, &places);
                let looked = look_at_boundaries(field, &mut boundaries, |each| in_order(&bytes, field, each));
                if let Err(error) = looked {
                    return incomplete(error);
                }
                examination.boundaries = Some(boundaries);
            }
        }
        Ok(Outcome::Sum(checksum))
    }
}

/// The outcome of an error: a volume may have been truncated while it was read.
fn incomplete<E>(error: ReadAtError<E>) -> Result<Outcome, SurveyError<E>> {
    match error {
        ReadAtError::Io(error) => Err(SurveyError::Io(error)),
        ReadAtError::Ended => Ok(Outcome::Incomplete),
    }
}

impl<E: embedded_io::Error + Send> SetData<'_, '_, E> {
    /// Computes only the checksum of a field.
    fn sum_only(&self, number: usize, field: &Field) -> Result<Outcome, SurveyError<E>> {
        Ok(self.sum(number, field, None)?.map_or(Outcome::Incomplete, Outcome::SumOnly))
    }

    /// The checksum of a field, computed from several volumes at a time; `None` if data are missing.
    fn sum(
        &self,
        number: usize,
        field: &Field,
        found: Option<&AnyOrder>,
    ) -> Result<Option<Checksum>, SurveyError<E>> {
        if field.bytes_per_site > MAX_SITE {
            return Ok(None);
        }
        let length = BUFFER.max(field.bytes_per_site as usize);
        let bytes = field.sites().saturating_mul(field.bytes_per_site);
        let tally = Mutex::new(Tally::new(field));
        let volumes: Vec<_> = self.joined.set.volumes.iter().enumerate().collect();
        each(is_worthwhile(bytes), volumes, |(index, volume), (window, buffer): &mut (Vec<u8>, Vec<u8>)| {
            let Some(record) = volume.data.get(number).copied().flatten() else { return Ok(()) };
            memory::unwinding::resize(window, BUFFER);
            memory::unwinding::resize(buffer, length);
            let source = SourceReader::new(&*volume.source);
            let mut reader = VolumeReader::new(source, window, buffer, volume.decoder.clone());
            // The place of the site in the single file with the same fields.
            let at = |site: &Site<'_>| site.rank().saturating_mul(field.bytes_per_site);
            let look = |site: Site<'_>| found.iter().for_each(|found| found.look(at(&site), site.bytes()));
            let mut of_volume = *field;
            of_volume.record = record;
            match reader.for_each_site_of(&of_volume, look) {
                Ok(read) => {
                    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                    tally.add(read);
                    Ok(())
                }
                Err(CallbackError::Failed(ReadError::Format(error))) => {
                    self.faults.lock().unwrap_or_else(PoisonError::into_inner).push((index, error));
                    Ok(())
                }
                Err(CallbackError::Failed(ReadError::Io(error))) => Err(SurveyError::Io(error)),
                Err(CallbackError::Failed(_)) => Err(SurveyError::NoProgress),
            }
        })?;
        let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(tally.is_complete().then(|| tally.checksum()))
    }
}
