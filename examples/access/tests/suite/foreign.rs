//! Files as other programs write them: what opening, reading and verifying finds of each file of the manifest, which says
//! what is right.

use std::collections::BTreeSet;

use host_tests::fixtures::Fixtures;
use linkstream_access::{Error, Field, File, Unverified, Verdict};

use crate::reading::read_in_all_ways;
use crate::support::fields;

/// `verified` or `unverified` for each field, or the rule that the file breaks.
const FOUND: [(&str, &str); 50] = [
    ("02-cps-empty-ensemble.nersc", "verified"),
    ("03-grid-su2-full.nersc", "verified"),
    ("03-grid-su4-reduced.nersc", "verified"),
    ("03b-glu-su2-reduced-f32le.nersc", "verified"),
    ("03c-qdp-su5-full-f32.nersc", "verified"),
    ("03d-grid-su4-full-ieee64.nersc", "verified"),
    ("03e-grid-old-su2-as-su3.nersc", "nersc-data-truncated"),
    ("03f-grid-old-su4-as-su3.nersc", "nersc-checksum"),
    ("03g-su2-bitflip.nersc", "nersc-checksum"),
    ("04-ckpoints/ckpoint_lat.10", "verified"),
    ("04-ckpoints/ckpoint_lat.20", "verified"),
    ("04-ckpoints/ckpoint_rng.10", "nersc-datatype"),
    ("04-ckpoints/ckpoint_rng.20", "nersc-datatype"),
    ("05-glu-ildg.lime", "verified"),
    ("05b-glu-scidac.lime", "verified"),
    ("06-openstaple.ildg", "unverified"),
    ("08-cl2qcd.ildg", "verified"),
    ("08b-cl2qcd-bitflip.ildg", "checksum-mismatch"),
    ("09-bqcd.ildg", "verified"),
    ("09b-bqcd-bitflip.ildg", "bqcd-cksum"),
    ("09c-bqcd-wrongplaq.ildg", "verified"),
    ("12b-bridge-no-metadata.ildg", "data-undescribed"),
    ("15-toolbox-le-be-sum.nersc", "nersc-checksum"),
    ("16-tmlqcd-wrong-plaq.ildg", "verified"),
    (
        "18b-cps-prop-c1d12.lime",
        "verified verified verified verified verified verified verified verified verified verified verified verified verified",
    ),
    ("20-milc-ksprop", "format-not-read"),
    ("20b-fnal", "format-not-read"),
    ("20c-milc-v4", "format-not-read"),
    ("20d-hirep", "format-not-read"),
    ("20e-openqcd", "recorded-plaquette-differs"),
    ("20f-openqcd", "unverified"),
    ("20g-mdp.mdp", "format-not-read"),
    ("20h-milc-1996", "format-not-read"),
    ("20i-milc-1996-le", "format-not-read"),
    ("20j-milc-wprop", "format-not-read"),
    ("20k-milc-wprop-le", "format-not-read"),
    ("20l-milc-old-ksprop", "format-not-read"),
    ("20m-milc-v4-64bit", "format-not-read"),
    ("20n-milc-ascii", "format-not-read"),
    ("20o-milc-u1", "format-not-read"),
    ("20p-qlattice.field", "format-not-read"),
    ("22-quda-gauge-D.lime", "verified"),
    ("22b-quda-old-gauge-F.lime", "verified"),
    ("22c-nthmc-D.lime", "verified"),
    ("24c-4096-padded.ildg", "verified"),
    ("25d-checksum-before-data.ildg", "verified"),
    ("25e-checksum-before-damaged.ildg", "checksum-mismatch"),
    ("32-glu-scidac-bitflip.lime", "checksum-mismatch"),
    ("34-tmlqcd-plain.prop", "verified"),
    ("34b-tmlqcd-source.lime", "verified"),
];

fn found(path: &str) -> String {
    let rule = |error: &Error| error.rule().map_or_else(|| error.to_string(), |(_, rule)| rule.to_owned());
    let file = match File::open_path(Fixtures::Ours.join(path)) {
        Ok(file) => file,
        Err(error) => return rule(&error),
    };
    let of_field = |field: &Field| match field.verify() {
        Ok(Verdict::Verified) => "verified".to_owned(),
        Ok(Verdict::Unverified(_)) => "unverified".to_owned(),
        Err(error) => rule(&error),
    };
    file.fields().iter().map(of_field).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_file_of_the_manifest_is_judged() {
    let manifest = String::from_utf8(Fixtures::Ours.read("foreign/MANIFEST.toml")).expect("text");
    let paths = manifest.lines().filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
    let paths: BTreeSet<&str> = paths.collect();
    assert_eq!(paths, FOUND.iter().map(|(path, _)| *path).collect());
    for (path, expected) in FOUND {
        assert_eq!(found(&format!("foreign/{path}")), expected, "{path}");
    }
}

/// The fields of LIME files are read as the codec reads them, in all ways.
#[test]
fn fields_of_other_programs_are_read_in_all_ways() {
    let mut count = 0;
    for (path, expected) in FOUND {
        let path = format!("foreign/{path}");
        let is_lime = Fixtures::Ours.read(&path).starts_with(b"\x45\x67\x89\xab");
        if !is_lime || !expected.ends_with("verified") {
            continue;
        }
        let file = File::open_path(Fixtures::Ours.join(&path)).expect("it can be opened");
        let all = fields(&Fixtures::Ours.read(&path));
        assert_eq!(file.fields().len(), all.len(), "{path}");
        for (field, data) in file.fields().iter().zip(&all) {
            let verdict = read_in_all_ways(field, data);
            assert_eq!(verdict.is_verified(), expected.starts_with("verified"), "{path}");
            count += 1;
        }
    }
    assert!(count > 20, "{count} fields");
}

/// Both files have the same links, in another order.
#[test]
fn links_of_open_qcd_are_read_in_all_ways() {
    let [links] = &fields(&Fixtures::Ours.read("foreign/22-quda-gauge-D.lime"))[..] else {
        panic!("one field")
    };
    let file = File::open_path(Fixtures::Ours.join("foreign/20f-openqcd")).expect("a configuration");
    let verdict = read_in_all_ways(&file.fields()[0], links);
    assert_eq!(verdict, Verdict::Unverified(Unverified::NoChecksum));
}
