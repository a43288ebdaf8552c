//! Passing the data of a field to a callback, one site at a time.
//!
//! # Invariants
//! | value | holds | changes |
//! |---|---|---|
//! | `filled` | bytes of the current site in the front of the buffer: fewer than a site has, 0 between two sites | where a chunk ends inside a site; back to 0 before the callback gets the site |
//! | `cursor.done()` | sites that were passed | after the callback has returned `Ok` |
//! | position in the data | `done * size + filled` bytes were fed | the decoder beside must be there when both are saved or loaded |
//! | `present` | `None` before the first field and after an error | set by `begin`, `resume` and `load_into` |

use super::layout::Field;
use super::site::Site;
use super::site::SitePosition;
use crate::bytes::{copy, part_mut, prefix, suffix};
use crate::callback::CallbackError;
use crate::counter::Counter as _;
use crate::lattice::Cursor;
use crate::messages::messages;
use crate::state::{LoadError, SEAL, Saved, Take, saved, seal_fields, sealed_fields};

messages! {
    /// Errors of splitting data into sites.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::{Sites, SitesError};
    ///
    /// let mut site_buffer = [0; 16];
    /// assert_eq!(Sites::new(&mut site_buffer).begin(None), Err(SitesError::NotBegun));
    /// ```
    pub enum SitesError {
        /// A site does not fit into the buffer.
        BufferTooSmall {
            /// Size of a site in bytes.
            needed: u64,
        } => ("the site buffer is too small: a site of this field takes {needed} bytes"),
        /// [`Sites::resume`] inside a site. Its first bytes are missing.
        InsideSite {
            /// Number of the missing bytes.
            missing: u64,
        } => ("a field cannot be continued inside a site without its first {missing} bytes: use `load_into`"),
        /// [`Sites::save_into`] or [`Checkpoint::save`](super::Checkpoint::save) needs more memory.
        MemoryTooShort {
            /// Number of bytes, see [`Sites::saved_len`] and [`Checkpoint::len`](super::Checkpoint::len).
            needed: usize,
        } => ("the memory is too short: the saved position takes {needed} bytes"),
        /// The bytes for [`Sites::load_into`] or [`Checkpoint::load`](super::Checkpoint::load) are damaged, foreign, or of another position than the decoder's.
        Load(inner: LoadError) => (..inner),
        /// The decoder of a [`Checkpoint`](super::Checkpoint) has stopped with an error.
        Stopped => ("the decoder has stopped with an error: it cannot be saved"),
        /// [`Checkpoint::save`](super::Checkpoint::save) inside data if the decoder has passed more than was fed: the checkpoint
        /// could not be loaded.
        Elsewhere {
            /// Bytes of the data that were fed.
            sites: u64,
            /// Bytes of the data that the decoder has passed.
            decoder: u64,
        } => (
            "the sites are at byte {sites} of the data, but the decoder is at byte {decoder}: `feed` what was read, or \
             `resume` after what was skipped, before saving"
        ),
        /// There is no field, or [`Sites::begin`] has not been called for it, or a callback has failed, which ends
        /// the field.
        NotBegun => ("`begin` must be called for the field before its data are fed"),
        /// More bytes than the field has.
        TooManyBytes => ("more bytes are fed than the field has"),
    }
}

/// Splits data into sites. A site that is complete in the input is passed to the callback without a copy; others are
/// first assembled in a buffer of the caller. The buffer must hold one site, even if no site is ever split, so that
/// the result does not depend on how the input is divided into chunks. Without such a buffer, the decoder can still
/// verify the checksum.
///
/// Each call takes the current field: pass [`Decoder::field`](super::Decoder::field).
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{Decoder, Event, SiteError, Sites};
/// use linkstream::{Mode, io::Reader};
/// # let file = linkstream_example::file();
///
/// let (mut buffer, mut site_buffer, mut last) = ([0; 512], [0; 8], [0.0_f64]);
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
/// let mut sites = Sites::new(&mut site_buffer);
/// while let Some(event) = reader.next()? {
///     match event {
///         Event::Field => sites.begin(reader.decoder().field())?,
///         Event::Data => {
///             sites.feed(reader.decoder().field(), reader.bytes(), |site| site.read_into(&mut last))?;
///         }
///         _ => {}
///     }
/// }
/// assert_eq!(last, [15.0]);
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug)]
pub struct Sites<'b> {
    buffer: &'b mut [u8],
    place: SitePlace,
}

/// Position in the data of a field, while they are divided into sites. Each call borrows the buffer.
#[derive(Debug)]
pub(crate) struct SitePlace {
    /// Bytes of the current site in the buffer.
    filled: usize,
    present: Option<Present>,
}

/// The field and its current site.
#[derive(Debug)]
struct Present {
    /// Absolute offset of the record.
    record_at: u64,
    /// Bytes of a site, which the buffer holds.
    size: usize,
    /// True if the cursor has passed all sites. Their number is in the field, which is not here when the place is saved.
    is_complete: bool,
    cursor: Cursor,
}

/// The first saved byte, as in [`State`](crate::State). Each type has its own.
const TAG: u8 = 26;

/// The saved fields before the bytes of the current site.
#[derive(Debug)]
pub(super) struct SavedPlace {
    /// False before the first field, after the last site of a field, and after the error of a callback.
    is_in_field: bool,
    record_at: u64,
    /// Bytes of a site.
    site: u64,
    /// Bytes of the data that were fed.
    position: u64,
}

saved!(struct SavedPlace { is_in_field, record_at, site, position });

impl SavedPlace {
    const NONE: Self = Self { is_in_field: false, record_at: 0, site: 0, position: 0 };
}

impl<'b> Sites<'b> {
    /// A splitter with this buffer for sites that are divided between chunks.
    #[must_use]
    pub const fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, place: SitePlace::NONE }
    }

    /// Begins a field. Call it at the event [`Event::Field`](super::Event::Field).
    ///
    /// # Errors
    /// [`SitesError::BufferTooSmall`]; [`SitesError::NotBegun`] if there is no field.
    pub fn begin<'f>(&mut self, field: impl Into<Option<&'f Field>>) -> Result<(), SitesError> {
        self.place.begin(field.into(), self.buffer.len())
    }

    /// Continues a field at a site, after the first `bytes` bytes of its data, for example if those were skipped.
    /// `bytes` is the decoder's position in the payload, [`payload_position`](crate::SeekPayload::payload_position).
    ///
    /// # Errors
    /// The errors of [`Sites::begin`]; [`SitesError::InsideSite`] if `bytes` are not whole sites: only what
    /// [`save_into`](Self::save_into) has saved can be continued inside a site.
    pub fn resume<'f>(&mut self, field: impl Into<Option<&'f Field>>, bytes: u64) -> Result<(), SitesError> {
        self.place.go_to(field.into(), self.buffer.len(), bytes)?;
        match self.place.filled {
            0 => Ok(()),
            filled => {
                self.place = SitePlace::NONE;
                Err(SitesError::InsideSite { missing: filled as u64 })
            }
        }
    }

    /// Number of bytes that [`save_into`](Self::save_into) needs for sites of `site` bytes.
    #[must_use]
    pub const fn saved_len(site: usize) -> usize {
        Self::fields_len(site).saturating_add(SEAL)
    }

    /// The same without what protects them.
    pub(super) const fn fields_len(site: usize) -> usize {
        site.saturating_add(<SavedPlace as Saved>::SIZE)
    }

    /// The first bytes of the site that is incomplete, as they were fed; empty between two sites.
    #[must_use]
    pub fn incomplete(&self) -> &[u8] {
        self.place.saved(self.buffer).1
    }

    /// Saves the position in the data and the bytes of the current site, to continue with
    /// [`load_into`](Self::load_into) beside a decoder that is saved at the same position; a
    /// [`Checkpoint`](super::Checkpoint) saves a [`field::Decoder`](super::Decoder) with them. All of `to` is written, at
    /// least [`saved_len`](Self::saved_len) bytes for the sites of the field. If the rest of the data was not fed and the
    /// decoder has left them, [`load_into`](Self::load_into) refuses the position: save new `Sites` then.
    ///
    /// # Errors
    /// [`SitesError::MemoryTooShort`]
    pub fn save_into(&self, to: &mut [u8]) -> Result<(), SitesError> {
        let needed = Self::saved_len(self.incomplete().len());
        if to.len() < needed {
            return Err(SitesError::MemoryTooShort { needed });
        }
        to.fill(0);
        seal_fields(TAG, to, |put| {
            let (place, bytes) = self.place.saved(self.buffer);
            put.put(&place);
            put.bytes(bytes);
        });
        Ok(())
    }

    /// Ends the field.
    pub(super) const fn forget(&mut self) {
        self.place = SitePlace::NONE;
    }

    /// The place to be saved beside a decoder that has passed `position` bytes of the data of `field`; `None` if it has left
    /// them. No field is begun in other data than the sites have.
    pub(super) fn saved_beside(
        &self,
        field: Option<&Field>,
        position: Option<u64>,
    ) -> Result<(SavedPlace, &[u8]), SitesError> {
        let (place, bytes) = self.place.saved(self.buffer);
        let is_its =
            |field: &Field| place.record_at == field.record.offset && place.site == field.bytes_per_site;
        match position.filter(|_| place.is_in_field && field.is_some_and(is_its)) {
            None => Ok((SavedPlace::NONE, &[])),
            Some(decoder) if decoder == place.position => Ok((place, bytes)),
            Some(decoder) => Err(SitesError::Elsewhere { sites: place.position, decoder }),
        }
    }

    /// Continues a field at the position that [`save_into`](Self::save_into) has saved, beside a decoder at the same
    /// position: pass its field and its [`payload_position`](crate::SeekPayload::payload_position). `saved` has all bytes
    /// that were written.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::Resumable;
    /// use linkstream::field::{Decoder, Event, SiteError, Sites};
    /// use linkstream::{Decode, Mode, SeekPayload, drive};
    /// # let file = linkstream_example::file();
    ///
    /// // Up to the first bytes of data, which end inside a site.
    /// let (mut decoder, mut site_buffer) = (Decoder::new(Mode::Strict), [0; 8]);
    /// let mut sites = Sites::new(&mut site_buffer);
    /// let mut rest = file.as_slice();
    /// let mut ranks = Vec::new();
    /// loop {
    ///     let step = decoder.push(&rest[..rest.len().min(100)])?;
    ///     let (bytes, after) = rest.split_at(step.consumed);
    ///     rest = after;
    ///     match step.event {
    ///         Some(Event::Field) => sites.begin(decoder.field())?,
    ///         Some(Event::Data) => {
    ///             sites.feed(decoder.field(), bytes, |site| Ok::<_, SiteError>(ranks.push(site.rank())))?;
    ///             break;
    ///         }
    ///         _ => {}
    ///     }
    /// }
    /// let mut memory = [0; Sites::saved_len(8)];
    /// sites.save_into(&mut memory)?;
    /// let saved = decoder.save()?;
    /// // Another instance goes on.
    /// let (mut decoder, mut site_buffer) = (Decoder::load(&saved)?, [0; 8]);
    /// let mut sites = Sites::new(&mut site_buffer);
    /// sites.load_into(decoder.field(), decoder.lime().payload_position(), &memory)?;
    /// drive(&mut decoder, rest, |event, bytes, decoder| -> Result<(), Box<dyn core::error::Error>> {
    ///     if event == Event::Data {
    ///         sites.feed(decoder.field(), bytes, |site| Ok::<_, SiteError>(ranks.push(site.rank())))?;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(ranks, (0..16).collect::<Vec<_>>());
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// No field is begun then. [`SitesError::BufferTooSmall`] for the field, [`SitesError::Load`] with
    /// [`LoadError::Damaged`], [`LoadError::Foreign`], or [`LoadError::Inconsistent`] if it was saved in another field
    /// or at another position.
    pub fn load_into<'f>(
        &mut self,
        field: impl Into<Option<&'f Field>>,
        position: Option<u64>,
        saved: &[u8],
    ) -> Result<(), SitesError> {
        self.place = SitePlace::NONE;
        let mut from = sealed_fields(TAG, saved).map_err(SitesError::Load)?;
        self.take(field.into(), position, &mut from)
    }

    /// Reads the fields.
    pub(super) fn take(
        &mut self,
        field: Option<&Field>,
        position: Option<u64>,
        from: &mut Take<'_>,
    ) -> Result<(), SitesError> {
        self.place = SitePlace::NONE;
        let inconsistent = SitesError::Load(LoadError::Inconsistent);
        let place: SavedPlace = from.take().ok_or(inconsistent)?;
        if !place.is_in_field {
            return Ok(());
        }
        let field = field.ok_or(inconsistent)?;
        if place.record_at != field.record.offset || place.site != field.bytes_per_site {
            return Err(inconsistent);
        }
        if Some(place.position) != position {
            return Err(inconsistent);
        }
        self.place.go_to(Some(field), self.buffer.len(), place.position)?;
        let Some(bytes) = from.rest().get(..self.place.filled) else {
            self.place = SitePlace::NONE;
            return Err(inconsistent);
        };
        copy(self.buffer, bytes);
        Ok(())
    }

    /// Takes the next bytes of the field's data, and passes each site that becomes complete to `each`, in stored
    /// order.
    ///
    /// # Errors
    /// The error of `each`; the rest of the bytes is then ignored, and the field has ended.
    /// [`SitesError::NotBegun`] without [`begin`](Self::begin), [`SitesError::TooManyBytes`].
    pub fn feed<'f, E>(
        &mut self,
        field: impl Into<Option<&'f Field>>,
        bytes: &[u8],
        each: impl FnMut(Site<'_>) -> Result<(), E>,
    ) -> Result<(), CallbackError<SitesError, E>> {
        self.place.feed(self.buffer, field.into(), bytes, each)
    }
}

impl SitePlace {
    pub(crate) const NONE: Self = Self { filled: 0, present: None };

    /// See [`Sites::begin`]. `room` is the length of the buffer.
    pub(crate) fn begin(&mut self, field: Option<&Field>, room: usize) -> Result<(), SitesError> {
        let cursor = field.map(|field| Cursor::first(&field.extents, &field.region));
        self.set(field.zip(cursor), room)
    }

    /// Begins the field after the first `bytes` bytes of its data.
    fn go_to(&mut self, field: Option<&Field>, room: usize, bytes: u64) -> Result<(), SitesError> {
        let cursor = field.map(|field| {
            let done = bytes.checked_div(field.bytes_per_site).unwrap_or(0);
            Cursor::at(&field.extents, &field.region, done)
        });
        self.set(field.zip(cursor), room)?;
        // The rest of a division by the size of a site, which `set` has compared with the room.
        self.filled = field.and_then(|field| bytes.checked_rem(field.bytes_per_site)).unwrap_or(0) as usize;
        Ok(())
    }

    fn set(&mut self, place: Option<(&Field, Cursor)>, room: usize) -> Result<(), SitesError> {
        *self = Self::NONE;
        let (field, cursor) = place.ok_or(SitesError::NotBegun)?;
        let size = field.bytes_per_site;
        let Some(size) = usize::try_from(size).ok().filter(|size| *size <= room) else {
            return Err(SitesError::BufferTooSmall { needed: size });
        };
        let is_complete = cursor.done() >= field.sites();
        self.present = Some(Present { record_at: field.record.offset, size, is_complete, cursor });
        Ok(())
    }

    /// The fields to be saved, and the bytes of the current site.
    fn saved<'b>(&self, buffer: &'b [u8]) -> (SavedPlace, &'b [u8]) {
        // After the last site, the decoder can be anywhere.
        let Some(Present { record_at, size, cursor, .. }) =
            self.present.as_ref().filter(|present| !present.is_complete)
        else {
            return (SavedPlace::NONE, &[]);
        };
        let site = *size as u64;
        let position = cursor.done().times(site).plus(self.filled as u64);
        let place = SavedPlace { is_in_field: true, record_at: *record_at, site, position };
        (place, prefix(buffer, self.filled))
    }

    /// See [`Sites::feed`].
    pub(crate) fn feed<E>(
        &mut self,
        buffer: &mut [u8],
        field: Option<&Field>,
        bytes: &[u8],
        each: impl FnMut(Site<'_>) -> Result<(), E>,
    ) -> Result<(), CallbackError<SitesError, E>> {
        let (Some(present), Some(field)) = (&mut self.present, field) else {
            return Err(SitesError::NotBegun.into());
        };
        // A field of another file can have the same offset.
        if present.record_at != field.record.offset || present.size as u64 != field.bytes_per_site {
            return Err(SitesError::NotBegun.into());
        }
        let outcome = cut(field, present, buffer, &mut self.filled, bytes, each);
        present.is_complete = present.cursor.done() >= field.sites();
        if outcome.is_err() {
            self.present = None;
        }
        outcome
    }
}

/// See [`Sites::feed`].
fn cut<E>(
    field: &Field,
    Present { size, cursor, .. }: &mut Present,
    buffer: &mut [u8],
    filled: &mut usize,
    bytes: &[u8],
    mut each: impl FnMut(Site<'_>) -> Result<(), E>,
) -> Result<(), CallbackError<SitesError, E>> {
    let size = *size;
    if size == 0 {
        // Without a byte no site becomes complete, so none is passed.
        return if bytes.is_empty() { Ok(()) } else { Err(SitesError::TooManyBytes.into()) };
    }
    let sites = field.sites();
    let mut hand_on = |bytes: &[u8]| {
        if cursor.done() >= sites {
            return Err(CallbackError::Failed(SitesError::TooManyBytes));
        }
        let position = SitePosition::of(cursor, &field.extents, &field.region);
        each(Site::new(field, position, bytes)).map_err(CallbackError::Callback)?;
        cursor.step(&field.extents, &field.region);
        Ok(())
    };
    let mut rest = bytes;
    if *filled > 0 {
        let n = copy(part_mut(buffer, *filled..size), rest);
        filled.increase(n);
        rest = suffix(rest, n);
        if *filled < size {
            return Ok(());
        }
        // Before the callback: a site whose callback fails is not passed again.
        *filled = 0;
        hand_on(prefix(buffer, size))?;
    }
    let mut complete = rest.chunks_exact(size);
    for site in &mut complete {
        hand_on(site)?;
    }
    // The beginning of the next site waits in the buffer.
    *filled = copy(buffer, complete.remainder());
    Ok(())
}
