//! Where a path lies in members, from the catalog alone: computed once for members that are alike.

use std::collections::HashMap;
use std::path::PathBuf;

use dudley_parser::layout::ParamId;

use super::member::{Member, given};
use super::without_bytes::Facts;
use super::{Family, MemberId};
use crate::bytes::region::Region;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::item::ItemKind;
use crate::read::select::{Picked, Selected, select};
use crate::read::stream::Stream;

/// Places one path in the members of a family. Results that members share are computed once.
pub struct Locator<'f> {
    family: &'f Family,
    path: String,
    /// Columns of params that places may depend on.
    deciding: Vec<usize>,
    /// Whether places depend on the length of a stream.
    by_length: bool,
    given: Vec<(ParamId, i128)>,
    known: HashMap<Box<[u8]>, usize>,
    plans: Vec<Plan>,
    key: Vec<u8>,
    /// The key and the plan of the member before: its neighbours are mostly like it.
    latest: (Vec<u8>, Option<usize>),
}

/// Where a path lies in all members that agree in what decides it.
pub(super) enum Plan {
    /// The catalog says it.
    Placed(Placement),
    /// The bytes of the member say it.
    ByMember,
}

impl Plan {
    pub(super) fn placed(&self) -> Option<&Placement> {
        match self {
            Plan::Placed(placement) => Some(placement),
            Plan::ByMember => None,
        }
    }
}

/// Where a path lies in streams.
pub(super) struct Placement {
    /// The one array, or each of those that are stacked: alike, and none filtered.
    pub(super) parts: Vec<Data>,
    pub(super) regions: Vec<Region>,
    /// The shape of all of it.
    pub(super) shape: Vec<u64>,
    /// Bytes of all elements.
    pub(super) bytes: u64,
    /// It can be read as it lies there: no filter, nothing that the layout states of it.
    pub(super) plain: bool,
}

/// The place of an item of a member in its file.
#[derive(Clone, Debug)]
pub struct Located {
    /// The member.
    pub member: MemberId,
    /// Its file.
    pub file: PathBuf,
    /// The type of the elements as it is shown.
    pub dtype: String,
    /// The shape of the selection: stacked dimensions of lists come first.
    pub shape: Vec<u64>,
    /// The parts: one, except for slices of lists whose items are not equally far apart.
    pub spots: Vec<Spot>,
}

/// A strided array in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The address of its first element, in bytes from the start of the file.
    pub address: u64,
    /// Bytes that it takes, without gaps between elements.
    pub bytes: u64,
    /// Elements in each dimension.
    pub shape: Vec<u64>,
    /// Bytes from one index to the next, for each dimension.
    pub strides: Vec<i64>,
}

impl Spot {
    /// The range from its first to its last byte, gaps included: bytes of the file. It is empty if there
    /// are no elements.
    ///
    /// ```
    /// use dudley::family::Spot;
    ///
    /// let spot = Spot { address: 64, bytes: 16, shape: vec![2], strides: vec![-24] };
    /// assert_eq!((spot.span(), spot.is_contiguous()), (40..72, false));
    /// ```
    pub fn span(&self) -> std::ops::Range<u64> {
        let count = self.shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        let Some(size) = self.bytes.checked_div(count) else { return self.address..self.address };
        let (mut first, mut end) = (i128::from(self.address), i128::from(self.address));
        for (dim, stride) in self.shape.iter().zip(&self.strides) {
            let reach = i128::from(dim.saturating_sub(1)) * i128::from(*stride);
            *(if reach < 0 { &mut first } else { &mut end }) += reach;
        }
        let address = |at: i128| u64::try_from(at.max(0)).unwrap_or(u64::MAX);
        address(first)..address(end + i128::from(size))
    }

    /// Whether its elements lie side by side, in the order of their indices.
    pub fn is_contiguous(&self) -> bool {
        let count = self.shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        let Some(mut next) = self.bytes.checked_div(count) else { return true };
        self.shape.iter().zip(&self.strides).rev().all(|(dim, stride)| {
            let follows = *dim == 1 || u64::try_from(*stride) == Ok(next);
            next = next.saturating_mul(*dim);
            follows
        })
    }
}

/// What cannot be placed from the catalog alone.
pub(super) fn unplaced(family: &Family) -> Vec<String> {
    let Some(member) = family.members().next() else { return Vec::new() };
    let Ok(stream) = member.summary() else { return Vec::new() };
    let layout = stream.layout();
    stream.with_resolver(|resolver| {
        let failed = resolver.failures().iter();
        failed.filter_map(|(step, _)| layout.step_path(layout.root()[*step])).collect()
    })
}

impl<'f> Locator<'f> {
    pub(super) fn new(family: &'f Family, path: &str) -> Result<Locator<'f>> {
        crate::read::path::parse(path)?;
        let catalog = &family.catalog;
        let layout = &catalog.template;
        let decides = |(at, column): (usize, &super::Column)| {
            column.param.is_some_and(|id| layout[id].used).then_some(at)
        };
        Ok(Locator {
            family,
            path: path.to_owned(),
            deciding: catalog.columns.iter().enumerate().filter_map(decides).collect(),
            by_length: layout.params().any(|(_, param)| param.is_by_length()),
            given: given(family)?,
            known: HashMap::new(),
            plans: Vec::new(),
            key: Vec::new(),
            latest: (Vec::new(), None),
        })
    }

    /// Where the path lies in a member.
    ///
    /// # Errors
    /// As [`Family::locate`].
    pub fn locate(&mut self, id: MemberId) -> Result<Located> {
        let member = self.family.member(id)?;
        let plan = self.plan(member)?;
        let opened;
        let placement = match &self.plans[plan] {
            Plan::Placed(placement) => placement,
            Plan::ByMember => {
                let stream = member.open()?;
                opened = Placement::of(&stream, &self.path)?;
                opened
                    .as_ref()
                    .ok_or_else(|| Error::Variable { path: self.path.as_str().into() })?
            }
        };
        let spot = |data: &Data| Spot {
            address: member.start().saturating_add(data.address()),
            // Those of a view are as many as it shows.
            bytes: match (data.is_presented(), data.dtype().size()) {
                (true, Some(size)) => data.len().unwrap_or(0).saturating_mul(size),
                _ => data.bytes(),
            },
            shape: data.shape().to_vec(),
            strides: data.strides().to_vec(),
        };
        Ok(Located {
            member: id,
            file: member.file()?,
            dtype: placement.parts.first().map(Data::dtype_name).unwrap_or_default(),
            shape: placement.shape.clone(),
            spots: placement.parts.iter().map(spot).collect(),
        })
    }

    pub(super) fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// The index of the plan for a member; it is made if it is not there yet.
    pub(super) fn plan(&mut self, member: Member<'_>) -> Result<usize> {
        let catalog = &self.family.catalog;
        let bytes = catalog.bytes();
        self.key.clear();
        self.key.extend(catalog.native.cell(bytes, member.at));
        self.key.extend(catalog.big.cell(bytes, member.at));
        if self.by_length {
            self.key.extend(catalog.length.cell(bytes, member.at));
        }
        for column in &self.deciding {
            self.key.extend(catalog.cells[*column].cell(bytes, member.at));
        }
        if let (key, Some(plan)) = &self.latest
            && *key == self.key
        {
            return Ok(*plan);
        }
        let plan = match self.known.get(&*self.key) {
            Some(plan) => *plan,
            None => {
                let plan = self.make(member).map_err(|error| error.of_item(&self.path))?;
                self.plans.push(plan);
                self.known.insert(self.key.as_slice().into(), self.plans.len() - 1);
                self.plans.len() - 1
            }
        };
        std::mem::swap(&mut self.latest.0, &mut self.key);
        self.latest.1 = Some(plan);
        Ok(plan)
    }

    fn make(&self, member: Member<'_>) -> Result<Plan> {
        let catalog = &self.family.catalog;
        let mut params = self.given.clone();
        for column in &self.deciding {
            if let Some(id) = catalog.columns[*column].param {
                let value = catalog.cells[*column].integer(catalog.bytes(), member.at);
                params.push((id, value));
            }
        }
        let facts = Facts {
            layout: &catalog.template,
            kind: member.kind(),
            order: member.order(),
            // Those of one plan may differ in it behind their data, where nothing lies.
            bytes: member.bytes(),
            params,
            held: Vec::new(),
            filters: &self.family.filters,
        };
        let (stream, source) = facts.stream();
        match Placement::of(&stream, &self.path) {
            Ok(Some(placement)) => Ok(Plan::Placed(placement)),
            Ok(None) => Ok(Plan::ByMember),
            Err(_) if source.was_asked() => Ok(Plan::ByMember),
            Err(error) => Err(error),
        }
    }
}

impl Placement {
    /// Where a path lies in a stream; `None` if that has no place of its own: structs of variable
    /// size, and what is in them.
    fn of(stream: &Stream, path: &str) -> Result<Option<Placement>> {
        let Selected { stacked, parts } = match param(stream, path) {
            Some(param) => {
                Selected { stacked: Vec::new(), parts: vec![Picked::Data(param.data()?)] }
            }
            None => select(stream, path)?,
        };
        let parts: Option<Vec<Data>> = parts
            .into_iter()
            .map(|part| match part {
                Picked::Data(data) if data.dtype().size().is_some() => Some(data),
                _ => None,
            })
            .collect();
        let Some(parts) = parts.filter(|parts| !parts.is_empty()) else { return Ok(None) };
        let plain = |data: &Data| {
            data.filter().is_none() && data.decoded.is_none() && data.constant().is_none()
        };
        let plain = parts.iter().all(plain);
        let regions = if plain {
            parts.iter().map(Data::region).collect::<Result<Vec<_>>>()?
        } else {
            Vec::new()
        };
        let bytes = regions.iter().try_fold(0_u64, |all, it| all.checked_add(it.byte_len()));
        let bytes = bytes.ok_or_else(|| Error::too_large(u64::MAX))?;
        let inner = parts.first().map(|data| data.shape().to_vec()).unwrap_or_default();
        let shape = stacked.into_iter().chain(inner).collect();
        Ok(Some(Placement { parts, regions, shape, bytes, plain }))
    }
}

/// The streamed param that a path names; it is data as well.
fn param(stream: &Stream, path: &str) -> Option<crate::read::item::Item> {
    stream.get(path).ok().filter(|item| item.kind() == ItemKind::Param)
}
