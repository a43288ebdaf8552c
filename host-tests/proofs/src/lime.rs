use linkstream::Resumable as _;
use linkstream::lime::{
    Decoder, EncodeErrorKind, Encoder, ErrorKind, Event, HEADER_LEN, Header, Record, padding,
};
use linkstream::{Decode, Encode, Error, Mode, SeekPayload, State};
use proofs::{unknown, used};

use crate::{error, state};

pub fn all() {
    header();
    decoder();
    encoder();
    error::kind(ErrorKind::TypeGarbage);
    error::message(EncodeErrorKind::NoRecord);
    error::value(EncodeErrorKind::NoRecord);
}

fn header() {
    used(padding(unknown(0)));
    let text: &[u8] = unknown(b"type");
    used(Header::new(text, unknown(0), unknown(true), unknown(true)));
    let header = unknown(Header::from_bytes(unknown([0; HEADER_LEN])));
    used(Header::as_bytes(&header));
    used(Header::magic(&header));
    used(Header::version(&header));
    used(Header::begins_message(&header));
    used(Header::ends_message(&header));
    used(Header::reserved(&header));
    used(Header::length(&header));
    used(Header::record_type(&header));
    error::value(header);
}

fn decoder() {
    let any = || unknown(Decoder::new(unknown(Mode::Strict)));
    let input: &[u8] = unknown(b"");
    used(unknown(Decoder::at(unknown(0), unknown(Mode::Strict))));
    used(Decoder::push(&mut any(), input));
    used(Decoder::finish(&mut any()));
    used(Decoder::demand(&any()));
    used(Decoder::skip(&mut any(), unknown(0)));
    used(Decoder::position(&any()));
    used(Decoder::seek(&mut any(), unknown(0)));
    used(Decoder::header(&any()));
    used(Decoder::record_type(&any()));
    used(Decoder::record(&any()));
    used(Decoder::message_is_open(&any()));
    used(Decoder::is_between_records(&any()));
    used(Decoder::payload_position(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(state::any().map(|state| Decoder::load(&state)));

    let record = unknown(Record::default());
    used(Record::payload_offset(&record));
    used(Record::next_offset(&record));
    error::value(record);
    error::value(Event::Payload);
    error::value(Event::Finding(Error::new(0, ErrorKind::TypeGarbage)));
}

fn encoder() {
    let any = || unknown(Encoder::new());
    used(Encoder::default());
    used(Encoder::append(unknown(0), unknown(true)));
    used(Encoder::after(&unknown(Decoder::new(Mode::Strict))));
    used(Encoder::begin(&mut any(), &unknown(Header::from_bytes([0; HEADER_LEN]))));
    used(Encoder::put(&mut any(), unknown::<&[u8]>(b"bytes")));
    used(Encoder::payload(&mut any(), unknown(0)));
    used(Encoder::seek(&mut any(), unknown(0)));
    used(Encoder::end(&mut any()));
    used(Encoder::finish(&any()));
    used(Encoder::message_is_open(&any()));
    used(Encoder::position(&any()));
    used(Encoder::room(&any()));
    Encoder::reset(&mut any());
    used(Encoder::save(&any()));
    used(Encoder::save_into(&any(), unknown(&mut [0; State::<Encoder>::LEN])));
    used(state::any().map(|state| Encoder::load(&state)));
    error::value(any());
}
