use linkstream::lattice::Precision;
use linkstream::usqcd::{Document, ElementName, EmitError, ErrorKind, FileType, Label, Role, Root, SiteType};
use linkstream::xml::Spacing;
use proofs::{unknown, used};

use crate::error;

pub fn all() {
    let text: &[u8] = unknown(b"<usqcdInfo></usqcdInfo>");
    let mut buffer = [0; 64];
    document(text, unknown(&mut buffer));
    names();
    let kind = ErrorKind::Missing { root: unknown(Root::PropInfo), element: unknown(ElementName::Info) };
    error::kind(kind);
    error::message(EmitError::Label);
    error::value(EmitError::Label);
}

fn document(text: &[u8], buffer: &mut [u8]) {
    let file_type = unknown(FileType::C1D12);
    let label = unknown(Label::of_solution(unknown(3), unknown(false)));
    error::message(label);
    error::value(label);
    used(Document::parse(text));
    used(Document::lattice(text, text, text));
    used(Document::file(file_type, text));
    used(Document::solution(file_type, text));
    let document = unknown(Document::with_label(Document::source(text), label));
    used(Document::emit(&document, unknown(Spacing::Lines), buffer));
    used(Document::summary(&document));
    used(Document::plaq(&document));
    used(Document::linktr(&document));
    used(Document::info(&document));
    error::value(document);
}

fn names() {
    let (file_type, role, root) = (unknown(FileType::C1V3), unknown(Role::Source), unknown(Root::PropFile));
    used(FileType::as_str(file_type));
    used(FileType::name(file_type));
    used(FileType::root(file_type));
    used(FileType::is_staggered(file_type));
    used(FileType::solutions(file_type));
    used(FileType::site_type(file_type, role));
    error::message(file_type);
    error::value(file_type);
    used(Role::as_str(role));
    error::message(role);
    error::value(role);
    used(Root::as_str(root));
    error::message(root);
    error::value(root);
    let (element, site) = (unknown(ElementName::Info), unknown(SiteType::Complex));
    used(ElementName::as_str(element));
    error::message(element);
    error::value(element);
    used(SiteType::record(site, unknown(Precision::F32)));
    error::message(site);
    error::value(site);
}
