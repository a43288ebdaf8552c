//! Links that do not exist at open and Dirichlet boundaries (ILDG 1.2, section 2.5.1, "Unphysical links").
//!
//! "No links in the corresponding direction(s) exist for sites on the last slice": all of that slice or none,
//! and none elsewhere.

use super::error::{ErrorKind, LinkPlace, letter};
use crate::error::Error;
use crate::field::{Decoder, Field, Site};
use crate::lattice::Region;
use crate::state::{self, LoadError, Resumable, State, resumable, saved};

/// As many directions as gauge fields have.
const DIRECTIONS: usize = 4;

/// A direction with an open boundary: the links from its last slice do not exist.
///
/// # Example
/// ```
/// use linkstream::conformance::OpenDirection;
///
/// // In time, on a lattice with 8 sites in each time slice.
/// assert_eq!(OpenDirection { direction: 3, links: 8 }.letter(), "t");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OpenDirection {
    /// 0 to 3 for x, y, z, t.
    pub direction: u8,
    /// The number of links that do not exist: one for each site of the slice.
    pub links: u64,
}

impl OpenDirection {
    /// `x`, `y`, `z` or `t`.
    #[must_use]
    pub fn letter(&self) -> &'static str {
        letter(self.direction)
    }
}

/// The links of one direction on its last slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Slice {
    /// Direction in the lattice.
    direction: u8,
    /// The direction's last coordinate.
    last: u32,
    /// Sites with that coordinate.
    sites: u64,
    /// Number of these sites seen so far, without and with a link.
    absent: u64,
    present: u64,
}

saved!(struct Slice { direction, last, sites, absent, present });

/// The first fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fault {
    at: u64,
    mixed: bool,
    place: LinkPlace,
}

saved!(struct Fault { at, mixed, place });

/// Checks the unphysical links of a gauge field as its sites are read, each once and in any order.
///
/// Of each link it examines only the bytes up to the first one that shows it to be physical, usually the first.
///
/// ```
/// use linkstream::{Encode, Mode};
/// use linkstream::conformance::{Boundaries, Decoder, OpenDirection};
/// use linkstream::field::{Event, FieldDocuments, Form, SiteError, Sites};
/// use linkstream::ildg::GaugeKind;
/// use linkstream::io::{FieldWriter, Fill, Reader};
/// use linkstream::lattice::{Extents, Precision};
///
/// // An open boundary: no link in direction 3 leads on from the last time slice.
/// let lattice = Extents::new(&[2, 2, 2, 4])?;
/// let links = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
/// let (mut file, mut buffer) = (vec![0; 16_384], [0; 4096]);
/// let mut writer = FieldWriter::create(&mut file[..], &mut buffer, lattice)?;
/// let sites = Fill::sites(|site| -> Result<(), SiteError> {
///     site.put(&[0.5_f32; 72])?;
///     if site.coordinates().ends_with(&[3]) {
///         site.link_mut(3)?.set_unphysical();
///     }
///     Ok(())
/// });
/// writer.write(&links.message(b""), sites)?;
/// let length = usize::try_from(writer.encoder().position())?;
/// writer.finish()?;
///
/// let (mut buffer, mut site_buffer) = ([0; 4096], [0; 288]);
/// let mut reader = Reader::new(&file[..length], &mut buffer, Decoder::new(Mode::Lenient));
/// let mut sites = Sites::new(&mut site_buffer);
/// let (mut boundaries, mut checked) = (None, 0);
/// while let Some(event) = reader.next()? {
///     match event {
///         Event::Field => {
///             sites.begin(reader.decoder().content().field())?;
///             boundaries = Boundaries::of(reader.decoder().content());
///         }
///         Event::Data => sites.feed(reader.decoder().content().field(), reader.bytes(), |site| {
///             if let Some(boundaries) = &mut boundaries {
///                 boundaries.site(&site);
///             }
///             Ok::<(), SiteError>(())
///         })?,
///         Event::FieldEnd(_) => {
///             let found = boundaries.take().ok_or("no ildg-format describes the field")?;
///             assert_eq!(found.fault(), None);
///             assert!(found.open().eq([OpenDirection { direction: 3, links: 8 }]));
///             checked += 1;
///         }
///         _ => {}
///     }
/// }
/// assert_eq!(checked, 1);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boundaries {
    slices: [Slice; DIRECTIONS],
    /// Absolute offset of the data, and the sizes of their parts.
    data_at: u64,
    site_size: u64,
    link_size: u64,
    fault: Option<Fault>,
}

saved!(struct Boundaries { slices, data_at, site_size, link_size, fault });

resumable!(Boundaries, 12);

impl Boundaries {
    /// A check of the current field of the decoder. `None` if no `ildg-format` describes it: there is no convention
    /// for other fields.
    #[must_use]
    pub fn of(decoder: &Decoder) -> Option<Self> {
        decoder.field().filter(|_| decoder.format_describes_field()).and_then(Self::new)
    }

    fn new(field: &Field) -> Option<Self> {
        let links = field.links?;
        let extents = field.extents.as_slice();
        if field.region != Region::Lattice || extents.len() > DIRECTIONS {
            return None;
        }
        // A link in each direction, or only in directions with more than one site.
        let all = u32::try_from(extents.len()) == Ok(links.links);
        let stored = [0, 1, 2, 3].into_iter().zip(extents).filter(|(_, extent)| all || **extent > 1);
        let mut slices = [Slice::default(); DIRECTIONS];
        for (slice, (direction, extent)) in slices.iter_mut().zip(stored) {
            let sites = field.sites().checked_div(u64::from(*extent))?;
            *slice = Slice { direction, last: extent.checked_sub(1)?, sites, ..Slice::default() };
        }
        Some(Self {
            slices,
            data_at: field.record.payload_offset(),
            site_size: field.bytes_per_site,
            link_size: links.bytes_per_link()? as u64,
            fault: None,
        })
    }

    /// Takes a site of the field.
    pub fn site(&mut self, site: &Site<'_>) {
        // The offset for a finding, modulo 2^64: a caller can pass a site of another field, which must not overflow.
        let mut link_at = self.data_at.wrapping_add(site.rank().wrapping_mul(self.site_size));
        // There are links: `of` returns `None` for a field without.
        let links = site.links().into_iter().flatten();
        for (slice, link) in self.slices.iter_mut().zip(links) {
            let absent = link.is_unphysical();
            let coordinate = site.coordinates().get(usize::from(slice.direction));
            let on_last_slice = coordinate == Some(&slice.last);
            let mixed = if absent { slice.present > 0 } else { slice.absent > 0 };
            if on_last_slice {
                let count = if absent { &mut slice.absent } else { &mut slice.present };
                // A caller can pass a site any number of times.
                *count = count.saturating_add(1);
            }
            // An unphysical link inside the lattice takes precedence over a mixed slice, where the fault can be in the
            // links before this one.
            let is_first = self.fault.is_none_or(|fault| fault.mixed && !on_last_slice);
            if is_first && if on_last_slice { mixed } else { absent } {
                let place = LinkPlace { direction: slice.direction, rank: site.rank() };
                self.fault = Some(Fault { at: link_at, mixed: on_last_slice, place });
            }
            link_at = link_at.wrapping_add(self.link_size);
        }
    }

    /// The first link that breaks the rule, with its absolute offset: it is unphysical outside of a last slice or, if
    /// there is no such link, differs from the links before it on the same last slice.
    #[must_use]
    pub fn fault(&self) -> Option<Error<ErrorKind>> {
        let Fault { at, mixed, place } = self.fault?;
        let kind = if mixed { ErrorKind::BoundaryMixed(place) } else { ErrorKind::LinkUnphysical(place) };
        Some(Error::new(at, kind))
    }

    /// The directions whose last slice has no links. Complete once all sites have been read.
    pub fn open(&self) -> impl Iterator<Item = OpenDirection> + '_ {
        let open = self.slices.iter().filter(|slice| slice.sites > 0 && slice.absent == slice.sites);
        open.map(|slice| OpenDirection { direction: slice.direction, links: slice.absent })
    }
}

impl Resumable for Boundaries {
    type Saved<S> = S;

    fn save(&self) -> State<Self> {
        state::seal(self)
    }

    fn save_into(&self, to: &mut Self::Bytes) {
        state::seal_into(self, to);
    }

    fn load(saved: &State<Self>) -> Result<Self, LoadError> {
        state::open(saved)
    }
}
