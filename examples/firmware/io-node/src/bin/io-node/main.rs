//! The I/O node on an LM3S6965: 256 KiB of flash, 64 KiB of memory, Ethernet, and an SD card on the serial interface.
#![no_std]
#![no_main]

mod clock;
mod ethernet;
mod memory;
mod registers;
mod sleep;
mod ssi;

use core::panic::PanicInfo;

use cortex_m_rt::entry;
use io_node::card::{Card, Metered};
use io_node::meter::{Clock as _, Meter, measured};
use io_node::node::Node;
use io_node::server::{CONNECTIONS, Server};
use smoltcp::iface::{Config, Interface, PollIngressSingleResult, SocketSet, SocketStorage};
use smoltcp::socket::tcp::{Socket, SocketBuffer};
use smoltcp::time::Instant;
use smoltcp::wire::{EthernetAddress, IpCidr, Ipv4Address, Ipv4Cidr};

use crate::clock::Timer;
use crate::ethernet::{ADDRESS, Ethernet, Frames, SEND};
use crate::ssi::{Select, Ssi};

/// Address of the node and size of its network; the gateway is the second address.
const NODE: Ipv4Cidr = Ipv4Cidr::new(Ipv4Address::new(10, 0, 2, 15), 24);
const GATEWAY: Ipv4Address = Ipv4Address::new(10, 0, 2, 2);

/// Buffer of a connection for received bytes. One whole window is received while a sector is being written.
const RECEIVE: usize = 4096;
/// Buffers of the connection that is only refused.
const REFUSE: usize = 128;

/// Part of the seed for TCP's sequence numbers: a text of the build, from the variable IO_NODE_SECRET.
const SECRET: &[u8] = match option_env!("IO_NODE_SECRET") {
    Some(secret) => secret.as_bytes(),
    None => b"",
};

/// After a panic, the node is started again: unfinished files continue from their records.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}

// The entry function's `static mut` variables are safe: the runtime calls it once.
#[entry]
fn main() -> ! {
    static mut FRAMES: Frames = Frames::new();
    static mut BUFFERS: [([u8; RECEIVE], [u8; SEND]); 2] = [([0; RECEIVE], [0; SEND]); 2];
    static mut REFUSED: [[u8; REFUSE]; 2] = [[0; REFUSE]; 2];

    memory::paint();
    let Some(peripherals) = cortex_m::Peripherals::take() else { cortex_m::peripheral::SCB::sys_reset() };
    let clock = Timer::start(peripherals.SYST);
    let meter = Meter::default();
    let card = Card::new(Ssi::start(), Select::start(), &clock);
    let mut node = Node::new(Metered { card: &card, clock: &clock, meter: &meter }, &clock, &meter);

    let mut ethernet = Ethernet::start(FRAMES);
    let now = || Instant::from_millis(clock.milliseconds() as i64);
    // With the same seed, the connections of each start would have the same sequence numbers, and could be guessed. The
    // time of the first frame is not known to the tick to anybody outside.
    while !ethernet.wake(false) {
        sleep::until_frame(&mut ethernet);
    }
    let mut config = Config::new(EthernetAddress(ADDRESS).into());
    config.random_seed = node.seed(SECRET);
    let mut interface = Interface::new(config, &mut ethernet, now());
    interface.update_ip_addrs(|addresses| {
        // The list has room for one.
        let _ = addresses.push(IpCidr::Ipv4(NODE));
    });
    let _ = interface.routes_mut().add_default_ipv4_route(GATEWAY);
    // Not a static: as the initial contents of one, the empty sockets would take as much flash as memory.
    let mut storage = [SocketStorage::EMPTY; CONNECTIONS];
    let mut sockets = SocketSet::new(&mut storage[..]);
    let mut add =
        |receive, send| sockets.add(Socket::new(SocketBuffer::new(receive), SocketBuffer::new(send)));
    let ([(receive, send), (receive_2, send_2)], [refused, refusal]) = (BUFFERS, REFUSED);
    let handles = [
        add(&mut receive[..], &mut send[..]),
        add(&mut receive_2[..], &mut send_2[..]),
        add(&mut refused[..], &mut refusal[..]),
    ];
    let mut server = Server::new(&mut sockets, handles);

    loop {
        // One frame at a time: a socket whose connection has ended listens again before the next frame, which may be
        // a new connection.
        let received = measured(&clock, &meter.network, || {
            let received = interface.poll_ingress_single(now(), &mut ethernet, &mut sockets);
            interface.poll_egress(now(), &mut ethernet, &mut sockets);
            received
        });
        let is_busy = server.step(&mut sockets, &mut node, clock.milliseconds());
        if !is_busy && received == PollIngressSingleResult::None {
            // Answers are sent before the processor sleeps.
            measured(&clock, &meter.network, || interface.poll_egress(now(), &mut ethernet, &mut sockets));
            measured(&clock, &meter.idle, || sleep::until_frame(&mut ethernet));
        }
    }
}
