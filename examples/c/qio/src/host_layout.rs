//! Layouts that this library makes for programs: a `QIO_Layout` whose functions are of this library.
//!
//! The argument of the functions is the number of an entry of a list, not an address, so that a deleted layout is an
//! error. The functions without an argument work on the last layout of their kind.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use linkstream::lattice::Coordinates;

use crate::code::Refused;
use crate::families::{Families, Scalar};
use crate::layout::{Extended, Layout, QioLayout, SiteMap};

/// The site map of a layout.
#[derive(Debug, Clone)]
pub enum Map {
    /// Layout of the I/O nodes.
    Families(Arc<Families>),
    /// Layout of one node.
    Scalar(Scalar),
    /// Functions of the program.
    Program(Layout),
}

impl Map {
    fn sites(&self) -> &dyn SiteMap {
        match self {
            Self::Families(families) => &**families,
            Self::Scalar(scalar) => scalar,
            Self::Program(layout) => layout,
        }
    }

    /// Calls of the program with coordinates of its own.
    fn site(&self, coords: &[c_int]) -> Result<Coordinates, Refused> {
        let values: Result<Vec<u32>, _> = coords.iter().map(|value| u32::try_from(*value)).collect();
        let site = values.ok().and_then(|values| Coordinates::new(&values));
        let lattice = self.sites().lattice();
        let inside = |site: &Coordinates| lattice.is_none_or(|lattice| lattice.rank(site).is_some());
        site.filter(inside).ok_or_else(|| Refused::usage(format!("{coords:?} is not in the lattice")))
    }

    /// Number of dimensions.
    ///
    /// # Errors
    /// The layout has no lattice.
    pub fn dimensions(&self) -> Result<usize, Refused> {
        let lattice = self.sites().lattice();
        lattice.map(|it| it.as_slice().len()).ok_or_else(|| Refused::usage("the layout has no lattice"))
    }

    /// Node of a site.
    ///
    /// # Errors
    /// There is no such site.
    pub fn node_number(&self, coords: &[c_int]) -> Result<c_int, Refused> {
        small(self.sites().node_number(&self.site(coords)?)? as u64)
    }

    /// Index of a site.
    ///
    /// # Errors
    /// There is no such site.
    pub fn node_index(&self, coords: &[c_int]) -> Result<u64, Refused> {
        self.sites().node_index(&self.site(coords)?)
    }

    /// Coordinates of a site.
    ///
    /// # Errors
    /// There is no such site.
    pub fn coordinates(&self, node: c_int, index: u64) -> Result<Coordinates, Refused> {
        self.sites().coordinates(node_of(node)?, index)
    }

    /// Number of sites of a node.
    ///
    /// # Errors
    /// There is no such node.
    pub fn num_sites(&self, node: c_int) -> Result<u64, Refused> {
        self.sites().num_sites(node_of(node)?)
    }

    /// Layout of the I/O nodes.
    ///
    /// # Errors
    /// It is another layout.
    pub fn families(&self) -> Result<&Families, Refused> {
        match self {
            Self::Families(families) => Ok(families),
            _ => Err(Refused::usage("this is no layout of QIO_create_ionode_layout")),
        }
    }

    const fn kind(&self) -> Kind {
        match self {
            Self::Families(_) => Kind::Families,
            Self::Scalar(_) => Kind::Scalar,
            Self::Program(_) => Kind::Program,
        }
    }
}

/// A node of the program.
///
/// # Errors
/// It is negative.
pub fn node_of(node: c_int) -> Result<usize, Refused> {
    usize::try_from(node).map_err(|_| Refused::usage(format!("there is no node {node}")))
}

/// A number as an `int`.
///
/// # Errors
/// It is 2^31 or more.
pub fn small(number: u64) -> Result<c_int, Refused> {
    c_int::try_from(number)
        .map_err(|_| Refused::usage(format!("{number} is 2^31 or more, too large for an int")))
}

/// The kinds of layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Of `QIO_create_ionode_layout`.
    Families,
    /// Of `QIO_create_scalar_layout`.
    Scalar,
    /// Of `QIO_check_layout_ext`.
    Program,
}

/// The maps of all layouts that exist, by their numbers.
static MAPS: Mutex<BTreeMap<usize, Map>> = Mutex::new(BTreeMap::new());

/// Number of the next layout. Numbers are not used again, so that functions of a deleted layout find no other one.
static NEXT: AtomicUsize = AtomicUsize::new(1);

thread_local! {
    /// Number of functions without an argument that are running.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Most functions without an argument that run each other. A layout with the functions of another one of this
/// library can become the last one of its kind, and then they run themselves.
const DEEPEST: usize = 8;

fn maps() -> MutexGuard<'static, BTreeMap<usize, Map>> {
    // The list is consistent between any two of its operations.
    MAPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The map of the layout whose functions have this argument.
///
/// # Errors
/// The layout has been deleted.
pub fn of_argument(argument: *mut c_void) -> Result<Map, Refused> {
    let map = maps().get(&argument.addr()).cloned();
    map.ok_or_else(|| Refused::usage("the layout of this function has been deleted"))
}

/// Works with the map of the last layout of a kind.
///
/// # Errors
/// There is none, or its functions run themselves.
pub fn with_last<T>(kind: Kind, work: impl FnOnce(&Map) -> Result<T, Refused>) -> Result<T, Refused> {
    let map = maps().values().rev().find(|map| map.kind() == kind).cloned();
    let map = map.ok_or_else(|| Refused::usage("there is no layout of this kind, or it has been deleted"))?;
    let depth = DEPTH.get();
    if depth >= DEEPEST {
        return Err(Refused::usage(
            "the functions of the layout are its own: they would run themselves without end",
        ));
    }
    DEPTH.set(depth + 1);
    let _depth = Before(depth);
    work(&map)
}

/// Sets the number of running functions back when one ends, also by a panic.
struct Before(usize);

impl Drop for Before {
    fn drop(&mut self) {
        DEPTH.set(self.0);
    }
}

/// A layout for the program. The structure comes first: a pointer to it is a pointer to this value.
#[repr(C)]
#[derive(Debug)]
pub struct HostLayout {
    layout: QioLayout,
    number: usize,
    kind: Kind,
    latsize: Vec<c_int>,
}

impl HostLayout {
    /// Adds a map to the list. The structure gets these functions, plain and extended; its other members are set here.
    ///
    /// # Errors
    /// The number of the node is none of the map.
    pub fn new(
        map: Map,
        this_node: usize,
        functions: &QioLayout,
        extended: Extended,
    ) -> Result<Self, Refused> {
        let extents = map.sites().lattice().map(|lattice| lattice.as_slice().to_vec()).unwrap_or_default();
        let mut latsize =
            extents.iter().map(|extent| small((*extent).into())).collect::<Result<Vec<_>, _>>()?;
        let sites = map.sites().lattice().map_or(0, linkstream::lattice::Extents::sites);
        let large = |_| Refused::usage("more sites than fit in memory");
        let sites_on_node = match &map {
            Map::Program(layout) => layout.sites_on_node(),
            _ => map.sites().num_sites(this_node)?,
        };
        let mut layout = QioLayout {
            latsize: if latsize.is_empty() { ptr::null_mut() } else { latsize.as_mut_ptr() },
            latdim: small(extents.len() as u64)?,
            volume: usize::try_from(sites).map_err(large)?,
            sites_on_node: usize::try_from(sites_on_node).map_err(large)?,
            this_node: small(this_node as u64)?,
            number_of_nodes: small(map.sites().nodes() as u64)?,
            ..*functions
        };
        let kind = map.kind();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        maps().insert(number, map);
        let arg = ptr::without_provenance_mut(number);
        layout.extended = MaybeUninit::new(Extended { arg, ..extended });
        Ok(Self { layout, number, kind, latsize })
    }

    /// The kind of the layout.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }
}

impl Drop for HostLayout {
    fn drop(&mut self) {
        maps().remove(&self.number);
    }
}
