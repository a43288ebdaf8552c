//! Nodes that read and write files: `QIO_Filesystem` (QIO 2.3, sections 4.3 and 4.6).
#![allow(unsafe_code, reason = "functions and tables of the program are used")]

use std::ffi::{CStr, c_char, c_int, c_void};

use linkstream_memory as memory;

use crate::border::InCallback;
use crate::code::{ERR_BAD_IONODE, Refused};
use crate::filename;
use crate::memory::values;

/// All volumes in one directory: `QIO_SINGLE_PATH`.
pub const SINGLE_PATH: c_int = 0;
/// A directory for each I/O node: `QIO_MULTI_PATH`.
pub const MULTI_PATH: c_int = 1;

/// `QIO_Filesystem` of `qio_types.h`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct QioFilesystem {
    /// Number of I/O nodes.
    pub number_io_nodes: c_int,
    /// [`SINGLE_PATH`] or [`MULTI_PATH`].
    pub path_type: c_int,
    /// I/O node of a node.
    pub my_io_node: Option<unsafe extern "C" fn(c_int) -> c_int>,
    /// Node of the first volume.
    pub master_io_node: Option<unsafe extern "C" fn() -> c_int>,
    /// The same with an argument.
    pub my_io_node_ext: Option<unsafe extern "C" fn(c_int, *mut c_void) -> c_int>,
    /// The same with an argument.
    pub master_io_node_ext: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    /// Passed to the functions with an argument.
    pub arg: *mut c_void,
    /// Numbers of the I/O nodes.
    pub io_node: *mut c_int,
    /// Directory of each I/O node.
    pub node_path: *mut *mut c_char,
}

/// The functions of a program, copied from its structure; without them, each node is its own I/O node.
#[derive(Debug, Clone, Copy)]
pub struct Filesystem {
    functions: Option<QioFilesystem>,
}

// SAFETY: the functions are called by the thread that makes a call of QIO, as `qio_types.h` says.
unsafe impl Send for Filesystem {}
// SAFETY: as above.
unsafe impl Sync for Filesystem {}

impl Filesystem {
    /// Copies the structure of the program. Null is allowed. The tables are not read: programs that only open files
    /// need not set them.
    ///
    /// # Errors
    /// The pointer is not aligned.
    ///
    /// # Safety
    /// The pointer is null, or points to a structure whose functions do what `qio_types.h` says for as long as the copy
    /// is used.
    pub unsafe fn new(filesystem: *const QioFilesystem) -> Result<Self, Refused> {
        if !filesystem.is_null() && !filesystem.is_aligned() {
            return Err(Refused::usage("no valid pointer was passed instead of a QIO_Filesystem"));
        }
        // SAFETY: as this function requires.
        Ok(Self { functions: unsafe { filesystem.as_ref() }.copied() })
    }

    /// The two plain functions of the structure alone. Programs that open files have such structures on their stack, and
    /// set only these, often to null: all other members can have any value.
    ///
    /// # Errors
    /// The pointer is not aligned.
    ///
    /// # Safety
    /// As for [`Filesystem::new`].
    pub unsafe fn plain(filesystem: *const QioFilesystem) -> Result<Self, Refused> {
        if filesystem.is_null() {
            return Ok(Self::of_functions(None, None));
        }
        if !filesystem.is_aligned() {
            return Err(Refused::usage("no valid pointer was passed instead of a QIO_Filesystem"));
        }
        // SAFETY: as this function requires.
        let my_io_node = unsafe { &raw const (*filesystem).my_io_node };
        // SAFETY: as above.
        let master_io_node = unsafe { &raw const (*filesystem).master_io_node };
        // SAFETY: as above; only members that are set are read.
        let my_io_node = unsafe { my_io_node.read() };
        // SAFETY: as above.
        let master_io_node = unsafe { master_io_node.read() };
        Ok(Self::of_functions(my_io_node, master_io_node))
    }

    /// The two functions alone, as some calls have them as arguments; null functions are allowed.
    #[must_use]
    pub const fn of_functions(
        my_io_node: Option<unsafe extern "C" fn(c_int) -> c_int>,
        master_io_node: Option<unsafe extern "C" fn() -> c_int>,
    ) -> Self {
        use std::ptr::null_mut;
        Self {
            functions: Some(QioFilesystem {
                number_io_nodes: 0,
                path_type: SINGLE_PATH,
                my_io_node,
                master_io_node,
                my_io_node_ext: None,
                master_io_node_ext: None,
                arg: null_mut(),
                io_node: null_mut(),
                node_path: null_mut(),
            }),
        }
    }

    /// I/O node of a node.
    ///
    /// # Errors
    /// The program's function returns no node.
    pub fn io_node(&self, node: usize, nodes: usize) -> Result<usize, Refused> {
        let number = c_int::try_from(node).map_err(|_| Refused::usage("2^31 nodes or more"))?;
        let _running = InCallback::begin();
        let found = match self.functions {
            Some(QioFilesystem { my_io_node: Some(function), .. }) => {
                // SAFETY: the program promises that the function works for all nodes.
                unsafe { function(number) }
            }
            Some(QioFilesystem { my_io_node_ext: Some(function), arg, .. }) => {
                // SAFETY: as above.
                unsafe { function(number, arg) }
            }
            _ => number,
        };
        checked("my_io_node", found, nodes)
    }

    /// Node of the first volume.
    ///
    /// # Errors
    /// The program's function returns no node.
    pub fn master(&self, nodes: usize) -> Result<usize, Refused> {
        let _running = InCallback::begin();
        let found = match self.functions {
            Some(QioFilesystem { master_io_node: Some(function), .. }) => {
                // SAFETY: the program promises that the function works.
                unsafe { function() }
            }
            Some(QioFilesystem { master_io_node_ext: Some(function), arg, .. }) => {
                // SAFETY: as above.
                unsafe { function(arg) }
            }
            _ => 0,
        };
        checked("master_io_node", found, nodes)
    }

    /// Reads the table of the I/O nodes. `None` if there is none: then the numbers are those from 0 on.
    ///
    /// # Errors
    /// A number is negative or occurs twice, or the number of entries is less than 1.
    ///
    /// # Safety
    /// The table is null, or has `number_io_nodes` numbers.
    pub unsafe fn table(&self) -> Result<Option<Vec<usize>>, Refused> {
        let Some(QioFilesystem { number_io_nodes, io_node, .. }) = self.functions else { return Ok(None) };
        if io_node.is_null() {
            return Ok(None);
        }
        let count = usize::try_from(number_io_nodes).ok().filter(|count| *count > 0);
        let count = count
            .ok_or_else(|| ionode(format!("number_io_nodes is {number_io_nodes}, but there is a table")))?;
        // SAFETY: as this function requires.
        let table = unsafe { values(io_node, count, "the table io_node") }?;
        let mut numbers = memory::room(count)?;
        for node in table {
            let number = usize::try_from(*node);
            numbers.push(number.map_err(|_| ionode("a number in the table io_node is negative".to_owned()))?);
        }
        let mut sorted = memory::copied(&numbers)?;
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(ionode("a node occurs twice in the table io_node".to_owned()));
        }
        Ok(Some(numbers))
    }

    /// Path of a file of an I/O node.
    ///
    /// # Errors
    /// The type of the paths is unknown, the node is no I/O node, or it has no path.
    ///
    /// # Safety
    /// The tables are null, or have `number_io_nodes` entries; each path is null or a text.
    pub unsafe fn path(&self, name: &[u8], node: usize) -> Result<Vec<u8>, Refused> {
        let Some(QioFilesystem { number_io_nodes, path_type, node_path, .. }) = self.functions else {
            return filename::checked(name).map(<[u8]>::to_vec);
        };
        match path_type {
            SINGLE_PATH => return filename::checked(name).map(<[u8]>::to_vec),
            MULTI_PATH => {}
            _ => return Err(Refused::usage(format!("there is no type {path_type} of paths"))),
        }
        // SAFETY: as this function requires.
        let place = match unsafe { self.table() }? {
            Some(table) => table.iter().position(|entry| *entry == node),
            None => Some(node).filter(|node| usize::try_from(number_io_nodes).is_ok_and(|end| *node < end)),
        };
        let place = place.ok_or_else(|| ionode(format!("node {node} is no I/O node")))?;
        if node_path.is_null() {
            return Err(Refused::usage("node_path is a null pointer, although each I/O node has its path"));
        }
        // SAFETY: the table has an entry for each I/O node.
        let entry = unsafe { node_path.add(place) };
        // SAFETY: as above.
        let path = unsafe { entry.read_unaligned() };
        if path.is_null() {
            return Err(Refused::usage(format!("I/O node {node} has no path")));
        }
        // SAFETY: each path that is not null is a text.
        filename::join(unsafe { CStr::from_ptr(path) }.to_bytes(), name)
    }
}

fn ionode(message: String) -> Refused {
    Refused::because(ERR_BAD_IONODE, message)
}

/// A result of a function of the program.
fn checked(name: &str, found: c_int, nodes: usize) -> Result<usize, Refused> {
    let node = usize::try_from(found).ok().filter(|node| *node < nodes);
    node.ok_or_else(|| ionode(format!("{name} returned {found}, but there are {nodes} nodes")))
}
