//! Frames that are not what the node expects are dropped; ARP is answered.

use std::net::UdpSocket;

use anyhow::{Context as _, Result, ensure};
use dma_ring::frame::{ADDRESS, HARDWARE};
use dma_ring::message::{Message, PORT};
use dma_ring_host::link::{self, Link, PATIENCE};
use dma_ring_host::machine::Machine;
use dma_ring_host::sender::{Sending, send};
use smoltcp::phy::ChecksumCapabilities;
use smoltcp::wire::{
    ArpOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame, EthernetProtocol, EthernetRepr,
    IpProtocol, Ipv4Address, Ipv4Packet, Ipv4Repr, UdpPacket, UdpRepr,
};

use crate::files::{self, DOUBLE};
use crate::programs;

const SENDER: EthernetAddress = EthernetAddress([2, 0, 0, 0, 0, 1]);
const SENDER_ADDRESS: Ipv4Address = Ipv4Address::new(10, 0, 2, 7);
const SENDER_PORT: u16 = 40_000;
/// Offsets in a frame: the header of IPv4, the header of UDP, and the message.
const IPV4: usize = 14;
const UDP: usize = 34;
const MESSAGE: usize = 42;

/// Puts datagrams into frames, and frames into datagrams to QEMU.
struct Frames {
    socket: UdpSocket,
    board: u16,
}

impl Frames {
    fn start(program: &str) -> Result<(Machine, Self)> {
        let socket = UdpSocket::bind("127.0.0.1:0")?;
        socket.set_read_timeout(Some(PATIENCE))?;
        let (machine, board) = Machine::with_frames(&programs::path(program)?, socket.local_addr()?.port())?;
        Ok((machine, Self { socket, board }))
    }

    fn put(&self, frame: &[u8]) -> Result<()> {
        // Nothing arrives while QEMU is starting.
        let _ = self.socket.send_to(frame, ("127.0.0.1", self.board));
        Ok(())
    }
}

impl Link for Frames {
    fn send(&mut self, datagram: &[u8]) -> Result<()> {
        self.put(&frame(datagram, ADDRESS, PORT))
    }

    fn receive(&mut self) -> Result<Option<Vec<u8>>> {
        let Some(frame) = link::receive(&self.socket)? else { return Ok(None) };
        contents(&frame).context("the node has sent a wrong frame").map(Some)
    }
}

/// A frame with a datagram.
fn frame(datagram: &[u8], to: Ipv4Address, port: u16) -> Vec<u8> {
    let checked = ChecksumCapabilities::default();
    let ip = Ipv4Repr {
        src_addr: SENDER_ADDRESS,
        dst_addr: to,
        next_header: IpProtocol::Udp,
        payload_len: MESSAGE - UDP + datagram.len(),
        hop_limit: 64,
    };
    let mut bytes = vec![0; MESSAGE + datagram.len()];
    let mut frame = EthernetFrame::new_unchecked(&mut bytes[..]);
    EthernetRepr { src_addr: SENDER, dst_addr: HARDWARE, ethertype: EthernetProtocol::Ipv4 }.emit(&mut frame);
    let mut packet = Ipv4Packet::new_unchecked(frame.payload_mut());
    ip.emit(&mut packet, &checked);
    let udp = UdpRepr { src_port: SENDER_PORT, dst_port: port };
    udp.emit(
        &mut UdpPacket::new_unchecked(packet.payload_mut()),
        &SENDER_ADDRESS.into(),
        &to.into(),
        datagram.len(),
        |payload| payload.copy_from_slice(datagram),
        &checked,
    );
    bytes
}

/// The datagram in a frame of the node. All its headers must be right.
fn contents(frame: &[u8]) -> Result<Vec<u8>, smoltcp::wire::Error> {
    let checked = ChecksumCapabilities::default();
    let frame = EthernetFrame::new_checked(frame)?;
    assert_eq!((frame.src_addr(), frame.dst_addr()), (HARDWARE, SENDER));
    let packet = Ipv4Packet::new_checked(frame.payload())?;
    let ip = Ipv4Repr::parse(&packet, &checked)?;
    assert_eq!((ip.src_addr, ip.dst_addr), (ADDRESS, SENDER_ADDRESS));
    let packet = UdpPacket::new_checked(packet.payload())?;
    let udp = UdpRepr::parse(&packet, &ip.src_addr.into(), &ip.dst_addr.into(), &checked)?;
    assert_eq!((udp.src_port, udp.dst_port), (PORT, SENDER_PORT));
    Ok(packet.payload().to_vec())
}

fn question(target: Ipv4Address) -> Vec<u8> {
    let arp = ArpRepr::EthernetIpv4 {
        operation: ArpOperation::Request,
        source_hardware_addr: SENDER,
        source_protocol_addr: SENDER_ADDRESS,
        target_hardware_addr: EthernetAddress([0; 6]),
        target_protocol_addr: target,
    };
    let mut bytes = vec![0; IPV4 + arp.buffer_len()];
    let mut frame = EthernetFrame::new_unchecked(&mut bytes[..]);
    let header = EthernetRepr {
        src_addr: SENDER,
        dst_addr: EthernetAddress::BROADCAST,
        ethertype: EthernetProtocol::Arp,
    };
    header.emit(&mut frame);
    arp.emit(&mut ArpPacket::new_unchecked(frame.payload_mut()));
    bytes
}

#[test]
fn arp_is_answered() -> Result<()> {
    let (_machine, frames) = Frames::start("in-place")?;
    let answer = (0..100).find_map(|_| {
        frames.put(&question(Ipv4Address::new(10, 0, 2, 16))).ok()?;
        frames.put(&question(ADDRESS)).ok()?;
        link::receive(&frames.socket).ok()?
    });
    let answer = answer.context("the question is not answered")?;
    let frame = EthernetFrame::new_checked(&answer[..])?;
    let arp = ArpRepr::parse(&ArpPacket::new_checked(frame.payload())?)?;
    let expected = ArpRepr::EthernetIpv4 {
        operation: ArpOperation::Reply,
        source_hardware_addr: HARDWARE,
        source_protocol_addr: ADDRESS,
        target_hardware_addr: SENDER,
        target_protocol_addr: SENDER_ADDRESS,
    };
    ensure!(arp == expected && frame.dst_addr() == SENDER, "{arp:?}");
    Ok(())
}

/// A change of a frame.
type Change = fn(&mut Vec<u8>);

/// Each change makes a frame that must be dropped.
const WRONG: [(&str, Change); 13] = [
    ("without headers", |frame| frame.truncate(13)),
    ("cut in the IPv4 header", |frame| frame.truncate(30)),
    ("cut in the UDP header", |frame| frame.truncate(40)),
    ("cut in the message", |frame| frame.truncate(100)),
    ("for another station", |frame| frame[5] ^= 1),
    ("of another protocol", |frame| frame[13] = 6),
    ("with a wrong checksum of IPv4", |frame| frame[IPV4 + 8] ^= 1),
    ("with a damaged byte of the file", |frame| frame[MESSAGE + 20] ^= 1),
    ("a fragment", |frame| change_header(frame, |packet| packet.set_more_frags(true))),
    ("TCP", |frame| change_header(frame, |packet| packet.set_next_header(IpProtocol::Tcp))),
    ("for another address", |frame| *frame = frame_to(frame, Ipv4Address::new(10, 0, 2, 16), PORT)),
    ("for another port", |frame| *frame = frame_to(frame, ADDRESS, PORT + 1)),
    // Takes three descriptors.
    ("too long", |frame| {
        *frame = self::frame(&[frame.get(MESSAGE..).unwrap(), &[0; 3000]].concat(), ADDRESS, PORT)
    }),
];

fn change_header(frame: &mut [u8], change: impl FnOnce(&mut Ipv4Packet<&mut [u8]>)) {
    let mut packet = Ipv4Packet::new_unchecked(&mut frame[IPV4..]);
    change(&mut packet);
    packet.fill_checksum();
}

fn frame_to(of: &[u8], to: Ipv4Address, port: u16) -> Vec<u8> {
    frame(of.get(MESSAGE..).unwrap_or_default(), to, port)
}

/// Sends wrong copies of each message before the message.
struct Disturbed {
    frames: Frames,
    sent: usize,
}

impl Link for Disturbed {
    fn send(&mut self, datagram: &[u8]) -> Result<()> {
        let (_, change) = WRONG[self.sent % WRONG.len()];
        let mut wrong = frame(datagram, ADDRESS, PORT);
        change(&mut wrong);
        self.frames.put(&wrong)?;
        self.sent += 1;
        self.frames.send(datagram)
    }

    fn receive(&mut self) -> Result<Option<Vec<u8>>> {
        self.frames.receive()
    }
}

#[test]
fn wrong_frames_are_dropped() -> Result<()> {
    let contents = files::read(DOUBLE)?;
    // smoltcp answers some of the frames.
    for program in ["in-place", "copying"] {
        let (_machine, frames) = Frames::start(program)?;
        let mut link = Disturbed { frames, sent: 0 };
        let sending = Sending { size: 700, ..Sending::default() };
        let report = send(&mut link, 1, &contents, sending)?;
        ensure!(report.verdict == files::verdict(&contents), "{}", report.verdict);
        ensure!(link.sent > 5 * WRONG.len(), "{} frames", link.sent);
        // A wrong message of a right frame: unknown flags.
        let mut unknown = Message { file: 2, number: 0, is_last: true, bytes: &[] }.header();
        unknown[8] = 4;
        link.frames.send(&unknown)?;
        let report = send(&mut link, 2, &contents, sending)?;
        ensure!(report.verdict == files::verdict(&contents), "{}", report.verdict);
    }
    Ok(())
}

/// A frame of each wrong kind alone is not answered: it counts neither as doubled nor as early.
#[test]
fn wrong_frames_are_not_counted() -> Result<()> {
    let contents = files::read(DOUBLE)?;
    let (_machine, mut frames) = Frames::start("in-place")?;
    send(&mut frames, 1, &contents, Sending::default())?;
    let message = Message { file: 2, number: 7, is_last: false, bytes: &[1; 200] };
    let right = frame(&[&message.header()[..], message.bytes].concat(), ADDRESS, PORT);
    for (name, change) in WRONG {
        let mut wrong = right.clone();
        change(&mut wrong);
        frames.put(&wrong)?;
        ensure!(frames.receive()?.is_none(), "a frame {name} is answered");
    }
    frames.put(&right)?;
    ensure!(frames.receive()?.is_some(), "a right frame is not answered");
    Ok(())
}
