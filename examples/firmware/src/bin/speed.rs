//! Counts the instructions that the data of a field take: to find their records, to verify their checksum, and to
//! examine every link. QEMU must count instructions (`-icount shift=0`).
#![no_std]
#![no_main]

use embedded_io::{Seek, SeekFrom};
use firmware::board::instructions;
use firmware::links::Look;
use firmware::{Buffers, Failure, File};
use linkstream::field::{self, Event, Field, SiteError, Sites};
use linkstream::io::Reader;
use linkstream::{Mode, lime};

firmware::program!(speed);

static BUFFERS: Buffers<([u8; 512], [u8; 576])> = Buffers::new(([0; 512], [0; 576]));

fn speed(mut file: File) -> Result<(), Failure> {
    let (buffer, site) = BUFFERS.take().ok_or(Failure::Other("the buffers are lent already"))?;
    records(&mut file, buffer)?;
    file.seek(SeekFrom::Start(0))?;
    let checked = data(&mut file, buffer, |_, _| Ok(()))?;
    defmt::info!(
        "checked: {=u64} instructions for {=u64} bytes, {=u64} sites",
        checked.0,
        checked.1,
        checked.2
    );
    file.seek(SeekFrom::Start(0))?;
    let mut sites = Sites::new(site);
    let mut look = Look::default();
    let seen = data(&mut file, buffer, |field, bytes| {
        if bytes.is_empty() {
            return Ok(sites.begin(field)?);
        }
        let fed = sites.feed(field, bytes, |site| {
            look.add(&site);
            Ok::<(), SiteError>(())
        });
        fed.map_err(|_| Failure::Other("the sites are not handed out"))
    })?;
    defmt::info!("looked at: {=u64} instructions for {=u64} bytes, {=u64} sites", seen.0, seen.1, seen.2);
    Ok(())
}

/// Counts the instructions of reading the LIME records alone.
#[inline(never)]
fn records(file: &mut File, buffer: &mut [u8]) -> Result<(), Failure> {
    let mut decoder = lime::Decoder::new(Mode::Lenient);
    let mut reader = Reader::new(file, buffer, &mut decoder);
    let mut outcome = Ok(());
    let mut bytes = 0;
    let count = instructions(|| {
        loop {
            match reader.next() {
                Ok(Some(lime::Event::Payload)) => bytes += reader.bytes().len() as u64,
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    outcome = Err(Failure::Lime(error));
                    break;
                }
            }
        }
    });
    defmt::info!("records: {=u64} instructions for {=u64} bytes", count, bytes);
    outcome
}

/// Counts the instructions from the first byte of a field's data to its end; returns them with the numbers of bytes and
/// of sites. `each` is called once with no bytes at the beginning of the field, which is not counted, and then with
/// each part of its data.
#[inline(never)]
fn data(
    file: &mut File,
    buffer: &mut [u8],
    mut each: impl FnMut(&Field, &[u8]) -> Result<(), Failure>,
) -> Result<(u64, u64, u64), Failure> {
    let mut decoder = field::Decoder::new(Mode::Lenient);
    let mut reader = Reader::new(file, buffer, &mut decoder);
    while reader.next()? != Some(Event::Field) {}
    let field = *reader.decoder().field().ok_or(Failure::Other("no field"))?;
    each(&field, &[])?;
    let mut outcome = Ok(());
    let count = instructions(|| {
        loop {
            outcome = match reader.next() {
                Ok(Some(Event::Data)) => each(&field, reader.bytes()),
                Ok(Some(Event::FieldEnd(_)) | None) => break,
                Ok(Some(_)) => Ok(()),
                Err(error) => Err(error.into()),
            };
            if outcome.is_err() {
                break;
            }
        }
    });
    outcome?;
    Ok((count, field.data_length().unwrap_or(0), field.sites()))
}
