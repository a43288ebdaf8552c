//! Copies of damaged data contain a note, and every way of opening them for good data refuses them.

use std::io::Cursor;
use std::sync::Arc;

use linkstream::lattice::Extents;
use linkstream_access::write::{
    ArchiveForm, ArchiveTexts, Damage, NewField, Target, Trust, Warning, Wish, convert, write_archive,
    write_fields,
};
use linkstream_access::{Error, File};

const RULE: &str = "damage-noted";

/// A gauge field in a file of its own.
fn good() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("good");
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let mut links = vec![0.0; 64 * 18];
    for link in links.chunks_mut(18) {
        (link[0], link[8], link[16]) = (1.0, 1.0, 1.0);
    }
    let field = NewField::links(&links[..], linkstream::ildg::GaugeKind::SU3);
    let mut warnings = Vec::<Warning>::new();
    write_fields(&path, false, &lattice, &[field], &Wish::default(), &mut warnings).expect("it is writable");
    std::fs::read(path).expect("the file was written")
}

fn damage() -> Trust {
    let damage = Damage { rule: "checksum-mismatch", offset: 7, message: "wrong".to_owned() };
    Trust { damage: Some(damage), ..Trust::default() }
}

fn converted(
    file: &[u8],
    trust: &Trust,
    target: Option<Target>,
) -> Result<Vec<u8>, linkstream_access::write::Error> {
    let mut out = Cursor::new(Vec::new());
    let wish = Wish { target, checksum: true, ..Wish::default() };
    convert(&mut Cursor::new(file), trust, &wish, &mut out, &mut Vec::<Warning>::new())?;
    Ok(out.into_inner())
}

fn archive(file: &[u8], texts: &ArchiveTexts) -> Result<Vec<u8>, linkstream_access::write::Error> {
    let form = ArchiveForm {
        rows: linkstream_access::write::Rows::Full,
        order: linkstream::lattice::ByteOrder::Big,
        tolerance: None,
    };
    let mut out = Cursor::new(Vec::new());
    write_archive(&mut Cursor::new(file), form, texts, &mut out, &mut Vec::<Warning>::new())?;
    Ok(out.into_inner())
}

#[test]
fn copies_of_damaged_data_are_refused_unless_damage_is_permitted() {
    for target in [None, Some(Target::Ildg), Some(Target::Scidac), Some(Target::Both)] {
        let copy = converted(&good(), &damage(), target).expect("permitted");
        let refused = File::open(Arc::new(copy.clone())).err().and_then(|error| error.rule());
        assert_eq!(refused.map(|(_, rule)| rule), Some(RULE), "{target:?}");
        let opened = File::open_damaged(Arc::new(copy.clone())).expect("permitted");
        assert!(opened.warnings().iter().any(|warning| warning.rule == RULE), "{target:?}");
        for again in [None, Some(Target::Ildg), Some(Target::Scidac), Some(Target::Both)] {
            let refused = converted(&copy, &Trust::default(), again).err().map(|error| error.to_string());
            assert!(refused.is_some_and(|why| why.contains("were damaged")), "{target:?} {again:?}");
        }
        converted(&copy, &damage(), None).expect("permitted");
        let refused = archive(&copy, &ArchiveTexts::default()).err().map(|error| error.to_string());
        assert!(refused.is_some_and(|why| why.contains("were damaged")), "{target:?}");
        archive(&copy, &ArchiveTexts { is_damaged: true, ..ArchiveTexts::default() }).expect("permitted");
    }
    assert!(
        File::open(Arc::new(good()))
            .is_ok_and(|file| file.warnings().iter().all(|warning| warning.rule != RULE))
    );
}

#[test]
fn archives_of_damaged_data_are_refused_unless_damage_is_permitted() {
    let note = damage().damage.map(|damage| damage.note());
    for (texts, is_refused) in [
        (ArchiveTexts { note, is_damaged: true, ..ArchiveTexts::default() }, true),
        (ArchiveTexts { note: Some("a remark".to_owned()), ..ArchiveTexts::default() }, false),
    ] {
        let archive = archive(&good(), &texts).expect("links");
        let refused = File::open(Arc::new(archive.clone())).err();
        assert_eq!(
            matches!(&refused, Some(Error::Broken(broken)) if broken.rule == RULE),
            is_refused,
            "{refused:?}"
        );
        let opened = File::open_damaged(Arc::new(archive)).expect("permitted");
        assert_eq!(opened.warnings().iter().any(|warning| warning.rule == RULE), is_refused);
    }
}
