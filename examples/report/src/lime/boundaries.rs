//! Whether links that do not exist are where they may be.

use linkstream::conformance::Boundaries;
use linkstream::field::{Field, SiteError, Sites};

/// Shows links to the judge of boundaries. `feed` passes the data on in their order.
pub fn look_at_boundaries<E>(
    field: &Field,
    boundaries: &mut Boundaries,
    feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), E>,
) -> Result<(), E> {
    let mut site = vec![0; field.bytes_per_site as usize];
    let mut sites = Sites::new(&mut site);
    // Neither the buffer, which was made for this field, nor the callback can fail.
    let _ = sites.begin(field);
    feed(&mut |bytes| {
        let _ = sites.feed(field, bytes, |site| {
            boundaries.site(&site);
            Ok::<(), SiteError>(())
        });
    })
}
