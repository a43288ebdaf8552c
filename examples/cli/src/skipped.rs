//! Files in directories that have no known format: they are unrelated, or rather damaged or compressed data.

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream::Class;
use linkstream::sniff::{Foreign, Format, Sniff, foreign, sniff};
use linkstream_access::other::Other;
use linkstream_access::packed::{Compression, Unpacker, is_packed, unpacked_name};
use linkstream_report::findings::{Finding, Level, PACKING_DAMAGED};
use linkstream_report::identify::{has_ending, looks_like_text, not_read};
use linkstream_report::other::{other, zip_entry};
use linkstream_report::report::{Body, Report};

use crate::files::{Candidate, Volumes};
use crate::human::shown_path;
use crate::source::filled;
use crate::system::File;

/// Number of bytes that are read of a file.
const FIRST: usize = 4 << 10;
/// Equal lengths of shorter files are no sign of damage.
const LONG: u64 = 1 << 10;
/// Zeros at the beginning of a file that was not written completely; other formats have some too.
const ZEROS: usize = 512;

/// Sizes in bytes of the states of SITMO, RANLUX48 and MT19937 in Grid.
const STATES: [u64; 3] = [104, 120, 2496];

/// Why a file in a directory or an archive is not checked.
#[derive(Debug)]
pub enum Aside {
    /// It is no data, as far as this can be known.
    Unrelated(String),
    /// Another program reads it.
    Recognised(String),
}

/// A file of another program.
#[derive(Debug)]
pub struct OtherProgram {
    format: Other,
    /// The name of the format, and the program that reads it.
    message: String,
}

impl OtherProgram {
    /// The format of a file that begins so; `None` for other files, and for wrappings of files.
    pub fn of(first: &[u8], bytes: Option<u64>) -> Option<Self> {
        let format = other(first, bytes).filter(|format| format.unpack.is_none())?;
        Some(Self { format, message: not_read(first, bytes, "")?.message })
    }

    /// The file is listed if it has data, or is named like other files that have some.
    pub fn aside(self, is_named: bool) -> Aside {
        if self.format.is_lattice_data || is_named {
            return Aside::Recognised(self.message);
        }
        Aside::Unrelated(format!("this is {}", self.format.name))
    }
}

/// Names and lengths of the files of all directories. Files that are not recognised are compared with them.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// By the pattern of the path, with the name of the format.
    names: HashMap<Vec<u8>, (PathBuf, &'static str)>,
    /// By directory and length.
    lengths: HashMap<(PathBuf, u64), (PathBuf, &'static str)>,
    /// Directories with configurations of openQCD.
    of_open_qcd: HashSet<PathBuf>,
    /// Binary files of no known format, by the pattern of the path and by length.
    unknown: HashMap<(Vec<u8>, u64), Vec<PathBuf>>,
}

impl Neighbours {
    /// Reads the beginnings of all files that were found in directories.
    pub fn of(files: &[Candidate]) -> anyhow::Result<Self> {
        let mut all = Self::default();
        for file in files.iter().filter(|file| file.is_found && file.failure.is_none()) {
            match &file.volumes {
                Volumes::Set(volumes) => volumes.iter().try_for_each(|(_, path)| all.add(path, None))?,
                _ => all.add(&file.path, Some(file.bytes))?,
            }
        }
        Ok(all)
    }

    fn add(&mut self, path: &Path, bytes: Option<u64>) -> anyhow::Result<()> {
        let first = match beginning(path).and_then(|first| content(path, first)) {
            // Reported when its turn comes.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => {
                return Ok(());
            }
            first => first.with_context(|| shown_path(path))?,
        };
        let Some(format) = recognised(&first, bytes) else {
            let length = bytes.filter(|bytes| *bytes >= LONG);
            if let Some(length) =
                length.filter(|_| !looks_like_text(&first) && other(&first, bytes).is_none())
            {
                self.unknown.entry((pattern(path), length)).or_default().push(path.to_owned());
            }
            return Ok(());
        };
        if is_open_qcd(&first, bytes) {
            self.of_open_qcd.insert(folder(path));
        }
        self.names.entry(pattern(path)).or_insert_with(|| (path.to_owned(), format));
        if let Some(bytes) = bytes.filter(|bytes| *bytes >= LONG) {
            let place = (folder(path), bytes);
            self.lengths.entry(place).or_insert_with(|| (path.to_owned(), format));
        }
        Ok(())
    }

    /// Why a file is not checked; `None` if the report on it counts. A finding that says why it is taken for damaged data
    /// may be added to the report.
    pub fn skips(&self, file: &Candidate, report: &mut Report) -> anyhow::Result<Option<Aside>> {
        let is_unknown = file.is_found && matches!(report.body, Body::Unknown);
        if !is_unknown || has_ending(&file.path) {
            return Ok(None);
        }
        // The content is certainly not as it was written, whatever it is.
        if report.first_error().is_some_and(|error| PACKING_DAMAGED.contains(&error.rule)) {
            return Ok(None);
        }
        let name = file.path.file_name().unwrap_or_default();
        if report.bytes == 0 && file.bytes == 0 {
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            return Ok(is_hidden.then(|| Aside::Unrelated("an empty hidden file".to_owned())));
        }
        let first = beginning(&file.path)?;
        let inside = content(&file.path, first.clone())?;
        if let Some(program) = OtherProgram::of(&inside, Some(report.bytes)) {
            return Ok(Some(program.aside(self.names.contains_key(&pattern(&file.path)))));
        }
        if self.is_state(file) {
            let what = "a random-number state of Grid, by its name and length".to_owned();
            return Ok(Some(Aside::Unrelated(what)));
        }
        let format = other(&first, Some(file.bytes));
        if format.is_some_and(|format| format.unpack.is_some()) {
            let inner = file.path.with_extension("");
            let is_named = |path: &Path| has_ending(path) || self.names.contains_key(&pattern(path));
            let has_known = |content: &[u8]| {
                let member =
                    |name: &[u8]| name_in(&folder(&file.path), name).is_some_and(|path| is_named(&path));
                matches!(sniff(content), Sniff::Is(_)) || any_member(content, member)
            };
            if is_named(&inner) || has_known(&inside) {
                return Ok(None);
            }
        }
        if let Some(fault) = unpacked_name(&file.path).filter(|_| format.is_none() && !is_packed(&first)) {
            report.findings.put_first(fault.finding());
            return Ok(None);
        }
        if let Some((rule, message)) = self.suspicion(file, &first, format.is_some()) {
            put_first(report, rule, message);
            return Ok(None);
        }
        Ok(Some(Aside::Unrelated(no_known(format))))
    }

    /// True for a random-number state without header, as Grid writes it beside ILDG configurations: `ckpoint_rng.10` beside
    /// `ckpoint_lat.10`. It has a state for each site, and a serial one.
    fn is_state(&self, file: &Candidate) -> bool {
        let name = file.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let of_lattice = ["lat", "cfg", "conf", "config"]
            .map(|word| file.path.with_file_name(name.replacen("rng", word, 1)));
        let is_named =
            name.contains("rng") && of_lattice.iter().any(|path| self.names.contains_key(&pattern(path)));
        is_named && STATES.iter().any(|size| file.bytes.is_multiple_of(*size) && file.bytes / size > 16)
    }

    fn suspicion(&self, file: &Candidate, first: &[u8], is_other: bool) -> Option<(&'static str, String)> {
        let is = |(other, format): &(PathBuf, &str)| format!("{} ({format})", shown_path(other));
        if let Some(other) = self.names.get(&pattern(&file.path)) {
            let message = format!("the file has no known format, but is named like {}", is(other));
            return Some(("file-named-like-data", message));
        }
        if is_other {
            return None;
        }
        if let Some(bytes) =
            bytes_of_open_qcd(first).filter(|_| self.of_open_qcd.contains(&folder(&file.path)))
        {
            let message = format!(
                "the file begins like an openQCD configuration, as others beside it, but has {} bytes instead of {bytes}",
                file.bytes
            );
            return Some(("file-begins-like-data", message));
        }
        if let Some(other) = self.lengths.get(&(folder(&file.path), file.bytes)) {
            let message = format!("the file has no known format, but is as long as {}", is(other));
            return Some(("file-long-as-data", message));
        }
        let alike = self.unknown.get(&(pattern(&file.path), file.bytes));
        if let Some(another) = alike.and_then(|alike| alike.iter().find(|path| **path != file.path)) {
            let another = shown_path(another);
            let message = format!(
                "the file has no known format, but is as long as {another}, whose name differs only in a number: \
                 they may be data that lost their beginning"
            );
            return Some(("files-alike", message));
        }
        begins_with_zeros(first).then(|| ("file-begins-with-zeros", BEGINS_WITH_ZEROS.to_owned()))
    }
}

/// Why a file of no known format is skipped.
pub fn no_known(format: Option<Other>) -> String {
    format.map_or_else(|| "no known format".to_owned(), |format| format!("this is {}", format.name))
}

pub const BEGINS_WITH_ZEROS: &str = "the file begins with zeros, as if its beginning was never written";

/// True if the first bytes of a file were perhaps never written.
pub fn begins_with_zeros(first: &[u8]) -> bool {
    let zeros = first.get(..ZEROS).unwrap_or(first);
    !zeros.is_empty() && zeros.iter().all(|byte| *byte == 0)
}

/// Adds an error about the file before all others.
pub fn put_first(report: &mut Report, rule: &'static str, message: String) {
    let (severity, class) = (Level::Error, Class::Magic);
    report.findings.put_first(Finding { severity, class, rule, clause: "", offset: 0, message });
}

/// A path with each number replaced by `#`. Files of an ensemble differ in such numbers.
pub fn pattern(path: &Path) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        if !byte.is_ascii_digit() {
            out.push(*byte);
        } else if out.last() != Some(&b'#') {
            out.push(b'#');
        }
    }
    out
}

fn folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// The beginning of the content of a compressed file that begins so; the same bytes for other files, and for damaged ones.
fn content(path: &Path, first: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let Some(compression) = Compression::of(&first) else { return Ok(first) };
    let mut content = vec![0; FIRST];
    // Nothing is known about a block of some compressions before its end.
    let n = filled(&mut Unpacker::new(File::open(path)?, compression), &mut content).unwrap_or_default();
    content.truncate(n);
    Ok(if content.is_empty() { first } else { content })
}

/// Size in bytes of a block of tar. A header has one, and the content of a file begins with the next.
const BLOCK: usize = 512;

/// True if an archive of tar or zip that begins so has a file with such a name, or, in tar, one in a known format.
pub fn any_member(first: &[u8], is_named: impl Fn(&[u8]) -> bool) -> bool {
    if other(first, None).is_some_and(|format| format.name == "zip") {
        return zip_entry(first).is_some_and(is_named);
    }
    let mut rest = first;
    while let Some(header) = rest.get(..BLOCK).filter(|header| header[257..262] == *b"ustar") {
        let until_zero = |field: &[u8]| field.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
        let content = &rest[BLOCK..];
        if matches!(sniff(content), Sniff::Is(_)) || is_named(&until_zero(&header[..100])) {
            return true;
        }
        // Octal digits; a large size in base 256 can only belong to the last file in `first`.
        let size = String::from_utf8(until_zero(&header[124..136])).unwrap_or_default();
        let Ok(size) = usize::from_str_radix(size.trim(), 8) else { return false };
        let Some(next) = size.checked_next_multiple_of(BLOCK).and_then(|size| content.get(size..)) else {
            return false;
        };
        rest = next;
    }
    false
}

/// The path of a file of an archive if it is unpacked to a directory, without the directories in the archive.
fn name_in(folder: &Path, member: &[u8]) -> Option<PathBuf> {
    let name = member.rsplit(|byte| *byte == b'/').next().filter(|name| !name.is_empty())?;
    Some(folder.join(std::str::from_utf8(name).ok()?))
}

fn beginning(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut first = vec![0; FIRST];
    let n = filled(&mut File::open(path)?, &mut first)?;
    first.truncate(n);
    Ok(first)
}

/// Name of the format of a file with data of lattice QCD; `None` for other files.
fn recognised(first: &[u8], bytes: Option<u64>) -> Option<&'static str> {
    match sniff(first) {
        Sniff::Is(format) => Some(name_of(format)),
        _ => other(first, bytes).filter(|format| format.is_lattice_data).map(|format| format.name),
    }
}

fn is_open_qcd(first: &[u8], bytes: Option<u64>) -> bool {
    foreign(first, bytes) == Some(Foreign::OpenQcd)
}

/// Length of the openQCD configuration that begins so: 4 extents, the plaquette, and 4 links of 144 bytes a site.
fn bytes_of_open_qcd(first: &[u8]) -> Option<u64> {
    let extents = first.first_chunk::<16>()?.as_chunks::<4>().0;
    let extents = extents.iter().map(|extent| u64::from(u32::from_le_bytes(*extent)));
    let sites = extents.into_iter().try_fold(1_u64, u64::checked_mul)?;
    let bytes = sites.checked_mul(4 * 144)?.checked_add(24)?;
    is_open_qcd(first, Some(bytes)).then_some(bytes)
}

const fn name_of(format: Format) -> &'static str {
    match format {
        Format::Lime => "a LIME file",
        Format::Inebin => "an INEBIN matrix",
        Format::Scda => "an scda file",
        Format::Nersc => "a NERSC archive",
        Format::Milc => "a MILC file",
        _ => "a known format",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_an_ensemble_have_one_pattern() {
        let of = |path: &str| pattern(Path::new(path));
        assert_eq!(of("run2/conf.0100"), of("run10/conf.99"));
        assert_ne!(of("conf.0100"), of("conf.0100.log"));
        assert_ne!(of("conf.0100"), of("conf"));
    }
}
