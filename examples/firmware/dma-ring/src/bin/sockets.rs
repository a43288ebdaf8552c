//! Takes the bytes of a file from a UDP socket of smoltcp, which has copied them out of the received frame.
#![no_std]
#![no_main]

use dma_ring::board::run_sockets;

#[riscv_rt::entry]
fn main() -> ! {
    run_sockets()
}
