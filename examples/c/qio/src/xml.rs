//! Documents as QIO writes and reads them: a root with a flat list of elements, whose values are texts as they are.
//!
//! QIO writes values without escaping, so that `a & b`, or a document with an XML declaration of its own, can be a
//! value. They are no well-formed XML, and the codec's parser refuses them; programs must get them back all the same.

use linkstream_memory::{self as memory, Short};

/// XML declaration at the beginning of each document.
pub const DECLARATION: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// A document that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// Offset in the document.
    pub at: usize,
    /// A sentence.
    pub message: String,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document<'t> {
    /// Name of the root.
    pub root: &'t [u8],
    /// Names and values of the elements in order. White space around values is removed.
    pub elements: Vec<(&'t [u8], &'t [u8])>,
}

/// Reads a document. Ignored are text before the first tag, text between elements, attributes, comments, and the XML
/// declaration. All end tags must be there.
///
/// # Errors
/// The text is no document, or it is truncated.
pub fn parse(text: &[u8]) -> Result<Document<'_>, Malformed> {
    let mut cursor = Cursor { text, at: 0 };
    let root = loop {
        match cursor.next_tag()? {
            None => return Err(cursor.malformed("there is no element")),
            Some(Tag::Start { name, is_empty: false }) => break name,
            Some(Tag::Start { name, is_empty: true }) => {
                return cursor.end(Document { root: name, elements: Vec::new() });
            }
            Some(Tag::End { .. }) => return Err(cursor.malformed("the document begins with an end tag")),
            Some(Tag::Other) => {}
        }
    };
    let mut elements = Vec::new();
    loop {
        match cursor.next_tag()? {
            None => {
                return Err(cursor.malformed("the document is truncated: the end tag of its root is missing"));
            }
            Some(Tag::Start { name, is_empty: true }) => {
                memory::unwinding::push(&mut elements, (name, &b""[..]))
            }
            Some(Tag::Start { name, is_empty: false }) => {
                memory::unwinding::push(&mut elements, (name, cursor.value(name)?))
            }
            Some(Tag::End { name }) if name == root => return cursor.end(Document { root, elements }),
            Some(Tag::End { name }) => {
                let name = String::from_utf8_lossy(name);
                return Err(cursor.malformed(format!("the end tag </{name}> has no start tag")));
            }
            Some(Tag::Other) => {}
        }
    }
}

enum Tag<'t> {
    Start {
        name: &'t [u8],
        is_empty: bool,
    },
    End {
        name: &'t [u8],
    },
    /// A comment or a declaration.
    Other,
}

#[derive(Clone, Copy)]
struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    fn malformed(&self, message: impl Into<String>) -> Malformed {
        Malformed { at: self.at, message: message.into() }
    }

    /// Goes past the next tag; `None` if there is none.
    fn next_tag(&mut self) -> Result<Option<Tag<'t>>, Malformed> {
        let Some(begin) = self.rest().iter().position(|byte| *byte == b'<') else { return Ok(None) };
        self.at += begin;
        let rest = self.rest();
        for (opening, closing) in [(&b"<!--"[..], &b"-->"[..]), (b"<!", b">"), (b"<?", b"?>")] {
            if let Some(inner) = rest.strip_prefix(opening) {
                let length = find(inner, closing).ok_or_else(|| self.malformed("a tag is truncated"))?;
                self.at += opening.len() + length + closing.len();
                return Ok(Some(Tag::Other));
            }
        }
        // A > in an attribute does not end the tag.
        let mut quote = None;
        let end = rest.iter().position(|byte| {
            match (quote, byte) {
                (None, b'>') => return true,
                (None, b'"' | b'\'') => quote = Some(*byte),
                (Some(open), byte) if open == *byte => quote = None,
                _ => {}
            }
            false
        });
        let end = end.ok_or_else(|| self.malformed("a tag is truncated"))?;
        let inner = &rest[1..end];
        let (inner, is_end) = inner.strip_prefix(b"/").map_or((inner, false), |inner| (inner, true));
        let name = inner.split(|byte| is_space(*byte) || *byte == b'/').next().unwrap_or_default();
        if name.is_empty() {
            return Err(self.malformed("a tag has no name"));
        }
        let tag = match is_end {
            true => Tag::End { name },
            false => Tag::Start { name, is_empty: inner.ends_with(b"/") },
        };
        self.at += end + 1;
        Ok(Some(tag))
    }

    /// The value of an element up to its end tag. Elements of the same name inside it belong to the value; all else
    /// that looks like a tag is text.
    fn value(&mut self, name: &[u8]) -> Result<&'t [u8], Malformed> {
        let begin = self.at;
        let mut depth = 1_usize;
        while let Some(next) = self.rest().iter().position(|byte| *byte == b'<') {
            self.at += next;
            let end = self.at;
            let is_end = self.rest().starts_with(b"</");
            let after = self.rest()[if is_end { 2 } else { 1 }..].strip_prefix(name);
            let is_tag = after.is_some_and(|after| match after.first() {
                Some(byte) => is_space(*byte) || *byte == b'>' || (*byte == b'/' && !is_end),
                None => false,
            });
            if !is_tag {
                self.at += 1;
                continue;
            }
            match self.next_tag()? {
                Some(Tag::Start { is_empty: false, .. }) => depth += 1,
                Some(Tag::End { .. }) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(self.text[begin..end].trim_ascii());
            }
        }
        self.at = begin;
        let name = String::from_utf8_lossy(name);
        Err(self.malformed(format!("the document is truncated: the end tag of <{name}> is missing")))
    }

    /// Nothing but white space and comments may follow.
    fn end(mut self, document: Document<'t>) -> Result<Document<'t>, Malformed> {
        loop {
            let rest = self.rest();
            let spaces = rest.iter().position(|byte| !is_space(*byte)).unwrap_or(rest.len());
            self.at += spaces;
            match (self.rest().starts_with(b"<!--"), self.rest().is_empty()) {
                (_, true) => return Ok(document),
                (true, _) => _ = self.next_tag()?,
                _ => return Err(self.malformed("something follows the end of the document")),
            }
        }
    }
}

/// Writes a document as QIO does: on one line, without zero byte.
///
/// # Errors
/// There is not enough memory.
pub fn write<'v>(
    root: &str,
    elements: impl Iterator<Item = (&'static str, &'v [u8])>,
) -> Result<Vec<u8>, Short> {
    let mut text = DECLARATION.to_vec();
    memory::extend(&mut text, format!("<{root}>").as_bytes())?;
    for (name, value) in elements {
        memory::extend(&mut text, format!("<{name}>").as_bytes())?;
        memory::extend(&mut text, value)?;
        memory::extend(&mut text, format!("</{name}>").as_bytes())?;
    }
    memory::extend(&mut text, format!("</{root}>").as_bytes())?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(text: &str) -> Vec<(String, String)> {
        let text_of = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let document = parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        document.elements.into_iter().map(|(name, value)| (text_of(name), text_of(value))).collect()
    }

    #[test]
    fn values_are_texts_as_they_are() {
        for (text, value) in [
            ("<r><a>x</a></r>", "x"),
            (
                "\u{feff}<?xml version=\"1.0\"?>\n<r x='>'>\n <a y=\">\">\n x \n</a >\n</r>\n<!-- end -->\n",
                "x",
            ),
            ("<r><!-- </a> --><a/></r>", ""),
            ("<r><a /></r>", ""),
            ("<r><a>a & b < c</a></r>", "a & b < c"),
            ("<r><a><k>1</k></a></r>", "<k>1</k>"),
            ("<r><a><?xml version=\"1.0\"?><t>1</t></a></r>", "<?xml version=\"1.0\"?><t>1</t>"),
            ("<r><a>1<a>2</a><a/>3</a></r>", "1<a>2</a><a/>3"),
            ("<r><a>1<ab>2</a></r>", "1<ab>2"),
        ] {
            assert_eq!(elements(text), [("a".to_owned(), value.to_owned())], "{text}");
        }
        assert_eq!(elements("<r/>"), []);
        assert_eq!(elements("<r><a>1</a>text<b>2</b></r>").len(), 2);
    }

    #[test]
    fn every_cut_is_noticed() {
        let text = write("r", [("a", &b"1<k>2</k>"[..]), ("b", b"")].into_iter()).unwrap();
        assert_eq!(text, b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><r><a>1<k>2</k></a><b></b></r>");
        assert!(parse(&text).is_ok());
        for length in 0..text.len() {
            assert!(parse(&text[..length]).is_err(), "{length}");
        }
        for bad in ["", "text", "</r>", "<r></a></r>", "<r></r>x", "<r></r><r></r>", "< r></r>", "<r><a></r>"]
        {
            assert!(parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
