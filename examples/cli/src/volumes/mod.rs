//! QIO's file sets: finding their files, and showing, making and copying sets.

mod command;
mod convert;
mod copy;
pub mod human;
mod input;
mod layout_name;
mod open_files;
mod publish;

pub use command::{Command, EXAMPLES, run};
pub use convert::write_set;
pub use input::{is_set, set_of, volumes_of, with_fields_of_set, with_opened, with_source};
pub use layout_name::{Layout, LayoutName, numbers};
pub use open_files::allow_open_files;
