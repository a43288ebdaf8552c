//! Reading by simulated processes: each has a decoder of its own and reads only its own elements.

use std::ops::Range;

use super::files::{deal, range};
use host_tests::drive::Random;
use linkstream::scda::{
    self, Count, ElementUnpacker, ErrorKind, Event, Section, SectionType, Style, Unpacker, element_size,
};
use linkstream::{CallbackError, Diagnostic as _, Error, Limits, Mode, drive, finish};
use linkstream_parallel::scda::parts::{
    DataPart, ElementPart, PartDecoder, PartHeader, RankExtent, SizeLines, Window,
};

pub const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];
pub const STYLES: [Style; 2] = [Style::Unix, Style::Mime];
pub const RANKS: [usize; 5] = [1, 2, 3, 4, 7];

/// Length of the buffer for elements. The serial decoder reports a longer element in parts.
const BUFFER: usize = 1 << 20;
/// Size of the largest element that a process allocates memory for.
const LARGEST: u64 = 1 << 24;

/// Contents of a section, read by all processes together.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub section: Section,
    pub user: Vec<u8>,
    /// Element sizes, before compression if there is one.
    pub sizes: Vec<u64>,
    pub data: Vec<u8>,
    pub elements: Vec<Vec<u8>>,
}

/// The result on all processes, and what they have read.
#[derive(Debug, Clone)]
pub struct Reading {
    pub sections: Vec<Part>,
    pub findings: Vec<Error<ErrorKind>>,
    pub end: Result<(), Error<ErrorKind>>,
    /// Numbers of header windows, and of all bytes in them.
    pub windows: usize,
    pub header_bytes: usize,
}

/// Way of reading of the processes.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub mode: Mode,
    pub decode: bool,
    pub ranks: usize,
    /// Sizes before compression are read before the header of the second half.
    pub in_order: bool,
    /// Only headers and sizes are read.
    pub skip_data: bool,
}

pub fn plan(mode: Mode, decode: bool, ranks: usize) -> Plan {
    Plan { mode, decode, ranks, in_order: true, skip_data: false }
}

/// The reading of a serial decoder, with the sections as processes read them.
#[derive(Debug, Clone, PartialEq)]
pub struct Serial {
    pub sections: Vec<Part>,
    pub findings: Vec<Error<ErrorKind>>,
    pub end: Result<(), Error<ErrorKind>>,
}

pub fn serial(file: &[u8], mode: Mode, decode: bool) -> Serial {
    let mut unpacker = Unpacker::new(scda::Decoder::new(mode, decode), vec![0xa5; BUFFER]);
    let (mut sections, mut findings) = (Vec::<Part>::new(), Vec::new());
    // Sizes before compression come before their section.
    let mut before = None;
    let mut note = |event, bytes: &[u8], unpacker: &Unpacker<Vec<u8>>| match (event, sections.last_mut()) {
        (Event::Compressed(_), _) => before = Some(Vec::new()),
        (Event::Section(section), _) => {
            let (user, sizes) = (unpacker.sections().user().to_vec(), before.take().unwrap_or_default());
            sections.push(Part { section, user, sizes, data: Vec::new(), elements: Vec::new() });
        }
        (Event::Finding(finding), _) => findings.push(finding),
        (Event::Size(size), last) => match (&mut before, last) {
            (Some(before), _) => before.push(size),
            (None, Some(last)) => last.sizes.push(size),
            (None, None) => panic!("a size before the first section"),
        },
        (Event::Data, Some(last)) => last.data.extend_from_slice(bytes),
        (Event::Element(element), Some(last)) => {
            // Elements that are longer than the buffer come in parts.
            if element.offset == 0 {
                last.elements.push(Vec::new());
            }
            last.elements.last_mut().expect("begun").extend_from_slice(unpacker.bytes());
        }
        _ => {}
    };
    let end = drive(&mut unpacker, file, &mut note);
    let end = end.and_then(|_| finish(&mut unpacker, &mut note)).map_err(|error| match error {
        CallbackError::Failed(error) => error,
        CallbackError::Callback(never) => match never {},
    });
    Serial { sections, findings, end }
}

/// A decoder after the header of the second section.
pub fn decoder_at_varray(file: &[u8]) -> PartDecoder {
    let mut decoder = PartDecoder::new(Mode::Strict, true, file.len() as u64);
    for _ in 0..2 {
        let window = decoder.header_window();
        decoder.header(&file[window.offset() as usize..window.end() as usize]).expect("a section");
    }
    decoder
}

pub fn read(file: &[u8], plan: Plan, random: &mut Random) -> Reading {
    let decoder = PartDecoder::new(plan.mode, plan.decode, file.len() as u64);
    let mut world = World { file, plan, random, decoders: vec![decoder; plan.ranks] };
    let (sections, findings) = Default::default();
    let mut reading = Reading { sections, findings, end: Ok(()), windows: 0, header_bytes: 0 };
    reading.end = world.file(&mut reading);
    reading
}

type Agreed<T> = Result<T, Error<ErrorKind>>;

/// The size lines of a process: their sum and the sizes, up to the first error.
struct Lines {
    sum: u64,
    sizes: Vec<u64>,
    error: Option<Error<ErrorKind>>,
}

struct World<'a> {
    file: &'a [u8],
    plan: Plan,
    random: &'a mut Random,
    decoders: Vec<PartDecoder>,
}

impl<'a> World<'a> {
    fn bytes(&self, window: Window) -> &'a [u8] {
        &self.file[window.offset() as usize..window.end() as usize]
    }

    /// A call that gives the same result on all processes.
    fn all<T: PartialEq + std::fmt::Debug>(
        &mut self,
        call: impl Fn(&mut PartDecoder) -> Agreed<T>,
    ) -> Agreed<T> {
        let results: Vec<_> = self.decoders.iter_mut().map(call).collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{results:?}");
        results.into_iter().next().expect("a process")
    }

    /// The result of each process, or the error with the least offset.
    fn each<T>(&self, call: impl Fn(usize, &PartDecoder) -> Agreed<T>) -> Agreed<Vec<T>> {
        let results = self.decoders.iter().enumerate().map(|(q, decoder)| call(q, decoder));
        let (good, bad): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
        match bad.into_iter().filter_map(Result::err).min_by_key(|error| error.at) {
            Some(error) => Err(error),
            None => Ok(good.into_iter().filter_map(Result::ok).collect()),
        }
    }

    fn file(&mut self, reading: &mut Reading) -> Agreed<()> {
        let mut uncompressed = None;
        loop {
            let window = self.decoders[0].header_window();
            assert!(window.length() <= PartDecoder::HEADER_LEN as u64);
            let bytes = self.bytes(window);
            reading.windows += 1;
            reading.header_bytes += bytes.len();
            let header = self.all(|decoder| decoder.header(bytes))?;
            match header {
                PartHeader::Section(section) => {
                    let user = self.decoders[0].user().to_vec();
                    assert_eq!(self.decoders[0].section(), &section);
                    let part = self.section(section, user, uncompressed.take())?;
                    reading.sections.push(part);
                }
                PartHeader::More if self.plan.in_order => {
                    let section = *self.decoders[0].section();
                    uncompressed = Some(self.uncompressed(&section)?);
                }
                PartHeader::More => {}
                PartHeader::Finding(finding) => reading.findings.push(finding),
                PartHeader::End => return Ok(()),
            }
        }
    }

    fn parts(&mut self, n: Count) -> Vec<ElementPart> {
        let counts = deal(n, self.plan.ranks, self.random);
        let part = |q| ElementPart::of(q, counts.iter().copied(), n).expect("a partition");
        (0..self.plan.ranks).map(part).collect()
    }

    /// Reads the lines that are in the file, up to the first that is wrong.
    fn lines(&self, decoder: &PartDecoder, mut lines: SizeLines) -> Lines {
        let there = self.bytes(decoder.present(lines.window()));
        let mut sizes = Vec::new();
        for line in there.as_chunks().0 {
            match lines.size(line) {
                Ok(size) => sizes.push(size),
                Err(error) => return Lines { sum: lines.sum(), sizes, error: Some(error) },
            }
        }
        Lines { sum: lines.sum(), sizes, error: None }
    }

    fn uncompressed(&mut self, section: &Section) -> Agreed<Vec<u64>> {
        let parts = self.parts(section.n);
        let lists = self.each(|q, decoder| {
            let lines = decoder.uncompressed(&parts[q]).expect("of a compressed variable array");
            let lines = self.lines(decoder, lines);
            lines.error.map_or(Ok(lines.sizes), Err)
        })?;
        Ok(lists.concat())
    }

    fn section(&mut self, section: Section, user: Vec<u8>, uncompressed: Option<Vec<u64>>) -> Agreed<Part> {
        let raw = section.stored();
        let mut part = Part { section, user, sizes: Vec::new(), data: Vec::new(), elements: Vec::new() };
        let extents = match raw.section_type {
            SectionType::Header => return Ok(part),
            SectionType::Inline | SectionType::Block => {
                let root = self.random.below(self.plan.ranks);
                self.data(raw.data_length().expect("known"), root)?;
                (0..self.plan.ranks).map(|q| RankExtent::whole(q, &raw, root).expect("read")).collect()
            }
            SectionType::Array => {
                let parts = self.parts(raw.n);
                self.data(raw.data_length().expect("known"), 0)?;
                let extent = |(q, part)| RankExtent::array(q, &raw, part).expect("read");
                parts.iter().enumerate().map(extent).collect::<Vec<_>>()
            }
            SectionType::Varray => return self.varray(part, uncompressed),
        };
        if self.plan.skip_data {
            return Ok(part);
        }
        part.data = extents.iter().flat_map(|own| self.bytes(own.data())).copied().collect();
        if section.is_compressed() {
            let texts =
                extents.iter().map(|own| (own.data(), vec![own.data().length()], vec![None])).collect();
            part.elements = self.unpack(&section, texts)?;
            part.data.clear();
        }
        Ok(part)
    }

    /// Announces the length of the data. Programs that do not read them may leave this out.
    fn data(&mut self, total: u64, root: usize) -> Agreed<()> {
        if self.plan.skip_data && root.is_multiple_of(2) {
            return Ok(());
        }
        self.all(|decoder| decoder.data(total))
    }

    fn varray(&mut self, mut part: Part, uncompressed: Option<Vec<u64>>) -> Agreed<Part> {
        let (section, raw) = (part.section, part.section.stored());
        let parts = self.parts(raw.n);
        let is_varray = section.is_compressed() && section.section_type == SectionType::Varray;
        let before = match uncompressed {
            None if is_varray => Some(self.uncompressed(&section)?),
            before => before,
        };
        // A sum that is too large counts as the largest number: the first line that makes the sum of all sizes too
        // large may be an earlier one, of another process.
        let own: Vec<Lines> = (0..self.plan.ranks)
            .map(|q| {
                let lines = self.decoders[q].sizes(&parts[q]).expect("of a variable array");
                let mut lines = self.lines(&self.decoders[q], lines);
                if lines.error.is_some_and(|error| error.kind.rule() == "scda-too-long") {
                    lines.sum = u64::MAX;
                }
                lines
            })
            .collect();
        let sums = own.iter().map(|own| own.sum);
        let scan: Vec<u64> = sums
            .clone()
            .scan(0_u64, |sum, own| Some(std::mem::replace(sum, sum.saturating_add(own))))
            .collect();
        let total = sums.fold(0_u64, u64::saturating_add);
        if raw.next_offset(total).is_none() {
            self.each(|q, decoder| {
                let lines = decoder.sizes(&parts[q]).expect("of a variable array").after(scan[q]);
                self.lines(decoder, lines).error.map_or(Ok(()), Err)
            })?;
            panic!("no line is too long");
        }
        self.each(|q, _| own[q].error.map_or(Ok(()), Err))?;
        self.all(|decoder| decoder.data(total))?;
        let extents: Vec<RankExtent> = (0..self.plan.ranks)
            .map(|q| {
                let data = DataPart::new(scan[q], own[q].sum, total).expect("a scan");
                RankExtent::varray(q, &raw, &parts[q], &data).expect("a partition")
            })
            .collect();
        let sizes: Vec<u64> = own.iter().flat_map(|own| own.sizes.clone()).collect();
        if !section.is_compressed() {
            part.sizes = sizes;
            if !self.plan.skip_data {
                part.data = extents.iter().flat_map(|own| self.bytes(own.data())).copied().collect();
            }
            return Ok(part);
        }
        if !self.plan.skip_data {
            let texts = (0..self.plan.ranks).map(|q| {
                let Range { start, end } = range(&parts[q]);
                let announced = (start..end).map(|i| before.as_ref().map(|sizes| sizes[i])).collect();
                (extents[q].data(), own[q].sizes.clone(), announced)
            });
            part.elements = self.unpack(&section, texts.collect())?;
        }
        part.sizes = before.unwrap_or_default();
        Ok(part)
    }

    /// Decompresses the texts of each process: their window, their lengths, and the announced sizes of the elements.
    fn unpack(
        &self,
        section: &Section,
        texts: Vec<(Window, Vec<u64>, Vec<Option<u64>>)>,
    ) -> Agreed<Vec<Vec<u8>>> {
        let elements = self.each(|q, decoder| {
            let (window, lengths, announced) = &texts[q];
            let mut unpacker = ElementUnpacker::new();
            let (mut at, mut rest) = (window.offset(), self.bytes(*window));
            let mut elements = Vec::new();
            let lengths = lengths.iter().filter(|_| !window.is_empty());
            for (length, announced) in lengths.zip(announced) {
                let (text, after) = rest.split_at(*length as usize);
                let size = element_size(text, Limits::new(LARGEST)).ok().flatten();
                let mut element = vec![0; size.unwrap_or(BUFFER)];
                let size = unpacker.unpack(section, text, at, &mut element)?;
                if let Some(announced) = announced {
                    decoder.check_element(*announced, size as u64)?;
                }
                element.truncate(size);
                elements.push(element);
                at += length;
                rest = after;
            }
            Ok(elements)
        })?;
        Ok(elements.concat())
    }
}

/// Rule and offset of an error.
pub fn fault(end: &Result<(), Error<ErrorKind>>) -> Option<(&'static str, u64)> {
    end.err().map(|error| (error.kind.rule(), error.at))
}
