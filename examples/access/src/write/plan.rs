//! Selects the data records to be written, from those found and the options.

use linkstream::Mode;
use linkstream::ildg::Format;
use linkstream::lattice::Extents;
use linkstream::scidac::{self, PrivateFile};
use linkstream_memory as memory;

use super::document::{NO_TEXT, NOT_SCIDAC_FILE, Planned};
use super::error::Error;
use super::fault::Fault;
use super::found::{Found, FoundField};
use super::input::Trust;
use super::lattice_info::{lattice_links, unfilled};
use super::lfn::check_lfn;
use super::observer::{Observer, Warning};
use super::provenance::{note, note_in};
use super::record::{Job, job};
use super::refusal::Refusal;
use super::user_text::{is_of_user, notes};
use super::wish::{Target, Wish};

/// The data records to be written, in the order of the file.
#[derive(Debug)]
pub struct Plan {
    pub(super) file: Option<(PrivateFile, Vec<u8>)>,
    pub(super) jobs: Vec<Job>,
    pub(super) mode: Mode,
}

impl Plan {
    /// Decides how to write the contents of an input. `trust` states which data were verified or are damaged. The texts
    /// of the output repeat this.
    ///
    /// # Errors
    /// The content of the input, or the request, does not allow it.
    pub fn new(
        found: &Found,
        wish: &Wish,
        trust: &Trust,
        observer: &mut dyn Observer,
    ) -> Result<Self, Error> {
        let mut plan = choose(found, wish, trust.mode(), observer)?;
        leave_out_stale(&mut plan, wish, trust, observer);
        describe(&mut plan, wish, trust, observer)?;
        qualify(&mut plan, trust, observer);
        leave_out_notes(&plan, found, observer);
        if !found.others.is_empty() {
            observer.warn(Warning::RecordsLeftOut(found.others.iter().cloned().collect()));
        }
        Ok(plan)
    }

    /// The documents of the file, if it has SciDAC documents: the private file XML and the user's text.
    #[must_use]
    pub fn file(&self) -> Option<(&PrivateFile, &[u8])> {
        self.file.as_ref().map(|(file, text)| (file, &text[..]))
    }

    /// The index in the input of each data record that is written, counted from 0, and its documents.
    pub fn records(&self) -> impl ExactSizeIterator<Item = (usize, &Planned)> {
        self.jobs.iter().map(|job| (job.index, &job.planned))
    }
}

fn choose(found: &Found, wish: &Wish, mode: Mode, observer: &mut dyn Observer) -> Result<Plan, Error> {
    let chosen = chosen(found, wish, observer)?;
    let mut jobs = Vec::new();
    for (index, field) in &chosen {
        let job = job(*index, field, wish, observer);
        jobs.push(job.map_err(|error| error.in_record(*index, &field.place))?);
    }
    if wish.update.is_some() && jobs.len() > 1 {
        return Err(Refusal::UpdateOfSeveral.into());
    }
    updates_tell_apart(&jobs)?;
    // SciDAC documents keep the header lines of an archive. QIO writes no update number beside them.
    if let (Some(Target::Ildg), [job]) = (wish.target, &mut jobs[..]) {
        job.planned.update = job.planned.update.take().or_else(|| found.update());
    }
    match jobs.iter_mut().find(|job| job.planned.format.is_some()) {
        Some(job) => job.planned.lfn = lfn(found, &chosen, wish)?,
        None if wish.lfn.is_some() => return Err(Refusal::NameWithoutFormat.into()),
        None => {
            let names = found.names.as_slice().iter();
            names.for_each(|name| observer.warn(Warning::NameLeftOut(name.clone())));
        }
    }
    let mut file = None;
    if jobs.iter().any(|job| job.planned.scidac.is_some()) {
        let extents = one_lattice(chosen.iter().map(|(_, field)| field.field.extents))?;
        if found.has_earlier_file_xml && wish.file_xml.is_none() {
            observer.warn(Warning::EarlierTextLeftOut);
        }
        let given = wish.file_xml.as_deref().map(str::as_bytes);
        let none = if wish.as_set { NOT_SCIDAC_FILE } else { NO_TEXT };
        let text = given.or(found.file_xml.as_deref()).unwrap_or(none.as_bytes());
        let text = memory::unwinding::copied(text);
        file = Some((private_file(found, &extents), text));
    }
    Ok(Plan { file, jobs, mode })
}

/// Replaces texts that are about another configuration, unless the caller gives texts.
fn leave_out_stale(plan: &mut Plan, wish: &Wish, trust: &Trust, observer: &mut dyn Observer) {
    let mut replace = |text: &mut Vec<u8>, record_type| {
        let notes = notes(text);
        *text = NO_TEXT.as_bytes().to_vec();
        notes.iter().for_each(|note| note_in(text, note));
        observer.warn(Warning::StaleText(record_type));
    };
    if let Some((_, text)) = plan.file.as_mut().filter(|_| trust.stale.file && wish.file_xml.is_none()) {
        replace(text, scidac::FILE_XML);
    }
    let is_stale = |job: &&mut Job| wish.record_xml.is_none() && trust.stale.records.contains(&job.index);
    for beside in plan.jobs.iter_mut().filter(is_stale).filter_map(|job| job.planned.scidac.as_mut()) {
        replace(&mut beside.text, scidac::RECORD_XML);
    }
}

/// Prepares a `usqcdInfo` for gauge fields of SU(3) that have no text of the user. Numbers of damaged links would look
/// like proof of them.
fn describe(plan: &mut Plan, wish: &Wish, trust: &Trust, observer: &mut dyn Observer) -> Result<(), Refusal> {
    if trust.damage.is_some() {
        return if wish.title.is_some() { Err(Refusal::TitleOfDamaged) } else { Ok(()) };
    }
    let lattice = plan.file.as_ref().and_then(|(file, _)| file.extents());
    let mut is_used = false;
    for job in &mut plan.jobs {
        let Some((beside, lattice)) = job.planned.scidac.as_mut().zip(lattice) else { continue };
        let is_of_user = is_of_user(&beside.text);
        let is_wanted = wish.title.is_some() || wish.observables && !is_of_user;
        if !is_wanted || lattice_links(&beside.record, &lattice).is_none() {
            continue;
        }
        if is_of_user {
            observer.warn(Warning::TextReplaced(scidac::RECORD_XML));
        }
        let notes = notes(&beside.text);
        beside.text = unfilled(wish.title.as_deref().unwrap_or_default())?;
        notes.iter().for_each(|note| note_in(&mut beside.text, note));
        job.planned.is_unfilled = true;
        is_used = true;
    }
    if wish.title.is_some() && !is_used { Err(Refusal::TitleWithoutLattice) } else { Ok(()) }
}

/// Adds notes to the texts of the output, and leaves out checksums of damaged data.
fn qualify(plan: &mut Plan, trust: &Trust, observer: &mut dyn Observer) {
    let mut had_checksum = false;
    for job in &mut plan.jobs {
        if let Some((beside, note)) = job.planned.scidac.as_mut().zip(note(trust, job.index)) {
            note_in(&mut beside.text, &note);
        }
        job.is_verified = trust.verified.get(job.index).copied().unwrap_or(false);
        // Data that another sum verified than the one of SciDAC keep a checksum.
        job.planned.checksum |= job.is_verified && trust.damage.is_none();
        if trust.damage.is_some() {
            had_checksum |= std::mem::take(&mut job.planned.checksum);
        }
    }
    if let Some((damage, (_, text))) = trust.damage.as_ref().zip(plan.file.as_mut()) {
        note_in(text, &damage.note());
    }
    if had_checksum {
        observer.warn(Warning::NoChecksum);
    }
}

/// Names the notes of data that are written without a text of the user.
fn leave_out_notes(plan: &Plan, found: &Found, observer: &mut dyn Observer) {
    let jobs = plan.jobs.iter().filter(|job| job.planned.scidac.is_none());
    let texts = jobs.filter_map(|job| found.fields.get(job.index)?.record_xml.as_deref());
    texts.flat_map(notes).for_each(|note| observer.warn(Warning::NoteLeftOut(note)));
}

/// The private file XML. A document of version 1.0 keeps its version.
fn private_file(found: &Found, extents: &Extents) -> PrivateFile {
    let own = found.private_file.as_ref();
    let old = own.filter(|own| own.version() == "1.0" && own.extents() == Some(*extents));
    old.cloned().unwrap_or_else(|| PrivateFile::new(extents))
}

/// The logical file name of the new file. If there are several, the name in the message of the only selected data
/// record is used.
fn lfn(found: &Found, chosen: &[(usize, &FoundField)], wish: &Wish) -> Result<Option<String>, Error> {
    if wish.lfn.is_some() {
        return Ok(wish.lfn.clone());
    }
    let names = match chosen {
        [(_, field)] if !field.names.as_slice().is_empty() => &field.names,
        _ => &found.names,
    };
    match names.as_slice() {
        [] => Ok(None),
        [name] => match check_lfn(name) {
            Ok(()) => Ok(Some(name.clone())),
            Err(why) => Err(Fault::Name { name: name.clone(), why }.into()),
        },
        [one, other, ..] => Err(Fault::NamesDiffer { one: one.clone(), other: other.clone() }.into()),
    }
}

/// The data records selected for writing.
fn chosen<'f>(
    found: &'f Found,
    wish: &Wish,
    observer: &mut dyn Observer,
) -> Result<Vec<(usize, &'f FoundField)>, Refusal> {
    let count = found.fields.len();
    if let Some(number) = wish.field {
        let field = found.fields.get(number).ok_or(Refusal::NoSuchRecord { number, count })?;
        return Ok(vec![(number, field)]);
    }
    let wanted = |field: &FoundField| {
        let scidac = field.record.is_some() && wish.target != Some(Target::Ildg);
        field.is_gauge_field_as(wish.kind) || scidac
    };
    let chosen: Vec<_> = found.fields.iter().enumerate().filter(|(_, field)| wanted(field)).collect();
    if count == 0 {
        return Err(Refusal::NoRecords);
    }
    if chosen.is_empty() {
        return Err(Refusal::NoneWritable(count));
    }
    if wish.one && chosen.len() > 1 {
        return Err(Refusal::Several(chosen.iter().map(|(index, _)| *index).collect()));
    }
    if chosen.len() < count {
        observer.warn(Warning::FieldsLeftOut(count.saturating_sub(chosen.len())));
    }
    Ok(chosen)
}

/// Checks that update numbers distinguish fields of the same kind (ILDG 1.2, section 2.2). Fields with SciDAC documents
/// may have none, since QIO writes no update numbers. The encoder would report a clash only at the second field, after
/// a first that can be large.
fn updates_tell_apart(jobs: &[Job]) -> Result<(), Refusal> {
    let kind = |job: &Job| job.planned.format.as_ref().map(Format::kind);
    for (before, job) in jobs.iter().enumerate() {
        let Some(present) = kind(job) else { continue };
        let update = job.planned.update.as_ref();
        let clash = |other: &Job| {
            let theirs = other.planned.update.as_ref();
            let missing = update.is_none() || theirs.is_none();
            let needed = job.planned.scidac.is_none();
            kind(other) == Some(present) && (missing && needed || !missing && theirs == update)
        };
        if jobs.iter().take(before).any(clash) {
            return Err(Refusal::SameUpdates(present));
        }
    }
    Ok(())
}

fn one_lattice(mut each: impl Iterator<Item = Extents>) -> Result<Extents, Refusal> {
    let one = each.next().ok_or(Refusal::NoRecords)?;
    each.find(|extents| *extents != one).map_or(Ok(one), |other| Err(Refusal::Lattices { one, other }))
}
