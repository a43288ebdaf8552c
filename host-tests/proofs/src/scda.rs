use linkstream::Resumable as _;
use linkstream::scda::{
    Count, Decoder, ElementPiece, Elements, ElementsError, EncodeErrorKind, Encoder, ErrorKind, Event,
    Letter, Section, SectionType, Style,
};
use linkstream::{Decode, Mode, SeekPayload, State};
use proofs::{unknown, used};

use crate::{error, io, state};

pub fn all() {
    counts();
    section();
    decoder();
    encoder();
    elements();
    compressed();
    writing_compressed();
    io::reader(Decoder::new(unknown(Mode::Strict)));
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
    unknown(Section { offset: 0, section_type: SectionType::Block, n: none, e: none })
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

fn decoder() {
    let any = || unknown(Decoder::new(unknown(Mode::Strict)));
    let input: &[u8] = unknown(b"");
    used(unknown(Decoder::at(unknown(0), unknown(Mode::Strict))));
    used(Decoder::push(&mut any(), input));
    used(Decoder::finish(&mut any()));
    used(Decoder::demand(&any()));
    used(Decoder::skip(&mut any(), unknown(0)));
    used(Decoder::position(&any()));
    used(Decoder::payload_position(&any()));
    used(Decoder::seek(&mut any(), unknown(0)));
    used(Decoder::section(&any()));
    used(Decoder::user(&any()));
    used(Decoder::vendor(&any()));
    used(Decoder::data_length(&any()));
    used(Decoder::mode(&any()));
    used(Decoder::is_between_sections(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(state::any().map(|state| Decoder::load(&state)));
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
    used(Encoder::size(&mut any(), unknown(0)));
    used(Encoder::data(&mut any(), bytes));
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
    let section = Section { offset: 0, section_type: SectionType::Varray, n: none, e: none };
    used(Elements::begin(&mut elements, &unknown(section)));
    used(Elements::size(unknown(&mut elements), unknown(0)));
    used(Elements::feed(unknown(&mut elements), unknown(b"bytes"), |piece| {
        let piece: ElementPiece<'_> = unknown(piece);
        used(ElementPiece::is_complete(&piece));
        error::value(piece);
    }));
    used(Elements::sizes(&unknown(elements)));
    error::message(ElementsError::TableTooSmall { needed: none });
    error::value(ElementsError::TableTooSmall { needed: none });
}

fn writing_compressed() {
    use linkstream::scda::logical::Encoder;
    let any = || unknown(Encoder::new(unknown(linkstream::scda::Encoder::new(unknown(Style::Unix)))));
    let bytes: &[u8] = unknown(b"bytes");
    used(Encoder::position(&any()));
    used(Encoder::style(&any()));
    used(Encoder::raw(&mut any()));
    used(Encoder::room(&any()));
    used(Encoder::block(&mut any(), bytes, unknown(0.into()), unknown(0)));
    used(Encoder::array(&mut any(), bytes, unknown(0.into()), unknown(0.into())));
    used(Encoder::varray(&mut any(), unknown(0.into())));
    used(Encoder::uncompressed(&mut any(), unknown(0)));
    used(Encoder::second_half(&mut any(), bytes));
    used(Encoder::text_size(&mut any(), unknown(0)));
    used(Encoder::data(&mut any(), bytes));
    used(Encoder::end(&mut any()));
    used(Encoder::finish(&any()));
    Encoder::reset(&mut any());
    used(Encoder::save(&any()));
    used(Encoder::save_into(&any(), unknown(&mut [0; State::<Encoder>::LEN])));
    used(state::any().map(|state| Encoder::load(&state)));
    error::value(any());
}

fn compressed() {
    use linkstream::scda::logical::{Decoder, Element, ErrorKind, Event, Section};
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
    used(Decoder::raw(&any()));
    used(Decoder::user(&any()));
    used(Decoder::vendor(&any()));
    used(Decoder::mode(&any()));
    Decoder::reset(&mut any());
    used(Decoder::save(&any()));
    used(Decoder::save_into(&any(), unknown(&mut [0; State::<Decoder>::LEN])));
    used(state::any().map(|state| Decoder::load(&state)));
    let section = unknown(*Decoder::section(&any()));
    used(Section::is_compressed(&section));
    used(Section::elements(&section));
    used(Section::first_half(&section));
    used(Section::size_in(&section, unknown(&[0; 32]), unknown(Letter::E), unknown(0)));
    used(Decoder::pass_sizes(&mut any(), unknown(0)));
    used(Decoder::pass_data(&mut any(), unknown(0), unknown(b"bytes")));
    used(Decoder::check_end(&mut any(), unknown(0)));
    let element = unknown(Element { index: 0, size: 0, offset: 0, length: 0 });
    used(Element::is_complete(&element));
    io::reader(any());
    error::kind(ErrorKind::Deflate);
    used(ErrorKind::from(unknown(linkstream::scda::ErrorKind::Count)));
    error::value(section);
    error::value(Event::End);
}
