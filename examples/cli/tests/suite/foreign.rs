//! Files as other programs write them: what their checksums prove, and what lies beside them in a directory.

use host_tests::fixtures::Fixtures;

use crate::common::{linkstream, said, status};

fn path(name: &str) -> String {
    Fixtures::Ours.join("foreign").join(name).to_str().expect("UTF-8").to_owned()
}

/// Exit status and standard output of `check` with these options.
fn check(name: &str, options: &[&str]) -> (i32, String) {
    let output = linkstream().arg("check").args(options).arg(path(name)).output().expect("the program runs");
    (status(&output), String::from_utf8(output.stdout.clone()).expect("text"))
}

/// Exit status and messages of `convert`.
fn convert(name: &str) -> (i32, String, bool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.lime");
    let mut command = linkstream();
    let output = command.args(["convert", "--for", "any", &path(name)]).arg(&out).output().expect("it runs");
    (status(&output), said(&output), out.exists())
}

#[test]
fn checksums_of_other_programs_are_compared() {
    for name in ["08-cl2qcd.ildg", "25d-checksum-before-data.ildg", "05b-glu-scidac.lime"] {
        let (status, text) = check(name, &["--lenient"]);
        assert!(text.contains("1 of 1 fields verified by checksum"), "{name}: {text}");
        assert_eq!(status, 0, "{name}");
    }
}

#[test]
fn their_damaged_files_are_wrong_in_every_mode_and_never_copied() {
    for name in ["08b-cl2qcd-bitflip.ildg", "25e-checksum-before-damaged.ildg", "32-glu-scidac-bitflip.lime"]
    {
        for options in [&[][..], &["--lenient"]] {
            let (status, text) = check(name, options);
            assert!(text.contains("[checksum-mismatch]"), "{name} {options:?}: {text}");
            assert_eq!(status, 1, "{name} {options:?}");
        }
        let (status, said, is_there) = convert(name);
        assert!(said.contains("[checksum-mismatch]") && !is_there, "{name}: {said}");
        assert_ne!(status, 0, "{name}");
    }
}

/// Each program refuses the damaged file because of the checksum, and takes the good one.
#[test]
fn programs_that_compare_the_checksum_refuse_the_damaged_file() {
    let readers: [(_, _, &[_]); 2] = [
        (
            "08-cl2qcd.ildg",
            "08b-cl2qcd-bitflip.ildg",
            &[("cl2qcd", "CL2QCD"), ("tmlqcd", "tmLQCD"), ("simulateqcd", "SIMULATeQCD")],
        ),
        (
            "05b-glu-scidac.lime",
            "32-glu-scidac-bitflip.lime",
            &[("qio", "QIO"), ("milc", "MILC"), ("simulateqcd", "SIMULATeQCD")],
        ),
    ];
    for (good, damaged, programs) in readers {
        for (program, name) in programs {
            let answer = |file| {
                let (_, text) = check(file, &["--lenient", "--for", program]);
                let answers = text.lines().skip_while(|line| *line != "programs:");
                answers
                    .skip_while(|line| !line.starts_with(&format!("  {name} (")))
                    .take(2)
                    .collect::<String>()
            };
            assert!(answer(good).contains("): accepted"), "{good} {name}: {}", answer(good));
            let answer = answer(damaged);
            let expected = "checksum mismatch: the data do not have the stored checksum";
            assert!(answer.contains("): refused") && answer.contains(expected), "{damaged} {name}: {answer}");
        }
    }
}

/// The checksum record of CL2QCD follows in another message, when the data have been copied.
#[test]
fn a_copy_does_not_warn_about_data_that_a_later_checksum_proves() {
    for name in ["08-cl2qcd.ildg", "25d-checksum-before-data.ildg", "05b-glu-scidac.lime"] {
        let file = path(name);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let out = folder.path().join("out.lime");
        let mut command = linkstream();
        let output = command.args(["convert", &file]).arg(&out).output().expect("the program runs");
        assert!(!said(&output).contains("could not be verified"), "{name}: {}", said(&output));
        assert_eq!(status(&output), 0, "{name}: {}", said(&output));
    }
}

/// Formats that are recognised and not read fail a directory with their name, and are not called unrelated.
#[test]
fn recognised_lattice_data_are_never_unrelated() {
    let formats = [
        ("20-milc-ksprop", "this is a staggered propagator of MILC"),
        ("20b-fnal", "this is FNAL"),
        ("20c-milc-v4", "this is MILC of version 1 to 4"),
        ("20d-hirep", "this is HiRep"),
        ("20e-openqcd", "this is openQCD"),
        ("20g-mdp.mdp", "this is MDP"),
    ];
    for (name, what) in formats {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (from, to) in [(name, "another"), ("08-cl2qcd.ildg", "good.ildg")] {
            std::fs::copy(path(from), folder.path().join(to)).expect("the folder is writable");
        }
        let mut command = linkstream();
        let output = command.args(["check", "-q", "--lenient"]).arg(folder.path()).output().expect("it runs");
        let text = String::from_utf8(output.stdout.clone()).expect("text");
        assert!(text.contains(what) && text.contains("1 OK"), "{name}: {text}");
        assert!(!text.contains("skipped"), "{name}: {text}");
        assert_eq!(status(&output), 1, "{name}: {text}");
    }
}
