//! Readers and writers, with a source and a sink that may return any value or error.

use linkstream::inebin::{self, Value};
use linkstream::io::{
    ArchiveError, ArchiveReader, ArchiveWriter, FieldWriter, Fill, FormatReader, MatrixReader, MatrixWriter,
    ReadError, Reader, RecordReader, RecordWriter, SectionReader, SectionWriter, VolumeReader, VolumeWriter,
    WriteError, Writer,
};
use linkstream::lattice::Checksum;
use linkstream::lime::{Decoder, EncodeErrorKind, Encoder, ErrorKind, HEADER_LEN, Header};
use linkstream::scda::{self, Style};
use linkstream::{Decode, Limits, Mode};
use proofs::{Failure, INPUT, NOWHERE, unknown, used};

use crate::error;
use crate::field;
use crate::limits;

type Stop = ReadError<Failure, ErrorKind>;
type Refusal = WriteError<Failure, EncodeErrorKind>;

pub fn all() {
    reader(Decoder::new(unknown(Mode::Strict)));
    lime_reader();
    record_reader();
    section_reader();
    matrix_reader();
    writer();
    section_writer();
    archives();

    let format = linkstream::Error::new(0, ErrorKind::TypeGarbage);
    used(Stop::from(unknown(format)));
    error::message(Stop::NoProgress);
    error::value(Stop::NoProgress);
    used(Refusal::from(unknown(EncodeErrorKind::NoRecord)));
    error::message(Refusal::NotAtEnd);
    error::value(Refusal::NotAtEnd);
}

/// Calls the methods that [`Reader`] has for every decoder.
pub fn reader<D: Decode + Clone>(decoder: D) {
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    macro_rules! any {
        () => {
            unknown(Reader::new(unknown(INPUT), &mut *buffer, unknown(decoder.clone())))
        };
    }
    used(Reader::next(&mut any!()));
    let mut out = [0; 16];
    used(Reader::read(&mut any!(), unknown::<&mut [u8]>(&mut out)));
    used(Reader::skip(&mut any!()));
    used(Reader::skip_seeking(&mut any!()));
    used(Reader::bytes(&any!()));
    used(Reader::decoder(&any!()));
    used(Reader::decoder_mut(&mut any!()));
    used(Reader::into_parts(any!()));
}

fn lime_reader() {
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    macro_rules! any {
        () => {
            unknown(Reader::new(unknown(INPUT), &mut *buffer, unknown(Decoder::new(Mode::Strict))))
        };
    }
    used(Reader::seek_payload(&mut any!(), unknown(0)));
    used(Reader::seek_record(&mut any!(), unknown(0)));
}

fn record_reader() {
    // The readers of records and fields call their decoder through it:
    // Held::push: Held::finish: Held::demand: Held::skip: Held::position: Held::payload_position: Held::seek: by those
    used(Limits::of_source(&mut unknown(INPUT)));
    // Limits::of_source_async: with the feature `async` only
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    macro_rules! any {
        () => {{
            let decoder = unknown(Decoder::new(Mode::Strict));
            unknown(RecordReader::with_decoder(unknown(INPUT), &mut *buffer, decoder))
        }};
    }
    let mut out = [0; 16];
    let out: &mut [u8] = unknown(&mut out);
    used(RecordReader::next_record(&mut any!()));
    used(RecordReader::find(&mut any!(), unknown(b"type")));
    used(RecordReader::read(&mut any!(), out));
    used(RecordReader::read_into(&mut any!(), out));
    used(RecordReader::for_each(&mut any!(), |bytes| used(bytes)));
    used(RecordReader::for_each_record(&mut any!(), out, |record_type, payload| {
        used((record_type, payload))
    }));
    used(RecordReader::skip_seeking(&mut any!()));
    used(RecordReader::payload_length(&any!()));
    used(FormatReader::resume(&mut any!()));
    used(FormatReader::with_limits(any!(), limits::any()));
    used(RecordReader::record_type(&any!()));
    used(RecordReader::record(&any!()));
    used(FormatReader::decoder(&any!()));
    used(FormatReader::findings(&any!()));
    used(FormatReader::into_parts(any!()));
    used(RecordReader::new(unknown(INPUT), &mut *buffer));
    let records: RecordReader<_, _> =
        FormatReader::with_decoder(unknown(INPUT), &mut *buffer, Decoder::new(unknown(Mode::Strict)));
    used(records);
}

/// Calls the methods of an [`ArchiveReader`] of either format.
macro_rules! archive_reader {
    ($new:expr, $error:ty) => {{
        macro_rules! any {
            () => {
                unknown($new)
            };
        }
        used(ArchiveReader::header(&mut any!()));
        used(ArchiveReader::number_count(&mut any!()));
        used(ArchiveReader::for_each_rank(&mut any!(), used));
        used(ArchiveReader::read_into(&mut any!(), unknown(&mut [0.0_f64; 72])));
        used(ArchiveReader::read_into(&mut any!(), unknown(&mut [0.0_f32; 72])));
        used(ArchiveReader::for_each_site(&mut any!(), |site| {
            used((site.rank(), site.bytes().len()));
            unknown(Err::<(), _>(linkstream::field::SiteError::NoLinks))
        }));
        used(ArchiveReader::skip(&mut any!()));
        used(ArchiveReader::skip_seeking(&mut any!()));
        used(ArchiveReader::verdict(&mut any!()));
        used(ArchiveReader::finish(&mut any!()));
        used(ArchiveReader::with_limits(any!(), limits::any()));
        used(ArchiveReader::with_byte_order(any!(), unknown(linkstream::lattice::ByteOrder::Big)));
        used(ArchiveReader::decoder(&any!()));
        used(ArchiveReader::findings(&any!()));
        used(ArchiveReader::into_parts(any!()));
        error::message(ArchiveError::<Failure, $error>::AlreadyRead);
    }};
}

fn archives() {
    use linkstream::lattice::{ByteOrder, Extents, Precision};
    use linkstream::nersc::{Header, StoredRows};

    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    used(ArchiveReader::nersc(unknown(INPUT), &mut *buffer));
    archive_reader!(ArchiveReader::milc(unknown(INPUT), &mut *buffer), linkstream::milc::ErrorKind);
    archive_reader!(
        ArchiveReader::with_decoder(
            unknown(INPUT),
            &mut *buffer,
            unknown(linkstream::nersc::Decoder::new(unknown(Mode::Strict)))
        ),
        linkstream::nersc::ErrorKind
    );

    let Ok(extents) = Extents::new(unknown(&[2, 2, 2, 2])) else { return };
    let (precision, rows, order) =
        (unknown(Precision::F32), unknown(StoredRows::Reduced), unknown(ByteOrder::Big));
    let Ok(header) = Header::new(extents, precision, rows, order) else { return };
    let mut buffer = [0; 1024];
    let buffer: &mut [u8] = unknown(&mut buffer);
    macro_rules! any {
        () => {
            match ArchiveWriter::create(unknown(NOWHERE), &mut *buffer, &header, unknown(&[("KEY", "value")]))
            {
                Ok(writer) => unknown(writer),
                Err(_) => return,
            }
        };
    }
    used(ArchiveWriter::put(&mut any!(), unknown::<&[f64]>(&[0.0; 72])));
    used(ArchiveWriter::put(&mut any!(), unknown::<&[f32]>(&[0.0; 72])));
    used(ArchiveWriter::put(&mut any!(), Fill::at_most(Fill::sites(field::site_mut), unknown(0))));
    used(ArchiveWriter::put(&mut any!(), unknown::<&[u8]>(&[0; 16])));
    used(ArchiveWriter::encoder(&any!()));
    used(ArchiveWriter::into_parts(any!()));
    used(ArchiveWriter::finish(any!()));
    used(ArchiveWriter::finish_seeking(any!()));
    used(WriteError::<Failure, linkstream::nersc::EncodeErrorKind>::from(unknown(
        linkstream::nersc::EncodeErrorKind::TooMany,
    )));
}

fn section_reader() {
    let (mut buffer, mut table) = ([0; 64], [0; 16]);
    let buffer: &mut [u8] = unknown(&mut buffer);
    let table: &mut [u64] = unknown(&mut table);
    macro_rules! any {
        () => {{
            let decoder = unknown(scda::Decoder::new(Mode::Strict, true));
            let reader = SectionReader::with_decoder(unknown(INPUT), &mut *buffer, decoder);
            unknown(SectionReader::with_table(reader, &mut *table))
        }};
    }
    let (mut out, mut sizes) = ([0; 16], [0; 16]);
    let out: &mut [u8] = unknown(&mut out);
    used(SectionReader::next_section(&mut any!()));
    used(SectionReader::element(&mut any!(), out));
    used(SectionReader::sizes(&mut any!(), unknown::<&mut [u64]>(&mut sizes)));
    used(SectionReader::read(&mut any!(), out));
    used(SectionReader::read_exact(&mut any!(), out));
    used(SectionReader::skip_seeking(&mut any!()));
    used(SectionReader::resume(&mut any!()));
    used(SectionReader::with_limits(any!(), limits::any()));
    used(SectionReader::element_seeking(&mut any!(), unknown(0), out));
    used(SectionReader::section(&any!()));
    used(SectionReader::user(&any!()));
    used(SectionReader::vendor(&any!()));
    used(SectionReader::decoder(&any!()));
    used(SectionReader::findings(&any!()));
    used(SectionReader::into_parts(any!()));
    used(SectionReader::new(unknown(INPUT), &mut *buffer));
    used(SectionReader::with_decoder(
        unknown(INPUT),
        &mut *buffer,
        scda::Decoder::new(unknown(Mode::Strict), false),
    ));
    // SectionReader::unpacking: with the feature `inflate` only
}

fn matrix_decoder() -> inebin::Decoder {
    unknown(inebin::Decoder::new(unknown(Mode::Strict)))
}

fn matrix_reader() {
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    macro_rules! any {
        () => {
            unknown(MatrixReader::with_decoder(unknown(INPUT), &mut *buffer, matrix_decoder()))
        };
    }
    used(MatrixReader::header(&mut any!()));
    used(MatrixReader::columns(&mut any!()));
    used(MatrixReader::entry_count(&mut any!()));
    used(MatrixReader::resume(&mut any!()));
    used(MatrixReader::with_limits(any!(), limits::any()));
    used(MatrixReader::finish(&mut any!()));
    used(MatrixReader::decoder(&any!()));
    used(MatrixReader::findings(&any!()));
    used(MatrixReader::into_parts(any!()));
    used(MatrixReader::new(unknown(INPUT), &mut *buffer));
    used(MatrixReader::with_decoder(
        unknown(INPUT),
        &mut *buffer,
        inebin::Decoder::new(unknown(Mode::Strict)),
    ));
}

fn writer() {
    let any = || unknown(RecordWriter::with_encoder(unknown(NOWHERE), unknown(Encoder::new())));
    let bytes: &[u8] = unknown(b"bytes");
    used(RecordWriter::begin(&mut any(), &unknown(Header::from_bytes([0; HEADER_LEN]))));
    used(RecordWriter::put(&mut any(), bytes));
    used(RecordWriter::end(&mut any()));
    used(RecordWriter::write_record(
        &mut any(),
        unknown(bytes),
        unknown(true),
        unknown(true),
        unknown(bytes),
    ));
    used(RecordWriter::complete(&mut any()));
    used(RecordWriter::finish(any()));
    used(RecordWriter::seek(&mut any(), unknown(0)));
    used(RecordWriter::end_seeking(&mut any()));
    used(RecordWriter::encoder(&any()));
    used(RecordWriter::into_parts(any()));
    used(RecordWriter::create(unknown(NOWHERE)));
    used(RecordWriter::write_message(&mut any(), [(bytes, bytes), (bytes, bytes)]));

    let any = || unknown(Writer::with_encoder(unknown(NOWHERE), unknown(Encoder::new())));
    used(Writer::emit(&mut any(), |encoder| encoder.end()));
    used(Writer::put(&mut any(), bytes));
    used(Writer::complete(&mut any()));
    used(Writer::finish(any()));
    used(Writer::encoder(&any()));
    used(Writer::into_parts(any()));
}

fn section_writer() {
    let any = || unknown(SectionWriter::create(unknown(NOWHERE), unknown(Style::Unix)));
    let encoder = scda::Encoder::new(Style::Unix);
    let bytes: &[u8] = unknown(b"bytes");
    let sizes = || unknown([1_u64, 2, 3]);
    used(SectionWriter::with_encoder(unknown(NOWHERE), unknown(encoder)));
    used(SectionWriter::write_header(&mut any(), bytes, bytes));
    used(SectionWriter::write_inline(&mut any(), bytes, &unknown([0; 32])));
    used(SectionWriter::begin_block(&mut any(), bytes, unknown(0.into())));
    used(SectionWriter::begin_array(&mut any(), bytes, unknown(0.into()), unknown(0.into())));
    used(SectionWriter::begin_varray(&mut any(), bytes, unknown(0), sizes()));
    used(SectionWriter::begin_compressed_block(&mut any(), bytes, unknown(0.into()), unknown(0)));
    used(SectionWriter::begin_compressed_array(&mut any(), bytes, unknown(0), unknown(0.into()), sizes()));
    used(SectionWriter::begin_compressed_varray(&mut any(), bytes, unknown(0), sizes(), sizes()));
    used(SectionWriter::write_block(&mut any(), bytes, bytes));
    used(SectionWriter::write_array(&mut any(), bytes, unknown(3), bytes));
    let mut element = [0; 5];
    let element: &mut [u8] = unknown(&mut element);
    used(SectionWriter::write_array_with(&mut any(), bytes, unknown(3), element, |index, element| {
        used((index, element));
    }));
    used(SectionWriter::write_varray(&mut any(), bytes, [bytes, bytes]));
    used(SectionWriter::put(&mut any(), bytes));
    used(SectionWriter::end(&mut any()));
    used(SectionWriter::complete(&mut any()));
    used(SectionWriter::finish(any()));
    used(SectionWriter::encoder(&any()));
    used(SectionWriter::into_parts(any()));
    // SectionWriter::put_stored: with the feature `inflate` only
}

pub fn field_writer(message: &linkstream::field::OutgoingMessage<'_>) {
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    macro_rules! any {
        () => {
            unknown(FieldWriter::with_encoder(unknown(NOWHERE), &mut *buffer, field::any_encoder()))
        };
    }
    used(FieldWriter::write_message(&mut any!(), message));
    used(FieldWriter::begin(&mut any!(), message));
    used(FieldWriter::put(&mut any!(), unknown::<&[u8]>(b"data")));
    used(FieldWriter::put(&mut any!(), unknown::<&[f32]>(&[0.0; 4])));
    used(FieldWriter::put(&mut any!(), Fill::at_most(Fill::sites(field::site_mut), unknown(0))));
    used(FieldWriter::end(&mut any!(), message));
    used(FieldWriter::write(&mut any!(), message, Fill::sites(field::site_mut)));
    used(FieldWriter::complete(&mut any!()));
    used(FieldWriter::finish(any!()));
    used(FieldWriter::encoder(&any!()));
    used(FieldWriter::into_parts(any!()));
}

pub fn field_jobs() {
    use linkstream::field::{self as content, SiteError};
    use linkstream::io::{FieldData, FieldError, FieldReader};
    use linkstream::lattice::Precision;
    use linkstream::scidac::PrivateRecord;

    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    used(FieldReader::new(unknown(INPUT), &mut *buffer).findings());
    let mode = unknown(Mode::Strict);
    let reader =
        unknown(FieldReader::with_decoder(unknown(INPUT), &mut *buffer, content::Decoder::new(mode)));
    let mut reader = unknown(FieldReader::with_limits(reader, limits::any()));
    used(FieldReader::decoder(&reader));
    used(FieldReader::findings(&reader));
    if let Ok(Some(mut data)) = FieldReader::next_field(&mut reader) {
        used(FieldData::layout(&data).map(|field| content::Field::number_count(field, limits::any())));
        used(FieldData::layout(&data).map(|field| content::Field::byte_count(field, limits::any())));
        used(FieldData::number_count(&data));
        used(FieldData::byte_count(&data));
        used(FieldData::decoder(&data));
        used(FieldData::read_into(&mut data, unknown::<&mut [f32]>(&mut [0.0])));
        used(FieldData::read_into(&mut data, unknown::<&mut [f64]>(&mut [0.0])));
        used(FieldData::read_bytes_into(&mut data, unknown::<&mut [u8]>(&mut [0])));
        used(FieldData::for_each_site(&mut data, |site| -> Result<(), SiteError> {
            used(site.rank());
            unknown(Err(SiteError::NoLinks))
        }));
        used(FieldData::skip(&mut data));
        used(FieldData::skip_seeking(&mut data));
        used(FieldData::verdict(&mut data).map(content::Verdict::require_match));
    }
    used(FieldReader::into_parts(reader));
    let decoder = unknown(content::Decoder::new(mode));
    used(FieldReader::with_decoder(unknown(INPUT), &mut *buffer, decoder).findings());
    error::message(FieldError::<Failure>::AlreadyRead);
    error::value(FieldError::<Failure>::AlreadyRead);

    let Ok(lattice) = crate::lattice::any_extents() else { return };
    let Ok(mut writer) = FieldWriter::create(unknown(NOWHERE), &mut *buffer, lattice) else { return };
    let record = unknown(PrivateRecord::propagator(unknown(Precision::F32)));
    let message = content::OutgoingMessage::scidac(&record, unknown(b"text"));
    used(FieldWriter::write(&mut writer, &message, unknown::<&[f64]>(&[0.0; 4])));
    used(FieldWriter::write(&mut writer, &message, unknown::<&[u8]>(&[0; 4])));
}

/// Calls the functions that read and write values of a matrix.
pub fn matrix<T: Value>(header: &inebin::Header, value: T) {
    let mut buffer = [0; 64];
    let buffer: &mut [u8] = unknown(&mut buffer);
    let mut out = [value; 9];
    macro_rules! any_reader {
        () => {
            unknown(MatrixReader::with_decoder(unknown(INPUT), &mut *buffer, matrix_decoder()))
        };
    }
    used(MatrixReader::next_row(&mut any_reader!(), unknown::<&mut [T]>(&mut out)));
    used(MatrixReader::read(&mut any_reader!(), unknown::<&mut [T]>(&mut out)));
    let place = (unknown(0), unknown(0));
    used(MatrixReader::read_entries_seeking(
        &mut any_reader!(),
        place.0,
        place.1,
        unknown::<&mut [T]>(&mut out),
    ));

    used(MatrixWriter::create(unknown(NOWHERE), &mut *buffer, header));
    let encoder = || unknown(inebin::Encoder::new(header));
    macro_rules! any {
        () => {
            unknown(MatrixWriter::with_encoder(unknown(NOWHERE), &mut *buffer, encoder()))
        };
    }
    used(MatrixWriter::put(&mut any!(), unknown([value; 3])));
    used(MatrixWriter::put_rows(&mut any!(), unknown::<&[T]>(&[value; 3])));
    used(MatrixWriter::put_bytes(&mut any!(), unknown::<&[u8]>(b"bytes")));
    used(MatrixWriter::finish(any!()));
    used(MatrixWriter::encoder(&any!()));
    used(MatrixWriter::into_parts(any!()));
}

/// Calls the functions for reading and writing by several processes.
pub fn volumes(message: &linkstream::field::OutgoingMessage<'_>) {
    let (mut list, mut buffer) = ([0; 8], [0; 64]);
    let decoder = || unknown(linkstream::volume::Decoder::new(unknown(Mode::Strict)));
    let reader =
        unknown(VolumeReader::new(unknown(INPUT), unknown(&mut list), unknown(&mut buffer), decoder()));
    let mut reader = unknown(VolumeReader::with_limits(reader, limits::any()));
    used(VolumeReader::next(&mut reader));
    used(VolumeReader::decoder(&reader));
    used(VolumeReader::decoder_mut(&mut reader));
    used(VolumeReader::for_each_site(&mut reader, |site| {
        used((site.rank(), site.bytes().len()));
        unknown(Err::<(), _>(linkstream::field::SiteError::NoLinks))
    }));
    if let Some(field) = field::any_field() {
        used(VolumeReader::for_each_site_of(&mut reader, &field, |site| used(site.rank())));
        let entries = unknown(0)..unknown(0);
        used(VolumeReader::for_each_site_in(&mut reader, &field, entries, unknown(0), |site| {
            used(site.rank())
        }));
    }
    used(VolumeReader::for_each_rank(&mut reader, used));
    used(VolumeReader::into_parts(unknown(reader)));
    let mut buffer = [0; 64];
    let encoder = linkstream::volume::Encoder::new(
        unknown(linkstream::volume::VolumeKind::First),
        unknown(0),
        unknown(0),
    );
    let mut writer =
        unknown(VolumeWriter::with_encoder(unknown(NOWHERE), unknown(&mut buffer), unknown(encoder)));
    let ranks = unknown([0_u64; 3]);
    used(VolumeWriter::write_file(&mut writer, message, ranks));
    used(VolumeWriter::write(&mut writer, message, ranks, Fill::sites(field::site_mut)));
    used(VolumeWriter::write(&mut writer, message, ranks, unknown::<&[f32]>(&[0.0; 4])));
    used(VolumeWriter::write(&mut writer, message, ranks, unknown::<&[f64]>(&[0.0; 4])));
    used(VolumeWriter::write(&mut writer, message, ranks, unknown::<&[u8]>(b"data")));
    used(VolumeWriter::write_checksum(&mut writer, message, unknown(Checksum::default())));
    let mut buffer = [0; 64];
    let encoder = linkstream::volume::Encoder::new(unknown(linkstream::volume::VolumeKind::Other), 0, 0);
    used(VolumeWriter::complete(&mut writer));
    used(VolumeWriter::encoder(&writer));
    used(VolumeWriter::into_parts(unknown(writer)).1);
    used(VolumeWriter::finish(VolumeWriter::with_encoder(
        unknown(NOWHERE),
        unknown(&mut buffer),
        unknown(encoder),
    )));
}
