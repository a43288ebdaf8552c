//! What the state machines cost in memory: nothing that grows with a file.

use linkstream::{conformance, field, inebin, lime, milc, nersc, scda, volume};

#[test]
fn states_stay_small() {
    let sizes: &[(&str, usize, usize)] = &[
        ("lime::Decoder", size_of::<lime::Decoder>(), 256),
        ("lime::Decoder saved", lime::Decoder::SAVED, 214),
        ("lime::Encoder", size_of::<lime::Encoder>(), 440),
        ("lime::Encoder saved", lime::Encoder::SAVED, 425),
        ("field::Sites", size_of::<field::Sites<'static>>(), 256),
        ("field::Encoder", size_of::<field::Encoder>(), 1016),
        ("field::Encoder saved", field::Encoder::SAVED, 859),
        ("field::Decoder", size_of::<field::Decoder>(), 1360),
        ("field::Decoder saved", field::Decoder::SAVED, 1103),
        ("conformance::Decoder", size_of::<conformance::Decoder>(), 2224),
        ("conformance::Decoder saved", conformance::Decoder::SAVED, 1811),
        ("conformance::Boundaries", size_of::<conformance::Boundaries>(), 184),
        ("conformance::Boundaries saved", conformance::Boundaries::SAVED, 165),
        ("inebin::Decoder", size_of::<inebin::Decoder>(), 88),
        ("inebin::Decoder saved", inebin::Decoder::SAVED, 60),
        ("inebin::Entries", size_of::<inebin::Entries<f64>>(), 48),
        ("inebin::Entries saved", inebin::ENTRIES_SAVED, 49),
        ("inebin::Encoder", size_of::<inebin::Encoder>(), 48),
        ("inebin::Encoder saved", inebin::Encoder::SAVED, 50),
        ("nersc::Decoder", size_of::<nersc::Decoder>(), 1480),
        ("nersc::Decoder saved", nersc::Decoder::SAVED, 1400),
        ("nersc::Encoder", size_of::<nersc::Encoder>(), 200),
        ("nersc::Encoder saved", nersc::Encoder::SAVED, 200),
        ("milc::Decoder", size_of::<milc::Decoder>(), 400),
        ("milc::Decoder saved", milc::Decoder::SAVED, 400),
        ("scda::Decoder", size_of::<scda::Decoder>(), 272),
        ("scda::Decoder saved", scda::Decoder::SAVED, 220),
        ("scda::logical::Decoder", size_of::<scda::logical::Decoder>(), 528),
        ("scda::logical::Decoder saved", scda::logical::Decoder::SAVED, 393),
        #[cfg(feature = "inflate")]
        ("scda::Unpacker of 32 KiB", size_of::<scda::Unpacker<[u8; 32 << 10]>>(), 47_000),
        ("scda::logical::Encoder", size_of::<scda::logical::Encoder>(), 464),
        ("scda::logical::Encoder saved", scda::logical::Encoder::SAVED, 436),
        #[cfg(feature = "inflate")]
        ("scda::Stored", size_of::<scda::Stored>(), 216),
        ("scda::Encoder", size_of::<scda::Encoder>(), 224),
        ("scda::Encoder saved", scda::Encoder::SAVED, 210),
        ("scda::PartEncoder", size_of::<scda::PartEncoder>(), 304),
        ("volume::Decoder", size_of::<volume::Decoder>(), 2200),
        ("volume::Decoder saved", volume::Decoder::SAVED, 1700),
        ("volume::SiteStream", size_of::<volume::SiteStream>(), 320),
        ("volume::SiteStream saved", volume::SiteStream::SAVED, 256),
        ("volume::SiteAccount", size_of::<volume::SiteAccount<'static>>(), 256),
        ("volume::Encoder", size_of::<volume::Encoder>(), 1000),
        ("volume::Encoder saved", volume::Encoder::SAVED, 920),
        ("scda::SizeLines", size_of::<scda::SizeLines>(), 96),
    ];
    for &(name, size, limit) in sizes {
        println!("{name}: {size} bytes");
        assert!(size <= limit, "{name} has grown to {size} bytes, beyond {limit}");
    }
}
