//! Ethernet that loses, doubles and reorders frames, by a seed. QEMU sends and takes each frame as a datagram.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use anyhow::Result;
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

use crate::machine::{Network, free_port};
use crate::random::Random;

const HEADER: usize = 14;
const LONGEST: usize = 2048;
/// Longest wait for a frame.
const PATIENCE: Duration = Duration::from_millis(1);

/// Faults so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    pub lost: u32,
    pub doubled: u32,
    pub reordered: u32,
}

/// One direction of the wire.
#[derive(Debug)]
struct Direction {
    random: Random,
    percent: u64,
    /// A frame that is overtaken by the next one.
    late: Option<Vec<u8>>,
    faults: Faults,
}

impl Direction {
    const fn new(seed: u64, percent: u64) -> Self {
        let faults = Faults { lost: 0, doubled: 0, reordered: 0 };
        Self { random: Random::new(seed), percent, late: None, faults }
    }

    /// Frames that arrive when this one is sent.
    fn pass(&mut self, frame: Vec<u8>) -> Vec<Vec<u8>> {
        if self.random.happens(self.percent) {
            self.faults.lost += 1;
            return Vec::new();
        }
        if self.late.is_none() && self.random.happens(self.percent) {
            self.faults.reordered += 1;
            self.late = Some(frame);
            return Vec::new();
        }
        let mut frames = vec![frame];
        if self.random.happens(self.percent) {
            self.faults.doubled += 1;
            frames.extend_from_within(..);
        }
        frames.extend(self.late.take());
        frames
    }
}

/// A wire to a node, as smoltcp uses it.
#[derive(Debug)]
pub struct Wire {
    socket: UdpSocket,
    node: SocketAddr,
    mtu: usize,
    arrived: VecDeque<Vec<u8>>,
    incoming: Direction,
    outgoing: Direction,
    /// TCP's first sequence numbers of the node's ends of the connections.
    pub first_numbers: Vec<u32>,
    /// While it is true, the client resets no connection, as if it had been switched off.
    pub is_mute: bool,
}

impl Wire {
    /// A wire whose packets of IP have at most `mtu` bytes. Each fault happens to `percent` of 100 frames.
    pub fn new(mtu: usize, percent: u64, seed: u64) -> Result<Self> {
        let socket = UdpSocket::bind("127.0.0.1:0")?;
        socket.set_read_timeout(Some(PATIENCE))?;
        Ok(Self {
            socket,
            node: SocketAddr::from(([127, 0, 0, 1], free_port()?)),
            mtu,
            arrived: VecDeque::new(),
            incoming: Direction::new(seed, percent),
            outgoing: Direction::new(seed + 1, percent),
            first_numbers: Vec::new(),
            is_mute: false,
        })
    }

    /// The end of the node.
    pub fn network(&self) -> Result<Network> {
        Ok(Network::Frames { to: self.socket.local_addr()?.port(), at: self.node.port() })
    }

    /// Faults in both directions.
    pub const fn faults(&self) -> Faults {
        let (one, other) = (&self.incoming.faults, &self.outgoing.faults);
        Faults {
            lost: one.lost + other.lost,
            doubled: one.doubled + other.doubled,
            reordered: one.reordered + other.reordered,
        }
    }

    /// Waits for a frame, but not longer than a millisecond.
    pub fn wait(&mut self) -> Result<()> {
        let mut frame = [0; LONGEST];
        match self.socket.recv(&mut frame) {
            Ok(length) => {
                let frame = frame.get(..length).unwrap_or(&[]).to_vec();
                self.arrived.extend(self.incoming.pass(frame));
                Ok(())
            }
            // The node has not been started yet.
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(()),
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn send(&mut self, frame: Vec<u8>) {
        if self.is_mute && is_reset(&frame) {
            return;
        }
        for frame in self.outgoing.pass(frame) {
            // Datagrams that cannot be sent are lost, as frames may be.
            let _ = self.socket.send_to(&frame, self.node);
        }
    }
}

/// True for a frame of TCP that resets a connection.
fn is_reset(frame: &[u8]) -> bool {
    const RESET: u8 = 4;
    flags(frame) & RESET != 0
}

/// The sequence number of a frame of TCP that accepts a connection.
fn first_number(frame: &[u8]) -> Option<u32> {
    const SYNCHRONISE: u8 = 2;
    let number = frame.get(HEADER + 20 + 4..)?.first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
    number.filter(|_| flags(frame) & SYNCHRONISE != 0)
}

/// The flags of a frame of TCP; none for other frames.
fn flags(frame: &[u8]) -> u8 {
    // Headers of smoltcp's IP have no options.
    let is_tcp = frame.get(12..14) == Some(&[8, 0]) && frame.get(HEADER + 9) == Some(&6);
    frame.get(HEADER + 20 + 13).copied().filter(|_| is_tcp).unwrap_or(0)
}

#[derive(Debug)]
pub struct Arrived(Vec<u8>);

impl RxToken for Arrived {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, take: F) -> R {
        take(&self.0)
    }
}

#[derive(Debug)]
pub struct Sending<'a>(&'a mut Wire);

impl TxToken for Sending<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, fill: F) -> R {
        let mut frame = vec![0; length];
        let result = fill(&mut frame);
        self.0.send(frame);
        result
    }
}

impl Device for Wire {
    type RxToken<'a> = Arrived;
    type TxToken<'a> = Sending<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Arrived, Sending<'_>)> {
        let frame = self.arrived.pop_front()?;
        self.first_numbers.extend(first_number(&frame));
        Some((Arrived(frame), Sending(self)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Sending<'_>> {
        Some(Sending(self))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = self.mtu + HEADER;
        capabilities
    }
}
