//! Verifies a gauge configuration while it is read: records, checksum, link trace, unitarity.
#![no_std]
#![no_main]

use firmware::links::Look;
use firmware::{Buffers, Failure, File};
use linkstream::Mode;
use linkstream::field::{Decoder, Event, SiteError, Sites};
use linkstream::io::Reader;

firmware::program!(verify);

/// One sector of a disk, and the largest site of an SU(3) field: 4 links of 9 complex numbers of 16 bytes.
static BUFFERS: Buffers<([u8; 512], [u8; 576])> = Buffers::new(([0; 512], [0; 576]));

fn verify(file: File) -> Result<(), Failure> {
    let (buffer, site) = BUFFERS.take().ok_or(Failure::Other("the buffers are lent already"))?;
    // Passed by reference, so that only one copy of the decoder, of more than 1 KiB, is on the stack.
    let mut decoder = Decoder::new(Mode::Lenient);
    let mut reader = Reader::new(file, &mut buffer[..], &mut decoder);
    let mut sites = Sites::new(site);
    let mut look = Look::default();
    while let Some(event) = reader.next()? {
        match event {
            Event::Record(record) => defmt::info!(
                "record {=[u8]:a}: {=u64} bytes at {=u64}",
                reader.decoder().record_type(),
                record.length,
                record.offset
            ),
            Event::Field => begin(&mut sites, reader.decoder()),
            Event::Data => {
                // `feed` fails only if `begin` failed, which has been logged.
                let _ = sites.feed(reader.decoder().field(), reader.bytes(), |site| {
                    look.add(&site);
                    Ok::<(), SiteError>(())
                });
            }
            Event::FieldEnd(checksum) => {
                defmt::info!("{=u32} sites, {=u32} links", look.sites, look.links);
                if look.links > 0 {
                    defmt::info!("link trace {=f64}, deviation {=f64}", look.trace(), look.deviation);
                }
                defmt::info!("computed {}", checksum);
                look = Look::default();
            }
            Event::Verdict(verdict) => defmt::info!("verdict {}", verdict),
            Event::Finding(finding) => defmt::warn!("finding {}", finding),
            _ => {}
        }
    }
    Ok(())
}

/// Begins a field. If a site is larger than the buffer, the checksum is still verified, but the links are not examined.
fn begin(sites: &mut Sites<'_>, decoder: &Decoder) {
    let Some(field) = decoder.field() else { return };
    defmt::info!("field on {}, {=u64} bytes at a site", field.extents.as_slice(), field.bytes_per_site);
    if let Err(error) = sites.begin(field) {
        defmt::warn!("{}", error);
    }
}
