//! The connections: one is served, others are answered that the node is busy.

use embedded_io::{ErrorKind, ErrorType, Read, ReadReady, Write, WriteReady};
use embedded_sdmmc::BlockDevice;
use smoltcp::iface::{SocketHandle, SocketSet};
use smoltcp::socket::tcp::{Socket, State};
use smoltcp::time::Duration;

use crate::card::{CardError, Start};
use crate::copy::copy;
use crate::meter::Clock;
use crate::node::{Node, Progress};

/// The port of the protocol.
pub const PORT: u16 = 7000;
/// A peer that acknowledges nothing for this time is considered lost.
const LOST_AFTER: Duration = Duration::from_secs(10);
const ASK_EVERY: Duration = Duration::from_secs(3);
/// Milliseconds for a peer to close its side.
const CLOSE_WITHIN: u64 = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Listening,
    Served,
    /// The answer is complete; since this time in milliseconds.
    Closing(u64),
}

#[derive(Debug)]
struct Session {
    handle: SocketHandle,
    phase: Phase,
}

/// Number of connections. While one is served, the second can be refused, or end; the third has small buffers, and is
/// never served.
pub const CONNECTIONS: usize = 3;

#[derive(Debug)]
pub struct Server {
    sessions: [Session; CONNECTIONS],
}

impl Server {
    /// Prepares the sockets.
    pub fn new(sockets: &mut SocketSet<'_>, handles: [SocketHandle; CONNECTIONS]) -> Self {
        for handle in handles {
            let socket = sockets.get_mut::<Socket>(handle);
            // Without a delay: the client sends when it has the acknowledgement, and the clock has steps of 10 ms.
            socket.set_ack_delay(None);
            socket.set_nagle_enabled(false);
            socket.set_timeout(Some(LOST_AFTER));
            socket.set_keep_alive(Some(ASK_EVERY));
        }
        Self { sessions: handles.map(|handle| Session { handle, phase: Phase::Listening }) }
    }

    /// Does the next piece of work. Returns true if there is more to do at once.
    #[inline(never)]
    pub fn step<D, K>(&mut self, sockets: &mut SocketSet<'_>, node: &mut Node<'_, D, K>, now: u64) -> bool
    where
        D: BlockDevice<Error = CardError> + Start + Copy,
        K: Clock,
    {
        let mut is_busy = false;
        let mut is_serving = self.sessions.iter().any(|session| session.phase == Phase::Served);
        for (index, session) in self.sessions.iter_mut().enumerate() {
            let socket = sockets.get_mut::<Socket>(session.handle);
            match session.phase {
                Phase::Listening => {
                    if !socket.is_open() {
                        // Fails only for port 0, or for a socket that is open.
                        let _ = socket.listen(PORT);
                    } else if !matches!(socket.state(), State::Listen | State::SynReceived) {
                        is_busy = true;
                        if is_serving || index + 1 == CONNECTIONS {
                            // The buffer has room for the line.
                            let _ = socket.send_slice(b"error busy another connection is being served\n");
                            socket.close();
                            session.phase = Phase::Closing(now);
                        } else {
                            is_serving = true;
                            node.begin();
                            session.phase = Phase::Served;
                        }
                    }
                }
                Phase::Served => match node.step(&mut Tcp(socket)) {
                    Progress::Working => is_busy = true,
                    Progress::Waiting => {}
                    Progress::Done => {
                        node.end();
                        socket.close();
                        session.phase = Phase::Closing(now);
                        is_busy = true;
                    }
                    Progress::Broken => {
                        node.end();
                        // The reset is sent before the socket listens again.
                        socket.abort();
                        session.phase = Phase::Listening;
                        is_busy = true;
                    }
                },
                Phase::Closing(since) => {
                    // Bytes that still arrive are taken, because a connection that is closed with bytes unread is
                    // reset, and its peer might lose the answer.
                    while matches!(socket.recv(|bytes| (bytes.len(), bytes.len())), Ok(1..)) {}
                    let is_over = matches!(socket.state(), State::Closed | State::TimeWait);
                    if is_over || now.saturating_sub(since) > CLOSE_WITHIN {
                        socket.abort();
                        is_busy = true;
                        // The reset of a connection that is not closed yet is sent before the socket listens again.
                        if is_over {
                            let _ = socket.listen(PORT);
                        }
                        session.phase = Phase::Listening;
                    }
                }
            }
        }
        is_busy || (!is_serving && node.alone())
    }
}

/// A socket as a connection that does not block.
#[derive(Debug)]
struct Tcp<'a, 's>(&'a mut Socket<'s>);

impl ErrorType for Tcp<'_, '_> {
    type Error = ErrorKind;
}

impl ReadReady for Tcp<'_, '_> {
    fn read_ready(&mut self) -> Result<bool, ErrorKind> {
        Ok(self.0.can_recv() || !self.0.may_recv())
    }
}

impl Read for Tcp<'_, '_> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize, ErrorKind> {
        // An error means that the peer has closed its side, or that the connection is lost: no bytes in both cases.
        let copied = self.0.recv(|bytes| {
            let copied = copy(to, bytes);
            (copied, copied)
        });
        Ok(copied.unwrap_or(0))
    }
}

impl WriteReady for Tcp<'_, '_> {
    fn write_ready(&mut self) -> Result<bool, ErrorKind> {
        Ok(self.0.can_send() || !self.0.may_send())
    }
}

impl Write for Tcp<'_, '_> {
    fn write(&mut self, from: &[u8]) -> Result<usize, ErrorKind> {
        self.0.send_slice(from).map_err(|_| ErrorKind::NotConnected)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}
