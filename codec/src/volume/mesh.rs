//! The usual distribution of sites: a mesh of nodes, each with a hypercube of the lattice, and one file for each family
//! of nodes.

use super::walk::{NodeOrder, Walk};
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

    /// The ranks of the sites of a volume, in this order; empty if there is no such volume.
    pub fn ranks(&self, index: u64, order: NodeOrder) -> impl Iterator<Item = u64> + Clone + use<> {
        let (lattice, volume) = (self.lattice, self.volume(index));
        volume.into_iter().flat_map(move |volume| Walk::new(lattice, volume.cube, order))
    }
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
