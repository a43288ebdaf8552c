//! Checks that what access returns as good is good by the judgement on the report, and the other way round: for every
//! fixture, intact and damaged.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host_tests::fixtures::Fixtures;
use linkstream::inebin::{Complex, MatrixType};
use linkstream::io::FromStd;
use linkstream::lattice::ByteOrder;
use linkstream_access::set::{FIRST, VolumeSource, is_volume};
use linkstream_access::{Error, File, FileFormat, Selection, Verify};
use linkstream_report::findings::Finding;
use linkstream_report::identify::identify;
use linkstream_report::judgement::{Judgement, judge};
use linkstream_report::lime::FieldEntry;
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::survey::{BySeeking, survey};
use linkstream_report::verdict::Verdict;
use linkstream_report::volumes;

/// The options of `check --lenient`.
const OPTIONS: Options = Options::LENIENT;

fn report(bytes: &[u8]) -> Report {
    let Ok((first, format)) = identify(&mut { bytes });
    let (source, size) = (FromStd(io::Cursor::new(bytes)), Some(bytes.len() as u64));
    survey::<BySeeking, _>(source, None, "file", &first, format, size, &OPTIONS).expect("memory can be read")
}

/// Reads everything. Returns whether all of it is verified.
fn read(file: &File) -> Result<bool, Error> {
    let (mut buffer, mut elements) = (vec![0; 4096], vec![0; 1 << 20]);
    match file.format() {
        FileFormat::Inebin => return entries(file, &mut buffer).map(|()| false),
        FileFormat::Scda => return sections(file, &mut buffer, &mut elements).map(|()| true),
        _ => {}
    }
    let mut all = !file.fields().is_empty();
    for field in file.fields() {
        let array = field.array();
        let mut out = vec![0; array.number_count() as usize * array.element.size()];
        all &= field.read_bytes(&Selection::All, &mut out, ByteOrder::Little, Verify::Yes)?.is_verified();
    }
    Ok(all)
}

/// Reads all entries of a matrix.
fn entries(file: &File, buffer: &mut [u8]) -> Result<(), Error> {
    let mut reader = file.matrix_reader(buffer);
    let matrix_type = reader.header()?.matrix_type();
    loop {
        let count = match matrix_type {
            MatrixType::Boolean => reader.read(&mut [false; 99])?,
            MatrixType::Integer => reader.read(&mut [0_i64; 99])?,
            MatrixType::Real => reader.read(&mut [0_f64; 99])?,
            MatrixType::Complex => reader.read(&mut [Complex::default(); 99])?,
        };
        if count == 0 {
            return Ok(reader.finish()?);
        }
    }
}

/// Reads all sections of an scda file, decompressed.
fn sections(file: &File, buffer: &mut [u8], elements: &mut [u8]) -> Result<(), Error> {
    let mut reader = file.section_reader(buffer, elements);
    let mut count = 0;
    while reader.next_section()?.is_some() {
        count += 1;
        while reader.read(&mut [0; 999])? > 0 {}
    }
    assert_eq!(count, file.sections().len());
    Ok(())
}

/// Every report has the same entries, and an unverified file has a reason.
fn reasons(path: &Path, report: &Report) {
    let line = crate::support::json(report);
    for key in
        ["schema", "file", "format", "bytes", "fields", "verdict", "unverified", "error", "findings", "ok"]
    {
        assert!(line.get(key).is_some(), "{}: {key}", path.display());
    }
    assert!(line["error"].is_null() && line["findings"].is_array() && line["fields"].is_array());
    let (reasons, verdict) = (line["unverified"].as_array().expect("a list"), report.verdict());
    match verdict {
        Verdict::Ok => assert!(reasons.is_empty(), "{}: {reasons:?}", path.display()),
        Verdict::Unverified => assert!(!reasons.is_empty(), "{}", path.display()),
        Verdict::Wrong | Verdict::Unreadable => {}
    }
    let (mut parts, coverage) = (0, report.body.coverage());
    for reason in reasons {
        assert!(reason["message"].as_str().is_some_and(|message| message.len() > 10), "{reason}");
        parts += reason["parts"].as_u64().expect("a number");
    }
    let mismatch = usize::from(matches!(verdict, Verdict::Wrong)) * coverage.parts;
    let missing = coverage.parts - coverage.verified;
    assert!(
        parts as usize <= missing && parts as usize + mismatch >= missing,
        "{}: {reasons:?}",
        path.display()
    );
}

/// Rules about the meaning of numbers.
const MEANING: [&str; 5] = [
    "links-not-finite",
    "links-not-unitary",
    "recorded-plaquette-differs",
    "recorded-link-trace-differs",
    "recorded-norm-differs",
];

/// Compares the result of access with the judgement on the same file.
fn compare(name: &str, file: Result<File, Error>, report: &Report, wrong: &mut Vec<String>) {
    // A random-number state has no fields to read.
    if report.state().is_some() {
        assert!(file.is_err(), "{name}");
        return;
    }
    let is_scda = matches!(&file, Ok(file) if file.format() == FileFormat::Scda);
    let read = file.and_then(|file| read(&file));
    let judgement = judge(report);
    // A SciDAC checksum that is OK verifies data that a program cannot have meant. Only `check` reports this.
    let is_proven = |field: &FieldEntry| field.verdict.is_some_and(|verdict| verdict.is_match());
    let is_of_meaning = match (&judgement, &report.body) {
        (Judgement::Damaged(findings), Body::Lime(contents)) => {
            contents.fields.iter().all(is_proven)
                && findings.iter().all(|finding| MEANING.contains(&finding.rule))
        }
        _ => false,
    };
    let is_right = match (&judgement, &read) {
        (Judgement::Damaged(_), Ok(verified)) if is_of_meaning => *verified,
        (Judgement::Damaged(_), read) => !matches!(read, Ok(true)),
        (Judgement::Sound, Ok(verified)) => *verified,
        // Sections have no verdict; damage is an error.
        (Judgement::Unverified | Judgement::Lost(_), Ok(verified)) => !verified || is_scda,
        (Judgement::Lost(_), Err(_)) => true,
        (Judgement::Sound | Judgement::Unverified, Err(_)) => false,
    };
    if !is_right {
        wrong.push(format!("{name}: {:?}, but {read:?}", judgement));
    }
    // Every reason for a refusal is in the report.
    if let Err(error) = &read
        && let Some((class, rule)) = error.rule()
        && !findings(report).any(|found| {
            (found.class, found.rule) == (class, rule) && error.offset().is_none_or(|at| at == found.offset)
        })
    {
        wrong.push(format!(
            "{name}: {rule} at {:?}, but {:?}",
            error.offset(),
            findings(report).collect::<Vec<_>>()
        ));
    }
}

/// All findings of a report, also those about the volumes of a set.
fn findings(report: &Report) -> impl Iterator<Item = &Finding> {
    let set = match &report.body {
        Body::Lime(contents) => contents.set.as_ref(),
        _ => None,
    };
    let volumes = set.into_iter().flat_map(|set| &set.volumes);
    report.findings.as_slice().iter().chain(volumes.flat_map(|volume| volume.findings.as_slice()))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_none_or(|extension| extension != "toml" && extension != "md") {
            found.push(path);
        }
    }
}

#[test]
fn what_is_read_as_good_is_good() {
    let (mut found, mut wrong, mut counts) = (Vec::new(), Vec::new(), [0; 2]);
    files(&Fixtures::Ours.folder(), &mut found);
    found.sort();
    let mut sets: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for path in found {
        let bytes = std::fs::read(&path).expect("a fixture");
        if is_volume(&bytes[..bytes.len().min(FIRST)]) == Some(true) {
            let name = path.with_extension("");
            match sets.last_mut().filter(|(last, _)| *last == name) {
                Some((_, volumes)) => volumes.push(path),
                None => sets.push((name, vec![path])),
            }
            continue;
        }
        let report = report(&bytes);
        reasons(&path, &report);
        compare(&path.display().to_string(), File::open(Arc::new(bytes)), &report, &mut wrong);
        counts[0] += 1;
    }
    for (name, paths) in sets {
        let files: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("a fixture")).collect();
        let source = |(number, bytes): (usize, &Vec<u8>)| VolumeSource {
            name: format!("vol{number:04}"),
            number: Some(number as u64),
            source: Arc::new(bytes.clone()) as _,
        };
        let sources: Vec<VolumeSource<'static, io::Error>> = files.iter().enumerate().map(source).collect();
        let report = volumes::survey(&sources, "set", false, &OPTIONS).expect("memory can be read");
        compare(&name.display().to_string(), File::open_set(&sources), &report, &mut wrong);
        counts[1] += 1;
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts[0] > 500 && counts[1] > 5, "{counts:?}");
}

/// The sum of an archive does not change if sites are exchanged. Data that `check` refuses then are not read as
/// verified either.
#[test]
fn archives_are_measured_when_they_are_verified() {
    for name in ["n3x2_d", "n3x3_d", "n3x2_f_little", "n3x2_f_generic32"] {
        let good = Fixtures::Ours.read(&format!("qio/nersc/{name}.nersc"));
        let text = String::from_utf8_lossy(&good[..400]).into_owned();
        let line = text.lines().find(|line| line.starts_with("PLAQUETTE")).expect("a plaquette");
        let at = text.find(line).expect("the line") + line.find('=').expect("a value") + 2;
        let mut plaquette = good.clone();
        plaquette[at..at + 5].copy_from_slice(b"0.125");
        let (mut sites, end) = (good.clone(), good.len());
        // All of these lattices have 32 sites.
        let size = (end - text_end(&good)) / 32;
        let (first, last) = sites[text_end(&good)..].split_at_mut(size * 16);
        first[..size].swap_with_slice(&mut last[..size]);
        for (bytes, rule) in [(good, None), (plaquette, Some(0)), (sites, Some(0))] {
            let report = report(&bytes);
            let differs = findings(&report).find(|found| found.rule == "recorded-plaquette-differs");
            assert_eq!(differs.map(|found| found.offset), rule, "{name}: {:?}", report.findings);
            let file = File::open(Arc::new(bytes)).expect("an archive");
            let field = file.field(0).expect("a field");
            let ends = [
                read(&file).map(|verified| assert!(verified)),
                field.verify().map(|verdict| assert!(verdict.is_verified())),
                field
                    .stream(&Selection::All, ByteOrder::Little, Verify::Yes, &mut |_| Ok(()))
                    .map(|verdict| assert!(verdict.is_verified())),
            ];
            for end in ends {
                let found = end.as_ref().err().and_then(Error::rule).map(|(_, rule)| rule);
                assert_eq!(found, rule.map(|_| "recorded-plaquette-differs"), "{name}: {end:?}");
                assert_eq!(end.err().map(|error| error.to_string()).is_some(), differs.is_some());
            }
            let is_known = field.verified_slices().is_some();
            assert_eq!(is_known, rule.is_none(), "{name}: slices of a contradicted field are not verified");
        }
    }
}

/// Offset of the links of an archive.
fn text_end(archive: &[u8]) -> usize {
    let mark = b"END_HEADER\n";
    archive.windows(mark.len()).position(|bytes| bytes == mark).expect("a header") + mark.len()
}

/// The reasons of files that no checksum verifies, and of files that were not read.
#[test]
fn unverified_files_have_reasons() {
    let reasons = |name: &str, options: &Options| {
        let report = crate::support::report(&Fixtures::Ours.read(name), options);
        let line = crate::support::json(&report);
        let all = line["unverified"].as_array().expect("a list").iter();
        all.map(|entry| format!("{} {} {}", entry["reason"], entry["parts"], entry["first"]))
            .collect::<Vec<_>>()
    };
    for (name, expected) in [
        ("scda/inline.scda", "\"not-compressed\" 8 1"),
        ("inebin/bool-3x3.bin", "\"format-without-checksum\" 1 null"),
        ("lime/empty.lime", "\"no-data\" 0 null"),
    ] {
        assert_eq!(reasons(name, &OPTIONS), [expected], "{name}");
    }
    let sample = "../../examples/su3-4x4x4x8.lime";
    assert_eq!(reasons(sample, &OPTIONS), [""; 0]);
    let unread = Options { read_data: false, ..OPTIONS };
    assert_eq!(reasons(sample, &unread), ["\"not-read\" 1 0"]);
    assert_eq!(reasons("qio/nersc/n3x2_d.nersc", &unread), ["\"not-read\" 1 0"]);
}
