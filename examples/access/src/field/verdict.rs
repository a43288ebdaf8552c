//! The caller's choice to verify data, and the verdict on them.

/// Choice to verify data that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verify {
    /// Compare data with the stored checksum, as far as the selection allows it: see [`Unverified`].
    #[default]
    Yes,
    /// Do not verify data.
    ///
    /// If a NERSC archive does not state its byte order, its numbers are read in the order that normalises the first
    /// link, or as big endian if neither does. Once a read of all data with [`Yes`](Self::Yes) has shown the order, it
    /// is known. Parts of the data are read in the same way also with `Yes`, because a part does not show the order.
    No,
}

/// Result of verifying data that were read. Data that contradict their checksum are an [`Error`](crate::Error) instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "data that are not verified may differ from the written ones"]
pub enum Verdict {
    /// The data have the stored checksum. The SciDAC checksum depends on the place of each site and shows nearly every
    /// change: the data are what a program wrote. `linkstream check` also asks whether it can have meant them, by
    /// their numbers and by the observables in the texts of the file.
    ///
    /// The sums of archives show less: exchanged words, links or sites do not change the sum of NERSC, and words
    /// exchanged at a distance that is a multiple of 899 do not change the sums of MILC. Therefore, the links of a NERSC
    /// archive have also been [measured](super::Field::measured) when all of them were read for the first time: they
    /// are in SU(N), and have the plaquette and the link trace in the header, if it records them. A contradiction is an
    /// [`Error::Broken`](crate::Error::Broken).
    Verified,
    Unverified(Unverified),
}

/// Reason why data are not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unverified {
    /// Verification was not requested.
    NotRequested,
    /// The file has no checksum of the data, or only one of two sums.
    NoChecksum,
    /// The data are time slices, and the whole field has not been verified yet. After that, by
    /// [`Field::verify`](super::Field::verify) or by reading all of it, time slices are compared with the verified ones.
    NoFullPass,
    /// The data are not whole time slices.
    PartOfSlices,
    /// The links are verified, but not their places: the checksum does not cover the site list.
    SiteList,
}

impl Verdict {
    #[must_use]
    pub const fn is_verified(self) -> bool {
        matches!(self, Self::Verified)
    }
}
