//! Reasons in a request why no file is written.

use linkstream::field::EncodeErrorKind;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Extents, Precision};
use linkstream::nersc;
use linkstream::scidac::Contradiction;
use linkstream::volume::MeshError;
use linkstream::xml;

use crate::array::labelled;
use crate::text::{bytes, counted, no_such, one_line};

/// A reason in the request: no file can have the requested form, or the request does not fit the input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// An `ildg-format`, or a number of rows, for data that are not links.
    #[error("it is not a gauge field")]
    NoGaugeField,
    /// No SciDAC record describes the data, and they cannot have an `ildg-format`, which could be written instead.
    #[error("it is not a gauge field, and no SciDAC record describes it")]
    Undescribed,
    /// SciDAC documents describe links with all rows.
    #[error("a SciDAC file without ildg-format cannot record that rows are omitted")]
    RowsUnrecorded,
    /// A title for data that `usqcdInfo` does not describe.
    #[error(
        "a title is for the usqcdInfo of a gauge field of SU(3) with SciDAC documents, and there is none"
    )]
    TitleWithoutLattice,
    /// A title for damaged data.
    #[error(
        "damaged data get no usqcdInfo, whose plaquette would look like proof of them, and therefore no title"
    )]
    TitleOfDamaged,
    /// A text that no document can have.
    #[error("XML cannot hold {0}")]
    NotXml(String),
    /// A title that makes the document longer than 1023 bytes.
    #[error("the title is too long: usqcdInfo has at most 1023 bytes (QIO 2.3, appendix A.1)")]
    LongTitle,
    /// An update number without an `ildg-format`.
    #[error("an update number requires an ildg-format")]
    UpdateWithoutFormat,
    /// Another kind of gauge field than the file states.
    #[error("the file says that the field is {described}, not {wished}")]
    KindDiffers {
        /// The kind in the file.
        described: GaugeKind,
        /// The requested kind.
        wished: GaugeKind,
    },
    /// No kind of ILDG 1.2 has this number of colors.
    #[error("there is no kind of gauge field with this number of colors")]
    NoKind,
    /// The matrices do not have the size of the requested kind.
    #[error("its matrices of {columns} x {columns} complex numbers are not {kind}")]
    OtherMatrices {
        /// Number of columns of the matrices.
        columns: u32,
        /// The requested kind.
        kind: GaugeKind,
    },
    /// A lattice without four dimensions.
    #[error("an ildg-format has four extents, but the lattice is {0}")]
    Dimensions(Extents),
    /// Rows should be left out in a file with links in directions with a single site.
    #[error(
        "only ILDG 1.2 can leave rows out, and it has no links in directions with a single site, which this file has"
    )]
    RowsOrLinks,
    /// Another number of rows than the kind allows.
    #[error("links of {kind} are stored with {}", allowed(*kind, *rows))]
    Rows {
        /// The kind of links.
        kind: GaugeKind,
        /// The requested number; `None`: fewer rows than all.
        rows: Option<u16>,
    },
    /// The format cannot state this number of rows.
    #[error("links of this kind cannot be stored with this number of rows")]
    RowsOfKind,
    /// Rows that would take too long to compute.
    #[error("rows of {kind} take too long to compute: {most} colors can be done")]
    RowsTooCostly {
        /// The kind of links.
        kind: GaugeKind,
        /// The largest number of colors.
        most: u16,
    },
    /// Sites that are too large to be changed.
    #[error("a site has {}; rows and links can be changed in at most {}", bytes(*size), bytes(*most))]
    LargeSite {
        /// Size of a site in bytes.
        size: u64,
        /// The largest size in bytes.
        most: u64,
    },
    /// Numbers of links that do not follow from one another.
    #[error("the {from} links of a site of {extents} cannot be converted to {to}")]
    Links {
        /// Number of sites in each direction.
        extents: Extents,
        /// Number of links at a site of the input.
        from: u32,
        /// Number of links at a site of the output.
        to: u32,
    },
    /// Items larger than 32 bits can state.
    #[error("its items would be larger than a SciDAC record can describe")]
    LargeItem,
    /// Links larger than 32 bits can state.
    #[error("a link of {0} is larger than a SciDAC document can describe")]
    LargeLink(GaugeKind),
    /// Items that do not consist of numbers of their precision.
    #[error("its items of {size} do not consist of numbers of {} bits", precision.bits())]
    Item {
        /// Size of an item in bytes.
        size: u32,
        /// The precision in the SciDAC record.
        precision: Precision,
    },
    /// A SciDAC record whose precision is neither single nor double.
    #[error("the SciDAC record has the precision {}, not F or D", one_line(.0))]
    Letter(String),
    /// The name of a type says that its numbers have another precision.
    #[error(
        "the type {} has numbers of the precision {named}, but the array has {letter}",
        one_line(datatype)
    )]
    OtherNumbers {
        /// The name of the type.
        datatype: String,
        /// The letter in it: `F`, `D`, `I` or `S`.
        named: &'static str,
        /// The letter of the array.
        letter: String,
    },
    /// The sites of a SciDAC record are not in the lattice.
    #[error(transparent)]
    Region(xml::ErrorKind),
    /// An array of another length.
    #[error("the array has {found} numbers, but its description demands {expected}")]
    Length {
        /// Number of real numbers in the array.
        found: u64,
        /// The right number.
        expected: u64,
    },
    /// An array with another number of links at each site.
    #[error("the array has {found} links at each site, but the file has {expected}{}", single_sites(*found, *expected))]
    LinksOfSite {
        /// Number of links in the array.
        found: u64,
        /// The right number.
        expected: u64,
    },
    /// The SciDAC record would contradict itself.
    #[error("{}", contradiction(.0))]
    Contradiction(#[from] Contradiction),
    /// A date that a SciDAC record cannot hold.
    #[error("a date has at most 64 bytes: {}", one_line(.0))]
    Date(String),
    /// An update number for several fields.
    #[error("an update number belongs to one field")]
    UpdateOfSeveral,
    /// A logical file name for a file without `ildg-format`.
    #[error("only ILDG files have a logical file name")]
    NameWithoutFormat,
    /// The codec refuses the logical file name.
    #[error(transparent)]
    Name(EncodeErrorKind),
    /// A logical file name that no catalogue can have.
    #[error("a logical file name is a URI like lfn://GROUP/ENSEMBLE/NAME")]
    NameNotUri,
    /// The file has no field of this number.
    #[error("{}", no_such("field", "fields", "the file", *count as u64, 0, number))]
    NoSuchRecord {
        /// The requested number, counted from 0.
        number: usize,
        /// Number of fields.
        count: usize,
    },
    /// The file has no data at all.
    #[error("there is no gauge field: the file has no data at all")]
    NoRecords,
    /// None of this number of fields can be written.
    #[error("there is no gauge field among {}", counted(*.0, "field", "fields"))]
    NoneWritable(usize),
    /// One field should be written, and there are several, with these numbers.
    #[error("there are {} fields", .0.len())]
    Several(Vec<usize>),
    /// Several fields of one kind without different update numbers (ILDG 1.2, section 2.2).
    #[error("several fields are {0}, and their update numbers do not distinguish them")]
    SameUpdates(GaugeKind),
    /// A file without gauge field as the source of an archive.
    #[error("there is no gauge field")]
    NoLinks,
    /// Data whose plaquette is unknown.
    #[error("there is no gauge field of SU(3) on four dimensions")]
    NotMeasured,
    /// Links that openQCD cannot have.
    #[error(
        "openQCD has four links of SU(3) in double precision at a site, on a lattice with four even extents"
    )]
    NotOpenQcd,
    /// Links that an archive cannot have.
    #[error("a NERSC archive has four links of SU(N) at a site")]
    NotFourLinks,
    /// Links without plaquette and link trace.
    #[error(
        "links contain numbers that are infinite or NaN: the header would have no plaquette or link trace"
    )]
    NoFigures,
    /// The header of the archive cannot state this.
    #[error(transparent)]
    Header(nersc::EncodeErrorKind),
    /// The lattice cannot be divided among these nodes and volumes.
    #[error("{}", indivisible(lattice, nodes, io, why))]
    Mesh {
        /// Number of sites in each direction.
        lattice: Extents,
        /// Number of nodes in each dimension.
        nodes: Vec<u32>,
        /// Number of volumes in each dimension.
        io: Vec<u32>,
        /// Reason why the lattice cannot be divided like this.
        why: MeshError,
    },
    /// A file document without lattice.
    #[error("the file has no lattice")]
    NoLattice,
    /// Volumes have SciDAC documents.
    #[error("a file set always has SciDAC documents")]
    SetWithoutScidac,
    /// Sites that are too large for sets.
    #[error("sites of {size} bytes are too large: at most {most} can be converted")]
    LargeSetSite {
        /// Size of a site in bytes.
        size: u64,
        /// The largest size in bytes.
        most: u64,
    },
    /// A file that is no LIME file of its own.
    #[error("only a single LIME file has texts that can be changed")]
    NoTexts,
    /// No record of this type, and none that it follows.
    #[error("the file has no {0}: there is no place for the text")]
    NoPlace(&'static str),
    /// Different logical file names, where one is allowed.
    #[error(
        "it has several logical file names, {} and {}, where one is allowed; which of them is to be replaced is unknown",
        one_line(.0),
        one_line(.1)
    )]
    SeveralNames(String, String),
    /// Fields on different lattices.
    #[error(
        "a SciDAC file has one lattice, but the fields have {} and {}",
        labelled(one.as_slice()),
        labelled(other.as_slice())
    )]
    Lattices {
        /// One lattice.
        one: Extents,
        /// Another one.
        other: Extents,
    },
}

/// The reason why a file has fewer links than directions, or more.
fn single_sites(found: u64, expected: u64) -> &'static str {
    if found > expected {
        ": ILDG 1.2 has none in directions with a single site"
    } else {
        ": one in each direction, also if that has a single site"
    }
}

/// The numbers of rows that links of this kind can have.
fn allowed(kind: GaugeKind, rows: Option<u16>) -> String {
    let (full, reduced) = (kind.colors(), kind.reduced_rows());
    match (rows, reduced) {
        (None, _) => "all rows only".to_owned(),
        (Some(rows), Some(reduced)) => format!("{full} rows or {reduced}, not {rows}"),
        (Some(rows), None) => format!("{full} rows, not {rows}"),
    }
}

/// The sentence about a lattice that cannot be divided: the direction, and its numbers.
fn indivisible(lattice: &Extents, nodes: &[u32], io: &[u32], why: &MeshError) -> String {
    let found = if let MeshError::Indivisible { dimension } = why {
        let index = usize::from(*dimension);
        let one = |numbers: &[u32]| numbers.get(index).copied().unwrap_or(1);
        let (sites, of_nodes, of_io) = (one(lattice.as_slice()), one(nodes), one(io));
        let name =
            ["x", "y", "z", "t"].get(index).map_or_else(|| format!("direction {index}"), |&x| x.to_owned());
        if sites.checked_rem(of_nodes) == Some(0) {
            format!(
                "{name} has {}, which {} cannot share evenly",
                counted_32(of_nodes, "node"),
                counted_32(of_io, "volume")
            )
        } else {
            format!(
                "{name} has {}, which {} cannot share evenly",
                counted_32(sites, "site"),
                counted_32(of_nodes, "node")
            )
        }
    } else {
        format!("nodes {} and volumes {}: {why}", labelled(nodes), labelled(io))
    };
    format!("{found}; the lattice is {}", labelled(lattice.as_slice()))
}

/// The sentence about the description of data that are to be written: their precision is not an element of XML yet.
fn contradiction(why: &Contradiction) -> String {
    match why {
        Contradiction::Precision { named } => {
            format!("the datatype has the precision {named}, but the numbers to be written do not")
        }
        why => why.to_string(),
    }
}

fn counted_32(n: u32, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}
