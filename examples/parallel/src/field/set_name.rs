//! Names of the volumes of a file set.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use linkstream::scidac::VolumeFormat;

use crate::file::Disk;

/// The path of a volume, as QIO names it: `NAME.volNNNN`, or `volNNNN/NAME` if each volume has a directory.
///
/// ```
/// use std::path::Path;
///
/// use linkstream::scidac::VolumeFormat;
/// use linkstream_parallel::field::volume_path;
///
/// let path = volume_path(Path::new("data/set"), VolumeFormat::Partition, 2);
/// assert_eq!(path, Path::new("data/set.vol0002"));
/// ```
#[must_use]
pub fn volume_path(set: &Path, format: VolumeFormat, number: u64) -> PathBuf {
    let name = set.file_name().unwrap_or_default();
    if format == VolumeFormat::PartitionDirectory {
        return set.with_file_name(format!("vol{number:04}")).join(name);
    }
    let mut name: OsString = name.to_owned();
    name.push(format!(".vol{number:04}"));
    set.with_file_name(name)
}

/// The number in `volNNNN`, which has four digits, or more for larger numbers.
fn number(name: &OsStr) -> Option<u64> {
    let name = name.to_str()?;
    let number = name.strip_prefix("vol")?.parse().ok()?;
    Some(number).filter(|number| format!("vol{number:04}") == name)
}

/// The numbers of the existing volumes of a set, ascending, and whether each has a directory. If there are volumes of
/// both kinds, those without a directory are returned.
///
/// ```
/// use std::path::Path;
///
/// use linkstream_parallel::field::volumes;
/// use linkstream_parallel::file::SystemDisk;
///
/// let (numbers, _) = volumes(&SystemDisk, Path::new("no such set"))?;
/// assert!(numbers.is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The directory cannot be read.
pub fn volumes(disk: &impl Disk, set: &Path) -> io::Result<(Vec<u64>, VolumeFormat)> {
    let names = disk.names(directory(set))?;
    let found = beside(set, &names);
    if !found.is_empty() {
        return Ok((found, VolumeFormat::Partition));
    }
    Ok((in_directories(disk, set, &names)?, VolumeFormat::PartitionDirectory))
}

/// The numbers of the existing volumes of a set, ascending: of the volumes with a directory for each if the format is
/// [`PartitionDirectory`](VolumeFormat::PartitionDirectory), otherwise of those without.
///
/// # Errors
/// The directory cannot be read.
pub fn volumes_of(disk: &impl Disk, set: &Path, format: VolumeFormat) -> io::Result<Vec<u64>> {
    let names = disk.names(directory(set))?;
    if format == VolumeFormat::PartitionDirectory {
        return in_directories(disk, set, &names);
    }
    Ok(beside(set, &names))
}

/// The directory of a set.
fn directory(set: &Path) -> &Path {
    set.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The volumes among the names in the directory of their set.
fn beside(set: &Path, names: &[OsString]) -> Vec<u64> {
    let of_name = |name: &OsString| {
        let path = Path::new(name);
        (path.file_stem() == set.file_name()).then(|| number(path.extension()?)).flatten()
    };
    let mut found: Vec<u64> = names.iter().filter_map(of_name).collect();
    found.sort_unstable();
    found
}

/// The volumes with a directory for each, which is among the names in the directory of their set.
fn in_directories(disk: &impl Disk, set: &Path, names: &[OsString]) -> io::Result<Vec<u64>> {
    let mut found = Vec::new();
    for of_directory in names.iter().filter_map(|name| number(name)) {
        let path = volume_path(set, VolumeFormat::PartitionDirectory, of_directory);
        let parent = path.parent().unwrap_or(directory(set));
        if disk.names(parent)?.iter().any(|name| Some(name.as_os_str()) == set.file_name()) {
            found.push(of_directory);
        }
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::SystemDisk;

    #[test]
    fn names_of_volumes() {
        let set = Path::new("directory/lat.lime");
        let path = |format, number| volume_path(set, format, number);
        assert_eq!(path(VolumeFormat::Partition, 2), Path::new("directory/lat.lime.vol0002"));
        assert_eq!(path(VolumeFormat::PartitionDirectory, 12345), Path::new("directory/vol12345/lat.lime"));
    }

    #[test]
    fn volumes_are_found_by_their_names() {
        let directory = tempfile::tempdir().unwrap();
        let set = directory.path().join("lat.lime");
        for name in
            ["lat.lime.vol0002", "lat.lime.vol0000", "lat.lime.vol1", "lime.vol0001", "lat.lime.vol12345"]
        {
            std::fs::write(directory.path().join(name), "").unwrap();
        }
        let found = volumes(&SystemDisk, &set).unwrap();
        assert_eq!(found, (vec![0, 2, 12345], VolumeFormat::Partition));
        for name in ["vol0003", "vol0004"] {
            std::fs::create_dir(directory.path().join(name)).unwrap();
        }
        std::fs::write(directory.path().join("vol0004/other"), "").unwrap();
        let found = volumes(&SystemDisk, &directory.path().join("other")).unwrap();
        assert_eq!(found, (vec![4], VolumeFormat::PartitionDirectory));
    }
}
