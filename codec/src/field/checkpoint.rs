//! A point in the middle of a file, saved whole: the decoder, the site that is incomplete, the position, and what the
//! program has computed up to there.

use super::read::decoder::Decoder;
use super::sites::{Sites, SitesError};
use crate::bytes::copy;
use crate::machine::DecoderBase as _;
use crate::state::{LoadError, SEAL, Saved, seal_fields, sealed_fields};
use crate::step::{Decode as _, SeekPayload as _};

/// The first saved byte, as in [`State`](crate::State). Each type has its own.
const TAG: u8 = 27;

/// Saves a [`Decoder`], the [`Sites`] of its field, and results of the program in one piece, to continue at any byte of a
/// file after a power cut or in another process.
///
/// The bytes are `tag, version, position, length of the results, results, decoder, place in the field, first bytes of the
/// site, CRC-32 of all before`, numbers in big-endian order. Damaged bytes, for example a page of a flash chip that was
/// only partly written, are refused. A decoder without `Sites` is saved by its [`Resumable`](crate::Resumable) methods.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{Checkpoint, Decoder, Event, SiteError, Sites};
/// use linkstream::{Mode, drive};
/// # let file = linkstream_example::file();
///
/// let mut sum = 0_u64;
/// let mut read = |decoder: &mut Decoder, sites: &mut Sites<'_>, bytes: &[u8], sum: &mut u64| {
///     drive(decoder, bytes, |event, bytes, decoder| -> Result<(), Box<dyn core::error::Error>> {
///         match event {
///             Event::Field => sites.begin(decoder.field())?,
///             Event::Data => {
///                 sites.feed(decoder.field(), bytes, |site| Ok::<_, SiteError>(*sum += site.rank()))?;
///             }
///             _ => {}
///         }
///         Ok(())
///     })
///     .map(|_| ())
/// };
///
/// // Up to the middle of a site.
/// let (mut decoder, mut site_buffer) = (Decoder::new(Mode::Strict), [0; 8]);
/// let mut sites = Sites::new(&mut site_buffer);
/// let cut = file.windows(16).position(|bytes| bytes == b"scidac-binary-da").ok_or("no data")? + 128 + 20;
/// read(&mut decoder, &mut sites, &file[..cut], &mut sum)?;
/// assert_eq!(sites.incomplete().len(), 4);
/// let mut page = [0; Checkpoint::len(8, 8)];
/// Checkpoint::save(&decoder, &sites, &sum.to_be_bytes(), &mut page)?;
///
/// // Another instance goes on.
/// assert_eq!(Checkpoint::position(&page)?, cut as u64);
/// let (mut decoder, mut site_buffer) = (Decoder::new(Mode::Strict), [0; 8]);
/// let mut sites = Sites::new(&mut site_buffer);
/// let mut results = [0; 8];
/// let position = Checkpoint::load(&mut decoder, &mut sites, &mut results, &page)?;
/// let mut sum = u64::from_be_bytes(results);
/// read(&mut decoder, &mut sites, &file[position as usize..], &mut sum)?;
/// assert_eq!(sum, 120);
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug)]
pub struct Checkpoint(());

/// Bytes of the position and of the length of the results.
const HEAD: usize = u64::SIZE + u64::SIZE;

impl Checkpoint {
    /// Number of bytes that [`save`](Self::save) needs for sites of `site` bytes and results of `results` bytes.
    #[must_use]
    pub const fn len(site: usize, results: usize) -> usize {
        let fields = HEAD.saturating_add(results).saturating_add(Decoder::SIZE);
        Sites::fields_len(site).saturating_add(fields).saturating_add(SEAL)
    }

    /// Saves the decoder, the sites, and `results`, any bytes of the program that belong to this point of the file. All of
    /// `to` is written, at least [`len`](Self::len) bytes for the sites of the field. It must be kept, and loaded, with its
    /// whole length. Sites of data that the decoder has left are not saved.
    ///
    /// # Errors
    /// `to` is then unchanged. [`SitesError::MemoryTooShort`]; [`SitesError::Stopped`] if the decoder has stopped with an
    /// error: it cannot continue; [`SitesError::Elsewhere`] if the last bytes of the data have not been fed yet, or were
    /// skipped.
    pub fn save(
        decoder: &Decoder,
        sites: &Sites<'_>,
        results: &[u8],
        to: &mut [u8],
    ) -> Result<(), SitesError> {
        decoder.check_usable_for(&()).map_err(|_| SitesError::Stopped)?;
        let field = decoder.field();
        // Not in a record after the data.
        let is_in_data = field.is_some_and(|field| field.record.offset == decoder.lime().record().offset);
        let position = decoder.lime().payload_position().filter(|_| is_in_data);
        let (place, site) = sites.saved_beside(field, position)?;
        let needed = Self::len(site.len(), results.len());
        if to.len() < needed {
            return Err(SitesError::MemoryTooShort { needed });
        }
        to.fill(0);
        seal_fields(TAG, to, |put| {
            put.put(&decoder.position());
            put.put(&results.len());
            put.bytes(results);
            put.put(decoder);
            put.put(&place);
            put.bytes(site);
        });
        Ok(())
    }

    /// Absolute offset of the first byte of the file that had not been read when this was saved. Of two checkpoints of one
    /// file, the one with the larger offset is the newer one.
    ///
    /// # Errors
    /// [`LoadError::Damaged`] and [`LoadError::Foreign`].
    pub fn position(saved: &[u8]) -> Result<u64, LoadError> {
        sealed_fields(TAG, saved)?.take().ok_or(LoadError::Inconsistent)
    }

    /// Continues with what [`save`](Self::save) has saved, and in its mode; `results` must have the length that was saved.
    /// Returns the absolute offset of the next byte of the file, where the source must be moved.
    ///
    /// # Errors
    /// [`SitesError::Load`] with [`LoadError::Damaged`] or [`LoadError::Foreign`]: nothing has changed. With
    /// [`LoadError::Inconsistent`], also for `results` of another length, the decoder is at the beginning of a file, in the
    /// mode that it had, and no field is begun. [`SitesError::BufferTooSmall`] for the field: the decoder has been loaded, but no field is begun.
    pub fn load(
        decoder: &mut Decoder,
        sites: &mut Sites<'_>,
        results: &mut [u8],
        saved: &[u8],
    ) -> Result<u64, SitesError> {
        let mut from = sealed_fields(TAG, saved).map_err(SitesError::Load)?;
        let mode = decoder.lime().mode();
        let mut load = || {
            let position: u64 = from.take()?;
            let length: usize = from.take()?;
            let kept = from.rest().get(..length).filter(|kept| kept.len() == results.len())?;
            from.pass(length)?;
            from.fill(decoder)?;
            (decoder.is_consistent() && position == decoder.position()).then_some(kept)
        };
        let kept = load().ok_or(SitesError::Load(LoadError::Inconsistent));
        let loaded = kept.and_then(|kept| {
            sites.take(decoder.field(), decoder.lime().payload_position(), &mut from)?;
            copy(results, kept);
            Ok(decoder.position())
        });
        if matches!(loaded, Err(SitesError::Load(_))) {
            sites.forget();
            *decoder = Decoder::new(mode);
        }
        loaded
    }
}
