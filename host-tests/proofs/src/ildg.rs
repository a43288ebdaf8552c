use linkstream::ildg::{Format, GaugeKind, Group, Real, ReconstructError, deviation, reconstruct};
use linkstream::lattice::Precision;
use linkstream::xml::Spacing;
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    kind();
    format();
    reduced::<f32>();
    reduced::<f64>();
    let error = ReconstructError::Length { needed: 18, found: 12 };
    error::message(error);
    error::value(error);
}

fn kind() {
    let name: &[u8] = unknown(b"su3gauge");
    used(GaugeKind::parse(name));
    used(GaugeKind::su(unknown(3)));
    let kind = unknown(GaugeKind::SU3);
    used(GaugeKind::group(kind));
    used(GaugeKind::colors(kind));
    used(GaugeKind::reduced_rows(kind));
    used(GaugeKind::is_real(kind));
    used(unknown(GaugeKind::default()));
    error::message(kind);
    error::value(kind);
    error::value(Group::Su);
}

fn format() {
    let document: &[u8] = unknown(b"<ildgFormat></ildgFormat>");
    used(Format::parse(document));
    let format = Format::new(unknown(GaugeKind::SU3), unknown(Precision::F64), unknown([4; 4]));
    used(Format::version_1_0(unknown(GaugeKind::SU3), unknown(Precision::F64), unknown([4; 4])));
    used(Format::with_rows(&format, unknown(2)));
    let format = unknown(format);
    let mut buffer = [0; 64];
    used(Format::emit(&format, unknown(Spacing::Lines), unknown::<&mut [u8]>(&mut buffer)));
    used(Format::version(&format));
    used(Format::kind(&format));
    used(Format::precision(&format));
    used(Format::rows(&format));
    used(Format::extents(&format));
    used(Format::links_per_site(&format));
    used(Format::bytes_per_site(&format));
    used(Format::data_length(&format));
    error::value(format);
}

fn reduced<T: Real + Default>() {
    let mut link = unknown([(); 18].map(|()| T::default()));
    let kind = unknown(GaugeKind::SU3);
    used(reconstruct(kind, unknown::<&mut [T]>(&mut link)));
    used(deviation(kind, unknown::<&[T]>(&link)));
}
