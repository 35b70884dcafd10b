//! Values to bytes of any dtype: the reverse of `decode.rs`.

use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::layout::expr::Unsolved;
use dudley_parser::layout::{ParamId, RecordId, Step};
use dudley_parser::place;
use dudley_parser::resolve::{MemberKind, Placed, Resolver};

use crate::elements::buffer::zeros;
use crate::elements::scalar::{put_number, put_text, wrong};
use crate::elements::text;
use crate::elements::value::Value;
use crate::encode::claims::Claims;
use crate::encode::covered::Covered;
use crate::encode::input::Content;
use crate::error::{Context, Error, Item, Result, to_usize};
use crate::filter::{FilterValue, Registry};
use crate::read::constant::Stated;
use crate::read::data::Parts;
use crate::read::dtype::{Dtype, Field, Record, describe, key_of};
use crate::read::path::field_path;
use crate::read::path::instance_path;

/// What encoding needs to know besides the value.
pub(crate) struct Encoder<'e> {
    pub(crate) order: ByteOrder,
    pub(crate) filters: &'e Registry,
    /// The value of a param of an instance, by its path, where the value itself does not say.
    pub(crate) param: &'e dyn Fn(&str) -> Option<i128>,
}

impl Encoder<'_> {
    /// All of an array of fixed size, its elements side by side.
    pub(crate) fn fixed<'v>(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        given: impl Into<Content<'v>>,
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        let size = dtype.size().unwrap_or(0);
        let count = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
        let bytes =
            if shape.contains(&0) { Some(0) } else { count.and_then(|n| n.checked_mul(size)) };
        let mut room = zeros(bytes.ok_or_else(|| Error::too_large(u64::MAX))?)?;
        self.array(resolver, path, &given.into(), dtype, shape, &mut room)?;
        Ok(room)
    }

    /// Fills `room`, which has exactly the bytes of the array.
    fn array(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        given: &Content<'_>,
        dtype: &Dtype,
        shape: &[u64],
        room: &mut [u8],
    ) -> Result<()> {
        if let Dtype::Primitive(primitive, order) = dtype
            && primitive.is_text()
            && shape.len() <= 1
        {
            return put_text(*primitive, *order, &*given.value()?, shape.first().copied(), room);
        }
        let Some((length, inner)) = shape.split_first() else {
            return self.element(resolver, path, &*given.value()?, dtype, room);
        };
        // Where a dimension within is 0, no element is dropped in silence.
        if room.is_empty() && !inner.contains(&0) {
            return check_count(given, *length);
        }
        let size = room.len() / (*length).max(1) as usize;
        let mut rest = room;
        let mut at = 0;
        each(given, *length, &mut |item| {
            let whole = std::mem::take(&mut rest);
            let Some((room, behind)) = whole.split_at_mut_checked(size) else { return Ok(()) };
            rest = behind;
            let done = self.array(resolver, path, &item, dtype, inner, room);
            done.map_err(|error| error.of_item(&format!("{path}[{at}]")))?;
            at += 1;
            Ok(())
        })
    }

    fn element(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        value: &Value,
        dtype: &Dtype,
        room: &mut [u8],
    ) -> Result<()> {
        match dtype {
            Dtype::Primitive(primitive, order) => put_number(*primitive, *order, value, room),
            Dtype::Record(record) => self.record(resolver, path, value, record, room),
            Dtype::Variable(_) => Err(Error::Variable { path: path.into() }),
        }
    }

    fn record(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        value: &Value,
        record: &Record,
        room: &mut [u8],
    ) -> Result<()> {
        let layout = resolver.layout();
        let stored = record.fields.iter().filter(|field| !field.is_fixed(layout));
        let keys: Vec<_> = record.fields.iter().map(|it| key_of(&record.fields, it)).collect();
        no_other_fields(value, keys.iter().map(|key| &**key))?;
        let places =
            record.fields.iter().map(|it| it.offset as usize..(it.offset + it.bytes) as usize);
        let is_shared = Covered::overlap(places);
        let mut covered = Covered::default();
        for field in stored {
            let path = format!("{path}.{}", field.name);
            let key = key_of(&record.fields, field);
            let found = self.field(resolver, &path, value, (&key, field));
            let bytes = found.map_err(|error| error.of_item(&path))?;
            let at = to_usize(field.offset)?;
            // In the padding of a field another may lie.
            let placed = Placed { address: field.offset, bytes: field.bytes };
            let claims = match field.array.filter(|_| is_shared) {
                Some(array) => Claims::of(resolver, array, placed)?,
                None => None,
            };
            let put = match claims {
                None => covered.put(room, at, &bytes),
                Some(claims) => claims.parts(0..field.bytes).try_for_each(|part| {
                    let claimed = bytes.get(part.start as usize..part.end as usize);
                    covered.put(room, at + part.start as usize, claimed.unwrap_or_default())
                }),
            };
            put.map_err(|error| error.of_item(&path))?;
        }
        Ok(())
    }

    fn field(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        value: &Value,
        (key, field): (&str, &Field),
    ) -> Result<Vec<u8>> {
        let stated = Stated::of_field(resolver.layout(), field, 0);
        let given = given_for(value, key, stated.is_some())?.map(Content::from);
        let bytes =
            self.member(resolver, path, (stated.as_ref(), given), &field.dtype, field.given())?;
        let bytes = field.stored_of_given(bytes)?;
        match &field.filter {
            None => Ok(bytes),
            Some(filter) => self.filter((&filter.name, &filter.args), bytes, field),
        }
    }

    /// What a filter with a fixed number of stored bytes makes of bytes.
    fn filter(
        &self,
        filter: (&str, &[FilterValue]),
        raw: Vec<u8>,
        field: &Field,
    ) -> Result<Vec<u8>> {
        if raw.is_empty() && field.bytes == 0 {
            return Ok(raw);
        }
        let encoded = self.encode(filter, &raw, &field.dtype)?;
        if encoded.len() as u64 == field.bytes {
            Ok(encoded)
        } else {
            Err(Error::wrong_length(field.bytes, encoded.len() as u64))
        }
    }

    /// What a filter makes of the bytes of elements.
    pub(crate) fn encode(
        &self,
        (name, args): (&str, &[FilterValue]),
        raw: &[u8],
        dtype: &Dtype,
    ) -> Result<Vec<u8>> {
        let filter = self.filters.get(name).ok_or_else(|| Error::unknown_filter(name))?;
        filter
            .check_elements(args, dtype)
            .map_err(|reason| Error::filter_argument(name, reason))?;
        filter.encode(args, raw).map_err(|reason| Error::filter(0, name, reason))
    }

    /// An array of which a value is given, or is declared by the layout: then no other may be given, since it would be
    /// lost.
    pub(crate) fn member(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        (stated, given): (Option<&Stated>, Option<Content<'_>>),
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        let bytes = match (dtype, given, stated) {
            (_, None, None) => return Err(Error::Missing { paths: vec![path.to_owned()] }),
            (Dtype::Variable(id), None, Some(stated)) => {
                return self.stated_instances(resolver, path, *id, stated, shape);
            }
            (_, None, Some(stated)) => return stated.bytes(dtype, shape),
            (Dtype::Variable(id), Some(given), _) => {
                if let Some(stated) = stated {
                    stated.check(&*given.value()?)?;
                }
                let mut out = Vec::new();
                self.instances(resolver, path, given, *id, shape, &mut out)?;
                return Ok(out);
            }
            (_, Some(given), _) => self.fixed(resolver, path, given, dtype, shape)?,
        };
        if let Some(stated) = stated {
            stated.check_bytes(&bytes, dtype, shape)?;
        }
        Ok(bytes)
    }

    /// Instances of a struct that stands for its member, each of which has what the layout states.
    fn stated_instances(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: RecordId,
        stated: &Stated,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        let count = |dims: &[u64]| dims.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
        let (outer, inner) = shape.split_at(stated.outer().min(shape.len()));
        let values = stated.instances(count(inner))?;
        let mut out = Vec::new();
        for _ in 0..count(outer).saturating_mul(count(inner) / values.len().max(1) as u64) {
            for value in &values {
                out.extend(self.instance(resolver, path, value, id)?);
            }
        }
        Ok(out)
    }

    /// Instances of a struct of variable size, one after the other.
    pub(crate) fn instances<'v>(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        given: impl Into<Content<'v>>,
        id: RecordId,
        shape: &[u64],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        self.nested(resolver, path, &given.into(), id, shape, &mut Vec::new(), out)
    }

    #[expect(clippy::too_many_arguments, reason = "one more than its caller: where it stands")]
    fn nested(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        given: &Content<'_>,
        id: RecordId,
        shape: &[u64],
        indices: &mut Vec<u64>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let Some((length, inner)) = shape.split_first() else {
            let path = instance_path(path, indices);
            let bytes = self.instance(resolver, &path, &*given.value()?, id)?;
            out.extend(bytes);
            return Ok(());
        };
        let depth = indices.len();
        indices.push(0);
        each(given, *length, &mut |item| {
            self.nested(resolver, path, &item, id, inner, indices, out)?;
            if let Some(at) = indices.get_mut(depth) {
                *at += 1;
            }
            Ok(())
        })?;
        indices.pop();
        Ok(())
    }

    fn instance(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        value: &Value,
        id: RecordId,
    ) -> Result<Vec<u8>> {
        let layout = resolver.layout();
        let record = &layout[id];
        let mut building = Building::default();
        for &step in layout.run(record.members) {
            match step {
                Step::Param(param) if layout[param].is_streamed() => {
                    let bytes = self.instance_param(resolver, path, value, id, param)?;
                    building.put(resolver, MemberKind::Param(param), &bytes)?;
                }
                Step::Array(array) => {
                    let bytes = self.instance_array(resolver, path, value, id, array)?;
                    building.put(resolver, MemberKind::Array(array), &bytes)?;
                }
                _ => {}
            }
        }
        building.finish(record.align)
    }

    fn instance_param(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        value: &Value,
        record: RecordId,
        id: ParamId,
    ) -> Result<Vec<u8>> {
        let layout = resolver.layout();
        let param = &layout[id];
        let name = layout.param_label(id);
        let own = field_path(path, &name);
        // A member of that name is another thing.
        let key = layout.param_key(record, id);
        let given = value.field(&key).cloned().or_else(|| (self.param)(&own).map(Value::Int));
        let stated = crate::read::constant::param(layout, id, given.as_ref()).of_item(&own)?;
        let found = match (stated, given) {
            (Some(stated), _) => Some(stated),
            (None, Some(Value::Int(given))) => Some(given),
            (None, Some(other)) => return Err(wrong("an integer", &other).of_item(&own)),
            (None, None) => None,
        };
        let found = match found {
            Some(found) => found,
            None => self.infer(resolver, path, value, (record, id))?,
        };
        resolver.set_param(id, found);
        let dudley_parser::layout::ParamValue::Streamed(primitive, order) = param.value else {
            return Ok(Vec::new());
        };
        let mut room = vec![0; primitive.size() as usize];
        let order = order.unwrap_or(self.order);
        put_number(primitive, order, &Value::Int(found), &mut room)
            .map_err(|error| error.of_item(&own))?;
        Ok(room)
    }

    /// A param of a struct that is not given, from the lengths of its members.
    ///
    /// # Errors
    /// [`Error::Missing`] if they do not tell it; if no value comes to one of them.
    fn infer(
        &self,
        resolver: &Resolver<'_>,
        path: &str,
        value: &Value,
        (record, id): (RecordId, ParamId),
    ) -> Result<i128> {
        let layout = resolver.layout();
        let steps = layout.run(layout[record].members).iter();
        let arrays = steps.filter_map(|step| match step {
            Step::Array(array) => Some(&layout[*array]),
            _ => None,
        });
        let mut error = Error::Missing { paths: vec![field_path(path, &layout.param_label(id))] };
        for array in arrays {
            let name = layout.name(array.name);
            let (value, own) = if layout[record].transparent {
                (value, path.to_owned())
            } else {
                match value.field(name) {
                    Some(value) => (value, field_path(path, name)),
                    None => continue,
                }
            };
            for (axis, dim) in layout.dims(array).iter().enumerate() {
                if !layout.params_of(dim.count).any(|param| param == id) {
                    continue;
                }
                let Some(length) = length_along(value, array, axis) else { continue };
                match layout.solve_count(dim.count, length, &|_| None) {
                    Ok((param, value)) if param == id => return Ok(value),
                    Err(Unsolved::None(param, why)) if param == id => {
                        let [expected, found] = layout.no_value(dim.count, length, id, why);
                        let (expected, found) = (expected.into(), found.into());
                        error =
                            Error::WrongValue { item: Item::new(own.as_str()), expected, found };
                    }
                    _ => {}
                }
            }
        }
        Err(error)
    }

    fn instance_array(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        value: &Value,
        record: RecordId,
        id: dudley_parser::layout::ArrayId,
    ) -> Result<Vec<u8>> {
        let layout = resolver.layout();
        let array = &layout[id];
        let mut own = format!("{path}.");
        dudley_parser::layout::path::push_name(&mut own, layout.name(array.name));
        let described = describe(resolver, id, self.order, None);
        let described = described.map_err(|error| error.of_item(&own))?;
        let (dtype, shape) = (&described.dtype, described.given());
        let stated = Stated::of_array(layout, array, dtype);
        let given = if layout[record].transparent {
            Ok(Some(value))
        } else {
            given_for(value, layout.name(array.name), stated.is_some())
        };
        let raw = given.map(|given| given.map(Content::from)).and_then(|given| {
            let rows = self.member(resolver, &own, (stated.as_ref(), given), dtype, shape)?;
            described.presented.stored_of_given(rows, dtype.size().unwrap_or(0))
        });
        let raw = raw.map_err(|error| error.of_item(&own))?;
        let Some(filter) = &described.filter else { return Ok(raw) };
        let encoded = if raw.is_empty() && filter.skip > 0 {
            return Ok(raw);
        } else {
            self.encode((&filter.name, &filter.args), &raw, dtype)?
        };
        match filter.skip {
            0 => Ok(encoded),
            _ => Ok([&count_bytes(encoded.len() as u64, self.order)[..], &encoded].concat()),
        }
    }
}

/// An instance while its members come in.
#[derive(Default)]
pub(crate) struct Building {
    out: Vec<u8>,
    covered: Covered,
    cursor: u64,
    end: u64,
}

impl Building {
    /// Adds the next member.
    pub(crate) fn put(
        &mut self,
        resolver: &mut Resolver<'_>,
        kind: MemberKind,
        bytes: &[u8],
    ) -> Result<()> {
        let (begin, end) = resolver.place_member(kind, self.cursor, bytes.len() as u64)?;
        self.cursor = end;
        self.end = self.end.max(end);
        let (begin, end) = (to_usize(begin)?, to_usize(end)?);
        if self.out.len() < end {
            let more = end - self.out.len();
            self.out.try_reserve(more).map_err(|_| Error::too_large(end as u64))?;
            self.out.resize(end, 0);
        }
        self.covered.put(&mut self.out, begin, bytes)
    }

    /// Its bytes, up to its alignment.
    pub(crate) fn finish(mut self, align: u64) -> Result<Vec<u8>> {
        let size = place::align_up(self.end, align).ok_or_else(|| Error::too_large(u64::MAX))?;
        self.out.resize(to_usize(size)?, 0);
        Ok(self.out)
    }
}

/// The count in front of what a filter stored (spec 10).
pub(crate) fn count_bytes(count: u64, order: ByteOrder) -> [u8; 8] {
    match order {
        ByteOrder::Little => count.to_le_bytes(),
        ByteOrder::Big => count.to_be_bytes(),
    }
}

/// What is given for a field; `None` for one of which the layout states the value.
fn given_for<'v>(value: &'v Value, name: &str, is_stated: bool) -> Result<Option<&'v Value>> {
    match (value.field(name), value) {
        (Some(Value::Null), _) if is_stated => Ok(None),
        (Some(given), _) => Ok(Some(given)),
        (None, _) if is_stated => Ok(None),
        (None, Value::Struct(fields)) => Err(Error::WrongValue {
            item: Item::UNKNOWN,
            expected: format!("a struct with a field `{name}`").into(),
            found: with_fields(fields).into(),
        }),
        (None, _) => Err(wrong(format!("a struct with a field `{name}`"), value)),
    }
}

/// A struct, by the names of its fields.
fn with_fields(fields: &[(String, Value)]) -> String {
    let shown = fields.iter().take(FIELDS_SHOWN).map(|(name, _)| format!("`{name}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match fields.len() {
        0 => "one without fields".to_owned(),
        1 => format!("one with the field {shown}"),
        2..=FIELDS_SHOWN => format!("one with the fields {shown}"),
        count => format!("one with the fields {shown} and {} more", count - FIELDS_SHOWN),
    }
}

/// How many fields of a struct are reported.
const FIELDS_SHOWN: usize = 8;

fn no_other_fields<'f>(value: &Value, names: impl Iterator<Item = &'f str> + Clone) -> Result<()> {
    let Value::Struct(fields) = value else { return Ok(()) };
    match fields.iter().find(|(name, _)| !names.clone().any(|known| known == name)) {
        None => Ok(()),
        Some((name, _)) => Err(Error::WrongValue {
            item: Item::UNKNOWN,
            expected: format!("only the fields {}", names.collect::<Vec<_>>().join(", ")).into(),
            found: format!("a field `{name}`").into(),
        }),
    }
}

/// The items of an array, which must be this many.
fn each(
    given: &Content<'_>,
    length: u64,
    visit: &mut dyn FnMut(Content<'_>) -> Result<()>,
) -> Result<()> {
    check_count(given, length)?;
    match given {
        Content::Items(items) => items.each(visit),
        Content::Value(value) => {
            items(value, length)?.iter().try_for_each(|item| visit(Content::from(item)))
        }
    }
}

fn check_count(given: &Content<'_>, length: u64) -> Result<()> {
    match given {
        Content::Value(value) => items(value, length).map(drop),
        Content::Items(items) if items.count() == length => Ok(()),
        Content::Items(items) => Err(wrong_count(length, items.count())),
    }
}

fn wrong_count(expected: u64, found: u64) -> Error {
    Error::WrongValue {
        item: Item::UNKNOWN,
        expected: format!("{expected} items in this dimension").into(),
        found: found.to_string().into(),
    }
}

fn items(value: &Value, length: u64) -> Result<&[Value]> {
    match value {
        Value::Array(items) if items.len() as u64 == length => Ok(items),
        Value::Array(items) => Err(wrong_count(length, items.len() as u64)),
        value => Err(wrong(format!("an array of {length}"), value)),
    }
}

/// The length of a value along a dimension; the last one of text counts its units.
fn length_along(value: &Value, array: &dudley_parser::layout::Array, axis: usize) -> Option<u64> {
    let mut here = value;
    for _ in 0..axis {
        match here {
            Value::Array(items) => here = items.first()?,
            _ => return None,
        }
    }
    match (here, array.element) {
        (Value::Array(items), _) => Some(items.len() as u64),
        (Value::Text(text), dudley_parser::layout::Element::Primitive(primitive, _)) => {
            text::count_units(text, primitive).ok()
        }
        (Value::Bits(bits), dudley_parser::layout::Element::Primitive(primitive, _)) => {
            Some(bits.len() as u64 / primitive.size())
        }
        _ => None,
    }
}

impl Parts {
    /// The bytes of its elements, side by side, that have a value.
    ///
    /// ```
    /// use dudley::read::Parts;
    /// use dudley::{ByteOrder, Dtype, Primitive, Value};
    ///
    /// let pair = Parts::new(Dtype::Primitive(Primitive::U2, ByteOrder::Big), &[2]);
    /// let value = |numbers: [i128; 2]| Value::Array(numbers.map(Value::Int).to_vec());
    /// assert_eq!(pair.encode(&value([1, 2]))?, [0, 1, 0, 2]);
    /// assert!(pair.encode(&value([1, 70_000])).is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongValue`] if the type cannot hold it; as [`Self::data`].
    pub fn encode(&self, value: &Value) -> Result<Vec<u8>> {
        let filters = Registry::default();
        let encoder = Encoder { order: ByteOrder::Little, filters: &filters, param: &|_| None };
        self.stream(Vec::new())?.with_resolver(|resolver| {
            let bytes = encoder.fixed(resolver, &self.path, value, &self.dtype, &self.shape);
            bytes.map_err(|error| error.of_item(&self.path))
        })
    }
}
