//! Seeds from the fixtures of the tests, and fields whose geometry is at its edges.

use std::fs;
use std::path::Path;

use crate::raw::{MB, ME, Raw};

/// Maximum length of a seed.
const LONGEST: u64 = 4 << 10;
/// Number of files of a directory: the first, the last, and others between them.
const OF_EACH: usize = 8;

/// Directories with single files.
pub const FILES: &[&str] = &[
    "broken/ildg",
    "broken/lime",
    "broken/scidac",
    "broken-inebin",
    "broken-scda",
    "inebin",
    "lime",
    "scda",
    "qio/alien",
    "qio/convert",
    "qio/quirks",
    "qio/single",
    "qio/usqcd",
];
/// Directories with archives.
pub const ARCHIVES: &[&str] = &["qio/nersc"];
/// Directories and names of file sets.
const SETS: &[(&str, &str, usize)] = &[
    ("qio/multi", "multi3_uneven.lime", 3),
    ("qio/multi", "part3_uneven.lime", 3),
    ("qio/convert", "sci_part4.lime", 4),
    ("qio/quirks", "part2_append.lime", 2),
    ("qio/quirks", "part2_default_flags.lime", 2),
];

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../host-tests/fixtures").join(name)
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Some short files of each directory.
pub fn fixtures(folders: &[&str]) -> Vec<(String, Vec<u8>)> {
    let of_folder = |name: &&str| {
        let entries = fs::read_dir(folder(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut paths: Vec<_> =
            entries.map(|entry| entry.expect("the directory is readable").path()).collect();
        let is_short =
            |path: &Path| path.metadata().is_ok_and(|about| about.is_file() && about.len() <= LONGEST);
        paths.retain(|path| is_short(path) && path.extension().is_none_or(|ending| ending != "toml"));
        paths.sort();
        let step = paths.len().div_ceil(OF_EACH).max(1);
        let seed = |path: &std::path::PathBuf| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            (format!("{}-{file}", name.replace('/', "-")), read(path))
        };
        paths.iter().step_by(step).map(seed).collect::<Vec<_>>()
    };
    folders.iter().flat_map(of_folder).collect()
}

/// The volumes of some sets.
pub fn sets() -> Vec<(String, Vec<Vec<u8>>)> {
    let volume = |directory: &str, name: &str, number: usize| {
        read(&folder(directory).join(format!("{name}.vol{number:04}")))
    };
    let set = |(directory, name, volumes): &(&str, &str, usize)| {
        ((*name).to_owned(), (0..*volumes).map(|number| volume(directory, name, number)).collect())
    };
    SETS.iter().map(set).collect()
}

/// ILDG files with extents of 1 and 2 in each dimension, with huge ones, without some, and with 1 to 10 colours.
pub fn geometry() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut add = |name: String, kind: &str, colors: u64, extents: &[Option<u64>]| {
        let tags = ["lx", "ly", "lz", "lt"];
        let lines = tags
            .iter()
            .zip(extents)
            .filter_map(|(tag, extent)| extent.map(|extent| format!("<{tag}>{extent}</{tag}>")));
        let format = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ildgFormat xmlns=\"http://www.lqcd.org/ildg\">\
             <version>1.2</version><field>{kind}</field><precision>32</precision>{}</ildgFormat>",
            lines.collect::<String>()
        );
        let sites = extents.iter().flatten().copied().fold(1, u64::saturating_mul);
        let links = extents.iter().flatten().filter(|extent| **extent > 1).count() as u64;
        let length = sites.saturating_mul(links * colors * colors * 8);
        // Unit matrices, as far as the file is short.
        let one = |number: u64| {
            if (number % (colors * colors * 2)).is_multiple_of(2 * colors + 2) { 1_f32 } else { 0.0 }
        };
        let numbers = if length <= LONGEST { length / 4 } else { 16 };
        let data: Vec<u8> = (0..numbers).flat_map(|number| one(number).to_be_bytes()).collect();
        let raw = Raw::record(MB, b"ildg-format", format.as_bytes())
            .then(Raw::record(0, b"ildg-data-lfn", b"lfn://a/b"))
            .then(Raw::record(ME, b"ildg-binary-data", &data));
        files.push((format!("geometry-{name}"), raw.bytes));
    };
    for index in 0..16_u64 {
        let extents: Vec<_> = (0..4).map(|dimension| Some(1 + (index >> dimension & 1))).collect();
        let name = extents.iter().flatten().map(u64::to_string).collect::<String>();
        add(name, "su3gauge", 3, if index == 15 { &[Some(2), Some(2), Some(1), Some(3)] } else { &extents });
    }
    for (name, huge) in [("2-16", 1 << 16), ("2-31", 1 << 31), ("2-32", 1 << 32)] {
        for at in 0..4 {
            let mut extents = [Some(1); 4];
            extents[at] = Some(huge);
            add(format!("{name}-at-{at}"), "su3gauge", 3, &extents);
        }
        add(format!("{name}-all"), "su3gauge", 3, &[Some(huge); 4]);
    }
    for missing in 0..4 {
        let mut extents = [Some(2); 4];
        extents[missing] = None;
        add(format!("without-{missing}"), "su3gauge", 3, &extents);
    }
    add("zero".to_owned(), "su3gauge", 3, &[Some(0); 4]);
    for colors in 1..=10 {
        let name = format!("colors-{colors}");
        add(name, &format!("su{colors}gauge"), colors, &[Some(2), Some(1), Some(1), Some(2)]);
    }
    files
}
