//! The namespace of a document's elements: as much of it as a document needs whose elements all are of one
//! (ILDG 1.2, appendix A.1: its target namespace, and elements that are qualified).
//!
//! Declarations count on the root element, as default and with one prefix. Those on other elements are not
//! looked at.

use super::error::ErrorKind;
use super::parser::Name;
use crate::state::saved;

/// The target namespace of the schema.
const TARGET: &[u8] = b"http://www.lqcd.org/ildg";

/// Longest prefix that is understood.
const MAX_PREFIX: usize = 12;

/// `matched` of a value that is not the target.
const ANOTHER: u8 = u8::MAX;

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
pub(super) struct Namespaces {
    default: Default,
    /// A prefix that stands for the target; zeros behind it.
    prefix: [u8; MAX_PREFIX],
    /// Bytes of the target that the present value has begun with.
    matched: u8,
    /// The attribute's name is complete.
    named: bool,
}

saved!(struct Namespaces { default, prefix, matched, named });

impl Namespaces {
    pub(super) const fn new() -> Self {
        Self { default: Default::None, prefix: [0; MAX_PREFIX], matched: 0, named: true }
    }

    /// A byte of the root's start tag, behind its name and outside of quotes. `name` becomes that of the
    /// attribute.
    pub(super) fn attribute(&mut self, byte: u8, name: &mut Name) {
        match byte {
            b'"' | b'\'' => self.matched = 0,
            b'=' => self.named = true,
            _ if byte.is_ascii_whitespace() => self.named = true,
            _ => {
                if self.named {
                    *name = Name::new();
                }
                self.named = false;
                name.push(byte);
            }
        }
    }

    /// A byte of the attribute's value.
    pub(super) fn value(&mut self, byte: u8) {
        let goes_on = TARGET.get(usize::from(self.matched)) == Some(&byte);
        self.matched = if goes_on { self.matched.saturating_add(1) } else { ANOTHER };
    }

    /// The attribute `name` of the element `root` is complete.
    pub(super) fn declare(&mut self, name: &Name, root: &Name) {
        let is_target = usize::from(self.matched) == TARGET.len();
        match name.whole() {
            Some(b"xmlns") => self.default = if is_target { Default::Target } else { Default::Another },
            Some([b'x', b'm', b'l', b'n', b's', b':', prefix @ ..]) if is_target => {
                // One is kept: the root's own, if it has one.
                let wanted = root.whole().and_then(prefix_of).is_none_or(|of_root| of_root == prefix);
                if wanted && prefix.len() <= MAX_PREFIX {
                    self.prefix = [0; MAX_PREFIX];
                    for (to, from) in self.prefix.iter_mut().zip(prefix) {
                        *to = *from;
                    }
                }
            }
            _ => {}
        }
    }

    /// What is wrong with the namespace of the root element, whose start tag is complete.
    pub(super) fn check_root(&self, root: &Name, expected: &'static str) -> Result<(), ErrorKind> {
        match (root.whole().and_then(prefix_of), self.default) {
            (Some(prefix), _) if self.is_target(prefix) => Ok(()),
            (Some(_), _) => Err(ErrorKind::WrongRoot { expected }),
            (None, Default::Target) => Ok(()),
            (None, Default::None) => Err(ErrorKind::NamespaceMissing),
            (None, Default::Another) => Err(ErrorKind::NamespaceOther),
        }
    }

    /// The name of an element without its prefix; `None` if that stands for another namespace.
    pub(super) fn local<'n>(&self, name: &'n [u8]) -> Option<&'n [u8]> {
        match prefix_of(name) {
            None => Some(name),
            Some(prefix) if self.is_target(prefix) => local_of(name),
            Some(_) => None,
        }
    }

    /// Whether a name without prefix is outside of the target namespace although the root is in it.
    pub(super) fn leaves_out(&self, name: &Name, root: &Name) -> bool {
        let has_prefix = |name: &Name| name.whole().and_then(prefix_of).is_some();
        has_prefix(root) && !has_prefix(name) && self.default != Default::Target
    }

    fn is_target(&self, prefix: &[u8]) -> bool {
        let kept = self.prefix.split(|byte| *byte == 0).next();
        !prefix.is_empty() && kept == Some(prefix)
    }
}

/// The prefix of a name that has a colon.
fn prefix_of(name: &[u8]) -> Option<&[u8]> {
    let mut parts = name.splitn(2, |byte| *byte == b':');
    let first = parts.next();
    parts.next().and(first)
}

/// What stands behind the first colon.
pub(super) fn local_of(name: &[u8]) -> Option<&[u8]> {
    name.splitn(2, |byte| *byte == b':').nth(1)
}
