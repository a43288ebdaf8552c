use linkstream::Resumable as _;
use linkstream::lattice::{ByteOrder, Precision};
use linkstream::nersc::{
    DataSum, Decoder, EncodeErrorKind, Encoder, ErrorKind, Event, Header, LinkFormat, StoredRows, WordSums,
    datatype, key_and_value,
};
use linkstream::{Decode, Encode, Mode, SeekPayload, State};
use proofs::{unknown, used};

use crate::{error, io, lattice, state};

pub fn all() {
    decoder();
    links();
    if let Some(header) = any_header() {
        of_header(header);
        encoder(header);
    }
    io::reader(Decoder::new(unknown(Mode::Strict)));
    error::kind(ErrorKind::Trailing);
    error::message(EncodeErrorKind::TooMany);
    error::value(EncodeErrorKind::TooMany);
    error::value(Event::Data);
    let sum = DataSum::new(unknown(WordSums::default()), unknown(ByteOrder::Big));
    used(DataSum::value(&unknown(sum)));
    error::value(sum);
}

fn any_header() -> Option<Header> {
    let extents = lattice::any_extents().ok()?;
    let order = unknown(ByteOrder::Big);
    Header::new(extents, unknown(Precision::F32), unknown(StoredRows::Reduced), order).ok().map(unknown)
}

fn of_header(header: Header) {
    used(key_and_value(unknown(b"KEY = value")));
    used(datatype(unknown(b"4D_SU3_GAUGE_3x3")));
    used(Header::extents(&header));
    used(Header::precision(&header));
    used(Header::colors(&header));
    used(Header::with_colors(&header, unknown(2)));
    used(Header::rows(&header));
    used(Header::order(&header));
    used(Header::link_format(&header, unknown(ByteOrder::Big)));
    used(Header::data_length(&header));
    let mut out = [0; 64];
    let more: &[(&str, &str)] = unknown(&[("KEY", "value")]);
    let kept: &[&[u8]] = unknown(&[b"KEY = value"]);
    used(Header::write(&header, kept, more, unknown::<&mut [u8]>(&mut out)));
    error::value(header);
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
    used(Decoder::line(&any()));
    used(Decoder::computed(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(state::any().map(|state| Decoder::load(&state)));
}

fn links() {
    used(StoredRows::count(unknown(StoredRows::Reduced), unknown(3)));
    error::value(StoredRows::Reduced);
    let any = || LinkFormat {
        precision: unknown(Precision::F32),
        colors: unknown(3),
        rows: unknown(StoredRows::Reduced),
        order: unknown(ByteOrder::Big),
    };
    let mut bytes = [0; 200];
    let bytes: &mut [u8] = unknown(&mut bytes);
    let link: &[u8] = unknown(&[0; 200]);
    used(LinkFormat::length(&any()));
    used(LinkFormat::whole_length(&any()));
    used(LinkFormat::to_whole(&any(), link, bytes));
    used(LinkFormat::from_whole(&any(), link, bytes));
    used(LinkFormat::is_normalised(&any(), link));
    error::value(any());
    let mut sums = unknown(WordSums::default());
    WordSums::feed(&mut sums, link);
    used(WordSums::of(&sums, unknown(ByteOrder::Big)));
    error::value(sums);
}

fn encoder(header: Header) {
    used(Encoder::new(&header, unknown(100)));
    let encoder: Result<Encoder, _> = unknown(Encoder::new(&header, 100));
    let Ok(encoder) = encoder else { return };
    let any = || unknown(encoder.clone());
    used(Encoder::room(&any()));
    used(Encoder::put(&mut any(), unknown::<&[u8]>(b"bytes")));
    used(Encoder::position(&any()));
    used(Encoder::final_header(&mut any()));
    used(Encoder::finish(&any()));
    used(Encoder::header(&any()));
    used(Encoder::save(&any()));
    used(Encoder::save_into(&any(), unknown(&mut [0; State::<Encoder>::LEN])));
    used(state::any().map(|state| Encoder::load(&state)));
    error::value(any());
}
