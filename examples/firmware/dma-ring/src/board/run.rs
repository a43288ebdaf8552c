//! The loop of the programs: takes frames out of the ring, and sends answers.

use core::cell::Cell;

use super::fu540::Fu540;
use super::gem::{self, Gem};
use super::ring::Frame;
use super::start;
use crate::meter::{Meter, measured};
use crate::node::Node;

/// The way of a frame from the ring to the node.
pub trait Path {
    /// Calls `take` with the bytes of the frame, and returns its descriptor. Adds the instructions of a copy to `copy`.
    fn pass<R>(&mut self, frame: Frame<'_>, copy: &Cell<u64>, take: impl FnOnce(&[u8]) -> R) -> R;
}

/// Runs the node. To be called once, by the entry function.
pub fn run(mut path: impl Path) -> ! {
    let mut node = Node::new();
    let meter = Meter::default();
    start::forever(|gem| step(gem, &mut path, &mut node, &meter))
}

/// Takes the next frame. Returns false if there is none.
fn step(gem: &mut Gem, path: &mut impl Path, node: &mut Node, meter: &Meter) -> bool {
    let taken = measured(&Fu540, &meter.frame.all, || {
        let frame = gem.ring.receive()?;
        Some(path.pass(frame, &meter.frame.copy, |bytes| node.take(bytes, &Fu540, meter)))
    });
    meter.end_frame();
    let Some(reply) = taken else { return false };
    if let Some(reply) = reply {
        measured(&Fu540, &meter.answers, || {
            // If the answer before this one has not been sent yet, this one is lost, which a sender must expect anyway.
            let room = gem.outgoing.buffer();
            if let Some(length) = room.and_then(|room| node.write(reply, &Fu540, meter, room)) {
                gem::send(&mut gem.outgoing, length);
            }
        });
    }
    true
}
