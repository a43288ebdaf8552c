use linkstream::Resumable as _;
use linkstream::lattice::ByteOrder;
use linkstream::milc::{Decoder, ErrorKind, Event, HEADER_LEN, Header, Summing, Sums};
use linkstream::{Decode, Mode, SeekPayload, State};
use proofs::{unknown, used};

use crate::{error, io, state};

pub fn all() {
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
    used(Decoder::stored(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(state::any().map(|state| Decoder::load(&state)));
    if let Ok(header) = Header::from_bytes(&unknown([0; HEADER_LEN])) {
        of_header(unknown(header));
    }
    let mut summing = unknown(Summing::new(unknown(ByteOrder::Big)));
    Summing::feed(&mut summing, input);
    used(Summing::sums(&summing));
    error::value(summing);
    error::message(Sums::default());
    error::value(Sums::default());
    io::reader(Decoder::new(unknown(Mode::Strict)));
    error::kind(ErrorKind::Trailing);
    error::value(Event::Data);
}

fn of_header(header: Header) {
    used(Header::order(&header));
    used(Header::extents(&header));
    used(Header::time_stamp(&header));
    used(Header::has_site_list(&header));
    used(Header::data_length(&header));
    used(Header::file_length(&header));
    error::value(header);
}
