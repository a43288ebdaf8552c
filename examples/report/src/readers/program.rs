//! The programs whose sources were read.

/// A program that reads gauge configurations. The rules apply to the version whose source was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    Qio,
    Milc,
    Chroma,
    Quda,
    Grid,
    Gpt,
    TmLqcd,
    Cl2Qcd,
    SimulateQcd,
    Lyncs,
    PyQuda,
    Gaugefields,
}

impl Program {
    pub const ALL: [Self; 12] = [
        Self::Qio,
        Self::Milc,
        Self::Chroma,
        Self::Quda,
        Self::Grid,
        Self::Gpt,
        Self::TmLqcd,
        Self::Cl2Qcd,
        Self::SimulateQcd,
        Self::Lyncs,
        Self::PyQuda,
        Self::Gaugefields,
    ];

    /// The name on the command line and in JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Qio => "qio",
            Self::Milc => "milc",
            Self::Chroma => "chroma",
            Self::Quda => "quda",
            Self::Grid => "grid",
            Self::Gpt => "gpt",
            Self::TmLqcd => "tmlqcd",
            Self::Cl2Qcd => "cl2qcd",
            Self::SimulateQcd => "simulateqcd",
            Self::Lyncs => "lyncs",
            Self::PyQuda => "pyquda",
            Self::Gaugefields => "gaugefields",
        }
    }

    /// The name as its authors write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Qio => "QIO",
            Self::Milc => "MILC",
            Self::Chroma => "Chroma",
            Self::Quda => "QUDA",
            Self::Grid => "Grid",
            Self::Gpt => "GPT",
            Self::TmLqcd => "tmLQCD",
            Self::Cl2Qcd => "CL2QCD",
            Self::SimulateQcd => "SIMULATeQCD",
            Self::Lyncs => "lyncs_io",
            Self::PyQuda => "PyQUDA",
            Self::Gaugefields => "Gaugefields.jl",
        }
    }

    /// The version, or the commit and its date.
    pub const fn version(self) -> &'static str {
        match self {
            Self::Qio => "3.0.0, 2738415 of 2022-03",
            Self::Milc => "1e11e121 of 2024-07",
            Self::Chroma => "91c587d8 of 2023-07 with QDP++ d8232616 of 2021-03",
            Self::Quda => "9521952c of 2024-10",
            Self::Grid => "f617468e of 2024-10",
            Self::Gpt => "851072d7 of 2026-08",
            Self::TmLqcd => "cfc9c118 of 2026-06",
            Self::Cl2Qcd => "8657ff5b of 2021",
            Self::SimulateQcd => "b1336ee of 2025-04",
            Self::Lyncs => "0.2.3, 4a8c301 of 2023-10",
            Self::PyQuda => "0ac50a0 of 2026-04",
            Self::Gaugefields => "6c1adce of 2026-08",
        }
    }

    /// The program with this key or name, in lower or upper case.
    pub fn parse(name: &str) -> Option<Self> {
        let is_named =
            |program: &Self| [program.key(), program.name()].iter().any(|own| own.eq_ignore_ascii_case(name));
        Self::ALL.into_iter().find(is_named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinct_and_parsed() {
        for program in Program::ALL {
            assert_eq!(Program::parse(program.key()), Some(program));
            assert_eq!(Program::parse(program.name()), Some(program));
            assert_eq!(Program::parse(&program.name().to_lowercase()), Some(program));
        }
        assert_eq!(Program::parse("QI"), None);
    }
}
