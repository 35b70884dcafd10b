//! Values in the stream that addresses depend on: are they what they were?

use std::sync::atomic::{AtomicU64, Ordering};

use super::format::Guard;
use super::table::Table;
use crate::bytes::source::Source;
use crate::error::Result;

/// Guards that are read at a time.
const BATCH: u64 = 128;

/// The guards of an index. What was compared once is not compared again.
pub(super) struct Guards {
    pub(super) table: Table,
    /// This many from the first on were found to hold.
    held: AtomicU64,
}

impl Guards {
    pub(super) fn new(table: Table) -> Guards {
        Guards { table, held: AtomicU64::new(0) }
    }

    pub(super) fn len(&self) -> u64 {
        self.table.rows
    }

    /// Whether all that matters to what is declared at `at` in the text holds. Guards are in the order
    /// of what they matter to, so those are the first ones.
    ///
    /// # Errors
    /// If the guards cannot be read.
    pub(super) fn hold(&self, index: &dyn Source, data: &dyn Source, at: u32) -> Result<bool> {
        let mut held = self.held.load(Ordering::Relaxed);
        while held < self.table.rows {
            let count = BATCH.min(self.table.rows - held);
            for guard in self.table.read::<Guard>(index, held, count)? {
                if guard.after >= at {
                    return Ok(true);
                }
                if !guard.holds(data) {
                    return Ok(false);
                }
                held += 1;
            }
            self.held.fetch_max(held, Ordering::Relaxed);
        }
        Ok(true)
    }
}

impl Guard {
    fn holds(&self, data: &dyn Source) -> bool {
        let mut bytes = [0; 8];
        let size = (self.size as usize).min(bytes.len());
        data.read_at(self.address, &mut bytes[..size]).is_ok() && bytes == self.bytes
    }
}
