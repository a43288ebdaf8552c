//! The usual distribution of sites: a mesh of nodes, each with a hypercube of the lattice, and one file for each family
//! of nodes.

use super::numbering::BoxSites;
use super::walk::NodeOrder;
use crate::lattice::{Coordinates, Extents, Hypercube, MAX_DIMENSIONS};
use crate::messages::messages;

messages! {
    /// Errors of a mesh that does not fit its lattice.
    ///
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::volume::{Mesh, MeshError};
    ///
    /// let refused = Mesh::new(&Extents::new(&[4, 4])?, &[3], &[3]).err();
    /// assert_eq!(refused, Some(MeshError::Indivisible { dimension: 0 }));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum MeshError {
        /// No dimensions, more than the lattice has, or an extent of zero.
        Extents => ("the mesh needs 1 to as many extents as the lattice has, none of them zero"),
        /// The extent of the lattice is not a multiple of the number of nodes in this dimension, or that number is not
        /// a multiple of the number of files.
        Indivisible {
            /// The dimension, counted from 0.
            dimension: u8,
        } => ("in dimension {dimension} the lattice cannot be divided evenly by the nodes, or the nodes by the files"),
    }
}

/// The layout of QIO's converters (QIO 2.3, section 4.5): a mesh of nodes divides the lattice into boxes, and a coarser
/// mesh divides the nodes into families. The first node of a family writes the file.
///
/// ```
/// use linkstream::lattice::Extents;
/// use linkstream::volume::{Mesh, NodeOrder};
///
/// // Two nodes in each of two dimensions, and a file for each two nodes that are neighbours in x.
/// let mesh = Mesh::new(&Extents::new(&[4, 2])?, &[2, 2], &[1, 2])?;
/// assert_eq!(mesh.volumes(), 2);
/// let volume = mesh.volume(1).ok_or("there are two")?;
/// assert_eq!((volume.number, volume.cube.sites()), (2, 4));
/// assert_eq!(mesh.ranks(1, NodeOrder::Lexicographic).collect::<Vec<_>>(), [4, 5, 6, 7]);
/// assert_eq!(mesh.ranks(1, NodeOrder::EvenOdd).collect::<Vec<_>>(), [5, 7, 4, 6]);
/// assert_eq!(mesh.volume_of(6), Some(1));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Mesh {
    lattice: Extents,
    nodes: Extents,
    files: Extents,
}

/// One volume of a [`Mesh`].
///
/// ```
/// use linkstream::{lattice::Extents, volume::Mesh};
///
/// let volume = Mesh::new(&Extents::new(&[8])?, &[4], &[2])?.volume(1).ok_or("there are two")?;
/// // It is named after the first node of its family.
/// assert_eq!((volume.number, volume.cube.lower().as_slice()), (2, &[4][..]));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MeshVolume {
    /// The number in its file name: the number of the node that does the I/O.
    pub number: u64,
    /// The box of its sites.
    pub cube: Hypercube,
}

impl Mesh {
    /// A mesh with these numbers of nodes and of files in each dimension of the lattice. Dimensions after the last
    /// given one are not divided.
    ///
    /// # Errors
    /// See [`MeshError`].
    pub fn new(lattice: &Extents, nodes: &[u32], files: &[u32]) -> Result<Self, MeshError> {
        let dimensions = usize::from(lattice.dimensions());
        let padded = |extents: &[u32]| {
            if extents.is_empty() || extents.len() > dimensions {
                return Err(MeshError::Extents);
            }
            let mut all = [1; MAX_DIMENSIONS];
            all.iter_mut().zip(extents).for_each(|(to, from)| *to = *from);
            Extents::new(all.get(..dimensions).unwrap_or_default()).map_err(|_| MeshError::Extents)
        };
        let (nodes, files) = (padded(nodes)?, padded(files)?);
        let extents = lattice.as_slice().iter().zip(nodes.as_slice()).zip(files.as_slice());
        for (dimension, ((lattice, nodes), files)) in (0..).zip(extents) {
            if !lattice.is_multiple_of(*nodes) || !nodes.is_multiple_of(*files) {
                return Err(MeshError::Indivisible { dimension });
            }
        }
        Ok(Self { lattice: *lattice, nodes, files })
    }

    /// The number of volumes.
    #[must_use]
    pub fn volumes(&self) -> u64 {
        self.files.sites()
    }

    /// The volume with this index, counted from 0; `None` if there are fewer.
    #[must_use]
    pub fn volume(&self, index: u64) -> Option<MeshVolume> {
        let file = self.files.coordinates(index)?;
        let (mut node, mut lower, mut upper) =
            (Coordinates::default(), Coordinates::default(), Coordinates::default());
        let extents = self.lattice.as_slice().iter().zip(self.nodes.as_slice()).zip(self.files.as_slice());
        for (c, ((lattice, nodes), files)) in file.as_slice().iter().zip(extents) {
            node.append(c.checked_mul(nodes.checked_div(*files)?)?)?;
            let length = lattice.checked_div(*files)?;
            let first = c.checked_mul(length)?;
            lower.append(first)?;
            upper.append(first.checked_add(length)?.checked_sub(1)?)?;
        }
        let cube = Hypercube::new(lower, upper, &self.lattice).ok()?;
        Some(MeshVolume { number: self.nodes.rank(&node)?, cube })
    }

    /// The index of the volume that contains the site with this rank; `None` if the lattice has fewer sites.
    #[must_use]
    pub fn volume_of(&self, rank: u64) -> Option<u64> {
        let site = self.lattice.coordinates(rank)?;
        let mut file = Coordinates::default();
        let extents = self.lattice.as_slice().iter().zip(self.files.as_slice());
        for (c, (lattice, files)) in site.as_slice().iter().zip(extents) {
            file.append(c.checked_div(lattice.checked_div(*files)?)?)?;
        }
        self.files.rank(&file)
    }

    /// The sites of a volume in this order, with index and rank of each; `None` if there is no such volume.
    ///
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::volume::{Mesh, NodeOrder};
    ///
    /// let mesh = Mesh::new(&Extents::new(&[4, 2])?, &[2], &[2])?;
    /// let sites = mesh.sites(1, NodeOrder::EvenOdd).ok_or("there are two")?;
    /// assert_eq!((sites.sites(), sites.largest_rank(), sites.order()), (4, 7, NodeOrder::EvenOdd));
    /// assert_eq!(mesh.volume(1).map(|volume| volume.cube), Some(*sites.cube()));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sites(&self, index: u64, order: NodeOrder) -> Option<BoxSites> {
        BoxSites::new(&self.lattice, &self.volume(index)?.cube, order).ok()
    }

    /// The ranks of the sites of a volume, in this order; empty if there is no such volume.
    pub fn ranks(&self, index: u64, order: NodeOrder) -> impl Iterator<Item = u64> + Clone + use<> {
        self.ranks_from(index, 0, order)
    }

    /// The ranks of the sites of a volume from the site with index `first` on, in this order. The sites before it are
    /// not walked through.
    ///
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::volume::{Mesh, NodeOrder};
    ///
    /// let mesh = Mesh::new(&Extents::new(&[192, 192, 192, 384])?, &[1, 1, 1, 2], &[1, 1, 1, 2])?;
    /// let mut ranks = mesh.ranks_from(1, 1_358_954_494, NodeOrder::EvenOdd);
    /// assert_eq!((ranks.next(), ranks.next(), ranks.next()), (Some(2_717_908_988), Some(2_717_908_990), None));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn ranks_from(
        &self,
        index: u64,
        first: u64,
        order: NodeOrder,
    ) -> impl Iterator<Item = u64> + Clone + use<> {
        self.sites(index, order).into_iter().flat_map(move |sites| sites.ranks_from(first))
    }

    /// The volume that contains the site with this rank, and the index of the site in its site list, if the list has
    /// this order; `None` if the lattice has fewer sites. Computed without a walk over the sites.
    ///
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::volume::{Mesh, NodeOrder, SitePlace};
    ///
    /// let mesh = Mesh::new(&Extents::new(&[4, 2])?, &[2], &[2])?;
    /// assert_eq!(mesh.place_of(6, NodeOrder::EvenOdd), Some(SitePlace { volume: 1, index: 3 }));
    /// assert_eq!(mesh.rank_at(SitePlace { volume: 1, index: 3 }, NodeOrder::EvenOdd), Some(6));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn place_of(&self, rank: u64, order: NodeOrder) -> Option<SitePlace> {
        let volume = self.volume_of(rank)?;
        Some(SitePlace { volume, index: self.sites(volume, order)?.index_of(rank)? })
    }

    /// The rank of the site at this place, if the site lists have this order; `None` if there is no such site.
    #[must_use]
    pub fn rank_at(&self, place: SitePlace, order: NodeOrder) -> Option<u64> {
        self.sites(place.volume, order)?.rank_at(place.index)
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.sites()
    }

    /// The box of the sites of the node with this number; `None` if there are fewer nodes. Nodes are numbered like
    /// sites: the first dimension varies fastest.
    ///
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::volume::Mesh;
    ///
    /// let mesh = Mesh::new(&Extents::new(&[4, 2])?, &[2, 2], &[1, 2])?;
    /// let node = mesh.node(3).ok_or("four nodes")?;
    /// assert_eq!((node.lower().as_slice(), node.upper().as_slice()), (&[2, 1][..], &[3, 1][..]));
    /// assert_eq!((mesh.nodes(), mesh.volume_of_node(3)), (4, Some(1)));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn node(&self, number: u64) -> Option<Hypercube> {
        let node = self.nodes.coordinates(number)?;
        let (mut lower, mut upper) = (Coordinates::default(), Coordinates::default());
        let extents = self.lattice.as_slice().iter().zip(self.nodes.as_slice());
        for (c, (lattice, nodes)) in node.as_slice().iter().zip(extents) {
            let length = lattice.checked_div(*nodes)?;
            let first = c.checked_mul(length)?;
            lower.append(first)?;
            upper.append(first.checked_add(length)?.checked_sub(1)?)?;
        }
        Hypercube::new(lower, upper, &self.lattice).ok()
    }

    /// The index of the volume that contains the sites of this node; `None` if there are fewer nodes.
    #[must_use]
    pub fn volume_of_node(&self, number: u64) -> Option<u64> {
        self.volume_of(self.lattice.rank(self.node(number)?.lower())?)
    }
}

/// A site of a file set, from [`Mesh::place_of`].
///
/// ```
/// use linkstream::lattice::Extents;
/// use linkstream::volume::{Mesh, NodeOrder};
///
/// let mesh = Mesh::new(&Extents::new(&[8])?, &[2], &[2])?;
/// let place = mesh.place_of(6, NodeOrder::Lexicographic).ok_or("8 sites")?;
/// assert_eq!((place.volume, place.index), (1, 2));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SitePlace {
    /// Index of the volume in the set, counted from 0; its number is in [`MeshVolume::number`].
    pub volume: u64,
    /// Index of the site in the site list of the volume, counted from 0.
    pub index: u64,
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn each_site_is_in_the_volume_that_has_its_rank() {
        let mesh = Mesh::new(&Extents::new(&[4, 2, 3, 6]).unwrap(), &[2, 1, 1, 2], &[1, 1, 1, 2]).unwrap();
        for order in [NodeOrder::Lexicographic, NodeOrder::EvenOdd] {
            let mut seen = Vec::new();
            for index in 0..mesh.volumes() {
                for rank in mesh.ranks(index, order) {
                    assert_eq!(mesh.volume_of(rank), Some(index));
                    seen.push(rank);
                }
            }
            seen.sort_unstable();
            assert_eq!(seen, (0..144).collect::<Vec<_>>());
        }
        assert_eq!([0, 1].map(|index| mesh.volume(index).map(|volume| volume.number)), [Some(0), Some(2)]);
        assert_eq!((mesh.volume(2), mesh.volume_of(144)), (None, None));
    }
}
