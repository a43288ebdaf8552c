//! Compares what the decoder reports about a file with what is computed here.

use crc32fast::Hasher;
use linkstream::conformance::{ErrorKind, Event};
use linkstream::field::{self, Field, Site, SiteError, Sites, Verdict};
use linkstream::lattice::{Checksum, Region};
use linkstream::{Diagnostic as _, Mode, Severity};

use super::{SITE_BUFFER, documents, drive};

/// Reads the file once and compares sites, checksums and documents.
pub fn check(file: &[u8]) {
    let mut site_buffer = [0; SITE_BUFFER];
    let mut sites = Sites::new(&mut site_buffer);
    let mut hasher = Hasher::new();
    let mut payload = Vec::new();
    let (mut computed, mut is_settled) = (None, false);
    let mut in_document = None;
    let mut fits = false;
    let ended = drive(file, Mode::Survey, |decoder, event, bytes| match event {
        Event::Record(_) => {
            payload.clear();
            in_document = None;
        }
        Event::Field => {
            hasher = Hasher::new();
            // Sites that do not fit into the buffer are not compared.
            fits = sites.begin(decoder.content().field()).is_ok();
        }
        Event::Payload => payload.extend_from_slice(bytes),
        Event::Data => {
            payload.extend_from_slice(bytes);
            let fed = sites.feed(decoder.content().field(), bytes, |site| {
                hash_site(&mut hasher, site.rank(), site.coordinates(), site.bytes());
                check_numbers(&site)
            });
            assert_eq!(fed.is_ok(), fits);
        }
        Event::FieldEnd(sum) => {
            let field = decoder.content().field().expect("the field was reported");
            let (own, handed_over) = recompute(field, &payload);
            assert_eq!(sum, Some(own));
            if field.bytes_per_site <= SITE_BUFFER as u64 {
                assert_eq!(hasher.clone().finalize(), handed_over, "sites passed to the callback");
            }
            (computed, is_settled) = (Some(own), false);
        }
        Event::Verdict(verdict) => {
            // A checksum record in another message is compared after the message of the field is over.
            let own = computed.expect("a verdict after the data");
            is_settled = true;
            match verdict {
                Verdict::Match { stored, computed } => {
                    assert_eq!((stored, computed), (own, own));
                    assert_eq!(decoder.content().stored_checksum().checksum(), Some(own));
                }
                Verdict::Mismatch { stored, computed } => assert!(stored != own && computed == own),
                Verdict::Absent { computed } => assert_eq!(computed, own),
                // The checksum record could not be read.
                Verdict::Unchecked => {}
            }
        }
        Event::Finding(error) => {
            // `parse` accepts documents with findings of severity `Info`.
            if let ErrorKind::Field(field::ErrorKind::Document(_, kind)) = error.kind
                && kind.severity() > Severity::Info
            {
                in_document = in_document.or(Some((error.at, kind)));
            }
        }
        Event::End => documents::check(decoder, &payload, in_document),
        _ => {}
    });
    assert!(!ended || computed.is_none() || is_settled, "a field has no verdict");
}

pub fn hash_site(hasher: &mut Hasher, rank: u64, coordinates: &[u32], bytes: &[u8]) {
    hasher.update(&rank.to_be_bytes());
    coordinates.iter().for_each(|c| hasher.update(&c.to_be_bytes()));
    hasher.update(bytes);
}

/// The SciDAC checksum (QIO 2.3, section 2.1.1).
pub fn fold(sum: &mut Checksum, rank: u64, site: &[u8]) {
    let crc = crc32fast::hash(site);
    sum.suma ^= crc.rotate_left((rank % 29) as u32);
    sum.sumb ^= crc.rotate_left((rank % 31) as u32);
}

/// The checksum of a field's data and the hash of its sites. The coordinates of every site are computed by division.
fn recompute(field: &Field, data: &[u8]) -> (Checksum, u32) {
    let extents = field.extents.as_slice();
    let boxed = |i: usize| match &field.region {
        Region::Lattice => (0, extents[i]),
        Region::Hypercube(cube) => {
            let lower = cube.lower().as_slice()[i];
            (lower, cube.upper().as_slice()[i] - lower + 1)
        }
        // Global data are one site of rank 0.
        Region::Global => (0, 1),
    };
    let mut sum = Checksum::default();
    let mut hasher = Hasher::new();
    for (index, site) in data.chunks_exact((field.bytes_per_site as usize).max(1)).enumerate() {
        let (mut rest, mut rank, mut stride) = (index as u64, 0, 1);
        let mut coordinates = Vec::new();
        for (i, extent) in extents.iter().enumerate() {
            let (lower, length) = boxed(i);
            let c = u64::from(lower) + rest % u64::from(length);
            rest /= u64::from(length);
            rank += c * stride;
            // Wraps only after the last dimension, where the product is not used any more.
            stride = stride.wrapping_mul(u64::from(*extent));
            coordinates.push(c as u32);
        }
        fold(&mut sum, rank, site);
        hash_site(&mut hasher, rank, &coordinates, site);
    }
    (sum, hasher.finalize())
}

/// Checks that the links of a site contain the numbers of the site.
fn check_numbers(site: &Site<'_>) -> Result<(), SiteError> {
    if let Ok(first) = site.link(0) {
        let links: Vec<u8> = site.links()?.flat_map(|link| link.bytes().to_vec()).collect();
        assert_eq!(links, site.bytes(), "the links do not fill the site");
        let numbers: Vec<f64> = site.links()?.flat_map(|link| link.numbers().collect::<Vec<_>>()).collect();
        assert!(numbers.into_iter().map(f64::to_bits).eq(site.numbers()?.map(f64::to_bits)));
        let parts = first.numbers().count() / (first.rows() * first.columns()) as usize;
        for (k, number) in first.numbers().enumerate() {
            let (element, part) = (k / parts, k % parts);
            let columns = first.columns() as usize;
            let value = first.get(element / columns, element % columns).expect("the element is stored");
            assert_eq!(value[part].to_bits(), number.to_bits());
        }
    }
    Ok(())
}
