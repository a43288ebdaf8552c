//! Writes link data as a LIME file with SciDAC and ILDG documents and a checksum. Interrupts fill half buffers with the
//! data; each half is written as soon as it is full, without assembling whole sites.
#![no_std]
#![no_main]

use firmware::source::{Source, halves};
use firmware::{Buffers, Failure, File};
use linkstream::CallbackError;
use linkstream::Encode as _;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::FieldWriter;
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord};

firmware::program!(record, File::create);

/// Buffer for the documents. The data are written directly from the half buffers.
static BUFFER: Buffers<[u8; 512]> = Buffers::new([0; 512]);

const EXTENTS: [u32; 4] = [4, 4, 4, 4];
const SITES: u32 = 256;

fn record(file: File) -> Result<(), Failure> {
    let buffer = BUFFER.take().ok_or(Failure::Other("the buffer is lent already"))?;
    let mut writer = FieldWriter::with_encoder(file, &mut buffer[..], Encoder::new());
    begin(&mut writer)?;
    let (document, format) = documents()?;
    let message = OutgoingMessage::scidac(&document, b"simulated links")
        .with_format(&format)
        .with_lfn("lfn://example/record");
    writer.begin(&message)?;

    let mut source = Source::start();
    for _ in 0..halves(SITES) {
        source.next(|bytes| writer.put(&bytes[..]).map_err(CallbackError::into_failed))?;
    }
    let lost = source.stop();
    defmt::info!("{=u32} half buffers written, {=u32} lost", halves(SITES), lost);

    writer.end(&message)?;
    writer.complete()?;
    defmt::info!("{=u64} bytes of file, {}", writer.encoder().position(), writer.encoder().checksum());
    if lost == 0 { Ok(()) } else { Err(Failure::Other("the file was written too slowly")) }
}

#[inline(never)]
fn begin(writer: &mut FieldWriter<File, &mut [u8]>) -> Result<(), Failure> {
    let file = PrivateFile::new(&Extents::new(&EXTENTS).map_err(|_| Failure::Other("no such lattice"))?);
    Ok(writer.write_message(&OutgoingMessage::file(&file, b"written by a board"))?)
}

/// Documents of a field in single precision with 4 links of 3x3 complex numbers per site.
#[inline(never)]
fn documents() -> Result<(PrivateRecord, Format), Failure> {
    let record = PrivateRecord::gauge_field(3, Precision::F32, 4).dated(Date::from_unix(1_704_164_645));
    let kind = GaugeKind::parse(b"su3gauge").ok_or(Failure::Other("no such kind of field"))?;
    Ok((record, Format::new(kind, Precision::F32, EXTENTS)))
}
