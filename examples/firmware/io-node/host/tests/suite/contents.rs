//! Contents of files: damaged files are not stored, and parts of a field equal the file.

use anyhow::{Context as _, Result, bail, ensure};
use io_node_host::card::{Card, SMALL};
use io_node_host::client::Client;
use io_node_host::files;
use io_node_host::machine::Machine;
use io_node_host::peer::digest;
use io_node_host::random::Random;
use linkstream::io::{ArchiveReader, FieldReader};
use linkstream::lattice::{ByteOrder, Precision, Region};
use linkstream::nersc::StoredRows;

#[test]
fn a_damaged_file_is_refused_and_its_name_is_free() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let contents = files::gauge([4, 4, 4, 4], 3)?;
    let mut random = Random::new(3);
    for _ in 0..20 {
        // In the data of the field, which its checksum covers.
        let mut damaged = contents.clone();
        let at = 2000 + random.below(70_000) as usize;
        *damaged.get_mut(at).context("the file is shorter")? ^= 1 << random.below(8);
        let upload = client.put("A.LIM", &damaged)?;
        ensure!(upload.answer.starts_with("error damaged checksum-mismatch at "), "{at}: {upload:?}");
        ensure!(client.last_line("list")? == "ok list 0");
    }
    let upload = client.put("A.LIM", &contents)?;
    ensure!(upload.answer.starts_with("ok stored "), "{upload:?}");
    // The bytes do not have the digest: for instance, the file has changed since it was computed.
    let matrix = files::fixtures()?.into_iter().find(|file| file.path.ends_with("real-large.bin"));
    let matrix = matrix.context("there is no such fixture")?.contents;
    let mut stream = client.connect()?;
    std::io::Write::write_all(
        &mut stream,
        format!("put M {} {}\n", matrix.len(), digest(b"another file")).as_bytes(),
    )?;
    std::io::Write::write_all(&mut stream, &matrix)?;
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer)?;
    let digest = digest(&matrix);
    ensure!(
        answer
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("error digest ") && line.ends_with(&digest))
    );
    ensure!(client.last_line("list")? == "ok list 1");
    drop(machine);
    ensure!(card.read("A.LIM")? == contents);
    card.check()
}

#[test]
fn slices_are_the_sites_of_the_ranks() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let contents = files::configuration()?;
    client.put("A.LIM", &contents)?;
    // 512 sites of 288 bytes.
    let (line, _) = client.bytes("slice A.LIM 0 1")?;
    let start: usize = line.split(' ').nth(2).context("the line has no offset")?.parse()?;
    for ranks in [1, 2, 3, 7, 512] {
        let mut at = start;
        let mut first = 0;
        for rank in 0..ranks {
            let (line, bytes) = client.bytes(&format!("slice A.LIM {rank} {ranks}"))?;
            let sites = 512 / ranks + usize::from(rank < 512 % ranks);
            ensure!(
                line == format!("ok slice {at} {} {first} {sites}", sites * 288),
                "{rank}/{ranks}: {line}"
            );
            ensure!(contents.get(at..at + bytes.len()) == Some(&bytes[..]) && bytes.len() == sites * 288);
            at += sites * 288;
            first += sites;
            if ranks == 512 && rank == 20 {
                break;
            }
        }
    }
    ensure!(client.last_line("slice A.LIM 0 513")?.starts_with("error no-field "));
    Ok(())
}

/// Conversion of bytes to numbers.
type Decode = fn(&[u8]) -> Vec<f64>;

/// Compares the ranges of the sites with the numbers that the library reads from the file.
fn slices_equal(client: &Client, name: &str, contents: &[u8], numbers: &[f64], decode: Decode) -> Result<()> {
    let upload = client.put(name, contents)?;
    ensure!(upload.answer.starts_with("ok stored "), "{name}: {upload:?}");
    for ranks in [1_u32, 3, 5] {
        let mut read = Vec::new();
        let mut next = 0;
        for rank in 0..ranks {
            let (line, bytes) = client.bytes(&format!("slice {name} {rank} {ranks}"))?;
            let words: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
            let &[_, length, first, sites] = &words[..] else { bail!("{name}: {line}") };
            ensure!(line.starts_with("ok slice ") && first == next, "{name}: {line}");
            ensure!(length == bytes.len() as u64, "{name}: {line}");
            next += sites;
            read.extend(decode(&bytes));
        }
        ensure!(read == numbers, "{name}: the values of {ranks} ranks differ");
    }
    Ok(())
}

fn single_little(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect()
}

fn single_big(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|bytes| f64::from(f32::from_be_bytes(*bytes))).collect()
}

fn double_big(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|bytes| f64::from_be_bytes(*bytes)).collect()
}

#[test]
fn slices_have_the_values_that_the_library_reads() -> Result<()> {
    let card = Card::new(SMALL)?;
    let machine = Machine::start(&card)?;
    let client = machine.client();
    let archives: [(_, _, _, Decode); 3] = [
        (Precision::F32, StoredRows::Full, ByteOrder::Little, single_little),
        (Precision::F32, StoredRows::Reduced, ByteOrder::Big, single_big),
        (Precision::F64, StoredRows::Full, ByteOrder::Big, double_big),
    ];
    for (index, (precision, rows, order, decode)) in archives.into_iter().enumerate() {
        let contents = files::archive([2, 4, 2, 4], precision, rows, order, 20 + index as u64)?;
        let mut buffer = [0; 4096];
        let mut archive = ArchiveReader::nersc(&contents[..], &mut buffer);
        let mut numbers = vec![0.0; archive.number_count()?];
        archive.read_into(&mut numbers)?.require_match()?;
        if rows == StoredRows::Reduced {
            // The third row of each link is not in the file.
            numbers = numbers.chunks(18).flat_map(|link| link.iter().take(12)).copied().collect();
        }
        slices_equal(&client, &format!("N{index}"), &contents, &numbers, decode)?;
    }
    let mut fields = 0;
    for sample in files::fixtures()? {
        let is_field = sample.path.components().any(|part| part.as_os_str() == "qio");
        let mut buffer = [0; 8192];
        let mut file = FieldReader::new(&sample.contents[..], &mut buffer);
        let Some((numbers, decode)) = first_field(&mut file).filter(|_| is_field && fields < 12) else {
            continue;
        };
        slices_equal(&client, &sample.name, &sample.contents, &numbers, decode)
            .with_context(|| sample.path.display().to_string())?;
        fields += 1;
    }
    ensure!(fields == 12, "{fields} fields of SciDAC and ILDG files were read");
    // Neither scda nor INEBIN describes a lattice.
    for folder in ["scda", "inebin"] {
        let mut refused = 0;
        for sample in files::fixtures()? {
            if refused == 5 || !sample.path.parent().is_some_and(|parent| parent.ends_with(folder)) {
                continue;
            }
            let upload = client.put(&sample.name, &sample.contents)?;
            ensure!(upload.answer.contains(&format!(" format={folder} ")), "{upload:?}");
            let answer = client.last_line(&format!("slice {} 0 1", sample.name))?;
            ensure!(answer.starts_with("error no-field "), "{}: {answer}", sample.path.display());
            refused += 1;
        }
        ensure!(refused == 5, "{folder}: {refused}");
    }
    drop(machine);
    card.check()
}

/// Numbers of the first field of a file, if that is a lattice field whose checksum agrees.
fn first_field(file: &mut FieldReader<&[u8], &mut [u8; 8192]>) -> Option<(Vec<f64>, Decode)> {
    let mut field = file.next_field().ok()??;
    let layout = field.layout()?;
    let is_lattice = layout.region == Region::Lattice;
    let decode: Decode = match layout.precision? {
        Precision::F32 => single_big,
        _ => double_big,
    };
    let mut numbers = vec![0.0; field.number_count().ok()?];
    let is_match = field.read_into(&mut numbers).is_ok_and(|verdict| verdict.is_match());
    (is_lattice && is_match && numbers.len() >= 5).then_some((numbers, decode))
}
