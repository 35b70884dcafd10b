//! The type of the elements of an array, with every size and offset known.
//!
//! A [`Dtype`] is the element type of a layout in one place of a stream, like the `dtype` of numpy.
//! It is made from the layout by a resolver, in which the params around the item are in force.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::Arc;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::expr::written;
use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{
    Array, ArrayId, Count, DocKey, Element, Layout, ParamId, ParamValue, RecordId, Step,
};
use dudley_parser::resolve::{Member, MemberKind, Resolver, Result, Strided};

use crate::bytes::source::{Source, Window};
use crate::error::Error;
use crate::filter::{FilterValue, Registry};
use crate::read::presented::Presented;

/// The type of the elements of an array.
#[derive(Clone, Debug)]
pub enum Dtype {
    /// Numbers, booleans or text units.
    Primitive(Primitive, ByteOrder),
    /// A struct whose instances are all alike.
    Record(Arc<Record>),
    /// A struct whose instances must be looked at one by one (spec 3.8).
    Variable(RecordId),
}

/// A struct of fixed size: where its fields lie in an instance.
#[derive(Clone, Debug)]
pub struct Record {
    /// The struct in the layout; `None` if no layout declares it.
    pub id: Option<RecordId>,
    /// Bytes from one instance to the next.
    pub size: u64,
    /// Its fields in the order of the text, streamed params included.
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Whether it is a param of the struct.
    pub param: Option<ParamId>,
    /// The array it comes from, if it is no param.
    pub array: Option<ArrayId>,
    /// Bytes from the start of the instance.
    pub offset: u64,
    /// Bytes it takes.
    pub bytes: u64,
    /// Its shape as presented.
    pub shape: Vec<u64>,
    /// Its type.
    pub dtype: Dtype,
    pub(crate) presented: Presented,
    /// Its filter.
    pub filter: Option<Filtered>,
    /// The key of its documentation.
    pub doc: DocKey,
}

/// What a field is called among those of its struct: its name, and that of a param which a member has too
/// with a colon before it.
pub(crate) fn key_of<'f>(fields: &[Field], field: &'f Field) -> Cow<'f, str> {
    let shared = |other: &Field| other.param.is_none() && other.name == field.name;
    if field.param.is_some() && fields.iter().any(shared) {
        Cow::Owned(format!(":{}", field.name))
    } else {
        Cow::Borrowed(&field.name)
    }
}

/// An array behind a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtered {
    /// The name of the filter.
    pub name: String,
    /// Its arguments.
    pub args: Vec<FilterValue>,
    /// Bytes of the array when decoded.
    pub raw_bytes: u64,
    /// Bytes before the stored data: the count, or none.
    pub skip: u64,
}

impl Filtered {
    /// What the filter makes of what is stored from an address on. Nothing stored of nothing is not looked at.
    ///
    /// # Errors
    /// [`Error::UnknownFilter`] and [`Error::Filter`].
    pub(crate) fn decode(
        &self,
        filters: &Registry,
        address: u64,
        stored: &[u8],
    ) -> crate::error::Result<Vec<u8>> {
        let known = filters.get(&self.name).ok_or_else(|| Error::unknown_filter(&self.name))?;
        if stored.is_empty() && self.raw_bytes == 0 {
            return Ok(Vec::new());
        }
        known
            .decode(&self.args, stored, self.raw_bytes)
            .map_err(|reason| Error::filter(address, &self.name, reason))
    }
}

impl Filtered {
    /// The decoded bytes by their addresses, if the filter gives them in no other way; `stored` are all bytes of the
    /// stream.
    ///
    /// # Errors
    /// As [`Self::decode`].
    pub(crate) fn by_address(
        &self,
        filters: &Registry,
        stored: &Arc<dyn Source>,
        (address, bytes): (u64, u64),
    ) -> crate::error::Result<Option<Arc<dyn Source>>> {
        let Some(known) = filters.get(&self.name).filter(|it| it.by_address(&self.args)) else {
            return Ok(None);
        };
        let stored = Window::new(stored.clone(), address, bytes)?;
        known.source(&self.args, Arc::new(stored), self.raw_bytes)
    }
}

impl Record {
    /// A struct that no layout declares, of this many bytes; the names of its fields differ.
    pub fn new(size: u64, fields: Vec<Field>) -> Record {
        Record { id: None, size, fields }
    }
}

impl Dtype {
    /// Whether elements of another type lie in their bytes as those of this one do: structs have the same fields, by
    /// their names, at the same places.
    pub(crate) fn is_like(&self, other: &Dtype) -> bool {
        match (self, other) {
            (Dtype::Primitive(own, order), Dtype::Primitive(other, its)) => {
                own == other && (order == its || own.swap_unit() == 1)
            }
            (Dtype::Record(own), Dtype::Record(other)) => {
                let alike = |(one, two): (&Field, &Field)| {
                    let of = |it: &Field| (it.param.is_some(), it.offset, it.bytes);
                    (of(one), &one.name, &one.shape) == (of(two), &two.name, &two.shape)
                        && one.presented == two.presented
                        && one.filter == two.filter
                        && one.dtype.is_like(&two.dtype)
                };
                own.size == other.size
                    && own.fields.len() == other.fields.len()
                    && own.fields.iter().zip(&other.fields).all(alike)
            }
            (Dtype::Variable(own), Dtype::Variable(other)) => own == other,
            _ => false,
        }
    }
}

impl From<Record> for Dtype {
    fn from(record: Record) -> Dtype {
        Dtype::Record(Arc::new(record))
    }
}

impl Dtype {
    /// Whether no layout is needed to know all of it.
    pub(crate) fn is_free(&self) -> bool {
        match self {
            Dtype::Primitive(..) => true,
            Dtype::Variable(_) => false,
            Dtype::Record(record) => {
                let free = |field: &Field| {
                    field.param.is_none() && field.array.is_none() && field.dtype.is_free()
                };
                record.id.is_none() && record.fields.iter().all(free)
            }
        }
    }

    /// Bytes of one element; `None` for structs of variable size.
    pub fn size(&self) -> Option<u64> {
        match self {
            Dtype::Primitive(primitive, _) => Some(primitive.size()),
            Dtype::Record(record) => Some(record.size),
            Dtype::Variable(_) => None,
        }
    }

    /// The primitive and its order, if it is one.
    pub fn primitive(&self) -> Option<(Primitive, ByteOrder)> {
        match self {
            Dtype::Primitive(primitive, order) => Some((*primitive, *order)),
            _ => None,
        }
    }

    /// Whether the elements of all fields lie row by row, if it is a struct of one size.
    pub(crate) fn is_in_rows(&self) -> bool {
        let Dtype::Record(record) = self else { return true };
        record.fields.iter().all(|field| !field.presented.is_other() && field.dtype.is_in_rows())
    }

    /// As tools show it: `<f8`, `|u1`, `struct{lon=<f8@0}`. A struct of variable size is shown as
    /// the layout writes it, for which `layout` is needed.
    pub fn describe(&self, layout: &Layout, order: ByteOrder) -> String {
        match self {
            Dtype::Variable(id) => {
                let mut text = String::new();
                push_variable(layout, order, *id, &mut text);
                text
            }
            Dtype::Primitive(primitive, order) => primitive_name(*primitive, *order),
            Dtype::Record(record) => {
                let fields = record.fields.iter().filter(|field| !field.is_fixed(layout));
                let fields = fields.map(|field| {
                    let mut text = String::new();
                    push_name(&mut text, &field.name);
                    text.push(if field.param.is_some() { ':' } else { '=' });
                    text += &field.dtype.describe(layout, order);
                    push_shape(&mut text, &field.shape);
                    if field.presented.is_other() {
                        let Strided { strides, first, .. } = field.strided();
                        let _ = write!(text, "strides{strides:?}");
                        if first > 0 {
                            let _ = write!(text, "from{first}");
                        }
                    }
                    // Writing to a String cannot fail.
                    let _ = write!(text, "@{}", field.offset);
                    text
                });
                format!("struct{{{}}}", fields.collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl Field {
    /// A field that no layout declares, this many bytes from the start of the struct.
    pub fn new(name: impl Into<String>, offset: u64, dtype: Dtype, shape: &[u64]) -> Field {
        let size = dtype.size().unwrap_or(0);
        Field {
            name: name.into(),
            param: None,
            array: None,
            offset,
            bytes: shape.iter().fold(size, |bytes, dim| bytes.saturating_mul(*dim)),
            shape: shape.to_vec(),
            dtype,
            presented: Presented::default(),
            filter: None,
            doc: DocKey::NOTHING,
        }
    }

    /// The same field with other [documentation](dudley_parser::layout::words::Words::add).
    #[must_use]
    pub fn said(self, doc: DocKey) -> Field {
        Field { doc, ..self }
    }

    /// The place of its elements, relative to the start of its struct.
    pub fn strided(&self) -> Strided {
        self.presented.read(&self.shape, self.dtype.size().unwrap_or(0))
    }

    /// The shape that values of it are given in.
    pub(crate) fn given(&self) -> &[u64] {
        self.presented.given(&self.shape)
    }

    /// Elements that are given row by row, as they are stored.
    pub(crate) fn stored(&self, rows: Vec<u8>) -> crate::error::Result<Vec<u8>> {
        self.presented.stored(rows, self.dtype.size().unwrap_or(0))
    }

    /// As [`Self::stored`], of elements that someone gives.
    pub(crate) fn stored_of_given(&self, rows: Vec<u8>) -> crate::error::Result<Vec<u8>> {
        self.presented.stored_of_given(rows, self.dtype.size().unwrap_or(0))
    }

    /// Its dimensions without a view, each byte being one of one element, and bytes from one index to the next.
    pub fn stored_dims(&self) -> (Vec<u64>, Vec<u64>) {
        let stored = self.presented.unseen(&self.shape, self.dtype.size().unwrap_or(0));
        (stored.shape, stored.strides.into_iter().map(|stride| stride as u64).collect())
    }

    /// If it is presented otherwise than row by row (spec 7.7): how many elements are stored, and the attributes by which
    /// these, in one dimension, are presented so.
    pub(crate) fn as_view(&self) -> Option<(u64, [String; 3])> {
        if !self.presented.is_other() {
            return None;
        }
        let Strided { shape, strides, first } = self.strided();
        let view = [
            format!("view_shape = {shape:?}"),
            format!("view_strides = {strides:?}"),
            format!("view_offset = {first}"),
        ];
        let given = self.given().iter();
        Some((given.fold(1, |count: u64, dim| count.saturating_mul(*dim)), view))
    }

    /// Checks that its elements lie row by row, as those do that others can have in a struct.
    ///
    /// # Errors
    /// [`crate::Error::WrongValue`] if they are presented otherwise (spec 7.7).
    pub fn check_rows(&self) -> crate::error::Result<()> {
        if !self.presented.is_other() {
            return Ok(());
        }
        Err(crate::Error::WrongValue {
            item: crate::error::Item::new(format!(".{}", self.name)),
            expected: "a field of a struct whose elements lie row by row".into(),
            found: "one with `order` or `view_shape`: take it by itself, by its path".into(),
        })
    }

    /// Whether it is a fixed param, which takes no space.
    pub fn is_fixed(&self, layout: &Layout) -> bool {
        self.param.is_some_and(|param| !layout[param].is_streamed())
    }

    /// Its only legal value, and the dimensions in front of what that is the value of, as [`Layout::stated`].
    pub(crate) fn constant<'l>(&self, layout: &'l Layout) -> Option<(&'l Attribute, usize)> {
        match self.array {
            Some(array) => layout.stated(&layout[array]),
            None => layout.attribute(self.doc, "const").map(|stated| (stated, 0)),
        }
    }
}

/// The elements of the one member that a struct stands for; `None` if it stands for itself.
pub(crate) fn shown_member(layout: &Layout, id: RecordId) -> Option<Element> {
    layout.first_member(id).filter(|_| layout[id].transparent).map(|member| member.element)
}

/// The type of what a struct stands for, if that is no struct.
pub(crate) fn shown_as(layout: &Layout, mut id: RecordId, order: ByteOrder) -> Option<Dtype> {
    loop {
        match shown_member(layout, id)? {
            Element::Record(inner) => id = inner,
            Element::Primitive(primitive, own) => {
                return Some(Dtype::Primitive(primitive, own.unwrap_or(order)));
            }
        }
    }
}

/// `<f8`, or `|u1` where there is only one byte.
pub fn primitive_name(primitive: Primitive, order: ByteOrder) -> String {
    match primitive.size() {
        1 => format!("|{}", primitive.name()),
        _ => primitive.with_order(Some(order)),
    }
}

fn push_shape(text: &mut String, shape: &[u64]) {
    if !shape.is_empty() {
        let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
        let _ = write!(text, "[{}]", dims.join(","));
    }
}

/// A struct of variable size with its dimensions as they are written.
fn push_variable(layout: &Layout, order: ByteOrder, id: RecordId, text: &mut String) {
    text.push_str("struct{");
    for (at, &step) in layout.run(layout[id].members).iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        match step {
            Step::Param(param) => {
                push_name(text, layout.name(layout[param].name));
                let _ = match layout[param].value {
                    ParamValue::Fixed(value) => write!(text, ":{value}"),
                    ParamValue::Streamed(primitive, own) => {
                        write!(text, ":{}", primitive_name(primitive, own.unwrap_or(order)))
                    }
                };
            }
            Step::Array(array) => {
                push_name(text, layout.name(layout[array].name));
                text.push('=');
                push_element(layout, order, &layout[array], text);
            }
            _ => {}
        }
    }
    text.push('}');
}

fn push_element(layout: &Layout, order: ByteOrder, array: &Array, text: &mut String) {
    let mut own = array.rank as usize;
    match (array.typedef, array.element) {
        (Some(typedef), _) => {
            push_variable(layout, order, typedef, text);
            own -= typedef_rank(layout, typedef);
        }
        (None, Element::Primitive(primitive, own)) => {
            *text += &primitive_name(primitive, own.unwrap_or(order));
        }
        (None, Element::Record(record)) => push_variable(layout, order, record, text),
    }
    let dims = &layout.dims(array)[..own];
    if !dims.is_empty() {
        let dims: Vec<String> = dims.iter().map(|dim| spell(layout, dim.count)).collect();
        let _ = write!(text, "[{}]", dims.join(","));
    }
}

/// How many dimensions the member of a typedef has.
fn typedef_rank(layout: &Layout, typedef: RecordId) -> usize {
    layout.first_member(typedef).map_or(0, |member| member.rank as usize)
}

/// A dimension as it is written in canonical text: `JMAX-`, `N+16`, `3`.
pub(crate) fn spell(layout: &Layout, count: Count) -> String {
    match count {
        Count::Int(value) => value.to_string(),
        Count::Param(param, suffix) => {
            let sign = if suffix < 0 { "-" } else { "+" };
            let mut text = String::new();
            push_name(&mut text, layout.name(layout[param].name));
            text + &sign.repeat(suffix.unsigned_abs() as usize)
        }
        Count::Expr(expr) => written(layout.expr(expr), |param| name(layout, param)),
    }
}

fn name(layout: &Layout, param: ParamId) -> String {
    let mut text = String::new();
    push_name(&mut text, layout.name(layout[param].name));
    text
}

/// The type of an array's elements where the resolver stands. `order` is the stream's.
///
/// # Errors
/// If a dimension inside of it is unknown or illegal.
pub(crate) fn of_array(
    resolver: &mut Resolver<'_>,
    array: &Array,
    order: ByteOrder,
) -> Result<Dtype> {
    Builder { order, known: HashMap::new() }.element(resolver, array.element)
}

/// Builds dtypes; a struct that occurs many times is built once.
struct Builder {
    order: ByteOrder,
    known: HashMap<RecordId, Arc<Record>>,
}

impl Builder {
    fn element(&mut self, resolver: &mut Resolver<'_>, element: Element) -> Result<Dtype> {
        let id = match element {
            Element::Primitive(primitive, own) => {
                return Ok(Dtype::Primitive(primitive, own.unwrap_or(self.order)));
            }
            Element::Record(id) => id,
        };
        let declared = &resolver.layout()[id];
        if declared.per_instance || declared.transparent {
            return Ok(Dtype::Variable(id));
        }
        if let Some(record) = self.known.get(&id) {
            return Ok(Dtype::Record(record.clone()));
        }
        let size = resolver.record_bytes(id)?;
        let fields = self.fields(resolver, id, 0)?;
        // What is decoded as the value of one member has no fields in place of its bytes.
        if fields.iter().any(|field| matches!(field.dtype, Dtype::Variable(_))) {
            return Ok(Dtype::Variable(id));
        }
        let record = Arc::new(Record { id: Some(id), size, fields });
        self.known.insert(id, record.clone());
        Ok(Dtype::Record(record))
    }

    fn fields(
        &mut self,
        resolver: &mut Resolver<'_>,
        id: RecordId,
        address: u64,
    ) -> Result<Vec<Field>> {
        let members = resolver.members(id, address)?;
        let mut fields = Vec::with_capacity(members.len());
        for member in members {
            fields.push(match member.kind {
                MemberKind::Param(param) => self.param(resolver.layout(), param, &member),
                MemberKind::Array(array) => self.array(resolver, array, &member)?,
            });
        }
        Ok(fields)
    }

    fn param(&self, layout: &Layout, id: ParamId, member: &Member) -> Field {
        let param = &layout[id];
        let dtype = match param.value {
            ParamValue::Streamed(primitive, own) => {
                Dtype::Primitive(primitive, own.unwrap_or(self.order))
            }
            ParamValue::Fixed(_) => Dtype::Primitive(Primitive::I8, self.order),
        };
        Field {
            name: layout.param_label(id),
            param: Some(id),
            array: None,
            offset: member.offset,
            bytes: member.bytes,
            shape: Vec::new(),
            dtype,
            presented: Presented::default(),
            filter: None,
            doc: DocKey::of(param.span),
        }
    }

    fn array(
        &mut self,
        resolver: &mut Resolver<'_>,
        id: ArrayId,
        member: &Member,
    ) -> Result<Field> {
        let layout = resolver.layout();
        let array = &layout[id];
        let (shape, presented) = shape_of(resolver, array, None)?;
        Ok(Field {
            name: layout.name(array.name).to_owned(),
            param: None,
            array: Some(id),
            offset: member.offset,
            bytes: member.bytes,
            shape,
            dtype: self.element(resolver, array.element)?,
            presented,
            filter: filtered(resolver, id)?,
            doc: DocKey::of(array.span),
        })
    }
}

/// The fields of the instance of a record at an address. Afterwards its params are in force.
///
/// # Errors
/// If a member cannot be placed.
pub(crate) fn fields_at(
    resolver: &mut Resolver<'_>,
    id: RecordId,
    address: u64,
    order: ByteOrder,
) -> Result<Vec<Field>> {
    Builder { order, known: HashMap::new() }.fields(resolver, id, address)
}

/// What the filter of an array does, where the resolver stands.
///
/// # Errors
/// If the size of the array is unknown or illegal.
pub(crate) fn filtered(resolver: &mut Resolver<'_>, id: ArrayId) -> Result<Option<Filtered>> {
    let layout = resolver.layout();
    let Some(filter) = layout[id].filter else { return Ok(None) };
    let filter = &layout[filter];
    Ok(Some(Filtered {
        name: layout.name(filter.name).to_owned(),
        args: filter.args.clone(),
        raw_bytes: resolver.raw_bytes(id)?,
        skip: if filter.stored.is_some() { 0 } else { dudley_parser::resolve::STORED_COUNT },
    }))
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a struct of {} bytes", self.size)
    }
}

pub(crate) fn strides(shape: &[u64], size: u64) -> Vec<i64> {
    let strides = dudley_parser::place::strides(shape, size);
    strides.into_iter().map(|stride| stride as i64).collect()
}

/// The shape of an array as it is presented, where the resolver stands; `begin` is its address.
fn shape_of(
    resolver: &mut Resolver<'_>,
    array: &Array,
    begin: Option<u64>,
) -> Result<(Vec<u64>, Presented)> {
    match resolver.presentation(array, begin)? {
        Some(other) => Ok((other.read.shape.clone(), Presented::new(Some(other)))),
        None => Ok((resolver.shape(array)?, Presented::default())),
    }
}

/// What an array is, where the resolver stands.
pub(crate) struct Described {
    pub(crate) dtype: Dtype,
    /// Its shape, as it is presented.
    pub(crate) shape: Vec<u64>,
    pub(crate) presented: Presented,
    pub(crate) filter: Option<Filtered>,
}

impl Described {
    /// The shape that values of it are given in.
    pub(crate) fn given(&self) -> &[u64] {
        self.presented.given(&self.shape)
    }
}

/// The dtype, shape and filter of an array where the resolver stands; `begin` is its address.
pub(crate) fn describe(
    resolver: &mut Resolver<'_>,
    id: ArrayId,
    order: ByteOrder,
    begin: Option<u64>,
) -> crate::error::Result<Described> {
    let array: &Array = &resolver.layout()[id];
    let (shape, presented) = shape_of(resolver, array, begin)?;
    let dtype = of_array(resolver, array, order)?;
    Ok(Described { dtype, shape, presented, filter: filtered(resolver, id)? })
}
