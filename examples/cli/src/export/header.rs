//! Writes and shows the header of an array.

use std::io::Write;

use linkstream_access::{Array, ElementType};

use crate::complain::done;
use crate::failure::Failure;
use crate::npy::{ByteOrder, Dtype, Header, Kind, tuple};

/// The header of an array with the numbers of a LIME file, which are big endian (ILDG 1.2, section 2.5; QIO 2.3,
/// section 4.2). Real and imaginary part are one number.
pub fn of_array(array: &Array) -> Header {
    let (size, order) = (array.element.size() as u32, ByteOrder::Big);
    let mut shape = array.shape();
    let dtype = match array.element {
        _ if array.is_complex => {
            shape.pop();
            Dtype::new(Kind::Complex, 2 * size, order)
        }
        ElementType::F32 | ElementType::F64 => Dtype::new(Kind::Float, size, order),
        ElementType::I32 => Dtype::new(Kind::Integer, size, order),
        _ => Dtype::BYTES,
    };
    Header::new(dtype, shape)
}

/// Writes the header, which `-v` shows.
pub fn begin(header: &Header, sink: &mut dyn Write) -> anyhow::Result<()> {
    header.fits_numpy()?;
    sink.write_all(&header.to_bytes()).map_err(Failure::Output)?;
    say(header);
    Ok(())
}

/// Shows the dtype and shape of an array, if the user wants to know.
pub fn say(header: &Header) {
    done(format_args!("dtype {}, shape {}", header.dtype, tuple(&header.shape)));
}
