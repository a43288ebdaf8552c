//! Names of volumes (QIO 2.3, section 2.2).

use std::ffi::c_int;

use crate::code::{ERR_BAD_VOLFMT, Refused};

/// The format of the file that is read: `QIO_UNKNOWN`.
pub const UNKNOWN: c_int = -1;
/// One file: `QIO_SINGLEFILE`.
pub const SINGLEFILE: c_int = 0;
/// A file for each node: `QIO_MULTIFILE`.
pub const MULTIFILE: c_int = 1;
/// A file for each I/O node: `QIO_PARTFILE`.
pub const PARTFILE: c_int = 2;
/// The same in directories: `QIO_PARTFILE_DIR`.
pub const PARTFILE_DIR: c_int = 3;

/// Largest length of a name of the program in bytes.
pub const MAX: usize = 500;

/// A name of the program.
///
/// # Errors
/// The name is empty or has more than 500 bytes.
pub fn checked(name: &[u8]) -> Result<&[u8], Refused> {
    match name.len() {
        0 => Err(Refused::usage("the file name is empty")),
        length if length > MAX => {
            Err(Refused::usage(format!("the file name has {length} bytes; there can be 500")))
        }
        _ => Ok(name),
    }
}

/// Name of the file of a node.
///
/// # Errors
/// The name is empty or too long, the format is unknown, or the number of the node is negative.
pub fn edit(name: &[u8], volfmt: c_int, node: c_int) -> Result<Vec<u8>, Refused> {
    let name = checked(name)?;
    let number = || match node {
        0.. => Ok(format!("vol{node:04}")),
        _ => Err(Refused::usage(format!("there is no node {node}"))),
    };
    match volfmt {
        SINGLEFILE => Ok(name.to_vec()),
        MULTIFILE | PARTFILE => Ok([name, b".", number()?.as_bytes()].concat()),
        PARTFILE_DIR => {
            let begin = name.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
            let (directory, name) = name.split_at(begin);
            Ok([directory, number()?.as_bytes(), b"/", name].concat())
        }
        _ => Err(Refused::because(ERR_BAD_VOLFMT, format!("there is no volume format {volfmt}"))),
    }
}

/// Path of a file in a directory.
///
/// # Errors
/// The name is empty or too long.
pub fn join(directory: &[u8], name: &[u8]) -> Result<Vec<u8>, Refused> {
    let name = checked(name)?;
    let slash: &[u8] = if directory.is_empty() || directory.ends_with(b"/") { b"" } else { b"/" };
    Ok([directory, slash, name].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_volumes() {
        let name = |volfmt, node| String::from_utf8(edit(b"a/b.lime", volfmt, node).unwrap()).unwrap();
        assert_eq!(name(SINGLEFILE, 7), "a/b.lime");
        assert_eq!(name(MULTIFILE, 7), "a/b.lime.vol0007");
        assert_eq!(name(PARTFILE, 12345), "a/b.lime.vol12345");
        assert_eq!(name(PARTFILE_DIR, 2), "a/vol0002/b.lime");
        assert_eq!(edit(b"b", PARTFILE_DIR, 0).unwrap(), b"vol0000/b");
        assert_eq!(edit(b"b", UNKNOWN, 0).unwrap_err().code, ERR_BAD_VOLFMT);
        assert!(edit(b"b", PARTFILE, -1).is_err() && edit(b"", SINGLEFILE, 0).is_err());
        assert!(edit(&[b'x'; 500], SINGLEFILE, 0).is_ok() && edit(&[b'x'; 501], SINGLEFILE, 0).is_err());
        assert_eq!(join(b"d", b"b").unwrap(), b"d/b");
        assert_eq!(join(b"d/", b"b").unwrap(), b"d/b");
        assert_eq!(join(b"", b"b").unwrap(), b"b");
    }
}
