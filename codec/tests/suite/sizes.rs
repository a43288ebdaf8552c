//! Sizes of the state machines in memory. They do not depend on the length of a file.

use linkstream::{State, conformance, field, inebin, lime, milc, nersc, scda, volume};

#[test]
fn states_stay_small() {
    let sizes: &[(&str, usize, usize)] = &[
        ("lime::Decoder", size_of::<lime::Decoder>(), 256),
        ("lime::Decoder saved", State::<lime::Decoder>::LEN, 214),
        ("lime::Encoder", size_of::<lime::Encoder>(), 440),
        ("lime::Encoder saved", State::<lime::Encoder>::LEN, 425),
        ("field::Sites", size_of::<field::Sites<'static>>(), 256),
        ("field::Encoder", size_of::<field::Encoder>(), 1016),
        ("field::Encoder saved", State::<field::Encoder>::LEN, 859),
        ("field::Decoder", size_of::<field::Decoder>(), 1360),
        ("field::Decoder saved", State::<field::Decoder>::LEN, 1103),
        ("conformance::Decoder", size_of::<conformance::Decoder>(), 2272),
        ("conformance::Decoder saved", State::<conformance::Decoder>::LEN, 1845),
        ("conformance::Boundaries", size_of::<conformance::Boundaries>(), 184),
        ("conformance::Boundaries saved", State::<conformance::Boundaries>::LEN, 165),
        ("inebin::Decoder", size_of::<inebin::Decoder>(), 88),
        ("inebin::Decoder saved", State::<inebin::Decoder>::LEN, 60),
        ("inebin::Entries", size_of::<inebin::Entries<f64>>(), 48),
        ("inebin::Entries saved", State::<inebin::Entries<f64>>::LEN, 49),
        ("inebin::Encoder", size_of::<inebin::Encoder>(), 48),
        ("inebin::Encoder saved", State::<inebin::Encoder>::LEN, 50),
        ("nersc::Decoder", size_of::<nersc::Decoder>(), 1480),
        ("nersc::Decoder saved", State::<nersc::Decoder>::LEN, 1400),
        ("nersc::Encoder", size_of::<nersc::Encoder>(), 200),
        ("nersc::Encoder saved", State::<nersc::Encoder>::LEN, 200),
        ("milc::Decoder", size_of::<milc::Decoder>(), 400),
        ("milc::Decoder saved", State::<milc::Decoder>::LEN, 400),
        ("scda::PlainDecoder", size_of::<scda::PlainDecoder>(), 272),
        ("scda::PlainDecoder saved", State::<scda::PlainDecoder>::LEN, 220),
        ("scda::Decoder", size_of::<scda::Decoder>(), 528),
        ("scda::Decoder saved", State::<scda::Decoder>::LEN, 393),
        #[cfg(feature = "inflate")]
        ("scda::Unpacker of 32 KiB", size_of::<scda::Unpacker<[u8; 32 << 10]>>(), 47_000),
        #[cfg(feature = "inflate")]
        ("scda::Stored", size_of::<scda::Stored>(), 216),
        ("scda::Encoder", size_of::<scda::Encoder>(), 360),
        ("scda::Encoder saved", State::<scda::Encoder>::LEN, 107),
        ("volume::Decoder", size_of::<volume::Decoder>(), 2200),
        ("volume::Decoder saved", State::<volume::Decoder>::LEN, 1700),
        ("volume::SiteStream", size_of::<volume::SiteStream>(), 320),
        ("volume::SiteStream saved", State::<volume::SiteStream>::LEN, 256),
        ("volume::SiteAccount", size_of::<volume::SiteAccount<'static>>(), 256),
        ("volume::Encoder", size_of::<volume::Encoder>(), 1000),
        ("volume::Encoder saved", State::<volume::Encoder>::LEN, 920),
    ];
    for &(name, size, limit) in sizes {
        println!("{name}: {size} bytes");
        assert!(size <= limit, "{name} has grown to {size} bytes, beyond {limit}");
    }
}
