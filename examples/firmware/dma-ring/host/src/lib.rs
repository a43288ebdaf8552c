//! Tools for the tests of the programs of `dma-ring`, and for their figures: emulated boards, and a sender.

pub mod figures;
pub mod link;
pub mod lossy;
pub mod machine;
pub mod report;
pub mod sender;
