//! Compressed files and archives of a store. The file itself has a hash, as every file; its content is checked.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use linkstream::io::FromStd;
use linkstream_access::digest::{Digests, Hashing, digests};
use linkstream_access::findings::Findings;
use linkstream_access::packed::{self, Content, FIRST, Kind, unpack};
use linkstream_access::source::{Source, SourceError, read_some};

use linkstream_memory as memory;

use super::entry::{Entry, Verdict};
use super::facts;
use super::members::worse;
use super::name::Name;
use super::read::{Reader, SMALL, changed};
use crate::identify::identify;
use crate::job::Open;
use crate::json_line::line_of;
use crate::parallel::beside;
use crate::report::Report;
use crate::survey::{ByReading, survey};

/// The entries about the files of an archive have at most so many bytes in a manifest.
const MOST_BYTES: usize = 48 << 20;

/// The findings on a content.
struct Found {
    report: Report,
    /// The hash of the content, in hexadecimal.
    hash: String,
    /// The ranges of the data and their hashes, unless the content is too long to be read twice.
    parts: Option<(Vec<Range<u64>>, Digests)>,
}

impl Reader {
    /// Reads a packed file. Returns the hashes of the file as it is.
    pub(super) fn packed(
        &self,
        path: &Path,
        source: &dyn Source<Error = io::Error>,
        entry: &mut Entry,
    ) -> io::Result<Digests> {
        let length = source.length()?;
        let whole = 0..length;
        let (mut hashed, mut bytes) = (None, 0_usize);
        let mut single = None;
        // Both read the file at the same time, so that it comes from the disk once.
        let unpacked = beside(
            || hashed = Some(digests(source, self.function, std::slice::from_ref(&whole))),
            || {
                unpack(Sequential { source, at: 0 }, |content| {
                    let Some(name) = content.name.clone() else {
                        single = Some(self.content(content, path)?);
                        return io::Result::Ok(ControlFlow::Continue(()));
                    };
                    let size = content.size.unwrap_or_default();
                    let name = name_in(&entry.name, &name);
                    let mut member = Entry::new(name, size, entry.read, Verdict::Other);
                    (member.modified, member.changed) = (entry.modified, entry.changed);
                    match content.kind {
                        Kind::File => {
                            let mut first = Vec::new();
                            (&mut *content.reader).take(FIRST as u64).read_to_end(&mut first)?;
                            let is_packed = packed::is_packed(&first);
                            let reader = &mut first.chain(content.reader);
                            let found = self.content(Content { reader, ..content }, path)?;
                            self.add(&found, &member.name.path(), &mut member);
                            if is_packed {
                                member.verdict = Verdict::Unreadable;
                                member.error = Some("a packed file in an archive is not read".to_owned());
                            }
                        }
                        Kind::Sparse | Kind::Rest => {
                            member.verdict = Verdict::Unreadable;
                            let what = if content.kind == Kind::Sparse {
                                "a sparse file"
                            } else {
                                "the rest of a file"
                            };
                            member.error = Some(format!("{what} in an archive is not read"));
                        }
                        Kind::Link | Kind::Device => return Ok(ControlFlow::Continue(())),
                    }
                    entry.verdict = worse(entry.verdict, member.verdict);
                    if entry.error.is_none() {
                        entry.error = member.error.as_ref().map(|why| format!("{}: {why}", member.name));
                    }
                    bytes = bytes.saturating_add(line_of(&member)?.len());
                    if bytes > MOST_BYTES {
                        let left_out = entry.members_left_out.unwrap_or_default();
                        entry.members_left_out = Some(left_out.saturating_add(1));
                    } else {
                        entry.members.push(member);
                    }
                    Ok(ControlFlow::Continue(()))
                })
            },
        )?;
        let hashed = hashed.unwrap_or_else(|| Err(changed()))?;
        if let Some(mut found) = single {
            found.report.bytes = unpacked.bytes;
            if let Some(fault) = &unpacked.fault {
                if unpacked.bytes == 0 {
                    // It is not the content that has no bytes.
                    found.report.findings = Findings::new(false);
                }
                found.report.findings.put_first(fault.finding());
            }
            found.report.packing.clone_from(&unpacked.packing);
            self.add(&found, path, entry);
        } else {
            entry.format = Some("tar".to_owned());
            if let Some(fault) = unpacked.fault {
                entry.verdict = Verdict::Wrong;
                entry.rules.push(fault.finding().rule.to_owned());
            }
        }
        entry.packing = unpacked.packing.into_iter().map(str::to_owned).collect();
        Ok(hashed)
    }

    /// Adds what was found in a content, with its hash.
    fn add(&self, found: &Found, path: &Path, entry: &mut Entry) {
        facts::add(&found.report, facts::verdict(&found.report, path), &self.xml, entry);
        if let Some((ranges, digests)) = &found.parts {
            entry.parts(ranges, digests);
        }
        entry.set_hash(self.function, found.hash.clone());
    }

    fn content(&self, content: Content<'_>, path: &Path) -> io::Result<Found> {
        let name = path.display().to_string();
        memory::afford(usize::try_from(SMALL).unwrap_or(usize::MAX))?;
        let mut begin = Vec::new();
        let Content { reader, size, .. } = content;
        (&mut *reader).take(SMALL.saturating_add(1)).read_to_end(&mut begin)?;
        if begin.len() as u64 <= SMALL {
            let bytes = Arc::new(begin);
            let report = Open::source(bytes.clone(), name).report(&self.options(true))?;
            let ranges = facts::data_ranges(&report);
            let digests = digests(&*bytes, self.function, &ranges)?;
            return Ok(Found { report, hash: digests.whole.clone(), parts: Some((ranges, digests)) });
        }
        let mut hashing = Hashing::new(begin.chain(reader), self.function);
        let (first, format) = identify(&mut FromStd(&mut hashing))?;
        let whole = FromStd(first.chain(&mut hashing));
        let options = self.options(true);
        let report = survey::<ByReading, _>(whole, None, &name, &first, format, size, &options);
        let report = report.map_err(|error| match error {
            SourceError::Io(error) => error,
            other => io::Error::other(other.to_string()),
        })?;
        Ok(Found { report, hash: hashing.finish()?, parts: None })
    }
}

/// The name of a file in an archive. Parts that would lead elsewhere are left out.
fn name_in(archive: &Name, name: &[u8]) -> Name {
    let parts = name.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"." | b".."));
    let inner = parts.collect::<Vec<_>>().join(&b'/');
    let name = |inner: &[u8]| Name::new([archive.as_bytes(), b"!", inner].concat());
    name(&inner).or_else(|_| name(b"")).unwrap_or_else(|_| archive.clone())
}

/// Reads a source from its beginning to its end.
struct Sequential<'s> {
    source: &'s dyn Source<Error = io::Error>,
    at: u64,
}

impl Read for Sequential<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = read_some(self.source, self.at, out)?;
        self.at = self.at.saturating_add(n as u64);
        Ok(n)
    }
}
