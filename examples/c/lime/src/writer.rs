//! Writing: `LimeWriter`.

use libc::FILE;
use linkstream::State;
use linkstream::lime::{EncodeErrorKind, Encoder, Header};
use linkstream_c_border::{Failure, Stream};

use crate::code::{
    ERR_CLOSE, ERR_HEADER_NEXT, ERR_LAST_NOT_WRITTEN, ERR_MBME, ERR_PARAM, ERR_SEEK, ERR_WRITE, Refused,
};
use crate::reader::{Whence, wanted};

/// Mark of a writer in use. A destroyed one has another.
pub(crate) const MARK: u32 = 0x4c57_5452;

/// Size of the saved state in the header file.
pub const STATE: usize = 704;

const _: () = assert!(State::<Encoder>::LEN <= STATE, "LIME_WRITER_STATE in lime.h is too small");

/// A writer, as C programs see it. Its state can be copied to another process.
#[repr(C)]
#[derive(Debug)]
pub struct LimeWriter {
    pub(crate) mark: u32,
    /// 1 if it is not known which bytes of the record have been written: other processes write some of them, or they
    /// have been written in too many pieces.
    is_shared: i32,
    pub(crate) stream: *mut FILE,
    state: [u8; STATE],
}

fn refused(error: &EncodeErrorKind) -> Refused {
    let code = match error {
        EncodeErrorKind::RecordOpen => ERR_HEADER_NEXT,
        EncodeErrorKind::BeginMissing | EncodeErrorKind::BeginUnexpected => ERR_MBME,
        EncodeErrorKind::PayloadTooShort { .. } => ERR_LAST_NOT_WRITTEN,
        EncodeErrorKind::SeekOutside { .. } => ERR_SEEK,
        _ => ERR_PARAM,
    };
    Refused::new(code, Failure::usage(error.to_string()))
}

impl LimeWriter {
    /// A writer from a position of a stream on.
    #[must_use]
    pub fn new(stream: *mut FILE, position: u64) -> Self {
        let mut writer = Self { mark: MARK, is_shared: 0, stream, state: [0; STATE] };
        writer.set(&Encoder::append(position, false));
        writer
    }

    fn encoder(&self) -> Result<Encoder, Refused> {
        if self.mark != MARK {
            return Err(Refused::usage("this is no writer, or it has been destroyed"));
        }
        let saved = State::from_bytes(&self.state[..State::<Encoder>::LEN]);
        let encoder = saved.and_then(|saved| Encoder::load(&saved));
        encoder.map_err(|error| Refused::usage(&format!("the state of the writer is damaged: {error}")))
    }

    fn set(&mut self, encoder: &Encoder) {
        let saved = encoder.save();
        let bytes = saved.as_bytes();
        self.state[..bytes.len()].copy_from_slice(bytes);
    }

    /// Begins a record.
    ///
    /// # Errors
    /// The last record is not complete, or the flags do not fit its message; or the system refuses to write.
    pub fn begin(&mut self, stream: &mut Stream<'_>, header: &Header) -> Result<(), Refused> {
        let mut encoder = self.encoder()?;
        if is_open(&encoder) {
            // A record that is complete ends without a call.
            match self.end(stream, &mut encoder) {
                Err(Refused { code: ERR_LAST_NOT_WRITTEN, failure }) => {
                    return Err(Refused { code: ERR_HEADER_NEXT, failure });
                }
                other => other?,
            }
            self.set(&encoder);
        }
        let at = encoder.position();
        let bytes = *encoder.begin(header).map_err(|error| refused(&error))?;
        write(stream, &bytes, at)?;
        self.is_shared = 0;
        self.set(&encoder);
        Ok(())
    }

    /// Writes data of the record. Returns the number of bytes that were written, also with an error.
    pub fn write(&mut self, stream: &mut Stream<'_>, bytes: &[u8]) -> (usize, Result<(), Refused>) {
        let mut encoder = match self.encoder() {
            Ok(encoder) if is_open(&encoder) => encoder,
            Ok(_) => return (0, Err(Refused::usage("no record has been begun"))),
            Err(refused) => return (0, Err(refused)),
        };
        let fits = usize::try_from(encoder.room()).unwrap_or(usize::MAX).min(bytes.len());
        let at = encoder.position();
        if let Err(failure) = stream.go_to(at, at) {
            return (0, Err(Refused::new(ERR_SEEK, failure)));
        }
        let (number, outcome) = match stream.write(&bytes[..fits], at) {
            Ok(()) => (fits, Ok(())),
            Err((number, failure)) => (number, Err(Refused::new(ERR_WRITE, failure))),
        };
        let counted = self.count(&mut encoder, number as u64);
        self.set(&encoder);
        let rest = bytes.len() - fits;
        let all = if rest == 0 {
            Ok(())
        } else {
            Err(Refused::usage(&format!("the record has no room for {rest} of the bytes")))
        };
        (number, outcome.and(counted).and(all))
    }

    /// Counts bytes of the record as written.
    fn count(&mut self, encoder: &mut Encoder, number: u64) -> Result<(), Refused> {
        match encoder.payload(number) {
            Ok(()) => Ok(()),
            // So many pieces cannot be remembered: only their positions are still checked.
            Err(EncodeErrorKind::TooManyPieces { .. }) => {
                self.is_shared = 1;
                let to = encoder.payload_length() - encoder.room() + number;
                encoder.seek(to).map_err(|error| refused(&error))
            }
            Err(error) => Err(refused(&error)),
        }
    }

    /// Moves in the data of the record.
    ///
    /// # Errors
    /// No record has been begun.
    pub fn seek(&mut self, offset: i64, whence: Whence) -> Result<(), Refused> {
        let mut encoder = self.encoder()?;
        if !is_open(&encoder) {
            return Err(Refused::usage("no record has been begun"));
        }
        let length = encoder.payload_length();
        let to = wanted(offset, whence, length - encoder.room(), length);
        encoder.seek(to).map_err(|error| refused(&error))?;
        self.set(&encoder);
        Ok(())
    }

    /// Ends the record.
    ///
    /// # Errors
    /// No record has been begun, bytes are missing, or the system refuses to write.
    pub fn close_record(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        let mut encoder = self.encoder()?;
        if !is_open(&encoder) {
            return Err(Refused::usage("no record has been begun"));
        }
        self.end(stream, &mut encoder)?;
        self.set(&encoder);
        Ok(())
    }

    fn end(&self, stream: &mut Stream<'_>, encoder: &mut Encoder) -> Result<(), Refused> {
        let length = encoder.payload_length();
        if self.is_shared != 0 {
            // Bytes that this writer does not know of count as written.
            encoder.seek(0).map_err(|error| refused(&error))?;
            encoder.payload(length).map_err(|error| refused(&error))?;
        }
        encoder.seek(length).map_err(|error| refused(&error))?;
        let at = encoder.position();
        let padding = encoder.end().map_err(|error| refused(&error))?;
        write(stream, padding, at)
    }

    /// Takes over the state of another writer. From then on, it is not known which bytes have been written.
    ///
    /// # Errors
    /// One of them is no writer, or its state is damaged.
    pub fn take_state(&mut self, other: &Self) -> Result<(), Refused> {
        self.encoder()?;
        other.encoder()?;
        (self.state, self.is_shared) = (other.state, 1);
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Bytes of the last record are missing, or the system refuses to write.
    pub fn finish(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        let closed = |refused: Refused| Refused { code: ERR_CLOSE, ..refused };
        let mut encoder = self.encoder()?;
        if is_open(&encoder) {
            self.end(stream, &mut encoder).map_err(closed)?;
        }
        if encoder.message_is_open() {
            // LIME 1.2, section 3: a terminal null record.
            let header = Header::new(b"", 0, false, false).map_err(|error| closed(refused(&error)))?;
            let at = encoder.position();
            let bytes = *encoder.begin(&header).map_err(|error| closed(refused(&error)))?;
            write(stream, &bytes, at).map_err(closed)?;
        }
        self.set(&encoder);
        stream.flush(encoder.position()).map_err(|failure| Refused::new(ERR_CLOSE, failure))
    }
}

fn is_open(encoder: &Encoder) -> bool {
    encoder.finish().is_err()
}

fn write(stream: &mut Stream<'_>, bytes: &[u8], at: u64) -> Result<(), Refused> {
    if bytes.is_empty() {
        return Ok(());
    }
    stream.go_to(at, at).map_err(|failure| Refused::new(ERR_SEEK, failure))?;
    stream.write(bytes, at).map_err(|(_, failure)| Refused::new(ERR_WRITE, failure))
}
