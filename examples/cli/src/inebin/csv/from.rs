//! Converts a text to a matrix. The text is read twice, because the file's header contains the number of rows, which is
//! known only at the end of the text.

use std::io::{BufReader, BufWriter, Seek as _, Write};
use std::path::Path;
use std::slice::Iter;

use linkstream::inebin::{self, Complex, Header, MatrixType, Value};
use linkstream::io::FromStd;
use linkstream::io::MatrixWriter;
use linkstream_memory as memory;

use super::error::CsvError;
use super::lines::{Lines, Row};
use super::number::Text;
use super::separator::Separator;
use crate::complain::complain;
use crate::failure::{Failure, failed};
use crate::source::{BUFFER, bar, filled, rereadable_data};
use crate::system::File;

/// Options for reading a text.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    pub matrix: MatrixType,
    /// `None` if the first row determines it.
    pub separator: Option<Separator>,
    /// True if a complex number takes two fields.
    pub pairs: bool,
}

impl Reading {
    const fn fields_per_entry(&self) -> usize {
        if self.pairs && matches!(self.matrix, MatrixType::Complex) { 2 } else { 1 }
    }
}

/// Reads a file, or standard input (`-`), and writes it as a matrix.
pub fn from_csv(input: &Path, how: &Reading, out: impl Write) -> anyhow::Result<Header> {
    let mut text = rereadable_data(input)?;
    text.rewind()?;
    let mut first = [0; inebin::MAGIC.len()];
    if filled(&mut text, &mut first)? == first.len() && first == inebin::MAGIC {
        anyhow::bail!("is an INEBIN file, not text");
    }
    if first.trim_ascii_start().starts_with(b"<") {
        return Err(failed(Failure::invalid(&"begins like an XML document, which is not CSV")));
    }
    let header = shape(&mut text, how)?;
    let mut buffer = vec![0; BUFFER];
    let sink = FromStd(BufWriter::new(out));
    let mut writer = MatrixWriter::create(sink, &mut buffer[..], &header);
    match how.matrix {
        MatrixType::Boolean => convert(&mut text, how, &mut writer, |fields: &mut Iter<bool>| one(fields))?,
        MatrixType::Integer => convert(&mut text, how, &mut writer, |fields: &mut Iter<i64>| one(fields))?,
        MatrixType::Real => convert(&mut text, how, &mut writer, |fields: &mut Iter<f64>| one(fields))?,
        MatrixType::Complex if how.pairs => convert(&mut text, how, &mut writer, pair)?,
        MatrixType::Complex => {
            convert(&mut text, how, &mut writer, |fields: &mut Iter<Complex>| one(fields))?;
        }
    }
    writer.finish().map_err(failed)?;
    Ok(header)
}

/// Passes every row of the text to `each`. Returns the number of the first empty line between rows.
fn rows(
    text: &mut File,
    separator: Option<Separator>,
    mut each: impl FnMut(&Row<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<Option<u64>> {
    text.rewind()?;
    let bar = bar(Some(text.metadata()?.len()));
    let mut lines = Lines::new(BufReader::with_capacity(BUFFER, bar.wrap_read(text)), separator);
    while let Some(row) = lines.next()? {
        each(&row)?;
    }
    Ok(lines.passed_over)
}

/// Reads the text to count its rows and columns.
fn shape(text: &mut File, how: &Reading) -> anyhow::Result<Header> {
    let (mut height, mut width) = (0_u32, 0_u32);
    let passed_over = rows(text, how.separator, |row| {
        let (line, found, fields) = (row.line, row.length, how.fields_per_entry());
        if !found.is_multiple_of(fields) {
            return Err(failed(CsvError::Odd { line, found }));
        }
        width = u32::try_from(found / fields).map_err(|_| failed(CsvError::TooLarge { line }))?;
        height = height.checked_add(1).ok_or_else(|| failed(CsvError::TooLarge { line }))?;
        Ok(())
    })?;
    if let Some(line) = passed_over {
        complain(&anyhow::anyhow!("warning: line {line} is empty and ignored (Aion would read it as a row)"));
    }
    Ok(Header::new(how.matrix, height, width)?)
}

/// Reads the text and writes its values; `next` converts the next field or fields of a row to an entry.
fn convert<F: Text, T: Value>(
    text: &mut File,
    how: &Reading,
    writer: &mut MatrixWriter<impl embedded_io::Write<Error = std::io::Error>, &mut [u8]>,
    next: impl Fn(&mut Iter<F>) -> Option<T>,
) -> anyhow::Result<()> {
    let mut values = Vec::new();
    rows(text, how.separator, |row| {
        values.clear();
        for (i, field) in row.fields().enumerate() {
            let value = std::str::from_utf8(field).ok().and_then(F::read);
            let value = value.ok_or_else(|| {
                failed(CsvError::Unreadable {
                    line: row.line,
                    field: i + 1,
                    text: CsvError::beginning(field),
                    matrix: F::TYPE,
                })
            })?;
            memory::push(&mut values, value)?;
        }
        let mut fields = values.iter();
        writer.put(std::iter::from_fn(|| next(&mut fields))).map_err(failed)
    })?;
    Ok(())
}

fn one<T: Copy>(fields: &mut Iter<T>) -> Option<T> {
    fields.next().copied()
}

fn pair(fields: &mut Iter<f64>) -> Option<Complex> {
    Some(Complex { re: one(fields)?, im: one(fields)? })
}
