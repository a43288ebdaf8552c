//! Messages that C programs describe as a structure, as messages of the encoder.

use core::str;
use linkstream::Encode as _;

use linkstream::field::{
    BegunMessage, EncodeErrorKind, Encoder, FieldDocuments, Form, OutgoingMessage, Want,
};
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord, RecordData};

use crate::encoder::{Fields, Handle, Writing, write};
use crate::header::number;
use crate::layout::{Bytes, Message, REGION_GLOBAL, REGION_HYPERCUBE, REGION_LATTICE, WantOut};
use crate::memory::{Out, Room, Span, input, structure};
use crate::status::{Outcome, Status};

/// The texts of a message as slices.
struct Texts<'a> {
    gauge: &'a [u8],
    text: &'a [u8],
    lfn: &'a str,
    update: &'a str,
    record_type: &'a [u8],
    payload: &'a [u8],
    datatype: &'a str,
}

fn slice<'a>(bytes: Bytes) -> Result<&'a [u8], Status> {
    input(bytes.data, bytes.length)
}

fn text<'a>(bytes: Bytes) -> Result<&'a str, Status> {
    str::from_utf8(slice(bytes)?).map_err(|_| Status::ARGUMENT)
}

impl<'a> Texts<'a> {
    fn of(message: &Message) -> Result<Self, Status> {
        Ok(Self {
            gauge: slice(message.gauge)?,
            text: slice(message.text)?,
            lfn: text(message.lfn)?,
            update: text(message.update)?,
            record_type: slice(message.record_type)?,
            payload: slice(message.payload)?,
            datatype: text(message.data.datatype)?,
        })
    }

    fn spans(&self) -> [Span; 7] {
        [
            Span::of(self.gauge),
            Span::of(self.text),
            Span::of(self.lfn.as_bytes()),
            Span::of(self.update.as_bytes()),
            Span::of(self.record_type),
            Span::of(self.payload),
            Span::of(self.datatype.as_bytes()),
        ]
    }
}

fn extents(message: &Message) -> Result<Extents, Status> {
    let dimensions = usize::try_from(message.dimensions).map_err(|_| Status::ARGUMENT)?;
    let extents = message.extents.get(..dimensions).ok_or(Status::ARGUMENT)?;
    Extents::new(extents).map_err(|_| Status::ARGUMENT)
}

fn precision(message: &Message) -> Result<Precision, Status> {
    const SINGLE: u32 = number("LSE_SINGLE");
    const DOUBLE: u32 = number("LSE_DOUBLE");
    match message.precision {
        SINGLE => Ok(Precision::F32),
        DOUBLE => Ok(Precision::F64),
        _ => Err(Status::ARGUMENT),
    }
}

fn form(message: &Message) -> Result<Form, Status> {
    const SCIDAC: u32 = number("LSE_FORM_SCIDAC");
    const BOTH: u32 = number("LSE_FORM_BOTH");
    match message.form {
        SCIDAC => Ok(Form::Scidac),
        FORM_ILDG => Ok(Form::Ildg),
        BOTH => Ok(Form::Both),
        _ => Err(Status::ARGUMENT),
    }
}

fn region(message: &Message) -> Result<Region, Status> {
    let corner = |values: &[u32; 8]| {
        let dimensions = usize::try_from(message.dimensions).ok();
        dimensions.and_then(|dimensions| Coordinates::new(values.get(..dimensions)?)).ok_or(Status::ARGUMENT)
    };
    match message.region {
        REGION_LATTICE => Ok(Region::Lattice),
        REGION_GLOBAL => Ok(Region::Global),
        REGION_HYPERCUBE => {
            let cube = Hypercube::new(corner(&message.lower)?, corner(&message.upper)?, &extents(message)?);
            Ok(Region::Hypercube(cube.map_err(|_| Status::ARGUMENT)?))
        }
        _ => Err(Status::ARGUMENT),
    }
}

fn record_data(message: &Message, datatype: &str) -> Result<RecordData, Status> {
    let data = &message.data;
    let letter = u8::try_from(data.precision).ok().filter(u8::is_ascii_uppercase).ok_or(Status::ARGUMENT)?;
    let letter = [letter];
    let precision = str::from_utf8(&letter).map_err(|_| Status::ARGUMENT)?;
    Ok(RecordData {
        datatype: datatype.try_into().map_err(|_| Status::ARGUMENT)?,
        precision: precision.try_into().map_err(|_| Status::ARGUMENT)?,
        colors: data.colors,
        spins: data.spins,
        typesize: data.typesize,
        datacount: data.datacount,
    })
}

const FORM_ILDG: u32 = number("LSE_FORM_ILDG");
const FILE: u32 = number("LSE_MESSAGE_FILE");
const GAUGE: u32 = number("LSE_MESSAGE_GAUGE");
const DATA: u32 = number("LSE_MESSAGE_DATA");
const LFN: u32 = number("LSE_MESSAGE_LFN");
const FOREIGN: u32 = number("LSE_MESSAGE_FOREIGN");

/// True if a member that the kind of message does not have was set.
fn has_stray_member(message: &Message, texts: &Texts<'_>) -> bool {
    let is = |kinds: &[u32]| kinds.contains(&message.kind);
    let stray = [
        message.reserved != 0 || message.data.reserved != 0,
        (message.precision != 0 || message.form != 0 || !texts.gauge.is_empty()) && !is(&[GAUGE]),
        (!texts.update.is_empty()) && !is(&[GAUGE]),
        message.date != 0 && !is(&[GAUGE, DATA]),
        !texts.text.is_empty() && !is(&[FILE, GAUGE, DATA]),
        !texts.lfn.is_empty() && !is(&[GAUGE, LFN]),
        (message.region != 0 || !texts.datatype.is_empty()) && !is(&[DATA]),
        (!texts.record_type.is_empty() || !texts.payload.is_empty()) && !is(&[FOREIGN]),
        message.dimensions != 0 && !is(&[FILE, GAUGE, DATA]),
    ];
    stray.contains(&true)
}

/// Calls `use_message` with the message of the encoder. Documents are on the stack of this function meanwhile; the
/// encoder copies all that it keeps, and writes documents to the scratch memory.
fn with_message<R>(
    writing: &mut Writing<Fields>,
    message: &Message,
    texts: &Texts<'_>,
    use_message: impl FnOnce(&mut Writing<Fields>, &OutgoingMessage<'_>) -> Result<R, EncodeErrorKind>,
) -> Result<R, Status> {
    if has_stray_member(message, texts) {
        return Err(Status::ARGUMENT);
    }
    let (file, documents);
    let outgoing = match message.kind {
        FILE => {
            file = PrivateFile::new(&extents(message)?);
            OutgoingMessage::file(&file, texts.text)
        }
        GAUGE => {
            let kind = GaugeKind::parse(texts.gauge).ok_or(Status::ARGUMENT)?;
            let made =
                FieldDocuments::gauge_field(kind, precision(message)?, form(message)?, &extents(message)?);
            documents = dated(made.map_err(|kind| writing.refuse(kind))?, message);
            let mut outgoing = documents.message(texts.text);
            if !texts.lfn.is_empty() {
                outgoing = outgoing.with_lfn(texts.lfn);
            }
            if !texts.update.is_empty() {
                outgoing = outgoing.with_update(texts.update);
            }
            outgoing
        }
        DATA => {
            let record =
                PrivateRecord::new(&region(message)?).with_data(record_data(message, texts.datatype)?);
            let record = record.map_err(|found| writing.refuse(EncodeErrorKind::Contradiction(found)))?;
            documents = dated(FieldDocuments::scidac(record), message);
            documents.message(texts.text)
        }
        LFN => OutgoingMessage::lfn(texts.lfn),
        FOREIGN => OutgoingMessage::foreign(texts.record_type, texts.payload),
        _ => return Err(Status::ARGUMENT),
    };
    use_message(writing, &outgoing).map_err(|kind| match kind {
        // The caller has to provide more memory; the message is right.
        EncodeErrorKind::Emit(_, linkstream::xml::EmitError::TooSmall { .. })
        | EncodeErrorKind::BufferTooSmall { .. } => {
            writing.refuse(kind);
            Status::TOO_SMALL
        }
        _ => writing.refuse(kind),
    })
}

/// The documents with their date. Without one, a SciDAC record has the beginning of 1970; others have no place for it.
fn dated(documents: FieldDocuments, message: &Message) -> FieldDocuments {
    let has_place = message.kind == DATA || message.form != FORM_ILDG;
    if has_place || message.date != 0 { documents.dated(Date::from_unix(message.date)) } else { documents }
}

/// The memory of a call with a message: fails if parts of it overlap that must not.
fn check_apart(message: &[Message], texts: &Texts<'_>, scratch: Span) -> Outcome {
    let of_texts = texts.spans();
    if scratch.overlaps(Span::of(message)) || of_texts.iter().any(|span| span.overlaps(scratch)) {
        return Err(Status::OVERLAP);
    }
    Ok(())
}

pub fn begin(
    encoder: Handle<Fields>,
    message: *const Message,
    scratch: *mut u8,
    scratch_size: usize,
) -> Outcome {
    let message = structure(message)?;
    let scratch = Room::new(scratch, scratch_size)?;
    let [one] = message else { return Err(Status::NULL) };
    let texts = Texts::of(one)?;
    check_apart(message, &texts, scratch.span())?;
    write(encoder, &[scratch.span(), Span::of(message)], |writing| {
        with_message(writing, one, &texts, |writing, message| {
            let _begun: BegunMessage<'_> = writing.encoder.begin(message, scratch.bytes())?;
            Ok(())
        })
    })
}

pub fn next(
    encoder: Handle<Fields>,
    message: *const Message,
    scratch: *mut u8,
    scratch_size: usize,
    want: *mut WantOut,
) -> Outcome {
    const NOTHING: u32 = number("LSE_WANT_NOTHING");
    const BYTES: u32 = number("LSE_WANT_BYTES");
    const DATA: u32 = number("LSE_WANT_DATA");
    let out = Out::new(want)?;
    let message = structure(message)?;
    let scratch = Room::new(scratch, scratch_size)?;
    let [one] = message else { return Err(Status::NULL) };
    let texts = Texts::of(one)?;
    check_apart(message, &texts, scratch.span())?;
    Span::all_apart(&[out.span(), scratch.span(), Span::of(message)])?;
    if texts.spans().iter().any(|span| span.overlaps(out.span())) {
        return Err(Status::OVERLAP);
    }
    write(encoder, &[out.span(), scratch.span(), Span::of(message)], |writing| {
        let mut wanted = WantOut {
            tag: NOTHING,
            reserved: 0,
            offset: writing.encoder.position(),
            missing: 0,
            bytes: Bytes::EMPTY,
        };
        if writing.encoder.finish().is_ok() {
            // No message is open: the last one is complete.
            out.set(wanted);
            return Ok(());
        }
        with_message(writing, one, &texts, |writing, message| {
            let scratch = scratch.bytes();
            let begun = writing.encoder.resume(message, scratch)?;
            match Encoder::next(&mut writing.encoder, &begun, scratch)? {
                Want::Bytes(bytes) => {
                    wanted.tag = BYTES;
                    // In the encoder, in the scratch memory, in a text of the caller, or constant.
                    wanted.bytes = Bytes::of(bytes);
                }
                Want::Data(missing) => {
                    wanted.tag = DATA;
                    wanted.missing = missing;
                }
                Want::Nothing => {}
            }
            Ok(())
        })?;
        out.set(wanted);
        Ok(())
    })
}
