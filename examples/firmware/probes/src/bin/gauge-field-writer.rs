//! Writes a gauge field whose sites a callback fills, with all documents: `io::FieldWriter`.
#![no_std]
#![no_main]

use linkstream::field::{FieldDocuments, Form};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, Fill};
use linkstream::lattice::{Extents, Precision};
use probes::{Port, unknown, used};

probes::probe!({
    let mut buffer = [0; 1024];
    let Ok(extents) = Extents::new(unknown(&[4, 4, 4, 4])) else { return };
    let Ok(mut file) = FieldWriter::create(Port, &mut buffer[..], extents) else { return };
    let links = FieldDocuments::gauge_field(GaugeKind::SU3, unknown(Precision::F32), Form::Both, &extents);
    let Ok(links) = links else { return };
    let message = links.message(unknown(b"a field")).with_lfn(unknown("lfn://example/field"));
    used(file.write(&message, Fill::sites(|site| site.put(unknown(&[0.5_f32; 72])))));
    used(file.complete());
});
