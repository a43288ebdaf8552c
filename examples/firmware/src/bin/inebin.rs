//! Reads a matrix: logs its header and the sums of its rows.
#![no_std]
#![no_main]

use firmware::{Buffers, Failure, File};
use linkstream::Mode;
use linkstream::inebin::{Complex, Decoder, Entries, Event, Header, MatrixType, Value};
use linkstream::io::Reader;

firmware::program!(matrix);

static BUFFER: Buffers<[u8; 512]> = Buffers::new([0; 512]);
/// Number of rows whose sums are logged. The others only count towards the total.
const LOGGED: u32 = 8;

type Matrix<'b> = Reader<File, &'b mut [u8], Decoder>;

fn matrix(file: File) -> Result<(), Failure> {
    let buffer = BUFFER.take().ok_or(Failure::Other("the buffer is lent already"))?;
    let mut reader = Reader::new(file, &mut buffer[..], Decoder::new(Mode::Strict));
    while let Some(event) = reader.next()? {
        let Event::Header(header) = event else { continue };
        defmt::info!(
            "{}: {=u32} rows, {=u32} columns",
            header.matrix_type(),
            header.rows(),
            header.columns()
        );
        match header.matrix_type() {
            MatrixType::Boolean => {
                sums(&mut reader, &header, |set: bool| number(if set { 1.0 } else { 0.0 }))
            }
            MatrixType::Integer => sums(&mut reader, &header, |value: i64| number(value as f64)),
            MatrixType::Real => sums(&mut reader, &header, number),
            MatrixType::Complex => sums(&mut reader, &header, |value: Complex| value),
        }?;
    }
    Ok(())
}

fn number(re: f64) -> Complex {
    Complex { re, im: 0.0 }
}

/// Sums the rows as their entries arrive, in runs that end with the row or with the buffer.
fn sums<T: Value>(
    reader: &mut Matrix<'_>,
    header: &Header,
    number: impl Fn(T) -> Complex,
) -> Result<(), Failure> {
    let mut entries = Entries::<T>::new(header)?;
    let mut row = Complex::default();
    let mut total = Complex::default();
    while let Some(event) = reader.next()? {
        match event {
            Event::Data => entries.feed(reader.bytes(), |run| {
                for value in run.values() {
                    add(&mut row, number(value));
                }
                if u64::from(run.column) + run.len() == u64::from(header.columns()) {
                    if run.row < LOGGED {
                        defmt::info!("row {=u32} sums to {=f64}, {=f64}", run.row, row.re, row.im);
                    }
                    add(&mut total, row);
                    row = Complex::default();
                }
            })?,
            Event::Finding(finding) => defmt::warn!("finding {}", finding),
            _ => {}
        }
    }
    defmt::info!("all sum to {=f64}, {=f64}", total.re, total.im);
    Ok(())
}

fn add(sum: &mut Complex, value: Complex) {
    sum.re += value.re;
    sum.im += value.im;
}
