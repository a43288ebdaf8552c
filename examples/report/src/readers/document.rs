//! Properties of an XML document that matter to programs that do not parse XML according to its specification.

use roxmltree::{Document, Node};

/// Properties of the text in a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text<'t> {
    text: &'t str,
    /// True if the payload ends in a NUL, as QIO writes it.
    pub ends_in_nul: bool,
}

impl<'t> Text<'t> {
    /// The text of a payload. If it is not UTF-8, it is not XML either.
    pub fn of(payload: &'t [u8]) -> Self {
        let end = payload.iter().position(|byte| *byte == 0).unwrap_or(payload.len());
        Self {
            text: std::str::from_utf8(payload.get(..end).unwrap_or(payload)).unwrap_or_default(),
            ends_in_nul: end < payload.len(),
        }
    }

    /// True if nothing but a byte order mark precedes the XML declaration or the root: parsers refuse white space
    /// before `<?xml`.
    pub fn begins_with_markup(&self) -> bool {
        self.text.strip_prefix('\u{feff}').unwrap_or(self.text).starts_with('<')
    }

    /// True if the document contains `text` literally.
    pub fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// True if a piece between line feeds or commas has two equals signs.
    pub fn has_two_equals_signs(&self) -> bool {
        self.text.split(['\n', ',']).any(|piece| piece.matches('=').nth(1).is_some())
    }

    /// The document, if it is well-formed without the white space at its beginning.
    pub fn parse(&self) -> Option<Document<'t>> {
        Document::parse(self.text.trim_start()).ok()
    }

    pub fn is_well_formed(&self) -> bool {
        self.parse().is_some()
    }

    /// True if the names of the root and of its children have no prefix.
    pub fn has_no_prefix(&self) -> bool {
        let has_prefix = |node: Node<'_, '_>| {
            let text = &node.document().input_text()[node.range()];
            let name = text.trim_start_matches('<').split([' ', '>', '/', '\t', '\n', '\r']).next();
            name.is_some_and(|name| name.contains(':'))
        };
        self.parse().is_none_or(|document| {
            let root = document.root_element();
            !has_prefix(root) && !root.children().filter(Node::is_element).any(has_prefix)
        })
    }

    /// Namespace of the root.
    pub fn namespace(&self) -> Option<String> {
        Some(self.parse()?.root_element().tag_name().namespace()?.to_owned())
    }

    /// Text of the first element with this name, at any depth, including its white space. `None` if there is none.
    pub fn value(&self, name: &str) -> Option<String> {
        let document = self.parse()?;
        let element = document.descendants().find(|node| node.tag_name().name() == name)?;
        Some(element.children().filter(Node::is_text).filter_map(|text| text.text()).collect())
    }

    /// True if a child of the root has no text, or has child elements.
    pub fn has_empty_or_nested_element(&self) -> bool {
        self.parse().is_some_and(|document| {
            let mut children = document.root_element().children().filter(Node::is_element);
            children.any(|child| {
                child.children().any(|inner| inner.is_element())
                    || child.text().is_none_or(|text| text.trim().is_empty())
            })
        })
    }

    /// True if each of these elements is written exactly as `<name>value</name>`, without attributes or white space.
    pub fn has_plain(&self, names: &[&str]) -> bool {
        names.iter().all(|name| {
            let plain = |value: String| self.has(&format!("<{name}>{}</{name}>", value.trim()));
            self.value(name).is_some_and(plain)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_prefixes() {
        assert!(Text::of(b"<a xmlns='urn:a'><b>1</b></a>").has_no_prefix());
        assert!(!Text::of(b"<p:a xmlns:p='urn:a'><p:b>1</p:b></p:a>").has_no_prefix());
        assert_eq!(Text::of(b"<p:a xmlns:p='urn:a'/>").namespace().as_deref(), Some("urn:a"));
        assert_eq!(Text::of(b"<a/>").namespace(), None);
    }

    #[test]
    fn ends_and_beginnings() {
        assert!(Text::of(b"<a/>\0").ends_in_nul);
        assert!(!Text::of(b"<a/>").ends_in_nul);
        let late = Text::of(b"\n<?xml version='1.0'?><a/>");
        assert!(!late.begins_with_markup() && late.is_well_formed());
        // lyncs_io was observed to read this.
        assert!(Text::of(b"\xef\xbb\xbf<?xml version='1.0'?><a/>").begins_with_markup());
        assert!(!Text::of(b"\xef\xbb\xbf\n<?xml version='1.0'?><a/>").begins_with_markup());
        assert!(!Text::of(b"<a>").is_well_formed());
        assert!(!Text::of(&[0xff]).is_well_formed());
    }

    #[test]
    fn values_as_they_are() {
        let text = Text::of(b"<f><lx> 4 </lx><ly a='1'>5</ly><lz>6</lz><e/></f>");
        assert_eq!(text.value("lx").as_deref(), Some(" 4 "));
        assert_eq!(text.value("lt"), None);
        assert!(text.has_plain(&["lz"]));
        assert!(!text.has_plain(&["lx"]) && !text.has_plain(&["ly"]) && !text.has_plain(&["lt"]));
        assert!(text.has_empty_or_nested_element());
        assert!(!Text::of(b"<f><lz>6</lz></f>").has_empty_or_nested_element());
    }
}
