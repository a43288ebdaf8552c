//! QIO's file sets: opened, checked, and read as the single file with the same fields.

mod count;
mod discover;
mod gather;
mod joined;
mod layout;
mod missing;
mod names;
mod open;
mod open_volume;
mod recognise;
mod single;

pub use count::count_sites;
pub use discover::{
    FolderError, Listed, Meaning, Meanings, alone, numbered, set_called, volumes_in, volumes_of,
};
pub use gather::{Places, SetBytes};
pub use joined::Joined;
pub use layout::{Layout, LayoutError, TableError};
pub use names::{SetName, volume_folder, volume_name, volume_number};
pub use open::{OpenSet, SetFault, VolumeSource, open};
pub use open_volume::{OpenVolume, VolumeEntry};
pub use recognise::{FIRST, is_volume};
pub use single::SetAsFile;
