//! Writes files in the simplest form, by sections 1 and 2 of `formats/scda-on-disk.md`.

use super::padding_length;
use linkstream::scda::Style;

/// A section with its data, in complete elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Plain {
    pub user: Vec<u8>,
    pub body: Body,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Inline([u8; 32]),
    Block(Vec<u8>),
    Array { n: u128, e: u128, data: Vec<u8> },
    Varray(Vec<Vec<u8>>),
}

/// The sizes of elements.
pub fn sizes_of(elements: &[Vec<u8>]) -> Vec<u64> {
    elements.iter().map(|element| element.len() as u64).collect()
}

/// The file with these sections.
pub fn build(style: Style, vendor: &[u8], user: &[u8], sections: &[Plain]) -> Vec<u8> {
    let mut bytes = b"scdata0 ".to_vec();
    bytes.extend(field(style, vendor, 24));
    bytes.extend(head(style, b'F', user));
    bytes.extend(padding(style, b""));
    for section in sections {
        match &section.body {
            Body::Inline(data) => {
                bytes.extend(head(style, b'I', &section.user));
                bytes.extend(data);
            }
            Body::Block(data) => {
                bytes.extend(head(style, b'B', &section.user));
                bytes.extend(count_line(style, b'E', data.len() as u128));
                bytes.extend(data);
                bytes.extend(padding(style, data));
            }
            Body::Array { n, e, data } => {
                bytes.extend(head(style, b'A', &section.user));
                bytes.extend(count_line(style, b'N', *n));
                bytes.extend(count_line(style, b'E', *e));
                bytes.extend(data);
                bytes.extend(padding(style, data));
            }
            Body::Varray(elements) => {
                bytes.extend(head(style, b'V', &section.user));
                bytes.extend(count_line(style, b'N', elements.len() as u128));
                for element in elements {
                    bytes.extend(count_line(style, b'E', element.len() as u128));
                }
                let data = elements.concat();
                bytes.extend(&data);
                bytes.extend(padding(style, &data));
            }
        }
    }
    bytes
}

/// A count entry: letter, space, number, padding.
pub fn count_line(style: Style, letter: u8, value: u128) -> Vec<u8> {
    [vec![letter, b' '], field(style, value.to_string().as_bytes(), 30)].concat()
}

fn head(style: Style, letter: u8, user: &[u8]) -> Vec<u8> {
    [vec![letter, b' '], field(style, user, 62)].concat()
}

/// A field with `padding('-' to d)`.
fn field(style: Style, content: &[u8], d: usize) -> Vec<u8> {
    let line_break: &[u8] = if style == Style::Unix { b"-\n" } else { b"\r\n" };
    let mut field = [content, b" "].concat();
    field.resize(d - 2, b'-');
    [&field, line_break].concat()
}

/// The padding after data, `padding('=' mod 32)`: Table 1 of the paper.
pub fn padding(style: Style, data: &[u8]) -> Vec<u8> {
    let length = padding_length(data.len() as u128) as usize;
    let after_line_feed = data.ends_with(b"\n");
    let (begin, end): (&[u8], &[u8]) = match (style, after_line_feed) {
        (Style::Unix, false) => (b"\n", b"\n\n"),
        (Style::Unix, true) => (b"==", b"\n\n"),
        (Style::Mime, false) => (b"\r\n", b"\r\n\r\n"),
        (Style::Mime, true) => (b"==", b"\r\n\r\n"),
    };
    let middle = vec![b'='; length - begin.len() - end.len()];
    [begin, &middle, end].concat()
}
