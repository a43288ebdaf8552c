//! The pieces that the calls of [`VolumeWriter`](crate::io::VolumeWriter) write: as many entries or sites at once as the
//! buffer holds.

use core::iter::Peekable;
use core::ops::ControlFlow;

use crate::bytes::{copy, prefix, prefix_mut, split_mut, suffix_mut};
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::field::{self, BegunMessage, Field, OutgoingMessage, SiteMut, fill_site};
use crate::io::buffer::Buffer;
use crate::io::writer::{NextPiece, Pieces};
use crate::lattice::Region;
use crate::volume::{EncodeErrorKind, Encoder, SitePositions, Want};

/// The callback for messages, or parts of them, that have no sites.
pub(super) const fn nothing(_: &mut SiteMut<'_>) {}

/// The encoder with its buffer.
#[derive(Debug)]
pub(super) struct Content<B> {
    pub(super) encoder: Encoder,
    pub(super) buffer: B,
}

impl<B: Buffer> Content<B> {
    /// Begins a message with these ranks. If it is refused, the encoder does not change.
    pub(super) fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        ranks: impl Iterator<Item = u64> + Clone,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        let sites = ranks.clone().fold(0_u64, |n, _| n.saturating_add(1));
        let (mut trial, buffer) = (self.encoder.clone(), self.buffer.as_mut());
        let begun = trial.begin(message, sites, buffer)?;
        trial.check_ranks(ranks)?;
        let needed = trial.field().map_or(0, |field| field.bytes_per_site.min(field.record.length));
        if usize::try_from(needed).ok().is_none_or(|needed| needed > buffer.len()) {
            return Err(field::EncodeErrorKind::SiteTooLarge { needed }.into());
        }
        self.encoder = trial;
        Ok(begun)
    }
}

/// A message with its site list or its sites, up to its end, or until the checksum of other volumes is due. A callback
/// that stops ends the pieces there: the message stays open.
pub(super) struct Message<'m, 'd, I: Iterator<Item = u64>, F, C> {
    begun: &'m BegunMessage<'d>,
    /// Ranks of the sites that have not been written yet.
    ranks: Peekable<I>,
    fill: F,
    /// Known when the field is.
    positions: Option<SitePositions>,
    is_stopped: bool,
    /// Error of the next site. It is returned after the sites before it have been written.
    failed: Option<CallbackError<EncodeErrorKind, C>>,
}

impl<'m, 'd, I: Iterator<Item = u64>, F, C> Message<'m, 'd, I, F, C> {
    pub(super) fn new(begun: &'m BegunMessage<'d>, ranks: I, fill: F) -> Self {
        Self { begun, ranks: ranks.peekable(), fill, positions: None, is_stopped: false, failed: None }
    }

    /// Fills the buffer with entries of the site list.
    fn entries<'s>(
        &mut self,
        encoder: &mut Encoder,
        buffer: &'s mut [u8],
    ) -> NextPiece<'s, EncodeErrorKind, C> {
        let size = encoder.entry_width().size();
        if buffer.len() < size {
            return Err(
                EncodeErrorKind::from(field::EncodeErrorKind::SiteTooLarge { needed: size as u64 }).into()
            );
        }
        let mut filled = 0_usize;
        while let Some(Want::Entries(_)) = encoder.next_want() {
            let room = suffix_mut(buffer, filled);
            if room.len() < size {
                break;
            }
            let entry = self.ranks.next().ok_or(EncodeErrorKind::SitesDiffer);
            match entry.and_then(|rank| encoder.entry(rank)) {
                Ok(entry) => copy(room, entry.as_bytes()),
                Err(kind) => {
                    self.failed = Some(kind.into());
                    break;
                }
            };
            filled.increase(size);
        }
        self.check_end(encoder);
        Ok(Some(prefix(buffer, filled)))
    }

    /// Refuses ranks after the last site: an iterator can return others than when the message began.
    fn check_end(&mut self, encoder: &Encoder) {
        if encoder.next_want().is_none() && self.failed.is_none() && self.ranks.peek().is_some() {
            self.failed = Some(EncodeErrorKind::SitesDiffer.into());
        }
    }
}

impl<I: Iterator<Item = u64>, O: Outcome, F: FnMut(&mut SiteMut<'_>) -> O> Message<'_, '_, I, F, O::Error> {
    /// Fills the buffer with sites.
    fn data<'s>(
        &mut self,
        encoder: &mut Encoder,
        buffer: &'s mut [u8],
    ) -> NextPiece<'s, EncodeErrorKind, O::Error> {
        let field = *encoder.field().ok_or(EncodeErrorKind::from(field::EncodeErrorKind::NoData))?;
        let needed = field.bytes_per_site;
        let size = usize::try_from(needed).ok().filter(|size| *size <= buffer.len());
        let size = size.ok_or(EncodeErrorKind::from(field::EncodeErrorKind::SiteTooLarge { needed }))?;
        // Global data belong to no site.
        let is_global = field.region == Region::Global;
        let mut filled = 0_usize;
        while let Some(Want::Sites(_)) = encoder.next_want() {
            let room = suffix_mut(buffer, filled);
            if room.len() < size {
                break;
            }
            let rank = if is_global { Some(0) } else { self.ranks.next() };
            let site = match rank {
                Some(rank) => self.site(&field, rank, encoder, prefix_mut(room, size)),
                None => Err(EncodeErrorKind::SitesDiffer.into()),
            };
            match site {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => {
                    self.is_stopped = true;
                    break;
                }
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
            filled.increase(size);
        }
        if !is_global {
            self.check_end(encoder);
        }
        Ok(Some(prefix(buffer, filled)))
    }

    /// Fills one site. The result says whether the callback continues.
    fn site(
        &mut self,
        field: &Field,
        rank: u64,
        encoder: &mut Encoder,
        bytes: &mut [u8],
    ) -> Result<ControlFlow<()>, CallbackError<EncodeErrorKind, O::Error>> {
        let positions = self.positions.get_or_insert_with(|| SitePositions::new(field.extents));
        let position = positions.next(rank).ok_or(EncodeErrorKind::SitesDiffer)?;
        let filled = fill_site(field, position, bytes, &mut self.fill);
        if filled.map_err(|error| error.map_failed(EncodeErrorKind::from))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        encoder.site(rank, bytes)?;
        Ok(ControlFlow::Continue(()))
    }
}

impl<B, I, O, F> Pieces<Content<B>> for Message<'_, '_, I, F, O::Error>
where
    B: Buffer,
    I: Iterator<Item = u64>,
    O: Outcome,
    F: FnMut(&mut SiteMut<'_>) -> O,
{
    type ErrorKind = EncodeErrorKind;
    type Callback = O::Error;

    fn next<'s>(&'s mut self, content: &'s mut Content<B>) -> NextPiece<'s, EncodeErrorKind, O::Error> {
        if let Some(error) = self.failed.take() {
            self.is_stopped = true;
            return Err(error);
        }
        if self.is_stopped {
            return Ok(None);
        }
        let Content { encoder, buffer } = content;
        let buffer = buffer.as_mut();
        match encoder.next_want() {
            Some(Want::Entries(_)) => self.entries(encoder, buffer),
            Some(Want::Sites(_)) => self.data(encoder, buffer),
            Some(_) => Ok(None),
            None => documents(encoder, self.begun, buffer),
        }
    }
}

/// Headers, documents and padding up to the next entries, data or checksum: as many at once as half of the buffer
/// holds. The other half is for the document that is being made.
fn documents<'s, C>(
    encoder: &'s mut Encoder,
    begun: &'s BegunMessage<'_>,
    buffer: &'s mut [u8],
) -> NextPiece<'s, EncodeErrorKind, C> {
    let (gathered, scratch) = split_mut(buffer, buffer.len() / 2);
    let (mut filled, mut has_begun) = (0_usize, false);
    while encoder.next_want().is_none() && encoder.ahead() <= gathered.len().minus(filled) as u64 {
        // An error is returned by the next call, unless it is that half a buffer is too small.
        let Ok(Want::Bytes(bytes)) = encoder.next(begun, scratch) else { break };
        filled.increase(copy(suffix_mut(gathered, filled), bytes));
        has_begun = true;
    }
    let bytes = if has_begun {
        prefix(buffer, filled)
    } else {
        match encoder.next(begun, buffer)? {
            Want::Bytes(bytes) => bytes,
            _ => return Ok(None),
        }
    };
    Ok(Some(bytes))
}
