//! `make propagator`: writes sources and solutions with the USQCD documents (QIO 2.3, appendix A).

use anyhow::Context as _;
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream::usqcd::{Document, FileType, Label, Role, SiteType};
use linkstream::xml::Spacing;
use linkstream_access::write::{
    Beside, FieldSink as _, FileSink, NO_TEXT, Planned, SCRATCH, read_back, set_date, unix_now,
};

use super::arguments::Arguments;
use super::array::Shape;
use super::records::Records;
use super::texts::Each;
use crate::failure::{input_name, wrong_arguments};
use crate::fields::{Terminal, made};
use crate::human::counted;
use crate::judged::{Asked, not_wrong};
use crate::npy::open_numbers;
use crate::output::whole;
use crate::system::File;

pub fn make(how: &Arguments) -> anyhow::Result<()> {
    check(how)?;
    whole(&how.out, how.force, |file| {
        let sums = write(how, file)?;
        read_back(&mut &*file, &sums, true, &mut Terminal).map_err(made)?;
        not_wrong(file, &how.out, Asked::default())
    })
}

/// Rejects options that contradict the type of the file.
fn check(how: &Arguments) -> anyhow::Result<()> {
    let file_type = how.file_type;
    let has_sources = file_type.site_type(Role::Source).is_some();
    if has_sources && how.sources.is_empty() {
        wrong_arguments!("a {file_type} file needs --source");
    }
    let about_sources = !how.sources.is_empty()
        || !how.source_infos.is_empty()
        || !how.source_labels.is_empty()
        || !how.times.is_empty();
    if !has_sources && (about_sources || !how.labels.is_empty()) {
        wrong_arguments!("an {file_type} file has neither sources nor labels");
    }
    if file_type.solutions().is_some() && !how.labels.is_empty() {
        wrong_arguments!(
            "the solutions of a {file_type} file are labelled in their order: leave out --label"
        );
    }
    let inputs = how.sources.iter().chain(&how.solutions);
    if inputs.filter(|path| path.as_os_str() == "-").count() > 1 {
        wrong_arguments!(
            "standard input can be read only once: more than one of --source and --solution is -"
        );
    }
    let mut labels = how.labels.iter().chain(&how.source_labels);
    if labels.any(|label| label.spin.is_some() == file_type.is_staggered()) {
        let expected = if file_type.is_staggered() { "COLOR" } else { "SPIN,COLOR" };
        wrong_arguments!("a label in a {file_type} file is {expected}");
    }
    Ok(())
}

/// The axes within a site.
const fn site_shape(file_type: FileType, role: Role) -> &'static [u64] {
    match file_type.site_type(role) {
        Some(SiteType::Complex) => &[],
        Some(SiteType::DiracFermion) => &[4, 3],
        Some(SiteType::ColorVector) => &[3],
        // LHPC files hold Dirac propagators.
        None => &[4, 4, 3, 3],
    }
}

fn write(how: &Arguments, out: &File) -> anyhow::Result<Vec<Checksum>> {
    let file_type = how.file_type;
    let shape = Shape { site: site_shape(file_type, Role::Solution), has_times: true, lattice_of: None };
    let first = how.solutions.first().context("no solutions")?;
    let opened = open_numbers(first).with_context(|| input_name(first))?;
    let (mut extents, mut precision) = (how.extents, how.precision);
    if let Some(header) = &opened.header {
        let of_array = || -> anyhow::Result<_> { Ok((shape.extents(header)?, header.floats()?.0)) };
        let (found, bits) = of_array().with_context(|| input_name(first))?;
        (extents, precision) = (extents.or(Some(found)), precision.or(Some(bits)));
    }
    let extents = extents.context("raw data need --extents")?;
    let precision = precision.unwrap_or(Precision::F64);
    let about = (extents, precision, how);
    if let Some(header) = &opened.header {
        // The first array is checked on its own first: an error in its shape must not be reported as one of the other
        // arrays.
        shape.check(header, &extents, precision).with_context(|| input_name(first))?;
    }
    let is_given = how.extents.is_some() || opened.header.is_none();
    let lattice_of = if is_given { None } else { Some(first.as_path()) };
    let source_shape =
        Shape { site: site_shape(file_type, Role::Source), has_times: how.times.is_empty(), lattice_of };
    let mut sources = Records::new("--source", &how.sources, source_shape, about, None);
    let mut solutions = Records::new("--solution", &how.solutions, shape, about, Some(opened));

    let mut scratch = [0; SCRATCH];
    let mut sink = FileSink::new(out, &mut scratch);
    let file = PrivateFile::new(&Extents::new(&extents)?);
    let text = text(&Document::file(file_type, how.info.as_bytes())).context("--info")?;
    sink.file(&file, &text).map_err(made)?;
    let mut making = Making { how, extents, precision, sink, sums: Vec::new(), counts: [0; 2] };
    match (file_type, file_type.solutions()) {
        (FileType::Lhpc, _) => {
            while solutions.has_next()? {
                making.propagator(&mut solutions)?;
            }
        }
        (_, Some(count)) => {
            making.source(&mut sources)?;
            for _ in 0..count {
                making.solution(&mut solutions)?;
            }
        }
        (_, None) => {
            while sources.has_next()? {
                making.source(&mut sources)?;
                making.solution(&mut solutions)?;
            }
        }
    }
    let sums = making.finish(sources.has_next()?, solutions.has_next()?)?;
    sources.check_order(solutions)?;
    Ok(sums)
}

/// A document as the payload of a text record, without the NUL at its end, which the encoder writes.
fn text(document: &Document<'_>) -> anyhow::Result<Vec<u8>> {
    let mut buffer = vec![0; SCRATCH + document.info().map_or(0, <[u8]>::len)];
    let length = document.emit(Spacing::Line, &mut buffer)?;
    buffer.truncate(length.saturating_sub(1));
    Ok(buffer)
}

/// The file that is being written.
struct Making<'a> {
    how: &'a Arguments,
    extents: [u32; 4],
    precision: Precision,
    sink: FileSink<'a, &'a File>,
    /// The checksums of the records so far.
    sums: Vec<Checksum>,
    /// Numbers of sources and solutions so far.
    counts: [usize; 2],
}

impl<'a> Making<'a> {
    fn infos(&self, role: Role) -> Each<'a, String> {
        match role {
            Role::Source => Each { option: "--source-info", values: &self.how.source_infos },
            Role::Solution => Each { option: "--solution-info", values: &self.how.solution_infos },
        }
    }

    fn labels(&self, role: Role) -> Each<'a, Label> {
        match role {
            Role::Source => Each { option: "--source-label", values: &self.how.source_labels },
            Role::Solution => Each { option: "--label", values: &self.how.labels },
        }
    }

    fn times(&self) -> Each<'a, u32> {
        Each { option: "--time", values: &self.how.times }
    }

    fn source(&mut self, data: &mut Records<'_>) -> anyhow::Result<()> {
        let [number, _] = self.counts;
        let region = match self.times().get(number)? {
            Some(time) => self.slice(*time)?,
            None => Region::Lattice,
        };
        let info = self.infos(Role::Source).get(number)?.map_or("", String::as_str);
        let label = self.labels(Role::Source).get(number)?.copied().unwrap_or_default();
        let text = text(&Document::source(info.as_bytes()).with_label(label)).context("--source-info")?;
        self.counts[0] += 1;
        let site = self.how.file_type.site_type(Role::Source).context("the type has sources")?;
        self.record(site.record(self.precision).covering(&region), &text, data)
    }

    fn solution(&mut self, data: &mut Records<'_>) -> anyhow::Result<()> {
        let (file_type, [_, number]) = (self.how.file_type, self.counts);
        let info = self.infos(Role::Solution).get(number)?.map_or("", String::as_str);
        let label =
            match (self.labels(Role::Solution).get(number)?, file_type.solutions(), u8::try_from(number)) {
                (Some(label), ..) => *label,
                (None, Some(_), Ok(number)) => Label::of_solution(number, file_type.is_staggered()),
                _ => Label::default(),
            };
        let document = Document::solution(file_type, info.as_bytes()).with_label(label);
        let text = text(&document).context("--solution-info")?;
        self.counts[1] += 1;
        let site = file_type.site_type(Role::Solution).context("the type has solutions")?;
        self.record(site.record(self.precision), &text, data)
    }

    /// Writes a record of an LHPC file. The standard specifies no documents for it.
    fn propagator(&mut self, data: &mut Records<'_>) -> anyhow::Result<()> {
        let info = self.infos(Role::Solution).get(self.counts[1])?.map_or(NO_TEXT, String::as_str);
        self.counts[1] += 1;
        self.record(PrivateRecord::propagator(self.precision), info.as_bytes(), data)
    }

    /// The sites of one time slice.
    fn slice(&self, time: u32) -> anyhow::Result<Region> {
        let [x, y, z, _] = self.extents.map(|extent| extent.saturating_sub(1));
        let corner = |values| Coordinates::new(values).context("four dimensions");
        let (lower, upper) = (corner(&[0, 0, 0, time])?, corner(&[x, y, z, time])?);
        let cube = Hypercube::new(lower, upper, &Extents::new(&self.extents)?);
        Ok(Region::Hypercube(cube.with_context(|| format!("--time {time}"))?))
    }

    fn record(
        &mut self,
        mut record: PrivateRecord,
        text: &[u8],
        data: &mut Records<'_>,
    ) -> anyhow::Result<()> {
        set_date(&mut record, &self.how.date.clone().unwrap_or_else(unix_now))?;
        let scidac = Some(Beside { record, text: text.to_vec() });
        let planned = Planned { scidac, checksum: true, ..Planned::default() };
        self.sink.begin(&planned).map_err(made)?;
        data.next(|piece| self.sink.data(piece).map_err(made))?;
        let sum = self.sink.end(&planned).map_err(made)?;
        self.sums.push(sum.context("no data were written")?);
        Ok(())
    }

    /// Completes the file. Fails if data or options are left over.
    fn finish(mut self, more_sources: bool, more_solutions: bool) -> anyhow::Result<Vec<Checksum>> {
        let [sources, solutions] = self.counts;
        let file_type = self.how.file_type;
        for (is_more, role, count) in
            [(more_sources, Role::Source, sources), (more_solutions, Role::Solution, solutions)]
        {
            let enough = counted(count, &role.to_string(), &format!("{role}s"));
            anyhow::ensure!(!is_more, "there are more data than for {enough} of a {file_type} file");
            self.infos(role).check(count)?;
            self.labels(role).check(count)?;
        }
        self.times().check(sources)?;
        self.sink.finish().map_err(made)?;
        Ok(self.sums)
    }
}
