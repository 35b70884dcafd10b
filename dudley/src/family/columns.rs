//! Which values of a member a catalog holds: the columns of its records.
//!
//! They are the summary of the layout as far as its size does not vary, and the streamed params
//! outside of it, so that every member can be placed without opening it.

use std::collections::HashSet;
use std::sync::Arc;

use dudley_parser::Layout;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{DocKey, ParamId, ParamValue, ROOT, Scope, Step};
use dudley_parser::resolve::{Node, Target};

use super::without_bytes::Facts;
use crate::elements::swap::swap_in_place;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::data::Data;
use crate::read::dtype::Dtype;
use crate::read::item::Item;
use crate::read::path::join;
use crate::read::stream::{Stream, StreamKind};

/// The most bytes of a member that one column holds: a summary is not where data belongs.
const MOST_BYTES: u64 = 4096;

/// The records of a catalog that a column belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The summary of the layout.
    Summary,
    /// Streamed params that are not in the summary.
    Params,
}

impl Table {
    /// The name of the records in the catalog.
    pub fn name(self) -> &'static str {
        match self {
            Table::Summary => "summary",
            Table::Params => "params",
        }
    }
}

/// One value of each member, as a catalog holds it.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in conditions and in the records of the catalog.
    pub name: String,
    /// The path of the item or param in the layout, fields of records after a dot.
    pub path: String,
    /// The type of its elements.
    pub primitive: Primitive,
    /// Its shape: most are scalars.
    pub shape: Vec<u64>,
    /// The records that it is in.
    pub table: Table,
    pub(super) param: Option<ParamId>,
    pub(super) item: String,
    pub(super) fields: Vec<String>,
    pub(super) doc: DocKey,
}

impl Column {
    /// Its unit, as the layout of the members says.
    pub fn unit<'l>(&self, layout: &'l Layout) -> Option<&'l str> {
        layout.unit(self.doc)
    }

    /// Bytes of one value.
    pub fn bytes(&self) -> u64 {
        self.shape.iter().fold(self.primitive.size(), |bytes, dim| bytes.saturating_mul(*dim))
    }
}

/// The columns of a layout; `given` are params that the caller gives, and that need none.
pub(super) fn columns(layout: &Arc<Layout>, given: &[ParamId]) -> Vec<Column> {
    let facts = Facts {
        layout,
        kind: StreamKind::Native,
        order: ByteOrder::Little,
        bytes: 0,
        params: Vec::new(),
        held: Vec::new(),
        filters: &Arc::new(Registry::new()),
    };
    let (stream, _) = facts.stream();
    let summary = layout.summary().map_or(0, |summary| summary.steps as usize);
    let mut found = Columns { stream: &stream, columns: Vec::new(), names: HashSet::new() };
    for (at, step) in layout.root().iter().enumerate() {
        let table = if at < summary { Table::Summary } else { Table::Params };
        match *step {
            Step::Array(id) if table == Table::Summary => {
                let array = &layout[id];
                if !array.spliced && array.filter.is_none() && array.dict == Some(ROOT) {
                    found.item(layout.name(array.name), DocKey::of(array.span));
                }
            }
            Step::Param(id) if !given.contains(&id) => found.param(id, table),
            _ => {}
        }
    }
    found.columns
}

struct Columns<'s> {
    stream: &'s Stream,
    columns: Vec<Column>,
    names: HashSet<String>,
}

impl Columns<'_> {
    /// A data item of the summary. One whose shape depends on what is read is not held, nor one that is not stored row by
    /// row.
    fn item(&mut self, name: &str, doc: DocKey) {
        let Some(item) = self.stream.root().child(name) else { return };
        let Ok(array) = item.described() else { return };
        let (dtype, shape) = (array.dtype, array.shape);
        if array.presented.is_other() {
            return;
        }
        let item = join("/", name);
        self.leaves(&item, Vec::new(), name.to_owned(), &dtype, shape, doc);
    }

    fn leaves(
        &mut self,
        item: &str,
        fields: Vec<String>,
        name: String,
        dtype: &Dtype,
        shape: Vec<u64>,
        doc: DocKey,
    ) {
        match dtype {
            Dtype::Primitive(primitive, _) => {
                let mut path = item.to_owned();
                for field in &fields {
                    path.push('.');
                    push_name(&mut path, field);
                }
                self.push(Column {
                    name,
                    path,
                    primitive: *primitive,
                    shape,
                    table: Table::Summary,
                    param: None,
                    item: item.to_owned(),
                    fields,
                    doc,
                });
            }
            Dtype::Record(record) => {
                let layout = self.stream.layout();
                let held = |field: &&crate::read::dtype::Field| {
                    let is_plain = field.filter.is_none() && field.check_rows().is_ok();
                    is_plain && !field.is_fixed(layout)
                };
                for field in record.fields.iter().filter(held) {
                    let name = format!("{name}.{}", field.name);
                    let fields = fields.iter().cloned().chain([field.name.clone()]).collect();
                    let shape = shape.iter().chain(&field.shape).copied().collect();
                    self.leaves(item, fields, name, &field.dtype, shape, field.doc);
                }
            }
            Dtype::Variable(_) => {}
        }
    }

    fn param(&mut self, id: ParamId, table: Table) {
        let layout = self.stream.layout();
        let param = &layout[id];
        let (ParamValue::Streamed(primitive, _), Scope::Dict(dict)) = (param.value, param.scope)
        else {
            return;
        };
        let path = layout.param_path(id);
        let label = layout.param_label(id);
        let name = match dict {
            // An item of that name is another thing.
            ROOT if layout.entry(ROOT, param.name).is_some() => format!(":{label}"),
            ROOT => label,
            _ => path.clone(),
        };
        self.push(Column {
            name,
            item: path.clone(),
            path,
            primitive,
            shape: Vec::new(),
            table,
            param: Some(id),
            fields: Vec::new(),
            doc: DocKey::of(param.span),
        });
    }

    fn push(&mut self, column: Column) {
        let bytes = column.bytes();
        // Fields may make a name that is there already: the first one has it.
        if (1..=MOST_BYTES).contains(&bytes) && self.names.insert(column.name.clone()) {
            self.columns.push(column);
        }
    }
}

/// Reads the value of a column from a member into a cell of the catalog, which is little-endian.
///
/// # Errors
/// If reading the member fails.
pub(super) fn read(column: &Column, member: &Stream, cell: &mut [u8]) -> Result<()> {
    if let Some(id) = column.param {
        let (value, _) = member
            .resolve(|resolver| resolver.raw_value(id))
            .map_err(|error| error.of_item(&column.path))?;
        // It was read from a type of this many bytes.
        crate::elements::number::put_bits(value as u64, ByteOrder::Little, cell);
        return Ok(());
    }
    let data = data_of(column, member)?;
    let Dtype::Primitive(primitive, order) = data.dtype() else {
        return Err(Error::Variable { path: column.path.as_str().into() });
    };
    let bytes = data.raw()?;
    if bytes.len() != cell.len() {
        let error = Error::wrong_length(cell.len() as u64, bytes.len() as u64);
        return Err(error.of_item(&column.path));
    }
    cell.copy_from_slice(&bytes);
    if *order == ByteOrder::Big && primitive.swap_unit() > 1 {
        swap_in_place(cell, crate::error::to_usize(primitive.swap_unit())?)?;
    }
    Ok(())
}

/// The elements of a column in a member.
pub(super) fn data_of(column: &Column, member: &Stream) -> Result<Data> {
    let mut data = match column.param {
        Some(id) => {
            let node = Node { target: Target::Param(id), ..Node::root() };
            Item::new(member.clone(), node, column.path.clone()).data()?
        }
        None => member.get(&column.item)?.data()?,
    };
    for field in &column.fields {
        data = data.field(field)?;
    }
    Ok(data)
}
