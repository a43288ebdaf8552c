//! Reads each field of a file into a slice and compares its checksum: `io::FieldReader`.
#![no_std]
#![no_main]

use linkstream::io::FieldReader;
use probes::{Port, unknown, used};

probes::probe!({
    let (mut buffer, mut numbers) = ([0; 1024], [0.0_f32; 64]);
    let mut file = FieldReader::new(Port, &mut buffer[..]);
    while let Ok(Some(mut field)) = file.next_field() {
        let Ok(count) = field.number_count() else { return };
        let Some(to) = numbers.get_mut(..unknown(count)) else { return };
        used(field.read_into(to));
    }
});
