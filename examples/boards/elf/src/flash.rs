//! Bytes in flash.

use anyhow::Result;
use object::{Object as _, ObjectSection as _, SectionFlags, SectionKind};

/// Number of bytes of a program that are in flash: code, constants and initial data.
pub fn size(program: &[u8]) -> Result<u64> {
    let file = object::File::parse(program)?;
    let loaded = file.sections().filter(|section| {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return false };
        let has_bytes =
            !matches!(section.kind(), SectionKind::UninitializedData | SectionKind::UninitializedTls);
        // Firmware is linked without the tables for unwinding.
        let unwinding = section.name().is_ok_and(|name| name.starts_with(".ARM.ex") || name == ".eh_frame");
        sh_flags.contains(object::elf::SHF_ALLOC) && has_bytes && !unwinding
    });
    Ok(loaded.map(|section| section.size()).sum())
}
