//! The data of a field going by: the checksum folded in, site by site, without a site's memory.

use crate::bytes::{prefix, suffix};
use crate::counter::{Counter as _, at_most};
use crate::field::layout::Field;
use crate::lattice::{Checksum, Cursor, Hypercube, Region, SiteOrder, SiteSum};
use crate::lime::Record;
use crate::state::{Put, Saved, Take};

/// The decoder's position within a field's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Data {
    field: Field,
    /// The field knows the rest of a [`SiteOrder`].
    stand: Cursor,
    /// Bytes of the current site already read.
    in_site: u64,
    sum: SiteSum,
    /// No byte has been passed over.
    complete: bool,
}

impl Data {
    pub(in crate::field) fn new(field: Field) -> Self {
        let stand = Cursor::first(&field.extents, &field.region);
        Self { field, stand, in_site: 0, sum: SiteSum::default(), complete: true }
    }

    pub(crate) const fn field(&self) -> &Field {
        &self.field
    }

    /// These bytes come next.
    pub(in crate::field) fn take(&mut self, bytes: &[u8]) {
        if !self.complete {
            return;
        }
        let mut rest = self.finish_site(bytes);
        // A site that memory cannot address is never whole in a slice.
        if let Ok(size) = usize::try_from(self.field.bytes_per_site) {
            let mut sites = rest.chunks_exact(size.max(1));
            for site in &mut sites {
                self.sum.piece(site);
                self.close_site();
            }
            rest = sites.remainder();
        }
        if !rest.is_empty() {
            self.sum.piece(rest);
            self.in_site = rest.len() as u64;
        }
    }

    /// Takes what belongs to a site begun before; returns the rest.
    fn finish_site<'i>(&mut self, bytes: &'i [u8]) -> &'i [u8] {
        if self.in_site == 0 {
            return bytes;
        }
        let left = self.field.bytes_per_site.minus(self.in_site);
        let n = at_most(left, bytes.len());
        let (piece, rest) = (prefix(bytes, n), suffix(bytes, n));
        self.sum.piece(piece);
        self.in_site = self.in_site.plus(n as u64);
        if n as u64 == left {
            self.close_site();
        }
        rest
    }

    fn close_site(&mut self) {
        self.sum.close(self.stand.residues());
        self.stand.step(&self.field.extents, &self.field.region);
        self.in_site = 0;
    }

    /// Goes to the site of index `index`; `false` from the middle of a site.
    pub(in crate::field) fn seek(&mut self, index: u64) -> bool {
        let between_sites = self.in_site == 0;
        if between_sites {
            self.stand = Cursor::at(&self.field.extents, &self.field.region, index);
        }
        between_sites
    }

    /// Where the next bytes belong.
    pub(in crate::field) const fn walk(&self) -> SiteOrder {
        SiteOrder::of(self.field.extents, self.field.region, self.stand)
    }

    /// Bytes of the current site already read.
    pub(in crate::field) const fn in_site(&self) -> u64 {
        self.in_site
    }

    /// All data have been read elsewhere; this is their checksum.
    pub(super) fn take_all(&mut self, sum: Checksum) {
        self.stand = Cursor::at(&self.field.extents, &self.field.region, self.field.sites());
        self.in_site = 0;
        self.sum = SiteSum::default();
        self.add_sum(sum);
        self.complete = true;
    }

    /// Sites read elsewhere have this checksum.
    pub(in crate::field) const fn add_sum(&mut self, sum: Checksum) {
        self.sum.combine(sum);
    }

    /// The checksum of what has been read.
    pub(in crate::field) const fn sum(&self) -> Checksum {
        self.sum.sum()
    }

    /// Bytes of all data that have been read; `None` if some were passed over.
    pub(super) fn read(&self) -> Option<u64> {
        let sites = self.stand.done().checked_mul(self.field.bytes_per_site)?;
        sites.checked_add(self.in_site).filter(|_| self.complete)
    }

    /// Bytes were passed over: there will be no checksum.
    pub(in crate::field) const fn pass(&mut self) {
        self.complete = false;
    }

    /// The checksum of all data, once they have been read.
    pub(crate) fn checksum(&self) -> Option<Checksum> {
        self.complete.then(|| self.sum.sum())
    }
}

impl Saved for Data {
    const SIZE: usize = Field::SIZE.saturating_add(8 + 8 + 1).saturating_add(SiteSum::SIZE);

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.field);
        to.put(&self.stand.done());
        to.put(&self.in_site);
        to.put(&self.sum);
        to.put(&self.complete);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        // In place, so that its parts are not on the stack beside it.
        let mut data = Self::new(Field::undescribed(Record::default()));
        from.fill(&mut data.field)?;
        data.stand = Cursor::at(&data.field.extents, &data.field.region, from.take()?);
        from.fill(&mut data.in_site)?;
        from.fill(&mut data.sum)?;
        from.fill(&mut data.complete)?;
        let size = data.field.bytes_per_site;
        let in_site = data.in_site < size || (data.in_site == 0 && size == 0);
        let inside = match &data.field.region {
            Region::Hypercube(cube) => {
                Hypercube::new(*cube.lower(), *cube.upper(), &data.field.extents).as_ref() == Ok(cube)
            }
            Region::Lattice | Region::Global => true,
        };
        (in_site && inside).then_some(data)
    }
}
