//! Texts of the user in SciDAC files, and placeholders that programs write instead.

use super::document::{ARCHIVE_FILE, NO_TEXT, NOT_SCIDAC_FILE, NOT_SCIDAC_RECORD};
use super::provenance::{is_note, note_in};
use super::refusal::Refusal;
use crate::noted::NOTE_LINE;
use crate::text::not_xml;

/// Returns whether a text was written by the user: it is neither empty nor a placeholder of this program or of QIO's
/// converters. Notes of this program do not count.
#[must_use]
pub fn is_of_user(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let body = body(&text);
    let of_programs = [NO_TEXT, NOT_SCIDAC_FILE, NOT_SCIDAC_RECORD, ARCHIVE_FILE];
    !body.is_empty()
        && of_programs.into_iter().all(|other| body != self::body(other))
        && !has_only_figures(body)
}

/// Refuses a new text that no XML document can have.
///
/// # Errors
/// It has a character, or a reference to one, that XML does not allow.
pub fn check_xml(text: &str) -> Result<(), Refusal> {
    not_xml(text).map_or(Ok(()), |what| Err(Refusal::NotXml(what)))
}

/// Returns whether a document is a `usqcdInfo` with nothing but observables, which are computed anew.
fn has_only_figures(body: &str) -> bool {
    let rest = ["version", "plaq", "linktr"]
        .into_iter()
        .fold(body.to_owned(), |rest, element| without_element(&rest, element));
    rest == "<usqcdInfo><info></info></usqcdInfo>"
}

/// A document without its XML declaration and without notes of this program, which are comments at its end.
fn body(text: &str) -> &str {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    let mut body = match text.strip_prefix("<?xml") {
        Some(rest) => rest.split_once("?>").map_or("", |(_, body)| body.trim_start()),
        None => text,
    };
    while let Some((before, _)) = last_note(body) {
        body = before;
    }
    body
}

/// The note at the end of a document, and the document before it.
fn last_note(document: &str) -> Option<(&str, &str)> {
    let (before, comment) = document.strip_suffix("-->")?.rsplit_once("<!--")?;
    Some((before.trim_end(), comment.trim())).filter(|(_, note)| is_note(note))
}

/// The notes of this program in a document: comments at its end, and the header line of an archive in it. They stay with
/// the data when the document is replaced.
#[must_use]
pub fn notes(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let mut notes = Vec::new();
    let mut rest = text.trim_end_matches(|c: char| c.is_whitespace() || c == '\0');
    while let Some((before, note)) = last_note(rest) {
        notes.push(note.to_owned());
        rest = before;
    }
    let line = rest.split_once(NOTE_LINE).and_then(|(_, line)| line.trim_start().strip_prefix('='));
    let value = line.and_then(|line| line.split(['\n', '<']).next()).map(str::trim);
    notes.extend(value.filter(|value| is_note(value)).map(str::to_owned));
    notes.reverse();
    notes
}

/// Appends the notes of an earlier text that are not in this one.
pub(super) fn add_notes(text: &mut Vec<u8>, earlier: &[u8]) {
    let there = notes(text);
    notes(earlier).iter().filter(|note| !there.contains(note)).for_each(|note| note_in(text, note));
}

/// A record XML without what a NERSC archive stores of it: the header lines, and the observables, which are computed
/// anew (QIO 2.3, appendix A.1).
pub(super) fn without_header(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut rest = body(&text).to_owned();
    for element in ["info", "plaq", "linktr"] {
        rest = without_element(&rest, element);
    }
    if rest.trim().starts_with("<usqcdInfo>") {
        rest = without_element(&rest, "version");
        rest = rest.replacen("<usqcdInfo>", "", 1).replacen("</usqcdInfo>", "", 1);
    }
    rest
}

/// A text without the first element of this name.
fn without_element(text: &str, name: &str) -> String {
    let (begin, end) = (format!("<{name}>"), format!("</{name}>"));
    let parts = text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    parts.map_or_else(|| text.to_owned(), |(before, after)| format!("{before}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: &str = "<?xml version=\"1.0\"?><usqcdInfo><version>1.0</version><plaq>0.5</plaq>\
                           <linktr>0</linktr><info></info></usqcdInfo>   ";

    #[test]
    fn texts_of_programs_are_not_those_of_users() {
        let note = crate::noted::note("data-length", 7);
        let noted = format!("{NO_TEXT}<!-- {note} -->");
        for text in [
            "",
            "\0",
            " \n",
            "<?xml version=\"1.0\"?>",
            NO_TEXT,
            NOT_SCIDAC_FILE,
            &noted,
            ARCHIVE_FILE,
            FIGURES,
        ] {
            assert!(!is_of_user(text.as_bytes()), "{text}");
        }
        for text in ["beta 6.0", "<title>mine</title>", "<title>linkstream</title><!-- beta 6.0 -->"] {
            assert!(is_of_user(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn header_lines_and_figures_are_no_other_text() {
        let qio = "<?xml version=\"1.0\"?><usqcdInfo><version>1.0</version><plaq>0.5</plaq>\
                   <linktr>0</linktr><info>A = 1</info></usqcdInfo>\n";
        assert!(is_of_user(qio.as_bytes()) && !is_of_user(without_header(qio.as_bytes()).as_bytes()));
        let more = qio.replace("<info>", "<note>mine</note><info>");
        assert!(is_of_user(without_header(more.as_bytes()).as_bytes()));
    }
}
