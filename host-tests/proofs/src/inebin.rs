use linkstream::Resumable as _;
use linkstream::inebin::{
    Complex, Decoder, EncodeErrorKind, Encoder, Entries, EntriesError, ErrorKind, Event, HEADER_LEN, Header,
    MatrixType, Rows, Run, Value,
};
use linkstream::{Decode, Encode, Mode, SeekPayload, State};
use proofs::{unknown, used};

use crate::{error, io, state};

pub fn all() {
    header();
    decoder();
    values::<bool>(true);
    values::<i64>(0);
    values::<f64>(0.0);
    values::<Complex>(Complex::default());
    encoder();
    io::reader(Decoder::new(unknown(Mode::Strict)));
    error::kind(ErrorKind::Trailing);
    error::message(EncodeErrorKind::TooMany);
    error::value(EncodeErrorKind::TooMany);
    error::message(EntriesError::TooManyBytes);
    error::value(EntriesError::TooManyBytes);
    error::message(EntriesError::BufferTooSmall { needed: 0 });
    error::value(EntriesError::BufferTooSmall { needed: 0 });
    error::value(Event::End);
    error::value(Complex::default());
}

/// A header of this type with an unknown shape. It is never `None`.
fn any_header(matrix_type: MatrixType) -> Option<Header> {
    Header::new(unknown(matrix_type), unknown(3), unknown(3)).ok().map(unknown)
}

fn header() {
    used(MatrixType::letter(unknown(MatrixType::Real)));
    used(MatrixType::bits(unknown(MatrixType::Real)));
    used(Header::new(unknown(MatrixType::Real), unknown(0), unknown(0)));
    used(Header::from_bytes(&unknown([0; HEADER_LEN])));
    let Some(header) = any_header(MatrixType::Real) else { return };
    used(Header::to_bytes(&header));
    used(Header::matrix_type(&header));
    used(Header::rows(&header));
    used(Header::columns(&header));
    used(Header::entry_count(&header));
    used(Header::data_length(&header));
    used(Header::file_length(&header));
    used(Header::unused_bits(&header));
    used(Header::place(&header, unknown(0), unknown(0)));
    error::value(header);
    error::value(Header::place(&header, 0, 0));
}

fn decoder() {
    let any = || unknown(Decoder::new(unknown(Mode::Strict)));
    let input: &[u8] = unknown(b"");
    used(Decoder::push(&mut any(), input));
    used(Decoder::finish(&mut any()));
    used(Decoder::demand(&any()));
    used(Decoder::skip(&mut any(), unknown(0)));
    used(Decoder::position(&any()));
    used(Decoder::payload_position(&any()));
    used(Decoder::seek(&mut any(), unknown(0)));
    used(Decoder::header(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(state::any().map(|state| Decoder::load(&state)));
}

fn values<T: Value + PartialEq>(value: T) {
    let Some(header) = any_header(T::TYPE) else { return };
    let input: &[u8] = unknown(b"bytes");
    let entries: Result<Entries<T>, _> = unknown(Entries::new(&header));
    let Ok(entries) = entries else { return };
    let any = || unknown(entries);
    let at: Result<Option<Entries<T>>, _> = Entries::at(&header, unknown(0), unknown(0));
    used(at);
    used(Entries::left(&any()));
    used(Entries::save(&any()));
    // Entries::save_into: as `save`; the length of an array cannot depend on a type parameter.
    used(state::any::<Entries<T>>().map(|state| Entries::load(&state)));
    used(Entries::feed(&mut any(), input, |run| {
        let run = unknown(run);
        used((run.row, run.column));
        used(Run::len(&run));
        // Values::next and size_hint
        used(Run::values(&run).size_hint());
        Run::values(&run).for_each(used);
        let mut out = [value; 9];
        used(Run::copy_to(&run, unknown::<&mut [T]>(&mut out)));
    }));
    let mut buffer = [value; 9];
    let mut rows = unknown(Rows::new(&header, unknown::<&mut [T]>(&mut buffer)));
    if let Ok(rows) = &mut rows {
        used(Rows::feed(unknown(rows), input, |row, values| used((row, values))));
    }

    let mut out = [0; 50];
    let out: &mut [u8] = unknown(&mut out);
    let mut given = core::iter::from_fn(|| unknown(Some(value)));
    used(Encoder::encode(&mut unknown(Encoder::new(&header)), &mut given, out));
    io::matrix::<T>(&header, value);
}

fn encoder() {
    let Some(header) = any_header(MatrixType::Real) else { return };
    let any = || unknown(Encoder::new(&header));
    let bytes: &[u8] = unknown(b"bytes");
    used(Encoder::put(&mut any(), bytes));
    used(Encoder::finish(&any()));
    used(Encoder::header(&any()));
    used(Encoder::room(&any()));
    used(Encoder::position(&any()));
    used(Encoder::save(&any()));
    used(Encoder::save_into(&any(), unknown(&mut [0; State::<Encoder>::LEN])));
    used(state::any().map(|state| Encoder::load(&state)));
    error::value(any());
}
