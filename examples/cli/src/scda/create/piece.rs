//! The sections to be written, as the user describes them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use linkstream::scda::INLINE_LEN;

use super::user::UserString;
use crate::data::text_of;
use crate::failure::wrong_arguments;
use crate::lists::Below;

/// A section to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub user: Vec<u8>,
    pub content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// An inline section with these bytes.
    Text([u8; INLINE_LEN]),
    /// An inline section with the bytes of a file.
    Inline(PathBuf),
    Block(PathBuf),
    /// An array of elements of this size, with their data in a file.
    Array(u64, PathBuf),
    /// A variable array with one element per file.
    Varray(Vec<PathBuf>),
    /// A variable array with one element for each file named in a list.
    VarrayOf(PathBuf),
}

impl FromStr for Piece {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, rest) = text.split_once(':').ok_or("a piece begins with its type and a colon")?;
        let (name, value) = rest.split_once('=').ok_or("there is no = between user string and file")?;
        let mut user = name;
        let content = match word {
            "text" => Content::Text(inline_text(value)?),
            "inline" => Content::Inline(value.into()),
            "block" => Content::Block(value.into()),
            "array" => {
                let (before, size) = name.rsplit_once(':').ok_or("an array is array:USER:BYTES=FILE")?;
                user = before;
                let size = size.parse().ok().filter(|size| *size > 0);
                Content::Array(size.ok_or("the size of an element must be a number of bytes")?, value.into())
            }
            "varray" => match value.strip_prefix('@') {
                Some(list) => Content::VarrayOf(list.into()),
                None if value.is_empty() => Content::Varray(Vec::new()),
                None => Content::Varray(value.split(',').map(PathBuf::from).collect()),
            },
            _ => return Err(format!("\"{word}\" is none of text, inline, block, array, varray")),
        };
        Ok(Self { user: user.parse::<UserString>()?.0, content })
    }
}

/// The data of an inline section: the text, filled up with spaces and a final line feed.
fn inline_text(text: &str) -> Result<[u8; INLINE_LEN], String> {
    let mut data = [b' '; INLINE_LEN];
    data[INLINE_LEN - 1] = b'\n';
    let room = data[..INLINE_LEN - 1].get_mut(..text.len());
    room.ok_or("a text has at most 31 bytes")?.copy_from_slice(text.as_bytes());
    Ok(data)
}

/// Collects all sections, including the sections of a list, and reads lists of file names. At most one of them may use
/// standard input.
pub fn gathered(
    mut pieces: Vec<Piece>,
    list: Option<&Path>,
    is_anywhere: bool,
) -> anyhow::Result<Vec<Piece>> {
    let mut inputs = list.map_or(0, |list| standard_inputs([list]));
    if let Some(list) = list {
        pieces.extend(from_list(list, &Below::of(list, is_anywhere)?)?);
    }
    for piece in &mut pieces {
        if let Content::VarrayOf(list) = &piece.content {
            inputs += standard_inputs([list]);
            let names = text_of(list)?;
            let names = names.lines().filter(|line| !line.is_empty());
            let names: Vec<_> = names.map(PathBuf::from).collect();
            let below = Below::of(list, is_anywhere)?;
            names.iter().try_for_each(|name| below.admits(name))?;
            piece.content = Content::Varray(names);
        }
        inputs += standard_inputs(piece.content.files());
    }
    if inputs > 1 {
        wrong_arguments!("standard input can only be read once");
    }
    Ok(pieces)
}

fn standard_inputs<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> usize {
    files.into_iter().filter(|file| file.as_ref() == Path::new("-")).count()
}

impl Content {
    fn files(&self) -> &[PathBuf] {
        match self {
            Self::Text(_) => &[],
            Self::Varray(files) => files,
            Self::Inline(file) | Self::Block(file) | Self::Array(_, file) | Self::VarrayOf(file) => {
                std::slice::from_ref(file)
            }
        }
    }
}

/// The sections in a list, one per line. Empty lines and lines that begin with # are ignored.
fn from_list(list: &Path, below: &Below) -> anyhow::Result<Vec<Piece>> {
    let text = text_of(list)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let pieces = lines.map(|(number, line)| {
        let piece = line.parse::<Piece>().map_err(anyhow::Error::msg);
        let admitted = piece.and_then(|piece| {
            piece.content.files().iter().try_for_each(|file| below.admits(file)).map(|()| piece)
        });
        admitted.with_context(|| format!("line {number} of the list"))
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_as_people_write_them() {
        let piece = |text: &str| text.parse::<Piece>().map(|piece| (piece.user, piece.content));
        let user = |user: &str| user.as_bytes().to_vec();
        assert_eq!(piece("block:a b:c=d=e"), Ok((user("a b:c"), Content::Block("d=e".into()))));
        assert_eq!(piece("array:x:y:8=f"), Ok((user("x:y"), Content::Array(8, "f".into()))));
        assert_eq!(piece("varray:=a,b"), Ok((user(""), Content::Varray(vec!["a".into(), "b".into()]))));
        assert_eq!(piece("varray:none="), Ok((user("none"), Content::Varray(vec![]))));
        assert_eq!(piece("varray:v=@list"), Ok((user("v"), Content::VarrayOf("list".into()))));
        let data = *b"42                             \n";
        assert_eq!(piece(r"text:n\x3d1=42"), Ok((user("n=1"), Content::Text(data))));
        for wrong in ["", "block", "block:x", "blob:x=y", "array:x=y", "array:x:0=y", "array:x:-1=y"] {
            assert!(piece(wrong).is_err(), "{wrong}");
        }
        assert!(piece(&format!("text:x={}", "y".repeat(31))).is_ok());
        assert!(piece(&format!("text:x={}", "y".repeat(32))).is_err());
    }
}
