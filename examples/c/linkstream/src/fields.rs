//! Fields: their properties, and reading them into arrays.

use std::io;

use linkstream::field::DescribedBy;
use linkstream::lattice::{ByteOrder, Region};
use linkstream_access::write::is_gauge_field;
use linkstream_access::{ElementType, Field, Selection, Stored, Verdict, Verify};

use crate::answer::{Answer, NUMBER, OK, REFUSED, Refused, UNVERIFIED};
use crate::opened::{Opened, item};
use crate::progress::{Progress, run};
use crate::structures::{Axis, FieldInfo, Read, text};

/// The byte order of this machine.
const NATIVE: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

/// The numbers of the types of elements.
const ELEMENTS: [ElementType; 4] = [ElementType::F32, ElementType::F64, ElementType::I32, ElementType::U8];

/// The number of a type, as in `linkstream.h`.
fn number(element: ElementType) -> i32 {
    (1..).zip(ELEMENTS).find(|(_, other)| *other == element).map_or(0, |(number, _)| number)
}

/// The answer on data with this verdict.
const fn answer(verdict: Verdict) -> i32 {
    if verdict.is_verified() { OK } else { UNVERIFIED }
}

/// Returns whether the file has checksums of all data.
const fn has_checksum(stored: &Stored) -> bool {
    match stored {
        Stored::Scidac { suma, sumb, .. } => suma.is_some() && sumb.is_some(),
        Stored::Nersc { .. } | Stored::Milc(_) | Stored::Cksum { .. } => true,
        _ => false,
    }
}

impl Opened {
    /// The field with this index.
    ///
    /// # Errors
    /// There is none, or it has more axes than the structure can hold.
    pub fn field(&self, index: u64) -> Result<FieldInfo, Refused> {
        let field = item(self.file.fields(), index, "field")?;
        let (layout, array) = (field.layout(), field.array());
        let data = field.record_data();
        let colors = data.map(|data| data.colors).filter(|colors| *colors > 0);
        let mut axis = [Axis::default(); 16];
        if array.axes.len() > axis.len() {
            return Err(Refused::new(REFUSED, format!("the array has {} axes", array.axes.len())));
        }
        for (to, from) in axis.iter_mut().zip(&array.axes) {
            *to = Axis { extent: from.extent, name: text(from.name.as_bytes()) };
        }
        let mut extents = [0; 8];
        for (to, from) in extents.iter_mut().zip(layout.extents.as_slice()) {
            *to = *from;
        }
        Ok(FieldInfo {
            struct_size: 0,
            bytes: bytes_of(array.number_count(), array.element)?,
            numbers: array.number_count(),
            sites: if layout.region == Region::Global { 1 } else { layout.sites() },
            bytes_per_site: layout.bytes_per_site,
            offset: layout.record.offset,
            element: number(array.element),
            is_complex: i32::from(array.is_complex),
            is_gauge_field: i32::from(is_gauge_field(layout, layout.described_by == DescribedBy::Ildg)),
            has_checksum: i32::from(has_checksum(field.stored())),
            colors: colors.or(layout.links.map(|links| links.columns)).unwrap_or(0),
            spins: data.map_or(0, |data| data.spins),
            items: data.map(|data| data.datacount).or(layout.links.map(|links| links.links)).unwrap_or(0),
            dimensions: layout.extents.dimensions().into(),
            extents,
            // There are at most 16.
            lattice_axes: array.lattice_axes as u32,
            axes: array.axes.len() as u32,
            axis,
            datatype: text(field.datatype().unwrap_or_default().as_bytes()),
        })
    }

    /// Reads a field, or time slices of it.
    ///
    /// # Errors
    /// The options do not fit the field, the memory has another size, or the data cannot be read or are damaged.
    pub fn read_field(&self, index: u64, how: &Read, progress: &Progress, out: &mut [u8]) -> Answer {
        let field = item(self.file.fields(), index, "field")?;
        let selection = match (how.first_slice, how.slices) {
            (0, 0) => Selection::All,
            (first, 0) => return Err(Refused::usage(format!("0 time slices from {first} on"))),
            (first, slices) => Selection::Slices(first..first.saturating_add(slices)),
        };
        let stored = field.array().element;
        let wanted = match how.element {
            0 => stored,
            number => usize::try_from(number - 1)
                .ok()
                .and_then(|index| ELEMENTS.get(index).copied())
                .ok_or_else(|| Refused::usage(format!("there is no type of numbers {number}")))?,
        };
        let numbers = selection.array(field.array())?.number_count();
        let (of_file, expected) = (bytes_of(numbers, stored)?, bytes_of(numbers, wanted)?);
        if expected != out.len() as u64 {
            return Err(Refused::size(expected, out.len() as u64));
        }
        let verdict = run(&self.meter, progress, of_file, || match (stored, wanted) {
            _ if stored == wanted => Ok(field.read_bytes(&selection, out, NATIVE, Verify::Yes)?),
            (ElementType::F32, ElementType::F64) => converted::<4, 8>(field, &selection, out, |number| {
                Some(f64::from(f32::from_ne_bytes(number)).to_ne_bytes())
            }),
            (ElementType::F64, ElementType::F32) => converted::<8, 4>(field, &selection, out, |number| {
                let number = f64::from_ne_bytes(number);
                let rounded = number as f32;
                (rounded.is_finite() || !number.is_finite()).then(|| rounded.to_ne_bytes())
            }),
            _ => Err(Refused::usage(format!("the field has numbers of type {stored}, not {wanted}"))),
        })?;
        Ok(answer(verdict))
    }

    /// Reads a field and verifies it.
    ///
    /// # Errors
    /// There is none, or the data cannot be read or are damaged.
    pub fn verify_field(&self, index: u64, progress: &Progress) -> Answer {
        let field = item(self.file.fields(), index, "field")?;
        let bytes = bytes_of(field.array().number_count(), field.array().element)?;
        Ok(answer(run(&self.meter, progress, bytes, || Ok(field.verify()?))?))
    }
}

/// The size of numbers in bytes.
fn bytes_of(numbers: u64, element: ElementType) -> Result<u64, Refused> {
    let bytes = numbers.checked_mul(element.size() as u64);
    bytes.ok_or_else(|| Refused::new(REFUSED, "the data have more bytes than 64 bits can count"))
}

/// Reads numbers of `FROM` bytes and stores them as numbers of `TO` bytes. A number that `convert` refuses does not
/// fit.
fn converted<const FROM: usize, const TO: usize>(
    field: &Field,
    selection: &Selection,
    out: &mut [u8],
    convert: impl Fn([u8; FROM]) -> Option<[u8; TO]>,
) -> Result<Verdict, Refused> {
    let (mut rest, mut unfit) = (out.as_chunks_mut::<TO>().0.iter_mut(), None);
    let mut sink = |piece: &[u8]| {
        // Pieces consist of whole sites.
        for number in piece.as_chunks::<FROM>().0 {
            match (convert(*number), rest.next()) {
                (Some(number), Some(to)) => *to = number,
                (None, Some(_)) => {
                    unfit = Some(*number);
                    return Err(io::Error::other("a number does not fit"));
                }
                (_, None) => return Err(io::Error::other("there are more numbers than expected")),
            }
        }
        Ok(())
    };
    let read = field.stream(selection, NATIVE, Verify::Yes, &mut sink);
    let left = rest.len();
    match (read, unfit) {
        (_, Some(number)) => {
            let number = number.first_chunk().map_or(f64::NAN, |number| f64::from_ne_bytes(*number));
            Err(Refused::new(
                NUMBER,
                format!("the field has {number:e}, more than single precision can hold"),
            ))
        }
        (Ok(_), None) if left > 0 => Err(Refused::new(REFUSED, "there are fewer numbers than expected")),
        (read, None) => Ok(read?),
    }
}
