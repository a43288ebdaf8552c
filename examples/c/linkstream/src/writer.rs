//! New LIME files and file sets, field by field.

use std::fmt;
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use linkstream::CallbackError;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::io::{FieldWriter, FromStd};
use linkstream::lattice::{Checksum, Extents};
use linkstream::scidac::PrivateFile;
use linkstream_access::meter::{Cancelled, Meter, Metered};
use linkstream_access::set::VolumeSource;
use linkstream_access::source::SharedSource;
use linkstream_access::system;
use linkstream_access::write::{
    AtomicFile, CompleteSet, Counting, Error, FieldSink, FieldsPlan, Incomplete, Measuring, NewField, NewSet,
    Planned, RecordTexts, SCRATCH, SetForm, SetSink, Wish, read_back,
};
use linkstream_report::job::Open;
use linkstream_report::judgement::{Asked, judge_new};

use crate::answer::{Answer, DOUBTFUL, OK, REFUSED, Refused, SIZE, USAGE};
use crate::progress::{self, Progress};

/// Number of bytes written at a time.
const BUFFER: usize = 256 << 10;

type Documents = FieldWriter<FromStd<BufWriter<system::File>>, Vec<u8>>;

/// Properties of a new file.
#[derive(Debug)]
pub struct Plan {
    /// The lattice.
    pub lattice: Extents,
    /// Texts and form of all fields.
    pub wish: Wish,
    /// The volumes of a file set; `None` for a single file.
    pub set: Option<SetForm>,
    /// True to replace an existing file.
    pub replaces: bool,
    /// True to read the file before it gets its name.
    pub reads_back: bool,
    /// Reports the progress.
    pub progress: Progress,
}

/// The unfinished output.
enum Output {
    File { file: AtomicFile, documents: Box<Documents> },
    Set(Box<SetSink>),
}

/// A file or a file set that is being written.
pub struct Writer {
    output: Output,
    plan: Plan,
    /// True after the documents about the file.
    is_described: bool,
    /// True if the caller has given a text, which can contradict the data.
    has_texts: bool,
    /// The plaquettes and link traces that belong to the records so far.
    texts: RecordTexts,
    sums: Vec<Checksum>,
    fields: u64,
    has_failed: bool,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("plan", &self.plan)
            .field("fields", &self.fields)
            .finish_non_exhaustive()
    }
}

impl Writer {
    /// Begins a file. The volumes of a set begin with its first field.
    ///
    /// # Errors
    /// It exists, or cannot be created; the lattice cannot be divided into the volumes.
    pub fn create(path: &Path, plan: Plan) -> Result<Self, Refused> {
        let output = if let Some(form) = &plan.set {
            form.mesh(&plan.lattice).map_err(Error::from)?;
            let layout = form.layout.clone();
            let new = NewSet::new(path.to_owned(), layout, plan.replaces, Incomplete::default());
            Output::Set(Box::new(SetSink::new(form.clone(), new)))
        } else {
            let file =
                AtomicFile::create(path, plan.replaces, &Incomplete::default()).map_err(Error::from)?;
            let sink = BufWriter::with_capacity(BUFFER, file.file().try_clone()?);
            let documents =
                Box::new(FieldWriter::with_encoder(FromStd(sink), vec![0; SCRATCH], Encoder::new()));
            Output::File { file, documents }
        };
        let has_texts = plan.wish.file_xml.is_some();
        let (is_described, sums, fields, has_failed) = (false, Vec::new(), 0, false);
        let texts = RecordTexts::default();
        Ok(Self { output, plan, is_described, has_texts, texts, sums, fields, has_failed })
    }

    /// The lattice.
    #[must_use]
    pub const fn lattice(&self) -> &Extents {
        &self.plan.lattice
    }

    /// The wish for the next field, without properties of its own.
    #[must_use]
    pub fn wish(&self) -> Wish {
        let mut wish = self.plan.wish.clone();
        // The name is in the first message.
        wish.lfn = wish.lfn.filter(|_| self.fields == 0);
        wish
    }

    /// Writes the next field. `bytes` is the size of its numbers in the file.
    ///
    /// # Errors
    /// It does not have the size that its description demands, or cannot be written.
    pub fn write(&mut self, field: NewField<'_>, wish: &Wish, bytes: u64) -> Answer {
        if self.has_failed {
            return Err(Refused::usage("an earlier call has failed: the writer can only be discarded"));
        }
        let answer = self.write_next(field, wish, bytes);
        self.has_failed = matches!(&answer, Err(refused) if ![USAGE, SIZE, DOUBTFUL].contains(&refused.code));
        answer
    }

    fn write_next(&mut self, field: NewField<'_>, wish: &Wish, bytes: u64) -> Answer {
        let plan = FieldsPlan::new(&self.plan.lattice, &[field], wish)?;
        self.has_texts |= wish.record_xml.is_some();
        let mut sink = Part {
            output: &mut self.output,
            is_described: &mut self.is_described,
            progress: &self.plan.progress,
            done: 0,
            total: bytes,
        };
        sink.progress.report(0, bytes)?;
        let mut warnings = Vec::new();
        let mut measuring = Measuring::new(&mut sink);
        self.sums.extend(plan.write_to(&mut measuring, &mut warnings)?);
        self.texts.append(measuring.into_texts());
        self.fields += 1;
        match warnings.first() {
            Some(warning) => Err(Refused::new(DOUBTFUL, warning.to_string())),
            None => Ok(OK),
        }
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// There is no field, an earlier call has failed, or the file cannot be completed.
    pub fn finish(self) -> Answer {
        if self.has_failed {
            return Err(Refused::usage("an earlier call has failed: the file is not complete"));
        }
        if self.fields == 0 {
            return Err(Refused::new(REFUSED, "the file has no fields"));
        }
        let is_judged = self.plan.reads_back || self.has_texts;
        let plan = &self.plan;
        match self.output {
            Output::File { mut file, mut documents } => {
                documents.complete().map_err(Error::from)?;
                self.texts.fill(&mut file)?;
                if plan.reads_back {
                    let length = file.file().metadata()?.len();
                    let (progress, at) = (&plan.progress, 0);
                    let mut file = Watched { file: &mut file, progress, at, length, reported: Ok(()) };
                    let read = read_back(&mut file, &self.sums, true, &mut Vec::new());
                    file.reported?;
                    read?;
                }
                if is_judged {
                    let meter = Arc::<Meter>::default();
                    let source = Metered::new(file.source()?, meter.clone());
                    judge(plan, &meter, &Open::source(Arc::new(source), String::new()))?;
                }
                file.keep().map_err(Error::from)?;
            }
            Output::Set(mut sink) => {
                sink.finish()?;
                let mut set = CompleteSet::new(*sink)?;
                set.fill(&self.texts)?;
                let meter = Arc::<Meter>::default();
                if plan.reads_back {
                    let mut counting = Counting::new(meter.clone());
                    let total = total(&set)?;
                    progress::run(&meter, &plan.progress, total, || {
                        Ok(set.read_back(&self.sums, &mut counting)?)
                    })?;
                }
                if is_judged {
                    let meter = Arc::<Meter>::default();
                    let metered = |volume: VolumeSource<'static, io::Error>| {
                        let source: SharedSource<'static, io::Error> =
                            Arc::new(Metered::new(volume.source, meter.clone()));
                        VolumeSource { source, ..volume }
                    };
                    let volumes = set.sources()?.into_iter().map(metered).collect();
                    judge(plan, &meter, &Open::volumes(volumes, String::new()))?;
                }
                set.keep()?;
            }
        }
        Ok(OK)
    }
}

/// Judges a new file as `linkstream check` does.
fn judge(plan: &Plan, meter: &Meter, new: &Open) -> Result<(), Refused> {
    // Links that are not in their group were reported when they were written.
    let asked = Asked { any_numbers: true, ..Asked::default() };
    progress::run(meter, &plan.progress, new.bytes()?, || Ok(judge_new(new, asked)?))
}

/// Size of all volumes in bytes.
fn total(set: &CompleteSet) -> Result<u64, Refused> {
    Ok(Open::volumes(set.sources()?, String::new()).bytes()?)
}

/// Passes one field on to a file that has several. Documents about the file are written once.
struct Part<'w> {
    output: &'w mut Output,
    is_described: &'w mut bool,
    progress: &'w Progress,
    done: u64,
    total: u64,
}

impl FieldSink for Part<'_> {
    fn file(&mut self, file: &PrivateFile, text: &[u8]) -> Result<(), Error> {
        if std::mem::replace(self.is_described, true) {
            return Ok(());
        }
        match self.output {
            Output::File { documents, .. } => {
                Ok(documents.write_message(&OutgoingMessage::file(file, text))?)
            }
            Output::Set(sink) => sink.file(file, text),
        }
    }

    fn begin(&mut self, planned: &Planned) -> Result<u64, Error> {
        match self.output {
            Output::File { documents, .. } => {
                documents.begin(&planned.message())?;
                Ok(documents.encoder().field().map_or(0, |field| field.bytes_per_site))
            }
            Output::Set(sink) => sink.begin(planned),
        }
    }

    fn data(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self.output {
            Output::File { documents, .. } => documents.put(bytes).map_err(CallbackError::into_failed)?,
            Output::Set(sink) => sink.data(bytes)?,
        }
        self.done += bytes.len() as u64;
        self.progress.report(self.done, self.total).map_err(|cancelled| Error::Output(cancelled.into()))
    }

    fn end(&mut self, planned: &Planned) -> Result<Option<Checksum>, Error> {
        match self.output {
            Output::File { documents, .. } => {
                documents.end(&planned.message())?;
                Ok(documents.encoder().checksum())
            }
            Output::Set(sink) => sink.end(planned),
        }
    }

    fn finish(&mut self) -> Result<(), Error> {
        // The file is completed after its last field.
        Ok(())
    }
}

/// A file that reports the progress of reading it.
struct Watched<'w> {
    file: &'w mut AtomicFile,
    progress: &'w Progress,
    at: u64,
    length: u64,
    /// An error if the caller has cancelled: the error of reading back does not show it.
    reported: Result<(), Cancelled>,
}

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.reported = self.progress.report(self.at, self.length);
        self.reported?;
        let n = self.file.read(out)?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}
