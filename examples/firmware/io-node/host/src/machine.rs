//! An emulated node. QEMU is killed when it is dropped.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context as _, Result, bail};

use crate::card::Card;
use crate::client::Client;

/// The variable with the path of the program.
const PROGRAM: &str = "IO_NODE";

/// The program for the board.
pub fn program() -> Result<PathBuf> {
    env::var_os(PROGRAM).map(PathBuf::from).with_context(|| {
        format!("the environment variable {PROGRAM} must be the path of the program; run-tests builds it")
    })
}

/// A running node.
#[derive(Debug)]
pub struct Machine {
    qemu: Child,
    folder: tempfile::TempDir,
    port: u16,
}

/// Connection of the node to its clients.
#[derive(Debug, Clone, Copy)]
pub enum Network {
    /// By QEMU's own TCP: a port of this machine leads to the node.
    Forwarded,
    /// By frames in datagrams: frames of the node go to the first port, and it receives at the second one.
    Frames { to: u16, at: u16 },
}

impl Machine {
    /// Starts a node whose port is forwarded, and waits until it answers.
    pub fn start(card: &Card) -> Result<Self> {
        Self::with(&Self::drive(card), Network::Forwarded)?.ready()
    }

    /// A drive with this card, as QEMU describes it.
    pub fn drive(card: &Card) -> String {
        format!("format=raw,file={}", card.path().display())
    }

    /// The same with a log of all writes to the card.
    pub fn logged(card: &Card) -> Result<Self> {
        let (card, log) = (card.path(), card.log());
        fs::File::create(&log)?;
        let drive = format!(
            "driver=blklogwrites,file.driver=raw,file.file.driver=file,file.file.filename={},log.driver=file,\
             log.filename={}",
            card.display(),
            log.display()
        );
        Self::with(&drive, Network::Forwarded)?.ready()
    }

    /// Waits until the node answers.
    pub fn ready(self) -> Result<Self> {
        let start = Instant::now();
        while !self.client().command("figures").is_ok_and(|answer| answer.starts_with("ok ")) {
            if start.elapsed() > Duration::from_secs(30) {
                bail!("the node does not answer within 30 s: {}", self.errors());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(self)
    }

    /// Starts a node with a drive as QEMU describes it.
    pub fn with(drive: &str, network: Network) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let port = free_port()?;
        let network = match network {
            Network::Forwarded => format!("user,hostfwd=tcp:127.0.0.1:{port}-:{}", io_node::server::PORT),
            Network::Frames { to, at } => format!("socket,udp=127.0.0.1:{to},localaddr=127.0.0.1:{at}"),
        };
        let monitor = format!("unix:{},server,nowait", folder.path().join("monitor").display());
        let qemu = Command::new("qemu-system-arm")
            .args(["-machine", "lm3s6965evb", "-display", "none", "-serial", "null"])
            // One instruction takes one nanosecond of the board's time, so that every run has the same timing.
            .args(["-icount", "shift=0"])
            .args(["-monitor", &monitor, "-nic", &network])
            .arg("-kernel")
            .arg(program()?)
            .arg("-drive")
            .arg(format!("if=sd,{drive}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.path().join("errors"))?)
            .spawn()
            .context("qemu-system-arm cannot be run; it is in Debian's package of this name")?;
        Ok(Self { qemu, folder, port })
    }

    /// A client of a node whose port is forwarded.
    pub const fn client(&self) -> Client {
        Client::new(self.port)
    }

    /// Sends a command to QEMU's monitor, and waits for its end.
    pub fn monitor(&self, command: &str) -> Result<()> {
        let mut stream = UnixStream::connect(self.folder.path().join("monitor"))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let mut seen = Vec::new();
        for line in ["", command] {
            if !line.is_empty() {
                writeln!(stream, "{line}")?;
                seen.clear();
            }
            while !seen.ends_with(b"(qemu) ") {
                let mut byte = [0];
                stream.read_exact(&mut byte)?;
                seen.push(byte[0]);
            }
        }
        Ok(())
    }

    /// Cuts the power.
    pub fn kill(mut self) -> Result<()> {
        self.qemu.kill()?;
        self.qemu.wait()?;
        Ok(())
    }

    fn errors(&self) -> String {
        fs::read_to_string(self.folder.path().join("errors")).unwrap_or_default()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // It may have been killed already.
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

/// A port that is free at the moment.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
