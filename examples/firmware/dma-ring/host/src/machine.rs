//! An emulated board. QEMU is killed when it is dropped.

use std::fs::{self, File};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use dma_ring::message::PORT;

use crate::link::Datagrams;

/// A running program.
#[derive(Debug)]
pub struct Machine {
    qemu: Child,
    folder: tempfile::TempDir,
}

impl Machine {
    /// Starts a program whose datagrams pass through QEMU's own network.
    pub fn start(program: &Path) -> Result<(Self, Datagrams)> {
        let port = free_port()?;
        let machine = Self::with(program, &format!("user,hostfwd=udp:127.0.0.1:{port}-:{PORT}"), &[])?;
        Ok((machine, Datagrams::new(port)?))
    }

    /// The same, but datagrams arrive in batches: all of them that have come in a twentieth of a second at once.
    pub fn start_with_batches(program: &Path) -> Result<(Self, Datagrams)> {
        let port = free_port()?;
        let network = format!("user,id=network,hostfwd=udp:127.0.0.1:{port}-:{PORT}");
        let batches = ["-object", "filter-buffer,id=batches,netdev=network,queue=tx,interval=50000"];
        Ok((Self::with(program, &network, &batches)?, Datagrams::new(port)?))
    }

    /// Starts a program whose frames are sent to `to` in datagrams, and that receives frames at the port that is
    /// returned.
    pub fn with_frames(program: &Path, to: u16) -> Result<(Self, u16)> {
        let at = free_port()?;
        let network = format!("socket,udp=127.0.0.1:{to},localaddr=127.0.0.1:{at}");
        Ok((Self::with(program, &network, &[])?, at))
    }

    fn with(program: &Path, network: &str, more: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let qemu = Command::new("qemu-system-riscv64")
            .args(["-machine", "sifive_u", "-bios", "none", "-display", "none"])
            .args(["-serial", "null", "-monitor", "none"])
            // One instruction takes one nanosecond of the board's time, and is counted.
            .args(["-icount", "shift=0"])
            .args(["-nic", network, "-kernel"])
            .arg(program)
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("errors"))?)
            .spawn()
            .context("qemu-system-riscv64 cannot be run; it is in Debian's package qemu-system-misc")?;
        Ok(Self { qemu, folder })
    }

    /// Error messages of QEMU.
    pub fn errors(&self) -> String {
        fs::read_to_string(self.folder.path().join("errors")).unwrap_or_default()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

/// A port that is free at the moment.
fn free_port() -> Result<u16> {
    Ok(UdpSocket::bind("127.0.0.1:0")?.local_addr()?.port())
}
