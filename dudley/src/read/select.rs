//! Arrays and values at a path with slices and fields: `/rho[10:20, ::2, -1]`, `/pos.lon`, `/rec[:]/rho`.

mod items;
mod missing;
mod reach;
mod read;
mod stacked;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::{Element, Layout, ParamValue, RecordId, Step};

use crate::elements::scalar::Form;
use crate::elements::value::{Builder, Sink, Value};
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::dtype::Dtype;
use crate::read::item::{Item, ItemKind, follow_from};
use crate::read::path::{Part, holds_no_item, parse};
use crate::read::slice::{Index, resolve};
use crate::read::stream::Stream;
use crate::read::stream::decode::EMPTY_LIMIT;
pub use items::items;
pub(crate) use items::{no_list, split};
pub(crate) use missing::declared;
use reach::Which;
pub use stacked::Stacked;

/// The result of a path: one array or value, or one of each item of a list, stacked.
///
/// ```
/// let open = dudley::Open::new().layout_text("l [/ x = u1[2]]*3")?.raw();
/// let stream = open.bytes([1, 2, 3, 4, 5, 6])?;
/// let picked = stream.select("/l[:]/x[0]")?;
/// assert_eq!(picked.shape(), [3]);
/// assert_eq!(picked.read::<u8>()?.as_slice(), Some(&[1, 3, 5][..]));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Selected {
    /// The dimensions that slices of lists put in front.
    pub stacked: Vec<u64>,
    /// The parts, row-major in those dimensions; one part if there are none.
    pub parts: Vec<Picked>,
}

impl From<Data> for Selected {
    fn from(data: Data) -> Selected {
        Selected { stacked: Vec::new(), parts: vec![Picked::Data(data)] }
    }
}

/// An array or a value at a path.
///
/// ```
/// use dudley::read::select::Picked;
///
/// let open = dudley::Open::new().layout_text("l [/ n : u1  t = u1[n]  x = u1[2]]*2")?.raw();
/// let selected = open.bytes([0, 1, 2, 1, 9, 3, 4])?.select("/l[:]/x")?;
/// let [Picked::Data(first), Picked::Data(second)] = &selected.parts[..] else { panic!("two") };
/// assert_eq!((first.address(), second.address()), (1, 5));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are arrays")]
pub enum Picked {
    /// An array, not yet read.
    Data(Data),
    /// A value: of structs of variable size, or of a param.
    Value {
        /// The value.
        value: Value,
        /// The type of its elements, where that is known.
        dtype: Option<Dtype>,
        /// Elements in each dimension. Where the lengths of arrays in arrays differ they are no dimension, and
        /// neither is anything in them.
        shape: Vec<u64>,
        /// The attributes of a param.
        attributes: Vec<Attribute>,
    },
}

/// Follows a path with slices and fields.
///
/// # Errors
/// [`Error::BadPath`], [`Error::NoSuchItem`], [`Error::BadSlice`]; [`Error::NotData`] if it leads to
/// a dict or list; [`Error::WrongShape`] if the parts of a stack differ; if reading fails.
///
/// ```
/// let stream = dudley::Open::new().layout_text("l [/ a = u1[3]]*2")?.bytes(vec![1, 2, 3, 4, 5, 6])?;
/// let picked = dudley::read::select::select(&stream, "/l[:]/a[::2]")?;
/// assert_eq!(picked.shape(), [2, 2]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn select(stream: &Stream, path: &str) -> Result<Selected> {
    let parts = parse(path)?;
    let (item, rest) = follow_from(stream.root(), path, &parts)?;
    let mut selection = Selection { path, stacked: Vec::new(), parts: Vec::new() };
    selection.item(item, rest, 0)?;
    let Selection { stacked, parts, .. } = selection;
    Ok(Selected { stacked, parts })
}

struct Selection<'s> {
    path: &'s str,
    stacked: Vec<u64>,
    parts: Vec<Picked>,
}

impl Selection<'_> {
    /// An item with what is left of the path; `depth` list dimensions are open around it.
    fn item(&mut self, item: Item, rest: &[Part], depth: usize) -> Result<()> {
        match (item.kind(), rest.split_first()) {
            (ItemKind::List, Some((Part::Slice(indices), rest))) => {
                self.list(&item, indices, rest, depth)
            }
            (ItemKind::List | ItemKind::Dict, Some((Part::Name { .. } | Part::Param(..), _))) => {
                let (next, rest) = follow_from(item, self.path, rest)?;
                self.item(next, rest, depth)
            }
            (kind @ ItemKind::Dict, Some((Part::Slice(_), _))) => {
                Err(items::no_list(item.path(), kind))
            }
            (ItemKind::List | ItemKind::Dict, _) => {
                Err(Error::NotData { path: item.path().into(), kind: item.kind().as_str() })
            }
            (ItemKind::Param, _) if rest.is_empty() => {
                let value = item.value()?;
                let dtype = item.data().ok().map(|data| data.dtype);
                let (shape, attributes) = (Vec::new(), item.attributes().to_vec());
                self.push(Picked::Value { value, dtype, shape, attributes })
            }
            _ => self.push(pick(self.path, item.data()?, rest)?),
        }
    }

    /// One part more: of one shape and type with those before it.
    fn push(&mut self, picked: Picked) -> Result<()> {
        if let Some(first) = self.parts.first() {
            first.check_alike(&picked, self.path)?;
        }
        self.parts.push(picked);
        Ok(())
    }

    /// A slice of a list; indices that are left go to the lists or data in it.
    fn list(&mut self, list: &Item, indices: &[Index], rest: &[Part], depth: usize) -> Result<()> {
        let (first, next) = items::split(list, indices, rest)?;
        let length = list.length_for(first)?;
        let picked = resolve(&[first], &[length]).map_err(|error| error.of_item(list.path()))?[0];
        let index = |at: u64| (picked.start as i64 + at as i64 * picked.step) as u64;
        if picked.single {
            return self.item(list.element(index(0))?, &next, depth);
        }
        if picked.count == 0
            && let Some(nothing) = self.nothing(list, &next)?
        {
            return self.push(nothing);
        }
        if picked.count > 0 {
            if let Some(data) = self.strided(list, &picked, &next, depth)? {
                return self.push(Picked::Data(data));
            }
            // What the stream does not hold is not walked through to find that out.
            let furthest = index(if picked.step < 0 { 0 } else { picked.count - 1 });
            for part in self.apart(list.element(furthest)?, &next, depth + 1)?.parts {
                if let Picked::Data(data) = part {
                    data.check_there()?;
                }
            }
        }
        self.open(depth, picked.count)?;
        // Items that overlap or have no bytes are not held back by the size of the stream.
        let most = list.stream().len().saturating_add(EMPTY_LIMIT);
        if picked.count.saturating_add(self.parts.len() as u64) > most {
            return Err(Error::too_large(u64::MAX).of_item(list.path()));
        }
        for at in 0..picked.count {
            self.item(list.element(index(at))?, &next, depth + 1)?;
        }
        Ok(())
    }

    /// What an item of a list comes to, without adding it.
    fn apart(&self, item: Item, rest: &[Part], depth: usize) -> Result<Self> {
        let mut apart = Selection { path: self.path, stacked: vec![0; depth], parts: Vec::new() };
        apart.item(item, rest, depth)?;
        Ok(apart)
    }

    /// The items of a slice as one array with a dimension more, where they lie equally far apart;
    /// only three of them are looked at.
    fn strided(
        &self,
        list: &Item,
        picked: &crate::read::slice::Picked,
        rest: &[Part],
        depth: usize,
    ) -> Result<Option<Data>> {
        if depth > 0 {
            return Ok(None);
        }
        let at = |at: u64| list.element((picked.start as i64 + at as i64 * picked.step) as u64);
        let last = picked.count.saturating_sub(1);
        let nodes = [at(0)?, at(last.min(1))?, at(last)?];
        let layout = list.stream().layout();
        if !nodes[1..].iter().all(|item| item.node().repeats_as(nodes[0].node(), layout)) {
            return Ok(None);
        }
        let mut found = Vec::new();
        for item in nodes {
            let mut apart = self.apart(item, rest, 0)?;
            match (apart.parts.pop(), apart.parts.is_empty() && apart.stacked.is_empty()) {
                (Some(Picked::Data(data)), true) => found.push(data),
                _ => return Ok(None),
            }
        }
        Ok(found[0].repeated(&found[1], &found[2], picked.count, self.path))
    }

    /// Another dimension of the stack; all lists at one depth must be of one length.
    fn open(&mut self, depth: usize, count: u64) -> Result<()> {
        match self.stacked.get(depth) {
            None => self.stacked.push(count),
            Some(known) if *known == count => {}
            Some(known) => {
                return Err(Error::wrong_shape(self.path, &[*known], &[count]));
            }
        }
        Ok(())
    }
}

/// Slices and fields of an array.
fn pick(path: &str, data: Data, rest: &[Part]) -> Result<Picked> {
    let mut picked = Picked::Data(data);
    for part in rest {
        picked = match (picked, part) {
            (Picked::Data(data), Part::Slice(_) | Part::Field(_))
                if data.variable_record().is_some() =>
            {
                return pick_value(path, &data, rest);
            }
            (Picked::Data(data), Part::Slice(indices)) => Picked::Data(data.slice(indices)?),
            (Picked::Data(data), Part::Field(name)) => Picked::Data(data.field(name)?),
            (value @ Picked::Value { .. }, _) => return Ok(value),
            (Picked::Data(data), part) => {
                let name = if let Part::Name { text, .. } = part { text } else { "" };
                let why = holds_no_item(data.path(), Some(data.dtype()), name);
                return Err(Error::NoSuchItem { path: path.into(), why: why.into() });
            }
        };
    }
    Ok(picked)
}

/// Slices and fields of structs of variable size.
fn pick_value(path: &str, data: &Data, rest: &[Part]) -> Result<Picked> {
    // One member of one struct lies where it lies, and is of the shape that the layout gives it.
    if let Some(reached) = reach::reach(path, data, rest, Which::One)? {
        return Ok(Picked::Data(reached.first));
    }
    let layout = data.stream.layout();
    let unfolded = names_hidden_param(layout, data.variable_record(), rest);
    let mut value = if unfolded { data.unfolded()? } else { data.value()? };
    let mut record = data.variable_record();
    let mut dtype = None;
    let mut rank = data.shape().len();
    // Values do not tell what is behind a dimension of 0.
    let mut dims = Some(data.shape().to_vec());
    for part in rest {
        match part {
            Part::Slice(indices) => {
                let lengths = dims.unwrap_or_else(|| lengths(&value, rank));
                let picked = resolve(indices, &lengths).map_err(|error| error.of_item(path))?;
                value = slice_value(&value, &picked);
                let left = picked.iter().filter(|pick| !pick.single).map(|pick| pick.count);
                let left: Vec<u64> = left.collect();
                rank = left.len();
                dims = Some(left);
            }
            Part::Field(name) => {
                let of = record.take();
                let found = of.and_then(|id| member(layout, id, name));
                // What stands for its one member is that.
                let is_shown = found.is_some() && of.is_some_and(|id| layout[id].transparent);
                if unfolded || !is_shown {
                    value = field_values(path, value, rank, name)?;
                }
                match found {
                    Some((Element::Primitive(primitive, own), _)) => {
                        let order = own.unwrap_or(data.stream.order());
                        dtype = Some(Dtype::Primitive(primitive, order));
                    }
                    Some((Element::Record(id), _)) => record = Some(id),
                    None => {}
                }
                rank = depth(&value);
                dims = None;
            }
            _ => {
                let why = "a value holds no items".to_owned();
                return Err(Error::NoSuchItem { path: path.into(), why: why.into() });
            }
        }
    }
    let picked = Picked::of_value(value, dtype);
    // An array of nothing does not tell what it would be of.
    let reached = if picked.shape().contains(&0) {
        reach::reach(path, data, rest, Which::Any)?
    } else {
        None
    };
    Ok(match (picked, reached.filter(|reached| reached.alike)) {
        (_, Some(reached)) if reached.shape().contains(&0) => Picked::Data(reached.nothing()),
        (Picked::Value { value, dtype: None, shape, attributes }, _) if shape.contains(&0) => {
            let shape = dims.filter(|dims| dims.contains(&0)).unwrap_or(shape);
            Picked::Value { value, dtype: missing::member_dtype(data, rest), shape, attributes }
        }
        (picked, _) => picked,
    })
}

/// The elements of a member of a struct, and whether it is a param; `None` if there is no such member, or it takes no
/// bytes.
fn member(layout: &Layout, id: RecordId, name: &str) -> Option<(Element, bool)> {
    layout.run(layout[id].members).iter().find_map(|step| match *step {
        Step::Array(array) if layout.name(layout[array].name) == name => {
            Some((layout[array].element, false))
        }
        Step::Param(param) if layout.name(layout[param].name) == name => {
            match layout[param].value {
                ParamValue::Streamed(primitive, own) => {
                    Some((Element::Primitive(primitive, own), true))
                }
                ParamValue::Fixed(_) => None,
            }
        }
        _ => None,
    })
}

/// Whether the fields of a path lead to a param of a struct that is shown as its one member.
fn names_hidden_param(layout: &Layout, mut record: Option<RecordId>, rest: &[Part]) -> bool {
    for part in rest {
        let (Part::Field(name), Some(id)) = (part, record) else { continue };
        record = match member(layout, id, name) {
            Some((_, true)) if layout[id].transparent => return true,
            Some((Element::Record(id), _)) => Some(id),
            _ => None,
        };
    }
    false
}

fn lengths(value: &Value, rank: usize) -> Vec<u64> {
    let mut lengths = Vec::new();
    let mut level = vec![value];
    while lengths.len() < rank {
        let items: Option<Vec<&Vec<Value>>> = level
            .iter()
            .map(|value| match value {
                Value::Array(items) => Some(items),
                _ => None,
            })
            .collect();
        // What differs in length from one to the next has no dimension of its own.
        let Some(items) = items.filter(|items| !items.is_empty()) else { break };
        if items.iter().any(|other| other.len() != items[0].len()) {
            break;
        }
        lengths.push(items[0].len() as u64);
        level = items.into_iter().flatten().collect();
    }
    lengths
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.first().map_or(0, depth),
        _ => 0,
    }
}

fn slice_value(value: &Value, picked: &[crate::read::slice::Picked]) -> Value {
    let (Some((pick, inner)), Value::Array(items)) = (picked.split_first(), value) else {
        return value.clone();
    };
    let at = |index: u64| (pick.start as i64 + index as i64 * pick.step) as usize;
    let mut chosen = (0..pick.count)
        .filter_map(|index| items.get(at(index)))
        .map(|item| slice_value(item, inner));
    if pick.single { chosen.next().unwrap_or(Value::Null) } else { Value::Array(chosen.collect()) }
}

fn field_values(path: &str, value: Value, rank: usize, name: &str) -> Result<Value> {
    match value {
        Value::Array(items) if rank > 0 => {
            let fields = items.into_iter().map(|item| field_values(path, item, rank - 1, name));
            Ok(Value::Array(fields.collect::<Result<_>>()?))
        }
        value => value.field(name).cloned().ok_or_else(|| {
            let names: Vec<String> = match &value {
                Value::Struct(fields) => fields.iter().map(|(name, _)| name.clone()).collect(),
                _ => Vec::new(),
            };
            let why = crate::read::path::meant(format!("there is no field `{name}`"), name, &names);
            Error::NoSuchItem { path: path.into(), why: why.into() }
        }),
    }
}

impl Picked {
    /// The type of its elements, where that is known.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[2]")?.raw().bytes([1, 2])?;
    /// let selected = stream.select("/x[0]")?;
    /// let dtype = selected.parts[0].dtype().and_then(|dtype| dtype.primitive());
    /// assert_eq!(dtype.map(|(primitive, _)| primitive.name()), Some("u1"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn dtype(&self) -> Option<&Dtype> {
        match self {
            Picked::Data(data) => Some(data.dtype()),
            Picked::Value { dtype, .. } => dtype.as_ref(),
        }
    }

    /// The type of its numbers or texts in the layout: for structs of variable size that are shown as their one
    /// member, the type of this member. `None` for other structs, and if it is unknown.
    ///
    /// ```
    /// // Structs that are shown as their one member.
    /// let open = dudley::Open::new().layout_text("STR {n : u1  \"\" = u1[n]}  s = STR")?.raw();
    /// let selected = open.bytes([2, 7, 8])?.select("/s")?;
    /// let shown = selected.parts[0].shown_dtype().expect("known");
    /// assert_eq!(shown.primitive().map(|(primitive, _)| primitive.name()), Some("u1"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn shown_dtype(&self) -> Option<Dtype> {
        match self {
            Picked::Data(data) if data.variable_record().is_some() => {
                missing::member_dtype(data, &[])
            }
            picked => picked.dtype().cloned(),
        }
    }

    /// A value whose shape nothing else tells.
    ///
    /// ```
    /// use dudley::{Value, read::select::Picked};
    ///
    /// let pair = Value::Array(vec![Value::Int(1), Value::Int(2)]);
    /// assert_eq!(Picked::of_value(pair, None).shape(), [2]);
    /// ```
    pub fn of_value(value: Value, dtype: Option<Dtype>) -> Picked {
        let shape = lengths(&value, usize::MAX);
        Picked::Value { value, dtype, shape, attributes: Vec::new() }
    }

    /// Elements in each dimension, slowest varying first. Where the lengths of arrays in arrays
    /// differ they are no dimension, and neither is anything in them.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[2, 3]")?.raw().bytes([0; 6])?;
    /// assert_eq!(stream.select("/x[:, 1]")?.parts[0].shape(), [2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn shape(&self) -> Vec<u64> {
        match self {
            Picked::Data(data) => data.shape().to_vec(),
            Picked::Value { shape, .. } => shape.clone(),
        }
    }

    /// Checks that another part of the same path can be stacked with this one: arrays must have one shape and one
    /// type.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[2]  y = u1[3]")?.raw().bytes([0; 5])?;
    /// let (x, y) = (stream.select("/x")?, stream.select("/y")?);
    /// assert!(x.parts[0].check_alike(&y.parts[0], "/*").is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongShape`]; [`Error::WrongValue`] for another type.
    pub fn check_alike(&self, other: &Picked, path: &str) -> Result<()> {
        let (Picked::Data(own), Picked::Data(other)) = (self, other) else { return Ok(()) };
        if other.shape() != own.shape() {
            return Err(Error::wrong_shape(path, own.shape(), other.shape()));
        }
        if other.dtype_name() == own.dtype_name() {
            Ok(())
        } else {
            Err(Error::WrongValue {
                item: crate::error::Item::new(path),
                expected: format!("parts of the type {}", own.dtype_name()).into(),
                found: other.dtype_name().into(),
            })
        }
    }

    /// The bytes of all elements, row-major, in the stream's order; `None` if it has no type whose
    /// elements all have the same size (structs of variable size, their texts, fixed params).
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.select("/x[1:]")?.parts[0].raw()?, Some(vec![2, 3]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails.
    pub fn raw(&self) -> Result<Option<Vec<u8>>> {
        match self {
            Picked::Data(data) if data.variable_record().is_some() => Ok(None),
            Picked::Data(data) => data.raw().map(Some),
            Picked::Value { value, dtype: Some(Dtype::Primitive(primitive, order)), .. }
                if !primitive.is_text() =>
            {
                crate::elements::scalar::elements(value, *primitive, *order).map(Some)
            }
            Picked::Value { .. } => Ok(None),
        }
    }
}

impl Data {
    /// The shape of its elements as values, if the elements are structs that are shown as their one member: for
    /// `STR[2]` with `STR {n : u4  "" = f8[n, 3]}` it is `[2, n, 3]`, if n is equal in both. `None` for other
    /// elements.
    ///
    /// # Errors
    /// If placing them fails.
    pub fn shown_shape(&self) -> Result<Option<Vec<u64>>> {
        let reached = reach::reach(&self.path, self, &[], Which::Any)?;
        Ok(reached.filter(|reached| reached.alike).map(|reached| reached.shape()))
    }
}

impl Selected {
    /// The shape of all of it, the stacked dimensions in front.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1[2]]*3")?.raw().bytes([0; 6])?;
    /// assert_eq!(stream.select("/l[:]/x")?.shape(), [3, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn shape(&self) -> Vec<u64> {
        let inner = self.parts.first().map(Picked::shape).unwrap_or_default();
        self.stacked.iter().copied().chain(inner).collect()
    }

    /// The one array, if it is one.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("l [/ n : u1  t = u1[n]  x = u1[2]]*2")?.raw();
    /// let stream = open.bytes([0, 1, 2, 1, 9, 3, 4])?;
    /// assert!(stream.select("/l/0/x")?.data().is_some());
    /// assert!(stream.select("/l[:]/x")?.data().is_none()); // two arrays, stacked
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn data(&self) -> Option<&Data> {
        match (self.stacked.as_slice(), self.parts.as_slice()) {
            ([], [Picked::Data(data)]) => Some(data),
            _ => None,
        }
    }

    /// The same with physical values in place of stored ones: see [`Data::scaled`].
    ///
    /// ```
    /// let layout = "x = u1[2]  #: scale_factor = 0.5";
    /// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes([1, 3])?;
    /// assert_eq!(stream.select("/x")?.scaled()?.read::<f64>()?.as_slice(), Some(&[0.5, 1.5][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As that.
    pub fn scaled(&self) -> Result<Selected> {
        let scaled = |part: &Picked| match part {
            Picked::Data(data) => Ok(data.scaled()?.map_or_else(|| part.clone(), Picked::Data)),
            Picked::Value { .. } => Ok(part.clone()),
        };
        let parts = self.parts.iter().map(scaled).collect::<Result<_>>()?;
        Ok(Selected { stacked: self.stacked.clone(), parts })
    }

    /// The same with the contents of heaps in place of the references to them: see
    /// [`Data::resolved`].
    ///
    /// ```
    /// // Without the attribute `vlen` nothing is in a heap.
    /// let stream = dudley::Open::new().layout_text("x = u1[2]")?.raw().bytes([1, 3])?;
    /// let resolved = stream.select("/x")?.resolved()?.expect("all of it");
    /// assert_eq!(resolved.shape(), [2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As that.
    pub fn resolved(&self) -> Result<Option<Selected>> {
        let resolved = |part: &Picked| match part {
            Picked::Data(data) => Ok(data.resolved()?.map(Picked::Data)),
            Picked::Value { .. } => Ok(Some(part.clone())),
        };
        let parts = self.parts.iter().map(resolved).collect::<Result<Option<_>>>()?;
        Ok(parts.map(|parts| Selected { stacked: self.stacked.clone(), parts }))
    }

    /// The type of the elements as it is shown.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2]")?.raw().bytes([0; 4])?;
    /// assert_eq!(stream.select("/x[0]")?.dtype_name().as_deref(), Some(">u2"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn dtype_name(&self) -> Option<String> {
        match self.parts.first()? {
            Picked::Data(data) => Some(data.dtype_name()),
            Picked::Value { dtype: Some(Dtype::Primitive(primitive, order)), .. } => {
                Some(crate::read::dtype::primitive_name(*primitive, *order))
            }
            Picked::Value { .. } => None,
        }
    }

    /// Decodes all of it into a sink: `exact`, or as [`Data::emit_shown`].
    ///
    /// ```
    /// use dudley::elements::{Builder, Value};
    ///
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*2")?.raw().bytes([7, 8])?;
    /// let mut value = Builder::default();
    /// stream.select("/l[:]/x")?.emit(&mut value, true)?;
    /// assert_eq!(value.finish(), Value::Array(vec![Value::Int(7), Value::Int(8)]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If decoding or the sink fails.
    pub fn emit(&self, sink: &mut dyn Sink, exact: bool) -> Result<()> {
        let mut parts = self.parts.iter();
        emit_stack(&self.stacked, &mut parts, sink, Form::shown(exact))
    }

    /// All of it as a value.
    ///
    /// ```
    /// use dudley::Value;
    ///
    /// let stream = dudley::Open::new().layout_text("x = u1[2]")?.raw().bytes([7, 8])?;
    /// assert_eq!(stream.select("/x[1]")?.value()?, Value::Int(8));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If decoding fails.
    pub fn value(&self) -> Result<Value> {
        let mut builder = Builder::default();
        emit_stack(&self.stacked, &mut self.parts.iter(), &mut builder, Form::exact(false))?;
        Ok(builder.finish())
    }
}

fn emit_stack(
    stacked: &[u64],
    parts: &mut dyn Iterator<Item = &Picked>,
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    let Some((length, inner)) = stacked.split_first() else {
        return match parts.next() {
            Some(Picked::Data(data)) => data.emit_as(sink, form),
            Some(Picked::Value { value, dtype, .. }) => match dtype {
                Some(Dtype::Primitive(primitive, _)) => {
                    value.emit_sized(sink, primitive.swap_unit())
                }
                _ => value.emit(sink),
            },
            None => Ok(()),
        };
    };
    sink.begin_array(*length)?;
    for _ in 0..*length {
        emit_stack(inner, parts, sink, form)?;
    }
    sink.end_array()
}

impl Stream {
    /// Selects a path with slices and fields: `/rho[10:20, ::2]`, `/pos.lon`, `/rec[:]/rho[0]`.
    ///
    /// # Errors
    /// As [`select`].
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ a = u1[3]]*2")?.bytes([1, 2, 3, 4, 5, 6])?;
    /// let last = stream.select("/l[:]/a[-1]")?;
    /// assert_eq!(last.read::<u8>()?.into_raw_vec_and_offset().0, [3, 6]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn select(&self, path: &str) -> Result<Selected> {
        select(self, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Open;

    fn stream(layout: &str, bytes: &[u8]) -> Stream {
        Open::new().raw().layout_text(layout).expect("a layout").bytes(bytes).expect("a stream")
    }

    #[test]
    fn long_slices_of_lists_are_what_their_items_are() {
        let bytes: Vec<u8> = (0..40_000_u32).map(|at| (at * 7 % 251) as u8).collect();
        let layouts = [
            ("l [f8]*100", "/l", ""),
            ("a = i1  l [i1, f8]*100", "/l", ""),
            ("l [/ a = i2  x = >u4[3]]*100", "/l", "/x"),
            ("l [/ a = i2  x = >u4[3]]*100", "/l", "/x[::-2]"),
            ("l [/ p = {a = i1  b = i2[2]}[2]]*100", "/l", "/p.b[1]"),
            ("l [/ n : u1  x = u2[2]]*100", "/l", "/x"),
            ("l [/ n : u1  s = u1[2] @n]*100", "/l", "/s"),
            ("l [f8]*0  m = i1  l[30]  k = i2  l[70]", "/l", ""),
            ("l [/ m [f4]*80]*90", "/l", "/m[3]"),
        ];
        for (layout, list, rest) in layouts {
            let stream = stream(layout, &bytes);
            let one = |index: u64| {
                let path = format!("{list}[{index}]{rest}");
                select(&stream, &path).and_then(|one| one.value()).expect("an item")
            };
            let length = stream.get(list).and_then(|list| list.len()).expect("a list");
            for (slice, start, step) in [("::2", 0, 2), ("2::2", 2, 2), ("::-2", length - 1, -2)] {
                let picked = select(&stream, &format!("{list}[{slice}]{rest}")).expect("a slice");
                let count = picked.shape()[0];
                let index = |at: u64| (start as i64 + at as i64 * step) as u64;
                let expected = (0..count).map(|at| one(index(at))).collect();
                let value = picked.value().expect("a value");
                assert_eq!(value, Value::Array(expected), "{layout} {slice}");
            }
        }
        let all = select(&stream("l [/ m [f4]*80]*90", &bytes), "/l[:]/m[::-1]").expect("lists");
        assert_eq!(all.data().map(Data::shape), Some(&[90, 80][..]));
    }

    #[test]
    fn what_is_not_there_is_not_walked() {
        let far = |layout: &str, path: &str| {
            let stream = stream(layout, &[1; 64]);
            select(&stream, path).and_then(|picked| picked.value().map(drop))
        };
        assert!(matches!(far("l [f8]*4000000000000", "/l[:]"), Err(Error::Truncated { .. })));
        let nested = "l [[f8]*2000000]*2000000";
        assert!(matches!(far(nested, "/l[:, :]"), Err(Error::Truncated { .. })));
        let ends = "l [/ x = f8[2] -> zlib [8]]*4000000000000";
        assert!(matches!(far(ends, "/l[:]/x"), Err(Error::Truncated { .. })));
        assert!(matches!(far("l [{}]*4000000000000", "/l[:]"), Err(Error::TooLarge { .. })));
        let varying = "l [/ n : u1  s = u1[n]]*4000000000000";
        assert!(far(varying, "/l[:]/s").is_err());
        assert!(far(varying, "/l[3]/s").is_ok());
        assert!(far(varying, "/l/31/s").is_ok());
    }
}
