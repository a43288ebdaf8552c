//! Everything a firmware may want to log can be logged.

use linkstream::{Class, Demand, Error, LoadError, Misuse, Mode, Severity, Step};
use linkstream::{
    conformance, field, ildg, inebin, io, lattice, lime, milc, nersc, scda, scidac, sniff, xml,
};

const fn loggable<T: defmt::Format>() {}

#[test]
fn public_types_have_a_format() {
    loggable::<(Class, Demand, Severity, LoadError, Misuse, Mode)>();
    loggable::<(Step<lime::Event>, Step<field::Event>)>();
    loggable::<(lime::Header, lime::Record, Error<lime::ErrorKind>, lime::EncodeErrorKind)>();
    loggable::<(field::Field, field::Verdict, field::DescribedBy, field::LinkLayout, field::SitesError)>();
    loggable::<(field::EncodeErrorKind, field::Want<'static>)>();
    loggable::<(conformance::OpenDirection, conformance::LinkPlace, conformance::Event)>();
    loggable::<(Error<conformance::ErrorKind>, conformance::UserText)>();
    loggable::<(Error<field::ErrorKind>, field::DocumentName, Error<xml::ErrorKind>)>();
    loggable::<(xml::ElementName, xml::NumberFault, xml::EmitError, xml::Spacing)>();
    loggable::<(lattice::Checksum, lattice::Coordinates, lattice::Extents, lattice::ExtentsError)>();
    loggable::<(lattice::Hypercube, lattice::HypercubeError, lattice::Precision, lattice::Region)>();
    loggable::<(lattice::Residues, lattice::SiteOrder)>();
    loggable::<(scidac::PrivateFile, scidac::PrivateRecord, scidac::StoredChecksum)>();
    loggable::<(scidac::RecordType, scidac::VolumeFormat)>();
    loggable::<(scidac::Date, ildg::Format, ildg::GaugeKind, ildg::Group, ildg::ReconstructError)>();
    loggable::<(io::ReadError<(), lime::ErrorKind>, io::WriteError<(), lime::EncodeErrorKind>)>();
    loggable::<(
        inebin::Header,
        inebin::Event,
        Error<inebin::ErrorKind>,
        inebin::EncodeErrorKind,
        inebin::EntriesError,
    )>();
    loggable::<(inebin::Complex, inebin::MatrixType, inebin::EntryPlace)>();
    loggable::<(scda::Section, scda::Event, Error<scda::ErrorKind>, scda::EncodeErrorKind, scda::Style)>();
    #[cfg(feature = "inflate")]
    loggable::<scda::Element>();
    loggable::<(scda::Count, scda::CountError, scda::Letter, scda::SectionType, scda::ElementsError)>();
    loggable::<(sniff::Format, sniff::Sniff, sniff::Sniffer, sniff::Foreign, lattice::ByteOrder)>();
    loggable::<(nersc::Header, nersc::Event, Error<nersc::ErrorKind>, nersc::EncodeErrorKind, nersc::WordSums)>(
    );
    loggable::<(nersc::StoredRows, nersc::LinkFormat, nersc::Verdict)>();
    loggable::<(milc::Header, milc::Event, Error<milc::ErrorKind>, milc::Sums, milc::Summing, milc::Verdict)>(
    );
}
