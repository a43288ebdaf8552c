use linkstream::Resumable as _;
use linkstream::scda::{
    Count, CountError, Decoder, Element, Elements, ElementsError, EncodeErrorKind, Encoder, ErrorKind, Event,
    Letter, PlainDecoder, Section, SectionType, Style,
};
use linkstream::{Decode, Encode, Mode, SeekPayload, State};
use proofs::{unknown, used};

use crate::{error, io, state};

pub fn all() {
    counts();
    section();
    plain_decoder();
    encoder();
    elements();
    decoder();
    io::reader(PlainDecoder::new(unknown(Mode::Strict)));
    error::kind(ErrorKind::Count);
    error::message(EncodeErrorKind::NoSection);
    error::value(EncodeErrorKind::NoSection);
    error::value(Event::End);
    error::value(Style::Unix);
}

fn counts() {
    used(Count::new(unknown(0)));
    let count = unknown(Count::from(unknown(0)));
    used(Count::get(count));
    used(Count::to_u64(count));
    error::message(count);
    error::value(count);
    used(Letter::byte(unknown(Letter::N)));
}

pub fn any_section() -> Section {
    let none = Count::default();
    unknown(Section::new(unknown(0), unknown(SectionType::Block), none, none))
}

fn section() {
    used(SectionType::letter(unknown(SectionType::Block)));
    used(SectionType::from_letter(unknown(b'B')));
    used(SectionType::head_length(unknown(SectionType::Block)));
    let section = any_section();
    used(Section::data_length(&section));
    used(Section::data_offset(&section));
    used(Section::padding(&section, unknown(0)));
    used(Section::next_offset(&section, unknown(0)));
    error::value(section);
}

fn plain_decoder() {
    let any = || unknown(PlainDecoder::new(unknown(Mode::Strict)));
    let input: &[u8] = unknown(b"");
    used(unknown(PlainDecoder::at(unknown(0), unknown(Mode::Strict))));
    used(PlainDecoder::push(&mut any(), input));
    used(PlainDecoder::finish(&mut any()));
    used(PlainDecoder::demand(&any()));
    used(PlainDecoder::skip(&mut any(), unknown(0)));
    used(PlainDecoder::position(&any()));
    used(PlainDecoder::payload_position(&any()));
    used(PlainDecoder::seek(&mut any(), unknown(0)));
    used(PlainDecoder::section(&any()));
    used(PlainDecoder::user(&any()));
    used(PlainDecoder::vendor(&any()));
    used(PlainDecoder::data_length(&any()));
    used(PlainDecoder::is_between_sections(&any()));
    PlainDecoder::reset(&mut any());
    used(PlainDecoder::save(&any()));
    used(PlainDecoder::save_into(&any(), unknown(&mut [0; State::<PlainDecoder>::LEN])));
    used(state::any().map(|state| PlainDecoder::load(&state)));
}

fn encoder() {
    let any = || unknown(Encoder::new(unknown(Style::Unix)));
    let bytes: &[u8] = unknown(b"bytes");
    used(Encoder::append(unknown(0), unknown(Style::Unix)));
    used(Encoder::header(&mut any(), bytes, bytes));
    used(Encoder::inline(&mut any(), bytes));
    used(Encoder::block(&mut any(), bytes, unknown(0.into())));
    used(Encoder::array(&mut any(), bytes, unknown(0.into()), unknown(0.into())));
    used(Encoder::varray(&mut any(), bytes, unknown(0.into())));
    used(Encoder::compressed_block(&mut any(), bytes, unknown(0.into()), unknown(0)));
    used(Encoder::compressed_array(&mut any(), bytes, unknown(0.into()), unknown(0.into())));
    used(Encoder::compressed_varray(&mut any(), unknown(0.into())));
    used(Encoder::uncompressed(&mut any(), unknown(0)));
    used(Encoder::second_half(&mut any(), bytes));
    used(Encoder::size(&mut any(), unknown(0)));
    used(Encoder::put(&mut any(), bytes));
    used(Encoder::end(&mut any()));
    used(Encoder::finish(&any()));
    used(Encoder::style(&any()));
    used(Encoder::section(&any()));
    used(Encoder::position(&any()));
    used(Encoder::room(&any()));
    Encoder::reset(&mut any());
    used(Encoder::save(&any()));
    used(Encoder::save_into(&any(), unknown(&mut [0; State::<Encoder>::LEN])));
    used(state::any().map(|state| Encoder::load(&state)));
    error::value(any());
}

fn elements() {
    let mut table = [0; 4];
    let table: &mut [u64] = unknown(&mut table);
    let mut elements = unknown(Elements::new(table));
    let none = Count::default();
    let section = Section::new(0, SectionType::Varray, none, none);
    used(Elements::begin(&mut elements, &unknown(section)));
    used(Elements::size(unknown(&mut elements), unknown(0)));
    used(Elements::feed(unknown(&mut elements), unknown(b"bytes"), |part, bytes| used((part, bytes))));
    used(Elements::sizes(&unknown(elements)));
    error::message(ElementsError::TableTooSmall { needed: none });
    error::value(ElementsError::TableTooSmall { needed: none });
}

fn decoder() {
    let any = || unknown(Decoder::new(unknown(Mode::Strict), unknown(true)));
    let input: &[u8] = unknown(b"");
    used(unknown(Decoder::at(unknown(0), unknown(Mode::Strict), unknown(true))));
    used(Decoder::push(&mut any(), input));
    used(Decoder::finish(&mut any()));
    used(Decoder::demand(&any()));
    used(Decoder::skip(&mut any(), unknown(0)));
    used(Decoder::position(&any()));
    Decoder::set_decode(&mut any(), unknown(true));
    used(Decoder::section(&any()));
    used(Decoder::stored(&any()));
    used(Decoder::data_length(&any()));
    used(Decoder::user(&any()));
    used(Decoder::vendor(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(state::any().map(|state| Decoder::load(&state)));
    let section = unknown(*Decoder::section(&any()));
    used(Section::is_compressed(&section));
    used(Section::elements(&section));
    used(Section::first_half(&section));
    used(Section::stored(&section));
    used(Section::size_in(&section, unknown(&[0; 32]), unknown(Letter::E), unknown(0)));
    used(Decoder::pass_sizes(&mut any(), unknown(0)));
    used(Decoder::pass_data(&mut any(), unknown(0), unknown(b"bytes")));
    used(Decoder::check_end(&mut any(), unknown(0)));
    let element = unknown(Element { index: 0, size: 0, offset: 0, length: 0 });
    used(Element::is_complete(&element));
    io::reader(any());
    error::kind(ErrorKind::Deflate);
    used(ErrorKind::from(unknown(CountError::Digits)));
    error::message(CountError::TooLong);
    error::value(CountError::TooLong);
    error::value(section);
    error::value(Event::End);
}
