//! Remedies of several rules.

pub const REWRITE: &str = "`linkstream convert FILE OUT` writes a file without this fault.";
pub const CORRECT: &str = "Correct the document: `linkstream lime unpack --damaged FILE`, edit the record in FILE.contents, \
     `linkstream lime pack FILE.contents/list OUT`.";
pub const COPY_AGAIN: &str = "Copy the file again from its source, and compare its length with the original.";
pub const COPY_VOLUME: &str =
    "Copy the volume again from its source, and compare its length with the original.";
pub const CORRECT_LINE: &str = "Correct the line with an editor that leaves binary data as they are, or convert the field: `linkstream \
     convert --to scidac FILE OUT`.";
pub const OTHER_SECTIONS: &str = "Copy the file again; if the original has the same fault, report it to the author of the writing program. \
     `linkstream scda cat --damaged FILE NUMBER` extracts the other sections.";
