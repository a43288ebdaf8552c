//! The namespace of a document's elements: as much of it as a document needs whose elements all are of one
//! (ILDG 1.2, appendix A.1: its target namespace, and elements that are qualified).
//!
//! Declarations count on the root element, as default and with one prefix. Those on other elements are not
//! looked at.

use super::error::Found;
use crate::state::saved;

/// The target namespace of the schema.
const TARGET: &[u8] = b"http://www.lqcd.org/ildg";

/// Longest prefix that is understood.
const MAX_PREFIX: usize = 12;

/// `matched` of a value that is not the target.
const ANOTHER: u8 = u8::MAX;

/// Which names of a document are in the namespace of its schema, and whether what reading does not depend on is
/// looked for.
pub(crate) trait Scope {
    /// Whether order, unknown elements and the place of the declaration are judged.
    const JUDGES: bool;

    /// A byte of the root's start tag, after its name and outside of quotes. `name` becomes that of the
    /// attribute.
    fn attribute(&mut self, byte: u8, name: &mut Name);

    /// A byte of an attribute's value.
    fn value(&mut self, byte: u8);

    /// The attribute `name` of the element `root` is complete.
    fn declare(&mut self, name: &Name, root: &Name);

    /// What is wrong with the namespace of the root element, whose start tag is complete.
    fn check_root(&self, root: &Name) -> Found;

    /// Whether an element with this prefix (with its colon) is in the namespace.
    fn includes(&self, prefix: &[u8], root: &Name) -> bool;

    /// Whether a name without prefix is outside of the namespace although the root is in it.
    fn leaves_out(&self, name: &Name, root: &Name) -> bool;
}

/// The namespace of names without a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Default {
    None,
    Target,
    Another,
}

saved!(enum Default: None, Target, Another);

/// What the root element has declared.
#[derive(Debug, Clone)]
pub(crate) struct Namespaces {
    /// The schema has a namespace; otherwise none is looked for.
    wanted: bool,
    default: Default,
    /// A prefix that is declared as the target; zeros after it.
    prefix: [u8; MAX_PREFIX],
    /// Bytes of the target that the current value has begun with.
    matched: u8,
    /// The attribute's name is complete.
    named: bool,
}

saved!(struct Namespaces { wanted, default, prefix, matched, named });

impl Namespaces {
    /// For a document of a schema with a namespace, or without.
    pub(crate) const fn new(wanted: bool) -> Self {
        Self { wanted, default: Default::None, prefix: [0; MAX_PREFIX], matched: 0, named: true }
    }

    /// Whether this prefix, with its colon, is declared as the target.
    fn is_target(&self, prefix: &[u8]) -> bool {
        let Some((b':', prefix)) = prefix.split_last() else { return false };
        let kept = self.prefix.split(|byte| *byte == 0).next();
        !prefix.is_empty() && kept == Some(prefix)
    }
}

impl Scope for Namespaces {
    const JUDGES: bool = true;

    fn attribute(&mut self, byte: u8, name: &mut Name) {
        match byte {
            b'"' | b'\'' => self.matched = 0,
            b'=' => self.named = true,
            _ if byte.is_ascii_whitespace() => self.named = true,
            _ => {
                if self.named {
                    *name = Name::EMPTY;
                }
                self.named = false;
                name.push(byte);
            }
        }
    }

    fn value(&mut self, byte: u8) {
        let continues = TARGET.get(usize::from(self.matched)) == Some(&byte);
        self.matched = if continues { self.matched.saturating_add(1) } else { ANOTHER };
    }

    fn declare(&mut self, name: &Name, root: &Name) {
        let is_target = usize::from(self.matched) == TARGET.len();
        match name.parts() {
            (b"", b"xmlns") => self.default = if is_target { Default::Target } else { Default::Another },
            (b"xmlns:", prefix) if is_target => {
                // One is kept: the root's own, if it has one.
                let of_root = root.parts().0.split_last();
                let room = self.prefix.get_mut(..prefix.len());
                if let (true, Some(room)) = (of_root.is_none_or(|(_, of_root)| of_root == prefix), room) {
                    room.copy_from_slice(prefix);
                    let rest = self.prefix.iter_mut().skip(prefix.len());
                    rest.for_each(|byte| *byte = 0);
                }
            }
            _ => {}
        }
    }

    fn check_root(&self, root: &Name) -> Found {
        if !self.wanted {
            return Found::Nothing;
        }
        match (root.parts().0, self.default) {
            (b"", Default::Target) => Found::Nothing,
            (b"", Default::None) => Found::NamespaceMissing,
            (b"", Default::Another) => Found::NamespaceOther,
            (prefix, _) if self.is_target(prefix) => Found::Nothing,
            _ => Found::WrongRoot,
        }
    }

    fn includes(&self, prefix: &[u8], _: &Name) -> bool {
        self.is_target(prefix)
    }

    fn leaves_out(&self, name: &Name, root: &Name) -> bool {
        let has_prefix = |name: &Name| !name.parts().0.is_empty();
        self.wanted && has_prefix(root) && !has_prefix(name) && self.default != Default::Target
    }
}

/// The same for reading alone: which elements count, and no rule.
#[derive(Debug)]
pub(crate) struct Unjudged<'n>(pub(crate) &'n mut Namespaces);

impl Scope for Unjudged<'_> {
    const JUDGES: bool = false;

    fn attribute(&mut self, byte: u8, name: &mut Name) {
        self.0.attribute(byte, name);
    }

    fn value(&mut self, byte: u8) {
        self.0.value(byte);
    }

    fn declare(&mut self, name: &Name, root: &Name) {
        self.0.declare(name, root);
    }

    fn check_root(&self, root: &Name) -> Found {
        self.0.check_root(root)
    }

    fn includes(&self, prefix: &[u8], root: &Name) -> bool {
        self.0.includes(prefix, root)
    }

    fn leaves_out(&self, _: &Name, _: &Name) -> bool {
        false
    }
}

/// Longest name that is kept, with its prefix; longer ones are compared by their first bytes and their length,
/// which is counted up to 255.
const MAX_NAME: usize = 24;

/// A name, cut at [`MAX_NAME`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    /// Zeros after the name.
    bytes: [u8; MAX_NAME],
    length: u8,
}

saved!(struct Name { bytes, length });

impl Name {
    pub(super) const EMPTY: Self = Self { bytes: [0; MAX_NAME], length: 0 };

    pub(super) fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.length)) {
            *slot = byte;
        }
        // The names of a file have any length.
        self.length = self.length.saturating_add(1);
    }

    /// Its length in the file, up to 255.
    pub(super) const fn length(&self) -> u8 {
        self.length
    }

    /// Whether this byte is at this place, as far as that is kept.
    pub(super) fn has(&self, place: u8, byte: u8) -> bool {
        self.bytes.get(usize::from(place)).is_none_or(|kept| *kept == byte)
    }

    /// The name if all of it was kept; otherwise it is none that means something.
    pub(super) fn kept(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or(&[])
    }

    /// The prefix with its colon, and the rest. The prefix of a name without a colon is empty.
    pub(super) fn parts(&self) -> (&[u8], &[u8]) {
        let name = self.kept();
        let colon = name.iter().position(|byte| *byte == b':');
        let prefix = colon.map_or(0, |colon| colon.saturating_add(1));
        name.split_at_checked(prefix).unwrap_or((&[], name))
    }
}
