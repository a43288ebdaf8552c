//! The lines of a NERSC archive's header, for another archive or for the record XML of a SciDAC file.

use std::io::{Read, Seek};

use linkstream::nersc::key_and_value;
use quick_xml::escape::unescape;

use crate::text::{one_line, xml_text};
use crate::write::error::Error;

/// Lines of a header without their line feeds, as they are in the file; the first and the last line are left out.
#[derive(Debug, Default, Clone)]
pub struct Lines(Vec<Vec<u8>>);

impl Lines {
    /// Lines of keys and values.
    pub fn new<'t>(lines: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let mut new = Self::default();
        lines.into_iter().for_each(|(key, value)| new.push(key, value));
        new
    }

    pub(super) fn push(&mut self, key: &str, value: &str) {
        self.0.push(format!("{key} = {value}").into_bytes());
    }

    /// The header lines of the archive whose data begin at byte `data_at`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of_archive(file: &mut (impl Read + Seek), data_at: u64) -> Result<Self, Error> {
        let mut header = Vec::new();
        file.rewind().map_err(Error::Input)?;
        file.take(data_at).read_to_end(&mut header).map_err(Error::Input)?;
        let mut lines: Vec<_> =
            header.split_inclusive(|byte| *byte == b'\n').skip(1).map(without_line_feed).collect();
        lines.pop();
        Ok(Self(lines))
    }

    /// The header lines in the record XML of a SciDAC file, where QIO's converter stores them. Also returns the lines
    /// that cannot be header lines.
    #[must_use]
    pub(crate) fn of_record_xml(record_xml: &str) -> (Self, Vec<String>) {
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

    pub(super) fn as_slices(&self) -> Vec<&[u8]> {
        self.0.iter().map(Vec::as_slice).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|line| line.len().saturating_add(1)).sum()
    }

    /// The keys of all lines.
    pub(crate) fn keys(&self) -> Vec<String> {
        let keys = self.0.iter().filter_map(|line| key_and_value(line));
        keys.map(|(key, _)| one_line(&String::from_utf8_lossy(key))).collect()
    }

    /// True if there is a line with this key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|line| has_key(line, key))
    }

    /// The lines with other keys.
    pub(super) fn without(mut self, key: &str) -> Self {
        self.0.retain(|line| !has_key(line, key));
        self
    }

    /// The value of the first line with this key. U+FFFD replaces characters that XML cannot hold.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<String> {
        let mut all = self.0.iter().filter_map(|line| key_and_value(line));
        all.find(|(other, _)| *other == key.as_bytes()).map(|(_, value)| xml_text(value))
    }

    /// The lines as QIO's converter writes them in the record XML, and the names of the lines with replaced bytes,
    /// which XML does not allow.
    #[must_use]
    pub fn info(&self) -> (String, Vec<String>) {
        let (mut info, mut names) = (String::new(), Vec::new());
        for line in &self.0 {
            let bytes = match key_and_value(line) {
                Some((key, value)) => [key, b" = ", value].concat(),
                None => line.trim_ascii().to_vec(),
            };
            let text = xml_text(&bytes);
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
