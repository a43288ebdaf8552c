//! Compares documents element by element, and other texts line by line.

use std::collections::{BTreeMap, HashMap};

use roxmltree::{Document as Xml, Node};

use super::changes::{Change, Changes};

/// Maximum depth of nested elements. No lattice-QCD document is deeper; one that is deeper is compared as text.
const DEEPEST: usize = 64;

/// The differences between two documents. XML is compared by elements, attributes and their texts, ignoring white space
/// and comments; other texts are compared by lines. `None` if they are not both text.
pub fn compare(a: &[u8], b: &[u8]) -> Option<Changes> {
    let (a, b) = (text(a)?, text(b)?);
    let mut changes = Changes::default();
    match (values(a), values(b)) {
        (Some(a), Some(b)) => pair(&a, &b, &mut changes),
        _ => lines(a, b, &mut changes),
    }
    Some(changes)
}

/// The text before the first NUL. Bytes after it have no meaning.
fn text(payload: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(payload.split(|byte| *byte == 0).next()?).ok()?;
    let is_text = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    text.chars().all(is_text).then_some(text)
}

/// Paths and texts of all elements and attributes, in the order of the document; `None` if it is not XML.
fn values(text: &str) -> Option<Vec<(String, String)>> {
    let document = Xml::parse(text.trim()).ok()?;
    let root = document.root_element();
    let mut values = Vec::new();
    collect(root, format!("/{}", root.tag_name().name()), 1, &mut values)?;
    Some(values)
}

fn collect(
    element: Node<'_, '_>,
    path: String,
    depth: usize,
    values: &mut Vec<(String, String)>,
) -> Option<()> {
    if depth > DEEPEST {
        return None;
    }
    let texts = element.children().filter(Node::is_text).filter_map(|node| node.text());
    let words = texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    values.push((path.clone(), words));
    for attribute in element.attributes() {
        values.push((format!("{path}/@{}", attribute.name()), attribute.value().to_owned()));
    }
    let children = || element.children().filter(Node::is_element);
    let mut alike = HashMap::<_, usize>::new();
    for child in children() {
        let count = alike.entry(child.tag_name().name()).or_default();
        *count = count.saturating_add(1);
    }
    let mut seen = HashMap::<_, usize>::new();
    for child in children() {
        let name = child.tag_name().name();
        let number = seen.entry(name).or_default();
        *number = number.saturating_add(1);
        // Only elements with siblings of the same name are numbered.
        let number = if alike.get(name).is_some_and(|count| *count > 1) {
            format!("[{number}]")
        } else {
            String::new()
        };
        collect(child, format!("{path}/{name}{number}"), depth.saturating_add(1), values)?;
    }
    Some(())
}

fn pair(a: &[(String, String)], b: &[(String, String)], changes: &mut Changes) {
    let here: HashMap<_, _> = a.iter().map(|(path, text)| (path, text)).collect();
    let there: HashMap<_, _> = b.iter().map(|(path, text)| (path, text)).collect();
    for (path, text) in a {
        let other = there.get(path).copied();
        if other != Some(text) {
            changes.push(Change { path: path.clone(), a: Some(text.clone()), b: other.cloned() });
        }
    }
    for (path, text) in b.iter().filter(|(path, _)| !here.contains_key(path)) {
        changes.push(Change { path: path.clone(), a: None, b: Some(text.clone()) });
    }
}

/// Compares lines with the same number, without the white space at their ends.
fn lines(a: &str, b: &str, changes: &mut Changes) {
    let numbered = |text: &str| -> BTreeMap<usize, String> {
        (1..).zip(text.trim_end().lines().map(|line| line.trim_end().to_owned())).collect()
    };
    let (a, b) = (numbered(a), numbered(b));
    for number in 1..=a.len().max(b.len()) {
        let (a, b) = (a.get(&number), b.get(&number));
        if a != b {
            changes.push(Change { path: format!("line {number}"), a: a.cloned(), b: b.cloned() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(a: &str, b: &str) -> Vec<(String, Option<String>, Option<String>)> {
        let changes = compare(a.as_bytes(), b.as_bytes()).expect("both are text");
        changes.as_slice().iter().map(|c| (c.path.clone(), c.a.clone(), c.b.clone())).collect()
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn elements_are_compared_by_their_paths() {
        let a = "<?xml version=\"1.0\"?><r><date>Mon</date><n>1</n><n>2</n><old/></r>";
        let b = "<r v=\"7\"> <date>\n Tue </date><n>1</n><n>3</n><!-- new --></r>\0";
        assert_eq!(
            found(a, b),
            [
                ("/r/date".to_owned(), some("Mon"), some("Tue")),
                ("/r/n[2]".to_owned(), some("2"), some("3")),
                ("/r/old".to_owned(), some(""), None),
                ("/r/@v".to_owned(), None, some("7")),
            ]
        );
        // White space, the declaration, and bytes after a NUL do not matter.
        assert_eq!(found("<a><b>1  2</b></a>", "<?xml version='1.0'?>\n<a>\n  <b> 1 2\n</b></a>\0 x"), []);
    }

    #[test]
    fn other_texts_are_compared_by_lines() {
        let changes = found("plaquette = 0.5\nbeta = 6\n", "plaquette = 0.6 \nbeta = 6\r\nnew");
        assert_eq!(changes.len(), 2);
        assert_eq!(changes[0], ("line 1".to_owned(), some("plaquette = 0.5"), some("plaquette = 0.6")));
        assert_eq!(changes[1], ("line 3".to_owned(), None, some("new")));
        // A document that is not well-formed is compared as text.
        assert_eq!(found("<a>1</a>", "<a>1").len(), 1);
    }

    #[test]
    fn what_is_no_text_is_not_compared_here() {
        assert_eq!(compare(b"\x01\x02", b"a"), None);
        assert_eq!(compare(b"a", b"\xff\xfe"), None);
    }

    #[test]
    fn neither_deep_nor_many_elements_fill_the_memory() {
        let deep = format!("{}{}", "<a>".repeat(900), "</a>".repeat(900));
        assert_eq!(found(&deep, &format!("{deep}\n")), []);
        let many = |n: usize| format!("<r>{}</r>", "<n>1</n>".repeat(n));
        let changes = compare(many(300).as_bytes(), many(2).as_bytes()).expect("both are text");
        assert_eq!((changes.as_slice().len(), changes.left_out()), (Changes::MAX, 198));
    }
}
