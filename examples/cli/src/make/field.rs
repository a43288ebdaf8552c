//! `make field`: writes a NumPy array as a SciDAC field, a part of a lattice or global data (QIO 2.3, section 4.2), in a
//! new file or after the records of another one.

use std::io::{Read, Seek as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use linkstream::Mode;
use linkstream::conformance::{Decoder, Event};
use linkstream::field::Encoder;
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::{FromStd, Reader};
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision, Region, reverse_words};
use linkstream::lime::padding;
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};
use linkstream_access::write::{
    Beside, FieldSink as _, FileSink, NO_TEXT, Planned, SCRATCH, lattice_links, named_letter, read_back,
    set_date, unix_now,
};

use crate::convert::date;
use crate::counting::from_zero;
use crate::edit::other_links;
use crate::failure::{Failure, failed, of_input, wrong_arguments};
use crate::fields::{Plausibility, Terminal, made, next, warn};
use crate::human::shown_path;
use crate::ildg::{is_same_file, locked};
use crate::judged::{Asked, Permission, judged, not_wrong};
use crate::npy::{ByteOrder, Header, Kind, open_numbers, tuple};
use crate::output::whole;
use crate::own_input;
use crate::source::{BUFFER, bar, filled};
use crate::system::{File, metadata};
use crate::xml_text::{argument, document};

#[derive(Debug, Args)]
pub struct MakeField {
    /// The file to write; `-` is standard output.
    pub out: PathBuf,
    /// A NumPy array (NPY file); `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// Type of the data, such as USQCD_D3_DiracFermion or QDP_F_Real. The last word of a name that is known determines
    /// the axes of an item.
    #[arg(long, value_name = "NAME", value_parser = datatype)]
    pub datatype: String,
    /// The lattice, x first [default: the first four axes of the array, or as in the file with --append].
    #[arg(long, value_name = "4x4x4x8", value_parser = extents)]
    pub extents: Option<Extents>,
    /// The array has a part of the lattice: first coordinate in each direction.
    #[arg(long, value_name = "0x0x0x2", value_parser = corner, requires = "upper")]
    pub lower: Option<Coordinates>,
    /// Last coordinate in each direction.
    #[arg(long, value_name = "3x3x3x2", value_parser = corner, requires = "lower")]
    pub upper: Option<Coordinates>,
    /// The data are global: they belong to no site.
    #[arg(long, conflicts_with_all = ["lower", "upper"])]
    pub global: bool,
    /// Number of colors [default: as in the name of the type].
    #[arg(long, value_name = "NUMBER", value_parser = from_zero::<u32>)]
    pub colors: Option<u32>,
    /// Number of spins [default: as the type has].
    #[arg(long, value_name = "NUMBER", value_parser = from_zero::<u32>)]
    pub spins: Option<u32>,
    /// Number of items at a site (datacount) [default: as the array has items of the type; 1 for an unknown type].
    #[arg(long, value_name = "NUMBER", value_parser = from_zero::<u32>)]
    pub count: Option<u32>,
    /// The user's text about the file (scidac-file-xml).
    #[arg(long, value_name = "TEXT", value_parser = document, conflicts_with = "append")]
    pub file_xml: Option<String>,
    /// The user's text about the field (scidac-record-xml).
    #[arg(long, value_name = "TEXT", value_parser = document)]
    pub record_xml: Option<String>,
    /// Date of the record [default: now].
    #[arg(long, value_name = "TEXT", value_parser = date)]
    pub date: Option<String>,
    /// Append the record to OUT, which is replaced only when the longer file is complete and verified.
    #[arg(long, conflicts_with = "force")]
    pub append: bool,
    /// Also accept numbers that are infinite or NaN, and links that are not unitary.
    #[arg(long)]
    pub any_numbers: bool,
    /// Replace the file if it exists.
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object: the files read and written, with the report of `inspect --json`, and the warnings.
    #[arg(long)]
    pub json: bool,
}

pub const EXAMPLES: &str = "\
Examples:
  linkstream make field src.lime --data src.npy --datatype USQCD_D_Complex
  linkstream make field props.lime --data p.npy \\
    --datatype USQCD_F3_DiracPropagator --record-xml 'mass 0.05'
  linkstream make field props.lime --data q.npy \\
    --datatype USQCD_F3_DiracPropagator --append
  linkstream make field wall.lime --data wall.npy --datatype USQCD_D_Complex \\
    --extents 8x8x8x16 --lower 0x0x0x3 --upper 7x7x7x3
  linkstream make field props.lime --data masses.npy --datatype QDP_D_Real \\
    --global --append

The array must be in C order: the axes t, z, y, x, followed by those of a site.
Global data have only axes of their own. Numbers are f4, f8, c8, c16, i4, u4, or
bytes; a real array has real and imaginary part as its last axis if the type is
complex. A site can have several items: an axis in front of those of the item.

Known types end in Real, Complex, ColorVector, ColorMatrix, HalfFermion,
DiracFermion, DiracPropagator and others, as QDP and QIO name them.

The new file is read back and verified before it appears under its name.";

fn datatype(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("the type has no name".to_owned()) } else { argument(text) }
}

fn numbers(text: &str) -> Result<Vec<u32>, String> {
    let numbers: Option<Vec<u32>> = text.split('x').map(|number| number.parse().ok()).collect();
    numbers.ok_or_else(|| "expected numbers like 4x4x4x8".to_owned())
}

fn extents(text: &str) -> Result<Extents, String> {
    Extents::new(&numbers(text)?).map_err(|why| why.to_string())
}

fn corner(text: &str) -> Result<Coordinates, String> {
    Coordinates::new(&numbers(text)?).ok_or_else(|| "a lattice has 1 to 8 dimensions".to_owned())
}

/// The numbers that will be written.
struct Data {
    source: Box<dyn Read>,
    header: Header,
}

pub fn make(how: &MakeField) -> anyhow::Result<()> {
    let open = || {
        let numbers = open_numbers(&how.data)?;
        let header =
            numbers.header.ok_or_else(|| failed(Failure::invalid(&"is not a NumPy array (NPY file)")))?;
        anyhow::ensure!(
            !header.fortran_order,
            "the array is in Fortran order, in which the first index runs fastest; numpy.ascontiguousarray gives the \
             order of SciDAC"
        );
        Ok(Data { source: numbers.source, header })
    };
    let data = open().map_err(|error| of_input(error, &how.data))?;
    if how.append {
        return append(how, data).with_context(|| shown_path(&how.out));
    }
    let lattice = lattice(how, &data.header)?;
    let planned = planned(how, &data.header, &lattice)?;
    whole(&how.out, how.force, |file| {
        let mut scratch = [0; SCRATCH];
        let mut sink = FileSink::new(file, &mut scratch);
        let text = how.file_xml.as_deref().unwrap_or(NO_TEXT);
        sink.file(&PrivateFile::new(&lattice), text.as_bytes()).map_err(made)?;
        let sum =
            written(data, how, &planned, &lattice, &mut sink).map_err(|error| of_input(error, &how.data))?;
        drop(sink);
        verified(how, file, &[sum])
    })
}

fn verified(how: &MakeField, file: &File, sums: &[Checksum]) -> anyhow::Result<()> {
    read_back(&mut &*file, sums, true, &mut Terminal).map_err(made)?;
    not_wrong(file, &how.out, Asked { any_numbers: how.any_numbers, ..Asked::default() })
}

/// Writes a copy of the file with one more record, which then replaces the file.
fn append(how: &MakeField, data: Data) -> anyhow::Result<()> {
    if how.out == Path::new("-") {
        wrong_arguments!("nothing can be appended to standard output");
    }
    let old = locked(&how.out)?;
    let before = old.metadata()?;
    let (encoder, lattice, mut sums) = look(&old)?;
    judged(&old, &how.out, Permission::default())?;
    if let Some(asked) = how.extents.filter(|asked| *asked != lattice) {
        anyhow::bail!("the file has the lattice {lattice}, not {asked}");
    }
    let planned = planned(how, &data.header, &lattice)?;
    own_input::in_place(&how.out).map_err(Failure::Input)?;
    let links = other_links(&old).map_err(Failure::Input)?;
    let written = whole(&how.out, true, |file| {
        let mut source = &old;
        source.rewind()?;
        file.set_permissions(before.permissions()).map_err(Failure::Output)?;
        std::io::copy(&mut bar(Some(before.len())).wrap_read(source), &mut &*file)
            .map_err(Failure::Output)?;
        let mut scratch = [0; SCRATCH];
        let mut sink = FileSink::after(file, &mut scratch, encoder);
        sums.push(
            written(data, how, &planned, &lattice, &mut sink).map_err(|error| of_input(error, &how.data))?,
        );
        drop(sink);
        verified(how, file, &sums)?;
        let now = metadata(&how.out)?;
        let is_unchanged = now.len() == before.len() && now.modified().ok() == before.modified().ok();
        anyhow::ensure!(is_unchanged && is_same_file(&now, &before), "has changed while it was read");
        Ok(())
    });
    if let Some(links) = links.filter(|_| written.is_ok()) {
        warn(&format!("{}: {links}", shown_path(&how.out)));
    }
    written
}

/// The encoder that continues a file, its lattice, and the checksums of its data.
fn look(mut file: &File) -> anyhow::Result<(Encoder, Extents, Vec<Checksum>)> {
    file.rewind()?;
    let mut buffer = vec![0; BUFFER];
    let mut reader = Reader::new(FromStd(file), &mut buffer[..], Decoder::new(Mode::Lenient));
    let mut sums = Vec::new();
    while let Some(event) = next(&mut reader)? {
        if let Event::FieldEnd(sum) = event {
            sums.extend(sum);
        }
    }
    let decoder = reader.decoder();
    let lattice = decoder.content().private_file().and_then(PrivateFile::extents);
    let lattice =
        lattice.context("has no SciDAC documents, which name the lattice: nothing can be appended")?;
    let record = decoder.content().lime().record();
    let end = record.payload_offset() + record.length;
    let surplus = file.metadata()?.len().checked_sub(end + u64::from(padding(record.length)));
    let encoder = Encoder::after(decoder).filter(|_| record.end && surplus == Some(0));
    encoder.map(|encoder| (encoder, lattice, sums)).ok_or_else(|| {
        let why = match surplus {
            None => "the padding of the last record is missing",
            Some(1..) => "the last record is followed by other bytes",
            Some(0) if !record.end => "it does not end at the end of a message",
            Some(0) => "it is a volume of a set",
        };
        let copy =
            if surplus == Some(0) { "" } else { "; `linkstream convert` makes a copy without this fault" };
        failed(Failure::invalid(&format!("nothing can be appended: {why}{copy}")))
    })
}

/// The lattice of a new file.
fn lattice(how: &MakeField, header: &Header) -> anyhow::Result<Extents> {
    if let Some(extents) = how.extents {
        return Ok(extents);
    }
    anyhow::ensure!(
        !how.global && how.lower.is_none(),
        "the array does not have the whole lattice: use --extents"
    );
    let first = header.shape.first_chunk::<4>().copied().unwrap_or_default();
    let mut extents = first.map(|extent| u32::try_from(extent).unwrap_or(0));
    extents.reverse();
    Extents::new(&extents).ok().with_context(|| {
        let shape = tuple(&header.shape);
        format!("the array has the shape {shape}, but the first four indices must be those of t, z, y and x: use --extents")
    })
}

/// The SciDAC record of the array.
fn planned(how: &MakeField, header: &Header, lattice: &Extents) -> anyhow::Result<Planned> {
    let region = region(how, lattice)?;
    let data = described(how, header, &region, lattice)?;
    let mut record = PrivateRecord::new(&region).with_data(data)?;
    set_date(&mut record, &how.date.clone().unwrap_or_else(unix_now))?;
    let text = how.record_xml.as_deref().unwrap_or(NO_TEXT).as_bytes().to_vec();
    Ok(Planned { scidac: Some(Beside { record, text }), checksum: true, ..Planned::default() })
}

fn region(how: &MakeField, lattice: &Extents) -> anyhow::Result<Region> {
    Ok(match how.lower.zip(how.upper) {
        Some((lower, upper)) => {
            Region::Hypercube(Hypercube::new(lower, upper, lattice).context("--lower and --upper")?)
        }
        None if how.global => Region::Global,
        None => Region::Lattice,
    })
}

/// The letter of the numbers' precision, and the size of a number in bytes.
fn precision(header: &Header) -> anyhow::Result<(&'static str, u64)> {
    Ok(match (header.dtype.kind, header.dtype.size) {
        (Kind::Float, 4) | (Kind::Complex, 8) => ("F", 4),
        (Kind::Float, 8) | (Kind::Complex, 16) => ("D", 8),
        (Kind::Integer | Kind::Unsigned, 4) => ("I", 4),
        (Kind::Integer, 1) => anyhow::bail!("bytes with a sign have no letter in SciDAC; expected u1"),
        (_, 1) => ("U", 1),
        _ => anyhow::bail!(
            "the array has the type {}, for which SciDAC has no letter; expected f4, f8, c8, c16, i4, u4 or bytes",
            header.dtype
        ),
    })
}

/// The description of a site.
fn described(
    how: &MakeField,
    header: &Header,
    region: &Region,
    lattice: &Extents,
) -> anyhow::Result<RecordData> {
    let (letter, word) = precision(header)?;
    let mut outer: Vec<u64> = match region {
        Region::Lattice => lattice.as_slice().iter().map(|extent| u64::from(*extent)).collect(),
        Region::Hypercube(cube) => {
            let corners = cube.lower().as_slice().iter().zip(cube.upper().as_slice());
            corners.map(|(lower, upper)| u64::from(upper - lower) + 1).collect()
        }
        Region::Global => Vec::new(),
    };
    outer.reverse();
    let Some(inner) = header.shape.strip_prefix(&outer[..]) else {
        anyhow::bail!(
            "the array has the shape {}, but the first indices must be {}",
            tuple(&header.shape),
            tuple(&outer)
        );
    };
    if let Some(named) = named_letter(&how.datatype).filter(|named| *named != letter) {
        let numbers = match named {
            "F" => "numbers of single precision (f4, c8)",
            "D" => "numbers of double precision (f8, c16)",
            "I" => "integers (i4)",
            _ => "states of random numbers, which no array holds",
        };
        anyhow::bail!("{} is a type of {numbers}, but the array has {}", how.datatype, header.dtype);
    }
    let mut data = RecordData {
        datatype: how.datatype.as_str().try_into().ok().context("--datatype has at most 64 bytes")?,
        precision: letter.try_into().unwrap_or_default(),
        colors: how.colors.unwrap_or(0),
        spins: how.spins.unwrap_or(0),
        typesize: 0,
        datacount: 0,
    };
    let mut own: Vec<u64> = Vec::new();
    let item = data.item();
    if let Some(item) = item {
        own.extend(std::iter::repeat_n(u64::from(item.spins), item.spin_axes.into()));
        own.extend(std::iter::repeat_n(u64::from(item.colors), item.color_axes.into()));
        if item.spin_axes > 0 {
            data.spins = how.spins.unwrap_or(item.spins);
        }
        if item.color_axes > 0 {
            data.colors = how.colors.unwrap_or(item.colors);
        }
        let is_complex = header.dtype.kind == Kind::Complex;
        anyhow::ensure!(item.is_complex || !is_complex, "{} is real, but the array is complex", how.datatype);
        if item.is_complex && !is_complex {
            own.push(2);
        }
    }
    let product = |axes: &[u64]| axes.iter().try_fold(1, |product: u64, axis| product.checked_mul(*axis));
    let too_large = "a site of the array is larger than 4 GiB";
    let number = u64::from(header.dtype.size);
    let site = product(inner).and_then(|numbers| numbers.checked_mul(number)).context(too_large)?;
    anyhow::ensure!(site > 0 && site.is_multiple_of(word), "the array has no numbers");
    let count = match (item.is_some(), how.count) {
        (true, asked) => {
            let several = inner.strip_suffix(&own[..]).with_context(|| {
                let (inner, own) = (tuple(inner), tuple(&own));
                format!(
                    "a site of the array has the shape {inner}, but an item of {} has {own}",
                    how.datatype
                )
            })?;
            let several = product(several).context(too_large)?;
            anyhow::ensure!(
                asked.is_none_or(|asked| u64::from(asked) == several),
                "a site of the array has {several} items, not as many as --count says"
            );
            several
        }
        (false, asked) => asked.unwrap_or(1).into(),
    };
    anyhow::ensure!(count > 0 && site.is_multiple_of(count), "a site of {site} bytes is not --count items");
    data.datacount = u32::try_from(count).context(too_large)?;
    data.typesize = u32::try_from(site / count).context(too_large)?;
    Ok(data)
}

/// Numbers that are infinite or NaN, and links that are not unitary; `None` for integers and bytes.
fn plausibility(planned: &Planned, lattice: &Extents) -> Option<Plausibility> {
    let record = &planned.scidac.as_ref()?.record;
    let precision = match record.data().precision.as_str() {
        "F" => Precision::F32,
        "D" => Precision::F64,
        _ => return None,
    };
    let links = lattice_links(record, lattice).and(lattice.as_slice().try_into().ok());
    Some(links.map_or_else(
        || Plausibility::of_numbers(precision),
        |extents| Plausibility::of_links(&Format::new(GaugeKind::SU3, precision, extents)),
    ))
}

/// Writes the record; returns its checksum.
fn written(
    data: Data,
    how: &MakeField,
    planned: &Planned,
    lattice: &Extents,
    sink: &mut FileSink<'_, &File>,
) -> anyhow::Result<Checksum> {
    let Data { mut source, header } = data;
    let (_, word) = precision(&header)?;
    let mut plausibility = plausibility(planned, lattice).filter(|_| !how.any_numbers);
    let is_unsigned = header.dtype.kind == Kind::Unsigned && word == 4;
    sink.begin(planned).map_err(made)?;
    let mut left =
        header.shape.iter().try_fold(u64::from(header.dtype.size), |bytes, axis| bytes.checked_mul(*axis));
    let mut buffer = vec![0; BUFFER];
    while let Some(rest) = left.filter(|rest| *rest > 0) {
        let n = BUFFER.min(usize::try_from(rest).unwrap_or(BUFFER));
        let piece = &mut buffer[..n];
        anyhow::ensure!(filled(&mut source, piece)? == n, "the array ends before its last number");
        if header.dtype.order == ByteOrder::Little {
            // The buffer holds whole numbers.
            reverse_words(piece, word as usize);
        }
        if let Some(plausibility) = &mut plausibility {
            plausibility.feed(piece);
        }
        // The letter I is for numbers with a sign.
        let is_negative = |word: &[u8]| word.first().is_some_and(|first| *first >= 0x80);
        if is_unsigned && piece.chunks_exact(4).any(is_negative) {
            let why = "the array has numbers beyond 2147483647, the largest one that SciDAC's integers hold";
            return Err(Failure::invalid(&why).into());
        }
        sink.data(piece).map_err(made)?;
        left = Some(rest - n as u64);
    }
    anyhow::ensure!(filled(&mut source, &mut [0])? == 0, "the array is followed by other bytes");
    if let Some(fault) = plausibility.and_then(|seen| seen.fault("the type of the array names the wrong one"))
    {
        return Err(Failure::invalid(&fault).into());
    }
    let sum = sink.end(planned).map_err(made)?.context("no data were written")?;
    sink.finish().map_err(made)?;
    Ok(sum)
}
