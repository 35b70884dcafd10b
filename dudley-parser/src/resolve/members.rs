//! The members of one instance of a record.

use super::{Resolver, Result};
use crate::layout::{ArrayId, Param, ParamId, ParamValue, RecordId, Step};
use crate::place;

/// A member of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its kind.
    pub kind: MemberKind,
    /// Bytes from the start of the instance.
    pub offset: u64,
    /// Bytes it takes in the stream; 0 for fixed params.
    pub bytes: u64,
}

/// The kind of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A param, streamed or fixed.
    Param(ParamId),
    /// Data.
    Array(ArrayId),
}

impl Resolver<'_> {
    /// Where the members of the instance of a record at an address lie. Afterwards the params of
    /// the instance are in force, so shapes of its members can be requested.
    ///
    /// # Errors
    /// If a member cannot be placed.
    pub fn members(&mut self, id: RecordId, address: u64) -> Result<Vec<Member>> {
        let mut members = Vec::with_capacity(self.layout[id].members.len());
        self.each_member(id, address, &mut members)?;
        Ok(members)
    }

    /// As [`Self::members`], as far as they can be placed.
    pub fn first_members(&mut self, id: RecordId, address: u64) -> Vec<Member> {
        let mut members = Vec::new();
        // What is wrong is said by the code that needs what lies behind.
        let _ = self.each_member(id, address, &mut members);
        members
    }

    fn each_member(&mut self, id: RecordId, address: u64, members: &mut Vec<Member>) -> Result<()> {
        let layout = self.layout;
        let record = &layout[id];
        let mut cursor = 0;
        for &step in layout.run(record.members) {
            let extent = match step {
                Step::Param(param) if !record.per_instance => {
                    self.measure_field_param(param, cursor)?
                }
                step => self.measure_step(step, cursor, address)?,
            };
            let kind = match step {
                Step::Param(param) => MemberKind::Param(param),
                Step::Array(array) => MemberKind::Array(array),
                _ => continue,
            };
            let bytes = extent.cursor - extent.begin;
            members.push(Member { kind, offset: extent.begin, bytes });
            cursor = extent.cursor;
        }
        Ok(())
    }

    /// Puts a param of a struct or repeated dict in force, as a writer does that knows its value.
    pub fn set_param(&mut self, id: ParamId, value: i128) {
        let slot = match self.legal_value(id, value, None) {
            Ok(value) => super::Slot::Known(value),
            Err(error) => super::Slot::Bad(error),
        };
        self.state.slots[id.index()] = slot;
        self.state.read_at[id.index()] = super::UNPLACED;
        self.state.epoch += 1;
    }

    /// Where a member of this many bytes goes: its offset, and where the cursor stands behind it.
    ///
    /// # Errors
    /// If its address is unknown or illegal.
    pub fn place_member(
        &mut self,
        kind: MemberKind,
        cursor: u64,
        bytes: u64,
    ) -> Result<(u64, u64)> {
        let (place, align, span) = match kind {
            MemberKind::Param(id) => {
                let param = &self.layout[id];
                (param.place, param.align, param.span)
            }
            MemberKind::Array(id) => {
                let array = &self.layout[id];
                (array.place, array.align, array.span)
            }
        };
        let explicit = self.explicit(place)?;
        let placed = place::begin(cursor, explicit, bytes, align)
            .and_then(|begin| Some((begin, place::add(begin, bytes)?)));
        placed.ok_or_else(|| super::measure::too_far(span))
    }

    /// Bytes of the instance of a record at an address, rounded up to its alignment.
    ///
    /// # Errors
    /// If a member cannot be placed.
    pub fn instance_size(&mut self, id: RecordId, address: u64) -> Result<u64> {
        self.instance_bytes(id, address)
    }
}

impl Param {
    /// Whether it lies in the stream.
    pub fn is_streamed(&self) -> bool {
        matches!(self.value, ParamValue::Streamed(..))
    }
}
