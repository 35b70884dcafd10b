//! The model: places byte by byte, as the rules say it.

use crate::placing::make::{Data, Element, Item, Mark, Number, Type};
use std::collections::HashMap;

/// What lies where: path, address, bytes, shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen {
    Data(String, u64, u64, Vec<u64>),
    Param(String, Option<u64>),
    List(String, u64),
    Dict(String),
    /// The rest cannot be placed.
    Fault(String),
}

pub(crate) type Scope = HashMap<&'static str, i64>;

/// A number that is not legal.
pub(crate) struct Bad;

pub(crate) type Placed<T> = Result<T, Bad>;

/// What a later extension repeats: the element, and the params that were in force.
pub(crate) type Written = (Option<Element>, Scope, u64);

pub(crate) struct Model<'m> {
    pub(crate) types: &'m [(String, Type)],
    pub(crate) bytes: &'m [u8],
    pub(crate) cursor: u64,
    pub(crate) seen: Vec<Seen>,
    /// The work done so far; some layouts come to too much.
    pub(crate) work: u64,
}

impl Model<'_> {
    pub(crate) fn byte(&self, address: u64) -> i64 {
        i64::from(self.bytes.get(address as usize).copied().unwrap_or(0) as i8)
    }

    pub(crate) fn value(&self, number: &Number, scope: &Scope) -> Placed<i64> {
        Ok(match number {
            Number::Int(value) => *value,
            Number::Param(name, suffix) => match scope[name] {
                0 => 0,
                -1 => -1,
                value => value + suffix,
            },
            Number::Sum(name, by) => scope[name] + by,
            Number::Expr(tree) => tree.value(&|name| scope[name]).ok_or(Bad)?,
        })
    }

    pub(crate) fn dim(&self, number: &Number, scope: &Scope) -> Placed<Option<u64>> {
        let value = self.value(number, scope)?;
        let removed = match number {
            Number::Int(value) => *value == -1,
            Number::Param(name, _) => scope[name] == -1,
            Number::Sum(..) | Number::Expr(_) => false,
        };
        match value {
            -1 if removed => Ok(None),
            0.. => Ok(Some(value as u64)),
            _ => Err(Bad),
        }
    }

    pub(crate) fn times(&self, number: &Number, scope: &Scope) -> Placed<u64> {
        u64::try_from(self.value(number, scope)?).map_err(|_| Bad)
    }

    pub(crate) fn body(&self, dtype: &Type) -> Option<(Vec<Item>, Option<u64>, Option<u64>)> {
        match dtype {
            Type::Plain(..) => None,
            Type::Struct(members, align, pack) => Some((members.clone(), *align, *pack)),
            Type::Named(at) => self.body(&self.types[*at].1),
        }
    }

    /// The data that a typedef stands for, if it has no streamed param.
    pub(crate) fn typedef(&self, dtype: &Type) -> Option<Data> {
        match self.body(dtype)?.0.as_slice() {
            [Item::Data(name, data)] if name.is_empty() => Some(data.clone()),
            _ => None,
        }
    }

    pub(crate) fn align_of(&self, dtype: &Type) -> u64 {
        if let Type::Plain(_, size) = dtype {
            return *size;
        }
        let (members, own, pack) = self.body(dtype).expect("a struct");
        let mut align = 1;
        for member in &members {
            align = align.max(match member {
                Item::Data(_, data) => self.align(data),
                Item::Streamed(_, Mark::Align(align)) => *align,
                _ => 1,
            });
        }
        own.unwrap_or(pack.map_or(align, |pack| align.min(pack)))
    }

    pub(crate) fn align(&self, data: &Data) -> u64 {
        let natural = self.align_of(&data.dtype);
        match data.mark {
            Mark::Align(align) => align,
            _ if self.asks(&data.dtype) => natural,
            _ => data.pack.map_or(natural, |pack| natural.min(pack)),
        }
    }

    /// Whether a type, or the one that a typedef stands for, says its own alignment.
    fn asks(&self, dtype: &Type) -> bool {
        let own = self.body(dtype).is_some_and(|(_, own, _)| own.is_some());
        let inner = self.typedef(dtype).filter(|data| !matches!(data.mark, Mark::Align(_)));
        own || inner.is_some_and(|data| self.asks(&data.dtype))
    }

    /// The shape with that of typedefs, and what the elements are.
    pub(crate) fn unfold(&self, data: &Data, scope: &Scope) -> Placed<(Vec<u64>, Type)> {
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
    pub(crate) fn bytes_of(
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
    pub(crate) fn instance(&mut self, dtype: &Type, address: u64, scope: &Scope) -> Placed<u64> {
        let (members, ..) = self.body(dtype).expect("a struct");
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
        while !end.is_multiple_of(self.align_of(dtype)) {
            end += 1;
        }
        Ok(end)
    }

    pub(crate) fn at(&self, mark: Mark, scope: &Scope) -> Placed<Option<u64>> {
        match mark {
            Mark::At(address) => Ok(Some(address)),
            Mark::AtSum(name, by) => {
                u64::try_from(scope[name] + by as i64).map(Some).map_err(|_| Bad)
            }
            _ => Ok(None),
        }
    }

    /// Begin and end of data, and its shape; `base` is where the instance around it begins.
    pub(crate) fn place(
        &mut self,
        data: &Data,
        cursor: u64,
        base: u64,
        scope: &Scope,
    ) -> Placed<(u64, u64, Vec<u64>)> {
        let explicit = self.at(data.mark, scope)?;
        let (shape, dtype) = self.unfold(data, scope)?;
        let align = self.align(data);
        let aligned = begin(cursor, explicit, 1, align);
        let bytes = self.bytes_of(&shape, &dtype, base + aligned, scope)?;
        let begin = begin(cursor, explicit, bytes, align);
        Ok((begin, begin + bytes, shape))
    }

    pub(crate) fn data(&mut self, path: String, data: &Data, scope: &Scope) -> Placed<()> {
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
    pub(crate) fn dict(&mut self, path: &str, items: &[Item], outer: &Scope) -> Placed<()> {
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
                    if current.is_empty() {
                        root.insert(name, value)
                    } else {
                        dicts.entry(current.clone()).or_default().insert(name, value)
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
    pub(crate) fn repeat(
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
pub(crate) const ANY: u64 = u64::MAX;

pub(crate) fn totals(items: &[Item]) -> HashMap<String, u64> {
    let lists = items.iter().filter_map(|item| match item {
        Item::List(name, ..) => Some((name.clone(), ANY)),
        _ => None,
    });
    lists.collect()
}

pub(crate) fn align_of_mark(mark: Mark, natural: u64) -> u64 {
    if let Mark::Align(align) = mark { align } else { natural }
}

pub(crate) fn begin(cursor: u64, explicit: Option<u64>, bytes: u64, align: u64) -> u64 {
    let mut begin = explicit.unwrap_or(cursor);
    while explicit.is_none() && bytes > 0 && !begin.is_multiple_of(align) {
        begin += 1;
    }
    begin
}
