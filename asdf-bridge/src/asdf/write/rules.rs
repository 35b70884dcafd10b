//! How blocks are written.

use std::sync::Arc;

use dudley::Work;

use super::super::compression::Codecs;
use super::super::form::Form;

/// How blocks are written.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Which headers they have.
    pub(crate) form: Form,
    /// FINF as the text that describes it has it.
    pub(crate) literal: bool,
    /// Data begin at multiples of this many bytes.
    pub(crate) align: u64,
    /// What is set aside behind data.
    pub(crate) padding: Padding,
    /// Whether digests are made.
    pub(crate) digests: bool,
    /// The filters of compressions.
    pub(crate) codecs: Arc<Codecs>,
    /// By how many threads, and who watches.
    pub(crate) work: Work,
}

/// Room behind the tree and behind each block, for what may be added in place later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Padding {
    percent: u32,
    bytes: u64,
}

impl Padding {
    /// No room.
    pub const NONE: Padding = Padding { percent: 0, bytes: 0 };

    /// So much of what is there, in percent.
    pub const fn percent(percent: u32) -> Padding {
        Padding { percent, bytes: 0 }
    }

    /// This many bytes.
    pub const fn bytes(bytes: u64) -> Padding {
        Padding { percent: 0, bytes }
    }

    /// Bytes behind this many.
    pub(crate) fn of(self, bytes: u64) -> u64 {
        let part = u128::from(bytes) * u128::from(self.percent) / 100;
        u64::try_from(part).unwrap_or(u64::MAX).saturating_add(self.bytes)
    }
}
