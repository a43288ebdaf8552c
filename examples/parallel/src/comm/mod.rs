//! Communication between the ranks of a job.

mod solo;
mod threads;
mod traits;

pub use solo::Solo;
pub use threads::{ThreadComm, Threads, Traffic};
pub use traits::{Comm, CommError, Message, Op};
