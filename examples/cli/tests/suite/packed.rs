//! Compressed files and archives are read as they are, and their damage is never "OK".

use std::io::Write as _;

use tempfile::TempDir;

use crate::common::lime::put;
use crate::common::{linkstream, run, said, status};

type Pack = fn(&[u8]) -> Vec<u8>;

/// Every compression, with the usual ending of its files.
const PACKS: [(&str, Pack); 4] = [("gz", gzip), ("xz", xz), ("zst", zstd), ("bz2", bzip2)];

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).expect("memory");
    out.finish().expect("memory")
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut out = lzma_rust2::XzWriter::new(Vec::new(), options).expect("options");
    out.write_all(bytes).expect("memory");
    out.finish().expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    out.write_all(bytes).expect("memory");
    out.finish().expect("memory")
}

pub fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // Not `append_data`, which refuses names that lead elsewhere.
        header.as_gnu_mut().expect("a header of GNU").name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        out.append(&header, *content).expect("memory");
    }
    out.into_inner().expect("memory")
}

fn lime() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    files.iter().for_each(|(name, bytes)| put(&folder, name, bytes));
    folder
}

/// Output, exit status and messages of a command in a directory.
fn outcome(folder: &TempDir, arguments: &[&str]) -> (Vec<String>, i32, String) {
    let mut program = linkstream();
    let output = program.current_dir(folder.path()).args(arguments).output().expect("the program runs");
    let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    (lines, status(&output), said(&output))
}

fn check(folder: &TempDir, name: &str) -> (Vec<String>, i32) {
    let (lines, status, _) = outcome(folder, &["check", "--quiet", "--verbose", name]);
    (lines, status)
}

#[test]
fn compressed_files_are_read_by_every_command() {
    let whole = lime();
    for (ending, pack) in PACKS {
        let name = format!("a.lime.{ending}");
        let folder = folder_with(&[("a.lime", &whole), (&name, &pack(&whole))]);
        assert_eq!(check(&folder, &name).0[0], format!("{name}: OK"));
        let (json, code, _) = outcome(&folder, &["check", "--json", &name]);
        let report: serde_json::Value = serde_json::from_str(&json[0]).expect("one object");
        assert_eq!((report["bytes"].as_u64(), code), (Some(whole.len() as u64), 0));
        assert_eq!(report["packing"].as_array().map(Vec::len), Some(1), "{report}");
        for arguments in [
            &["diff", "a.lime", &name][..],
            &["diff", &name, "a.lime"],
            &["inspect", &name],
            &["lime", "contents", &name],
            &["export", &name, "a.npy"],
            &["convert", &name, "b.lime"],
            &["lime", "unpack", &name, "records"],
        ] {
            let (lines, code, said) = outcome(&folder, arguments);
            assert_eq!(code, 0, "{arguments:?}: {lines:?}: {said}");
        }
        let piped = run(&["check", "--quiet", "-"], pack(&whole));
        assert!(piped.stdout.starts_with(b"-: OK\n"), "{ending}");
    }
    // Several compressed parts are one file (RFC 1952, 2.2).
    let (one, two) = whole.split_at(1000);
    let folder = folder_with(&[("parts.gz", &[gzip(one), gzip(two)].concat())]);
    assert_eq!(check(&folder, "parts.gz").0[0], "parts.gz: OK");
}

#[test]
fn a_damaged_compression_is_never_good() {
    let whole = lime();
    for (ending, pack) in PACKS {
        let packed = pack(&whole);
        // The header of gzip has a time and a system, which nothing verifies.
        let first = if ending == "gz" { 10 } else { 0 };
        let step = packed.len() / 12;
        for at in (first..packed.len()).step_by(step).chain([packed.len() - 1]) {
            let mut altered = packed.clone();
            altered[at] ^= 0x10;
            let folder = folder_with(&[("cut", &packed[..at]), ("altered", &altered)]);
            let (lines, code) = check(&folder, "cut");
            assert_ne!(code, 0, "{ending} cut at {at}: {lines:?}");
            let is_named = lines[0].contains("compression-damaged");
            assert!(is_named || at < 10, "{ending} cut at {at}: {lines:?}");
            // This encoder writes no sums: the content has its own.
            // The last byte of bzip2 is in part padding.
            if ending != "zst" && (ending != "bz2" || at < packed.len() - 1) {
                let (lines, code) = check(&folder, "altered");
                assert_ne!(code, 0, "{ending} altered at {at}: {lines:?}");
            }
            let (_, code, said) = outcome(&folder, &["convert", "cut", "out.lime"]);
            assert!(code != 0 && !folder.path().join("out.lime").exists(), "{ending} cut at {at}: {said}");
        }
        let more = [packed, b"more".to_vec()].concat();
        let (lines, code) = check(&folder_with(&[("more", &more)]), "more");
        assert_eq!(code, 1, "{ending}");
        let is_said = lines[0].contains(": a frame is followed by other bytes [compression-damaged]");
        assert!(is_said || ending != "zst", "{lines:?}");
    }
}

#[test]
fn each_file_of_an_archive_has_a_report() {
    let (whole, mut damaged) = (lime(), lime());
    let at = damaged.len() / 2;
    damaged[at] ^= 1;
    let archive =
        tar(&[("run/", b""), ("run/lat.0360", &whole), ("run/README", b"text"), ("run/lat.0370", &damaged)]);
    for (name, bytes) in
        [("old.tar", archive.clone()), ("old.tar.gz", gzip(&archive)), ("old.tar.xz", xz(&archive))]
    {
        let folder = folder_with(&[(name, &bytes)]);
        let (lines, code) = check(&folder, name);
        assert_eq!(lines[0], format!("{name}!run/lat.0360: OK"));
        assert!(lines[1].starts_with(&format!("{name}!run/lat.0370: WRONG: ")), "{lines:?}");
        assert_eq!(lines[2], format!("{name}!run/README: SKIPPED: no known format"));
        assert_eq!((lines.len(), code), (4, 1));
        // Also as an entry of a directory, and one of its files alone.
        assert_eq!(check(&folder, ".").0.len(), 4);
        let one = format!("{name}!run/lat.0360");
        assert_eq!(check(&folder, &one), (vec![format!("{one}: OK"), lines_of_one()], 0));
        let (_, code, said) = outcome(&folder, &["convert", &one, "new.lime"]);
        assert_eq!(code, 0, "{said}");
        let (_, code, said) = outcome(&folder, &["diff", "--data", "new.lime", &one]);
        assert_eq!(code, 0, "{said}");
        let (_, code, said) = outcome(&folder, &["convert", name, "no.lime"]);
        assert!(code == 2 && said.contains("archive of several files; name one, such as"), "{said}");
        let (_, code, said) = outcome(&folder, &["export", &format!("{name}!run/lat.0380"), "no.npy"]);
        assert!(code == 1 && said.contains("there is no file run/lat.0380 in the archive"), "{said}");
    }
}

fn lines_of_one() -> String {
    "1 file: 1 OK, 0 UNVERIFIED, 0 WRONG, 0 UNREADABLE".to_owned()
}

#[test]
fn what_an_archive_lacks_or_hides_is_named() {
    let whole = lime();
    let archive = tar(&[("lat.1", &whole), ("lat.2", &whole)]);
    for (what, bytes) in [
        ("the end", &archive[..archive.len() - 1024]),
        ("a part of a file", &archive[..archive.len() - 2048]),
        ("a file", &archive[..(archive.len() - 1024) / 2]),
    ] {
        let (lines, code) = check(&folder_with(&[("cut.tar", bytes)]), "cut.tar");
        assert!(
            code == 1 && lines.iter().any(|line| line.contains("[archive-damaged]")),
            "{what}: {lines:?}"
        );
    }
    let mut altered = archive.clone();
    altered[3] ^= 1;
    let (lines, code) = check(&folder_with(&[("altered.tar", &altered)]), "altered.tar");
    assert!(code == 1 && lines[0].contains("[archive-damaged]"), "{lines:?}");
    // The beginning of a file is lost.
    let lost = [vec![7; 600], whole[600..].to_vec()].concat();
    let folder = folder_with(&[("lost.tar", &tar(&[("lat.1", &lost), ("lat.2", &whole)]))]);
    let (lines, code) = check(&folder, "lost.tar");
    assert!(code == 1 && lines[1].contains("[file-named-like-data]"), "{lines:?}");
    // An archive in an archive is not read, and not passed over.
    let nested = tar(&[("a.lime.gz", &gzip(&whole)), ("b.lime", &whole)]);
    let (lines, code) = check(&folder_with(&[("nested.tar.gz", &gzip(&nested))]), "nested.tar.gz");
    assert!(code == 1 && lines[0].contains("unpack the outer one first [format-not-read]"), "{lines:?}");
    assert_eq!(lines[1], "nested.tar.gz!b.lime: OK");
}

#[test]
fn what_follows_a_header_of_zeros_is_not_passed_over() {
    let whole = lime();
    let (one, two) = (tar(&[("lat.1", &whole)]), tar(&[("lat.2", &whole)]));
    let second = one.len() - 1024;
    let mut zeroed = tar(&[("lat.1", &whole), ("lat.2", &whole)]);
    zeroed[second..second + 512].fill(0);
    for (what, bytes, expected) in [
        ("a header is zero", zeroed, "there are data behind its end"),
        ("archives were joined", [&one[..], &two].concat(), "there are data behind its end"),
        ("a byte is behind the end", [&one[..], &[0; 9000], &[1]].concat(), "there are data behind its end"),
        ("half of the end is missing", one[..one.len() - 512].to_vec(), "its end is missing"),
        ("a byte of the end is missing", one[..one.len() - 1].to_vec(), "its end is missing"),
    ] {
        for bytes in [gzip(&bytes), bytes] {
            let (lines, code) = check(&folder_with(&[("a.tar", &bytes)]), "a.tar");
            let is_named = lines[1].contains(expected) && lines[1].contains("[archive-damaged]");
            assert!(code == 1 && is_named, "{what}: {lines:?}");
        }
    }
    // Archives of tapes are filled with zeros.
    let (lines, code) = check(&folder_with(&[("a.tar", &[&one[..], &[0; 9000]].concat())]), "a.tar");
    assert_eq!((&*lines[0], code), ("a.tar!lat.1: OK", 0));
}

/// An archive of a file whose extended header has this content.
fn extended(kind: tar::EntryType, extension: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(kind);
    header.set_size(extension.len() as u64);
    header.set_path("extension").expect("a short name");
    header.set_cksum();
    let mut out = tar::Builder::new(Vec::new());
    out.append(&header, extension).expect("memory");
    let extension = out.get_ref().clone();
    [extension, tar(&[("lat.1", &lime())])].concat()
}

#[test]
fn malformed_extended_headers_are_damage() {
    let size = lime().len().to_string();
    let good = format!("{} size={size}\n", size.len() + 9);
    for (extension, is_good) in [
        (good.as_bytes(), true),
        (b"12 comment=x\n", false),
        (b"13 comment=x\n12 size=12x4\n", false),
        (b"13 comment=x\n", true),
        (b"without a length\n", false),
    ] {
        for kind in [tar::EntryType::XHeader, tar::EntryType::XGlobalHeader] {
            if kind.is_pax_global_extensions() && extension == good.as_bytes() {
                continue;
            }
            let (lines, code) = check(&folder_with(&[("a.tar", &extended(kind, extension))]), "a.tar");
            let is_named = lines[0].contains("an extended header is malformed [archive-damaged]");
            let text = String::from_utf8_lossy(extension);
            assert_eq!((code, is_named), (i32::from(!is_good), !is_good), "{text}: {lines:?}");
        }
    }
}

#[test]
fn names_in_an_archive_lead_nowhere() {
    let whole = lime();
    let names = ["../up.lime", "/etc/root.lime", "a\nb.lime", "./x/../y.lime", "\x1b[31m.lime"];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &whole[..])).collect();
    let folder = folder_with(&[("in.tar", &tar(&files))]);
    let (lines, code) = check(&folder, "in.tar");
    assert_eq!((lines.len(), code), (names.len() + 1, 0), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains('\x1b')));
    let entries = std::fs::read_dir(folder.path()).expect("a directory").count();
    assert_eq!(entries, 1);
}

#[test]
fn entries_that_are_no_files_are_not_followed() {
    let mut out = tar::Builder::new(Vec::new());
    for (name, kind) in [
        ("link.lime", tar::EntryType::Symlink),
        ("hard.lime", tar::EntryType::Link),
        ("pipe.lime", tar::EntryType::Fifo),
        ("sparse.lime", tar::EntryType::GNUSparse),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_path(name).expect("a short name");
        header.set_entry_type(kind);
        header.set_size(0);
        header.as_gnu_mut().expect("a header of GNU").realsize.copy_from_slice(b"00000000000\0");
        if kind.is_symlink() || kind.is_hard_link() {
            header.set_link_name("/etc/passwd").expect("a short name");
        }
        header.set_cksum();
        out.append(&header, &b""[..]).expect("memory");
    }
    let folder = folder_with(&[("in.tar", &out.into_inner().expect("memory"))]);
    let (lines, code) = check(&folder, "in.tar");
    let is_named = lines.iter().any(|line| line.starts_with("in.tar!sparse.lime: WRONG: "));
    assert!(is_named && code == 1, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains(": SKIPPED: a ")).count(), 3, "{lines:?}");
}

#[test]
fn a_bomb_is_refused_without_being_kept() {
    // Zeros, compressed to 4 bytes for each 128 KiB.
    let mut bomb = b"\x28\xb5\x2f\xfd\0\x58".to_vec();
    for _ in 0..600 {
        bomb.extend_from_slice(&[2, 0, 16, 0]);
    }
    bomb.extend_from_slice(&[3, 0, 16, 0]);
    let folder = folder_with(&[("bomb.lime.zst", &bomb)]);
    let (lines, code) = check(&folder, "bomb.lime.zst");
    assert!(code == 1 && lines[0].contains("this is not a file of lattice QCD"), "{lines:?}");
    // A long name that is none: headers have a limit.
    let mut header = tar::Header::new_gnu();
    header.set_path("././@LongLink").expect("a short name");
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(8 << 20);
    header.set_cksum();
    let mut out = tar::Builder::new(Vec::new());
    out.append(&header, &vec![b'x'; 8 << 20][..]).expect("memory");
    let folder = folder_with(&[("long.tar", &out.into_inner().expect("memory"))]);
    let (lines, code) = check(&folder, "long.tar");
    assert!(code == 1 && lines[0].contains("a header is longer than 1 MB [archive-damaged]"), "{lines:?}");
}

#[test]
fn a_packed_input_is_not_replaced_by_its_content() {
    let whole = lime();
    let packed = gzip(&whole);
    let folder = folder_with(&[("a.lime.gz", &packed)]);
    let (_, code, said) = outcome(&folder, &["convert", "--force", "a.lime.gz", "a.lime.gz"]);
    assert!(code == 2 && said.contains("choose another name"), "{said}");
    assert_eq!(std::fs::read(folder.path().join("a.lime.gz")).expect("a file"), packed);
}

/// As in a directory.
#[test]
fn what_is_packed_or_lost_in_an_archive_is_not_unrelated() {
    let whole = lime();
    let mut damaged = gzip(&whole);
    damaged[0] ^= 1;
    for (name, content, expected) in [
        ("a.gz", gzip(&whole), "unpack the outer one first [format-not-read]"),
        ("lat.0100", bzip2(&whole), "unpack the outer one first [format-not-read]"),
        ("old", tar(&[("b", &whole)]), "unpack the outer one first [format-not-read]"),
        ("hole", vec![0; 5000], "[file-begins-with-zeros]"),
        ("conf.gz", damaged, "the gzip data are damaged within the first 6 bytes: they do not begin so"),
        ("b.TAR", vec![b'x'; 2000], "the tar archive is damaged: it begins with no header [archive-damaged]"),
    ] {
        let archive = tar(&[("README", b"text"), (name, &content)]);
        for archive in [gzip(&archive), archive] {
            let (lines, code) = check(&folder_with(&[("in", &archive)]), "in");
            let is_named =
                lines[0].starts_with(&format!("in!{name}: WRONG: ")) && lines[0].contains(expected);
            assert!(code == 1 && is_named, "{lines:?}");
        }
    }
}

/// A header of tar for a file of this type.
fn entry(out: &mut tar::Builder<Vec<u8>>, typed: u8, name: &str, content: &[u8]) {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::new(typed));
    header.set_size(content.len() as u64);
    header.set_path(name).expect("a name");
    header.set_cksum();
    out.append(&header, content).expect("memory");
}

#[test]
fn labels_are_no_files_and_parts_of_files_are_not_read() {
    let whole = lime();
    let mut out = tar::Builder::new(Vec::new());
    entry(&mut out, b'V', "tape 7", b"");
    entry(&mut out, b'0', "lat.1", &whole);
    let labelled = out.into_inner().expect("memory");
    let mut out = tar::Builder::new(Vec::new());
    entry(&mut out, b'M', "lat.1", &whole[5000..]);
    let rest = out.into_inner().expect("memory");
    let folder = folder_with(&[("l.tar", &labelled), ("r.tar", &rest)]);
    let (lines, code) = check(&folder, "l.tar");
    assert_eq!((&*lines[0], lines.len(), code), ("l.tar!lat.1: OK", 2, 0), "{lines:?}");
    let (lines, code) = check(&folder, "r.tar");
    assert!(code == 1 && lines[0].contains("the rest of a file that begins in another volume"), "{lines:?}");
    let (lines, code, said) = outcome(&folder, &["manifest", "."]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("r.tar!lat.1: the rest of a file in an archive is not read"), "{said}");
    assert!(!lines.concat().contains("tape 7"), "{lines:?}");
}

#[test]
fn a_compressed_file_without_an_archive_has_no_files() {
    let folder = folder_with(&[("a.lime.gz", &gzip(&lime()))]);
    let (lines, code, _) = outcome(&folder, &["check", "--quiet", "a.lime.gz!name"]);
    assert!(
        code == 2 && lines[0].starts_with("a.lime.gz!name: UNREADABLE: this is a compressed file"),
        "{lines:?}"
    );
}

#[test]
fn zip_files_in_an_archive_are_named_and_those_with_data_are_not_skipped() {
    let zip = |name: &str| {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([0; 22]);
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(name.as_bytes());
        bytes.extend([1; 100]);
        bytes
    };
    let archive = tar(&[
        ("notes.zip", &zip("notes.txt")),
        ("backup.zip", &zip("lat.0100.ildg")),
        ("log.lz4", b"\x04\x22\x4d\x18 and more"),
        ("lat.0200.ildg.lz4", b"\x04\x22\x4d\x18 and more"),
    ]);
    let folder = folder_with(&[("a.tar", &archive)]);
    let (lines, code) = check(&folder, "a.tar");
    assert_eq!(code, 1, "{lines:?}");
    let said = |name: &str| lines.iter().find(|line| line.starts_with(name)).expect(name);
    assert_eq!(said("a.tar!notes.zip"), "a.tar!notes.zip: SKIPPED: this is zip");
    assert_eq!(said("a.tar!log.lz4"), "a.tar!log.lz4: SKIPPED: this is lz4");
    assert!(said("a.tar!backup.zip").contains(": WRONG: "), "{lines:?}");
    assert!(said("a.tar!lat.0200.ildg.lz4").contains(": WRONG: "), "{lines:?}");
}

#[test]
fn a_manifest_says_why_an_archive_is_wrong() {
    let (whole, mut damaged) = (lime(), lime());
    damaged[100_000] ^= 1;
    let folder =
        folder_with(&[("a.tar", &tar(&[("lat.1", &whole), ("lat.2", &damaged), ("lat.3", &damaged)]))]);
    let (_, code, said) = outcome(&folder, &["manifest", "."]);
    let expected = "linkstream: a.tar: wrong: a.tar!lat.2: checksum-mismatch";
    assert!(code == 1 && said.starts_with(expected) && said.ends_with(", and 1 more\n"), "{said}");
}
