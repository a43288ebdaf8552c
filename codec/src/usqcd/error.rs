//! Errors of USQCD documents and propagator files.

use super::names::ElementName;
use super::names::FileType;
use super::names::Role;
use super::names::Root;
use super::names::SiteType;
use super::names::{COLORS, Label, SPINS};
use crate::lattice::Precision;
use crate::rules::rules;
use crate::xml;

rules! {
    /// The errors of USQCD documents and of propagator files.
    ///
    /// # Example
    /// ```
    /// use linkstream::Diagnostic;
    /// use linkstream::usqcd::{Document, ElementName, ErrorKind, Root};
    ///
    /// let error = Document::parse(b"<usqcdSourceInfo><version>1.0</version></usqcdSourceInfo>").err();
    /// let kind = error.ok_or("info is missing")?.kind;
    /// assert_eq!(kind, ErrorKind::Missing { root: Root::SourceInfo, element: ElementName::Info });
    /// assert_eq!(kind.rule(), "usqcd-element-missing");
    /// assert_eq!(kind.to_string(), "in usqcdSourceInfo: element <info> is missing");
    /// # Ok::<(), &str>(())
    /// ```
    pub enum ErrorKind {
        // Documents.

        /// The root element does not belong to a USQCD document.
        NotUsqcd => (
            "usqcd-root-unknown", Error, Format, "QIO 2.3, appendix A", "the text is not a USQCD document"
        ),
        /// The document ends after 1023 bytes, where QIO truncates texts.
        Truncated(root: Root) => (
            "usqcd-truncated", Info, Truncated, "QIO 2.3, appendix A",
            "in {root}: the text ends after 1023 bytes without end tags; QIO truncates texts to this length"
        ),
        /// The text is not a well-formed XML document; elements after the error are not read.
        Xml {
            /// Root of the document.
            root: Root,
            /// The rule of XML that is broken.
            kind: xml::ErrorKind,
        } => ("usqcd-not-well-formed", Warning, Format, "QIO 2.3, appendix A", "in {root}: {kind}"),
        /// A required element is missing.
        Missing {
            /// Root of the document.
            root: Root,
            /// Name of the element.
            element: ElementName,
        } => (
            "usqcd-element-missing", Warning, Format, "QIO 2.3, appendix A", "in {root}: element <{element}> is missing"
        ),
        /// An element is given twice.
        Duplicate {
            /// Root of the document.
            root: Root,
            /// Name of the element.
            element: ElementName,
        } =>
            (
                "usqcd-element-duplicate" if matches!(
                    element,
                    ElementName::Spin | ElementName::Color | ElementName::Type
                ), Error, Format,
                "QIO 2.3, appendix A",
                "in {root}: duplicate element <{element}>; the first one is used"
            )
            (
                "usqcd-element-duplicate", Warning, Format, "QIO 2.3, appendix A",
                "in {root}: duplicate element <{element}>; the first one is used"
            ),
        /// A value is not a number.
        NotNumber {
            /// Root of the document.
            root: Root,
            /// Name of the element.
            element: ElementName,
        } =>
            (
                "usqcd-not-a-number" if matches!(element, ElementName::Spin | ElementName::Color), Error, Format,
                "QIO 2.3, appendices A.2.3 and A.3.3",
                "in {root}: the value of <{element}> is not a number from 0 to {}", highest(*element)
            )
            (
                "usqcd-not-a-number", Warning, Format, "QIO 2.3, appendix A.1",
                "in {root}: the value of <{element}> is not a number in standard floating point notation"
            ),
        /// Spin or color is too large.
        Range {
            /// Root of the document.
            root: Root,
            /// Name of the element.
            element: ElementName,
            /// Its value.
            found: u32,
        } => (
            "usqcd-range", Error, Format, "QIO 2.3, appendices A.2.3 and A.3.3",
            "in {root}: <{element}> is {found}; it must be from 0 to {}", highest(*element)
        ),
        /// An unknown version of the document.
        Version(root: Root) => (
            "usqcd-version", Warning, Version, "QIO 2.3, appendix A", "in {root}: unknown version; the only version is 1.0"
        ),
        /// The type of the propagator file is unknown: number and order of its records are not checked.
        TypeUnknown => (
            "usqcd-type-unknown", Warning, Type, "QIO 2.3, appendices A.2.1 and A.3.1",
            "unknown type of propagator file: number and order of its records are not checked"
        ),
        /// The type belongs in the other kind of file XML (Dirac or staggered).
        TypeRoot(file_type: FileType) => (
            "usqcd-type-root", Warning, Rule, "QIO 2.3, appendices A.2.1 and A.3.1",
            "the type {} belongs in <{}>", file_type.name(), file_type.root()
        ),

        // Records of propagator files.

        /// The record XML of the data describes neither a source nor a solution. The record is not counted.
        Unlabelled(file_type: FileType) => (
            "usqcd-record-text", Info, Rule, "QIO 2.3, appendices A.2 and A.3",
            "the record XML of these data describes neither a source nor a solution, so that the data are not part of the \
             {file_type} format"
        ),
        /// A source where a solution is expected, or the reverse.
        Order {
            /// The type of the file.
            file_type: FileType,
            /// The expected role.
            expected: Role,
            /// The role that the record XML describes.
            found: Role,
        } => (
            "usqcd-order", Error, Rule, "QIO 2.3, appendices A.2 and A.3",
            "in a {file_type} file a {expected} belongs here, but this record is a {found}"
        ),
        /// A solution that is described by the document of another kind of record.
        SolutionRoot {
            /// The type of the file.
            file_type: FileType,
            /// The document that describes it.
            found: Root,
        } =>
            (
                "usqcd-solution-root" if *found == Root::LatticeInfo && !file_type.is_staggered(), Info, Version,
                "QIO 2.3, appendix A.2.3",
                "this solution is described by usqcdInfo instead of usqcdPropInfo, as in files of QIO before 2.3.5"
            )
            (
                "usqcd-solution-root", Warning, Rule, "QIO 2.3, appendices A.2.3 and A.3.3",
                "a solution in a {file_type} file must be described by {}, not by {found}",
                file_type.record_root(Role::Solution)
            ),
        /// More solutions than the type of the file has.
        Surplus {
            /// The type of the file.
            file_type: FileType,
            /// Number of solutions of this type of file.
            solutions: u8,
        } => (
            "usqcd-solution-surplus", Error, Rule, "QIO 2.3, appendices A.2 and A.3",
            "a {file_type} file has {solutions} solutions; this one is surplus"
        ),
        /// Fewer solutions than the type of the file has.
        Count {
            /// The type of the file.
            file_type: FileType,
            /// Number of solutions of this type of file.
            expected: u8,
            /// Number of solutions in the file.
            found: u8,
        } => (
            "usqcd-solution-count", Error, Rule, "QIO 2.3, appendices A.2 and A.3",
            "a {file_type} file has {expected} solutions, but this one has {found}"
        ),
        /// The last source has no solution, or there is no record at all.
        Unsolved(file_type: FileType) => (
            "usqcd-solution-missing", Error, Rule, "QIO 2.3, appendices A.2 and A.3",
            "a {file_type} file must end with a solution"
        ),
        /// A solution without source spin or color in a file whose type requires them.
        LabelMissing {
            /// The type of the file.
            file_type: FileType,
            /// The element that is missing.
            element: ElementName,
        } => (
            "usqcd-label-missing", Warning, Rule, "QIO 2.3, appendices A.2.3 and A.3.3",
            "a solution in a {file_type} file must have <{element}>"
        ),
        /// A second solution with the same source spin and color.
        LabelRepeated(label: Label) => (
            "usqcd-label-repeated", Error, Rule, "QIO 2.3, appendices A.2 and A.3",
            "the file contains another solution with {label}"
        ),
        /// A solution is out of order.
        LabelOrder {
            /// The label that comes next in order.
            expected: Label,
            /// The label of the solution.
            found: Label,
        } => (
            "usqcd-label-order", Error, Rule, "QIO 2.3, appendices A.2 and A.3",
            "the solution with {expected} belongs here, but this one has {found}; the color varies fastest"
        ),
        /// The file has one pair for each of the twelve source spins and colors, but in another order.
        PairOrder(file_type: FileType) => (
            "usqcd-pair-order", Warning, Rule, "QIO 2.3, appendix A.2",
            "this {file_type} file has a solution for each source spin and color, but here the order differs from that of a \
             C1D12 file, in which the color varies fastest"
        ),
        /// The datatype of a record does not fit its role.
        Datatype {
            /// The role of the record.
            role: Role,
            /// The required content of a site.
            expected: SiteType,
        } => (
            "usqcd-datatype", Warning, Type, "QIO 2.3, appendices A.2.2 to A.3.3",
            "the datatype of this {role} must be {} or {}", expected.record(Precision::F32).datatype,
            expected.record(Precision::F64).datatype
        ),
        /// The name of a complex field has a number of colors, which complex numbers do not have: CPS writes
        /// `USQCD_D3_Complex` for a source. Every program reads it.
        DatatypeColors(role: Role) => (
            "usqcd-datatype-colors", Info, Type, "QIO 2.3, appendix A.2.2",
            "the datatype of this {role} names a number of colors, which complex numbers do not have"
        ),
        /// The datatype of a record with `usqcdInfo` is not the one of a gauge field.
        LatticeDatatype => (
            "usqcd-lattice-datatype", Info, Type, "QIO 2.3, appendix A.1",
            "usqcdInfo describes a gauge field: the datatype must be USQCD_F3_ColorMatrix or USQCD_D3_ColorMatrix"
        ),
        /// The precision is neither single nor double.
        Precision(role: Role) => (
            "usqcd-precision", Error, Type, "QIO 2.3, appendices A.2.2 to A.3.3",
            "the precision of this {role} must be F or D"
        ),
        /// Colors, spins or sizes of a record do not fit its role.
        Description {
            /// The required content of a site.
            site: SiteType,
            /// The element that differs.
            element: xml::ElementName,
            /// The required value.
            expected: u32,
            /// The value in the document.
            found: u32,
        } => (
            "usqcd-description", Error, Rule, "QIO 2.3, appendices A.2.2 to A.3.3",
            "<{element}> of a {site} must be {expected}, but is {found}"
        ),
        /// The record does not cover the sites that its role requires.
        Region(role: Role) =>
            (
                "usqcd-region" if *role == Role::Source, Warning, Rule, "QIO 2.3, appendices A.2 and A.3",
                "a source must cover the whole lattice or one time slice"
            )
            (
                "usqcd-region", Warning, Rule, "QIO 2.3, appendices A.2.3 and A.3.3",
                "a solution must cover the whole lattice"
            ),
    }
}

/// The highest spin or color.
const fn highest(element: ElementName) -> u8 {
    match element {
        ElementName::Spin => SPINS.saturating_sub(1),
        _ => COLORS.saturating_sub(1),
    }
}
