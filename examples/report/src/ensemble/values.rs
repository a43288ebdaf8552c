//! Values in the texts of a file: elements and attributes of XML, and lines `KEY = VALUE`.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

/// Maximum number of keys of a file, and maximum length of a value.
const MOST_KEYS: usize = 200;
const LONGEST: usize = 1000;

/// A path to a value of XML: names of elements separated by `/`, beginning anywhere, or at the root if the
/// path begins with `/`. The last part may be an attribute, `@name`. Namespaces do not matter.
pub fn by_path(text: &str, path: &str) -> Option<String> {
    let from_root = path.starts_with('/');
    let mut parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let attribute = parts.last().and_then(|last| last.strip_prefix('@'));
    if attribute.is_some() {
        parts.pop();
    }
    // Most texts do not have the names, and parsing takes long.
    if !parts.iter().chain(&attribute).all(|name| text.contains(name)) {
        return None;
    }
    let document = Document::parse(text.trim()).ok()?;
    let matches = |node: &Node<'_, '_>| {
        let mut here = Some(*node);
        for part in parts.iter().rev() {
            match here.filter(Node::is_element) {
                Some(element) if element.tag_name().name() == *part => here = element.parent_element(),
                _ => return false,
            }
        }
        !from_root || here.is_none()
    };
    let mut found = document.descendants().filter(Node::is_element).filter(matches);
    found.find_map(|element| match attribute {
        Some(name) => {
            element.attributes().find(|attribute| attribute.name() == name).map(|a| kept(a.value()))
        }
        None => {
            let words: Vec<&str> = element.text()?.split_whitespace().collect();
            (!words.is_empty()).then(|| kept(&words.join(" ")))
        }
    })
}

/// Adds the keys of a text with lines `KEY = VALUE`, or with several of them on a line, separated by commas. Of an XML
/// document, the texts of its elements are such texts. The first value of a key counts.
pub fn keys(text: &str, keys: &mut BTreeMap<String, String>) {
    if text.trim_start().starts_with('<') {
        // Most documents have such a sign in attributes only, and parsing takes long.
        let may_be = |text: &str| text.split('<').next().is_some_and(|text| text.contains(['=', '&']));
        if !text.split('>').any(may_be) && !text.contains("<![CDATA[") {
            return;
        }
        let Ok(document) = Document::parse(text.trim()) else { return };
        for text in document.descendants().filter(Node::is_text).filter_map(|node| node.text()) {
            lines(text, keys);
        }
    } else {
        lines(text, keys);
    }
}

fn lines(text: &str, keys: &mut BTreeMap<String, String>) {
    for pair in text.split(['\n', ',']) {
        let Some((key, value)) = pair.split_once('=') else { continue };
        add(key, value, keys);
    }
}

/// Adds a key of a header.
pub fn add(key: &str, value: &str, keys: &mut BTreeMap<String, String>) {
    let (key, value) = (key.trim(), value.trim());
    let is_key = (1..=60).contains(&key.len()) && !key.chars().any(char::is_control);
    if is_key && !value.is_empty() && keys.len() < MOST_KEYS && !keys.contains_key(key) {
        keys.insert(key.to_owned(), kept(value));
    }
}

fn kept(value: &str) -> String {
    value.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_path() {
        let text = "<?xml version=\"1.0\"?><a xmlns='urn:x'><b c='1'> 6.3 </b><d><b> 5\n7 </b></d><e/></a>";
        let of = |path| by_path(text, path);
        assert_eq!(of("b").as_deref(), Some("6.3"));
        assert_eq!(of("d/b").as_deref(), Some("5 7"));
        assert_eq!(of("/a/b").as_deref(), Some("6.3"));
        assert_eq!(of("b/@c").as_deref(), Some("1"));
        for absent in ["/b", "c", "e", "a/@c", "", "/", "a//b", "@"] {
            assert_eq!(of(absent), None, "{absent}");
        }
        assert_eq!(by_path("no xml", "b"), None);
    }

    #[test]
    fn keys_are_found_in_lines_and_in_elements() {
        let mut found = BTreeMap::new();
        keys("plaquette = 0.5\nbeta = 5.7, kappa = 0.1\n = 3\nempty =\nbeta = 9", &mut found);
        keys("<usqcdInfo><info>ENSEMBLE_ID = x y\nA=1</info></usqcdInfo>", &mut found);
        keys("<a><![CDATA[B=2]]><b c='1'>1 > 0, C=3 > 2</b>D&#61;4<e>E=5</e></a>", &mut found);
        keys("<a F='6'><b G=\"7\"/>8</a>", &mut found);
        let found: Vec<_> = found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let expected = [
            ("A", "1"),
            ("B", "2"),
            ("C", "3 > 2"),
            ("D", "4"),
            ("E", "5"),
            ("ENSEMBLE_ID", "x y"),
            ("beta", "5.7"),
            ("kappa", "0.1"),
            ("plaquette", "0.5"),
        ];
        assert_eq!(found, expected);
    }
}
