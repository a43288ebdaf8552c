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
