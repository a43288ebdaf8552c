use linkstream::Resumable as _;
use linkstream::scda::{
    COUNT_LEN, Count, DataPart, Decoder, ElementPart, ElementPiece, Elements, ElementsError, EncodeErrorKind,
    Encoder, ErrorKind, Event, Letter, PartDecoder, PartEncoder, PartHeader, PartitionError, Pieces,
    RankExtent, Section, SectionType, SizeLines, Style, Window,
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
    parts();
    windows();
    part_encoder();
    pieces();
    compressed_parts();
    part_decoder();
    size_lines();
    io::reader(Decoder::new(unknown(Mode::Strict)));
    error::kind(ErrorKind::Count);
    error::message(EncodeErrorKind::NoSection);
    error::value(EncodeErrorKind::NoSection);
    error::message(PartitionError::TooLong);
    error::value(PartitionError::TooLong);
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

pub fn any_elements() -> Option<ElementPart> {
    ElementPart::new(unknown(0.into()), unknown(0.into()), unknown(0.into())).ok().map(unknown)
}

pub fn any_data() -> Option<DataPart> {
    DataPart::new(unknown(0), unknown(0), unknown(0)).ok().map(unknown)
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
    use linkstream::scda::logical::{Decoder, Element, ErrorKind, Event, Section, user_string};
    let any = || unknown(Decoder::new(unknown(Mode::Strict), unknown(true)));
    let input: &[u8] = unknown(b"");
    used(user_string(unknown(SectionType::Block)));
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
    let element = unknown(Element { index: 0, size: 0, offset: 0, length: 0 });
    used(Element::is_complete(&element));
    io::reader(any());
    error::kind(ErrorKind::Deflate);
    used(ErrorKind::from(unknown(linkstream::scda::ErrorKind::Count)));
    error::value(section);
    error::value(Event::End);
}

fn parts() {
    let counts: &[u64] = unknown(&[0; 3]);
    used(ElementPart::of(unknown(0), counts.iter().copied(), unknown(0.into())));
    used(DataPart::of(unknown(0), counts.iter().copied()));
    if let Some(part) = any_elements() {
        used(ElementPart::first(&part));
        used(ElementPart::count(&part));
        used(ElementPart::total(&part));
        error::value(part);
    }
    if let Some(part) = any_data() {
        used(DataPart::before(&part));
        used(DataPart::length(&part));
        used(DataPart::total(&part));
        error::value(part);
    }
}

fn windows() {
    if let Some(window) = Window::new(unknown(0), unknown(0)).map(unknown) {
        used(Window::offset(&window));
        used(Window::length(&window));
        used(Window::end(&window));
        used(Window::is_empty(&window));
        error::value(window);
    }
    let section = any_section();
    used(Section::head_window(&section));
    used(Section::data_window(&section, unknown(0), unknown(0)));
    used(Section::padding_window(&section, unknown(0)));
    used(Section::check_padding(&section, unknown(0), unknown(None), unknown(b""), unknown(Mode::Strict)));
    used(RankExtent::whole(unknown(0), &section, unknown(0)));
    let (Some(elements), Some(data)) = (any_elements(), any_data()) else { return };
    used(Section::size_lines(&section, &elements));
    used(RankExtent::varray(unknown(0), &section, &elements, &data));
    let Ok(share) = RankExtent::array(unknown(0), &section, &elements).map(unknown) else { return };
    used(RankExtent::section(&share));
    used(RankExtent::head(&share));
    used(RankExtent::sizes(&share));
    used(RankExtent::data(&share));
    used(RankExtent::padding(&share));
    used(RankExtent::total(&share));
    used(RankExtent::next_offset(&share));
    error::value(share);
}

fn part_encoder() {
    let any = || unknown(PartEncoder::new(unknown(0), unknown(Style::Unix)));
    let bytes: &[u8] = unknown(b"bytes");
    used(PartEncoder::append(unknown(0), unknown(0), unknown(Style::Unix)));
    used(PartEncoder::header(&mut any(), bytes, bytes));
    used(PartEncoder::inline(&mut any(), bytes, unknown(0)));
    used(PartEncoder::block(&mut any(), bytes, unknown(0.into()), unknown(0)));
    if let (Some(elements), Some(data)) = (any_elements(), any_data()) {
        used(PartEncoder::array(&mut any(), bytes, unknown(0.into()), &elements));
        used(PartEncoder::varray(&mut any(), bytes, &elements, &data));
    }
    used(PartEncoder::size(&mut any(), unknown(0)));
    used(PartEncoder::uncompressed(&mut any(), unknown(0)));
    used(PartEncoder::data(&mut any(), bytes));
    used(PartEncoder::end(&mut any()));
    used(PartEncoder::finish(&any()));
    used(PartEncoder::share(&any()));
    used(PartEncoder::sizes_position(&any()));
    used(PartEncoder::data_position(&any()));
    used(PartEncoder::position(&any()));
    used(PartEncoder::style(&any()));
    error::value(any());
}

fn any_piece(pieces: Result<Pieces<'_, &[u8]>, EncodeErrorKind>) {
    if let Ok(pieces) = pieces {
        let mut pieces = unknown(pieces);
        used(Pieces::length(&pieces));
        used(Pieces::is_contiguous(&pieces));
        for write in pieces.by_ref() {
            used(write);
        }
        error::value(pieces);
    }
}

fn pieces() {
    let any = || unknown(PartEncoder::new(unknown(0), unknown(Style::Unix)));
    let bytes: &[u8] = unknown(b"bytes");
    let data: &[&[u8]] = unknown(&[b"bytes"]);
    let sizes: &[u64] = unknown(&[0; 3]);
    let mut lines = [[0; COUNT_LEN]; 2];
    let lines: &mut [[u8; COUNT_LEN]] = unknown(&mut lines);
    any_piece(PartEncoder::inline_pieces(&mut any(), bytes, unknown(0), data));
    any_piece(PartEncoder::block_pieces(&mut any(), bytes, unknown(0.into()), unknown(0), data));
    let (Some(elements), Some(part)) = (any_elements(), any_data()) else { return };
    any_piece(PartEncoder::array_pieces(&mut any(), bytes, unknown(0.into()), &elements, data));
    let sizes = sizes.iter().copied();
    any_piece(PartEncoder::varray_pieces(&mut any(), bytes, &elements, &part, sizes, lines, data));
}

fn compressed_parts() {
    use linkstream::scda::logical::PartEncoder;
    let raw = || unknown(linkstream::scda::PartEncoder::new(unknown(0), unknown(Style::Unix)));
    let any = || unknown(PartEncoder::new(raw()));
    let bytes: &[u8] = unknown(b"bytes");
    let texts: &[&[u8]] = unknown(&[b"bytes"]);
    let sizes: &[u64] = unknown(&[0; 3]);
    let mut lines = [[0; COUNT_LEN]; 2];
    used(PartEncoder::raw(&mut any()));
    used(PartEncoder::position(&any()));
    used(PartEncoder::finish(&any()));
    any_piece(PartEncoder::block(&mut any(), bytes, unknown(0.into()), unknown(0), unknown(0), texts));
    if let (Some(elements), Some(part)) = (any_elements(), any_data()) {
        let (u, own) = (unknown(0.into()), unknown(&mut lines[..]));
        any_piece(PartEncoder::array(&mut any(), bytes, u, &elements, &part, own, texts));
        let (sizes, own) = (sizes.iter().copied(), unknown(&mut lines[..]));
        any_piece(PartEncoder::varray(&mut any(), bytes, &elements, &part, sizes, own, texts));
    }
    error::value(any());
}

fn part_decoder() {
    let any = || unknown(PartDecoder::new(unknown(Mode::Strict), unknown(true), unknown(0)));
    used(PartDecoder::at(unknown(0), unknown(Mode::Strict), unknown(true), unknown(0)));
    PartDecoder::set_decode(&mut any(), unknown(true));
    used(PartDecoder::mode(&any()));
    used(PartDecoder::file_length(&any()));
    used(PartDecoder::section(&any()));
    used(PartDecoder::user(&any()));
    used(PartDecoder::vendor(&any()));
    used(PartDecoder::next_offset(&any()));
    used(PartDecoder::header_window(&any()));
    used(PartDecoder::header(&mut any(), unknown(b"bytes")));
    used(PartDecoder::data(&mut any(), unknown(0)));
    used(PartDecoder::check_element(&any(), unknown(0), unknown(0)));
    used(PartDecoder::save(&any()));
    used(PartDecoder::save_into(&any(), unknown(&mut [0; State::<PartDecoder>::LEN])));
    used(state::any().map(|state| PartDecoder::load(&state)));
    if let Some(window) = Window::new(unknown(0), unknown(0)) {
        used(PartDecoder::present(&any(), window));
    }
    if let Some(elements) = any_elements() {
        used(PartDecoder::uncompressed(&any(), &elements));
        if let Ok(lines) = PartDecoder::sizes(&any(), &elements) {
            used(PartDecoder::size(&any(), &mut unknown(lines), &unknown([0; COUNT_LEN])));
        }
    }
    error::value(PartHeader::End);
}

fn size_lines() {
    let Some(elements) = any_elements() else { return };
    let Ok(lines) = SizeLines::new(&any_section(), &elements) else { return };
    used(SizeLines::size(&mut unknown(lines.clone()), &unknown([0; COUNT_LEN])));
    used(SizeLines::position(&unknown(lines.clone())));
    used(SizeLines::left(&unknown(lines.clone())));
    used(SizeLines::sum(&unknown(lines.clone())));
    used(SizeLines::window(&unknown(lines.clone())));
    used(SizeLines::after(unknown(lines.clone()), unknown(0)));
    error::value(lines);
}
