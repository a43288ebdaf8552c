//! The extension module of the Python package `linkstream`. Its classes are made for the modules of the package, not for
//! programs.

mod error;
mod exit;
mod explain;
mod field;
mod file;
mod held;
mod matrix;
mod new_numbers;
mod numbers;
mod report;
mod sample;
mod section;
mod sources;
mod store;
mod work;
mod write;
mod write_error;
mod write_other;
mod write_watch;

use pyo3::prelude::*;

/// Without memory, there is a `MemoryError`.
#[global_allocator]
static MEMORY: linkstream_memory::Reserve = linkstream_memory::Reserve;

#[pymodule(gil_used = false)]
mod _linkstream {
    #[pymodule_export]
    use super::exit::{end_work, forget_work};
    #[pymodule_export]
    use super::explain::explanations;
    #[pymodule_export]
    use super::field::Field;
    #[pymodule_export]
    use super::file::{File, files_at, format_of, volume_number};
    #[pymodule_export]
    use super::held::{hold, release};
    #[pymodule_export]
    use super::report::{check_path, check_set, check_source};
    #[pymodule_export]
    use super::sample::Chain;
    #[pymodule_export]
    use super::section::{Elements, Section};
    #[pymodule_export]
    use super::store::{Entries, compare_store, read_store};
    #[pymodule_export]
    use super::write::{is_of_user, notes, write_fields};
    #[pymodule_export]
    use super::write_other::{edit_texts, write_matrix, write_sections};

    /// Number of bytes that show the format of a file.
    #[pymodule_export]
    const SNIFFED: usize = super::file::SNIFFED;

    /// Header lines of archives that follow from the links and from how they are stored.
    #[pymodule_export]
    const DERIVED: [&str; 14] = linkstream_access::write::DERIVED;

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
