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
    /// the instance are in force, so shapes of its members can be requested. A member that only says where the struct
    /// [ends](crate::layout::Layout::is_end) is not among them.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (id, _) = layout.records().next().unwrap();
    /// let members = resolver.members(id, 32)?;
    /// assert_eq!(members.iter().map(|it| it.offset).collect::<Vec<_>>(), [0, 8]);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a member cannot be placed.
    pub fn members(&mut self, id: RecordId, address: u64) -> Result<Vec<Member>> {
        let mut members = Vec::with_capacity(self.layout[id].members.len());
        self.each_member(id, address, &mut members)?;
        Ok(members)
    }

    /// As [`Self::members`], as far as they can be placed.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (id, _) = layout.records().next().unwrap();
    /// assert_eq!(resolver.first_members(id, 32).len(), 2);
    /// ```
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
            cursor = extent.cursor;
            if !matches!(kind, MemberKind::Array(array) if layout.is_end(&layout[array])) {
                members.push(Member { kind, offset: extent.begin, bytes });
            }
        }
        Ok(())
    }

    /// Puts a param of a struct or repeated dict in force, as a writer does that knows its value.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = {N : i8  a = u1[N]}").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (n, _) = layout.params().next().unwrap();
    /// resolver.set_param(n, 3);
    /// assert_eq!(resolver.value(n)?, 3);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
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
    /// ```
    /// use dudley_parser::resolve::MemberKind;
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (b, _) = layout.arrays().find(|(_, it)| layout.name(it.name) == "b").unwrap();
    /// assert_eq!(resolver.place_member(MemberKind::Array(b), 1, 8)?, (8, 16));
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
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
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (id, _) = layout.records().next().unwrap();
    /// assert_eq!(resolver.instance_size(id, 0)?, 16);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a member cannot be placed.
    pub fn instance_size(&mut self, id: RecordId, address: u64) -> Result<u64> {
        self.instance_bytes(id, address)
    }
}

impl Param {
    /// Whether it lies in the stream.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  M : 3  x = f8[N, M]").layout.unwrap();
    /// let streamed: Vec<bool> = layout.params().map(|(_, param)| param.is_streamed()).collect();
    /// assert_eq!(streamed, [true, false]);
    /// ```
    pub fn is_streamed(&self) -> bool {
        matches!(self.value, ParamValue::Streamed(..))
    }
}
