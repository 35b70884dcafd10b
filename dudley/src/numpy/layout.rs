//! A layout made for arrays of numpy: dicts and lists from their names, types as they are.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::path::{push_name, push_param};
use dudley_parser::layout::words::{self, Said};

use super::array_source::ArraySource;
use super::arrays::{About, Named};
use super::descr::{Descr, Field};
use super::names::second;
use super::primitive_of;
use crate::error::Error;
use crate::read::data::{Data, InBlocks};
use crate::read::dtype::{Dtype, Record, primitive_name};

/// The reason why arrays have no layout.
///
/// ```
/// use dudley::numpy::arrays::Named;
/// use dudley::numpy::layout::{Dicts, NoLayout, Orders, Purpose, of_arrays};
///
/// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
/// let x = Named::new(vec!["x".into()], false, stream.get("/x")?.data()?);
/// let twice = of_arrays(&[x.clone(), x], &Dicts::new(), Orders::Own, Purpose::Write);
/// assert!(matches!(twice, Err(NoLayout::Clash(path)) if path == "/x"));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoLayout {
    /// A name has a NUL.
    #[error("`{0}`: a layout has no name with a NUL")]
    Name(String),
    /// An array has an empty name, which what the file begins with has.
    #[error(
        "`{0}` has an empty name, which no array of such a file may have: name the others behind the output"
    )]
    Empty(String),
    /// Two arrays have one name, or one stands where others are in.
    #[error("`{0}` is an array, and holds arrays, or is there twice")]
    Clash(String),
    /// A param is something else than one integer.
    #[error("`{0}`: a param is one integer")]
    Param(String),
    /// Structs have an empty name, by which they stand for their fields (rule 3.10 of the language).
    #[error("`{0}`: structs of an empty name stand for their fields: give it a name")]
    Unnamed(String),
    /// Elements are structs that no struct of fixed size is like: of several sizes, or with fields that filters made.
    #[error(
        "`{0}`: structs of variable size, or with parts that filters made, are no elements of an array"
    )]
    Variable(String),
    /// Elements are of a type that layouts do not have.
    #[error("`{path}`: layouts have no type for numpy's `{dtype}`")]
    Dtype {
        /// The array or field.
        path: String,
        /// Its type, as numpy has it.
        dtype: String,
    },
    /// A param cannot be read.
    #[error(transparent)]
    Unread(#[from] Error),
}

impl From<NoLayout> for Error {
    fn from(error: NoLayout) -> Error {
        match error {
            NoLayout::Unread(error) => error,
            error => Error::Foreign(Box::new(error)),
        }
    }
}

/// The purpose of a layout of arrays.
///
/// ```
/// use dudley::numpy::arrays::Named;
/// use dudley::numpy::layout::{Dicts, Orders, Purpose, of_arrays};
///
/// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
/// let x = Named::new(vec!["x".into()], false, stream.get("/x")?.data()?);
/// let (text, _) = of_arrays(&[x], &Dicts::new(), Orders::Own, Purpose::WriteFrom(560))?;
/// assert!(text.contains("@560"));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// They are written anew: params in the byte order of the stream.
    Write,
    /// The same, from an address on.
    WriteFrom(u64),
    /// They are read as if each followed the one before it, all as they are stored.
    Read,
    /// They are read where they are stored in their file or archive.
    ReadInPlace,
}

/// The byte orders in a layout of arrays.
///
/// ```
/// use dudley::numpy::arrays::Named;
/// use dudley::numpy::layout::{Dicts, Orders, Purpose, of_arrays};
///
/// let stream = dudley::Open::new().layout_text("x = >u2")?.raw().bytes([1, 2])?;
/// let x = [Named::new(vec!["x".into()], false, stream.get("/x")?.data()?)];
/// let text = |orders| of_arrays(&x, &Dicts::new(), orders, Purpose::Write).map(|(text, _)| text);
/// assert!(text(Orders::Own)?.contains(">u2") && !text(Orders::OfStream)?.contains('>'));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// The byte order of each array.
    Own,
    /// None: all arrays have the byte order of the stream.
    OfStream,
    /// The byte order of each array that has another one than the stream, which is this one.
    Unless(ByteOrder),
}

/// Units, documentation and attributes of dicts, by the names from the root. Dicts without an array stay, without items.
pub type Dicts = BTreeMap<Vec<String>, About>;

type Result<T, E = NoLayout> = std::result::Result<T, E>;

/// What stands under a name.
enum Node<'a> {
    Array(&'a Named),
    Dict(Dict<'a>),
}

/// Params and items, in the order in which they were found.
#[derive(Default)]
struct Dict<'a> {
    params: Vec<(&'a str, &'a Named)>,
    /// Its unit, documentation and attributes.
    about: Option<&'a About>,
    items: Vec<(&'a str, Node<'a>)>,
    /// Where an item is among the items.
    known: HashMap<&'a str, usize>,
    /// It is no list, whatever its items are called.
    keyed: bool,
    /// Once all is added: the items in their order, if it is a list.
    list: OnceCell<Option<Vec<usize>>>,
    /// Once all is added: the params that are the second of a name.
    seconds: OnceCell<HashSet<String>>,
}

/// The text of a layout of arrays, and the path that each has in it.
///
/// ```
/// use dudley::numpy::arrays::Named;
/// use dudley::numpy::layout::{Dicts, Orders, Purpose, of_arrays};
///
/// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
/// let x = Named::new(vec!["grp".into(), "x".into()], false, stream.get("/x")?.data()?);
/// let (text, paths) = of_arrays(&[x], &Dicts::new(), Orders::OfStream, Purpose::Write)?;
/// assert!(text.contains("grp/") && text.contains("x = u1[3]"));
/// assert_eq!(paths, ["/grp/x"]);
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// If two arrays clash, or one is of a type that layouts do not have; if a param cannot be read.
pub fn of_arrays(
    arrays: &[Named],
    dicts: &Dicts,
    orders: Orders,
    purpose: Purpose,
) -> Result<(String, Vec<String>)> {
    let mut root = Dict { about: dicts.get(&[][..]), ..Dict::default() };
    for array in arrays {
        if array.parts.iter().any(|name| name.contains('\0')) {
            let path = path_of(&array.parts);
            return Err(NoLayout::Name(path));
        }
        if matches!(purpose, Purpose::WriteFrom(_))
            && array.parts.first().is_some_and(String::is_empty)
        {
            return Err(NoLayout::Empty(path_of(&array.parts)));
        }
        let inserted = insert(&mut root, dicts, 0, array);
        inserted.ok_or_else(|| NoLayout::Clash(path_of(&array.parts)))?;
    }
    for names in dicts.keys() {
        insert_empty(&mut root, dicts, names);
    }
    let mut text = String::new();
    let mut printer = Printer { orders, purpose, text: &mut text, indent: 0, commented: false };
    printer.head(root.about);
    if let Purpose::WriteFrom(address) = purpose {
        // A struct without a name and without members is no item.
        let _ = writeln!(printer.text, "\"\" = {{}} @{address}");
    }
    printer.dict(&root, "", 0)?;
    let paths = arrays.iter().map(|array| root.path(&array.parts, array.param, false));
    Ok((text, paths.collect()))
}

/// Adds an array below a dict, by its names from the one of a number on; `None` if it clashes with another one.
fn insert<'a>(dict: &mut Dict<'a>, dicts: &'a Dicts, depth: usize, array: &'a Named) -> Option<()> {
    let (name, rest) = array.parts.get(depth..)?.split_first()?;
    dict.keyed |= array.keyed.get(depth) == Some(&true);
    if rest.is_empty() && array.param {
        let known = dict.params.iter().any(|(known, _)| known == name);
        return (!known).then(|| dict.params.push((name, array)));
    }
    let at = *dict.known.entry(name).or_insert_with(|| {
        let node = if rest.is_empty() {
            Node::Array(array)
        } else {
            let about = dicts.get(&array.parts[..=depth]);
            Node::Dict(Dict { about, ..Dict::default() })
        };
        dict.items.push((name, node));
        dict.items.len() - 1
    });
    match (&mut dict.items[at].1, rest.is_empty()) {
        (Node::Array(known), true) => std::ptr::eq(*known, array).then_some(()),
        (Node::Dict(inner), false) => insert(inner, dicts, depth + 1, array),
        _ => None,
    }
}

/// Adds the dicts on the way to one, which is there without items if no array is in it.
fn insert_empty<'a>(root: &mut Dict<'a>, dicts: &'a Dicts, names: &'a [String]) {
    let mut dict = root;
    for (depth, name) in names.iter().enumerate() {
        let at = *dict.known.entry(name).or_insert_with(|| {
            dict.keyed = true;
            let about = dicts.get(&names[..=depth]);
            dict.items.push((name, Node::Dict(Dict { about, ..Dict::default() })));
            dict.items.len() - 1
        });
        match &mut dict.items[at].1 {
            Node::Dict(inner) => dict = inner,
            Node::Array(_) => return,
        }
    }
}

impl<'a> Dict<'a> {
    /// Its items by index, if their names are 0, 1, …: then it is a list.
    fn list(&self) -> Option<impl Iterator<Item = &Node<'a>>> {
        let order = self.list.get_or_init(|| self.order()).as_ref()?;
        Some(order.iter().map(|at| &self.items[*at].1))
    }

    fn order(&self) -> Option<Vec<usize>> {
        let mut found = vec![None; self.items.len()];
        for (at, (name, _)) in self.items.iter().enumerate() {
            let index: usize =
                name.parse().ok().filter(|index: &usize| index.to_string() == *name)?;
            *found.get_mut(index)? = Some(at);
        }
        let found: Option<Vec<_>> = found.into_iter().collect();
        found.filter(|items| !items.is_empty() && self.params.is_empty() && !self.keyed)
    }
}

impl Dict<'_> {
    /// The name of a param, and which of that name it is, from 0.
    fn param<'n>(&self, name: &'n str) -> (&'n str, usize) {
        match second(name).filter(|_| self.seconds().contains(name)) {
            Some((first, at)) => (first, at - 1),
            None => (name, 0),
        }
    }

    /// The params that are the second of a name, and so on: `N#2`, where the ones before it are.
    fn seconds(&self) -> &HashSet<String> {
        self.seconds.get_or_init(|| {
            let known: HashSet<&str> = self.params.iter().map(|(name, _)| *name).collect();
            let firsts = known.iter().filter(|name| second(name).is_none());
            let of = |first: &&str| {
                let first = (*first).to_owned();
                let names = (2..).map(move |at| format!("{first}#{at}"));
                names.take_while(|name| known.contains(name.as_str())).collect::<Vec<_>>()
            };
            firsts.flat_map(of).collect()
        })
    }

    /// The path of an array that was added: digits are indices in lists, and else names.
    fn path(&self, parts: &[String], param: bool, list: bool) -> String {
        let Some((name, rest)) = parts.split_first() else { return String::new() };
        if param && rest.is_empty() {
            let (name, ordinal) = self.param(name);
            let mut path = "/".to_owned();
            push_param(&mut path, name, ordinal);
            return path;
        }
        let here = if list { format!("/{name}") } else { join("", name) };
        match self.known.get(name.as_str()).map(|at| &self.items[*at].1) {
            Some(Node::Dict(inner)) if !rest.is_empty() => {
                here + &inner.path(rest, param, inner.list().is_some())
            }
            _ => here,
        }
    }
}

struct Printer<'t> {
    orders: Orders,
    purpose: Purpose,
    text: &'t mut String,
    /// How far the line is indented.
    indent: usize,
    /// A comment was written, which the line must end with.
    commented: bool,
}

impl Printer<'_> {
    fn dict(&mut self, dict: &Dict<'_>, path: &str, indent: usize) -> Result<()> {
        let mut params: Vec<_> =
            dict.params.iter().map(|(name, param)| (dict.param(name), *param)).collect();
        // The second of a name behind the first.
        params.sort_by_key(|((_, ordinal), _)| *ordinal);
        for ((name, _), Named { source, about, .. }) in params {
            let path = join(path, name);
            self.begin(name, indent);
            let (primitive, order) = match source.units() {
                Some((primitive, order, None)) if source.integer()?.is_some() => (primitive, order),
                _ => return Err(NoLayout::Param(path)),
            };
            // Those that are written are read wherever their order is that of the stream.
            let name = match (self.purpose, about.fixed) {
                (_, Some(value)) => value.to_string(),
                (Purpose::Write | Purpose::WriteFrom(_), None) => primitive.name().into(),
                (Purpose::Read | Purpose::ReadInPlace, None) => primitive_name(primitive, order),
            };
            let _ = write!(self.text, " : {name}");
            self.say(&about.said());
            self.text.push('\n');
        }
        for (name, node) in &dict.items {
            let path = join(path, name);
            self.begin(name, indent);
            match node {
                Node::Array(Named { source, .. }) if name.is_empty() && source.is_struct() => {
                    return Err(NoLayout::Unnamed(path));
                }
                Node::Array(array) => {
                    self.text.push_str(" = ");
                    self.array(array, &path)?;
                    self.text.push('\n');
                }
                Node::Dict(inner) => match inner.list() {
                    Some(items) => {
                        self.text.push(' ');
                        self.list(items, &path, indent)?;
                        self.text.push('\n');
                    }
                    None => {
                        self.text.push('/');
                        self.indent = indent + 1;
                        self.say(&inner.about.map(About::said).unwrap_or_default());
                        self.text.push('\n');
                        self.dict(inner, &path, indent + 1)?;
                        self.text.push_str(&"  ".repeat(indent + 1));
                        self.text.push_str("..\n");
                    }
                },
            }
        }
        Ok(())
    }

    fn begin(&mut self, name: &str, indent: usize) {
        (self.commented, self.indent) = (false, indent);
        self.text.push_str(&"  ".repeat(indent));
        self.text.push_str(&words::name(name));
    }

    /// Items one after the other; once, and how often, if all are the same.
    fn list<'n, 'a: 'n>(
        &mut self,
        items: impl Iterator<Item = &'n Node<'a>>,
        path: &str,
        indent: usize,
    ) -> Result<()> {
        let mut texts = Vec::new();
        for (at, item) in items.enumerate() {
            let mut text = String::new();
            let mut printer = Printer {
                orders: self.orders,
                purpose: self.purpose,
                text: &mut text,
                indent: indent + 1,
                commented: false,
            };
            printer.item(item, &format!("{path}/{at}"), indent + 1)?;
            if printer.commented {
                let _ = write!(text, "\n{}", "  ".repeat(indent + 1));
            }
            texts.push(text);
        }
        let pad = "  ".repeat(indent + 1);
        let same = texts.iter().all(|text| *text == texts[0]);
        self.text.push_str("[\n");
        for text in &texts[..if same { 1 } else { texts.len() }] {
            let _ = writeln!(self.text, "{pad}{text},");
        }
        self.text.push_str(&"  ".repeat(indent));
        self.text.push(']');
        if same && texts.len() > 1 {
            let _ = write!(self.text, "*{}", texts.len());
        }
        Ok(())
    }

    fn item(&mut self, node: &Node<'_>, path: &str, indent: usize) -> Result<()> {
        match node {
            Node::Array(array) => self.array(array, path),
            Node::Dict(dict) => match dict.list() {
                Some(items) => self.list(items, path, indent),
                None => {
                    self.text.push_str("/\n");
                    self.dict(dict, path, indent + 1)?;
                    self.text.push_str(&"  ".repeat(indent));
                    Ok(())
                }
            },
        }
    }

    /// Type, shape, and what of the type a layout has no word for; what is said of it.
    fn array(&mut self, array: &Named, path: &str) -> Result<()> {
        let mut said = array.about.said();
        match &array.source {
            ArraySource::Npy(npy) => {
                let mut shape = npy.shape.clone();
                self.dtype(&npy.descr, &mut shape, path)?;
                self.shape(&shape);
                if let Some(address) = npy.place().filter(|_| self.purpose == Purpose::ReadInPlace)
                {
                    let _ = write!(self.text, " @{address}");
                    if npy.is_columns() {
                        said.spelt("order = \"F\"".to_owned());
                    }
                }
                match &npy.descr {
                    // Whole arrays of text are numpy's U, unless something says otherwise.
                    Descr::Plain { kind: 'S', size, .. } => meant(&mut said, &format!("S{size}")),
                    descr => meant_field(&mut said, descr),
                }
            }
            ArraySource::Data(data) => {
                self.element(data.first(), data.first().dtype(), path)?;
                let (shape, none) = (data.shape(), std::iter::repeat(&None));
                let dims = shape.iter().zip(array.about.dims.iter().chain(none));
                let dims = dims.map(|(dim, name)| name.clone().unwrap_or_else(|| dim.to_string()));
                self.dims_of(data.first().dtype(), &dims.collect::<Vec<_>>());
                if matches!(self.purpose, Purpose::Write | Purpose::WriteFrom(_))
                    && let Some(blocks) = data.single().and_then(Data::blocks)
                {
                    self.chunks(data.first(), blocks, &mut said);
                }
            }
        }
        self.say(&said);
        Ok(())
    }

    /// That an array is stored in blocks as it was, by the same filter, or by one of ours where that only decodes.
    fn chunks(&mut self, data: &Data, blocks: &InBlocks, said: &mut Said) {
        let Some(cell) = blocks.cell.as_ref().filter(|cell| !cell.is_empty()) else { return };
        let filters = &data.stream().inner.filters;
        let filter = blocks.each().flatten().find_map(|block| block.filter);
        if let Some(filter) = filter {
            let known = filters.get(&filter.name);
            if known.is_some_and(|known| known.encodes(&filter.args)) {
                self.text.push_str(&words::filter(&filter.name, &filter.args));
            } else {
                self.text.push_str(" -> zlib");
            }
        }
        let cell: Vec<String> = cell.iter().map(u64::to_string).collect();
        said.spelt(format!("chunks = [{}]", cell.join(", ")));
    }

    /// The type of the elements of an array that is open.
    fn element(&mut self, data: &Data, dtype: &Dtype, path: &str) -> Result<()> {
        match dtype {
            Dtype::Primitive(primitive, order) => self.primitive(*primitive, *order),
            Dtype::Record(record) => self.fields(data, record, path)?,
            Dtype::Variable(_) => return Err(NoLayout::Variable(path.to_owned())),
        }
        Ok(())
    }

    /// The fields of a struct where they are, with what is said of them, and as many bytes as there are.
    fn fields(&mut self, data: &Data, record: &Record, path: &str) -> Result<()> {
        let layout = data.layout();
        let stored = || record.fields.iter().filter(|field| !field.is_fixed(layout));
        self.text.push('{');
        for (at, field) in stored().enumerate() {
            let path = format!("{path}.{}", field.name);
            if field.filter.is_some() {
                return Err(NoLayout::Variable(path));
            }
            self.text.push_str(if at == 0 { "" } else { "  " });
            self.text.push_str(&words::name(&field.name));
            self.text.push_str(" = ");
            self.element(data, &field.dtype, &path)?;
            let mut said = Said::default();
            match field.as_view() {
                None => self.dims_of(&field.dtype, &field.shape),
                Some((elements, view)) => {
                    self.shape(&[elements]);
                    view.into_iter().for_each(|attribute| said.spelt(attribute));
                }
            }
            let _ = write!(self.text, " @{}", field.offset);
            layout.doc(field.doc).for_each(|line| said.line(line));
            layout.attributes(field.doc).iter().for_each(|it| said.attribute_of(it));
            self.say(&said);
            if std::mem::take(&mut self.commented) {
                self.text.push('\n');
            }
        }
        self.close(stored().map(|it| it.offset.saturating_add(it.bytes)), record.size);
        Ok(())
    }

    /// The documentation and attributes of all arrays.
    fn head(&mut self, about: Option<&About>) {
        let said = about.map(About::said).unwrap_or_default();
        if !said.is_empty() {
            for line in said.text("").lines() {
                let _ = writeln!(self.text, "{}", line.trim_start());
            }
        }
    }

    /// The dimensions of elements that are open.
    fn dims_of(&mut self, dtype: &Dtype, dims: &[impl std::fmt::Display]) {
        let is_text = dtype.primitive().is_some_and(|(primitive, _)| primitive.is_text());
        self.text.push_str(&words::shape(dims, is_text));
    }

    fn shape(&mut self, shape: &[u64]) {
        self.text.push_str(&words::shape(shape, false));
    }

    fn say(&mut self, said: &Said) {
        if !said.is_empty() {
            self.text.push_str(&said.text(&"  ".repeat(self.indent)));
            self.commented = true;
        }
    }

    fn dtype(&mut self, descr: &Descr, shape: &mut Vec<u64>, path: &str) -> Result<()> {
        match descr {
            Descr::Plain { kind, size, order, rest } => {
                let Some(primitive) = primitive_of(*kind, *size) else {
                    let dtype = format!("{kind}{size}{rest}");
                    return Err(NoLayout::Dtype { path: path.to_owned(), dtype });
                };
                if matches!(kind, 'U' | 'S' | 'V') {
                    shape.push(*size);
                }
                self.primitive(primitive, *order);
                Ok(())
            }
            Descr::Struct(fields, size) => self.record(fields, *size, path),
        }
    }

    fn primitive(&mut self, primitive: Primitive, order: ByteOrder) {
        let is_said = match self.orders {
            Orders::Own => true,
            Orders::OfStream => false,
            Orders::Unless(of_stream) => order != of_stream,
        };
        if is_said && primitive.swap_unit() > 1 {
            self.text.push_str(&primitive_name(primitive, order))
        } else {
            self.text.push_str(primitive.name())
        }
    }

    /// Fields where they are, and as many bytes as there are.
    fn record(&mut self, fields: &[Field], size: u64, path: &str) -> Result<()> {
        self.text.push('{');
        for (at, field) in fields.iter().enumerate() {
            let path = format!("{path}.{}", field.name);
            self.text.push_str(if at == 0 { "" } else { "  " });
            self.text.push_str(&words::name(&field.name));
            self.text.push_str(" = ");
            let mut shape = field.shape.clone();
            self.dtype(&field.descr, &mut shape, &path)?;
            self.shape(&shape);
            let _ = write!(self.text, " @{}", field.offset);
            let mut said = Said::default();
            meant_field(&mut said, &field.descr);
            self.say(&said);
            if std::mem::take(&mut self.commented) {
                self.text.push('\n');
            }
        }
        self.close(fields.iter().map(Field::end), size);
        Ok(())
    }

    /// The end of a struct of this many bytes, whose members end so.
    fn close(&mut self, ends: impl Iterator<Item = u64>, size: u64) {
        let (align, end) = words::struct_end(ends.max().unwrap_or(0), size);
        if let Some(end) = end {
            let _ = write!(self.text, "  {end}");
        }
        let _ = write!(self.text, "}} %{align}");
    }
}

impl About {
    fn said(&self) -> Said {
        let mut said = Said::default();
        self.doc.iter().for_each(|line| said.line(line));
        if let Some(unit) = &self.unit {
            said.unit(unit);
        }
        self.attributes.iter().for_each(|it| said.attribute_of(it));
        said
    }
}

/// The type of the elements in numpy, as an attribute.
fn meant(said: &mut Said, what: &str) {
    said.attribute("numpy", what);
}

/// What elements of a field are that a layout has no word for: times, and bytes that are one element.
fn meant_field(said: &mut Said, descr: &Descr) {
    match descr {
        Descr::Plain { kind: kind @ ('m' | 'M'), size, rest, .. } => {
            meant(said, &format!("{kind}{size}{rest}"))
        }
        Descr::Plain { kind: 'V', size, .. } => meant(said, &format!("V{size}")),
        _ => {}
    }
}

fn join(path: &str, name: &str) -> String {
    let mut path = format!("{path}/");
    push_name(&mut path, name);
    path
}

/// The path of an array by its names.
///
/// ```
/// use dudley::numpy::layout::path_of;
///
/// assert_eq!(path_of(&["run".into(), "0".into(), "my rho".into()]), "/run/0/\"my rho\"");
/// ```
pub fn path_of(parts: &[String]) -> String {
    let join = |mut path: String, name: &String| {
        path.push('/');
        if name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() {
            // An index of a list, or a name in a dict.
            path.push_str(name)
        } else {
            push_name(&mut path, name)
        }
        path
    };
    parts.iter().fold(String::new(), join)
}
