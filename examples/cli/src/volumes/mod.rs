//! QIO's file sets: finding their files, and showing, making and copying sets.

mod command;
mod convert;
mod copy;
mod form;
pub mod human;
mod input;
mod layout;
mod open_files;
mod publish;
mod sink;

pub use command::{Command, run};
pub use convert::write_set;
pub use form::{SetForm, numbers};
pub use input::{is_set, set_of, volumes_of, with_opened, with_source};
pub use layout::{Layout, LayoutName};
pub use open_files::allow_open_files;
