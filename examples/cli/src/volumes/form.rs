//! The options for a new set: `--volumes`, `--io` and `--layout`.

use anyhow::Context as _;
use linkstream::lattice::Extents;
use linkstream::volume::Mesh;

use super::layout::Layout;

/// The nodes of a set and its volumes.
#[derive(Debug, Clone)]
pub struct SetForm {
    /// Number of nodes in each dimension.
    pub nodes: Vec<u32>,
    /// Number of volumes in each dimension; `None`: one per node.
    pub io: Option<Vec<u32>>,
    pub layout: Layout,
}

impl SetForm {
    /// The assignment of a lattice's sites to volumes.
    pub fn mesh(&self, lattice: &Extents) -> anyhow::Result<Mesh> {
        let io = self.io.as_ref().unwrap_or(&self.nodes);
        let made = Mesh::new(lattice, &self.nodes, io);
        made.with_context(|| {
            let shown = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
            format!("the lattice {lattice} as {} nodes and {} volumes", shown(&self.nodes), shown(io))
        })
    }
}

/// Parses numbers with `x` between them.
pub fn numbers(text: &str) -> Result<Vec<u32>, String> {
    let numbers = text.split('x').map(|number| number.parse().ok().filter(|number| *number > 0));
    let numbers: Option<Vec<u32>> = numbers.collect();
    numbers.ok_or_else(|| "expected numbers like 2x1x2x2, one for each dimension that is divided".to_owned())
}
