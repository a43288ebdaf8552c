//! Elements of documents, for programs that write and read documents of their own: the parts of QIO that they use.

use crate::code::Refused;

/// Size of the name of an element with its zero byte: `QIO_MAXTAG`.
pub const MAX_TAG: usize = 64;
/// Size of attributes with their zero byte: `QIO_MAXATTR`.
pub const MAX_ATTR: usize = 512;
/// Size of a value with its zero byte: `QIO_MAXVALUESTRING`.
pub const MAX_VALUE: usize = 32768;

/// A tag in a text, or an element: offsets of its beginning and its end, name and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'t> {
    /// Offset of its `<`.
    pub begin: usize,
    /// Offset of the byte after it.
    pub end: usize,
    /// Name.
    pub name: &'t [u8],
    /// Value; empty for a tag.
    pub value: &'t [u8],
}

fn find(text: &[u8], byte: u8) -> Option<usize> {
    text.iter().position(|found| *found == byte)
}

/// The next tag of a text; `None` if there is none.
///
/// # Errors
/// It is truncated, or its name is too long.
pub fn next_tag(text: &[u8]) -> Result<Option<Found<'_>>, Refused> {
    let Some(begin) = find(text, b'<') else { return Ok(None) };
    let inner = &text[begin + 1..];
    let length = find(inner, b'>').ok_or_else(|| Refused::usage("a tag is truncated"))?;
    let space = |byte: &u8| byte.is_ascii_whitespace();
    let name = inner[..length].split(space).next().unwrap_or_default();
    if name.len() >= MAX_TAG {
        return Err(Refused::usage(format!("the name of a tag has {} bytes", name.len())));
    }
    Ok(Some(Found { begin, end: begin + 1 + length + 1, name, value: b"" }))
}

/// The next element of a text; `None` if there is none.
///
/// # Errors
/// It is truncated, or its name or its value is too long.
pub fn next_element(text: &[u8]) -> Result<Option<Found<'_>>, Refused> {
    let Some(tag) = next_tag(text)? else { return Ok(None) };
    if let Some(name) = tag.name.strip_suffix(b"/") {
        return Ok(Some(Found { name, ..tag }));
    }
    if text[..tag.end - 1].ends_with(b"/") {
        return Ok(Some(tag));
    }
    let end_tag = [b"</", tag.name, b">"].concat();
    let inner = &text[tag.end..];
    let length = inner.windows(end_tag.len()).position(|window| window == end_tag).ok_or_else(|| {
        let name = String::from_utf8_lossy(tag.name);
        Refused::usage(format!("the document is truncated: the end tag of <{name}> is missing"))
    })?;
    let value = inner[..length].trim_ascii();
    if value.len() >= MAX_VALUE {
        return Err(Refused::usage(format!("the value of an element has {} bytes", value.len())));
    }
    Ok(Some(Found { end: tag.end + length + end_tag.len(), value, ..tag }))
}

/// An element as text.
#[must_use]
pub fn written(name: &[u8], attributes: &[u8], value: &[u8]) -> Vec<u8> {
    let space: &[u8] = if attributes.is_empty() { b"" } else { b" " };
    [b"<", name, space, attributes, b">", value, b"</", name, b">"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_with_their_values() {
        let text = b"<?xml version=\"1.0\"?><a x='1'> 1 <k/> </a><b/><c /><d></d>";
        let declaration = next_tag(text).unwrap().unwrap();
        assert_eq!((declaration.name, declaration.end), (&b"?xml"[..], 21));
        let mut rest = &text[declaration.end..];
        for (name, value) in [("a", "1 <k/>"), ("b", ""), ("c", ""), ("d", "")] {
            let found = next_element(rest).unwrap().unwrap();
            assert_eq!((found.begin, found.name, found.value), (0, name.as_bytes(), value.as_bytes()));
            rest = &rest[found.end..];
        }
        assert_eq!(next_element(rest).unwrap(), None);
        assert_eq!(written(b"a", b"x='1'", b"1"), b"<a x='1'>1</a>");
        assert_eq!(written(b"a", b"", b"1"), b"<a>1</a>");
    }

    #[test]
    fn truncated_and_long_elements_are_refused() {
        assert!(next_element(b"<a>1</b>").is_err() && next_element(b"<a").is_err());
        assert!(next_tag(&[&[b'<'][..], &[b'x'; 64], b">"].concat()).is_err());
        let long = |length: usize| written(b"a", b"", &vec![b'x'; length]);
        assert!(next_element(&long(MAX_VALUE)).is_err() && next_element(&long(MAX_VALUE - 1)).is_ok());
    }
}
