//! The documents of USQCD about gauge fields and propagators.

use super::super::row::Text;
use super::remedies::CORRECT;

pub const TEXTS: &[Text] = &[
    Text {
        rule: "usqcd-root-unknown",
        meaning: "The user's text of this record is not one of the USQCD documents, so that spin, color and \
                  role of the data are unknown.",
        causes: "A program that writes its own text into a file that it declares as a USQCD propagator.",
        remedy: "Look at the texts with `linkstream inspect FILE`. `linkstream make propagator` writes standard \
                 files from raw data or NumPy arrays.",
    },
    Text {
        rule: "usqcd-truncated",
        meaning: "The text ends after 1023 bytes, without its end tags. The data are not affected, but Grid is \
                  likely to abort at such a text.",
        causes: "QIO builds these texts in 1024 bytes and cuts what exceeds them, without an error. MILC's \
                 parameters often exceed them.",
        remedy: "Nothing to do for the data. The lost end of the text is in the output of the run, if anywhere.",
    },
    Text {
        rule: "usqcd-not-well-formed",
        meaning: "The text is not well-formed XML. QIO reads it anyway; XML parsers refuse it.",
        causes: "& or < in the part that the user gives: QIO writes it without escaping.",
        remedy: CORRECT,
    },
    Text {
        rule: "usqcd-element-missing",
        meaning: "The text lacks an element that QIO requires when it decodes it.",
        causes: "A program that writes the text without QIO, or a file older than the element.",
        remedy: CORRECT,
    },
    Text {
        rule: "usqcd-element-duplicate",
        meaning: "An element appears twice. This is an error for spin, color and type, because they \
                  determine the meaning of the data.",
        causes: "A user text pasted into another one.",
        remedy: CORRECT,
    },
    Text {
        rule: "usqcd-not-a-number",
        meaning: "The value is not a number. This is an error for spin and color, which identify the column \
                  of the propagator.",
        causes: "QIO's converter of NERSC archives writes `missing` if the header has no plaquette; or an unset \
                 variable.",
        remedy: CORRECT,
    },
    Text {
        rule: "usqcd-range",
        meaning: "A spin is not 0 to 3, or a color not 0 to 2.",
        causes: "Indices counted from 1, or an unset variable.",
        remedy: CORRECT,
    },
    Text {
        rule: "usqcd-version",
        meaning: "The version is not 1.0, the only one there is. QIO never looks at it.",
        causes: "The version of the program in place of the version of the document.",
        remedy: "Nothing to do for the data; or correct the text: `linkstream lime unpack FILE`, edit, \
                 `linkstream lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "usqcd-type-unknown",
        meaning: "The document names a type of propagator file that the USQCD formats do not have. Only the \
                  records themselves are checked.",
        causes: "A type defined by one collaboration, or a misspelt type. LHPC_DiracPropagator is named but \
                 not specified.",
        remedy: "Nothing to do, or write one of the standard types.",
    },
    Text {
        rule: "usqcd-type-root",
        meaning: "The type of staggered propagators is in the document of Dirac propagators, or the other way \
                  round.",
        causes: "A copied template.",
        remedy: CORRECT,
    },
    Text {
        rule: "usqcd-record-text",
        meaning: "The text of this record names neither a source nor a solution, so that the record is not \
                  counted as a part of the propagator.",
        causes: "Additional records, which are allowed, or a program that writes its own texts.",
        remedy: "Nothing to do, if the record is not meant to be a source or a solution.",
    },
    Text {
        rule: "usqcd-order",
        meaning: "Sources and solutions do not follow each other as the type of the file requires. A program \
                  that reads by position takes one for the other.",
        causes: "A record that was lost or written twice, or a wrong type in the file document.",
        remedy: "List the records with `linkstream inspect FILE`. Write the file again, or `linkstream make \
                 propagator OUT` from its data.",
    },
    Text {
        rule: "usqcd-solution-root",
        meaning: "The document of a solution has the name of another document. Under the name usqcdInfo this is \
                  only a warning, because QIO before 2.3.5 wrote it so.",
        causes: "Old QIO, or a Dirac document in a staggered file.",
        remedy: "Nothing to do for usqcdInfo. Otherwise correct the name of the element: `linkstream lime \
                 unpack`, edit, `linkstream lime pack`.",
    },
    Text {
        rule: "usqcd-solution-surplus",
        meaning: "The file has more solutions than its type allows (twelve for a Dirac propagator, three for a \
                  staggered one).",
        causes: "Solutions appended to a complete file, or two propagators in one file.",
        remedy: "Write one file for each propagator; `linkstream make propagator OUT` does it from the data.",
    },
    Text {
        rule: "usqcd-solution-count",
        meaning: "Solutions are missing: the propagator is incomplete.",
        causes: "The run ended before all spins and colors were solved, or the file was cut between two \
                 records.",
        remedy: "Solve the missing ones and write the file again.",
    },
    Text {
        rule: "usqcd-solution-missing",
        meaning: "The last source has no solution.",
        causes: "The run ended, or the file was cut, between source and solution.",
        remedy: "Copy the file again, or solve the missing one and write the file again.",
    },
    Text {
        rule: "usqcd-label-missing",
        meaning: "A solution does not state its spin or color. Its place in the file is the only hint.",
        causes: "A program that leaves out the optional arguments of QIO.",
        remedy: "Nothing to do if the order is standard (color fastest). Otherwise add the elements: \
                 `linkstream lime unpack`, edit, `linkstream lime pack`.",
    },
    Text {
        rule: "usqcd-label-repeated",
        meaning: "Two solutions have the same spin and color, so at least one is labelled wrongly.",
        causes: "A solution written again after a restart, or a label that was not updated in a loop.",
        remedy: "Find out which is which and correct the label, or write the file again.",
    },
    Text {
        rule: "usqcd-label-order",
        meaning: "The solutions are in another order than the usual one, with the color varying fastest. \
                  Programs that read by position confuse them.",
        causes: "Loops over spin and color in the other order.",
        remedy: "Write the solutions again in this order, for example with `linkstream make propagator OUT`.",
    },
    Text {
        rule: "usqcd-pair-order",
        meaning: "Each pair has its own labels, so that the order is free; but it is not the usual one.",
        causes: "Loops over spin and color in the other order.",
        remedy: "Nothing to do for programs that read the labels.",
    },
    Text {
        rule: "usqcd-datatype",
        meaning: "The datatype is not the one that the format prescribes for sources or solutions. Its size \
                  agrees, or there would be another finding.",
        causes: "Names of QLA or QDP in place of USQCD names: MILC writes QLA_F_Complex for complex fields.",
        remedy: "Nothing to do for most programs. `linkstream make propagator OUT` writes the standard names.",
    },
    Text {
        rule: "usqcd-datatype-colors",
        meaning: "The name of a complex field has a number of colors, such as USQCD_D3_Complex. The data are certain, \
                  and every program reads them.",
        causes: "CPS writes this name for the source of a propagator.",
        remedy: "Nothing to do.",
    },
    Text {
        rule: "usqcd-lattice-datatype",
        meaning: "The text belongs to a gauge field, but the datatype does not. Old Dirac solutions have \
                  this text too.",
        causes: "A gauge field under another name of the datatype, or a Dirac solution of QIO before 2.3.5, \
                 which has the same text.",
        remedy: "Nothing to do. `linkstream convert FILE OUT` keeps the text.",
    },
    Text {
        rule: "usqcd-precision",
        meaning: "The precision of a source or solution is neither F (single) nor D (double).",
        causes: "An empty precision or U, as MILC and QDP++ write for other kinds of data.",
        remedy: CORRECT,
    },
    Text {
        rule: "usqcd-description",
        meaning: "The number of colors or spins or the size of an item contradict the text, which announces \
                  a source or a solution.",
        causes: "Data of another kind under this text, or a copied record.",
        remedy: "Compare with the run. If only the document is wrong: `linkstream lime unpack --damaged FILE`, \
                 edit, `linkstream lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "usqcd-region",
        meaning: "The data cover another part of the lattice than the format allows: the whole lattice, or a \
                  time slice for sources.",
        causes: "Programs that store only the sites with a source that is not zero.",
        remedy: "Nothing to do if the reading program supports it. Otherwise write the full field.",
    },
];
