//! Random layouts, and how they are written.

/// Numbers that only look random.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % limit
    }

    pub(crate) fn one_in(&mut self, odds: u64) -> bool {
        self.below(odds) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Number {
    Int(i64),
    Param(&'static str, i64),
    Sum(&'static str, i64),
    Expr(Box<Tree>),
}

/// An expression of params and numbers.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Int(i64),
    Param(&'static str),
    Op(char, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// In brackets wherever an operation stands in another one.
    pub(crate) fn text(&self) -> String {
        let inner = |tree: &Tree| match tree {
            Tree::Op(..) => format!("({})", tree.text()),
            _ => tree.text(),
        };
        match self {
            Tree::Int(value) => value.to_string(),
            Tree::Param(name) => name.to_string(),
            Tree::Op(op, a, b) => format!("{}{op}{}", inner(a), inner(b)),
        }
    }

    /// None: a remainder, or a divisor of 0.
    pub(crate) fn value(&self, params: &dyn Fn(&str) -> i64) -> Option<i64> {
        match self {
            Tree::Int(value) => Some(*value),
            Tree::Param(name) => Some(params(name)),
            Tree::Op(op, a, b) => {
                let (a, b) = (a.value(params)?, b.value(params)?);
                match op {
                    '+' => Some(a + b),
                    '-' => Some(a - b),
                    '*' => Some(a * b),
                    _ => (b != 0 && a % b == 0).then(|| a / b),
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    None,
    Align(u64),
    At(u64),
    AtSum(&'static str, u64),
}

#[derive(Clone, Debug)]
pub(crate) enum Type {
    Plain(&'static str, u64),
    /// Members, its own alignment, and its packing, which may be that of the struct around it.
    Struct(Vec<Item>, Option<u64>, Option<u64>),
    /// By its number; a typedef where the single member has no name.
    Named(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(crate) dtype: Type,
    pub(crate) shape: Vec<Number>,
    pub(crate) mark: Mark,
    /// The greatest default alignment where it stands.
    pub(crate) pack: Option<u64>,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Data(String, Data),
    Fixed(&'static str, i64),
    Streamed(&'static str, Mark),
    Enter(String),
    Root,
    List(String, Vec<Element>, Number),
    Extend(String, Number),
}

#[derive(Clone, Debug)]
pub(crate) enum Element {
    Data(Data),
    List(Vec<Element>, Number),
    Dict(Vec<Item>),
}

pub(crate) const NAMES: [&str; 3] = ["A", "B", "C"];
pub(crate) const PLAIN: [(&str, u64); 7] =
    [("i1", 1), ("u2", 2), ("f4", 4), ("f8", 8), ("c16", 16), ("b1", 1), ("c8", 8)];

/// Makes layouts up.
pub(crate) struct Maker {
    pub(crate) random: Random,
    pub(crate) named: usize,
    pub(crate) types: Vec<(String, Type)>,
}

impl Maker {
    pub(crate) fn name(&mut self) -> String {
        self.named += 1;
        format!("x{}", self.named)
    }

    pub(crate) fn number(&mut self, dim: bool) -> Number {
        let name = self.random.pick(&NAMES);
        if self.random.one_in(8) {
            // Lists of few items, since all of them are compared.
            let tree = if dim { self.tree(2) } else { self.quotient(Tree::Param(name)) };
            return Number::Expr(Box::new(tree));
        }
        match self.random.below(if dim { 9 } else { 6 }) {
            0..=2 => Number::Int(self.random.below(4) as i64),
            3 | 4 => Number::Param(name, 0),
            5 => Number::Param(name, self.random.pick(&[1, 1, 2, -1])),
            6 => Number::Sum(name, self.random.pick(&[0, 1, 3, -1])),
            7 => Number::Int(-1),
            _ => Number::Int(2),
        }
    }

    /// Quotients of even numbers and of 1 leave no remainder more often than not.
    fn tree(&mut self, depth: u64) -> Tree {
        if depth == 0 {
            return match self.random.below(2) {
                0 => Tree::Param(self.random.pick(&NAMES)),
                _ => Tree::Int(self.random.below(4) as i64),
            };
        }
        let op = self.random.pick(&['+', '+', '-', '*', '*', '/']);
        let left = self.random.below(depth);
        let left = self.tree(left);
        let right = self.random.below(depth);
        let right = self.tree(right);
        match op {
            '/' => self.quotient(left),
            op => Tree::Op(op, Box::new(left), Box::new(right)),
        }
    }

    fn quotient(&mut self, of: Tree) -> Tree {
        let double = Tree::Op('*', Box::new(of), Box::new(Tree::Int(2)));
        Tree::Op('/', Box::new(double), Box::new(Tree::Int(self.random.pick(&[2, 2, 2, 4]))))
    }

    pub(crate) fn mark(&mut self) -> Mark {
        match self.random.below(24) {
            0..=4 => Mark::Align(self.random.pick(&[1, 2, 4, 8, 16, 32, 64])),
            5 => Mark::At(self.random.below(120)),
            6 => Mark::AtSum(self.random.pick(&NAMES), 1 + self.random.below(90)),
            _ => Mark::None,
        }
    }

    pub(crate) fn data(&mut self, depth: u64) -> Data {
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
        Data { dtype, shape, mark, pack: None }
    }

    pub(crate) fn body(&mut self, depth: u64) -> Type {
        let mut members = Vec::new();
        for _ in 0..self.random.below(4) {
            members.push(match self.random.below(8) {
                0 | 1 => Item::Streamed(self.random.pick(&NAMES), self.mark()),
                2 => Item::Fixed(self.random.pick(&NAMES), self.random.below(5) as i64 - 1),
                _ => Item::Data(self.name(), self.data(depth)),
            });
        }
        let align = self.random.one_in(5).then(|| self.random.pick(&[1, 2, 8, 16]));
        let pack = self.random.one_in(5).then(|| self.random.pick(&[1, 2, 4, 8]));
        Type::Struct(members, align, pack)
    }

    pub(crate) fn items(&mut self, depth: u64, lists: &mut Vec<String>) -> Vec<Item> {
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
                        Item::Data(
                            self.name(),
                            Data { dtype, shape, mark: self.mark(), pack: None },
                        )
                    });
                    let dtype = Type::Struct(members.collect(), None, None);
                    let shape = vec![self.number(true)];
                    Item::Data(String::new(), Data { dtype, shape, mark: self.mark(), pack: None })
                }
                _ => Item::Data(self.name(), self.data(2)),
            });
        }
        items
    }

    pub(crate) fn elements(&mut self, depth: u64) -> Vec<Element> {
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
    pub(crate) fn layout(seed: u64) -> (Vec<(String, Type)>, Vec<Item>) {
        let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed);
        let mut maker = Maker { random, named: 0, types: Vec::new() };
        let mut items = Vec::new();
        for name in NAMES {
            items.push(if maker.random.one_in(2) {
                Item::Streamed(name, Mark::None)
            } else {
                Item::Fixed(name, maker.random.below(5) as i64 - 1)
            });
        }
        for at in 0..maker.random.below(4) {
            let dtype = if maker.random.one_in(3) {
                let data = Data { mark: Mark::None, ..maker.data(1) };
                Type::Struct(vec![Item::Data(String::new(), data)], None, None)
            } else {
                maker.body(1)
            };
            maker.types.push((format!("T{at}"), dtype));
        }
        items.extend(maker.items(3, &mut Vec::new()));
        maker.types.iter_mut().for_each(|(_, dtype)| inherit(dtype, None));
        inherit_all(&mut items, None);
        (maker.types, items)
    }
}

/// Gives structs the packing of those that they stand in.
fn inherit(dtype: &mut Type, outer: Option<u64>) {
    if let Type::Struct(members, _, pack) = dtype {
        *pack = pack.or(outer);
        let pack = *pack;
        inherit_all(members, pack);
    }
}

fn inherit_all(items: &mut [Item], outer: Option<u64>) {
    for item in items {
        match item {
            Item::Data(_, data) => inherit_data(data, outer),
            Item::List(_, elements, _) => inherit_elements(elements),
            _ => {}
        }
    }
}

fn inherit_data(data: &mut Data, outer: Option<u64>) {
    data.pack = outer;
    inherit(&mut data.dtype, outer);
}

fn inherit_elements(elements: &mut [Element]) {
    for element in elements {
        match element {
            Element::Data(data) => inherit_data(data, None),
            Element::List(elements, _) => inherit_elements(elements),
            Element::Dict(items) => inherit_all(items, None),
        }
    }
}

/// Writes layouts.
pub(crate) struct Writer<'t>(pub(crate) &'t [(String, Type)]);

impl Writer<'_> {
    pub(crate) fn number(&self, number: &Number) -> String {
        match number {
            Number::Int(value) => value.to_string(),
            Number::Param(name, suffix) if *suffix < 0 => name.to_string() + "-",
            Number::Param(name, suffix) => name.to_string() + &"+".repeat(*suffix as usize),
            Number::Sum(name, by) => format!("{name}{by:+}"),
            Number::Expr(tree) => format!("({})", tree.text()),
        }
    }

    pub(crate) fn mark(&self, mark: Mark) -> String {
        match mark {
            Mark::None => String::new(),
            Mark::Align(align) => format!(" %{align}"),
            Mark::At(address) => format!(" @{address}"),
            Mark::AtSum(name, by) => format!(" @{name}+{by}"),
        }
    }

    /// A type that stands where a packing is in force.
    pub(crate) fn dtype(&self, dtype: &Type, outer: Option<u64>) -> String {
        match dtype {
            Type::Plain(name, _) => name.to_string(),
            Type::Named(at) => self.0[*at].0.clone(),
            Type::Struct(members, align, pack) => {
                let align = align.map_or(String::new(), |align| format!(" %{align}"));
                let own = pack.filter(|_| *pack != outer);
                let pack = own.map_or(String::new(), |pack| format!("%{pack}"));
                format!("{{ {pack} {} }}{align}", self.items(members))
            }
        }
    }

    pub(crate) fn data(&self, data: &Data) -> String {
        let dims: Vec<String> = data.shape.iter().map(|dim| self.number(dim)).collect();
        let shape = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
        self.dtype(&data.dtype, data.pack) + &shape + &self.mark(data.mark)
    }

    pub(crate) fn list(&self, elements: &[Element], repeat: &Number) -> String {
        let one = |element: &Element| match element {
            Element::Data(data) => self.data(data),
            Element::List(elements, repeat) => self.list(elements, repeat),
            Element::Dict(items) => format!("/ {}", self.items(items)),
        };
        let elements: Vec<String> = elements.iter().map(one).collect();
        format!("[{}]*{}", elements.join(", "), self.number(repeat))
    }

    pub(crate) fn items(&self, items: &[Item]) -> String {
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

    pub(crate) fn layout(&self, items: &[Item]) -> String {
        let types =
            self.0.iter().map(|(name, body)| format!("{name} {}\n", self.dtype(body, None)));
        types.collect::<String>() + &self.items(items)
    }
}
