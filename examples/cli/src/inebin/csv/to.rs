//! Converts a matrix to a text, in constant memory for rows of any length.

use std::io::Write;
use std::path::Path;

use indicatif::ProgressBarIter;
use linkstream::Error;
use linkstream::inebin::{Complex, Decoder, Entries, ErrorKind, Event, Header, MatrixType, Value};
use linkstream::io::FromStd;
use linkstream::io::Reader;

use super::number::Text;
use super::separator::Separator;
use crate::complain::complain;
use crate::failure::{Failure, failed};
use crate::judged::{Permission, judged};
use crate::source::{BUFFER, bar, rereadable};
use crate::system::File;

/// A reader of the matrix.
type Source<'b> = Reader<FromStd<ProgressBarIter<File>>, &'b mut [u8], Decoder>;

/// Reads a file, or standard input (`-`), and writes its entries. A complex number takes one field, or two if `pairs`.
pub fn to_csv(
    input: &Path,
    separator: Separator,
    pairs: bool,
    permission: Permission,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let file = rereadable(input)?;
    let trust = judged(&file, input, permission)?;
    let source = bar(Some(file.metadata()?.len())).wrap_read(file);
    let mut buffer = vec![0; BUFFER];
    // Findings are printed, and the entries are still read.
    let mut reader = Reader::new(FromStd(source), &mut buffer[..], Decoder::new(trust.mode()));
    while let Some(event) = next(&mut reader)? {
        let Event::Header(header) = event else { continue };
        let (rows, columns) = (header.rows(), header.columns());
        if header.entry_count() == 0 && (rows, columns) != (0, 0) {
            complain(&anyhow::anyhow!(
                "the text is empty: it does not preserve the shape of {rows} rows and {columns} columns"
            ));
        }
        match header.matrix_type() {
            MatrixType::Boolean => {
                convert(&mut reader, &header, separator, out, |value: bool, text| value.put(text))?
            }
            MatrixType::Integer => {
                convert(&mut reader, &header, separator, out, |value: i64, text| value.put(text))?
            }
            MatrixType::Real => {
                convert(&mut reader, &header, separator, out, |value: f64, text| value.put(text))?
            }
            MatrixType::Complex => convert(&mut reader, &header, separator, out, |value: Complex, text| {
                if pairs {
                    value.re.put(text);
                    text.push(separator.as_char());
                    value.im.put(text);
                } else {
                    value.put(text);
                }
            })?,
        }
    }
    Ok(out.flush().map_err(Failure::Output)?)
}

/// The next event; an error if the file is invalid. Findings are printed as warnings.
fn next(reader: &mut Source<'_>) -> anyhow::Result<Option<Event>> {
    let event = reader.next().map_err(failed)?;
    if let Some(Event::Finding(error)) = event {
        let error: Error<ErrorKind> = error;
        complain(&anyhow::Error::from(error).context("warning"));
    }
    Ok(event)
}

/// Writes all entries, each by a call of `put`.
fn convert<T: Value>(
    reader: &mut Source<'_>,
    header: &Header,
    separator: Separator,
    out: &mut impl Write,
    put: impl Fn(T, &mut String),
) -> anyhow::Result<()> {
    let mut entries = Entries::new(header)?;
    let mut text = String::new();
    while entries.left() > 0 {
        let Some(event) = next(reader)? else { break };
        if event != Event::Data {
            continue;
        }
        text.clear();
        entries.feed(reader.bytes(), |run| {
            for (value, column) in run.values().zip(run.column..) {
                if column > 0 {
                    text.push(separator.as_char());
                }
                put(value, &mut text);
                if column == header.columns() - 1 {
                    text.push('\n');
                }
            }
        })?;
        out.write_all(text.as_bytes()).map_err(Failure::Output)?;
    }
    Ok(())
}
