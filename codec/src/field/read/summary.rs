//! What has to be remembered of the records gone by.

use crate::field::digest::Digest;
use crate::ildg::GaugeKind;
use crate::lattice::Checksum;
use crate::state::{saved_enum, saved_struct};

saved_enum! {
    /// Whether there is a document to describe data with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub(in crate::field) enum DescriptionState {
        /// None has been read.
        #[default]
        No,
        /// One that still waits for its data.
        Pending,
        /// One whose data have come.
        Used,
        /// One that is too damaged to describe anything. What depends on it is passed over without a word: the
        /// damage itself has been told.
        Spoilt,
    }
}

impl DescriptionState {
    pub(in crate::field) const fn is_good(self) -> bool {
        matches!(self, Self::Pending | Self::Used)
    }

    /// Whether data that come now could be meant.
    pub(in crate::field) const fn waits(self) -> bool {
        matches!(self, Self::Pending | Self::Spoilt)
    }

    pub(in crate::field) const fn used(self) -> Self {
        match self {
            Self::No => Self::No,
            _ => Self::Used,
        }
    }
}

saved_struct! {
    /// What the present message holds.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub(in crate::field) struct MessageState {
        /// Anything at all.
        pub(in crate::field) begun: bool,
        pub(in crate::field) private_file: bool,
        pub(in crate::field) private_file_at: u64,
        pub(in crate::field) file_xml: bool,
        pub(in crate::field) private_record: bool,
        pub(in crate::field) private_record_at: u64,
        pub(in crate::field) record_xml: bool,
        /// Of the `ildg-update` that stands where it must for the data to come.
        pub(in crate::field) update: Option<Digest>,
        /// Data have come.
        pub(in crate::field) data_gone_by: bool,
        /// Absolute offset of an `ildg-format` behind data, until data follow it.
        pub(in crate::field) format_behind: Option<u64>,
        /// Data for which no checksum record has come yet.
        pub(in crate::field) data: bool,
    }
}

saved_struct! {
    /// A field that waits for its checksum record.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub(in crate::field) struct Pending {
        /// A checksum must come.
        pub(in crate::field) scidac: bool,
        /// `None`: data were passed over.
        pub(in crate::field) computed: Option<Checksum>,
        /// Absolute offset of the data record.
        pub(in crate::field) at: u64,
        /// A checksum record came but could not be read, which has been told.
        pub(in crate::field) record_seen: bool,
    }
}

/// Kinds of gauge fields in one file that are told apart, and pairs of kind and update. What goes beyond them is
/// not judged by the rules of ILDG 1.2, section 2.2, about several fields in a file, which is told.
const MAX_KINDS: usize = 8;
const MAX_FIELDS: usize = 16;

saved_struct! {
    /// What the whole file holds.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub(in crate::field) struct Summary {
        /// Absolute offset of the first `ildg-format`.
        pub(in crate::field) format_at: Option<u64>,
        /// Digest of the first logical file name.
        pub(in crate::field) lfn: Option<Digest>,
        kinds: [GaugeKind; MAX_KINDS],
        kinds_seen: u8,
        /// Digests of kind and update.
        fields: [u64; MAX_FIELDS],
        fields_seen: u8,
        /// That one of the lists is full has been told.
        overflow_told: bool,
        /// A gauge field came without `ildg-update`.
        without_update: bool,
        /// A kind has come twice.
        repeated: bool,
        /// The first update of a gauge field.
        update: Option<Digest>,
        /// Another update has come.
        updates_differ: bool,
    }
}

impl Summary {
    fn has(&self, kind: GaugeKind) -> bool {
        self.kinds.iter().take(usize::from(self.kinds_seen)).any(|seen| *seen == kind)
    }

    fn has_field(&self, field: u64) -> bool {
        self.fields.iter().take(usize::from(self.fields_seen)).any(|seen| *seen == field)
    }

    /// Whether a gauge field of this kind, now, breaks the rule that every message has an `ildg-update` once
    /// a kind comes twice (ILDG 1.2, section 2.2) or a second update comes (section 2.4).
    pub(in crate::field) fn update_is_missing(&self, kind: GaugeKind, update: Option<Digest>) -> bool {
        if self.repeated || self.updates_differ {
            return update.is_none();
        }
        let needed_now = self.has(kind) || self.is_another(update);
        needed_now && (update.is_none() || self.without_update)
    }

    fn is_another(&self, update: Option<Digest>) -> bool {
        self.update.is_some() && update.is_some() && self.update != update
    }

    /// Whether a field of this kind and update has come.
    pub(in crate::field) fn field_is_repeated(&self, kind: GaugeKind, update: Option<Digest>) -> bool {
        update.is_some_and(|update| self.has_field(update.with_kind(kind)))
    }

    /// Whether this field is the first that cannot be remembered.
    pub(in crate::field) fn overflows(&self, kind: GaugeKind, update: Option<Digest>) -> bool {
        let new_kind = !self.has(kind) && usize::from(self.kinds_seen) == MAX_KINDS;
        let full = usize::from(self.fields_seen) == MAX_FIELDS;
        let new_field = full && update.is_some_and(|update| !self.has_field(update.with_kind(kind)));
        !self.overflow_told && (new_kind || new_field)
    }

    pub(in crate::field) fn count_gauge_field(&mut self, kind: GaugeKind, update: Option<Digest>) {
        self.overflow_told |= self.overflows(kind, update);
        self.without_update |= update.is_none();
        self.updates_differ |= self.is_another(update);
        self.update = self.update.or(update);
        if self.has(kind) {
            self.repeated = true;
        } else if let Some(slot) = self.kinds.get_mut(usize::from(self.kinds_seen)) {
            *slot = kind;
            self.kinds_seen = self.kinds_seen.saturating_add(1);
        }
        if let Some(field) = update.map(|update| update.with_kind(kind))
            && !self.has_field(field)
            && let Some(slot) = self.fields.get_mut(usize::from(self.fields_seen))
        {
            *slot = field;
            self.fields_seen = self.fields_seen.saturating_add(1);
        }
    }
}
