//! One file that all ranks read or write together.

mod direct;
mod disk;
mod faulty;
mod io_options;
mod io_ranks;
mod new_file;
mod replacement;
mod rounds;
mod shared;

pub use direct::{Direct, OpenFile};
pub use disk::{Disk, RankFile, SystemDisk};
pub use faulty::{Faulty, FaultyFile, Injection, Request, Requests};
pub use io_options::IoOptions;
pub use io_ranks::{IoFile, IoRanks};
pub use new_file::{BEGINNING, NewFile, everywhere};
pub use replacement::{Locked, Replacement, beside, rename};
pub use rounds::{Rounds, accepted, demands, span, within};
pub use shared::{Access, Engine, Piece, PieceMut, SharedFile, check_order};
