//! Sites filled by a callback, on their way to a sink: what the writers of fields share.

use crate::field::{EncodeErrorKind, Encoder, SiteMut};

/// Has as many of the next `most` sites filled as the buffer holds. Gives their bytes and how many they are;
/// `None` if there are none left.
pub(super) fn fill<'b>(
    encoder: &Encoder,
    buffer: &'b mut [u8],
    most: u64,
    fill: &mut impl FnMut(&mut SiteMut<'_>),
) -> Result<Option<(&'b [u8], u64)>, EncodeErrorKind> {
    let (Some(mut walk), Some(field)) = (encoder.site(), encoder.field()) else {
        return Err(EncodeErrorKind::NoData);
    };
    let needed = field.bytes_per_site;
    let Some(size) = usize::try_from(needed).ok().filter(|size| (1..=buffer.len()).contains(size)) else {
        // Sites without a byte are written at once.
        return if needed == 0 { Ok(None) } else { Err(EncodeErrorKind::SiteTooLarge { needed }) };
    };
    if !encoder.is_between_sites() {
        return Err(EncodeErrorKind::InsideSite);
    }
    let left = field.sites().saturating_sub(walk.done()).min(most);
    let mut filled = 0_u64;
    let places = buffer.chunks_exact_mut(size).take(usize::try_from(left).unwrap_or(usize::MAX));
    for bytes in places {
        bytes.fill(0);
        fill(&mut SiteMut { walk: &walk, bytes, precision: field.precision, links: field.links.as_ref() });
        walk.step();
        filled = filled.saturating_add(1);
    }
    let length = usize::try_from(filled).unwrap_or(usize::MAX).saturating_mul(size);
    Ok(buffer.get(..length).filter(|bytes| !bytes.is_empty()).map(|bytes| (bytes, filled)))
}
