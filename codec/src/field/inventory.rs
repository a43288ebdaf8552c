//! The gauge fields and the logical file name of a file, as far as needed to decide whether another one is allowed
//! (ILDG 1.2, sections 2.2 and 2.4).

use crate::counter::Counter as _;
use crate::ildg::GaugeKind;
use crate::state::saved;

/// Number of kinds of gauge fields that are remembered for a file, and of pairs of kind and update. After more, the
/// rules about several fields in a file are not checked, which is reported.
const MAX_KINDS: usize = 8;
const MAX_FIELDS: usize = 16;

/// The gauge fields of a file and its logical file name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inventory {
    /// Digest of the first logical file name.
    pub(crate) lfn: Option<Digest>,
    kinds: [GaugeKind; MAX_KINDS],
    kinds_seen: u8,
    /// Digests of kind and update.
    fields: [u64; MAX_FIELDS],
    fields_seen: u8,
    /// A full list has been reported.
    overflow_reported: bool,
    /// A gauge field came without `ildg-update`.
    without_update: bool,
    /// A kind has come twice.
    repeated: bool,
    /// The first update of a gauge field.
    update: Option<Digest>,
    /// Another update has come.
    updates_differ: bool,
}

saved!(struct Inventory {
    lfn, kinds, kinds_seen, fields, fields_seen, overflow_reported, without_update, repeated, update, updates_differ,
});

impl Inventory {
    pub(crate) const EMPTY: Self = Self {
        lfn: None,
        kinds: [GaugeKind::SU3; MAX_KINDS],
        kinds_seen: 0,
        fields: [0; MAX_FIELDS],
        fields_seen: 0,
        overflow_reported: false,
        without_update: false,
        repeated: false,
        update: None,
        updates_differ: false,
    };

    /// Returns whether the lengths of the lists are possible.
    pub(crate) fn is_consistent(&self) -> bool {
        usize::from(self.kinds_seen) <= MAX_KINDS && usize::from(self.fields_seen) <= MAX_FIELDS
    }

    fn has(&self, kind: GaugeKind) -> bool {
        self.kinds.iter().take(usize::from(self.kinds_seen)).any(|seen| *seen == kind)
    }

    fn has_field(&self, field: u64) -> bool {
        self.fields.iter().take(usize::from(self.fields_seen)).any(|seen| *seen == field)
    }

    /// True if a gauge field of this kind breaks a rule here: every message must have an `ildg-update` as soon as a
    /// kind is repeated (ILDG 1.2, section 2.2) or a second update comes (section 2.4).
    pub(crate) fn update_is_missing(&self, kind: GaugeKind, update: Option<Digest>) -> bool {
        if self.repeated || self.updates_differ {
            return update.is_none();
        }
        let needed_now = self.has(kind) || self.is_another(update);
        needed_now && (update.is_none() || self.without_update)
    }

    fn is_another(&self, update: Option<Digest>) -> bool {
        self.update.is_some() && update.is_some() && self.update != update
    }

    /// True if a field of this kind and update has come before.
    pub(crate) fn field_is_repeated(&self, kind: GaugeKind, update: Option<Digest>) -> bool {
        update.is_some_and(|update| self.has_field(update.with_kind(kind)))
    }

    /// True if this field is the first that cannot be remembered.
    pub(crate) fn overflows(&self, kind: GaugeKind, update: Option<Digest>) -> bool {
        let new_kind = !self.has(kind) && usize::from(self.kinds_seen) == MAX_KINDS;
        let full = usize::from(self.fields_seen) == MAX_FIELDS;
        let new_field = full && update.is_some_and(|update| !self.has_field(update.with_kind(kind)));
        !self.overflow_reported && (new_kind || new_field)
    }

    /// Adds a gauge field.
    pub(crate) fn insert(&mut self, kind: GaugeKind, update: Option<Digest>) {
        self.overflow_reported |= self.overflows(kind, update);
        self.without_update |= update.is_none();
        self.updates_differ |= self.is_another(update);
        self.update = self.update.or(update);
        if self.has(kind) {
            self.repeated = true;
        } else if let Some(slot) = self.kinds.get_mut(usize::from(self.kinds_seen)) {
            *slot = kind;
            self.kinds_seen = self.kinds_seen.plus(1);
        }
        if let Some(field) = update.map(|update| update.with_kind(kind))
            && !self.has_field(field)
            && let Some(slot) = self.fields.get_mut(usize::from(self.fields_seen))
        {
            *slot = field;
            self.fields_seen = self.fields_seen.plus(1);
        }
    }
}

/// FNV-1a of a text without the white space around it. Two of the few texts of one file having the same by
/// chance is out of the question, and who makes such texts on purpose gets a finding about their own file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest {
    state: u64,
}

saved!(struct Digest { state });

impl Digest {
    pub(crate) const fn new() -> Self {
        Self { state: 0xcbf2_9ce4_8422_2325 }
    }

    /// Of a single string.
    pub(crate) fn of(text: &str) -> Self {
        let mut digest = Self::new();
        for byte in text.bytes() {
            digest.push(byte);
        }
        digest
    }

    pub(crate) const fn push(&mut self, byte: u8) {
        // Modulo 2^64, as the hash (FNV-1a) is defined.
        self.state = (self.state ^ byte as u64).wrapping_mul(0x0100_0000_01b3);
    }

    /// The digest of a field: its update and its kind.
    pub(crate) fn with_kind(mut self, kind: GaugeKind) -> u64 {
        let [high, low] = kind.colors().to_be_bytes();
        for byte in [kind.group() as u8, high, low] {
            self.push(byte);
        }
        self.state
    }
}
