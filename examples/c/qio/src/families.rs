//! Layouts for conversions on one process (QIO 2.3, section 4.6): all sites of the nodes of an I/O node together, and
//! all sites on one node.

use linkstream::lattice::{Coordinates, Extents};
use linkstream_memory as memory;

use crate::code::{ERR_ALLOC, ERR_BAD_IONODE, ERR_BAD_SITELIST, Refused};
use crate::filesystem::Filesystem;
use crate::layout::{Layout, SiteMap};

/// The layout of the I/O nodes: each has the sites of its family, all nodes with this I/O node. The sites of
/// these nodes follow each other in the order of the nodes' numbers.
#[derive(Debug)]
pub struct Families {
    layout: Layout,
    lattice: Extents,
    nodes: Vec<Node>,
    /// Numbers of all nodes, by their I/O nodes and then in order.
    sorted: Vec<usize>,
    /// Number of sites of the family of each node; 0 if the node does no I/O.
    totals: Vec<u64>,
    /// The I/O nodes, in the order of the program's table or of their numbers.
    io_nodes: Vec<usize>,
}

/// A node of the program's layout.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The node that does its I/O.
    io_node: usize,
    /// Number of sites of the nodes of the same family before it.
    before: u64,
    /// Number of its sites.
    sites: u64,
}

impl Families {
    /// Asks the program's functions about all nodes. `table` has the numbers of the I/O nodes.
    ///
    /// # Errors
    /// The layout has no lattice, the I/O nodes contradict each other or the table, or the nodes together do not have
    /// the sites of the lattice.
    pub fn new(layout: Layout, filesystem: &Filesystem, table: Option<&[usize]>) -> Result<Self, Refused> {
        let lattice = layout.lattice().copied();
        let lattice = lattice.ok_or_else(|| Refused::usage("the layout has no lattice: latdim is 0"))?;
        let count = layout.nodes();
        let mut nodes: Vec<Node> = Vec::new();
        let mut totals = Vec::new();
        let none = |_| Refused::because(ERR_ALLOC, format!("there is no memory for {count} nodes"));
        nodes.try_reserve_exact(count).map_err(none)?;
        totals.try_reserve_exact(count).map_err(none)?;
        totals.resize(count, 0_u64);
        let mut sum = 0_u64;
        for node in 0..count {
            let io_node = filesystem.io_node(node, count)?;
            let sites = layout.num_sites(node)?;
            nodes.push(Node { io_node, before: totals[io_node], sites });
            totals[io_node] = totals[io_node].saturating_add(sites);
            sum = sum.saturating_add(sites);
        }
        if sum != lattice.sites() {
            let message = format!("the nodes have {sum} sites, but the lattice has {}", lattice.sites());
            return Err(Refused::because(ERR_BAD_SITELIST, message));
        }
        let wrong = |message: String| Err(Refused::because(ERR_BAD_IONODE, message));
        let mut used = memory::collect(nodes.iter().map(|node| node.io_node))?;
        used.sort_unstable();
        used.dedup();
        if let Some(io_node) = used.iter().find(|io_node| nodes[**io_node].io_node != **io_node) {
            let other = nodes[*io_node].io_node;
            return wrong(format!(
                "node {io_node} does I/O for others, but node {other} does it for {io_node}"
            ));
        }
        let io_nodes = match table {
            None => used,
            Some(table) => {
                if let Some(io_node) = used.iter().find(|io_node| !table.contains(io_node)) {
                    return wrong(format!("node {io_node} does I/O, but it is not in the table io_node"));
                }
                if let Some(entry) = table.iter().find(|entry| !used.contains(entry)) {
                    return wrong(format!("node {entry} is in the table io_node, but does no I/O"));
                }
                memory::copied(table)?
            }
        };
        let mut sorted = memory::collect(0..count)?;
        sorted.sort_by_key(|node| nodes[*node].io_node);
        Ok(Self { layout, lattice, nodes, sorted, totals, io_nodes })
    }

    /// The layout of the program.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The I/O nodes, in the order of the program's table or of their numbers.
    #[must_use]
    pub fn io_nodes(&self) -> &[usize] {
        &self.io_nodes
    }

    /// The node that does I/O for a node.
    ///
    /// # Errors
    /// There is no such node.
    pub fn io_node(&self, node: usize) -> Result<usize, Refused> {
        self.nodes.get(node).map(|node| node.io_node).ok_or_else(|| no_node(node))
    }

    /// Place of an I/O node among the I/O nodes.
    ///
    /// # Errors
    /// The node is no I/O node.
    pub fn io_node_rank(&self, node: usize) -> Result<usize, Refused> {
        let place = self.io_nodes.iter().position(|io_node| *io_node == node);
        place.ok_or_else(|| Refused::because(ERR_BAD_IONODE, format!("node {node} is no I/O node")))
    }

    /// Lexicographic rank of a site.
    ///
    /// # Errors
    /// There is no such site, or a function of the program fails.
    pub fn rank(&self, io_node: usize, index: u64) -> Result<u64, Refused> {
        let site = self.coordinates(io_node, index)?;
        self.lattice.rank(&site).ok_or_else(|| Refused::usage(format!("{site:?} is not in the lattice")))
    }

    /// Index of the site of this rank on its I/O node.
    ///
    /// # Errors
    /// There is no such site, or a function of the program fails.
    pub fn index_of_rank(&self, rank: u64) -> Result<u64, Refused> {
        self.node_index(&site_of_rank(&self.lattice, rank)?)
    }
}

fn no_node(node: usize) -> Refused {
    Refused::because(ERR_BAD_IONODE, format!("there is no node {node}"))
}

fn no_index(node: usize, index: u64) -> Refused {
    Refused::usage(format!("node {node} has no site {index}"))
}

fn site_of_rank(lattice: &Extents, rank: u64) -> Result<Coordinates, Refused> {
    lattice.coordinates(rank).ok_or_else(|| Refused::usage(format!("the lattice has no site {rank}")))
}

impl SiteMap for Families {
    fn lattice(&self) -> Option<&Extents> {
        Some(&self.lattice)
    }

    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn node_number(&self, site: &Coordinates) -> Result<usize, Refused> {
        self.io_node(self.layout.node_number(site)?)
    }

    fn node_index(&self, site: &Coordinates) -> Result<u64, Refused> {
        let number = self.layout.node_number(site)?;
        let node = self.nodes.get(number).ok_or_else(|| no_node(number))?;
        let index = self.layout.node_index(site)?;
        if index >= node.sites {
            let message = format!("node_index is {index} on node {number}, which has {} sites", node.sites);
            return Err(Refused::because(ERR_BAD_SITELIST, message));
        }
        Ok(node.before + index)
    }

    fn coordinates(&self, node: usize, index: u64) -> Result<Coordinates, Refused> {
        let first = |number: &usize| {
            let it = &self.nodes[*number];
            (it.io_node, it.before)
        };
        // The last node of the family that does not begin after the index; nodes without sites come before it.
        let after = self.sorted.partition_point(|number| first(number) <= (node, index));
        let number = after.checked_sub(1).and_then(|place| self.sorted.get(place)).copied();
        let found = number.filter(|number| {
            let it = &self.nodes[*number];
            it.io_node == node && index - it.before < it.sites
        });
        let found = found.ok_or_else(|| no_index(node, index))?;
        self.layout.coordinates(found, index - self.nodes[found].before)
    }

    fn num_sites(&self, node: usize) -> Result<u64, Refused> {
        self.totals.get(node).copied().ok_or_else(|| no_node(node))
    }
}

/// The layout with all sites on one node, in lexicographic order.
#[derive(Debug, Clone, Copy)]
pub struct Scalar(pub Extents);

impl Scalar {
    fn only(node: usize) -> Result<(), Refused> {
        if node == 0 { Ok(()) } else { Err(no_node(node)) }
    }
}

impl SiteMap for Scalar {
    fn lattice(&self) -> Option<&Extents> {
        Some(&self.0)
    }

    fn nodes(&self) -> usize {
        1
    }

    fn node_number(&self, site: &Coordinates) -> Result<usize, Refused> {
        self.node_index(site).map(|_| 0)
    }

    fn node_index(&self, site: &Coordinates) -> Result<u64, Refused> {
        self.0.rank(site).ok_or_else(|| Refused::usage(format!("{site:?} is not in the lattice")))
    }

    fn coordinates(&self, node: usize, index: u64) -> Result<Coordinates, Refused> {
        Self::only(node)?;
        site_of_rank(&self.0, index)
    }

    fn num_sites(&self, node: usize) -> Result<u64, Refused> {
        Self::only(node)?;
        Ok(self.0.sites())
    }
}

#[cfg(test)]
#[allow(unsafe_code, reason = "a layout as of a program")]
mod tests {
    use std::ffi::c_int;

    use super::*;
    use crate::layout::QioLayout;

    // A lattice of 4 x 4 on three nodes: node 0 has x = 2 and 3, node 1 nothing, node 2 x = 0 and 1.

    unsafe extern "C" fn number(site: *const c_int) -> c_int {
        // SAFETY: the lattice has two dimensions.
        if unsafe { *site } < 2 { 2 } else { 0 }
    }

    unsafe extern "C" fn index(site: *const c_int) -> c_int {
        // SAFETY: the lattice has two dimensions.
        let [x, y] = unsafe { *site.cast::<[c_int; 2]>() };
        x % 2 + 2 * y
    }

    unsafe extern "C" fn coords(site: *mut c_int, node: c_int, index: c_int) {
        let first = if node == 2 { 0 } else { 2 };
        // SAFETY: the lattice has two dimensions.
        unsafe { *site.cast::<[c_int; 2]>() = [first + index % 2, index / 2] };
    }

    unsafe extern "C" fn sites(node: c_int) -> c_int {
        if node == 1 { 0 } else { 8 }
    }

    unsafe extern "C" fn always_0(_node: c_int) -> c_int {
        0
    }

    unsafe extern "C" fn next(node: c_int) -> c_int {
        (node + 1) % 3
    }

    unsafe extern "C" fn always_1(_site: *const c_int) -> c_int {
        1
    }

    fn layout(change: impl FnOnce(&mut QioLayout)) -> Result<Layout, Refused> {
        let mut latsize: [c_int; 2] = [4, 4];
        let mut structure = QioLayout {
            node_number: Some(number),
            node_index: Some(index),
            get_coords: Some(coords),
            num_sites: Some(sites),
            extended: std::mem::MaybeUninit::uninit(),
            latsize: latsize.as_mut_ptr(),
            latdim: 2,
            volume: 16,
            sites_on_node: 8,
            this_node: 0,
            number_of_nodes: 3,
        };
        change(&mut structure);
        // SAFETY: the structure is valid, and its functions are for two dimensions.
        unsafe { Layout::new(&raw const structure) }
    }

    #[test]
    fn families_are_nodes() {
        let layout = layout(|_| {}).unwrap();
        let one = Filesystem::of_functions(Some(always_0), None);
        let families = Families::new(layout, &one, None).unwrap();
        assert_eq!(families.io_nodes(), [0]);
        assert_eq!((families.num_sites(0), families.num_sites(1)), (Ok(16), Ok(0)));
        // Node 0 has x = 2, 3, then node 2 has x = 0, 1.
        let ranks = families.ranks(0).unwrap();
        assert_eq!(ranks, [2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13]);
        for (index, rank) in (0..).zip(ranks) {
            assert_eq!((families.rank(0, index), families.index_of_rank(rank)), (Ok(rank), Ok(index)));
        }
        assert!(families.rank(0, 16).is_err() && families.rank(1, 0).is_err());
        assert!(families.index_of_rank(16).is_err());

        let own = Filesystem::of_functions(None, None);
        let families = Families::new(layout, &own, None).unwrap();
        assert_eq!((families.io_node_rank(2), families.io_node(2)), (Ok(2), Ok(2)));
        assert_eq!(families.ranks(1).unwrap(), [0; 0]);
        assert_eq!(families.ranks(2).unwrap()[..3], [0, 1, 4]);
        let families = Families::new(layout, &own, Some(&[2, 1, 0])).unwrap();
        assert_eq!(families.io_node_rank(0), Ok(2));
        for table in [&[0, 1][..], &[0, 1, 2, 3]] {
            assert_eq!(Families::new(layout, &own, Some(table)).unwrap_err().code, ERR_BAD_IONODE);
        }
        let turned = Filesystem::of_functions(Some(next), None);
        assert_eq!(Families::new(layout, &turned, None).unwrap_err().code, ERR_BAD_IONODE);
        assert_eq!(Scalar(*layout.lattice().unwrap()).ranks(0).unwrap(), (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn layouts_that_contradict_themselves_are_refused() {
        let message = |layout: Result<Layout, Refused>| {
            let refused = layout.and_then(|layout| layout.ranks(0)).unwrap_err();
            refused.failure.unwrap().message
        };
        assert!(message(layout(|it| it.node_index = Some(always_1))).contains("node_index is 1"));
        assert!(message(layout(|it| it.node_number = Some(always_1))).contains("node_number is 1"));
        assert!(message(layout(|it| it.volume = 15)).contains("volume is 15"));
        assert!(
            message(layout(|it| it.sites_on_node = 9).and_then(|layout| {
                layout.check_sites_on_node()?;
                Ok(layout)
            }))
            .contains("sites_on_node is 9")
        );
        assert!(message(layout(|it| it.this_node = 3)).contains("this_node"));
        assert!(message(layout(|it| it.latdim = 9)).contains("latdim"));
        assert!(message(layout(|it| it.get_coords = None)).contains("set together"));
        assert!(message(layout(|it| it.latsize = std::ptr::null_mut())).contains("latsize"));
        let no_lattice = layout(|it| it.latdim = 0).unwrap();
        assert!(message(Ok(no_lattice)).contains("no lattice"));
        assert!(no_lattice.with_lattice(Extents::new(&[4, 4]).unwrap()).ranks(0).is_ok());
    }
}
