//! A client over the TCP of the operating system.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use io_node::answer::GREETING;

use crate::peer::{Peer, Upload, put_line, resumed, without_greeting};

/// Time limit for every wait. The tests count; this only ends a test that hangs.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Attempts while the node is busy, and the pause between them.
const ATTEMPTS: u32 = 1000;
const PAUSE: Duration = Duration::from_millis(20);

#[derive(Debug, Clone, Copy)]
pub struct Client {
    port: u16,
}

/// Stands for the answer of a node that refuses a connection by TCP, because it has several already. QEMU accepts it
/// first.
const REFUSED: &str = "error busy refused by TCP\n";

/// The line after the greeting, or the line that is sent instead of it.
fn first_line(reader: &mut impl io::BufRead) -> io::Result<String> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    if line == GREETING {
        line.clear();
        reader.read_line(&mut line)?;
    }
    Ok(line)
}

fn is_refusal(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe)
}

impl Client {
    pub const fn new(port: u16) -> Self {
        Self { port }
    }

    pub fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// All lines of an answer.
    pub fn command(&self, line: &str) -> Result<String> {
        let mut stream = self.connect()?;
        let mut answer = String::new();
        let result = writeln!(stream, "{line}").and_then(|()| stream.read_to_string(&mut answer));
        match result {
            Err(error) if is_refusal(&error) => Ok(REFUSED.to_owned()),
            result => result.map(|_| without_greeting(&answer).to_owned()).map_err(Into::into),
        }
    }

    /// All lines of an answer. Tries again while the node is busy.
    pub fn patient(&self, line: &str) -> Result<String> {
        let mut answer = self.command(line)?;
        for _ in 0..ATTEMPTS {
            if !answer.starts_with("error busy ") {
                break;
            }
            thread::sleep(PAUSE);
            answer = self.command(line)?;
        }
        Ok(answer)
    }

    /// The last line of an answer.
    pub fn last_line(&self, line: &str) -> Result<String> {
        Ok(self.patient(line)?.lines().last().unwrap_or("").to_owned())
    }

    /// An answer with bytes: its line, and the bytes. Tries again while the node is busy.
    pub fn bytes(&self, line: &str) -> Result<(String, Vec<u8>)> {
        let mut answer = self.try_bytes(line)?;
        for _ in 0..ATTEMPTS {
            if !answer.0.starts_with("error busy ") {
                break;
            }
            thread::sleep(PAUSE);
            answer = self.try_bytes(line)?;
        }
        Ok(answer)
    }

    fn try_bytes(&self, line: &str) -> Result<(String, Vec<u8>)> {
        let mut stream = self.connect()?;
        writeln!(stream, "{line}")?;
        let mut reader = BufReader::new(stream);
        let first = first_line(&mut reader)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        Ok((first.trim_end().to_owned(), bytes))
    }

    /// Puts a file.
    pub fn put(&self, name: &str, contents: &[u8]) -> Result<Upload> {
        self.put_until(name, contents, contents.len())
    }

    /// Puts the bytes of a file before `end`, and closes the connection if it is not the end of the file. Tries again
    /// while the node is busy.
    pub fn put_until(&self, name: &str, contents: &[u8], end: usize) -> Result<Upload> {
        let mut upload = self.try_put(name, contents, end)?;
        for _ in 0..ATTEMPTS {
            if !upload.answer.starts_with("error busy ") {
                break;
            }
            thread::sleep(PAUSE);
            upload = self.try_put(name, contents, end)?;
        }
        Ok(upload)
    }

    fn try_put(&self, name: &str, contents: &[u8], end: usize) -> Result<Upload> {
        let mut stream = self.connect()?;
        let mut reader = BufReader::new(stream.try_clone()?);
        let asked = stream.write_all(put_line(name, contents).as_bytes());
        let line = match asked.and_then(|()| first_line(&mut reader)) {
            Err(error) if is_refusal(&error) => REFUSED.to_owned(),
            line => line?,
        };
        if line.starts_with("error ") {
            return Ok(Upload { offset: 0, answer: line.trim_end().to_owned() });
        }
        let Some(offset) = resumed(&line, contents)? else {
            drop((stream, reader));
            self.last_line(&format!("drop {name}"))?;
            return self.try_put(name, contents, end);
        };
        // A node that refuses the file may end the connection before it has all bytes. Its line comes first.
        let sent = stream.write_all(contents.get(offset..end).unwrap_or(&[]));
        let mut answer = String::new();
        if end == contents.len() {
            reader.read_line(&mut answer)?;
            if answer.is_empty() {
                sent?;
                bail!("the node has ended the connection without an answer");
            }
        }
        Ok(Upload { offset, answer: answer.trim_end().to_owned() })
    }

    /// Value of one of the node's figures.
    pub fn figure(&self, name: &str) -> Result<u64> {
        let figures = self.command("figures")?;
        let value = figures.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        Ok(value.with_context(|| format!("{figures:?} has no {name}"))?.parse()?)
    }
}

impl Peer for Client {
    fn put(&mut self, name: &str, contents: &[u8]) -> Result<Upload> {
        Self::put(self, name, contents)
    }

    fn command(&mut self, line: &str) -> Result<Vec<u8>> {
        let mut stream = self.connect()?;
        writeln!(stream, "{line}")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        if answer.starts_with(GREETING.as_bytes()) {
            answer.drain(..GREETING.len());
        }
        Ok(answer)
    }
}
