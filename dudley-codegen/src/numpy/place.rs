//! The function that makes the items of a layout, and those in it for structs and lists. Where each lies, the
//! operations of the layout say (`place/operations.rs`).

mod operations;

use std::collections::{HashMap, HashSet};

use dudley_parser::Layout;
use dudley_parser::comments::{Attribute, value_names};
use dudley_parser::formula::plan::{Input, Node, Placed, Plan, Sequence};
use dudley_parser::layout::blocks::FILL_BYTES;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::{
    Array, ArrayId, DictId, DocKey, Element, ListId, ParamId, ParamValue, ROOT, RecordId, RepeatId,
    Run, Scope, Step,
};
use dudley_parser::pad::blanks;
use dudley_parser::span::Span;

use super::python::{self, Names, call, text};
use super::{TooDeep, presented};
use operations::Values;

/// Functions in functions; Python takes a hundred levels of indentation.
const DEEPEST: usize = 48;

/// The function, and which parts of the support it uses.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) text: String,
    pub(super) uses: HashSet<&'static str>,
}

/// The function for a layout.
pub(super) fn function(layout: &Layout) -> Result<Made, TooDeep> {
    let mut maker = Maker {
        layout,
        plan: Plan::for_programs(layout),
        names: Names::default(),
        params: HashMap::new(),
        dicts: HashMap::from([(ROOT, "root".to_owned())]),
        lists: HashMap::new(),
        needed: needed(layout),
        uses: HashSet::new(),
        frame: Frame::default(),
        outer: Vec::new(),
    };
    maker.enter(Span::default())?;
    maker.input(Input::Start, "start");
    maker.sequence(Sequence::Root)?;
    let mut text = String::from(
        "def place(root, at, start):\n    \"\"\"Places everything, in the order of the stream.\"\"\"\n",
    );
    for line in maker.leave() {
        text += &indented(&line, 4);
        text.push('\n');
    }
    Ok(Made { text, uses: maker.uses })
}

/// The dicts that something lies in, so that a variable for them is used.
fn needed(layout: &Layout) -> HashSet<DictId> {
    let of_arrays = layout.arrays().filter_map(|(_, array)| array.dict);
    let of_params = layout.params().filter_map(|(_, param)| match param.scope {
        Scope::Dict(dict) | Scope::Repeated(dict) => Some(dict),
        Scope::Record => None,
    });
    let parents = layout.dicts().iter().filter_map(|dict| dict.parent);
    of_arrays.chain(of_params).chain(parents).collect()
}

fn indented(line: &str, by: usize) -> String {
    if line.is_empty() { String::new() } else { blanks(by) + line }
}

/// A param as paths spell it.
fn spelled(layout: &Layout, id: ParamId) -> String {
    let mut label = String::new();
    layout.push_param(&mut label, id);
    label
}

/// The container of items.
enum Home {
    /// The dict of each.
    Dict,
    /// A repetition of a list.
    Items,
    /// A struct.
    Members(RecordId),
}

/// A function that is being written.
#[derive(Default)]
struct Frame {
    lines: Vec<String>,
    values: Values,
    /// The functions in it, by their text: the same types are written once.
    functions: HashMap<Vec<String>, String>,
    /// The lists that it has variables of.
    lists: Vec<ListId>,
}

struct Maker<'l> {
    layout: &'l Layout,
    plan: Plan<'l>,
    names: Names,
    params: HashMap<ParamId, String>,
    dicts: HashMap<DictId, String>,
    lists: HashMap<ListId, String>,
    needed: HashSet<DictId>,
    uses: HashSet<&'static str>,
    frame: Frame,
    /// The functions around it.
    outer: Vec<Frame>,
}

impl Maker<'_> {
    /// Begins a function for a declaration at a place of the text.
    fn enter(&mut self, span: Span) -> Result<(), TooDeep> {
        if self.outer.len() >= DEEPEST {
            // The outermost function is for the layout.
            return Err(TooDeep { limit: DEEPEST - 1, span });
        }
        self.names.enter();
        self.outer.push(std::mem::take(&mut self.frame));
        Ok(())
    }

    /// The lines of the function that is done.
    fn leave(&mut self) -> Vec<String> {
        self.names.leave();
        let outer = self.outer.pop().unwrap_or_default();
        let frame = std::mem::replace(&mut self.frame, outer);
        // An extension places the same items once more, in a function of its own.
        for list in frame.lists {
            self.lists.remove(&list);
        }
        let mut lines = frame.lines;
        if lines.is_empty() {
            lines.push("pass".to_owned());
        }
        lines
    }

    fn write(&mut self, line: String) {
        self.frame.lines.push(line);
    }

    fn call(&mut self, function: &str, arguments: &[String]) {
        let indent = 4 * self.outer.len();
        for line in call(function, arguments, indent) {
            self.write(line);
        }
    }

    /// Writes a function within the one at hand, unless the same is there. Its name.
    fn define(&mut self, name: &str, parameters: &str, lines: Vec<String>) -> String {
        let key = [vec![parameters.to_owned()], lines.clone()].concat();
        if let Some(known) = self.frame.functions.get(&key) {
            return known.clone();
        }
        let name = self.names.take(name, "struct");
        let frame = &mut self.frame;
        frame.functions.insert(key, name.clone());
        // A function within another stands between empty lines.
        if frame.lines.last().is_some_and(|line| !line.is_empty()) {
            frame.lines.push(String::new());
        }
        frame.lines.push(format!("def {name}({parameters}):"));
        frame.lines.extend(lines.iter().map(|line| indented(line, 4)));
        frame.lines.push(String::new());
        name
    }

    /// The items of a sequence, and the result behind them: the cursor, or the bytes of an instance.
    fn sequence(&mut self, of: Sequence) -> Result<Option<Node>, TooDeep> {
        let placing = self.plan.sequence(of);
        let behind = placing.behind.filter(|_| of != Sequence::Root);
        let mut needed: Vec<Option<Node>> = vec![behind];
        for placed in &placing.steps {
            needed.extend(placed.room.iter().flat_map(|room| [room.begin, room.row]));
            match placed.step {
                Step::Repeat(_) => needed.push(placed.place.cursor),
                step => {
                    needed.extend([placed.sought, placed.place.address, placed.place.bytes]);
                    if let Step::Array(id) = step {
                        let dims = self.plan.dims(&self.layout[id]);
                        needed.extend(dims.iter().map(|dim| dim.node));
                    }
                }
            }
        }
        self.count(needed.into_iter().flatten().collect());
        for placed in &placing.steps {
            let home = match of {
                Sequence::Root => Home::Dict,
                Sequence::Body(_) if placed.grouped => Home::Dict,
                Sequence::Body(_) => Home::Items,
                Sequence::Members(id) => Home::Members(id),
            };
            match placed.step {
                Step::Enter(dict) => self.dict(dict, None),
                Step::Group(dict) => self.dict(dict, Some("items")),
                Step::Param(param) => self.param(param, placed, &home),
                Step::Array(array) => self.array(array, placed, &home)?,
                Step::Repeat(repeat) => self.repeat(repeat, placed)?,
            }
        }
        Ok(behind)
    }

    /// A dict in its parent, or in a list.
    fn dict(&mut self, id: DictId, list: Option<&str>) {
        let dict = &self.layout[id];
        let name = self.layout.name(dict.name);
        let parent = dict.parent.map_or_else(|| "root".to_owned(), |parent| self.dict_name(parent));
        let made = match list {
            Some(list) => format!("at.dict({list}, None)"),
            None => format!("at.dict({parent}, {})", text(name)),
        };
        if self.needed.contains(&id) {
            let variable = self.names.take(name, "group");
            self.dicts.insert(id, variable.clone());
            self.write(format!("{variable} = {made}"));
        } else {
            self.write(made);
        }
    }

    fn dict_name(&self, id: DictId) -> String {
        self.dicts.get(&id).cloned().unwrap_or_else(|| "root".to_owned())
    }

    fn param(&mut self, id: ParamId, placed: &Placed, inside: &Home) {
        let layout = self.layout;
        let param = &layout[id];
        for line in layout.doc(DocKey::of(param.span)) {
            self.write(format!("# {}", python::comment(line)).trim_end().to_owned());
        }
        let (home, place) = match param.scope {
            Scope::Dict(dict) | Scope::Repeated(dict) => (self.dict_name(dict), "dict"),
            Scope::Record => ("m".to_owned(), "struct"),
        };
        // A struct has fields by their names, a dict params as paths spell them.
        let label = if place == "dict" { spelled(layout, id) } else { layout.param_label(id) };
        let (function, arguments) = match param.value {
            ParamValue::Fixed(_) if place == "struct" => return,
            ParamValue::Fixed(_) if param.stream_bytes => {
                ("at.fixed", vec![home, text(&label), "len(at.source.data)".to_owned()])
            }
            ParamValue::Fixed(value) => ("at.fixed", vec![home, text(&label), value.to_string()]),
            ParamValue::Streamed(primitive, order) => {
                let label = self.field_name(id, label, inside);
                let address = self.result(placed.place.address);
                let arguments = vec![home, text(&label), quoted_type(primitive, order), address];
                ("at.param", arguments)
            }
        };
        let mut arguments = arguments;
        if let (ParamValue::Streamed(primitive, _), Some(stated)) =
            (param.value, layout.stated_param(param))
        {
            self.uses.insert("Stated");
            let (value, element) = (python::value(&stated.value), text(primitive.name()));
            arguments.push(format!("const=Stated({value}, {element})"));
        }
        arguments.extend(value_names_of(layout, DocKey::of(param.span)));
        // Operations use the declared values of params that a caller cannot give.
        let is_number =
            matches!((param.scope, param.value), (Scope::Repeated(_), ParamValue::Fixed(_)));
        if param.used && !is_number {
            let name = self.variable(id);
            self.call(&format!("{name} = {function}"), &arguments);
        } else {
            self.call(function, &arguments)
        }
    }

    /// The value of a param that takes the rest of the stream, from the room that is left.
    fn take_room(&mut self, id: ParamId, function: &'static str, arguments: &[String]) {
        self.uses.insert("to_end");
        let layout = self.layout;
        let Scope::Dict(dict) = layout[id].scope else { return };
        let found = self.temporary();
        self.call(&format!("{found} = {function}"), arguments);
        let name = self.params.get(&id).cloned().unwrap_or_default();
        let arguments = [self.dict_name(dict), text(&spelled(layout, id)), found];
        self.call(&format!("{name} = at.room"), &arguments);
    }

    /// The name of a streamed param; as a field it differs from the names of all other members.
    fn field_name(&self, id: ParamId, label: String, inside: &Home) -> String {
        match inside {
            Home::Members(record) => self.layout.param_key(*record, id),
            _ => label,
        }
    }

    fn variable(&mut self, id: ParamId) -> String {
        let label = self.layout.param_label(id);
        let name = self.names.take(&label, "param");
        self.params.insert(id, name.clone());
        name
    }

    fn array(&mut self, id: ArrayId, placed: &Placed, home: &Home) -> Result<(), TooDeep> {
        let layout = self.layout;
        let array = &layout[id];
        let name = layout.name(array.name);
        let element = self.element(array)?;
        let (home, named) = match home {
            Home::Dict => {
                (array.dict.map_or_else(|| "root".to_owned(), |it| self.dict_name(it)), true)
            }
            Home::Items => ("items".to_owned(), false),
            Home::Members(_) => ("m".to_owned(), true),
        };
        let named = if named { text(name) } else { "None".to_owned() };
        if let Some(room) = placed.room {
            let (begin, row) = (self.result(room.begin), self.result(room.row));
            let varies = matches!(array.element, Element::Record(it) if layout[it].variable);
            let function = if varies { "instances_until_end" } else { "rows_until_end" };
            let mut arguments = vec!["at".to_owned(), begin, row];
            if varies {
                arguments.insert(1, element.clone());
            }
            self.take_room(room.param, function, &arguments);
        }
        let dims: Vec<String> =
            self.plan.dims(array).iter().map(|dim| self.result(dim.node)).collect();
        let dims = format!("[{}]", dims.join(", "));
        let mut more = Vec::new();
        if let Some(filter) = array.filter {
            self.uses.insert("Filter");
            let filter = &layout[filter];
            let counted = if filter.stored.is_none() { ", counted=True" } else { "" };
            more.push(format!("filter=Filter({}{counted})", text(layout.name(filter.name))));
        }
        if let Some(sought) = placed.sought {
            let sought = self.result(Some(sought));
            let arguments = [vec![element.clone(), dims.clone(), sought], more.clone()].concat();
            let stored = self.temporary();
            self.call(&format!("{stored} = at.stored"), &arguments);
            self.input(Input::Stored(id), &stored);
        }
        if array.spliced {
            more.push("spliced=True".to_owned());
        }
        if let Some(presented) = presented::argument(layout, array) {
            self.uses.insert("Presented");
            more.push(presented);
        }
        if let Ok(Some((start, _))) = layout.start(array.span) {
            more.push(format!("start={}", presented::tuple(&start)));
        }
        more.extend(self.described(array));
        let (address, bytes) = (self.result(placed.place.address), self.result(placed.place.bytes));
        let arguments = [vec![home, named, element, dims, address, bytes], more].concat();
        self.call("at.array", &arguments);
        Ok(())
    }

    /// The argument that makes a list one array in blocks (spec 7.5); nothing for other lists.
    fn whole(&mut self, list: ListId) -> String {
        let Ok(Some(whole)) = self.layout.whole(list) else { return String::new() };
        self.uses.insert("Whole");
        let shape = presented::tuple(&whole.shape);
        let fill = whole.fill.map(|said| {
            let name = if said.name == FILL_BYTES { "data" } else { "fill" };
            format!(", {name}={}", python::value(&said.value))
        });
        format!(", Whole({shape}{})", fill.unwrap_or_default())
    }

    /// Its legal value, unit and documentation.
    fn described(&mut self, array: &Array) -> Vec<String> {
        let (layout, key) = (self.layout, DocKey::of(array.span));
        let mut said = Vec::new();
        if let Some((stated, outer)) = stated(layout, array) {
            self.uses.insert("Stated");
            let mut arguments = vec![python::value(&stated.value)];
            let element = layout.elements(array).map(|it| text(it.name()));
            arguments.push(element.unwrap_or_else(|| "None".to_owned()));
            arguments.extend((outer > 0).then(|| outer.to_string()));
            said.push(format!("const=Stated({})", arguments.join(", ")));
        }
        let unit = layout.unit(key).filter(|unit| !unit.is_empty());
        said.extend(unit.map(|unit| format!("unit={}", text(unit))));
        said.extend(value_names_of(layout, key));
        let doc = layout.doc_without_unit(key).collect::<Vec<_>>().join("\n");
        if !doc.is_empty() {
            said.push(format!("doc={}", text(&doc)));
        }
        said
    }

    /// The type of an array; the type of a struct is a variable.
    fn element(&mut self, array: &Array) -> Result<String, TooDeep> {
        let id = match array.element {
            Element::Primitive(primitive, order) => {
                if primitive.is_text() {
                    self.uses.insert("Text");
                }
                return Ok(quoted_type(primitive, order));
            }
            Element::Record(id) => id,
        };
        let layout = self.layout;
        let record = &layout[id];
        let varying =
            record.variable || record.per_instance || self.is_read_apart(id, array.spliced);
        self.enter(array.span)?;
        if let Some(ty) = record.ty {
            let lines: Vec<String> =
                layout.doc(DocKey::of(layout[ty].span)).map(python::doc).collect();
            if !lines.is_empty() {
                self.write(format!("\"\"\"{}\"\"\"", lines.join("\n    ")));
            }
        }
        let bytes = self.sequence(Sequence::Members(id))?;
        let bytes = self.result(bytes);
        self.write(format!("return {bytes}"));
        let lines = self.leave();
        let wanted = match record.ty {
            Some(ty) => layout.name(layout[ty].name),
            None => layout.name(array.name),
        };
        let function = self.define(wanted, "m, at", lines);
        self.uses.insert("Struct");
        let class = if varying { "Varying" } else { "Struct" };
        if varying {
            self.uses.insert("Varying");
        }
        let single = if record.transparent { ", single=True" } else { "" };
        let made = self.temporary();
        self.write(format!("{made} = {class}(at, {function}{single})"));
        let instance = if varying { format!("{made}.fixed()") } else { format!("{made}.size") };
        self.input(Input::Instance(id), &instance);
        Ok(made)
    }

    /// Whether something in a struct must be decoded before numpy can have it, or is not stored row by row, as fields
    /// of numpy are; an item of its own may be strided.
    fn is_read_apart(&self, id: RecordId, spliced: bool) -> bool {
        let layout = self.layout;
        layout.run(layout[id].members).iter().any(|step| match step {
            Step::Array(array) => {
                let array = &layout[*array];
                array.filter.is_some()
                    || (array.presented && !spliced)
                    || matches!(array.element, Element::Record(inner) if self.is_read_apart(inner, false)
                        || layout[inner].variable || layout[inner].per_instance)
            }
            _ => false,
        })
    }

    /// A piece of a list.
    fn repeat(&mut self, id: RepeatId, placed: &Placed) -> Result<(), TooDeep> {
        self.uses.insert("repeat");
        let layout = self.layout;
        let repeat = &layout[id];
        let list = &layout[repeat.list];
        let name = layout.name(list.name);
        let known = self.lists.get(&repeat.list).filter(|_| list.outer.is_none()).cloned();
        let variable = match known {
            Some(variable) => variable,
            None => {
                let variable = self.names.take(name, "inner");
                let whole = self.whole(repeat.list);
                let made = match list.outer {
                    None => {
                        format!(
                            "new_list(at, {}, {}{whole})",
                            self.dict_name(list.dict),
                            text(name)
                        )
                    }
                    Some(_) => format!("new_list(at, items, None{whole})"),
                };
                self.write(format!("{variable} = {made}"));
                self.lists.insert(repeat.list, variable.clone());
                self.frame.lists.push(repeat.list);
                variable
            }
        };
        self.enter(repeat.span)?;
        self.input(Input::Cursor(id), "here");
        let behind = self.sequence(Sequence::Body(id))?;
        let behind = self.result(behind);
        self.write(format!("return {behind}"));
        let lines = self.leave();
        let body = self.define(&format!("items_of_{variable}"), "items, at, here", lines);
        if let Some(room) = placed.room {
            let cursor = self.result(room.begin);
            let mut arguments = vec!["at".to_owned(), variable.clone(), body.clone(), cursor];
            arguments.extend(repeat.varying.then(|| "varying=True".to_owned()));
            self.take_room(room.param, "repetitions_until_end", &arguments);
        }
        let count = self.plan.repetitions(id);
        let (count, cursor) = (self.result(count), self.result(placed.place.cursor));
        let mut arguments = vec!["at".to_owned(), variable, count, body];
        arguments.extend([repeat.body.len().to_string(), cursor]);
        match (repeat.varying, repeat.absolute) {
            (true, _) => arguments.push("varying=True".to_owned()),
            (false, true) => {}
            (false, false) => arguments.push(format!("phase={}", repeat.phase)),
        }
        if let Some(false) = uses_own_params(layout, repeat.body) {
            arguments.push("alike=True".to_owned());
        }
        let behind = self.temporary();
        self.call(&format!("{behind} = repeat"), &arguments);
        self.input(Input::Behind(id), &behind);
        Ok(())
    }
}

/// The argument that gives the names of the values of something, if they have some.
fn value_names_of(layout: &Layout, key: DocKey) -> Option<String> {
    let names = value_names(layout.attributes(key)).into_iter();
    let names: Vec<String> = names.map(|(value, it)| format!("{value}: {}", text(it))).collect();
    (!names.is_empty()).then(|| format!("names={{{}}}", names.join(", ")))
}

/// Whether something needs a param that is read in each repetition of a body; `None` if there is none.
fn uses_own_params(layout: &Layout, body: Run) -> Option<bool> {
    let own = layout.run(body).iter().filter_map(|step| match *step {
        Step::Param(id) if layout[id].is_streamed() => Some(layout[id].used),
        Step::Group(dict) => uses_own_params(layout, layout[dict].run),
        Step::Repeat(id) => uses_own_params(layout, layout[id].body),
        _ => None,
    });
    own.reduce(|one, other| one || other)
}

/// A primitive with its order, if it has one of its own.
fn quoted_type(primitive: Primitive, order: Option<ByteOrder>) -> String {
    format!("\"{}\"", primitive.with_order(order))
}

/// As [`Layout::stated`], with the declarations of the member that represents a struct.
fn stated<'l>(layout: &'l Layout, array: &Array) -> Option<(&'l Attribute, usize)> {
    let of_member = || match array.element {
        Element::Record(id) if layout[id].transparent => {
            let (stated, outer) = stated(layout, layout.first_member(id)?)?;
            Some((stated, outer + array.rank as usize))
        }
        _ => None,
    };
    layout.stated(array).or_else(of_member)
}
