//! The headers around the messages: Ethernet, IPv4 and UDP, read where they are. ARP, so that senders find the node.

use smoltcp::phy::ChecksumCapabilities;
use smoltcp::wire::{
    ArpOperation, ArpPacket, ArpRepr, EthernetAddress, EthernetFrame, EthernetProtocol, EthernetRepr,
    IpAddress, IpProtocol, Ipv4Address, Ipv4Packet, Ipv4Repr, UdpPacket, UdpRepr,
};

use crate::message::PORT;
use crate::text::Text;

pub const HARDWARE: EthernetAddress = EthernetAddress([0x02, 0, 0, 0x4c, 0x53, 0x02]);
pub const ADDRESS: Ipv4Address = Ipv4Address::new(10, 0, 2, 15);

const ETHERNET: usize = 14;
const IPV4: usize = 20;
const UDP: usize = 8;

/// Address that a datagram came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sender {
    pub hardware: EthernetAddress,
    pub address: Ipv4Address,
    pub port: u16,
}

impl Sender {
    /// Address and port as one number.
    pub const fn number(&self) -> u64 {
        (self.address.to_bits() as u64) << 16 | self.port as u64
    }
}

/// Contents of a frame for the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents<'a> {
    Datagram(Sender, &'a [u8]),
    /// A question for the node's hardware address.
    Question {
        hardware: EthernetAddress,
        address: Ipv4Address,
    },
}

/// Contents of a frame. `None` if it is not for the node, not understood, a fragment, or damaged.
///
/// The checksums of IPv4 and UDP are verified here. A GEM can do it, but QEMU's does not.
pub fn parse(frame: &[u8]) -> Option<Contents<'_>> {
    let frame = EthernetFrame::new_checked(frame).ok()?;
    match frame.ethertype() {
        EthernetProtocol::Ipv4 => datagram(&frame),
        EthernetProtocol::Arp => question(&frame),
        _ => None,
    }
}

fn datagram<'a>(frame: &EthernetFrame<&'a [u8]>) -> Option<Contents<'a>> {
    let checked = ChecksumCapabilities::default();
    let packet = Ipv4Packet::new_checked(frame.payload()).ok()?;
    let is_fragment = packet.more_frags() || packet.frag_offset() != 0;
    let ip = Ipv4Repr::parse(&packet, &checked).ok()?;
    if is_fragment || ip.dst_addr != ADDRESS || ip.next_header != IpProtocol::Udp {
        return None;
    }
    let packet = UdpPacket::new_checked(packet.payload()).ok()?;
    let udp = UdpRepr::parse(&packet, &ip.src_addr.into(), &ip.dst_addr.into(), &checked).ok()?;
    let sender = Sender { hardware: frame.src_addr(), address: ip.src_addr, port: udp.src_port };
    (udp.dst_port == PORT).then_some(Contents::Datagram(sender, packet.payload()))
}

fn question<'a>(frame: &EthernetFrame<&'a [u8]>) -> Option<Contents<'a>> {
    match ArpRepr::parse(&ArpPacket::new_checked(frame.payload()).ok()?).ok()? {
        ArpRepr::EthernetIpv4 {
            operation: ArpOperation::Request,
            source_hardware_addr: hardware,
            source_protocol_addr: address,
            target_protocol_addr: ADDRESS,
            ..
        } => Some(Contents::Question { hardware, address }),
        _ => None,
    }
}

/// Writes a frame with a datagram that `fill` writes. Returns the length of the frame.
pub fn write_datagram(to: &Sender, room: &mut [u8], fill: impl FnOnce(&mut Text<'_>)) -> Option<usize> {
    let checked = ChecksumCapabilities::default();
    let mut text = Text::new(room.get_mut(ETHERNET + IPV4 + UDP..)?);
    fill(&mut text);
    let length = text.length();
    let end = ETHERNET + IPV4 + UDP + length;
    let ip = Ipv4Repr {
        src_addr: ADDRESS,
        dst_addr: to.address,
        next_header: IpProtocol::Udp,
        payload_len: UDP + length,
        hop_limit: 64,
    };
    let mut frame = EthernetFrame::new_checked(room.get_mut(..end)?).ok()?;
    EthernetRepr { src_addr: HARDWARE, dst_addr: to.hardware, ethertype: EthernetProtocol::Ipv4 }
        .emit(&mut frame);
    let mut packet = Ipv4Packet::new_unchecked(frame.payload_mut());
    ip.emit(&mut packet, &checked);
    let mut packet = UdpPacket::new_unchecked(packet.payload_mut());
    packet.set_src_port(PORT);
    packet.set_dst_port(to.port);
    packet.set_len((UDP + length) as u16);
    packet.fill_checksum(&IpAddress::Ipv4(ADDRESS), &IpAddress::Ipv4(to.address));
    Some(end)
}

/// Writes a frame with the node's hardware address, for the one that has asked for it.
pub fn write_address(hardware: EthernetAddress, address: Ipv4Address, room: &mut [u8]) -> Option<usize> {
    let answer = ArpRepr::EthernetIpv4 {
        operation: ArpOperation::Reply,
        source_hardware_addr: HARDWARE,
        source_protocol_addr: ADDRESS,
        target_hardware_addr: hardware,
        target_protocol_addr: address,
    };
    let end = ETHERNET + answer.buffer_len();
    let mut frame = EthernetFrame::new_checked(room.get_mut(..end)?).ok()?;
    EthernetRepr { src_addr: HARDWARE, dst_addr: hardware, ethertype: EthernetProtocol::Arp }
        .emit(&mut frame);
    answer.emit(&mut ArpPacket::new_unchecked(frame.payload_mut()));
    Some(end)
}
