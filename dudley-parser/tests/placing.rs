//! Addresses of random layouts, compared with a model that places byte by byte: it moves the cursor
//! on until it is aligned, goes through every member of every instance and every repetition, and
//! reads params where it comes by them. It shares nothing with the resolver but the rules.

use dudley_parser::Layout;
use dudley_parser::layout::{Array, ArrayId};
use dudley_parser::resolve::{
    Event, Fault, Flow, Found, Given, Node, ParamAt, Resolver, State, Values, WalkOptions,
};
use std::collections::HashMap;

/// Numbers that only look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % limit
    }

    fn one_in(&mut self, odds: u64) -> bool {
        self.below(odds) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

#[derive(Clone, Debug)]
enum Number {
    Int(i64),
    Param(&'static str, i64),
    Sum(&'static str, i64),
}

#[derive(Clone, Copy, Debug)]
enum Mark {
    None,
    Align(u64),
    At(u64),
    AtSum(&'static str, u64),
}

#[derive(Clone, Debug)]
enum Type {
    Plain(&'static str, u64),
    Struct(Vec<Item>, Option<u64>),
    /// By its number; a typedef where the single member has no name.
    Named(usize),
}

#[derive(Clone, Debug)]
struct Data {
    dtype: Type,
    shape: Vec<Number>,
    mark: Mark,
}

#[derive(Clone, Debug)]
enum Item {
    Data(String, Data),
    Fixed(&'static str, i64),
    Streamed(&'static str, Mark),
    Enter(String),
    Root,
    List(String, Vec<Element>, Number),
    Extend(String, Number),
}

#[derive(Clone, Debug)]
enum Element {
    Data(Data),
    List(Vec<Element>, Number),
    Dict(Vec<Item>),
}

const NAMES: [&str; 3] = ["A", "B", "C"];
const PLAIN: [(&str, u64); 7] =
    [("i1", 1), ("u2", 2), ("f4", 4), ("f8", 8), ("c16", 16), ("b1", 1), ("c8", 8)];

/// Makes layouts up.
struct Maker {
    random: Random,
    named: usize,
    types: Vec<(String, Type)>,
}

impl Maker {
    fn name(&mut self) -> String {
        self.named += 1;
        format!("x{}", self.named)
    }

    fn number(&mut self, dim: bool) -> Number {
        let name = self.random.pick(&NAMES);
        match self.random.below(if dim { 9 } else { 6 }) {
            0..=2 => Number::Int(self.random.below(4) as i64),
            3 | 4 => Number::Param(name, 0),
            5 => Number::Param(name, self.random.pick(&[1, 1, 2, -1])),
            6 => Number::Sum(name, self.random.pick(&[0, 1, 3, -1])),
            7 => Number::Int(-1),
            _ => Number::Int(2),
        }
    }

    fn mark(&mut self) -> Mark {
        match self.random.below(24) {
            0..=4 => Mark::Align(self.random.pick(&[1, 2, 4, 8, 16, 32])),
            5 => Mark::At(self.random.below(120)),
            6 => Mark::AtSum(self.random.pick(&NAMES), 1 + self.random.below(90)),
            _ => Mark::None,
        }
    }

    fn data(&mut self, depth: u64) -> Data {
        let dtype = match self.random.below(10) {
            0 | 1 if depth > 0 => self.body(depth - 1),
            2 | 3 if !self.types.is_empty() => {
                Type::Named(self.random.below(self.types.len() as u64) as usize)
            }
            _ => {
                let (name, size) = self.random.pick(&PLAIN);
                Type::Plain(name, size)
            }
        };
        let rank = self.random.pick(&[0, 0, 1, 1, 2]);
        let shape: Vec<Number> = (0..rank).map(|_| self.number(true)).collect();
        let mark = match (&dtype, self.mark()) {
            // After a struct without a shape it would be the struct's.
            (Type::Struct(..), Mark::Align(_)) if shape.is_empty() => Mark::None,
            (_, mark) => mark,
        };
        Data { dtype, shape, mark }
    }

    fn body(&mut self, depth: u64) -> Type {
        let mut members = Vec::new();
        for _ in 0..self.random.below(4) {
            members.push(match self.random.below(8) {
                0 | 1 => Item::Streamed(self.random.pick(&NAMES), self.mark()),
                2 => Item::Fixed(self.random.pick(&NAMES), self.random.below(5) as i64 - 1),
                _ => Item::Data(self.name(), self.data(depth)),
            });
        }
        let align = self.random.one_in(5).then(|| self.random.pick(&[1, 2, 8, 16]));
        Type::Struct(members, align)
    }

    fn items(&mut self, depth: u64, lists: &mut Vec<String>) -> Vec<Item> {
        let mut items = Vec::new();
        // A dict has its own lists: extensions look for them where they stand.
        let mut here = String::new();
        let mut own: Vec<(String, String)> = Vec::new();
        let mut spliced = false;
        for _ in 0..1 + self.random.below(7) {
            items.push(match self.random.below(14) {
                0 | 1 => Item::Streamed(self.random.pick(&NAMES), self.mark()),
                2 => Item::Fixed(self.random.pick(&NAMES), self.random.below(5) as i64 - 1),
                3 => {
                    here = self.name();
                    Item::Enter(here.clone())
                }
                4 => {
                    here.clear();
                    Item::Root
                }
                5..=7 if depth > 0 => {
                    let name = self.name();
                    own.push((here.clone(), name.clone()));
                    lists.push(name.clone());
                    let elements = self.elements(depth - 1);
                    Item::List(name, elements, self.number(false))
                }
                8 => match own.iter().find(|(dict, _)| *dict == here) {
                    Some((_, list)) => Item::Extend(list.clone(), self.number(false)),
                    None => continue,
                },
                9 if !spliced && here.is_empty() => {
                    spliced = true;
                    let members = (0..1 + self.random.below(3)).map(|_| {
                        let (name, size) = self.random.pick(&PLAIN);
                        let shape = vec![self.number(true)];
                        let dtype = Type::Plain(name, size);
                        Item::Data(self.name(), Data { dtype, shape, mark: self.mark() })
                    });
                    let dtype = Type::Struct(members.collect(), None);
                    let shape = vec![self.number(true)];
                    Item::Data(String::new(), Data { dtype, shape, mark: self.mark() })
                }
                _ => Item::Data(self.name(), self.data(2)),
            });
        }
        items
    }

    fn elements(&mut self, depth: u64) -> Vec<Element> {
        let one = |maker: &mut Self| match maker.random.below(6) {
            0 if depth > 0 => {
                let elements = maker.elements(depth - 1);
                Element::List(elements, maker.number(false))
            }
            1 | 2 if depth > 0 => Element::Dict(maker.items(depth - 1, &mut Vec::new())),
            _ => Element::Data(maker.data(1)),
        };
        (0..1 + self.random.below(3)).map(|_| one(self)).collect()
    }

    /// A layout: params that are always in scope, types, then anything.
    fn layout(seed: u64) -> (Vec<(String, Type)>, Vec<Item>) {
        let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed);
        let mut maker = Maker { random, named: 0, types: Vec::new() };
        let mut items = Vec::new();
        for name in NAMES {
            items.push(match maker.random.one_in(2) {
                true => Item::Streamed(name, Mark::None),
                false => Item::Fixed(name, maker.random.below(5) as i64 - 1),
            });
        }
        for at in 0..maker.random.below(4) {
            let dtype = match maker.random.one_in(3) {
                true => {
                    let data = Data { mark: Mark::None, ..maker.data(1) };
                    Type::Struct(vec![Item::Data(String::new(), data)], None)
                }
                false => maker.body(1),
            };
            maker.types.push((format!("T{at}"), dtype));
        }
        items.extend(maker.items(3, &mut Vec::new()));
        (maker.types, items)
    }
}

/// Writes layouts.
struct Writer<'t>(&'t [(String, Type)]);

impl Writer<'_> {
    fn number(&self, number: &Number) -> String {
        match number {
            Number::Int(value) => value.to_string(),
            Number::Param(name, suffix) if *suffix < 0 => name.to_string() + "-",
            Number::Param(name, suffix) => name.to_string() + &"+".repeat(*suffix as usize),
            Number::Sum(name, by) => format!("{name}{by:+}"),
        }
    }

    fn mark(&self, mark: Mark) -> String {
        match mark {
            Mark::None => String::new(),
            Mark::Align(align) => format!(" %{align}"),
            Mark::At(address) => format!(" @{address}"),
            Mark::AtSum(name, by) => format!(" @{name}+{by}"),
        }
    }

    fn dtype(&self, dtype: &Type) -> String {
        match dtype {
            Type::Plain(name, _) => name.to_string(),
            Type::Named(at) => self.0[*at].0.clone(),
            Type::Struct(members, align) => {
                let align = align.map_or(String::new(), |align| format!(" %{align}"));
                format!("{{ {} }}{align}", self.items(members))
            }
        }
    }

    fn data(&self, data: &Data) -> String {
        let dims: Vec<String> = data.shape.iter().map(|dim| self.number(dim)).collect();
        let shape = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
        self.dtype(&data.dtype) + &shape + &self.mark(data.mark)
    }

    fn list(&self, elements: &[Element], repeat: &Number) -> String {
        let one = |element: &Element| match element {
            Element::Data(data) => self.data(data),
            Element::List(elements, repeat) => self.list(elements, repeat),
            Element::Dict(items) => format!("/ {}", self.items(items)),
        };
        let elements: Vec<String> = elements.iter().map(one).collect();
        format!("[{}]*{}", elements.join(", "), self.number(repeat))
    }

    fn items(&self, items: &[Item]) -> String {
        let mut text = String::new();
        for item in items {
            text += &match item {
                Item::Data(name, data) => format!("'{name}' = {}", self.data(data)),
                Item::Fixed(name, value) => format!("{name} : {value}"),
                Item::Streamed(name, mark) => format!("{name} : i1{}", self.mark(*mark)),
                Item::Enter(name) => format!("/ {name}/"),
                Item::Root => "/".to_owned(),
                Item::List(name, elements, repeat) => {
                    format!("{name} = {}", self.list(elements, repeat))
                }
                Item::Extend(name, count) => format!("{name}[{}]", self.number(count)),
            };
            text.push('\n');
        }
        text
    }

    fn layout(&self, items: &[Item]) -> String {
        let types = self.0.iter().map(|(name, body)| format!("{name} {}\n", self.dtype(body)));
        types.collect::<String>() + &self.items(items)
    }
}

/// What lies where: path, address, bytes, shape.
#[derive(Clone, Debug, PartialEq)]
enum Seen {
    Data(String, u64, u64, Vec<u64>),
    Param(String, Option<u64>),
    List(String, u64),
    Dict(String),
    /// The rest cannot be placed.
    Fault(String),
}

type Scope = HashMap<&'static str, i64>;

/// A number that is not legal.
struct Bad;

type Placed<T> = Result<T, Bad>;

/// What a later extension repeats: the element, and the params that were in force.
type Written = (Option<Element>, Scope, u64);

struct Model<'m> {
    types: &'m [(String, Type)],
    bytes: &'m [u8],
    cursor: u64,
    seen: Vec<Seen>,
    /// The work done so far; some layouts come to too much.
    work: u64,
}

impl Model<'_> {
    fn byte(&self, address: u64) -> i64 {
        i64::from(self.bytes.get(address as usize).copied().unwrap_or(0) as i8)
    }

    fn value(&self, number: &Number, scope: &Scope) -> i64 {
        match number {
            Number::Int(value) => *value,
            Number::Param(name, suffix) => match scope[name] {
                0 => 0,
                -1 => -1,
                value => value + suffix,
            },
            Number::Sum(name, by) => scope[name] + by,
        }
    }

    fn dim(&self, number: &Number, scope: &Scope) -> Placed<Option<u64>> {
        let value = self.value(number, scope);
        let removed = match number {
            Number::Int(value) => *value == -1,
            Number::Param(name, _) => scope[name] == -1,
            Number::Sum(..) => false,
        };
        match value {
            -1 if removed => Ok(None),
            0.. => Ok(Some(value as u64)),
            _ => Err(Bad),
        }
    }

    fn times(&self, number: &Number, scope: &Scope) -> Placed<u64> {
        u64::try_from(self.value(number, scope)).map_err(|_| Bad)
    }

    fn body(&self, dtype: &Type) -> Option<(Vec<Item>, Option<u64>)> {
        match dtype {
            Type::Plain(..) => None,
            Type::Struct(members, align) => Some((members.clone(), *align)),
            Type::Named(at) => self.body(&self.types[*at].1),
        }
    }

    /// The data that a typedef stands for, if it has no streamed param.
    fn typedef(&self, dtype: &Type) -> Option<Data> {
        match self.body(dtype)?.0.as_slice() {
            [Item::Data(name, data)] if name.is_empty() => Some(data.clone()),
            _ => None,
        }
    }

    fn align_of(&self, dtype: &Type) -> u64 {
        if let Type::Plain(_, size) = dtype {
            return *size;
        }
        let (members, own) = self.body(dtype).expect("a struct");
        let mut align = 1;
        for member in &members {
            align = align.max(match member {
                Item::Data(_, data) => self.align(&data.dtype, data.mark),
                Item::Streamed(_, Mark::Align(align)) => *align,
                _ => 1,
            });
        }
        own.unwrap_or(align)
    }

    fn align(&self, dtype: &Type, mark: Mark) -> u64 {
        match mark {
            Mark::Align(align) => align,
            _ => self.align_of(dtype),
        }
    }

    /// The shape with that of typedefs, and what the elements are.
    fn unfold(&self, data: &Data, scope: &Scope) -> Placed<(Vec<u64>, Type)> {
        let mut shape = Vec::new();
        let mut data = data.clone();
        loop {
            for dim in &data.shape {
                shape.extend(self.dim(dim, scope)?);
            }
            match self.typedef(&data.dtype) {
                Some(inner) => data = inner,
                None => return Ok((shape, data.dtype)),
            }
        }
    }

    /// Bytes of an array that begins at an address of the stream.
    fn bytes_of(
        &mut self,
        shape: &[u64],
        dtype: &Type,
        address: u64,
        scope: &Scope,
    ) -> Placed<u64> {
        let count: u64 = shape.iter().product();
        let mut bytes = 0;
        for _ in 0..count {
            self.work += 1;
            if self.work > 200_000 {
                return Err(Bad);
            }
            bytes += match dtype {
                Type::Plain(_, size) => *size,
                dtype => self.instance(dtype, address + bytes, scope)?,
            };
        }
        Ok(bytes)
    }

    /// Bytes of one instance of a struct at an address.
    fn instance(&mut self, dtype: &Type, address: u64, scope: &Scope) -> Placed<u64> {
        let (members, _) = self.body(dtype).expect("a struct");
        let mut scope = scope.clone();
        let (mut cursor, mut end) = (0, 0);
        for member in &members {
            match member {
                Item::Fixed(name, value) => drop(scope.insert(name, *value)),
                Item::Streamed(name, mark) => {
                    let begin = begin(cursor, self.at(*mark, &scope)?, 1, align_of_mark(*mark, 1));
                    scope.insert(name, self.byte(address + begin));
                    cursor = begin + 1;
                }
                Item::Data(_, data) => {
                    cursor = self.place(data, cursor, address, &scope)?.1;
                }
                _ => panic!("no member"),
            }
            end = end.max(cursor);
        }
        while end % self.align_of(dtype) != 0 {
            end += 1;
        }
        Ok(end)
    }

    fn at(&self, mark: Mark, scope: &Scope) -> Placed<Option<u64>> {
        match mark {
            Mark::At(address) => Ok(Some(address)),
            Mark::AtSum(name, by) => {
                u64::try_from(scope[name] + by as i64).map(Some).map_err(|_| Bad)
            }
            _ => Ok(None),
        }
    }

    /// Begin and end of data, and its shape; `base` is where the instance around it begins.
    fn place(
        &mut self,
        data: &Data,
        cursor: u64,
        base: u64,
        scope: &Scope,
    ) -> Placed<(u64, u64, Vec<u64>)> {
        let explicit = self.at(data.mark, scope)?;
        let (shape, dtype) = self.unfold(data, scope)?;
        let align = self.align(&data.dtype, data.mark);
        let aligned = begin(cursor, explicit, 1, align);
        let bytes = self.bytes_of(&shape, &dtype, base + aligned, scope)?;
        let begin = begin(cursor, explicit, bytes, align);
        Ok((begin, begin + bytes, shape))
    }

    fn data(&mut self, path: String, data: &Data, scope: &Scope) -> Placed<()> {
        match self.place(data, self.cursor, 0, scope) {
            Ok((begin, end, shape)) => {
                self.cursor = end;
                self.seen.push(Seen::Data(path, begin, end - begin, shape));
                Ok(())
            }
            Err(bad) => {
                self.seen.push(Seen::Fault(path));
                Err(bad)
            }
        }
    }

    /// A dict body. `outer` are the params in force around it.
    fn dict(&mut self, path: &str, items: &[Item], outer: &Scope) -> Placed<()> {
        let mut root = outer.clone();
        let mut dicts: HashMap<String, Scope> = HashMap::new();
        let mut redeclared: HashMap<(String, &str), usize> = HashMap::new();
        let mut lists: HashMap<String, Written> = HashMap::new();
        let mut current = String::new();
        let totals = totals(items);
        for item in items {
            // What the dict itself declares is nearer than what is around it.
            let mut scope = root.clone();
            scope.extend(dicts.get(&current).into_iter().flatten());
            let here = format!("{path}{current}");
            match item {
                Item::Root => current.clear(),
                Item::Enter(name) => {
                    current = format!("/{name}");
                    self.seen.push(Seen::Dict(format!("{path}{current}")));
                }
                Item::Fixed(name, _) | Item::Streamed(name, _) => {
                    let number = redeclared.entry((current.clone(), *name)).or_default();
                    *number += 1;
                    let mut path = format!("{here}/{name}");
                    if *number > 1 {
                        path += &format!("#{number}");
                    }
                    let (address, value) = match item {
                        Item::Streamed(_, mark) => {
                            let Ok(explicit) = self.at(*mark, &scope) else {
                                self.seen.push(Seen::Fault(path));
                                return Err(Bad);
                            };
                            let at = begin(self.cursor, explicit, 1, align_of_mark(*mark, 1));
                            self.cursor = at + 1;
                            (Some(at), self.byte(at))
                        }
                        Item::Fixed(_, value) => (None, *value),
                        _ => unreachable!("matched above"),
                    };
                    self.seen.push(Seen::Param(path, address));
                    match current.is_empty() {
                        true => root.insert(name, value),
                        false => dicts.entry(current.clone()).or_default().insert(name, value),
                    };
                }
                Item::Data(name, data) => {
                    let name = if name.is_empty() { "\"\"" } else { name };
                    self.data(format!("{here}/{name}"), data, &scope)?;
                }
                Item::List(name, elements, repeat) => {
                    let path = format!("{here}/{name}");
                    // The length takes the extensions in, which may need params not read yet.
                    self.seen.push(Seen::List(path.clone(), totals[name]));
                    let Ok(times) = self.times(repeat, &scope) else {
                        self.seen.push(Seen::Fault(path));
                        return Err(Bad);
                    };
                    let count = self.repeat(&path, 0, elements, times, &scope)?;
                    lists.insert(name.clone(), (elements.last().cloned(), scope, count));
                }
                Item::Extend(name, count) => {
                    let path = format!("{here}/{name}");
                    let Ok(times) = self.times(count, &scope) else {
                        self.seen.push(Seen::Fault(path));
                        return Err(Bad);
                    };
                    let (last, then, before) = lists.get(name).expect("a list").clone();
                    let last: Vec<Element> = last.into_iter().collect();
                    let more = self.repeat(&path, before, &last, times, &then)?;
                    lists.get_mut(name).expect("a list").2 += more;
                }
            }
        }
        Ok(())
    }

    /// Repetitions of elements; gives how many items they are.
    fn repeat(
        &mut self,
        path: &str,
        first: u64,
        elements: &[Element],
        times: u64,
        scope: &Scope,
    ) -> Placed<u64> {
        let mut index = first;
        for _ in 0..times {
            for element in elements {
                let path = format!("{path}/{index}");
                index += 1;
                match element {
                    Element::Data(data) => self.data(path, data, scope)?,
                    Element::Dict(items) => {
                        self.seen.push(Seen::Dict(path.clone()));
                        self.dict(&path, items, scope)?;
                    }
                    Element::List(elements, repeat) => {
                        self.seen.push(Seen::List(path.clone(), ANY));
                        let Ok(times) = self.times(repeat, scope) else {
                            self.seen.push(Seen::Fault(path));
                            return Err(Bad);
                        };
                        self.repeat(&path, 0, elements, times, scope)?;
                    }
                }
                self.work += 1;
                if self.work > 200_000 {
                    return Err(Bad);
                }
            }
        }
        Ok(index - first)
    }
}

/// A length that is not compared: it is what the items say.
const ANY: u64 = u64::MAX;

fn totals(items: &[Item]) -> HashMap<String, u64> {
    let lists = items.iter().filter_map(|item| match item {
        Item::List(name, ..) => Some((name.clone(), ANY)),
        _ => None,
    });
    lists.collect()
}

fn align_of_mark(mark: Mark, natural: u64) -> u64 {
    if let Mark::Align(align) = mark { align } else { natural }
}

fn begin(cursor: u64, explicit: Option<u64>, bytes: u64, align: u64) -> u64 {
    let mut begin = explicit.unwrap_or(cursor);
    while explicit.is_none() && bytes > 0 && begin % align != 0 {
        begin += 1;
    }
    begin
}

struct Bytes<'b>(&'b [u8]);

impl Values for Bytes<'_> {
    fn param(&self, param: &ParamAt) -> Result<i128, Fault> {
        Ok(i128::from(self.0.get(param.address as usize).copied().unwrap_or(0) as i8))
    }

    fn stored(&self, _: ArrayId, _: u64) -> Result<u64, Fault> {
        Err(Fault::Unknown)
    }
}

fn array_path(layout: &Layout, array: &Array, path: &str) -> String {
    // A list item has no name; its path is complete.
    assert!(array.dict.is_some(), "{}", layout.text());
    path.to_owned()
}

fn walked(layout: &Layout, given: &Given, bytes: &[u8], limit: usize) -> Vec<Seen> {
    let values = Bytes(bytes);
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, given, &values, &mut state);
    let mut seen = Vec::new();
    let mut visit = |resolver: &mut Resolver<'_>, event: Event<'_>| {
        let path = event.path.to_owned();
        seen.push(match event.found {
            Found::Dict(_) if path == "/" => return Flow::Continue,
            Found::Dict(_) => Seen::Dict(path),
            Found::List { length, .. } => Seen::List(path, length.unwrap_or(ANY)),
            Found::Array { array, placed: Ok(placed) } => {
                let array = &layout[array];
                let path = array_path(layout, array, &path);
                let shape = resolver.shape(array).expect("what is placed has a shape");
                Seen::Data(path, placed.address, placed.bytes, shape)
            }
            Found::Param { placed: None, .. } => Seen::Param(path, None),
            Found::Param { placed: Some(Ok(placed)), .. } => {
                Seen::Param(path, Some(placed.address))
            }
            Found::Array { .. } | Found::Param { .. } => Seen::Fault(path),
            Found::Elided { .. } => panic!("nothing is to be left out"),
        });
        if seen.len() > limit { Flow::Stop } else { Flow::Continue }
    };
    resolver.walk(WalkOptions::default(), &mut visit);
    seen
}

/// Finds a path from the root.
fn find(resolver: &mut Resolver<'_>, path: &str) -> Option<Node> {
    let mut node = Node::root();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        if let Ok(index) = segment.parse() {
            node = resolver.item(&node, index).ok()??;
            continue;
        }
        let (name, ordinal) = match segment.split_once('#') {
            Some((name, number)) => (name, number.parse::<usize>().ok()? - 1),
            None => (segment, 0),
        };
        let name = name.trim_matches('"');
        let last = segments.peek().is_none();
        node = match resolver.child(&node, name) {
            Some(node) => node,
            None if last => resolver.param_of(&node, name, ordinal)?,
            None => return None,
        };
    }
    Some(node)
}

/// A fresh lookup of every path finds what the walk found.
fn look_up(layout: &Layout, given: &Given, bytes: &[u8], seen: &[Seen]) {
    let values = Bytes(bytes);
    for one in seen.iter().step_by(1 + seen.len() / 60) {
        let mut state = State::new();
        let mut resolver = Resolver::new(layout, given, &values, &mut state);
        let (path, address) = match one {
            Seen::Data(path, address, ..) => (path, *address),
            Seen::Param(path, Some(address)) => (path, *address),
            _ => continue,
        };
        let text = layout.text();
        let node = find(&mut resolver, path).unwrap_or_else(|| panic!("no {path} in\n{text}"));
        let placed = resolver.place(&node).unwrap_or_else(|e| panic!("{path}: {e}\n{text}"));
        assert_eq!(placed.address, address, "{path} in\n{text}");
        if let Seen::Data(_, _, bytes, shape) = one {
            assert_eq!(placed.bytes, *bytes, "{path} in\n{text}");
            let array = resolver.array_of(&node).expect("an array");
            let found = resolver.shape(&array.clone()).expect("a shape");
            assert_eq!(found, *shape, "{path} in\n{text}");
        }
    }
}

fn stream(seed: u64) -> Vec<u8> {
    let mut random = Random(seed ^ 0x5555);
    (0..4096).map(|_| random.pick(&[0, 1, 1, 2, 2, 3, 3, 4, 255])).collect()
}

#[test]
fn random_layouts() {
    let mut compared = 0;
    let mut complete = 0;
    let rounds = std::env::var("PLACING_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    for seed in 0..rounds {
        let (types, items) = Maker::layout(seed);
        let text = Writer(&types).layout(&items);
        let checked = dudley_parser::check_to_read(text.as_bytes());
        let Some(layout) = checked.layout else {
            panic!("{text}\n{:?}", checked.diagnostics);
        };
        let bytes = stream(seed);
        let start = if seed % 2 == 0 { 0 } else { 16 };
        let mut model =
            Model { types: &types, bytes: &bytes, cursor: start, seen: Vec::new(), work: 0 };
        let fine = model.dict("", &items, &Scope::new()).is_ok();
        if model.work > 200_000 {
            continue;
        }
        let expected = model.seen;
        let given = Given { start, ..Given::default() };
        let found = walked(&layout, &given, &bytes, expected.len());
        for (at, expected) in expected.iter().enumerate() {
            let same = match (expected, found.get(at)) {
                (Seen::List(a, ANY), Some(Seen::List(b, _))) => a == b,
                // A repeat that is illegal has no row of its own.
                (Seen::Fault(_), None) => true,
                (Seen::Fault(a), Some(Seen::Data(b, ..))) => a != b,
                (Seen::Fault(_), Some(_)) => true,
                (a, b) => Some(a) == b,
            };
            let found = found.get(at);
            assert!(same, "seed {seed}: {expected:?} but {found:?}\n{text}");
            compared += 1;
        }
        let placed = if fine { &expected[..] } else { &expected[..expected.len() - 1] };
        if fine {
            assert_eq!(found.len(), expected.len(), "seed {seed}\n{text}");
            look_up(&layout, &given, &bytes, placed);
            complete += 1;
        }
    }
    assert!(compared > rounds && complete > rounds / 4, "{compared}, {complete}");
}
