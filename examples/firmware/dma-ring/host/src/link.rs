//! The way to the node, and back.

use std::io::ErrorKind;
use std::net::UdpSocket;
use std::time::Duration;

use anyhow::Result;

/// Carries datagrams. They can be lost.
pub trait Link {
    fn send(&mut self, datagram: &[u8]) -> Result<()>;

    /// The next datagram from the node; `None` if none arrives for a while.
    fn receive(&mut self) -> Result<Option<Vec<u8>>>;
}

/// Datagrams of the operating system.
#[derive(Debug)]
pub struct Datagrams {
    socket: UdpSocket,
}

/// A datagram that takes longer than this is considered lost.
pub const PATIENCE: Duration = Duration::from_millis(100);

impl Datagrams {
    pub fn new(port: u16) -> Result<Self> {
        let socket = UdpSocket::bind("127.0.0.1:0")?;
        socket.connect(("127.0.0.1", port))?;
        socket.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { socket })
    }

    /// Waits longer for answers, so that none is missed on a busy machine.
    pub fn patient(self) -> Result<Self> {
        self.socket.set_read_timeout(Some(Duration::from_secs(2)))?;
        Ok(self)
    }
}

impl Link for Datagrams {
    fn send(&mut self, datagram: &[u8]) -> Result<()> {
        match self.socket.send(datagram) {
            // QEMU is not there yet.
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(()),
            result => Ok(result.map(drop)?),
        }
    }

    fn receive(&mut self) -> Result<Option<Vec<u8>>> {
        receive(&self.socket)
    }
}

/// The next datagram that a socket receives; `None` if none arrives within its time limit.
pub fn receive(socket: &UdpSocket) -> Result<Option<Vec<u8>>> {
    let mut room = vec![0; 65_536];
    match socket.recv(&mut room) {
        Ok(length) => {
            room.truncate(length);
            Ok(Some(room))
        }
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
            std::thread::sleep(Duration::from_millis(10));
            Ok(None)
        }
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Ok(None),
        Err(error) if error.kind() == ErrorKind::Interrupted => receive(socket),
        Err(error) => Err(error.into()),
    }
}
