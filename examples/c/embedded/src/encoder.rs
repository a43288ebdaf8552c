//! The calls that all encoders have, on checked references.

use linkstream::{Encode, LoadError, Resumable, State, field, lime, scda};

use crate::kinds::{self, Words};
use crate::layout::{Bytes, Description, ErrorOut};
use crate::memory::{Object, Out, Room, Span, Tagged, create, enter, input, look, object_span};
use crate::status::{Outcome, Status};

/// A format that is written.
pub trait Written: Sized {
    /// Distinguishes the objects of this format from others.
    const TAG: u32;
    type Encoder: Encode<ErrorKind = Self::Kind> + Resumable;
    type Kind: Copy;

    fn save(encoder: &Self::Encoder) -> State<Self::Encoder>;
    fn load(state: &State<Self::Encoder>) -> Result<Self::Encoder, LoadError>;
    /// Moves in the payload.
    fn seek(encoder: &mut Self::Encoder, to: u64) -> Result<(), Self::Kind>;
    fn number(kind: &Self::Kind) -> u32;
    fn words(kind: &Self::Kind) -> Words;
}

/// An encoder in an object, with the reason of its last refusal.
#[derive(Debug)]
pub struct Writing<W: Written> {
    pub encoder: W::Encoder,
    /// A size line, which the caller borrows.
    pub line: [u8; scda::COUNT_LEN],
    last: Option<(u64, W::Kind)>,
}

impl<W: Written> Tagged for Writing<W> {
    const TAG: u32 = W::TAG;
}

pub type Handle<W> = *mut Object<Writing<W>>;
pub type Look<W> = *const Object<Writing<W>>;

impl<W: Written> Writing<W> {
    const fn new(encoder: W::Encoder) -> Self {
        Self { encoder, line: [0; scda::COUNT_LEN], last: None }
    }

    /// Keeps the reason, and returns the status for it.
    pub fn refuse(&mut self, kind: W::Kind) -> Status {
        self.last = Some((self.encoder.position(), kind));
        Status::MISUSE
    }
}

pub fn init<W: Written>(encoder: Handle<W>, size: usize, make: impl FnOnce() -> W::Encoder) -> Outcome {
    create(encoder, size, &[], || Ok(Writing::new(make())))
}

/// Works with an encoder that is not finished.
pub fn write<W: Written>(
    encoder: Handle<W>,
    apart: &[Span],
    body: impl FnOnce(&mut Writing<W>) -> Outcome,
) -> Outcome {
    enter(encoder, apart, |writing, ended| if *ended { Err(Status::ENDED) } else { body(writing) })
}

/// The same for a call that returns bytes to be written.
pub fn produce<W: Written>(
    encoder: Handle<W>,
    apart: &[Span],
    out: *mut Bytes,
    body: impl FnOnce(&mut Writing<W>) -> Result<Bytes, W::Kind>,
) -> Outcome {
    let out = Out::new(out)?;
    if apart.iter().any(|span| span.overlaps(out.span())) {
        return Err(Status::OVERLAP);
    }
    // The bytes of the call may not lie in the object either, where the result is written.
    if apart.iter().any(|span| span.overlaps(object_span(encoder))) {
        return Err(Status::OVERLAP);
    }
    enter(encoder, &[out.span()], |writing, ended| {
        if *ended {
            return Err(Status::ENDED);
        }
        let bytes = body(writing).map_err(|kind| writing.refuse(kind))?;
        out.set(bytes);
        Ok(())
    })
}

pub fn push<W: Written>(encoder: Handle<W>, bytes: *const u8, length: usize) -> Outcome {
    let payload = input(bytes, length)?;
    write(encoder, &[Span::of(payload)], |writing| {
        writing.encoder.put(payload).map_err(|kind| writing.refuse(kind))
    })
}

pub fn skip<W: Written>(encoder: Handle<W>, to: u64) -> Outcome {
    write(encoder, &[], |writing| W::seek(&mut writing.encoder, to).map_err(|kind| writing.refuse(kind)))
}

pub fn finish<W: Written>(encoder: Handle<W>) -> Outcome {
    enter(encoder, &[], |writing, ended| {
        if *ended {
            return Err(Status::ENDED);
        }
        writing.encoder.finish().map_err(|kind| writing.refuse(kind))?;
        *ended = true;
        Ok(())
    })
}

fn number<W: Written>(encoder: Look<W>, number: *mut u64, of: impl FnOnce(&W::Encoder) -> u64) -> Outcome {
    let out = Out::new(number)?;
    look(encoder, &[out.span()], |writing, _| {
        out.set(of(&writing.encoder));
        Ok(())
    })
}

pub fn position<W: Written>(encoder: Look<W>, position: *mut u64) -> Outcome {
    number(encoder, position, Encode::position)
}

pub fn room<W: Written>(encoder: Look<W>, room: *mut u64) -> Outcome {
    number(encoder, room, Encode::room)
}

pub fn error<W: Written>(encoder: Look<W>, error: *mut ErrorOut) -> Outcome {
    let out = Out::new(error)?;
    look(encoder, &[out.span()], |writing, _| {
        let of = |(at, kind): &(u64, W::Kind)| ErrorOut::misuse(W::number(kind), *at);
        out.set(writing.last.as_ref().map_or(ErrorOut::default(), of));
        Ok(())
    })
}

pub fn describe<W: Written>(encoder: Look<W>, description: *mut Description) -> Outcome {
    let out = Out::new(description)?;
    look(encoder, &[out.span()], |writing, _| {
        let of = |(_, kind): &(u64, W::Kind)| W::words(kind).description();
        out.set(writing.last.as_ref().map_or(Description::NONE, of));
        Ok(())
    })
}

pub fn save<W: Written>(encoder: Look<W>, bytes: *mut u8, size: usize) -> Outcome {
    let room = Room::new(bytes, size)?;
    look(encoder, &[room.span()], |writing, ended| {
        if ended {
            return Err(Status::ENDED);
        }
        if size < State::<W::Encoder>::LEN {
            return Err(Status::TOO_SMALL);
        }
        room.fill(W::save(&writing.encoder).as_bytes())
    })
}

pub fn load<W: Written>(encoder: Handle<W>, size: usize, bytes: *const u8, length: usize) -> Outcome {
    let saved = input(bytes, length)?;
    create(encoder, size, &[Span::of(saved)], || Ok(Writing::new(W::load(&State::from_bytes(saved)?)?)))
}

/// LIME records.
#[derive(Debug)]
pub struct Lime;

impl Written for Lime {
    const TAG: u32 = 0x4c49_4d45;
    type Encoder = lime::Encoder;
    type Kind = lime::EncodeErrorKind;

    fn save(encoder: &lime::Encoder) -> State<lime::Encoder> {
        encoder.save()
    }

    fn load(state: &State<lime::Encoder>) -> Result<lime::Encoder, LoadError> {
        lime::Encoder::load(state)
    }

    fn seek(encoder: &mut lime::Encoder, to: u64) -> Result<(), lime::EncodeErrorKind> {
        encoder.seek(to)
    }

    fn number(kind: &lime::EncodeErrorKind) -> u32 {
        kinds::lime_number(kind)
    }

    fn words(kind: &lime::EncodeErrorKind) -> Words {
        kinds::lime_words(kind)
    }
}

/// Sections of scda files.
#[derive(Debug)]
pub struct Sections;

impl Written for Sections {
    const TAG: u32 = 0x5343_4445;
    type Encoder = scda::Encoder;
    type Kind = scda::EncodeErrorKind;

    fn save(encoder: &scda::Encoder) -> State<scda::Encoder> {
        encoder.save()
    }

    fn load(state: &State<scda::Encoder>) -> Result<scda::Encoder, LoadError> {
        scda::Encoder::load(state)
    }

    /// There is no call for it: an scda encoder writes from front to back.
    fn seek(_: &mut scda::Encoder, _: u64) -> Result<(), scda::EncodeErrorKind> {
        Err(scda::EncodeErrorKind::NoSection)
    }

    fn number(kind: &scda::EncodeErrorKind) -> u32 {
        kinds::scda_number(kind)
    }

    fn words(kind: &scda::EncodeErrorKind) -> Words {
        kinds::scda_words(kind)
    }
}

/// Messages of SciDAC and ILDG files.
#[derive(Debug)]
pub struct Fields;

impl Written for Fields {
    const TAG: u32 = 0x4649_4545;
    type Encoder = field::Encoder;
    type Kind = field::EncodeErrorKind;

    fn save(encoder: &field::Encoder) -> State<field::Encoder> {
        encoder.save()
    }

    fn load(state: &State<field::Encoder>) -> Result<field::Encoder, LoadError> {
        field::Encoder::load(state)
    }

    fn seek(encoder: &mut field::Encoder, to: u64) -> Result<(), field::EncodeErrorKind> {
        encoder.seek(to)
    }

    fn number(kind: &field::EncodeErrorKind) -> u32 {
        kinds::field_number(kind)
    }

    fn words(kind: &field::EncodeErrorKind) -> Words {
        kinds::field_words(kind)
    }
}
