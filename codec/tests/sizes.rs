//! What the state machines cost in memory: nothing that grows with a file.

use linkstream::{field, lime};

#[test]
fn states_stay_small() {
    let sizes = [
        ("lime::Decoder", size_of::<lime::Decoder>(), 256),
        ("lime::Decoder saved", lime::Decoder::SAVED, 214),
        ("lime::Encoder", size_of::<lime::Encoder>(), 440),
        ("lime::Encoder saved", lime::Encoder::SAVED, 425),
        ("field::Decoder", size_of::<field::Decoder>(), 1640),
        ("field::Decoder saved", field::Decoder::SAVED, 1200),
    ];
    for (name, size, limit) in sizes {
        println!("{name}: {size} bytes");
        assert!(size <= limit, "{name} has grown to {size} bytes, beyond {limit}");
    }
}
