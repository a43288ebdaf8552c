//! The node on the UDP socket of smoltcp, which copies the contents of each datagram to a buffer of its own.

use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet, SocketStorage};
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::socket::udp::{PacketBuffer, PacketMetadata, Socket};
use smoltcp::time::Instant;
use smoltcp::wire::{IpAddress, IpCidr, Ipv4Cidr};

use super::fu540::Fu540;
use super::gem::{self, Gem};
use super::ring::{Frame, Outgoing};
use super::{start, time};
use crate::frame::{ADDRESS, HARDWARE};
use crate::message::{HEADER, LARGEST, Message, PORT};
use crate::meter::{Meter, measured};
use crate::text::Text;
use crate::transfer::Transfer;

/// Largest answer: a report.
const ANSWER: usize = 512;

#[derive(Debug)]
pub struct Received<'t>(Frame<'t>);

impl RxToken for Received<'_> {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, take: F) -> R {
        take(self.0.bytes())
    }
}

#[derive(Debug)]
pub struct Sending<'t>(&'t mut Outgoing);

impl TxToken for Sending<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, fill: F) -> R {
        // The device has given the token because the buffer is free.
        let room = self.0.buffer().and_then(|room| room.get_mut(..length)).unwrap_or_default();
        let result = fill(room);
        gem::send(self.0, length);
        result
    }
}

impl Device for Gem {
    type RxToken<'t> = Received<'t>;
    type TxToken<'t> = Sending<'t>;

    fn receive(&mut self, _: Instant) -> Option<(Received<'_>, Sending<'_>)> {
        self.outgoing.buffer()?;
        Some((Received(self.ring.receive()?), Sending(&mut self.outgoing)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Sending<'_>> {
        self.outgoing.buffer()?;
        Some(Sending(&mut self.outgoing))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = 1514;
        capabilities
    }
}

fn now() -> Instant {
    Instant::from_micros(time::microseconds())
}

/// Runs the node. To be called once, by the entry function.
pub fn run_sockets() -> ! {
    // A datagram is taken before the next frame is received. smoltcp stores it in one piece, and may have to leave the
    // end of the buffer unused: twice the size always suffices.
    let (mut received, mut sent) = ([0; 2 * (HEADER + LARGEST)], [0; 2 * ANSWER]);
    let (mut receiving, mut sending) = ([PacketMetadata::EMPTY; 2], [PacketMetadata::EMPTY; 2]);
    let mut storage = [SocketStorage::EMPTY];
    let mut sockets = SocketSet::new(&mut storage[..]);
    let mut socket = Socket::new(
        PacketBuffer::new(&mut receiving[..], &mut received[..]),
        PacketBuffer::new(&mut sending[..], &mut sent[..]),
    );
    // It fails for port 0 only.
    let _ = socket.bind(PORT);
    let handle = sockets.add(socket);
    let mut interface = None;
    let mut transfer = Transfer::new();
    let meter = Meter::default();
    start::forever(|gem| {
        let interface = interface.get_or_insert_with(|| begin(gem));
        gem.ring.is_ready() && step(gem, interface, &mut sockets, handle, &mut transfer, &meter)
    })
}

fn begin(gem: &mut Gem) -> Interface {
    let mut interface = Interface::new(Config::new(HARDWARE.into()), gem, now());
    interface.update_ip_addrs(|addresses| {
        // The list has room for one.
        let _ = addresses.push(IpCidr::Ipv4(Ipv4Cidr::new(ADDRESS, 24)));
    });
    interface
}

/// Takes a frame.
fn step(
    gem: &mut Gem,
    interface: &mut Interface,
    sockets: &mut SocketSet<'_>,
    handle: SocketHandle,
    transfer: &mut Transfer,
    meter: &Meter,
) -> bool {
    let answer = measured(&Fu540, &meter.frame.all, || {
        measured(&Fu540, &meter.frame.headers, || interface.poll_ingress_single(now(), gem, sockets));
        let (datagram, sender) = sockets.get_mut::<Socket<'_>>(handle).recv().ok()?;
        let IpAddress::Ipv4(address) = sender.endpoint.addr;
        let from = u64::from(address.to_bits()) << 16 | u64::from(sender.endpoint.port);
        let answer = transfer.take(from, &Message::parse(datagram)?, &Fu540, meter)?;
        Some((answer, sender.endpoint))
    });
    meter.end_frame();
    measured(&Fu540, &meter.answers, || {
        let socket = sockets.get_mut::<Socket<'_>>(handle);
        if let Some((answer, sender)) = answer {
            // An answer that does not fit is lost, which a sender must expect anyway.
            let _ = socket.send_with(ANSWER, sender, |room| {
                let mut text = Text::new(room);
                transfer.write(answer, &mut text, &Fu540, meter);
                text.length()
            });
        }
        // It may have waited for the address of the sender.
        if socket.send_queue() > 0 {
            interface.poll_egress(now(), gem, sockets);
        }
    });
    true
}
