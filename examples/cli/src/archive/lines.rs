//! The lines of a NERSC archive's header, for another archive or for the record XML of a SciDAC file.

use std::io::{Read as _, Seek as _};

use linkstream::nersc::key_and_value;
use quick_xml::escape::unescape;

use crate::failure::Failure;
use crate::human::one_line;
use crate::system::File;
use crate::xml_text::replaced;

/// A header longer than this is taken for damage: it is not text for people.
const MAX_HEADER: u64 = 16 << 20;

/// Lines of a header without their line feeds, as they are in the file; the first and the last line are left out.
#[derive(Debug, Default, Clone)]
pub struct Lines(Vec<Vec<u8>>);

impl Lines {
    /// The header lines of the archive whose data begin at byte `data_at`.
    pub fn of_archive(mut file: &File, data_at: u64) -> anyhow::Result<Self> {
        if data_at > MAX_HEADER {
            return Err(Failure::invalid(&"the header is longer than 16 MiB, too long to be copied").into());
        }
        let mut header = Vec::new();
        file.rewind().map_err(Failure::Input)?;
        file.take(data_at).read_to_end(&mut header).map_err(Failure::Input)?;
        let mut lines: Vec<_> =
            header.split_inclusive(|byte| *byte == b'\n').skip(1).map(without_line_feed).collect();
        lines.pop();
        Ok(Self(lines))
    }

    /// The header lines in the record XML of a SciDAC file, where QIO's converter stores them. Also returns the lines
    /// that cannot be header lines.
    pub fn of_record_xml(record_xml: &str) -> (Self, Vec<String>) {
        let info = record_xml.split_once("<info>").and_then(|(_, rest)| rest.split_once("</info>"));
        let info = info.and_then(|(info, _)| unescape(info).ok()).unwrap_or_default();
        let (mut lines, mut others) = (Vec::new(), Vec::new());
        for line in info.lines().filter(|line| !line.trim().is_empty()) {
            let key = line.split_once('=').map_or("", |(key, _)| key.trim());
            let is_line = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
            if is_line { lines.push(line.as_bytes().to_vec()) } else { others.push(one_line(line)) }
        }
        (Self(lines), others)
    }

    pub fn as_slices(&self) -> Vec<&[u8]> {
        self.0.iter().map(Vec::as_slice).collect()
    }

    pub fn bytes(&self) -> usize {
        self.0.iter().map(|line| line.len() + 1).sum()
    }

    /// Whether there is a line with this key.
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|line| has_key(line, key))
    }

    /// The lines with other keys.
    pub fn without(mut self, key: &str) -> Self {
        self.0.retain(|line| !has_key(line, key));
        self
    }

    /// The value of the first line with this key. U+FFFD replaces characters that XML cannot hold.
    pub fn text(&self, key: &str) -> Option<String> {
        let mut all = self.0.iter().filter_map(|line| key_and_value(line));
        all.find(|(other, _)| *other == key.as_bytes()).map(|(_, value)| replaced(value))
    }

    /// The lines as QIO's converter writes them in the record XML, and the names of the lines in which bytes that XML
    /// cannot hold were replaced.
    pub fn info(&self) -> (String, Vec<String>) {
        let (mut info, mut names) = (String::new(), Vec::new());
        for line in &self.0 {
            let bytes = match key_and_value(line) {
                Some((key, value)) => [key, b" = ", value].concat(),
                None => line.trim_ascii().to_vec(),
            };
            let text = replaced(&bytes);
            if text.as_bytes() != bytes {
                names.push(name(line));
            }
            info += &text;
            info.push('\n');
        }
        (info, names)
    }
}

fn has_key(line: &[u8], key: &str) -> bool {
    key_and_value(line).is_some_and(|(other, _)| other == key.as_bytes())
}

fn without_line_feed(line: &[u8]) -> Vec<u8> {
    line.strip_suffix(b"\n").unwrap_or(line).to_vec()
}

/// The name of a line in messages.
fn name(line: &[u8]) -> String {
    let key = key_and_value(line).map_or(line, |(key, _)| key);
    one_line(&String::from_utf8_lossy(key))
}
