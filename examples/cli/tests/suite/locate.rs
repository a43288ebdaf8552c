//! The sites of a file that are damaged.

use serde_json::Value;
use tempfile::TempDir;

use crate::common::lime::put;
use crate::common::{linkstream, said, status};

/// Sites, and bytes of a site, of the sample.
const SITES: u64 = 512;
const SITE: usize = 288;

fn sample() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

fn go(folder: &TempDir, arguments: &[&str]) -> (String, i32) {
    let mut program = linkstream();
    let output =
        program.current_dir(folder.path()).arg("locate").args(arguments).output().expect("the program runs");
    assert!(status(&output) < 2, "{}", said(&output));
    (String::from_utf8(output.stdout.clone()).expect("text"), status(&output))
}

/// The places of the first field, and where the data begin.
fn places(folder: &TempDir, arguments: &[&str]) -> Vec<Value> {
    let (text, _) = go(folder, &[&["--json"], arguments].concat());
    let object: Value = serde_json::from_str(&text).expect("one object");
    assert_eq!(object["sites"], SITES);
    object["places"].as_array().expect("a list").clone()
}

#[test]
fn every_kind_of_damage_has_its_sites_and_bytes() {
    let folder = TempDir::new().expect("a temporary folder");
    let whole = sample();
    put(&folder, "good.lime", &whole);
    assert_eq!(go(&folder, &["good.lime", "--reference", "good.lime"]).1, 0);
    let output = linkstream()
        .current_dir(folder.path())
        .args(["inspect", "--json", "good.lime"])
        .output()
        .expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one object");
    let offset =
        usize::try_from(report["fields"][0]["data_offset"].as_u64().expect("a number")).expect("small");
    assert_eq!(report["fields"][0]["bytes_per_site"], SITE);
    let at = |site: usize| offset + site * SITE;
    let mut damaged = whole.clone();
    damaged[at(10)..at(13)].fill(0);
    damaged[at(100) + 8..at(100) + 12].copy_from_slice(&f32::NAN.to_be_bytes());
    damaged[at(200)..at(200) + 4].copy_from_slice(&7.0_f32.to_be_bytes());
    // The lowest bit of a number, which only a copy shows.
    damaged[at(300) + 3] ^= 1;
    put(&folder, "bad.lime", &damaged);
    let found = places(&folder, &["bad.lime", "--reference", "good.lime"]);
    let of = |kind: &str| {
        let place =
            found.iter().find(|place| place["kind"] == kind).unwrap_or_else(|| panic!("{kind}: {found:?}"));
        (place["ranges"].to_string(), place["bytes"][0][0].as_u64())
    };
    assert_eq!(of("zero"), ("[[10,13]]".to_owned(), Some(at(10) as u64)));
    assert_eq!(of("not-finite"), ("[[100,101]]".to_owned(), Some(at(100) as u64)));
    assert_eq!(of("not-unitary"), ("[[200,201]]".to_owned(), Some(at(200) as u64)));
    assert_eq!(of("different").0, "[[10,13],[100,101],[200,201],[300,301]]");
    assert_eq!(found.len(), 4);
    let (text, code) = go(&folder, &["bad.lime"]);
    assert_eq!(code, 1);
    let expected = format!("    site 10 (2 2 0 0) to 12 (0 3 0 0), bytes {} to {}\n", at(10), at(13));
    assert!(text.replace(',', "").contains(&expected.replace(',', "")), "{text}");
}

#[test]
fn a_file_that_was_cut_is_read_up_to_its_end() {
    let folder = TempDir::new().expect("a temporary folder");
    let whole = sample();
    let data = whole.windows(16).position(|part| part == b"ildg-binary-data").expect("a data record") + 128;
    // In the middle of site 300, and exactly before it.
    for (end, bytes) in [(300, data + 300 * SITE + 7), (300, data + 300 * SITE), (0, data + 5)] {
        let mut cut = whole[..bytes].to_vec();
        if end > 0 {
            cut[data + 10 * SITE..data + 11 * SITE].fill(0);
        }
        put(&folder, "cut.lime", &cut);
        let found = places(&folder, &["cut.lime"]);
        let missing = found.iter().find(|place| place["kind"] == "missing").expect("missing sites");
        assert_eq!(missing["ranges"].to_string(), format!("[[{end},{SITES}]]"));
        assert_eq!(found.len(), 1 + usize::from(end > 0), "{found:?}");
    }
    // An archive, too.
    let output = linkstream()
        .current_dir(folder.path())
        .args(["convert", "-", "whole.nersc", "--to", "nersc", "--rows", "full"])
        .write_stdin(whole)
        .output()
        .expect("the program runs");
    assert_eq!(status(&output), 0, "{}", said(&output));
    let archive = crate::common::lime::read(&folder, "whole.nersc");
    put(&folder, "cut.nersc", &archive[..archive.len() - 2 * SITE - 1]);
    let found = places(&folder, &["cut.nersc"]);
    assert_eq!((found.len(), found[0]["ranges"].to_string()), (1, format!("[[{},{SITES}]]", SITES - 3)));
    // The header of the next record is broken.
    let mut broken = sample();
    broken[data + 20 * SITE..data + 21 * SITE].fill(0);
    let next = data + usize::try_from(SITES).expect("small") * SITE;
    assert_eq!(broken[next..next + 4], [0x45, 0x67, 0x89, 0xab]);
    broken[next] ^= 1;
    put(&folder, "broken.lime", &broken);
    assert_eq!(places(&folder, &["broken.lime"])[0]["ranges"].to_string(), "[[20,21]]");
    let output = linkstream()
        .current_dir(folder.path())
        .args(["locate", "broken.lime"])
        .output()
        .expect("the program runs");
    assert!(said(&output).contains("what follows is not listed"), "{}", said(&output));
    // A file that ends before its first field is refused.
    put(&folder, "short.lime", &sample()[..500]);
    let output = linkstream()
        .current_dir(folder.path())
        .args(["locate", "short.lime"])
        .output()
        .expect("the program runs");
    assert_eq!(status(&output), 2, "{}", said(&output));
}

#[test]
fn single_links_that_are_zero_are_no_open_boundary() {
    use crate::ildg::boundaries::{LINK, SITE, file, open_in_t, unity};

    let folder = TempDir::new().expect("a temporary folder");
    let kinds = |data: &[u8]| {
        put(&folder, "f", file(data, false).0);
        let (text, code) = go(&folder, &["--json", "f"]);
        let object: Value = serde_json::from_str(&text).expect("one object");
        let places = object["places"].as_array().expect("a list").clone();
        let of = |place: &Value| format!("{} {}", place["kind"].as_str().expect("a word"), place["ranges"]);
        (places.iter().map(of).collect::<Vec<_>>().join(", "), code)
    };
    assert_eq!(kinds(&unity()), (String::new(), 0));
    // All links in t of the last slice: 12 sites of 48.
    assert_eq!(kinds(&open_in_t(unity(), 36)), (String::new(), 0));
    // A lattice without any link is no lattice with open boundaries in all directions.
    assert_eq!(kinds(&vec![0; unity().len()]), ("zero [[0,48]]".to_owned(), 1));
    // Some of them.
    assert_eq!(kinds(&open_in_t(unity(), 40)), ("not-unitary [[40,48]]".to_owned(), 1));
    // One inside the lattice.
    let mut data = open_in_t(unity(), 36);
    data[5 * SITE + LINK..5 * SITE + 2 * LINK].fill(0);
    assert_eq!(kinds(&data), ("not-unitary [[5,6]]".to_owned(), 1));
}

#[test]
fn ranges_that_are_not_listed_are_counted_not_their_sites() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut data = crate::ildg::boundaries::unity()[..SITE].repeat(16 * 16 * 16 * 8);
    // Two of three sites: 10,923 ranges, the last of one site less.
    for site in data.chunks_mut(SITE).enumerate().filter(|(index, _)| index % 3 < 2) {
        site.1.fill(0);
    }
    let format = crate::common::gauge::format("1.2", "su3gauge", 0, 32, [16, 16, 16, 8]);
    put(&folder, "f.lime", crate::common::gauge::ildg(&format, &data));
    let (text, _) = go(&folder, &["--json", "f.lime"]);
    let object: Value = serde_json::from_str(&text).expect("one object");
    let place = &object["places"][0];
    assert_eq!((&place["kind"], &place["sites"]), (&"zero".into(), &21_846.into()));
    assert_eq!(place["ranges_left_out"], 923);
}
