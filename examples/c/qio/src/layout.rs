//! Distribution of the sites over the nodes, by functions of the program: `QIO_Layout` (QIO 2.3, section 4.1).
#![allow(unsafe_code, reason = "functions of the program are called")]

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use linkstream::lattice::{Coordinates, Extents, MAX_DIMENSIONS};

use crate::border::InCallback;
use crate::code::{ERR_ALLOC, ERR_BAD_SITELIST, Refused};
use crate::memory::values;

/// `QIO_Layout` of `qio_types.h`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct QioLayout {
    /// Node of a site.
    pub node_number: Option<unsafe extern "C" fn(*const c_int) -> c_int>,
    /// Index of a site on its node.
    pub node_index: Option<unsafe extern "C" fn(*const c_int) -> c_int>,
    /// Coordinates of a site.
    pub get_coords: Option<unsafe extern "C" fn(*mut c_int, c_int, c_int)>,
    /// Number of sites of a node.
    pub num_sites: Option<unsafe extern "C" fn(c_int) -> c_int>,
    /// The extended functions. They are set only if the plain ones are null: QDP++ does not even zero them.
    pub extended: MaybeUninit<Extended>,
    /// Extents of the lattice.
    pub latsize: *mut c_int,
    /// Number of dimensions; 0 if the file decides.
    pub latdim: c_int,
    /// Number of sites of the lattice.
    pub volume: usize,
    /// Number of sites of this node.
    pub sites_on_node: usize,
    /// Number of this node.
    pub this_node: c_int,
    /// Number of nodes.
    pub number_of_nodes: c_int,
}

/// The members of `QIO_Layout` with the suffix `_ext`, and their argument.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Extended {
    /// Node of a site.
    pub node_number: Option<unsafe extern "C" fn(*const c_int, *mut c_void) -> c_int>,
    /// Index of a site on its node, with 64 bits.
    pub node_index: Option<unsafe extern "C" fn(*const c_int, *mut c_void) -> u64>,
    /// Coordinates of a site, whose index has 64 bits.
    pub get_coords: Option<unsafe extern "C" fn(*mut c_int, c_int, u64, *mut c_void)>,
    /// Number of sites of a node, with 64 bits.
    pub num_sites: Option<unsafe extern "C" fn(c_int, *mut c_void) -> u64>,
    /// Passed to the functions with an argument.
    pub arg: *mut c_void,
}

impl QioLayout {
    /// The extended functions; `None` if the plain ones are set, which count then.
    const fn extended(&self) -> Option<Extended> {
        if self.node_number.is_some() {
            return None;
        }
        // SAFETY: a program without the plain functions has set these, or zeroed the structure.
        Some(unsafe { self.extended.assume_init() })
    }
}

/// A map between the sites of a lattice and pairs of a node and an index on it.
pub trait SiteMap: std::fmt::Debug + Send + Sync {
    /// Extents of the lattice; `None` if only the file has them.
    fn lattice(&self) -> Option<&Extents>;

    /// Number of nodes.
    fn nodes(&self) -> usize;

    /// Node of a site.
    ///
    /// # Errors
    /// A function of the program is missing, or its result is no node.
    fn node_number(&self, site: &Coordinates) -> Result<usize, Refused>;

    /// Index of a site on its node.
    ///
    /// # Errors
    /// A function of the program is missing, or its result is no index.
    fn node_index(&self, site: &Coordinates) -> Result<u64, Refused>;

    /// Coordinates of a site.
    ///
    /// # Errors
    /// A function of the program is missing, or its result is no site of the lattice.
    fn coordinates(&self, node: usize, index: u64) -> Result<Coordinates, Refused>;

    /// Number of sites of a node.
    ///
    /// # Errors
    /// A function of the program is missing, or its result is more than the lattice has.
    fn num_sites(&self, node: usize) -> Result<u64, Refused>;

    /// The ranks of all sites of a node in the order of their indices. Checks for each site that the functions are the
    /// inverse of each other, so that no site occurs twice.
    ///
    /// # Errors
    /// A function of the program is missing, returns what cannot be, or contradicts another one.
    fn ranks(&self, node: usize) -> Result<Vec<u64>, Refused> {
        let count = self.num_sites(node)?;
        let mut ranks = Vec::new();
        let none = || Refused::because(ERR_ALLOC, format!("there is no memory for {count} ranks of sites"));
        ranks.try_reserve_exact(usize::try_from(count).map_err(|_| none())?).map_err(|_| none())?;
        for index in 0..count {
            let site = self.coordinates(node, index)?;
            let (found_node, found) = (self.node_number(&site)?, self.node_index(&site)?);
            if (found_node, found) != (node, index) {
                let message = format!(
                    "get_coords puts site {index} of node {node} at {site:?}; but there, node_number is \
                     {found_node}, and node_index is {found}"
                );
                return Err(Refused::because(ERR_BAD_SITELIST, message));
            }
            let rank = self.lattice().and_then(|lattice| lattice.rank(&site));
            ranks.push(rank.ok_or_else(|| Refused::usage("the layout has no lattice"))?);
        }
        Ok(ranks)
    }
}

/// The layout of a program, copied from its structure.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    functions: QioLayout,
    lattice: Option<Extents>,
}

// SAFETY: the functions are called by the thread that makes a call of QIO, as `qio_types.h` says.
unsafe impl Send for Layout {}
// SAFETY: as above.
unsafe impl Sync for Layout {}

impl Layout {
    /// Copies the structure of the program and checks its numbers.
    ///
    /// # Errors
    /// The pointer is null; extents, volume or numbers of nodes cannot be; or some functions of a set are missing.
    ///
    /// # Safety
    /// The pointer is null, or points to a structure with `latdim` extents, whose functions do what `qio_types.h` says
    /// for as long as the copy is used.
    pub unsafe fn new(layout: *const QioLayout) -> Result<Self, Refused> {
        if layout.is_null() || !layout.is_aligned() {
            return Err(Refused::usage("no valid pointer was passed instead of a QIO_Layout"));
        }
        // SAFETY: as this function requires.
        let functions = unsafe { *layout };
        let QioLayout { latsize, latdim, volume, this_node, number_of_nodes, .. } = functions;
        if number_of_nodes < 1 || !(0..number_of_nodes).contains(&this_node) {
            return Err(Refused::usage(format!("this_node is {this_node} of {number_of_nodes} nodes")));
        }
        if functions.node_number.is_some() != functions.node_index.is_some()
            || functions.node_number.is_some() != functions.get_coords.is_some()
        {
            return Err(Refused::usage("node_number, node_index and get_coords must be set together"));
        }
        if latdim == 0 {
            return Ok(Self { functions, lattice: None });
        }
        let dimensions = usize::try_from(latdim).ok().filter(|count| *count <= MAX_DIMENSIONS);
        let dimensions = dimensions
            .ok_or_else(|| Refused::usage(format!("latdim is {latdim}; a lattice has 1 to 8 dimensions")))?;
        // SAFETY: as this function requires.
        let latsize = unsafe { values(latsize, dimensions, "latsize") }?;
        let extents: Result<Vec<u32>, _> = latsize.iter().map(|extent| u32::try_from(*extent)).collect();
        let extents = extents.map_err(|_| Refused::usage(format!("latsize is {latsize:?}")))?;
        let lattice = Extents::new(&extents).map_err(|error| Refused::usage(error.to_string()))?;
        if lattice.sites() != volume as u64 {
            let message = format!("volume is {volume}, but the lattice has {} sites", lattice.sites());
            return Err(Refused::usage(message));
        }
        Ok(Self { functions, lattice: Some(lattice) })
    }

    /// Checks that the number of sites of this node is the one of the functions. Conversions do not use it, and their
    /// programs leave it 0.
    ///
    /// # Errors
    /// It is another one.
    pub fn check_sites_on_node(&self) -> Result<(), Refused> {
        let (given, node) = (self.sites_on_node(), self.this_node());
        if self.lattice.is_none() || !self.has_functions() {
            return Ok(());
        }
        match self.num_sites(node)? {
            found if found == given => Ok(()),
            found => {
                let message = format!("sites_on_node is {given}, but num_sites of node {node} is {found}");
                Err(Refused::usage(message))
            }
        }
    }

    /// The same functions for the lattice of a file.
    #[must_use]
    pub const fn with_lattice(mut self, lattice: Extents) -> Self {
        self.lattice = Some(lattice);
        self
    }

    /// Number of this node.
    #[must_use]
    pub fn this_node(&self) -> usize {
        usize::try_from(self.functions.this_node).unwrap_or(0)
    }

    /// Number of sites of this node, as the structure has it.
    #[must_use]
    pub const fn sites_on_node(&self) -> u64 {
        self.functions.sites_on_node as u64
    }

    /// The structure.
    #[must_use]
    pub const fn structure(&self) -> &QioLayout {
        &self.functions
    }

    /// True if the program has set one of the two sets of functions.
    #[must_use]
    pub const fn has_functions(&self) -> bool {
        match self.functions.extended() {
            None => true,
            Some(Extended { node_number, node_index, get_coords, .. }) => {
                node_number.is_some() && node_index.is_some() && get_coords.is_some()
            }
        }
    }

    /// The extended functions.
    fn extended(&self) -> Result<Extended, Refused> {
        self.functions.extended().ok_or_else(|| Refused::usage("the QIO_Layout has no extended functions"))
    }

    fn largest(&self) -> u64 {
        self.lattice.map_or(u64::MAX, |lattice| lattice.sites())
    }
}

/// A function that the program has not set.
fn missing(name: &str) -> Refused {
    Refused::usage(format!("the QIO_Layout has no function {name}"))
}

/// A result of a function of the program.
fn within(name: &str, result: impl TryInto<u64> + Copy + ToString, end: u64) -> Result<u64, Refused> {
    let number = result.try_into().ok().filter(|number| *number < end);
    number.ok_or_else(|| {
        Refused::because(ERR_BAD_SITELIST, format!("{name} of the layout returned {}", result.to_string()))
    })
}

/// A node or an index in the type of the program's functions.
fn argument(number: u64) -> Result<c_int, Refused> {
    c_int::try_from(number).map_err(|_| {
        Refused::usage(format!(
            "{number} is 2^31 or more: the layout needs the functions with the suffix _ext"
        ))
    })
}

/// Coordinates for the program's functions. The array has room for all dimensions.
fn array(site: &Coordinates) -> [c_int; MAX_DIMENSIONS] {
    let mut array = [0; MAX_DIMENSIONS];
    for (to, from) in array.iter_mut().zip(site.as_slice()) {
        // Extents come from an int.
        *to = c_int::try_from(*from).unwrap_or(c_int::MAX);
    }
    array
}

impl SiteMap for Layout {
    fn lattice(&self) -> Option<&Extents> {
        self.lattice.as_ref()
    }

    fn nodes(&self) -> usize {
        usize::try_from(self.functions.number_of_nodes).unwrap_or(0)
    }

    fn node_number(&self, site: &Coordinates) -> Result<usize, Refused> {
        let _running = InCallback::begin();
        let site = array(site);
        let node = if let Some(function) = self.functions.node_number {
            // SAFETY: the program promises that the function reads one number per dimension.
            unsafe { function(site.as_ptr()) }
        } else {
            let Extended { node_number, arg, .. } = self.extended()?;
            let function = node_number.ok_or_else(|| missing("node_number"))?;
            // SAFETY: as above.
            unsafe { function(site.as_ptr(), arg) }
        };
        Ok(within("node_number", node, self.nodes() as u64)? as usize)
    }

    fn node_index(&self, site: &Coordinates) -> Result<u64, Refused> {
        let _running = InCallback::begin();
        let site = array(site);
        if let Some(function) = self.functions.node_index {
            // SAFETY: the program promises that the function reads one number per dimension.
            return within("node_index", unsafe { function(site.as_ptr()) }, self.largest());
        }
        let Extended { node_index, arg, .. } = self.extended()?;
        let function = node_index.ok_or_else(|| missing("node_index"))?;
        // SAFETY: as above.
        within("node_index", unsafe { function(site.as_ptr(), arg) }, self.largest())
    }

    fn coordinates(&self, node: usize, index: u64) -> Result<Coordinates, Refused> {
        let _running = InCallback::begin();
        let lattice = self.lattice.ok_or_else(|| Refused::usage("the layout has no lattice"))?;
        let node = argument(node as u64)?;
        // More room than a function needs, so that one for more dimensions does no harm.
        let mut site = [0; 2 * MAX_DIMENSIONS];
        if let Some(function) = self.functions.get_coords {
            let index = argument(index)?;
            // SAFETY: the program promises that the function writes one number per dimension.
            unsafe { function(site.as_mut_ptr(), node, index) };
        } else {
            let Extended { get_coords, arg, .. } = self.extended()?;
            let function = get_coords.ok_or_else(|| missing("get_coords"))?;
            // SAFETY: as above.
            unsafe { function(site.as_mut_ptr(), node, index, arg) };
        }
        let dimensions = lattice.as_slice().len();
        let values: Result<Vec<u32>, _> =
            site[..dimensions].iter().map(|value| u32::try_from(*value)).collect();
        let found = values.ok().and_then(|values| Coordinates::new(&values));
        found.filter(|found| lattice.rank(found).is_some()).ok_or_else(|| {
            let message = format!("get_coords of the layout returned {:?}", &site[..dimensions]);
            Refused::because(ERR_BAD_SITELIST, message)
        })
    }

    fn num_sites(&self, node: usize) -> Result<u64, Refused> {
        let _running = InCallback::begin();
        let end = self.largest().saturating_add(1);
        if node >= self.nodes() {
            return Err(Refused::usage(format!("there is no node {node}")));
        }
        if let Some(function) = self.functions.num_sites {
            // SAFETY: the program promises that the function works for all nodes.
            return within("num_sites", unsafe { function(argument(node as u64)?) }, end);
        }
        if let Some(Extended { num_sites: Some(function), arg, .. }) = self.functions.extended() {
            // SAFETY: as above.
            let count = unsafe { function(argument(node as u64)?, arg) };
            return within("num_sites", count, end);
        }
        match node == self.this_node() {
            true => within("sites_on_node", self.sites_on_node(), end),
            false => Err(missing("num_sites")),
        }
    }
}
