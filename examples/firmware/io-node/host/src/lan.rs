//! A client with a TCP of its own, over a wire with faults.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet};
use smoltcp::socket::tcp::{Socket, SocketBuffer};
use smoltcp::wire::{EthernetAddress, IpCidr, Ipv4Address, Ipv4Cidr};

use crate::card::Card;
use crate::machine::Machine;
use io_node::answer::GREETING;

use crate::peer::{Peer, Upload, put_line, resumed};
use crate::wire::{Faults, Wire};

const ADDRESS: [u8; 6] = [0x02, 0, 0, 0x4c, 0x53, 0x02];
const CLIENT: Ipv4Cidr = Ipv4Cidr::new(Ipv4Address::new(10, 0, 2, 2), 24);
const NODE: Ipv4Address = Ipv4Address::new(10, 0, 2, 15);
/// Headers of IP and TCP.
const HEADERS: usize = 40;
/// Size of a buffer.
const BUFFER: usize = 32_768;
const FIRST_PORT: u16 = 49_152;
/// Time limit for an answer. The tests count; this only ends a test that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// The wire, and the speed of the client's clock.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Maximum segment size of TCP.
    pub mss: usize,
    /// Percentages of the frames: lost, doubled, and overtaken ones.
    pub percent: u64,
    pub seed: u64,
    /// The client's clock is so many times as fast, so that it waits less before it sends something again.
    pub speed: u32,
}

/// A client, and the only machine on the network of its node.
pub struct Lan {
    wire: Wire,
    interface: Interface,
    sockets: SocketSet<'static>,
    start: Instant,
    speed: u32,
    port: u16,
}

/// Contents of what a node has sent, and where to go on.
#[derive(Debug)]
pub struct Connection {
    handle: SocketHandle,
    begun: Instant,
    pub received: Vec<u8>,
}

impl fmt::Debug for Lan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lan").field("wire", &self.wire).finish_non_exhaustive()
    }
}

impl Lan {
    /// Starts a node at the end of a new line.
    pub fn start(card: &Card, line: Line) -> Result<(Machine, Self)> {
        let mut wire = Wire::new(line.mss + HEADERS, line.percent, line.seed)?;
        let machine = Machine::with(&Machine::drive(card), wire.network()?)?;
        let mut config = Config::new(EthernetAddress(ADDRESS).into());
        config.random_seed = line.seed;
        let mut interface = Interface::new(config, &mut wire, smoltcp::time::Instant::ZERO);
        interface.update_ip_addrs(|addresses| {
            // The list has room for one.
            let _ = addresses.push(IpCidr::Ipv4(CLIENT));
        });
        let mut lan = Self {
            wire,
            interface,
            sockets: SocketSet::new(Vec::new()),
            start: Instant::now(),
            speed: line.speed,
            port: FIRST_PORT,
        };
        ensure!(lan.command("figures")?.starts_with(b"ok figures "), "the node does not answer");
        Ok((machine, lan))
    }

    pub const fn faults(&self) -> Faults {
        self.wire.faults()
    }

    /// TCP's first sequence numbers of the node's ends of all connections so far.
    pub fn first_numbers(&self) -> &[u32] {
        &self.wire.first_numbers
    }

    /// From now on, no connection is reset that this client does not know.
    pub const fn be_mute(&mut self) {
        self.wire.is_mute = true;
    }

    /// Begins to open a connection.
    pub fn dial(&mut self) -> Result<Connection> {
        let mut socket = Socket::new(SocketBuffer::new(vec![0; BUFFER]), SocketBuffer::new(vec![0; BUFFER]));
        socket.set_ack_delay(None);
        socket.set_nagle_enabled(false);
        self.port = self.port.checked_add(1).unwrap_or(FIRST_PORT);
        let node = (NODE, io_node::server::PORT);
        if let Err(error) = socket.connect(self.interface.context(), node, self.port) {
            bail!("no connection: {error:?}");
        }
        let handle = self.sockets.add(socket);
        let mut connection = Connection { handle, begun: Instant::now(), received: Vec::new() };
        self.turn(&mut connection)?;
        Ok(connection)
    }

    /// Opens a connection, and sends a line.
    pub fn open(&mut self, line: &str) -> Result<Connection> {
        let mut connection = self.dial()?;
        let handle = connection.handle;
        while !self.sockets.get_mut::<Socket>(handle).may_send() {
            self.turn(&mut connection)?;
            if !self.sockets.get_mut::<Socket>(handle).is_open() {
                break;
            }
        }
        self.send(&mut connection, line.as_bytes())?;
        Ok(connection)
    }

    /// Sends bytes, and waits until the node has them or has ended the connection.
    pub fn send(&mut self, connection: &mut Connection, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() || self.sockets.get_mut::<Socket>(connection.handle).send_queue() > 0 {
            let socket = self.sockets.get_mut::<Socket>(connection.handle);
            let Ok(sent) = socket.send_slice(bytes) else { break };
            bytes = bytes.get(sent..).unwrap_or(&[]);
            self.turn(connection)?;
        }
        Ok(())
    }

    /// Lets frames pass once.
    pub fn turn(&mut self, connection: &mut Connection) -> Result<()> {
        ensure!(connection.begun.elapsed() < PATIENCE, "no answer; so far: {:?}", connection.received.len());
        let now = self.start.elapsed().as_micros() as i64 * i64::from(self.speed);
        let now = smoltcp::time::Instant::from_micros(now);
        self.interface.poll(now, &mut self.wire, &mut self.sockets);
        let socket = self.sockets.get_mut::<Socket>(connection.handle);
        while let Ok(1..) = socket.recv(|bytes| {
            connection.received.extend_from_slice(bytes);
            (bytes.len(), bytes.len())
        }) {}
        self.wire.wait()
    }

    /// Receives until the node ends the connection.
    pub fn finish(&mut self, mut connection: Connection) -> Result<Vec<u8>> {
        while self.sockets.get_mut::<Socket>(connection.handle).may_recv() {
            self.turn(&mut connection)?;
        }
        self.sockets.get_mut::<Socket>(connection.handle).close();
        while !matches!(
            self.sockets.get_mut::<Socket>(connection.handle).state(),
            smoltcp::socket::tcp::State::Closed | smoltcp::socket::tcp::State::TimeWait
        ) {
            self.turn(&mut connection)?;
        }
        self.sockets.remove(connection.handle);
        if connection.received.starts_with(GREETING.as_bytes()) {
            connection.received.drain(..GREETING.len());
        }
        Ok(connection.received)
    }

    /// Forgets a connection without a word to the node.
    pub fn abandon(&mut self, connection: Connection) {
        self.sockets.remove(connection.handle);
    }

    fn try_put(&mut self, name: &str, contents: &[u8]) -> Result<Upload> {
        let mut connection = self.open(&put_line(name, contents))?;
        let is_complete = |received: &[u8]| {
            let received = received.strip_prefix(GREETING.as_bytes()).unwrap_or(received);
            received.contains(&b'\n') && !GREETING.as_bytes().starts_with(received)
        };
        while !is_complete(&connection.received)
            && self.sockets.get_mut::<Socket>(connection.handle).may_recv()
        {
            self.turn(&mut connection)?;
        }
        let line = String::from_utf8_lossy(&connection.received).replace(GREETING, "");
        if !line.starts_with("resume ") {
            self.finish(connection)?;
            return Ok(Upload { offset: 0, answer: line.trim_end().to_owned() });
        }
        let offset = resumed(line.lines().next().unwrap_or(""), contents)?;
        let offset = offset.context("the node has other bytes")?;
        self.send(&mut connection, contents.get(offset..).context("the offset is too large")?)?;
        let answer = String::from_utf8(self.finish(connection)?)?;
        Ok(Upload { offset, answer: answer.lines().skip(1).last().unwrap_or("").to_owned() })
    }
}

impl Peer for Lan {
    fn put(&mut self, name: &str, contents: &[u8]) -> Result<Upload> {
        let start = Instant::now();
        loop {
            ensure!(start.elapsed() < PATIENCE, "the node is always busy");
            let upload = self.try_put(name, contents)?;
            if !upload.answer.starts_with("error busy ") {
                return Ok(upload);
            }
        }
    }

    fn command(&mut self, line: &str) -> Result<Vec<u8>> {
        let start = Instant::now();
        loop {
            ensure!(start.elapsed() < PATIENCE, "the node is always busy");
            let connection = self.open(&format!("{line}\n"))?;
            let answer = self.finish(connection)?;
            // Without an answer, the connection was refused by TCP.
            if !answer.starts_with(b"error busy ") && !answer.is_empty() {
                return Ok(answer);
            }
        }
    }
}
