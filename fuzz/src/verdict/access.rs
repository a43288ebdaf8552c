//! Opens a file, lists it, reads all and parts of it, and converts it in memory.

use std::io::Cursor;
use std::sync::Arc;

use linkstream::inebin::Complex;
use linkstream::lattice::{ByteOrder, Precision};
use linkstream_access::write::{
    ArchiveForm, ArchiveTexts, Damage, Rows, Target, Trust, Warning, Wish, convert, write_archive,
};
use linkstream_access::{Field, File, Section, Selection, Verify};

use super::report;

/// Larger data are not read: fuzzing would be slow.
const MOST: u64 = 1 << 20;

/// Checks opening, reading and converting with this file.
pub fn check(file: &[u8]) {
    let open = || Arc::new(file.to_vec());
    let strict = File::open(open());
    let damaged = File::open_damaged(open());
    assert!(strict.is_err() || damaged.is_ok(), "damaged files are opened, and intact ones are not");
    [&strict, &damaged].into_iter().flatten().for_each(read);
    convert_all(file);
}

/// Reads everything that an open file has.
pub(super) fn read(file: &File) {
    file.fields().iter().for_each(read_field);
    for index in 0..file.records().len().min(16) {
        let _ = file.payload(index);
    }
    let _ =
        (file.texts("ildg-format"), file.lost_checksum(0), file.warnings(), file.volume_warnings().count());
    for index in 0..file.sections().len().min(16) {
        let _ = file.section(index).map(read_section);
    }
    let entries = file.matrix().map_or(0, |matrix| matrix.entry_count().min(MOST)) as usize;
    let _ = file.read_matrix(&mut vec![0.0; entries], |entry: f64| entry);
    let _ = file.read_matrix(&mut vec![0; entries], |entry: i64| entry);
    let _ = file.read_matrix(&mut vec![false; entries], |entry: bool| entry);
    let _ = file.read_matrix(&mut vec![Complex::default(); entries], |entry: Complex| entry);
}

fn read_field(field: &Field) {
    let (array, layout) = (field.array(), field.layout());
    let (shape, sites) = (array.shape(), array.sites());
    let _ = (array.number_count(), field.contiguous(), field.is_order_known(), field.measured());
    let verified = field.verify();
    if layout.data_length().is_none_or(|length| length > MOST) {
        return;
    }
    let last = shape.first().copied().unwrap_or(0);
    let block = sites.iter().map(|extent| extent / 2..*extent).collect();
    let slices = [0..1, last / 2..last, last.saturating_sub(1)..last, last..last, 1..u64::MAX];
    let mut selections: Vec<Selection> = slices.into_iter().map(Selection::Slices).collect();
    selections.extend([
        Selection::All,
        Selection::Block(block),
        Selection::Block(std::iter::once(0..1).collect()),
    ]);
    for selection in selections {
        let mut bytes = Vec::new();
        let keep = &mut |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        let streamed = field.stream(&selection, ByteOrder::Big, Verify::Yes, keep);
        let mut out = vec![0; bytes.len()];
        let read = field.read_bytes(&selection, &mut out, ByteOrder::Big, Verify::Yes);
        // To find the byte order of an archive that does not state it, a stream verifies all data.
        if field.is_order_known() {
            assert_eq!(streamed.is_ok(), read.is_ok(), "{selection:?}");
            assert!(read.is_err() || out == bytes, "{selection:?}");
        }
        if selection == Selection::All {
            assert_eq!(verified.is_ok(), read.is_ok(), "reading all data verifies them");
        }
    }
}

fn read_section(section: Section<'_>) {
    let _ = (section.element_size(), section.has_checksum());
    let Ok(length) = section.bytes() else { return };
    if length > MOST {
        return;
    }
    let mut out = vec![0; length as usize];
    let read = section.read(&mut out);
    let Ok(count) = section.elements() else { return };
    for index in [0, count / 2, count.saturating_sub(1), count] {
        let _ = section.element(index);
    }
    if read.is_ok() && count < 1000 {
        let elements: Result<Vec<_>, _> = section.elements_in(0..count).and_then(Iterator::collect);
        assert!(elements.is_ok_and(|elements| elements.concat().len() <= out.len()));
    }
}

/// Converts a file in LIME form to all that the program can make of it.
fn convert_all(file: &[u8]) {
    let damage = Damage { rule: "checksum-mismatch", offset: 0, message: "the data are damaged".to_owned() };
    let trusts = [Trust::default(), Trust { damage: Some(damage), ..Trust::default() }];
    let date = Some("Thu Jan  1 00:00:00 1970 UTC".to_owned());
    let any = Wish { date, ..Wish::default() };
    let wishes = [
        any.clone(),
        Wish { precision: Some(Precision::F64), rows: Some(Rows::Full), ..any.clone() },
        Wish { precision: Some(Precision::F32), rows: Some(Rows::Reduced), ..any.clone() },
        Wish { target: Some(Target::Ildg), lfn: Some("lfn://a/b".to_owned()), ..any.clone() },
        Wish { target: Some(Target::Both), checksum: true, field: Some(0), ..any.clone() },
        Wish { target: Some(Target::Scidac), ..any },
    ];
    let mut warnings: Vec<Warning> = Vec::new();
    for trust in &trusts {
        for wish in &wishes {
            let mut out = Cursor::new(Vec::new());
            let _ = convert(&mut Cursor::new(file), trust, wish, &mut out, &mut warnings);
        }
    }
    for rows in [Rows::Reduced, Rows::Full, Rows::Number(2)] {
        let form = ArchiveForm { rows, order: ByteOrder::Big, tolerance: None };
        let (texts, mut out) = (ArchiveTexts::default(), Cursor::new(Vec::new()));
        let _ = write_archive(&mut Cursor::new(file), form, &texts, &mut out, &mut warnings);
    }
}

/// The seeds of `report`.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    report::seeds()
}
