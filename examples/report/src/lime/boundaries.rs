//! Checks that links are only absent at open boundaries.

use linkstream::conformance::Boundaries;
use linkstream::field::{Field, SiteError, Sites};
use linkstream_memory as memory;

/// Passes the sites of a field to `boundaries`. `feed` must pass the data to its argument in their order.
pub fn look_at_boundaries<E>(
    field: &Field,
    boundaries: &mut Boundaries,
    feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), E>,
) -> Result<(), E> {
    let mut site = memory::unwinding::zeroed(field.bytes_per_site as usize);
    let mut sites = Sites::new(&mut site);
    // Neither call can fail: the buffer has the size of a site of this field, and the callback returns no error.
    let _ = sites.begin(field);
    feed(&mut |bytes| {
        let _ = sites.feed(field, bytes, |site| {
            boundaries.site(&site);
            Ok::<(), SiteError>(())
        });
    })
}
