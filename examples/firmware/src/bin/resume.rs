//! One node hands over the reading of a file to another, in the middle of a record. The second node needs only the
//! saved states of the decoder and of the site that is not complete yet.
#![no_std]
#![no_main]

use embedded_io::{Read, Seek, SeekFrom};
use firmware::{Buffers, Failure, File};
use linkstream::field::{Decoder, Event, SiteError, Sites};
use linkstream::lattice::Checksum;
use linkstream::{Decode, Demand, Mode, Resumable as _, SeekPayload, State};

firmware::program!(resume);

/// Everything that is passed from one node to the other.
struct Handover {
    decoder: [u8; State::<Decoder>::LEN],
    sites: [u8; Sites::saved_len(SITE)],
}

/// Bytes of the largest site.
const SITE: usize = 576;

static HANDOVER: Buffers<Handover> =
    Buffers::new(Handover { decoder: [0; State::<Decoder>::LEN], sites: [0; Sites::saved_len(SITE)] });

/// Results of both nodes together.
#[derive(Default)]
struct Found {
    sites: u32,
    matches: bool,
    computed: Option<Checksum>,
}

fn resume(mut file: File) -> Result<(), Failure> {
    let handover = HANDOVER.take().ok_or(Failure::Other("the buffers are lent already"))?;
    let mut found = Found::default();
    first(&mut file, handover, &mut found)?;
    second(&mut file, handover, &mut found)?;
    defmt::info!("{=u32} sites by both nodes, computed {}", found.sites, found.computed);
    if found.matches { Ok(()) } else { Err(Failure::Other("the checksum of both halves does not match")) }
}

/// The first node reads to the middle of the data, stops inside a site and saves its state.
#[inline(never)]
fn first(file: &mut File, handover: &mut Handover, found: &mut Found) -> Result<(), Failure> {
    let mut decoder = Decoder::new(Mode::Strict);
    let mut site = [0; SITE];
    let mut sites = Sites::new(&mut site);
    let mut chunk = [0; 100];
    while !is_half_way(&decoder) {
        let n = file.read(&mut chunk)?;
        if n == 0 {
            return Err(Failure::Other("the file has no field to be handed over in"));
        }
        push(&mut decoder, &mut sites, chunk.get(..n).unwrap_or_default(), found)?;
    }
    decoder.save_into(&mut handover.decoder)?;
    sites.save_into(&mut handover.sites)?;
    defmt::info!(
        "handed over at byte {=u64}: {=usize} bytes of state",
        decoder.position(),
        handover.decoder.len() + handover.sites.len()
    );
    Ok(())
}

fn is_half_way(decoder: &Decoder) -> bool {
    let half = decoder.field().and_then(|field| Some(field.data_length()? / 2 + 100));
    half.zip(decoder.lime().payload_position()).is_some_and(|(half, place)| place >= half)
}

/// The second node continues with the file and the handover only.
#[inline(never)]
fn second(file: &mut File, handover: &mut Handover, found: &mut Found) -> Result<(), Failure> {
    let mut decoder = Decoder::new(Mode::Strict);
    decoder.load_into(&handover.decoder)?;
    let mut site = [0; SITE];
    let mut sites = Sites::new(&mut site);
    let done = decoder.lime().payload_position();
    sites.load_into(decoder.field(), done, &handover.sites)?;
    defmt::info!("taken over at byte {=u64}, {=u64} of the data", decoder.position(), done.unwrap_or(0));
    file.seek(SeekFrom::Start(decoder.position()))?;
    let mut chunk = [0; 100];
    while decoder.demand() != Demand::End {
        let n = file.read(&mut chunk)?;
        if n == 0 {
            while let Some(event) = decoder.finish()? {
                note(event, found);
            }
        } else {
            push(&mut decoder, &mut sites, chunk.get(..n).unwrap_or_default(), found)?;
        }
    }
    Ok(())
}

/// Pushes all of `input` and counts the sites.
fn push(
    decoder: &mut Decoder,
    sites: &mut Sites<'_>,
    input: &[u8],
    found: &mut Found,
) -> Result<(), Failure> {
    let mut rest = input;
    loop {
        let step = decoder.push(rest)?;
        let (bytes, after) = rest.split_at_checked(step.consumed).unwrap_or_default();
        rest = after;
        let Some(event) = step.event else { return Ok(()) };
        match event {
            Event::Field => sites.begin(decoder.field())?,
            Event::Data => {
                let fed = sites.feed(decoder.field(), bytes, |_| {
                    found.sites += 1;
                    Ok::<(), SiteError>(())
                });
                fed.map_err(|_| Failure::Other("the sites are not handed out"))?;
            }
            _ => note(event, found),
        }
    }
}

fn note(event: Event, found: &mut Found) {
    match event {
        Event::FieldEnd(computed) => found.computed = computed,
        Event::Verdict(verdict) => found.matches = verdict.is_match(),
        Event::Finding(finding) => defmt::warn!("finding {}", finding),
        _ => {}
    }
}
