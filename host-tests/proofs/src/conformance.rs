use linkstream::Resumable as _;

use linkstream::conformance::{Boundaries, Decoder, ErrorKind, LinkPlace, OpenDirection, UserText};
use linkstream::field::{Encoder, SiteError, Sites};
use linkstream::lattice::Checksum;
use linkstream::{Decode, Mode, State};
use proofs::{unknown, used};

use crate::{error, field, io, state};

pub fn all() {
    decoder();
    boundaries();
    error::kind(ErrorKind::LfnMissing);
    error::kind(ErrorKind::LinkUnphysical(LinkPlace { direction: unknown(0), rank: unknown(0) }));
    error::value(UserText::Record);
}

fn decoder() {
    let any = || unknown(Decoder::new(unknown(Mode::Strict)));
    let input: &[u8] = unknown(b"");
    used(Decoder::push(&mut any(), input));
    used(Decoder::finish(&mut any()));
    used(Decoder::demand(&any()));
    used(Decoder::skip(&mut any(), unknown(0)));
    used(Decoder::position(&any()));
    used(Decoder::content(&any()).record_type());
    used(Decoder::supply_checksum(&mut any(), unknown(Checksum::default())));
    used(Decoder::usqcd_file(&any()));
    used(Decoder::usqcd_record(&any()));
    used(Decoder::role(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(state::any().map(|state| Decoder::load(&state)));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(Decoder::load_into(&mut any(), unknown(b"bytes")));
    used(Encoder::after(&any()));
    io::reader(any());
}

fn boundaries() {
    let loaded = state::any().and_then(|state| Boundaries::load(&state).ok());
    let begun = Boundaries::of(&unknown(linkstream::field::Decoder::new(unknown(Mode::Survey)))).or(loaded);
    let Some(mut boundaries) = unknown(begun) else { return };
    let field = field::any_field();
    let field = field.as_ref();
    let mut buffer = [0; 64];
    let mut sites = Sites::new(unknown(&mut buffer));
    used(Sites::begin(&mut sites, field));
    used(Sites::feed(&mut unknown(sites), field, unknown(&[0; 2000]), |site| {
        Boundaries::site(&mut boundaries, &site);
        Ok::<(), SiteError>(())
    }));
    let boundaries = unknown(boundaries);
    used(Boundaries::fault(&boundaries));
    used(Boundaries::open(&boundaries).map(|open| OpenDirection::letter(&unknown(open))).last());
    used(Boundaries::save(&boundaries));
    used(Boundaries::save_into(&boundaries, unknown(&mut [0; State::<Boundaries>::LEN])));
    error::value(boundaries);
}
