//! What a page says of a layout: its rows, params and types, with operations and formulas.

mod structs;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use dudley_parser::Layout;
use dudley_parser::ast::FilterValue;
use dudley_parser::comments::AttrValue;
use dudley_parser::formula::plan::{Dimension, Node, Place, Plan, Row as Found, Spliced, What};
use dudley_parser::layout::dtype::{ByteOrder, Kind as Numbers, Primitive};
use dudley_parser::layout::path::{of_param, split};
use dudley_parser::layout::{
    ArrayId, Count, DocKey, Element, FilterId, Layout as Checked, ParamId, ParamValue,
    Place as Declared, RecordId, Scope, Step, TypeId,
};
use dudley_parser::place;
use dudley_parser::span::Span;

use crate::escape::anchor;
use crate::{Options, Origin};

/// The value that a streamed param is shown with until somebody says another.
const EXAMPLE: i64 = 10;

/// The value that one is shown with which is an address, and how much more the next one has.
const EXAMPLE_ADDRESS: i64 = 4096;

/// What is tried where some size is illegal, and of how many params.
const OTHER_EXAMPLES: [i64; 7] = [1, 2, 4, 16, 100, 1000, 0];
const MOST_SETTLED: usize = 64;

/// Structs in structs are shown so deep.
const DEEPEST: u32 = 32;

/// A layout as its pages show it.
#[derive(Debug)]
pub(crate) struct Doc<'a> {
    /// What the pages are called.
    pub(crate) title: String,
    /// The file of the layout.
    pub(crate) file: String,
    pub(crate) layout: &'a Checked,
    /// The order of what says none.
    pub(crate) order: ByteOrder,
    pub(crate) raw: bool,
    /// What a stream is called in programs.
    pub(crate) stream: String,
    pub(crate) origin: Origin,
    pub(crate) plan: Plan<'a>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) rows: Vec<Row>,
    pub(crate) types: Vec<Struct>,
    /// The struct of each use that the rows lead to.
    by_record: HashMap<RecordId, usize>,
    /// Where each input is.
    by_param: HashMap<ParamId, usize>,
    /// Rows of params that only count, by the rows of what they count.
    pub(crate) counts: HashMap<usize, Vec<usize>>,
    /// All rows of params that only count.
    pub(crate) counting: HashSet<usize>,
    pub(crate) end: Option<Node>,
    /// What all operations come to with the inputs as they are first, in first repetitions.
    pub(crate) values: Vec<Option<i64>>,
    /// Those that have none since only a stream tells it.
    unknown: Vec<bool>,
}

/// A param that can be set in the page.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) param: ParamId,
    pub(crate) label: String,
    pub(crate) value: i64,
    /// The value is not given.
    pub(crate) example: bool,
    /// The layout says it, and no stream.
    pub(crate) fixed: bool,
    /// What a stream has it as.
    pub(crate) primitive: Option<Primitive>,
    /// Rows that depend on it at once.
    pub(crate) used_by: Vec<usize>,
}

impl Input {
    /// The least and the greatest value that it may have: what its type holds, except for what no param may be.
    pub(crate) fn range(&self) -> (i64, i64) {
        let Some(primitive) = self.primitive else { return (-1, i64::MAX) };
        let is_signed = primitive.kind() == Numbers::Signed;
        let bits = 8 * primitive.size().clamp(1, 8) - u64::from(is_signed);
        let greatest = i64::try_from(u64::MAX >> (64 - bits)).unwrap_or(i64::MAX);
        (if is_signed { -1 } else { 0 }, greatest)
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Dict,
    List,
    Param(ParamId),
    /// A stored param of records that are presented as items of their dict (spec 3.10): an array.
    Column(ParamId),
    Array(ArrayId),
}

/// A row: something that is declared.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) kind: Kind,
    pub(crate) path: String,
    pub(crate) anchor: String,
    /// The formulas in the path.
    pub(crate) numbers: Vec<(Range<usize>, Node)>,
    pub(crate) key: DocKey,
    pub(crate) span: Span,
    pub(crate) place: Place,
    pub(crate) dims: Vec<Dimension>,
    /// Those of its dimensions that are presented as others (spec 7.7), and as which.
    pub(crate) views: Views,
    /// How many elements; of a list, how many items.
    pub(crate) count: Option<Node>,
    /// Bytes from one index to the next, for members of spliced records.
    pub(crate) strides: Vec<Option<Node>>,
    /// It is a member of structs that are not stored row by row (spec 7.7).
    pub(crate) presented: bool,
    /// Where that record lies.
    pub(crate) record: Option<Place>,
    pub(crate) repetitions: Vec<Option<Node>>,
    pub(crate) align: u64,
    /// It lies at an address that is written there.
    pub(crate) explicit: bool,
    pub(crate) uses: Vec<ParamId>,
    /// Of a list that is one array in blocks (spec 7.5): the first of these, and the shape of the whole.
    pub(crate) whole: Option<(ArrayId, Vec<u64>)>,
}

impl Row {
    /// It is an array, or a scalar that is no param.
    pub(crate) fn is_data(&self) -> bool {
        matches!(self.kind, Kind::Column(_) | Kind::Array(_))
    }

    /// It is a member of records that are presented as items of their dict.
    fn within(&mut self, layout: &Layout, spliced: Spliced) {
        let record = &layout[spliced.record];
        array_uses(layout, spliced.record, &mut self.uses, DEEPEST);
        self.record = Some(spliced.place);
        self.presented = record.presented;
        self.views.extend(view(layout, spliced.record, record.rank as usize));
        self.strides = spliced.strides;
    }
}

/// A struct. One that is declared once is several where its params differ, since they are those that
/// are known where it is used.
#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) record: RecordId,
    pub(crate) ty: Option<TypeId>,
    /// Its name, or the path of what it is the type of; both if the name is that of another, too.
    pub(crate) name: String,
    pub(crate) anchor: String,
    pub(crate) bytes: Option<Node>,
    pub(crate) members: Vec<Field>,
    /// Rows that are made of it.
    pub(crate) used_by: Vec<usize>,
}

/// A member of a struct.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) key: DocKey,
    /// Where its name stands in the text.
    pub(crate) span: Span,
    pub(crate) dtype: String,
    pub(crate) ty: Option<usize>,
    pub(crate) dims: Vec<Dimension>,
    pub(crate) views: Views,
    /// From the start of an instance.
    pub(crate) place: Place,
    pub(crate) primitive: Option<(Primitive, ByteOrder)>,
    /// Its filter, as it is written.
    pub(crate) filter: Option<String>,
    pub(crate) is_param: bool,
    pub(crate) align: u64,
}

/// Dimensions, by their numbers, that are presented as others (spec 7.7).
pub(crate) type Views = Vec<(usize, Vec<i64>)>;

impl<'a> Doc<'a> {
    /// Goes over the layout once.
    pub(crate) fn new(title: &str, file: &str, layout: &'a Layout, options: &Options) -> Doc<'a> {
        let mut plan = Plan::new(layout, place::start(options.raw));
        let mut rows = Vec::new();
        plan.walk(&mut |plan, found| rows.push(row(plan, found)));
        let end = plan.data_end();
        let mut doc = Doc {
            title: title.to_owned(),
            file: file.to_owned(),
            layout,
            order: layout.order().or(options.order).unwrap_or(ByteOrder::Little),
            raw: options.raw,
            stream: options
                .stream
                .clone()
                .unwrap_or_else(|| format!("{title}{}", if options.raw { ".dat" } else { ".bd" })),
            origin: options.origin,
            plan,
            inputs: Vec::new(),
            rows,
            types: Vec::new(),
            by_record: HashMap::new(),
            by_param: HashMap::new(),
            counts: HashMap::new(),
            counting: HashSet::new(),
            end,
            values: Vec::new(),
            unknown: Vec::new(),
        };
        doc.find_inputs(options);
        doc.find_counts();
        doc.find_types();
        doc.write_formulas();
        doc.values = doc.evaluated();
        doc.settle_examples();
        doc
    }

    /// What all operations come to with the inputs as they are, in first repetitions.
    fn evaluated(&self) -> Vec<Option<i64>> {
        let known: HashMap<ParamId, i128> =
            self.inputs.iter().map(|input| (input.param, input.value.into())).collect();
        let deepest = self.rows.iter().map(|row| row.repetitions.len()).max().unwrap_or(0);
        self.plan.evaluate(&|id| known.get(&id).copied(), &vec![0; deepest])
    }

    /// Takes other examples where some size is illegal with those that there are, if there are such.
    fn settle_examples(&mut self) {
        let mut illegal = self.illegal();
        for at in 0..self.inputs.len().min(MOST_SETTLED) {
            if illegal == 0 {
                break;
            }
            let Input { example: true, value: first, .. } = self.inputs[at] else { continue };
            let mut best = first;
            let (_, greatest) = self.inputs[at].range();
            for value in OTHER_EXAMPLES.into_iter().filter(|value| *value <= greatest) {
                self.inputs[at].value = value;
                self.values = self.evaluated();
                let now = self.illegal();
                if now < illegal {
                    (best, illegal) = (value, now);
                }
            }
            self.inputs[at].value = best;
        }
        self.values = self.evaluated();
        self.unknown = self.plan.unknown_of(&self.values);
    }

    /// How many places and sizes of rows are illegal.
    fn illegal(&self) -> usize {
        let places =
            self.rows.iter().flat_map(|row| [row.place.address, row.place.bytes, row.count]);
        let unknown = self.plan.unknown_of(&self.values);
        let illegal = |node: &Node| self.values[node.index()].is_none() && !unknown[node.index()];
        places.flatten().filter(illegal).count()
    }

    /// What is shown of a result that has no value.
    pub(crate) fn no_value(&self, node: Node) -> &'static str {
        if self.unknown.get(node.index()) == Some(&true) { "?" } else { "—" }
    }

    /// The rows that depend on each param at once.
    fn used(&self) -> HashMap<ParamId, Vec<usize>> {
        let mut used: HashMap<ParamId, Vec<usize>> = HashMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            for param in &row.uses {
                used.entry(*param).or_default().push(at);
            }
        }
        used
    }

    fn find_inputs(&mut self, options: &Options) {
        let mut used = self.used();
        let mut addresses: HashMap<ParamId, usize> = HashMap::new();
        for row in self.rows.iter().filter(|row| row.explicit) {
            let Kind::Array(id) = row.kind else { continue };
            let mut found = Vec::new();
            explicit(self.layout, self.layout[id].place, &mut found);
            for param in found {
                let next = addresses.len();
                addresses.entry(param).or_insert(next);
            }
        }
        let example = |param: ParamId| {
            let place = addresses.get(&param);
            place.map_or(EXAMPLE, |at| EXAMPLE_ADDRESS.saturating_mul(*at as i64 + 1))
        };
        for row in &self.rows {
            let Kind::Param(param) = row.kind else { continue };
            let declared = &self.layout[param];
            if !matches!(declared.scope, Scope::Dict(_)) {
                continue;
            }
            let presence = self.layout.attribute(row.key, "presence").is_some();
            let (value, example) = match (options.params.get(&param), declared.value) {
                (Some(value), _) => (*value, false),
                (None, ParamValue::Fixed(value)) if !declared.is_by_length() => (value, false),
                (None, _) => (if presence { -1 } else { example(param) }, true),
            };
            let label = self.plan.labels().param(param);
            let used_by = used.remove(&param).unwrap_or_default();
            self.by_param.insert(param, self.inputs.len());
            let fixed = matches!(declared.value, ParamValue::Fixed(_)) && !declared.is_by_length();
            let primitive = match declared.value {
                ParamValue::Streamed(primitive, _) => Some(primitive),
                ParamValue::Fixed(_) => None,
            };
            let mut input = Input { param, label, value, example, fixed, primitive, used_by };
            if example {
                input.value = value.min(input.range().1);
            }
            self.inputs.push(input);
        }
    }

    /// Formulas are made in the order of the operations, so that long ones begin anew in time.
    fn write_formulas(&mut self) {
        if let Some(end) = self.end {
            self.plan.text(end);
        }
    }

    /// The name of a type: with its byte order, if the layout says one.
    pub(crate) fn dtype(&self, element: Element) -> String {
        match element {
            Element::Primitive(primitive, _) if primitive.swap_unit() == 1 => {
                primitive.name().to_owned()
            }
            Element::Primitive(primitive, own) => primitive.with_order(own.or(self.layout.order())),
            Element::Record(record) => match self.layout[record].ty {
                Some(ty) => self.layout.name(self.layout.types()[ty.index()].name).to_owned(),
                None => "struct".to_owned(),
            },
        }
    }

    /// The type of a row, if it has one.
    pub(crate) fn row_dtype(&self, row: &Row) -> String {
        match row.kind {
            Kind::Dict => "dict".to_owned(),
            Kind::List => match &row.whole {
                Some((block, shape)) => {
                    format!("{}{shape:?}", self.dtype(self.layout[*block].element))
                }
                None => "list".to_owned(),
            },
            Kind::Param(id) => match self.layout[id].value {
                ParamValue::Fixed(_) => "fixed".to_owned(),
                ParamValue::Streamed(primitive, own) => {
                    self.dtype(Element::Primitive(primitive, own))
                }
            },
            Kind::Array(_) | Kind::Column(_) => {
                self.element(row).map_or_else(String::new, |element| self.dtype(element))
            }
        }
    }

    /// What an operation comes to at first.
    pub(crate) fn value(&self, node: Option<Node>) -> Option<i64> {
        self.values.get(node?.index()).copied().flatten()
    }

    /// How many repetitions of a row there are, in all lists around it.
    pub(crate) fn repeats(&self, row: &Row) -> Option<i64> {
        let mut counts = row.repetitions.iter().map(|count| self.value(*count));
        counts.try_fold(1_i64, |all, count| Some(all.saturating_mul(count?.max(0))))
    }

    /// Whether a list around a row has no items with the inputs as they are first.
    pub(crate) fn is_beyond(&self, row: &Row) -> bool {
        let mut counts = row.repetitions.iter().filter_map(|count| self.value(*count));
        counts.any(|count| count <= 0)
    }

    /// A dimension as it is declared.
    pub(crate) fn dim(&self, dim: &Dimension) -> String {
        self.plan.labels().count(dim.count)
    }

    /// Dimensions, as they are presented.
    pub(crate) fn dims(&self, dims: &[Dimension], views: &Views) -> Vec<String> {
        let mut all = Vec::new();
        for (at, dim) in dims.iter().enumerate() {
            match views.iter().find(|(viewed, _)| *viewed == at) {
                Some((_, shape)) => all.extend(shape.iter().map(i64::to_string)),
                None => all.push(self.dim(dim)),
            }
        }
        all
    }

    /// How what is presented otherwise is stored; none of what is not.
    pub(crate) fn stored(&self, dims: &[Dimension], views: &Views) -> Option<String> {
        let all: Vec<String> = dims.iter().map(|dim| self.dim(dim)).collect();
        (!views.is_empty()).then(|| format!("a view of [{}]", all.join(", ")))
    }

    /// The filter of an array, as it is written.
    pub(crate) fn filter(&self, id: ArrayId) -> Option<String> {
        Some(self.filter_text(self.layout[id].filter?))
    }

    /// A filter, as it is written.
    pub(crate) fn filter_text(&self, id: FilterId) -> String {
        let filter = &self.layout[id];
        let args: Vec<String> = filter.args.iter().map(argument).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        let stored = filter.stored.map(|dim| format!("[{}]", self.plan.labels().count(dim.count)));
        format!("{}{args}{}", self.layout.name(filter.name), stored.unwrap_or_default())
    }

    /// What is said of an input in short.
    pub(crate) fn input_words(&self, input: &Input) -> &str {
        let key = DocKey::of(self.layout[input.param].span);
        self.layout.doc(key).next().unwrap_or_default()
    }

    /// The input that a row is, if it can be set.
    pub(crate) fn input_of(&self, row: &Row) -> Option<usize> {
        let Kind::Param(id) = row.kind else { return None };
        self.by_param.get(&id).copied()
    }

    /// Rows of streamed params that say nothing but the size of one item, by the rows of these items.
    fn find_counts(&mut self) {
        let used = self.used();
        for (at, row) in self.rows.iter().enumerate() {
            let Kind::Param(id) = row.kind else { continue };
            let speaks = self.layout.doc(row.key).next().is_some()
                || !self.layout.attributes(row.key).is_empty();
            if let Some([item]) = used.get(&id).map(Vec::as_slice)
                && self.layout[id].is_streamed()
                && matches!(self.rows[*item].kind, Kind::Array(_))
                && split(&row.path).0 == split(&self.rows[*item].path).0
                && !speaks
            {
                self.counts.entry(*item).or_default().push(at);
            }
        }
        self.counting = self.counts.values().flatten().copied().collect();
    }

    /// What the elements of a row are; `None` where it is no data.
    pub(crate) fn element(&self, row: &Row) -> Option<Element> {
        match row.kind {
            Kind::Array(id) => Some(self.layout[id].element),
            Kind::Column(id) => match self.layout[id].value {
                ParamValue::Streamed(primitive, own) => Some(Element::Primitive(primitive, own)),
                ParamValue::Fixed(_) => None,
            },
            Kind::Dict | Kind::List | Kind::Param(_) => None,
        }
    }

    /// The index of the struct that a row is made of.
    pub(crate) fn row_type(&self, row: &Row) -> Option<usize> {
        match self.element(row)? {
            Element::Record(record) => self.by_record.get(&record).copied(),
            Element::Primitive(..) => None,
        }
    }
}

fn argument(value: &FilterValue) -> String {
    match value {
        FilterValue::Int(value) => value.to_string(),
        FilterValue::Float(value) => float(*value),
        FilterValue::Text(text) => format!("{text:?}"),
    }
}

/// In the shortest form that is still a float: `1.0`, `1e300`.
fn float(value: f64) -> String {
    format!("{value:?}")
}

/// The value of an attribute, as people read it; none of one that is just there.
pub(crate) fn attribute(value: &AttrValue) -> Option<String> {
    let list = |parts: Vec<String>| format!("[{}]", parts.join(", "));
    Some(match value {
        AttrValue::Int(value) => value.to_string(),
        AttrValue::Float(value) => float(*value),
        AttrValue::Text(text) => text.clone(),
        AttrValue::True => return None,
        AttrValue::Ints(all) => list(all.iter().map(ToString::to_string).collect()),
        AttrValue::Floats(all) => list(all.iter().copied().map(float).collect()),
        AttrValue::Texts(all) => list(all.iter().map(|text| format!("{text:?}")).collect()),
    })
}

fn row(plan: &mut Plan<'_>, found: Found<'_>) -> Row {
    let layout = plan.layout();
    let mut row = Row {
        kind: Kind::Dict,
        path: found.path.to_owned(),
        anchor: anchor(found.path),
        numbers: found.numbers.to_vec(),
        key: DocKey::LAYOUT,
        span: Span::default(),
        place: Place::default(),
        dims: Vec::new(),
        views: Views::new(),
        count: None,
        strides: Vec::new(),
        presented: false,
        record: None,
        repetitions: found.repetitions.to_vec(),
        align: 1,
        explicit: false,
        uses: Vec::new(),
        whole: None,
    };
    match found.what {
        What::Dict(id) => row.span = layout[id].span,
        What::Elided { .. } => {}
        What::List { list, length } => {
            row.kind = Kind::List;
            row.span = layout[list].span;
            row.count = length;
            let first = layout[list].pieces.iter().find_map(|piece| {
                match layout.run(layout[*piece].body).first() {
                    Some(Step::Array(id)) => Some(*id),
                    _ => None,
                }
            });
            let whole = layout.whole(list).ok().flatten();
            row.whole = first.zip(whole.map(|whole| whole.shape));
            for &piece in &layout[list].pieces {
                used(layout, layout[piece].count, &mut row.uses);
            }
        }
        What::Param { param, place, column: Some(column) } => {
            row.kind = Kind::Column(param);
            row.span = layout[param].span;
            row.align = layout[param].align;
            row.explicit = explicit(layout, layout[param].place, &mut row.uses);
            row.dims = column.dims;
            row.place = place.unwrap_or_default();
            let one = plan.number(1);
            row.count = plan.product(&row.dims, one);
            row.within(layout, column.spliced);
        }
        What::Param { param, place, column: None } => {
            let declared = &layout[param];
            row.kind = Kind::Param(param);
            row.span = declared.span;
            row.place = place.unwrap_or_default();
            row.align = declared.align;
            row.anchor = anchor(&of_param(found.path));
            row.explicit = explicit(layout, declared.place, &mut row.uses);
        }
        What::Array { array, dims, place, spliced } => {
            let declared = &layout[array];
            row.kind = Kind::Array(array);
            row.span = declared.span;
            row.align = declared.align;
            let one = plan.number(1);
            row.count = plan.product(&dims, one);
            row.explicit = explicit(layout, declared.place, &mut row.uses);
            array_uses(layout, array, &mut row.uses, 0);
            if let Some(spliced) = spliced {
                row.within(layout, spliced);
            }
            row.views.extend(view(layout, array, dims.len()));
            (row.dims, row.place) = (dims, place);
        }
    }
    if row.path != "/" {
        row.key = DocKey::of(row.span);
    }
    row.uses.sort_unstable();
    row.uses.dedup();
    row
}

/// The last of some dimensions and those that it is presented as, if an array is a view (spec 7.7).
pub(crate) fn view(layout: &Layout, array: ArrayId, dims: usize) -> Option<(usize, Vec<i64>)> {
    Some((dims.checked_sub(1)?, layout.view_of(&layout[array])?.shape.to_vec()))
}

fn explicit(layout: &Layout, place: Declared, uses: &mut Vec<ParamId>) -> bool {
    match place {
        Declared::Next => false,
        Declared::At(count, _) => {
            used(layout, count, uses);
            true
        }
    }
}

fn used(layout: &Layout, count: Count, uses: &mut Vec<ParamId>) {
    uses.extend(layout.params_of(count));
}

/// The params that an array's own size depends on; those of its members too.
fn array_uses(layout: &Layout, id: ArrayId, uses: &mut Vec<ParamId>, depth: u32) {
    let array = &layout[id];
    for dim in layout.dims(array) {
        used(layout, dim.count, uses);
    }
    if let Some(stored) = array.filter.and_then(|filter| layout[filter].stored) {
        used(layout, stored.count, uses);
    }
    if let (Element::Record(record), true) = (array.element, depth < DEEPEST) {
        for step in layout.run(layout[record].members) {
            if let dudley_parser::layout::Step::Array(member) = step {
                array_uses(layout, *member, uses, depth + 1);
            }
        }
    }
}
