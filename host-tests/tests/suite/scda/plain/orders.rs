//! Calls of the encoder in any order: each is accepted or refused as documented, a refused one changes nothing, and the
//! result is a valid file. The encoder is saved and loaded at every call.

use crate::scda::model::strategy::{count, counts, styles};
use crate::scda::model::{count_line, drive, padding};
use linkstream::Encode as _;
use linkstream::Mode;
use linkstream::Resumable as _;
use linkstream::scda::{Count, EncodeErrorKind, Encoder, PlainDecoder, Style};
use proptest::collection::vec;
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Call {
    /// Lengths of vendor and user string.
    Header(usize, usize),
    Inline(usize),
    Block(usize, u128),
    Array(usize, u128, u128),
    Varray(usize, u128),
    Size(u64),
    /// A number of bytes, all of this value.
    Data(usize, u8),
    /// All missing data, if they are few.
    Rest(u8),
    End,
    Finish,
}

/// Mostly small counts, so that sections get completed.
fn few() -> impl Strategy<Value = u128> {
    prop_oneof![4 => 0..5_u128, 1 => counts()]
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let user = || prop_oneof![9 => 0..=58_usize, 1 => 59..70_usize];
    let byte = || prop::sample::select(b"\nx".as_slice());
    let call = prop_oneof![
        2 => (0..22_usize, user()).prop_map(|(vendor, user)| Call::Header(vendor, user)),
        2 => user().prop_map(Call::Inline),
        2 => (user(), few()).prop_map(|(user, e)| Call::Block(user, e)),
        2 => (user(), few(), few()).prop_map(|(user, n, e)| Call::Array(user, n, e)),
        2 => (user(), few()).prop_map(|(user, n)| Call::Varray(user, n)),
        4 => prop_oneof![9 => 0..30_u64, 1 => any::<u64>()].prop_map(Call::Size),
        2 => (0..5_usize, byte()).prop_map(|(length, byte)| Call::Data(length, byte)),
        4 => byte().prop_map(Call::Rest),
        6 => Just(Call::End),
        1 => Just(Call::Finish),
    ];
    (any::<bool>(), vec(call, 0..40)).prop_map(|(header, mut calls)| {
        if header {
            calls.insert(0, Call::Header(5, 5));
        }
        calls
    })
}

/// The state of an open section in the model.
struct Open {
    inline: bool,
    varray: bool,
    sizes_missing: u64,
    /// Offset of the data.
    start: u128,
    length: u128,
    data: Vec<u8>,
}

impl Open {
    fn missing(&self) -> u64 {
        (self.length - self.data.len() as u128) as u64
    }
}

/// A model of the encoder.
struct Model {
    style: Style,
    bytes: Vec<u8>,
    open: Option<Open>,
}

fn fits(length: usize, limit: usize) -> Result<(), EncodeErrorKind> {
    if length > limit { Err(EncodeErrorKind::StringTooLong { length, limit }) } else { Ok(()) }
}

/// `Ok` if a section whose data begin at `start` ends within 64-bit offsets.
fn within_64_bits(start: u128, length: u128) -> Result<(), ()> {
    let end = start.checked_add(length).ok_or(())?;
    let padded = (end + 7).next_multiple_of(32);
    if padded <= u128::from(u64::MAX) { Ok(()) } else { Err(()) }
}

impl Model {
    fn begin(&mut self, letter: u8, user: usize, n: u128, e: u128) -> Result<(), EncodeErrorKind> {
        if self.open.is_some() {
            return Err(EncodeErrorKind::SectionOpen);
        }
        if self.bytes.is_empty() {
            return Err(EncodeErrorKind::HeaderOrder);
        }
        // The error in the counts takes precedence over a string that is too long.
        let too_long = EncodeErrorKind::TooLong { count: count(n.max(e)) };
        let here = self.bytes.len() as u128;
        let (start, length) = match letter {
            b'I' => (here + 64, Some(32)),
            b'B' => (here + 96, Some(e)),
            b'A' => (here + 128, n.checked_mul(e)),
            _ => (here + 96 + 32 * n, Some(0)),
        };
        let length = length.ok_or(too_long)?;
        within_64_bits(start, length).map_err(|()| too_long)?;
        fits(user, 58)?;
        let lines: &[(u8, u128)] = match letter {
            b'I' => &[],
            b'B' => &[(b'E', e)],
            b'A' => &[(b'N', n), (b'E', e)],
            _ => &[(b'N', n)],
        };
        let file = crate::scda::model::build(self.style, b"", &vec![b'u'; user], &[]);
        self.bytes.push(letter);
        self.bytes.extend_from_slice(&file[33..96]);
        for (letter, value) in lines {
            self.bytes.extend(count_line(self.style, *letter, *value));
        }
        let varray = letter == b'V';
        let sizes_missing = if varray { n as u64 } else { 0 };
        self.open =
            Some(Open { inline: letter == b'I', varray, sizes_missing, start, length, data: Vec::new() });
        Ok(())
    }

    fn call(&mut self, call: &Call) -> Result<(), EncodeErrorKind> {
        match *call {
            Call::Header(vendor, user) => {
                if !self.bytes.is_empty() {
                    return Err(EncodeErrorKind::HeaderOrder);
                }
                fits(vendor, 20)?;
                fits(user, 58)?;
                self.bytes =
                    crate::scda::model::build(self.style, &vec![b'v'; vendor], &vec![b'u'; user], &[]);
                Ok(())
            }
            Call::Inline(user) => self.begin(b'I', user, 0, 0),
            Call::Block(user, e) => self.begin(b'B', user, 0, e),
            Call::Array(user, n, e) => self.begin(b'A', user, n, e),
            Call::Varray(user, n) => self.begin(b'V', user, n, 0),
            Call::Size(size) => {
                let open = self.open.as_mut().ok_or(EncodeErrorKind::NoSection)?;
                if !open.varray || open.sizes_missing == 0 {
                    return Err(EncodeErrorKind::SizeUnexpected);
                }
                let length = open.length + u128::from(size);
                within_64_bits(open.start, length)
                    .map_err(|()| EncodeErrorKind::TooLong { count: Count::from(size) })?;
                (open.length, open.sizes_missing) = (length, open.sizes_missing - 1);
                self.bytes.extend(count_line(self.style, b'E', size.into()));
                Ok(())
            }
            Call::Data(length, byte) => {
                let open = self.open.as_mut().ok_or(EncodeErrorKind::NoSection)?;
                if open.sizes_missing > 0 {
                    return Err(EncodeErrorKind::SizesMissing { missing: open.sizes_missing });
                }
                let (offered, room) = (length as u64, open.missing());
                if offered > room {
                    return Err(EncodeErrorKind::DataTooLong { offered, room });
                }
                open.data.extend(vec![byte; length]);
                self.bytes.extend(vec![byte; length]);
                Ok(())
            }
            Call::Rest(_) => unreachable!("replaced by a call for data"),
            Call::End => {
                let open = self.open.as_ref().ok_or(EncodeErrorKind::NoSection)?;
                if open.sizes_missing > 0 {
                    return Err(EncodeErrorKind::SizesMissing { missing: open.sizes_missing });
                }
                if open.missing() > 0 {
                    return Err(EncodeErrorKind::DataTooShort { missing: open.missing() });
                }
                if !open.inline {
                    self.bytes.extend(padding(self.style, &open.data));
                }
                self.open = None;
                Ok(())
            }
            Call::Finish => match (&self.open, self.bytes.len()) {
                (Some(_), _) => Err(EncodeErrorKind::SectionOpen),
                (None, 0) => Err(EncodeErrorKind::HeaderOrder),
                (None, _) => Ok(()),
            },
        }
    }
}

fn perform(encoder: &mut Encoder, call: &Call) -> Result<Vec<u8>, EncodeErrorKind> {
    let user = |length: usize| vec![b'u'; length];
    match *call {
        Call::Header(vendor, n) => encoder.header(&vec![b'v'; vendor], &user(n)).map(<[u8]>::to_vec),
        Call::Inline(n) => encoder.inline(&user(n)).map(<[u8]>::to_vec),
        Call::Block(user_len, e) => encoder.block(&user(user_len), count(e)).map(<[u8]>::to_vec),
        Call::Array(user_len, n, e) => encoder.array(&user(user_len), count(n), count(e)).map(<[u8]>::to_vec),
        Call::Varray(user_len, n) => encoder.varray(&user(user_len), count(n)).map(<[u8]>::to_vec),
        Call::Size(size) => encoder.size(size).map(|line| line.to_vec()),
        Call::Data(length, byte) => {
            let bytes = vec![byte; length];
            encoder.put(&bytes).map(|()| bytes)
        }
        Call::Rest(_) => unreachable!("replaced by a call for data"),
        Call::End => encoder.end().map(<[u8]>::to_vec),
        Call::Finish => encoder.finish().map(|()| Vec::new()),
    }
}

proptest! {
    #[test]
    fn calls_in_any_order(calls in calls(), style in styles()) {
        let mut encoder = Encoder::new(style);
        let mut model = Model { style, bytes: Vec::new(), open: None };
        let mut bytes = Vec::new();
        for call in calls {
            let call = match call {
                Call::Rest(byte) if encoder.room() < 1000 => Call::Data(encoder.room() as usize, byte),
                Call::Rest(byte) => Call::Data(1, byte),
                other => other,
            };
            let before = encoder.clone();
            let found = perform(&mut encoder, &call);
            prop_assert_eq!(found.as_ref().err().copied(), model.call(&call).err(), "{:?}", call);
            match found {
                Ok(more) => bytes.extend(more),
                Err(_) => prop_assert_eq!(&encoder, &before, "a refused call must change nothing"),
            }
            prop_assert!(bytes == model.bytes, "{:?}: the bytes differ", call);
            prop_assert_eq!(encoder.position(), bytes.len() as u64);
            let known = model.open.as_ref().filter(|open| open.sizes_missing == 0);
            if known.is_some() || model.open.is_none() {
                prop_assert_eq!(encoder.room(), known.map_or(0, Open::missing));
            }
            let loaded = Encoder::load(&encoder.save());
            prop_assert_eq!(loaded.as_ref(), Ok(&encoder));
        }
        if encoder.finish().is_ok() {
            let decoder = PlainDecoder::new(Mode::Strict);
            let trace = drive(&decoder, &bytes).whole();
            prop_assert_eq!(trace.end, Ok(()));
        }
    }
}
