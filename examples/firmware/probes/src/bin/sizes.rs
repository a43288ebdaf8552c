//! The sizes of the codec's states. Each is the size of a symbol, which `boards figures` reads from the program.
#![no_std]
#![no_main]

use linkstream::{State, conformance, field, inebin, io, lime, scda};

macro_rules! sizes {
    ($($name:literal: $type:ty),* $(,)?) => {
        probes::probe!({$({
            #[unsafe(export_name = $name)]
            static SIZE: [u8; size_of::<$type>()] = [1; size_of::<$type>()];
            probes::used(&SIZE);
        })*});
    };
}

sizes! {
    "size of lime::Decoder": lime::Decoder,
    "size of lime::Encoder": lime::Encoder,
    "size of field::Decoder": field::Decoder,
    "size of conformance::Decoder": conformance::Decoder,
    "size of field::Encoder": field::Encoder,
    "size of field::Sites": field::Sites<'static>,
    "size of inebin::Decoder": inebin::Decoder,
    "size of inebin::Encoder": inebin::Encoder,
    "size of inebin::Entries": inebin::Entries<f64>,
    "size of scda::Decoder": scda::Decoder,
    "size of scda::Encoder": scda::Encoder,
    "size of scda::PlainDecoder": scda::PlainDecoder,
    "size of io::Reader, lent a decoder": io::Reader<(), &'static mut [u8], &'static mut lime::Decoder>,
    "size of io::FieldReader": io::FieldReader<(), &'static mut [u8]>,
    "size of io::FieldWriter": io::FieldWriter<(), &'static mut [u8]>,
    "size of a saved lime::Decoder": State<lime::Decoder>,
    "size of a saved field::Decoder": State<field::Decoder>,
    "size of a saved conformance::Decoder": State<conformance::Decoder>,
    "size of a saved field::Encoder": State<field::Encoder>,
    "size of a saved inebin::Decoder": State<inebin::Decoder>,
    "size of a saved scda::Decoder": State<scda::Decoder>,
}
