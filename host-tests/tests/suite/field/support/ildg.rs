//! Files with ILDG content whose documents and records can be made wrong in any way.

use super::build::Part;

/// The lattice of these files: two directions with links, four sites.
pub const LATTICE: [u32; 4] = [2, 1, 1, 2];

/// A document of version 1.2 with these lines in its root element.
pub fn document(root: &str, lines: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"http://www.lqcd.org/ildg\">\n{lines}</{root}>\n"
    )
}

/// The elements of a field on [`LATTICE`].
pub fn elements(kind: &str) -> String {
    elements_on(kind, LATTICE)
}

pub fn elements_on(kind: &str, [lx, ly, lz, lt]: [u32; 4]) -> String {
    format!(
        "<version>1.2</version><field>{kind}</field><precision>32</precision>\
         <lx>{lx}</lx><ly>{ly}</ly><lz>{lz}</lz><lt>{lt}</lt>"
    )
}

pub fn format(kind: &str) -> Part {
    ("ildg-format", document("ildgFormat", &elements(kind)).into_bytes())
}

pub fn format_of(text: &str) -> Part {
    ("ildg-format", text.as_bytes().to_vec())
}

/// Data of a field of this kind on [`LATTICE`], without absent links.
pub fn data(kind: &str) -> Part {
    let numbers = match kind {
        "u1phase" => 1,
        "u1gauge" => 2,
        "so2gauge" => 4,
        "su2gauge" => 8,
        other => panic!("{other}"),
    };
    let bytes = (0..4 * 2 * numbers * 4_u32).map(|i| (i as u8).wrapping_mul(31) | 1);
    ("ildg-binary-data", bytes.collect())
}

pub fn update(text: &str) -> Part {
    ("ildg-update", text.into())
}

pub fn lfn(text: &str) -> Part {
    ("ildg-data-lfn", text.into())
}

/// A place in such a file. Messages and records are counted from 0.
#[derive(Debug, Clone, Copy)]
pub enum At {
    Record(usize, usize),
    Payload(usize, usize),
    /// The end of the payload.
    End(usize, usize),
    /// The first occurrence of this text in the payload.
    Text(usize, usize, &'static str),
    /// The last occurrence.
    Last(usize, usize, &'static str),
}

impl At {
    pub fn offset(self, messages: &[Vec<Part>]) -> u64 {
        let (Self::Record(message, record)
        | Self::Payload(message, record)
        | Self::End(message, record)
        | Self::Text(message, record, _)
        | Self::Last(message, record, _)) = self;
        let before = messages[..message].iter().flatten().chain(&messages[message][..record]);
        let header: u64 = before.map(|(_, payload)| 144 + payload.len().next_multiple_of(8) as u64).sum();
        let payload = String::from_utf8_lossy(&messages[message][record].1);
        header
            + match self {
                Self::Record(..) => 0,
                Self::Payload(..) => 144,
                Self::End(..) => 144 + payload.len() as u64,
                Self::Text(_, _, text) => 144 + payload.find(text).expect("it is present") as u64,
                Self::Last(_, _, text) => 144 + payload.rfind(text).expect("it is present") as u64,
            }
    }
}

/// A valid file: one field and its name.
pub fn good() -> Vec<Vec<Part>> {
    vec![vec![format("u1phase"), data("u1phase")], vec![lfn("lfn://a")]]
}
