//! `convert --for`: `check --for` accepts the files that are written for a program.

use std::path::Path;

use host_tests::fixtures::Fixtures;
use serde_json::Value;

use crate::common::gauge::{go, well};
use crate::common::lime::read;
use crate::common::{linkstream, said, status};

const PROGRAMS: [&str; 12] = [
    "qio",
    "milc",
    "chroma",
    "quda",
    "grid",
    "gpt",
    "tmlqcd",
    "cl2qcd",
    "simulateqcd",
    "lyncs",
    "pyquda",
    "gaugefields",
];

/// Converts a file for a program. Returns the exit status and the messages.
fn convert(folder: &Path, input: &Path, program: &str) -> (i32, String) {
    let mut command = linkstream();
    command.current_dir(folder).arg("convert").arg(input);
    command.args(["out", "--force", "--for", program, "--lfn", "lfn://example/lat", "--field", "0"]);
    let output = command.output().expect("the program runs");
    (status(&output), said(&output))
}

/// The answers of `check --for all`.
fn answers(folder: &Path) -> Vec<Value> {
    let mut command = linkstream();
    let output = command.current_dir(folder).args(["check", "--json", "--for", "all", "out"]).output();
    let output = output.expect("the program runs");
    assert_eq!(status(&output), 0, "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("an object");
    report["readers"].as_array().expect("answers").clone()
}

/// A program is named as its authors write it, too.
#[test]
fn the_case_of_a_name_does_not_matter() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = Fixtures::Ours.join("qio/ildg/ildg_f_4x4x4x8.lime");
    for name in ["Grid", "GPT", "tmLQCD", "lyncs_io", "Gaugefields.jl", "ANY"] {
        let (status, said) = convert(folder.path(), &input, name);
        assert_eq!(status, 0, "{name}: {said}");
    }
    for (name, programs) in [("gpt", 1), ("GPT", 1), ("lyncs_io", 1), ("Gaugefields.JL", 1), ("All", 12)] {
        let mut command = linkstream();
        let output =
            command.current_dir(folder.path()).args(["check", "--json", "--for", name, "out"]).output();
        let report: Value =
            serde_json::from_slice(&output.expect("the program runs").stdout).expect("an object");
        assert_eq!(report["readers"].as_array().expect("answers").len(), programs, "{name}");
    }
}

/// Files of all formats and writers, including file sets. SIMULATeQCD refuses small fields in LIME files.
#[test]
fn programs_accept_what_is_written_for_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let qio = |name: &str| Fixtures::Ours.join("qio").join(name);
    let (mut written, mut refused) = (0, 0);
    for name in [
        "ildg/ildg_d_2x3x4x5.lime",
        "ildg/ildg_f_4x4x4x8.lime",
        "single/gauge_d3_2x3x4x5.lime",
        "single/gauge_f3_4x4x4x8.lime",
        "alien/grid_style.lime",
        "alien/tmlqcd_style.lime",
        "alien/ildg12_rows2.lime",
        "alien/ildg12_lfn_first_d.lime",
        "alien/ildg12_su2gauge.lime",
        "alien/ildg12_u1gauge.lime",
        "alien/xml_prefix_and_quotes.lime",
        "alien/xml_unknown_elements.lime",
        "nersc/n3x2_d.nersc",
        "nersc/n3x3_f.nersc",
        "convert/ildg_part4.lime",
        "multi/part2_ildg.lime",
    ] {
        let of_su3 = !name.contains("su2") && !name.contains("u1");
        let path = if name == "alien/tmlqcd_style.lime" {
            let path = folder.path().join("tmlqcd_style");
            std::fs::write(&path, crate::common::gauge::tmlqcd_style()).expect("a file");
            path
        } else {
            qio(name)
        };
        for program in PROGRAMS {
            let _ = std::fs::remove_file(folder.path().join("out"));
            let (status, said) = convert(folder.path(), &path, program);
            if status == 0 {
                let answer = answers(folder.path()).into_iter().find(|answer| answer["program"] == program);
                assert_eq!(answer.expect("an answer")["answer"], "accepted", "{name} for {program}");
                written += 1;
                continue;
            }
            assert!(status == 1 && !folder.path().join("out").exists(), "{name} for {program}: {said}");
            assert!(said.contains("the file:"), "{name} for {program}: {said}");
            let is_small = program == "simulateqcd" && said.contains("100,000 bytes");
            let is_uneven = program == "cl2qcd" && said.contains("spatial directions");
            // MILC and some other programs read only unitary links.
            assert!(
                !of_su3 || is_small || is_uneven || said.contains("unitar"),
                "{name} for {program}: {said}"
            );
            refused += 1;
        }
    }
    assert!(written >= 120 && refused >= 12, "{written} written, {refused} refused");
}

/// Every program reads the result, except programs that cannot read these data in any form.
#[test]
fn any_is_read_by_nearly_all() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = Fixtures::Ours.join("qio/single/gauge_f3_4x4x4x8.lime");
    let (status, said) = convert(folder.path(), &input, "any");
    assert_eq!(status, 0, "{said}");
    let answers = answers(folder.path());
    let not: Vec<_> = answers.iter().filter(|answer| answer["answer"] != "accepted").collect();
    assert!(not.len() <= 1, "{not:?}");
    for answer in not {
        assert!(said.contains("cannot read the file") || said.contains("misreads"), "{answer}: {said}");
    }
    // No program reads fields of this kind.
    let input = Fixtures::Ours.join("qio/alien/ildg12_u1gauge.lime");
    let (status, said) = convert(folder.path(), &input, "any");
    assert!([0, 1].contains(&status) && said.contains("cannot read"), "{said}");
}

/// GPT compares sums as text padded with spaces, SIMULATeQCD without padding. One of the sums here begins with two
/// zeros.
#[test]
fn sums_are_written_as_the_program_compares_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = Fixtures::Ours.join("qio/ildg/ildg_f_4x4x4x8.lime");
    let input = input.to_str().expect("text");
    for (program, sum) in
        [("gpt", "<suma>  7e3b18<"), ("simulateqcd", "<suma>7e3b18<"), ("any", "<suma>7e3b18<")]
    {
        let done =
            go(&folder, &["convert", input, "out", "--force", "--for", program, "--precision", "64"], b"");
        assert_eq!(status(&done), 0, "{}", said(&done));
        let text = String::from_utf8_lossy(&read(&folder, "out")).into_owned();
        assert!(text.contains(sum), "{program}");
        // Only the last record differs from the plain file, and it is complete.
        well(&folder, &["check", "--lenient", "out"], b"");
        assert_eq!(said(&done).contains("GPT cannot read"), program == "any", "{}", said(&done));
    }
}

#[test]
fn reduced_rows_name_the_programs_that_cannot_read_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = Fixtures::Ours.join("qio/ildg/ildg_d_2x3x4x5.lime");
    let input = input.to_str().expect("text");
    let done = go(&folder, &["convert", input, "out", "--rows", "reduced"], b"");
    assert_eq!(status(&done), 0, "{}", said(&done));
    for program in ["QIO", "Grid", "GPT", "lyncs_io"] {
        assert!(
            said(&done).contains("cannot read the file: ") && said(&done).contains(program),
            "{}",
            said(&done)
        );
    }
    let done = go(&folder, &["convert", input, "full", "--rows", "full"], b"");
    assert!(!said(&done).contains("cannot read"), "{}", said(&done));
    for wrong in [&["--rows", "reduced"][..], &["--to", "both"], &["--volumes", "2"]] {
        let arguments = [&["convert", input, "x", "--for", "any"], wrong].concat();
        assert_eq!(status(&go(&folder, &arguments, b"")), 2, "{wrong:?}");
    }
    assert_eq!(status(&go(&folder, &["convert", input, "x", "--for", "nobody"], b"")), 2);
}

/// Every program that supports archives reads the output of `convert --to nersc`.
#[test]
fn archives_are_read_by_all_who_know_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = Fixtures::Ours.join("qio/ildg/ildg_d_2x3x4x5.lime");
    well(&folder, &["convert", input.to_str().expect("text"), "out", "--to", "nersc"], b"");
    let accepted: Vec<_> = answers(folder.path())
        .into_iter()
        .filter(|answer| answer["answer"] == "accepted")
        .map(|answer| answer["program"].as_str().expect("a name").to_owned())
        .collect();
    assert_eq!(accepted, ["qio", "milc", "chroma", "grid", "gpt", "simulateqcd", "pyquda"]);
}
