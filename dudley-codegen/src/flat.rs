//! The items of a layout one after the other, each with the operations that place it: for code in languages that have
//! no library of ours.

pub(crate) mod ops;

use std::collections::{HashMap, HashSet};

use dudley_parser::Layout;
use dudley_parser::comments::AttrValue;
use dudley_parser::formula::plan::{Node, Op, Plan, Row, What};
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::{
    ArrayId, Count, DocKey, Element, ParamId, ParamValue, Place as Declared, RecordId, Scope, Taker,
};
use dudley_parser::resolve::MemberKind;

/// A param that occurs once.
pub(crate) struct Param {
    pub(crate) id: ParamId,
    pub(crate) path: String,
    /// Its type and byte order in a stream; `None` for a fixed one.
    pub(crate) stored: Option<(Primitive, Option<ByteOrder>)>,
    pub(crate) address: Option<Node>,
    /// The value of a fixed one.
    pub(crate) fixed: Option<i64>,
    /// It is the length of the stream in bytes.
    pub(crate) stream_bytes: bool,
    /// It is how often something fits from a place on to the end: the place, and its bytes.
    pub(crate) to_end: Option<(Node, Node)>,
    /// Its only legal value.
    pub(crate) legal: Option<i64>,
    pub(crate) doc: Vec<String>,
}

/// An array, or the arrays of all repetitions of a list.
pub(crate) struct Item {
    pub(crate) path: String,
    pub(crate) element: Kind,
    pub(crate) dims: Vec<Node>,
    /// Bytes from one index to the next of each dimension, where the elements are not side by side.
    pub(crate) strides: Option<Vec<Node>>,
    pub(crate) address: Node,
    pub(crate) bytes: Node,
    /// The repetitions of the lists around: their number, and the first that this is about.
    pub(crate) indices: Vec<(Node, u64)>,
    /// Its only legal value.
    pub(crate) legal: Option<AttrValue>,
    pub(crate) declared: String,
    pub(crate) unit: Option<String>,
    pub(crate) doc: Vec<String>,
}

impl Item {
    /// Its documentation: `remark` completes the type, and repetitions count from `first`.
    pub(crate) fn lines(&self, remark: &str, first: u64) -> Vec<String> {
        let unit = self.unit.as_ref().map(|unit| format!(" ({unit})")).unwrap_or_default();
        let mut lines = vec![format!("{}: {}{unit}", self.path, self.declared)];
        lines.extend(self.doc.iter().cloned());
        lines.extend((!remark.is_empty()).then(|| format!("{remark}.")));
        if let Some((_, from)) = self.indices.iter().find(|(_, from)| *from > 0) {
            lines.push(format!(
                "Of the repetitions from number {} on, counted from {first}.",
                from + first
            ));
        }
        lines
    }
}

/// The type of the elements of an array.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Primitive(Primitive, Option<ByteOrder>),
    /// A struct, by its number.
    Record(usize),
}

/// A struct of fixed size.
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) size: i64,
    pub(crate) members: Vec<Member>,
    pub(crate) doc: Vec<String>,
}

/// A member of a struct.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) offset: i64,
    pub(crate) kind: Kind,
    pub(crate) dims: Vec<i64>,
    pub(crate) doc: Vec<String>,
}

/// All items of a layout that such code can place, and a list of the others.
pub(crate) struct Flat<'l> {
    pub(crate) layout: &'l Layout,
    pub(crate) plan: Plan<'l>,
    pub(crate) params: Vec<Param>,
    pub(crate) items: Vec<Item>,
    pub(crate) records: Vec<Record>,
    /// The end of the data.
    pub(crate) end: Option<Node>,
    /// Paths of omitted items, with the reasons.
    pub(crate) left: Vec<(String, &'static str)>,
    known: HashMap<RecordId, Option<usize>>,
    /// The params that programs have.
    given: HashSet<ParamId>,
    /// For each operation, whether it needs values of a stream; as far as it was queried.
    told: Vec<bool>,
}

/// A result of the walk, before the check whether code can place it.
struct Found {
    path: String,
    array: ArrayId,
    dims: Vec<Option<Node>>,
    strides: Option<Vec<Option<Node>>>,
    presented: bool,
    address: Option<Node>,
    cursor: Option<Node>,
    bytes: Option<Node>,
    indices: Vec<(Option<Node>, u64)>,
}

const BY_STREAM: &str = "its place depends on more than params that occur once";

impl<'l> Flat<'l> {
    /// Goes over a layout whose streams begin at an address.
    pub(crate) fn new(layout: &'l Layout, start: u64) -> Flat<'l> {
        let plan = Plan::new(layout, start);
        let mut flat = Flat {
            layout,
            plan,
            params: Vec::new(),
            items: Vec::new(),
            records: Vec::new(),
            end: None,
            left: Vec::new(),
            known: HashMap::new(),
            given: HashSet::new(),
            told: Vec::new(),
        };
        let (mut params, mut found) = (Vec::new(), Vec::new());
        let mut left = Vec::new();
        flat.plan.walk(&mut |plan, row| collect(plan, row, &mut params, &mut found, &mut left));
        flat.left = left;
        for param in params {
            flat.add_param(param);
        }
        for one in &found {
            flat.find_room(one);
        }
        for one in found {
            let path = one.path.clone();
            if let Err(why) = flat.add(one) {
                flat.left.push((path, why));
            }
        }
        // A param of omitted items only, such as the length of a list that reaches to the end.
        let (given, left) = (&flat.given, &mut flat.left);
        flat.params.retain(|param| {
            let is_given = given.contains(&param.id);
            left.extend((!is_given).then(|| (param.path.clone(), BY_STREAM)));
            is_given
        });
        let end = flat.plan.data_end();
        flat.end = end.filter(|end| !flat.is_told_by_streams(*end));
        flat
    }

    /// Adds a param. One that takes the rest of the stream is added when its subject is known.
    fn add_param(&mut self, param: Param) {
        let is_given = match param.address {
            _ if self.layout[param.id].to_end.is_some() => false,
            Some(address) => !self.is_told_by_streams(address),
            None => param.stored.is_none(),
        };
        if is_given {
            self.given.insert(param.id);
            self.told.clear();
        }
        self.params.push(param);
    }

    /// The start of an item that takes the rest of the stream (spec 4.9), and the bytes for one.
    fn find_room(&mut self, found: &Found) {
        let array = &self.layout[found.array];
        let first = self.layout.dims(array).first().map(|dim| dim.count);
        let (Some(Count::Param(id, _)), Declared::Next, Some(cursor)) =
            (first, array.place, found.cursor)
        else {
            return;
        };
        if !matches!(self.layout[id].to_end, Some(Taker::Array(_))) {
            return;
        }
        let dims = self.plan.dims(array);
        let Some(element) = self.plan.element_bytes(array.element) else { return };
        let Some(row) = self.plan.product(&dims[1..], element) else { return };
        let begin = self.plan.aligned(cursor, array.align);
        if self.is_told_by_streams(begin) || self.is_told_by_streams(row) {
            return;
        }
        if let Some(param) = self.params.iter_mut().find(|param| param.id == id) {
            param.to_end = Some((begin, row));
            self.given.insert(id);
            self.told.clear();
        }
    }

    /// Whether a result needs values of a stream, other than params that occur once.
    fn is_told_by_streams(&mut self, node: Node) -> bool {
        let ops = self.plan.ops();
        for op in &ops[self.told.len()..] {
            let mut told = match op {
                Op::Unknown | Op::Own(_) | Op::Input(_) => true,
                Op::Param(id) => !self.given.contains(id),
                _ => false,
            };
            op.operands(&mut |node| told |= self.told[node.index()]);
            self.told.push(told);
        }
        self.told[node.index()]
    }

    /// Why no stream can be made, if that is so.
    pub(crate) fn unwritable(&self) -> Option<String> {
        match self.left.first() {
            Some((path, why)) => Some(format!("{path} cannot be written: {why}")),
            None if self.end.is_none() => {
                Some("the end of the data depends on more than params".to_owned())
            }
            None => None,
        }
    }

    /// The omitted items, one line each.
    pub(crate) fn left_out(&self) -> Vec<String> {
        if self.left.is_empty() {
            return Vec::new();
        }
        let lines = self.left.iter().map(|(path, why)| format!("  {path}: {why}"));
        ["".to_owned(), "Not here:".to_owned()].into_iter().chain(lines).collect()
    }

    /// The byte order of an item that does not follow the order of the stream.
    pub(crate) fn order(&self, own: Option<ByteOrder>) -> Option<ByteOrder> {
        own.or(self.layout.order())
    }

    fn add(&mut self, found: Found) -> Result<(), &'static str> {
        let layout = self.layout;
        let array = &layout[found.array];
        if array.filter.is_some() {
            return Err("it is stored by a filter");
        }
        if found.presented {
            return Err("it is presented otherwise than it is stored");
        }
        let all = |nodes: &[Option<Node>]| nodes.iter().copied().collect::<Option<Vec<_>>>();
        let dims = all(&found.dims).ok_or(BY_STREAM)?;
        let strides = match &found.strides {
            Some(strides) => Some(all(strides).ok_or(BY_STREAM)?),
            None => None,
        };
        let (address, bytes) = found.address.zip(found.bytes).ok_or(BY_STREAM)?;
        let indices = found.indices.iter().map(|(count, from)| Some(((*count)?, *from)));
        let indices: Vec<_> = indices.collect::<Option<_>>().ok_or(BY_STREAM)?;
        let needed = [address, bytes].into_iter().chain(dims.iter().copied());
        let needed = needed.chain(strides.iter().flatten().copied());
        let needed: Vec<Node> = needed.chain(indices.iter().map(|(count, _)| *count)).collect();
        if needed.into_iter().any(|node| self.is_told_by_streams(node)) {
            return Err(BY_STREAM);
        }
        let element = match array.element {
            Element::Primitive(primitive, order) => Kind::Primitive(primitive, order),
            Element::Record(_) if strides.is_some() => {
                return Err("its structs are members of other ones, which lie apart");
            }
            Element::Record(id) => Kind::Record(self.record(id, &found.path)?),
        };
        let legal = match layout.stated(array) {
            None => None,
            Some((stated, _)) => Some(legal(&stated.value, element, dims.len())?),
        };
        let key = DocKey::of(array.span);
        let mut declared = match array.element {
            Element::Primitive(primitive, order) => primitive.with_order(order.or(layout.order())),
            Element::Record(id) => {
                layout[id].ty.map_or("struct", |ty| layout.name(layout[ty].name)).to_owned()
            }
        };
        if !dims.is_empty() {
            let shown = dims.iter().map(|dim| self.plan.text(*dim).unwrap_or_default());
            declared += &format!("[{}]", shown.collect::<Vec<_>>().join(", "));
        }
        self.items.push(Item {
            path: found.path,
            element,
            dims,
            strides,
            address,
            bytes,
            indices,
            legal,
            declared,
            unit: layout.unit(key).filter(|unit| !unit.is_empty()).map(str::to_owned),
            doc: layout.doc_without_unit(key).map(str::to_owned).collect(),
        });
        Ok(())
    }

    /// A struct, if all its instances are equal for all params.
    fn record(&mut self, id: RecordId, path: &str) -> Result<usize, &'static str> {
        if let Some(known) = self.known.get(&id) {
            return known.ok_or(VARIES);
        }
        let made = self.new_record(id, path);
        self.known.insert(id, made.as_ref().ok().copied());
        made
    }

    fn new_record(&mut self, id: RecordId, path: &str) -> Result<usize, &'static str> {
        let layout = self.layout;
        let declared = &layout[id];
        if declared.variable || declared.per_instance || declared.local {
            return Err(VARIES);
        }
        let number = |flat: &Self, node: Option<Node>| {
            node.and_then(|node| flat.plan.as_number(node)).ok_or(VARIES)
        };
        let size = self.plan.record_bytes(id);
        let size = number(self, size)?;
        let mut members = Vec::new();
        for member in self.plan.members(id) {
            let bytes = number(self, member.bytes)?;
            let (name, kind, span) = match member.kind {
                MemberKind::Array(array) => {
                    let array = &layout[array];
                    if array.filter.is_some() || array.presented || array.constant {
                        return Err(
                            "a member of its struct is filtered, presented otherwise or has one legal value",
                        );
                    }
                    let name = layout.name(array.name);
                    let kind = match array.element {
                        Element::Primitive(primitive, order) => Kind::Primitive(primitive, order),
                        Element::Record(inner) => {
                            Kind::Record(self.record(inner, &format!("{path}.{name}"))?)
                        }
                    };
                    (name.to_owned(), kind, array.span)
                }
                MemberKind::Param(param) => match layout[param].value {
                    ParamValue::Fixed(_) => continue,
                    ParamValue::Streamed(primitive, order) => {
                        let name = layout.param_label(param);
                        (name, Kind::Primitive(primitive, order), layout[param].span)
                    }
                },
            };
            let dims = member.dims.iter().map(|dim| number(self, dim.node));
            let dims: Vec<i64> = dims.collect::<Result<_, _>>()?;
            // An absent item has no bytes and no member.
            if bytes == 0 || dims.contains(&0) {
                continue;
            }
            let doc = layout.doc(DocKey::of(span)).map(str::to_owned).collect();
            let offset = number(self, member.offset)?;
            let dims = dims.into_iter().filter(|dim| *dim != -1).collect();
            members.push(Member { name, offset, kind, dims, doc });
        }
        if members.is_empty() {
            return Err("its struct has no members that are stored");
        }
        let (name, doc) = match declared.ty {
            Some(ty) => {
                let ty = &layout[ty];
                let doc = layout.doc(DocKey::of(ty.span)).map(str::to_owned).collect();
                (layout.name(ty.name).to_owned(), doc)
            }
            None => (path.to_owned(), Vec::new()),
        };
        self.records.push(Record { name, size, members, doc });
        Ok(self.records.len() - 1)
    }
}

const VARIES: &str = "the size of its struct depends on params or on the stream";

/// The legal value of numbers and short text; other ones such code does not compare with.
fn legal(value: &AttrValue, element: Kind, rank: usize) -> Result<AttrValue, &'static str> {
    let Kind::Primitive(primitive, _) = element else { return Err(CONSTANT) };
    let known = match value {
        AttrValue::Int(_) => rank == 0 && primitive.is_param(),
        AttrValue::Text(text) => {
            rank == 1 && primitive.size() == 1 && primitive.is_text() && text.is_ascii()
        }
        _ => false,
    };
    if known { Ok(value.clone()) } else { Err(CONSTANT) }
}

const CONSTANT: &str = "it has one legal value, of a kind that this code does not compare";

fn collect(
    plan: &mut Plan<'_>,
    row: Row<'_>,
    params: &mut Vec<Param>,
    found: &mut Vec<Found>,
    left: &mut Vec<(String, &'static str)>,
) {
    let layout = plan.layout();
    match row.what {
        What::Dict(_) | What::List { .. } => {}
        What::Elided { .. } => left.push((row.path.to_owned(), "repetitions that are not shown")),
        What::Param { param, place, column } => {
            let declared = &layout[param];
            if !matches!(declared.scope, Scope::Dict(_)) || column.is_some() {
                if declared.is_streamed() {
                    left.push((row.path.to_owned(), "each repetition has one of its own"));
                }
                return;
            }
            let key = DocKey::of(declared.span);
            let (stored, fixed) = match declared.value {
                ParamValue::Streamed(primitive, order) => (Some((primitive, order)), None),
                ParamValue::Fixed(value) => (None, Some(value)),
            };
            params.push(Param {
                id: param,
                path: row.path.to_owned(),
                stored,
                address: place.and_then(|place| place.address),
                fixed,
                stream_bytes: declared.stream_bytes,
                to_end: None,
                legal: layout.stated_param(declared).and_then(|it| match it.value {
                    AttrValue::Int(value) => Some(value),
                    _ => None,
                }),
                doc: layout.doc(key).map(str::to_owned).collect(),
            });
        }
        What::Array { array, dims, place, spliced } => {
            let presented = layout[array].presented
                || spliced.as_ref().is_some_and(|spliced| layout[spliced.record].presented);
            found.push(Found {
                path: row.path.to_owned(),
                array,
                dims: dims.iter().map(|dim| dim.node).collect(),
                strides: spliced.map(|spliced| spliced.strides),
                presented,
                address: place.address,
                cursor: place.cursor,
                bytes: place.bytes,
                indices: row.repetitions.iter().copied().zip(row.from.iter().copied()).collect(),
            });
        }
    }
}

/// Names of an output language: letters, digits and underscores, and no two equal ones.
pub(crate) struct Names {
    taken: HashSet<String>,
    reserved: &'static [&'static [&'static str]],
    longest: usize,
    lower: bool,
}

impl Names {
    /// Of a language with these words of its own, whose names are not longer; in lower case where case does not count.
    pub(crate) fn new(
        reserved: &'static [&'static [&'static str]],
        longest: usize,
        lower: bool,
    ) -> Names {
        Names { taken: HashSet::new(), reserved, longest, lower }
    }

    /// A name that no other has, as near to a path as it can be.
    pub(crate) fn take(&mut self, path: &str) -> String {
        let mut base = String::new();
        for part in path.split(['/', '.']) {
            let part = part.split('[').next().unwrap_or_default().trim_matches([':', '"']);
            if part.is_empty() {
                continue;
            }
            if !base.is_empty() {
                base.push('_');
            }
            base.extend(part.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }));
        }
        if self.lower {
            base.make_ascii_lowercase();
        }
        let starts = base.starts_with(|c: char| c.is_ascii_alphabetic());
        if !starts {
            base.insert(0, 'x');
        }
        base.truncate(self.longest.saturating_sub(4));
        if self.reserved.iter().any(|words| words.contains(&&*base)) {
            base.push('_');
        }
        let (mut name, mut count) = (base.clone(), 2);
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{count}");
            count += 1;
        }
        name
    }
}
