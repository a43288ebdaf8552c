//! The XML documents of SciDAC and ILDG.

use super::super::row::Text;
use super::remedies::{CORRECT, REWRITE};

pub const TEXTS: &[Text] = &[
    Text {
        rule: "xml-empty",
        meaning: "A record that must contain an XML document is empty. QIO ends the calling program at such \
                  a record.",
        causes: "A program that wrote the header of the record but not its text.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-not-xml",
        meaning: "The record is not XML, so the data that it describes cannot be interpreted.",
        causes: "Damage, UTF-16 text from an editor, or another record's content under this type.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-wrong-root",
        meaning: "The outermost element is not the one that belongs to this record type. QIO and others refuse \
                  it; a namespace prefix (`il:ildgFormat`) is accepted by linkstream, but by few programs.",
        causes: "Two documents that were exchanged between their records, or a misspelt name.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-unclosed",
        meaning: "The document ends before its last end tag. Values at its end may be missing.",
        causes: "The record was cut: QIO builds documents in 1024 bytes and loses what exceeds them, without an \
                 error.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-stray-end-tag",
        meaning: "An end tag closes an element that is not open. QIO takes everything up to the end for one \
                  value.",
        causes: "A misspelt tag, or a document edited by hand.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-end-tag-case",
        meaning: "The document is closed by its own name in other capital letters. XML parsers refuse the \
                  document; QIO does not look at the end tag. All values are read.",
        causes: "GLU writes `</ScidacFile>` after `<scidacFile>`.",
        remedy: REWRITE,
    },
    Text {
        rule: "xml-stray-text",
        meaning: "There is text between the elements, but only white space is allowed there. It may be a \
                  value that lost its tags.",
        causes: "A document edited by hand, or damage.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-attribute-unclosed",
        meaning: "A quotation mark is missing at the end of an attribute. XML parsers (Grid, Chroma, lyncs_io, \
                  PyQUDA) refuse the document; QIO skips attributes.",
        causes: "MILC files of 2005 lack the closing quote of schemaLocation.",
        remedy: REWRITE,
    },
    Text {
        rule: "xml-bad-tag",
        meaning: "A tag is not closed, or its name is not a valid XML name. The values of the document are \
                  not certain.",
        causes: "Damage, or < in a text that was not written as &lt;.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-bad-entity",
        meaning: "The text contains & followed by a name that XML does not define, so that the value is not \
                  certain.",
        causes: "& that was not written as &amp;, since QIO and MILC write texts as they are.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-doctype",
        meaning: "The document has a document type declaration (<!DOCTYPE). It can define other texts for \
                  values, so linkstream does not guess; no known lattice QCD program writes one.",
        causes: "A general XML editor or library.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-document-too-large",
        meaning: "The document has more than 131,072 bytes or 256 elements, or more than 64 elements inside each \
                  other. It describes nothing, and its rest is not read, so that no document can take much time. \
                  The documents of known programs have less than 500 bytes.",
        causes: "A file that was made to keep programs busy, or other content in a record of this type.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-text-behind",
        meaning: "Something follows the end of the document in the same record. QIO ignores it; XML parsers \
                  refuse it.",
        causes: "Two documents in one record, or the rest of a longer text that was overwritten by a shorter \
                 one.",
        remedy: REWRITE,
    },
    Text {
        rule: "xml-space-before-declaration",
        meaning: "There is white space before <?xml. QIO, Grid and linkstream skip it; GPT, PyQUDA and lyncs_io \
                  refuse the document.",
        causes: "SIMULATeQCD begins its documents with a line feed.",
        remedy: "`linkstream convert --for any FILE OUT` writes the form that nearly every program reads.",
    },
    Text {
        rule: "xml-attribute",
        meaning: "An attribute is not written as name=\"value\". Its value is not used.",
        causes: "A document written by hand, without quotation marks.",
        remedy: "Nothing to do. `linkstream convert FILE OUT` writes standard documents.",
    },
    Text {
        rule: "xml-cdata-end",
        meaning: "The text contains ]]>, which XML reserves.",
        causes: "Text that was pasted from another document.",
        remedy: "Nothing to do, unless a program refuses the text; then write ]]&gt;.",
    },
    Text {
        rule: "xml-comment",
        meaning: "A comment contains two hyphens in a row, which strict parsers refuse.",
        causes: "A commented line of dashes or a command line with long options.",
        remedy: "Nothing to do, unless a program refuses the text; then replace the hyphens.",
    },
    Text {
        rule: "xml-declaration",
        meaning: "The XML declaration at the beginning of the document does not have the form that the \
                  standard requires.",
        causes: "Hand-written documents, or programs that leave out the version.",
        remedy: "Nothing to do. `linkstream convert FILE OUT` writes standard documents.",
    },
    Text {
        rule: "xml-declared-version",
        meaning: "The declaration names a version of XML that does not exist. The document is read as XML 1.0.",
        causes: "The version of the format was written there by mistake.",
        remedy: "Nothing to do. `linkstream convert FILE OUT` writes standard documents.",
    },
    Text {
        rule: "xml-declared-encoding",
        meaning: "The declaration says UTF-16 or UTF-32, but the text is stored in single bytes. XML parsers \
                  refuse it.",
        causes: "Text converted by an editor or a library without changing its declaration.",
        remedy: "Nothing to do, unless a program refuses the document; then write UTF-8 there.",
    },
    Text {
        rule: "xml-not-utf8",
        meaning: "The text is not valid UTF-8. Names in it may be shown wrongly; data are not affected.",
        causes: "Accented letters in Latin-1, or binary data in a text record.",
        remedy: "Nothing to do, unless a program refuses the text; then convert it with `iconv -f latin1 -t \
                 utf-8`.",
    },
    Text {
        rule: "xml-element-missing",
        meaning: "The document lacks an element that the format requires. It is an error where the data cannot \
                  be interpreted without it; version, volfmt, datatype and the like change nothing and count \
                  as warnings with --lenient.",
        causes: "A program that writes the document without QIO and leaves elements out, or a document edited \
                 by hand.",
        remedy: "If convert refuses the file, correct the document: `linkstream lime unpack --damaged FILE`, \
                 edit, `linkstream lime pack FILE.contents/list OUT`. Otherwise `linkstream convert FILE OUT` \
                 adds the element.",
    },
    Text {
        rule: "xml-element-duplicate",
        meaning: "An element appears twice. Programs use either the first or the last, so that they may read \
                  different numbers.",
        causes: "A document edited by hand, or two documents joined.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-value-too-long",
        meaning: "A value is longer than any known value of this element. It was cut for comparison; this is an \
                  error if what was cut could matter.",
        causes: "A description or comment in place of the value, or damage.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-value-nested",
        meaning: "There are further elements where a value is expected.",
        causes: "A document of another version or program under this record type.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-value-not-text",
        meaning: "The value of an element is not text.",
        causes: "Damage, or a program that wrote binary numbers.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-number-signed",
        meaning: "A number has a sign, but only a count is possible here. QIO accepts it silently.",
        causes: "A negative extent from an overflow or an unset variable, or a plus sign.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-number-too-large",
        meaning: "A number does not fit in 32 bits. QIO reads the wrong number instead of refusing it: \
                  4294967298 becomes 2.",
        causes: "A checksum with more than 8 digits, an overflow, or damage.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-too-many-numbers",
        meaning: "More than 8 numbers are listed. QIO allows 8 dimensions at most.",
        causes: "A document edited by hand, or damage.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-not-a-number",
        meaning: "A value that must be a number is not one. QIO reads such values as 0 or takes the leading \
                  digits.",
        causes: "An empty element, a unit or a comment after the number, or a checksum that is not hexadecimal.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-value",
        meaning: "The format does not allow this value, for example a precision other than 32 and 64.",
        causes: "A kind of field or precision that the format does not have, a misspelt word, or damage.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-element-unknown",
        meaning: "The document has an element that is not in the ILDG schema. It is ignored.",
        causes: "Programs that add elements of their own.",
        remedy: "Nothing to do. `linkstream convert FILE OUT` leaves it out.",
    },
    Text {
        rule: "xml-element-order",
        meaning: "The elements are in another order than the ILDG schema requires. Programs find them by name.",
        causes: "Writers that use an unordered dictionary, or documents edited by hand.",
        remedy: REWRITE,
    },
    Text {
        rule: "xml-namespace-missing",
        meaning: "The ILDG document does not name its namespace. PyQUDA refuses it; other programs do not look.",
        causes: "Grid writes ildg-format without a namespace.",
        remedy: "`linkstream convert FILE OUT` adds it.",
    },
    Text {
        rule: "xml-namespace",
        meaning: "The document does not name the namespace of ILDG but another one. PyQUDA refuses it; other \
                  programs do not look.",
        causes: "A copied template, or https:// or a final slash in the address.",
        remedy: REWRITE,
    },
    Text {
        rule: "xml-rows-version",
        meaning: "The document has <rows>, but a version older than 1.2, which introduced it. Readers of the \
                  older version ignore <rows> and expect all rows.",
        causes: "A program that stores reduced links and left the version at 1.0.",
        remedy: "`linkstream convert --rows full FILE OUT` stores all rows, which every program reads.",
    },
    Text {
        rule: "xml-version",
        meaning: "The version of the document is not one of the known ones. It was read as the latest known \
                  version.",
        causes: "A version in another notation (1 or 1.20, for example), or a later version of the format.",
        remedy: "If no later version of the format exists, `linkstream convert FILE OUT` writes the right \
                 number.",
    },
    Text {
        rule: "xml-dimensions",
        meaning: "The number of dimensions and the number of extents differ. QIO ignores this.",
        causes: "A document edited by hand; extents separated by line feeds only, which QIO takes for one \
                 number.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-extents",
        meaning: "The extents of the lattice are impossible: zero, too many dimensions, or a product that is \
                  too large.",
        causes: "An unset variable, an overflow, or damage.",
        remedy: CORRECT,
    },
    Text {
        rule: "xml-hypercube",
        meaning: "The part of the lattice that the record describes lies partly outside of it, is empty, or \
                  does not have its number of dimensions.",
        causes: "Upper bounds are inclusive, so the largest is the extent minus 1; the writing program may \
                 have stored the extent instead. QIO accepts an upper bound equal to the extent.",
        remedy: CORRECT,
    },
];
