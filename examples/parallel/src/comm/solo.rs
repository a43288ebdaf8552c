//! A job of one rank.

use super::traits::{Comm, CommError, Message, Op};

/// The only rank of a job: the serial case.
///
/// ```
/// use linkstream_parallel::comm::{Comm, Op, Solo};
///
/// let mut numbers = [7];
/// Solo.combine(Op::Scan, &mut numbers)?;
/// assert_eq!(numbers, [0]);
/// # Ok::<(), linkstream_parallel::comm::CommError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Solo;

impl Comm for Solo {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn node_leader(&self) -> usize {
        0
    }

    fn combine(&self, op: Op, numbers: &mut [u64]) -> Result<(), CommError> {
        if op == Op::Scan {
            numbers.fill(0);
        }
        Ok(())
    }

    fn broadcast(&self, _: usize, _: &mut [u8]) -> Result<(), CommError> {
        Ok(())
    }

    fn exchange(&self, mut messages: Vec<Message>) -> Result<Vec<Message>, CommError> {
        messages.retain(|message| !message.bytes.is_empty());
        Ok(messages)
    }
}
