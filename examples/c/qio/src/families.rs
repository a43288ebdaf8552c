//! Layouts for conversions on one process (QIO 2.3, section 4.6): all sites of the nodes of an I/O node together, and
//! all sites on one node.

use linkstream::lattice::{Coordinates, Extents};

use crate::code::{ERR_ALLOC, ERR_BAD_IONODE, ERR_BAD_SITELIST, Refused};
use crate::filesystem::Filesystem;
use crate::layout::{Layout, SiteMap};

/// The layout in which each I/O node has the sites of its family: of all nodes that it does the I/O for. The sites of
/// these nodes follow each other in the order of the nodes' numbers.
#[derive(Debug)]
pub struct Families {
    layout: Layout,
    lattice: Extents,
    nodes: Vec<Node>,
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
            totals[io_node] += sites;
            sum = sum.saturating_add(sites);
        }
        if sum != lattice.sites() {
            let message = format!("the nodes have {sum} sites, but the lattice has {}", lattice.sites());
            return Err(Refused::because(ERR_BAD_SITELIST, message));
        }
        let wrong = |message: String| Err(Refused::because(ERR_BAD_IONODE, message));
        let mut used: Vec<usize> = nodes.iter().map(|node| node.io_node).collect();
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
                table.to_vec()
            }
        };
        Ok(Self { layout, lattice, nodes, io_nodes })
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
        let is_there = |it: &Node| it.io_node == node && index >= it.before && index - it.before < it.sites;
        let found = self.nodes.iter().position(is_there).ok_or_else(|| no_index(node, index))?;
        self.layout.coordinates(found, index - self.nodes[found].before)
    }

    fn num_sites(&self, node: usize) -> Result<u64, Refused> {
        let of_family = |it: &Node| (it.io_node == node).then_some(it.sites);
        match self.nodes.get(node) {
            Some(_) => Ok(self.nodes.iter().filter_map(of_family).sum()),
            None => Err(no_node(node)),
        }
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
