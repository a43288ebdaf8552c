//! The pieces that the calls of [`VolumeWriter`](crate::io::VolumeWriter) write: as many entries or sites at once as the
//! buffer holds.

use core::ops::ControlFlow;

use crate::bytes::{copy, prefix, prefix_mut, split_mut, suffix_mut};
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::field::{self, BegunMessage, Field, OutgoingMessage, SiteMut, fill_site};
use crate::io::buffer::Buffer;
use crate::io::writer::{NextPiece, Piece, Pieces};
use crate::lattice::Region;
use crate::volume::{EncodeErrorKind, Encoder, IndexedSite, SitePositions, Want};

/// The callback for messages, or parts of them, that have no sites.
pub(super) const fn nothing(_: &mut SiteMut<'_>) {}

/// All sites of a volume.
pub(super) fn indexed(ranks: impl Iterator<Item = u64>) -> impl Iterator<Item = IndexedSite> {
    let mut next = 0_u64;
    ranks.map(move |rank| {
        let index = next;
        next.increase(1);
        IndexedSite { index, rank }
    })
}

/// The encoder with its buffer.
#[derive(Debug)]
pub(super) struct Content<B> {
    pub(super) encoder: Encoder,
    pub(super) buffer: B,
    /// This process writes everything that belongs to no site. If several processes write one volume, exactly one is
    /// the root.
    pub(super) is_root: bool,
}

impl<B: Buffer> Content<B> {
    /// Begins a message with these ranks. If it is refused, the encoder does not change.
    pub(super) fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        ranks: impl Iterator<Item = u64> + Clone,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        let sites = ranks.clone().fold(0_u64, |n, _| n.saturating_add(1));
        self.try_begin(message, sites, |trial| trial.check_ranks(ranks))
    }

    /// Begins a message; this process writes these sites of it. If the message is refused, the encoder does not change.
    pub(super) fn begin_part<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        sites: u64,
        own: impl Iterator<Item = IndexedSite>,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        self.try_begin(message, sites, |trial| trial.check_part(own))
    }

    fn try_begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        sites: u64,
        check: impl FnOnce(&Encoder) -> Result<(), EncodeErrorKind>,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        let (mut trial, buffer) = (self.encoder.clone(), self.buffer.as_mut());
        let begun = trial.begin(message, sites, buffer)?;
        check(&trial)?;
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
pub(super) struct Message<'m, 'd, I, F, C> {
    begun: &'m BegunMessage<'d>,
    sites: Sites<I>,
    /// Other processes write the sites that do not come.
    is_part: bool,
    fill: F,
    /// Known when the field is.
    positions: Option<SitePositions>,
    is_stopped: bool,
    /// Error of the next site. It is returned after the sites before it have been written.
    failed: Option<CallbackError<EncodeErrorKind, C>>,
}

impl<'m, 'd, I: Iterator<Item = IndexedSite>, F, C> Message<'m, 'd, I, F, C> {
    /// Pieces of a message whose sites are all written by this process.
    pub(super) fn whole(begun: &'m BegunMessage<'d>, sites: I, fill: F) -> Self {
        Self::new(begun, sites, false, fill)
    }

    /// Pieces of a message; this process writes these sites of it.
    pub(super) fn part(begun: &'m BegunMessage<'d>, sites: I, fill: F) -> Self {
        Self::new(begun, sites, true, fill)
    }

    fn new(begun: &'m BegunMessage<'d>, mut sites: I, is_part: bool, fill: F) -> Self {
        let next = sites.next();
        let sites = Sites { next, rest: sites };
        Self { begun, sites, is_part, fill, positions: None, is_stopped: false, failed: None }
    }

    /// Fills the buffer with entries of the site list.
    fn entries<'s>(
        &mut self,
        encoder: &mut Encoder,
        buffer: &'s mut [u8],
        is_root: bool,
    ) -> NextPiece<'s, EncodeErrorKind, C> {
        let size = encoder.entry_width().bytes();
        if buffer.len() < size {
            return Err(
                EncodeErrorKind::from(field::EncodeErrorKind::SiteTooLarge { needed: size as u64 }).into()
            );
        }
        let (mut offset, mut filled) = (encoder.position(), 0_usize);
        while let Some(Want::Entries(left)) = encoder.due() {
            let Some(site) = self.sites.next else {
                if !self.is_part {
                    self.failed = Some(EncodeErrorKind::SitesDiffer.into());
                    break;
                }
                encoder.seek_entry(encoder.index().unwrap_or(0).saturating_add(left))?;
                break;
            };
            if encoder.index() != Some(site.index) {
                if filled > 0 {
                    break;
                }
                encoder.seek_entry(site.index)?;
                offset = encoder.position();
            }
            let room = suffix_mut(buffer, filled);
            if room.len() < size {
                break;
            }
            let entry = match encoder.entry(site.rank) {
                Ok(entry) => entry,
                Err(kind) => {
                    self.failed = Some(kind.into());
                    break;
                }
            };
            copy(room, entry.as_bytes());
            filled.increase(size);
            self.sites.pass();
        }
        self.check_end(encoder, Encoder::seek_entry);
        let writes = self.is_part || is_root;
        Ok(Some(Piece { offset, bytes: if writes { prefix(buffer, filled) } else { &[] } }))
    }

    /// Sites that follow the last one are an error, unless they belong to a part, whose order is free: the encoder then
    /// goes back to them.
    fn check_end(&mut self, encoder: &mut Encoder, seek: impl FnOnce(&mut Encoder, u64) -> Sought) {
        let is_end = matches!(encoder.due(), None | Some(Want::Nothing));
        let Some(site) = self.sites.next.filter(|_| is_end && self.failed.is_none()) else { return };
        let sought = if self.is_part { seek(encoder, site.index) } else { Ok(()) };
        self.failed = match sought {
            Err(kind) => Some(kind.into()),
            Ok(()) if encoder.due().is_none() => Some(EncodeErrorKind::SitesDiffer.into()),
            Ok(()) => None,
        };
    }
}

type Sought = Result<(), EncodeErrorKind>;

impl<I: Iterator<Item = IndexedSite>, O: Outcome, F: FnMut(&mut SiteMut<'_>) -> O>
    Message<'_, '_, I, F, O::Error>
{
    /// Fills the buffer with data of sites.
    fn data<'s>(
        &mut self,
        encoder: &mut Encoder,
        buffer: &'s mut [u8],
        is_root: bool,
    ) -> NextPiece<'s, EncodeErrorKind, O::Error> {
        let field = *encoder.field().ok_or(EncodeErrorKind::from(field::EncodeErrorKind::NoData))?;
        let needed = field.bytes_per_site;
        let size = usize::try_from(needed).ok().filter(|size| *size <= buffer.len());
        let size = size.ok_or(EncodeErrorKind::from(field::EncodeErrorKind::SiteTooLarge { needed }))?;
        let is_global = field.region == Region::Global;
        if is_global {
            // The data belong to no site: the root writes them.
            let writes = !self.is_part || is_root;
            self.sites.next = writes.then_some(IndexedSite { index: 0, rank: 0 });
        }
        let (mut offset, mut filled) = (encoder.position(), 0_usize);
        while let Some(Want::Sites(left)) = encoder.due() {
            let Some(site) = self.sites.next else {
                if !self.is_part {
                    self.failed = Some(EncodeErrorKind::SitesDiffer.into());
                    break;
                }
                encoder.seek_site(encoder.index().unwrap_or(0).saturating_add(left))?;
                break;
            };
            if encoder.index() != Some(site.index) {
                if filled > 0 {
                    break;
                }
                encoder.seek_site(site.index)?;
                offset = encoder.position();
            }
            let room = suffix_mut(buffer, filled);
            if room.len() < size {
                break;
            }
            match self.site(&field, site, encoder, prefix_mut(room, size)) {
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
            if is_global {
                self.sites.next = None;
            } else {
                self.sites.pass();
            }
        }
        self.check_end(encoder, Encoder::seek_site);
        Ok(Some(Piece { offset, bytes: prefix(buffer, filled) }))
    }

    /// Fills a site, and counts it.
    fn site(
        &mut self,
        field: &Field,
        IndexedSite { index, rank }: IndexedSite,
        encoder: &mut Encoder,
        bytes: &mut [u8],
    ) -> Result<ControlFlow<()>, CallbackError<EncodeErrorKind, O::Error>> {
        let positions = self.positions.get_or_insert_with(|| SitePositions::new(field.extents));
        positions.go_to(index);
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
    I: Iterator<Item = IndexedSite>,
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
        let Content { encoder, buffer, is_root } = content;
        let buffer = buffer.as_mut();
        match encoder.due() {
            Some(Want::Entries(_)) => self.entries(encoder, buffer, *is_root),
            Some(Want::Sites(_)) => self.data(encoder, buffer, *is_root),
            Some(_) => Ok(None),
            None => documents(encoder, self.begun, buffer, *is_root),
        }
    }
}

/// Headers, documents and padding up to the next entries, data or checksum: as many at once as half of the buffer
/// holds. The other half is for the document that is being made.
fn documents<'s, C>(
    encoder: &'s mut Encoder,
    begun: &'s BegunMessage<'_>,
    buffer: &'s mut [u8],
    writes: bool,
) -> NextPiece<'s, EncodeErrorKind, C> {
    let offset = encoder.position();
    let (gathered, scratch) = split_mut(buffer, buffer.len() / 2);
    let (mut filled, mut has_begun) = (0_usize, false);
    while encoder.due().is_none() && encoder.ahead() <= gathered.len().minus(filled) as u64 {
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
    Ok(Some(Piece { offset, bytes: if writes { bytes } else { &[] } }))
}

/// The sites of a message, with a view of the next one.
struct Sites<I> {
    next: Option<IndexedSite>,
    rest: I,
}

impl<I: Iterator<Item = IndexedSite>> Sites<I> {
    fn pass(&mut self) {
        self.next = self.rest.next();
    }
}
