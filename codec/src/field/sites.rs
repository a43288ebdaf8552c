//! Handing the data of a field to a callback, one site at a time.

use core::fmt;

use super::layout::{Field, LinkLayout};
use super::site::Site;
use crate::lattice::{Precision, SiteOrder};

/// Why sites cannot be handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SitesError {
    /// The buffer does not hold a site.
    BufferTooSmall {
        /// Bytes of a site.
        needed: u64,
    },
}

impl fmt::Display for SitesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BufferTooSmall { needed } => {
                write!(f, "a site of this field takes {needed} bytes, more than the site buffer holds")
            }
        }
    }
}

impl core::error::Error for SitesError {}

/// Cuts data into sites. A site that lies whole in the bytes given is handed on in place; one that does not
/// is gathered in a buffer lent by the caller. The buffer must hold one site, so that what can be read does
/// not depend on how the input is cut; a field of larger sites can still be checked by the decoder alone.
#[derive(Debug)]
pub struct Sites<'b> {
    buffer: &'b mut [u8],
    /// Bytes of the present site in the buffer.
    filled: usize,
    present: Option<Present>,
}

/// What is known of the sites that come, without what the walk knows as well.
#[derive(Debug)]
struct Present {
    size: usize,
    precision: Option<Precision>,
    links: Option<LinkLayout>,
    walk: SiteOrder,
}

impl<'b> Sites<'b> {
    /// With this buffer for sites that do not lie whole in the input.
    #[must_use]
    pub const fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, filled: 0, present: None }
    }

    /// A field's data begin.
    ///
    /// # Errors
    /// The buffer is too small. Bytes that are fed nevertheless are passed over.
    pub fn begin(&mut self, field: &Field) -> Result<(), SitesError> {
        self.resume(field, 0)
    }

    /// A field's data go on after its first `bytes`, as when a saved decoder is put back: the buffer then
    /// must hold what it held. `bytes` is the decoder's place in the payload,
    /// [`payload_position`](crate::SeekPayload::payload_position).
    ///
    /// # Errors
    /// The buffer is too small.
    pub fn resume(&mut self, field: &Field, bytes: u64) -> Result<(), SitesError> {
        self.present = None;
        self.filled = 0;
        let size = field.bytes_per_site;
        let Some(in_memory) = usize::try_from(size).ok().filter(|size| *size <= self.buffer.len()) else {
            return Err(SitesError::BufferTooSmall { needed: size });
        };
        let done = bytes.checked_div(size).unwrap_or(0);
        self.filled = usize::try_from(bytes.checked_rem(size).unwrap_or(0)).unwrap_or(0);
        self.present = Some(Present {
            size: in_memory,
            precision: field.precision,
            links: field.links,
            walk: SiteOrder::at(field.extents, field.region, done),
        });
        Ok(())
    }

    /// Bytes of data come; `each` gets every site that is complete with them, in stored order.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Site<'_>)) {
        let Some(Present { size, precision, links, walk }) = &mut self.present else { return };
        let size = *size;
        if size == 0 {
            return;
        }
        let mut hand_on = |bytes: &[u8]| {
            each(Site {
                rank: walk.rank(),
                coordinates: walk.coordinates(),
                bytes,
                precision: *precision,
                links: links.as_ref(),
            });
            walk.step();
        };
        let mut rest = bytes;
        if self.filled > 0 {
            let wanted = self.buffer.get_mut(self.filled..size).unwrap_or_default();
            let n = wanted.len().min(rest.len());
            let (piece, behind) = rest.split_at_checked(n).unwrap_or_default();
            for (to, from) in wanted.iter_mut().zip(piece) {
                *to = *from;
            }
            self.filled = self.filled.saturating_add(n);
            rest = behind;
            if self.filled < size {
                return;
            }
            hand_on(self.buffer.get(..size).unwrap_or_default());
            self.filled = 0;
        }
        let mut whole = rest.chunks_exact(size);
        for site in &mut whole {
            hand_on(site);
        }
        let piece = whole.remainder();
        for (to, from) in self.buffer.iter_mut().zip(piece) {
            *to = *from;
        }
        self.filled = piece.len();
    }
}
