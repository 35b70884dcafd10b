//! The bytes of elements of a stream as another one of the same layout has them: in its byte order, and 0 in gaps.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::{ArrayId, Element, ParamValue, RecordId, Step};
use dudley_parser::resolve::{MemberKind, Resolver};

use crate::elements::buffer::zeros;
use crate::elements::swap::swap_in_place;
use crate::encode::covered::Covered;
use crate::encode::input::{Typed, TypedRows};
use crate::encode::values::{Building, count_bytes};
use crate::error::{Error, Result, to_usize};
use crate::filter::Registry;
use crate::read::data::Data;
use crate::read::dtype::{Filtered, filtered};
use crate::read::slice::Index;
use crate::read::stream::{Stream, read_bytes};

/// Copies elements of a stream.
pub(super) struct Copier<'c> {
    from: &'c Stream,
    order: ByteOrder,
    filters: &'c Registry,
    /// Whether sizes of instances depend on what filters make of their members.
    resized: RefCell<HashMap<RecordId, bool>>,
}

/// What becomes of an element of fixed size.
#[derive(Clone)]
pub(super) enum Copied {
    /// An element of this many bytes, each unit of which is reversed.
    Units {
        size: u64,
        unit: usize,
    },
    Record(Rc<Plan>),
}

/// What becomes of a struct of fixed size.
pub(super) struct Plan {
    size: u64,
    parts: Vec<Part>,
    /// Some of them share bytes.
    overlaps: bool,
}

/// A member.
struct Part {
    bytes: Range<usize>,
    element: Copied,
    filter: Option<Filtered>,
}

/// What is stored of an array with a filter.
pub(super) struct Stored {
    /// All of it, with the count in front if there is one.
    pub(super) bytes: Vec<u8>,
    /// What the count says.
    pub(super) stored: Option<u64>,
}

impl Copied {
    /// Bytes of an element.
    pub(super) fn size(&self) -> u64 {
        match self {
            Copied::Units { size, .. } => *size,
            Copied::Record(plan) => plan.size,
        }
    }
}

impl<'c> Copier<'c> {
    pub(super) fn new(from: &'c Stream, order: ByteOrder, filters: &'c Registry) -> Self {
        Copier { from, order, filters, resized: RefCell::default() }
    }

    /// Whether the byte order is another one.
    fn swaps(&self) -> bool {
        self.from.order() != self.order
    }

    /// Whether instances of a struct are looked at one by one.
    pub(super) fn is_variable(&self, id: RecordId) -> bool {
        let record = &self.from.layout()[id];
        record.per_instance || record.transparent
    }

    /// Bytes of each unit that is reversed, of elements that are no structs.
    pub(super) fn unit(&self, element: Element) -> usize {
        match element {
            Element::Primitive(primitive, own) => self.unit_of(primitive, own),
            Element::Record(_) => 1,
        }
    }

    fn unit_of(&self, primitive: Primitive, own: Option<ByteOrder>) -> usize {
        if own.is_none() && self.swaps() { primitive.swap_unit() as usize } else { 1 }
    }

    /// What becomes of an element of fixed size where the resolver stands.
    pub(super) fn element(&self, resolver: &mut Resolver<'_>, element: Element) -> Result<Copied> {
        self.planned(resolver, element, &mut HashMap::new())
    }

    fn planned(
        &self,
        resolver: &mut Resolver<'_>,
        element: Element,
        known: &mut HashMap<RecordId, Rc<Plan>>,
    ) -> Result<Copied> {
        let id = match element {
            Element::Primitive(primitive, own) => {
                let unit = self.unit_of(primitive, own);
                return Ok(Copied::Units { size: primitive.size(), unit });
            }
            Element::Record(id) => id,
        };
        if let Some(plan) = known.get(&id) {
            return Ok(Copied::Record(plan.clone()));
        }
        let layout = resolver.layout();
        let size = resolver.record_bytes(id)?;
        let mut parts: Vec<Part> = Vec::new();
        for member in resolver.members(id, 0)? {
            if member.bytes == 0 {
                continue;
            }
            let (element, filter) = match member.kind {
                MemberKind::Param(param) => match layout[param].value {
                    ParamValue::Streamed(primitive, own) => {
                        (Element::Primitive(primitive, own), None)
                    }
                    ParamValue::Fixed(_) => continue,
                },
                MemberKind::Array(array) => (layout[array].element, filtered(resolver, array)?),
            };
            let element = self.planned(resolver, element, known)?;
            let begin = to_usize(member.offset)?;
            let bytes = begin..begin + to_usize(member.bytes)?;
            match (parts.last_mut(), &element, &filter) {
                // Members side by side that are left as they are.
                (Some(last), Copied::Units { unit: 1, .. }, None)
                    if last.bytes.end == begin
                        && last.filter.is_none()
                        && matches!(last.element, Copied::Units { unit: 1, .. }) =>
                {
                    last.bytes.end = bytes.end;
                }
                _ => parts.push(Part { bytes, element, filter }),
            }
        }
        let overlaps = Covered::overlap(parts.iter().map(|part| part.bytes.clone()));
        let plan = Rc::new(Plan { size, parts, overlaps });
        known.insert(id, plan.clone());
        Ok(Copied::Record(plan))
    }

    /// Elements of fixed size that lie side by side.
    pub(super) fn fixed(&self, element: &Copied, from: &[u8]) -> Result<Vec<u8>> {
        let mut to = zeros(from.len() as u64)?;
        self.copy(element, from, &mut to)?;
        Ok(to)
    }

    fn copy(&self, element: &Copied, from: &[u8], to: &mut [u8]) -> Result<()> {
        let plan = match element {
            Copied::Units { unit, .. } => {
                to.copy_from_slice(from);
                return if *unit > 1 { swap_in_place(to, *unit) } else { Ok(()) };
            }
            Copied::Record(plan) => plan,
        };
        let size = to_usize(plan.size)?.max(1);
        for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(size)) {
            let mut covered = Covered::default();
            for part in &plan.parts {
                let outside = || Error::wrong_length(size as u64, part.bytes.end as u64);
                let from = from.get(part.bytes.clone()).ok_or_else(outside)?;
                if plan.overlaps {
                    let mut bytes = vec![0; from.len()];
                    self.copy_part(part, from, &mut bytes)?;
                    covered.put(to, part.bytes.start, &bytes)?;
                } else {
                    self.copy_part(
                        part,
                        from,
                        to.get_mut(part.bytes.clone()).ok_or_else(outside)?,
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Copies a member of a struct, to as many bytes.
    fn copy_part(&self, part: &Part, from: &[u8], to: &mut [u8]) -> Result<()> {
        match &part.filter {
            Some(filter) if self.is_changed(&part.element) => {
                let bytes = self.again(filter, &part.element, from, 0)?;
                if bytes.len() != to.len() {
                    return Err(Error::wrong_length(to.len() as u64, bytes.len() as u64));
                }
                to.copy_from_slice(&bytes);
                Ok(())
            }
            Some(_) => {
                to.copy_from_slice(from);
                Ok(())
            }
            None => self.copy(&part.element, from, to),
        }
    }

    /// Whether what a filter made of such elements is not the same in the other stream.
    fn is_changed(&self, element: &Copied) -> bool {
        self.swaps() && !matches!(element, Copied::Units { unit: 1, .. })
    }

    /// What a filter makes of elements in the byte order of the other stream.
    fn again(
        &self,
        filter: &Filtered,
        element: &Copied,
        stored: &[u8],
        address: u64,
    ) -> Result<Vec<u8>> {
        let known = self.filters.get(&filter.name);
        let known = known.ok_or_else(|| Error::unknown_filter(&filter.name))?;
        let raw = self.fixed(element, &filter.decode(self.filters, address, stored)?)?;
        known.encode(&filter.args, &raw).map_err(|reason| Error::filter(0, &filter.name, reason))
    }

    /// What is stored of an array with a filter, which lies at an address of the stream that is read.
    pub(super) fn filtered(
        &self,
        resolver: &mut Resolver<'_>,
        id: ArrayId,
        from: &[u8],
        address: u64,
    ) -> Result<Stored> {
        let Some(filter) = filtered(resolver, id)?.filter(|_| !from.is_empty()) else {
            return Ok(Stored { bytes: from.to_vec(), stored: None });
        };
        let skip = to_usize(filter.skip)?;
        let stored =
            from.get(skip..).ok_or_else(|| Error::wrong_length(filter.skip, from.len() as u64))?;
        let element = self.element(resolver, resolver.layout()[id].element)?;
        let stored = if self.is_changed(&element) {
            self.again(&filter, &element, stored, address)?
        } else {
            stored.to_vec()
        };
        let count = stored.len() as u64;
        Ok(match skip {
            0 => Stored { bytes: stored, stored: None },
            _ => {
                let bytes = [&count_bytes(count, self.order)[..], &stored].concat();
                Stored { bytes, stored: Some(count) }
            }
        })
    }

    /// Whether the size of an array of structs of variable size is another one in the other stream: filters
    /// without a count of stored bytes in the layout make something else of other bytes.
    pub(super) fn is_resized(&self, id: ArrayId) -> bool {
        self.swaps() && self.holds_filter(id, &mut HashSet::new())
    }

    fn holds_filter(&self, id: ArrayId, seen: &mut HashSet<RecordId>) -> bool {
        let layout = self.from.layout();
        let Element::Record(record) = layout[id].element else { return false };
        if let Some(known) = self.resized.borrow().get(&record) {
            return *known;
        }
        if !seen.insert(record) {
            return false;
        }
        let holds = layout.run(layout[record].members).iter().any(|step| match step {
            Step::Array(member) => {
                let filter = layout[*member].filter.map(|filter| &layout[filter]);
                filter.is_some_and(|filter| filter.stored.is_none())
                    || self.holds_filter(*member, seen)
            }
            _ => false,
        });
        self.resized.borrow_mut().insert(record, holds);
        holds
    }

    /// Hands out the structs of variable size of an array, which begin at an address, one by one.
    pub(super) fn instances(
        &self,
        resolver: &mut Resolver<'_>,
        id: ArrayId,
        address: u64,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let layout = resolver.layout();
        let array = &layout[id];
        let Element::Record(record) = array.element else { return Ok(()) };
        let shape = resolver.shape(array)?;
        let count = if shape.contains(&0) {
            0
        } else {
            shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim))
        };
        let mut here = address;
        for _ in 0..count {
            let size = resolver.instance_size(record, here)?;
            if size == 0 {
                // The next one starts at the same place, so it is the same.
                break;
            }
            let bytes = read_bytes(self.from.source(), here, size)?;
            sink(&self.instance(resolver, record, here, &bytes)?)?;
            here += size;
        }
        Ok(())
    }

    /// An instance of a struct of variable size, of which the bytes at an address are given.
    fn instance(
        &self,
        resolver: &mut Resolver<'_>,
        id: RecordId,
        address: u64,
        from: &[u8],
    ) -> Result<Vec<u8>> {
        let layout = resolver.layout();
        let mut building = Building::default();
        for member in resolver.members(id, address)? {
            let begin = to_usize(member.offset)?;
            let bytes = from.get(begin..begin.saturating_add(to_usize(member.bytes)?));
            // What is empty may lie behind the end.
            let bytes = match bytes {
                None if member.bytes > 0 => {
                    return Err(Error::wrong_length(member.bytes, from.len() as u64));
                }
                bytes => bytes.unwrap_or_default(),
            };
            let copied = match member.kind {
                MemberKind::Param(param) => match layout[param].value {
                    ParamValue::Streamed(primitive, own) => {
                        let unit = self.unit_of(primitive, own);
                        self.fixed(&Copied::Units { size: primitive.size(), unit }, bytes)?
                    }
                    ParamValue::Fixed(_) => continue,
                },
                MemberKind::Array(array) => {
                    self.member(resolver, array, address + member.offset, bytes)?
                }
            };
            building.put(resolver, member.kind, &copied)?;
        }
        building.finish(layout[id].align)
    }

    /// The data of one instance of a struct of variable size.
    fn member(
        &self,
        resolver: &mut Resolver<'_>,
        id: ArrayId,
        address: u64,
        from: &[u8],
    ) -> Result<Vec<u8>> {
        let array = &resolver.layout()[id];
        if array.filter.is_some() {
            return Ok(self.filtered(resolver, id, from, address)?.bytes);
        }
        match array.element {
            _ if from.is_empty() => Ok(Vec::new()),
            Element::Record(record) if self.is_variable(record) => {
                let mut bytes = Vec::new();
                self.instances(resolver, id, address, &mut |instance| {
                    bytes.extend_from_slice(instance);
                    Ok(())
                })?;
                Ok(bytes)
            }
            element => {
                let element = self.element(resolver, element)?;
                self.fixed(&element, from)
            }
        }
    }
}

/// Elements that lie in a stream and are no structs.
pub(super) struct Elements {
    pub(super) data: Data,
    /// Bytes of each unit that is reversed.
    pub(super) unit: usize,
}

impl Elements {
    fn blocks(&self, data: &Data, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        if self.unit == 1 {
            return data.for_each_block(sink);
        }
        let mut swapped = Vec::new();
        data.for_each_block(&mut |block| {
            swapped.clear();
            swapped.extend_from_slice(block);
            swap_in_place(&mut swapped, self.unit)?;
            sink(&swapped)
        })
    }
}

impl Typed for Elements {
    fn shape(&self) -> Vec<u64> {
        self.data.shape().to_vec()
    }

    fn check(&self, _: Primitive) -> Result<()> {
        Ok(())
    }

    fn encode(
        &self,
        _: Primitive,
        _: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        self.blocks(&self.data, sink)
    }

    fn rows(&self, _: Primitive) -> Option<&dyn TypedRows> {
        Some(self)
    }
}

impl TypedRows for Elements {
    fn encode_rows(
        &self,
        rows: Range<u64>,
        _: Primitive,
        _: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let [start, stop] = [rows.start, rows.end].map(|row| Some(row as i64));
        self.blocks(&self.data.slice(&[Index::Range { start, stop, step: 1 }])?, sink)
    }
}
