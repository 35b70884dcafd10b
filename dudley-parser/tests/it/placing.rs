//! Addresses of random layouts, compared with a model that places byte by byte: it moves the cursor
//! on until it is aligned, visits every member of every instance and every repetition, and reads
//! params where it finds them. It shares nothing with the resolver but the rules.

pub(crate) mod make;
mod model;

use dudley_parser::Layout;
use dudley_parser::formula::plan::{self, Place, Plan};
use dudley_parser::formula::{Expr, Formulas, Row, What};
use dudley_parser::layout::print::print;
use dudley_parser::layout::{Array, ArrayId, Scope as Declared};
use dudley_parser::resolve::{
    Event, Fault, Flow, Found, Given, NoValues, Node, ParamAt, Resolver, State, Values, WalkOptions,
};
use make::{Data, Element, Maker, Mark, Random, Type, Writer};
use model::{ANY, Model, Scope, Seen};
use std::collections::HashMap;

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
    walked_by(WalkOptions::default(), layout, given, bytes, limit)
}

fn walked_by(
    options: WalkOptions,
    layout: &Layout,
    given: &Given,
    bytes: &[u8],
    limit: usize,
) -> Vec<Seen> {
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
            Found::Array { array, placed: Ok(placed), .. } => {
                let array = &layout[array];
                let path = array_path(layout, array, &path);
                let shape = resolver.shape(array);
                let shape = shape.unwrap_or_else(|e| panic!("{path}: {e}\n{}", layout.text()));
                Seen::Data(path, placed.address, placed.bytes, shape)
            }
            Found::Param { placed: None, .. } => Seen::Param(path, None),
            Found::Param { placed: Some(Ok(placed)), .. } => {
                Seen::Param(path, Some(placed.address))
            }
            Found::Array { .. } | Found::Param { .. } => Seen::Fault(path),
            Found::Elided { .. } if options.elide_above.is_some() => return Flow::Continue,
            Found::Elided { .. } => panic!("nothing is to be left out"),
        });
        if seen.len() > limit { Flow::Stop } else { Flow::Continue }
    };
    resolver.walk(options, &mut visit);
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

/// A fresh lookup of every path finds what the walk found, and nothing where the walk found no place.
fn look_up_all(layout: &Layout, given: &Given, bytes: &[u8], seen: &[Seen]) {
    look_up(layout, given, bytes, seen);
    let values = Bytes(bytes);
    for one in seen.iter().step_by(1 + seen.len() / 60) {
        let Seen::Fault(path) = one else { continue };
        let mut state = State::new();
        let mut resolver = Resolver::new(layout, given, &values, &mut state);
        let placed = find(&mut resolver, path).and_then(|node| resolver.place(&node).ok());
        assert_eq!(placed, None, "{path} in\n{}", layout.text());
    }
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

fn same_when_printed(layout: &Layout, given: &Given, bytes: &[u8], seen: &[Seen]) {
    let printed = print(layout);
    let again = dudley_parser::check_to_read(printed.as_bytes());
    let again = again.layout.unwrap_or_else(|| panic!("{:?}\n{printed}", again.diagnostics));
    assert_eq!(
        walked(&again, given, bytes, seen.len()),
        seen,
        "{}\n=====\n{printed}",
        layout.text()
    );
    assert_eq!(print(&again), printed, "{}", layout.text());
}

/// With all params given, formulas are the resolver's numbers.
fn same_as_formulas(layout: &Layout, given: &Given, seen: &[Seen], bytes: &[u8]) {
    let values = Bytes(bytes);
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, given, &values, &mut state);
    let mut all = given.clone();
    for (id, param) in layout.params() {
        if let (Declared::Dict(_), Ok((value, _))) = (param.scope, resolver.raw_value(id)) {
            all.params.insert(id, value);
        }
    }
    let expected: HashMap<&str, (u64, u64)> = seen
        .iter()
        .filter_map(|one| match one {
            Seen::Data(path, address, bytes, _) => Some((path.as_str(), (*address, *bytes))),
            Seen::Param(path, Some(address)) => Some((path.as_str(), (*address, 1))),
            _ => None,
        })
        .collect();
    let mut visit = |_: &mut Formulas<'_>, row: Row<'_>| {
        let (address, bytes) = match row.what {
            What::Array { address: Ok(address), bytes: Ok(bytes), spliced: None, .. } => {
                (address, bytes)
            }
            What::Param { address: Some(Ok(address)), .. } => (address, Expr::number(1)),
            _ => return Flow::Continue,
        };
        if let (Some(expected), Some(address), Some(bytes)) =
            (expected.get(row.path), address.as_number(), bytes.as_number())
        {
            assert_eq!((address, bytes), *expected, "{} in\n{}", row.path, layout.text());
        }
        Flow::Continue
    };
    Formulas::new(layout, &all).walk(WalkOptions::default(), &mut visit);
}

/// Operations, carried out for every repetition, come to the same places, and to no others: of `faults`, to none.
fn same_as_plan(layout: &Layout, given: &Given, seen: &[Seen], bytes: &[u8], faults: bool) -> bool {
    let values = Bytes(bytes);
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, given, &values, &mut state);
    let mut params = HashMap::new();
    for (id, param) in layout.params() {
        if let (Declared::Dict(_), Ok((value, _))) = (param.scope, resolver.raw_value(id)) {
            params.insert(id, value);
        }
    }
    let mut expected: HashMap<(u64, u64), u32> = HashMap::new();
    for one in seen {
        let place = match one {
            Seen::Data(_, address, bytes, _) => (*address, *bytes),
            Seen::Param(_, Some(address)) => (*address, 1),
            _ => continue,
        };
        *expected.entry(place).or_default() += 1;
    }
    let mut plan = Plan::new(layout, given.start);
    let mut rows = Vec::new();
    plan.walk(&mut |_, row| {
        let place = match row.what {
            plan::What::Array { spliced: Some(_), .. } => Place::default(),
            plan::What::Array { place, .. } | plan::What::Param { place: Some(place), .. } => place,
            _ => return,
        };
        let numbers: Vec<plan::Node> = row.numbers.iter().map(|(_, node)| *node).collect();
        rows.push((row.path.to_owned(), place, row.repetitions.to_vec(), numbers));
    });
    let end = plan.data_end();
    let value = |id| params.get(&id).copied();
    let none = plan.evaluate(&value, &[]);
    if let (Some(end), Ok(expected)) = (end, resolver.data_end())
        && !plan.unknown_of(&none)[end.index()]
    {
        assert_eq!(none[end.index()], Some(expected as i64), "the end of\n{}", layout.text());
    }
    let mut complete = true;
    for (path, place, repetitions, numbers) in rows {
        let counts: Option<Vec<u64>> = repetitions
            .iter()
            .map(|count| none[(*count)?.index()].and_then(|count| u64::try_from(count).ok()))
            .collect();
        let (Some(counts), Some(address), Some(bytes)) = (counts, place.address, place.bytes)
        else {
            complete = false;
            continue;
        };
        // What only a stream tells, wherever it is.
        let is_unknown = |values: &[Option<i64>]| {
            let unknown = plan.unknown_of(values);
            unknown[address.index()] || unknown[bytes.index()]
        };
        let mut index = vec![0; counts.len()];
        while index.iter().zip(&counts).all(|(index, count)| index < count) {
            let values = plan.evaluate(&value, &index);
            let found = values[address.index()].zip(values[bytes.index()]);
            // What has no number in its list is not found.
            let nameless = numbers.iter().any(|number| values[number.index()].is_none());
            if is_unknown(&values) || nameless {
                complete = false;
                break;
            }
            let text = layout.text();
            let found = found.or(faults.then_some((-1, 0)));
            let (address, bytes) = found.unwrap_or_else(|| panic!("no {path} in\n{text}"));
            let left = expected.get_mut(&(address as u64, bytes as u64)).filter(|left| **left > 0);
            if address != -1 {
                let wrong = || panic!("{path}{index:?} at {address}+{bytes} in\n{text}");
                *left.unwrap_or_else(wrong) -= 1;
            }
            let Some(last) = index.len().checked_sub(1) else { break };
            index[last] += 1;
            for at in (1..=last).rev() {
                if index[at] == counts[at] {
                    index[at] = 0;
                    index[at - 1] += 1;
                }
            }
        }
    }
    assert!(!complete || expected.values().all(|left| *left == 0), "{}", layout.text());
    complete
}

fn stream(seed: u64) -> Vec<u8> {
    let mut random = Random(seed ^ 0x5555);
    (0..4096).map(|_| random.pick(&[0, 1, 1, 2, 2, 3, 3, 4, 255])).collect()
}

#[test]
fn random_layouts() {
    let mut compared = 0;
    let mut complete = 0;
    let mut planned = 0;
    let rounds: u64 =
        std::env::var("PLACING_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
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
            same_when_printed(&layout, &given, &bytes, &found);
            same_as_formulas(&layout, &given, &found, &bytes);
            planned += u64::from(same_as_plan(&layout, &given, &found, &bytes, false));
            complete += 1;
        } else {
            for options in [WalkOptions::default(), WalkOptions::elide_above(1)] {
                let found = walked_by(options, &layout, &given, &bytes, 2000);
                look_up_all(&layout, &given, &bytes, &found);
            }
            let found = walked(&layout, &given, &bytes, 2000);
            if found.len() < 2000 {
                same_as_plan(&layout, &given, &found, &bytes, true);
            }
        }
    }
    assert!(compared > rounds && complete > rounds / 4, "{compared}, {complete}");
    assert!(planned > complete / 4, "{planned} of {complete}");
}

#[test]
fn lists_in_many_lists_have_no_more_operations_than_one_can_hold() {
    let text = format!("N : i8 a = i1[N] l {}i1, f8{} b = f8", "[".repeat(200), "]*N".repeat(200));
    let layout = dudley_parser::check(text.as_bytes()).layout.expect("a layout");
    let mut plan = Plan::new(&layout, 16);
    let mut rows = 0;
    plan.walk(&mut |_, _| rows += 1);
    assert!(plan.data_end().is_none());
    assert!(rows > 60 && plan.ops().len() < 1_000_000, "{rows}, {}", plan.ops().len());
}

#[test]
fn long_repeats() {
    const TIMES: u64 = 1_000_000_007;
    for seed in 0..400 {
        let mut maker = Maker { random: Random(seed), named: 0, types: Vec::new() };
        let mut random = Random(seed ^ 77);
        let number = |random: &mut Random| make::Number::Int(random.below(3) as i64 + 1);
        let mut element = |maker: &mut Maker| {
            let (name, size) = random.pick(&make::PLAIN);
            let mark = if random.one_in(3) {
                Mark::Align(random.pick(&[1, 2, 4, 8, 16, 64]))
            } else {
                Mark::None
            };
            let shape = vec![number(&mut random)];
            let data = Data { dtype: Type::Plain(name, size), shape, mark, pack: None };
            match random.below(3) {
                0 => Element::Dict(vec![make::Item::Data(maker.name(), data)]),
                1 => Element::List(vec![Element::Data(data)], number(&mut random)),
                _ => Element::Data(data),
            }
        };
        let elements: Vec<Element> = (0..1 + seed % 3).map(|_| element(&mut maker)).collect();
        let list = |times| make::Item::List("l".into(), elements.clone(), times);
        let head =
            Data { dtype: Type::Plain("i1", 1), shape: Vec::new(), mark: Mark::None, pack: None };
        let layout = |times: u64| {
            vec![make::Item::Data("a".into(), head.clone()), list(make::Number::Int(times as i64))]
        };
        let text = Writer(&[]).layout(&layout(TIMES));
        let long = dudley_parser::check_to_read(text.as_bytes()).layout.expect("a layout");
        let mut model = Model { types: &[], bytes: &[], cursor: 0, seen: Vec::new(), work: 0 };
        assert!(model.dict("", &layout(40), &Scope::new()).is_ok());
        let given = Given::default();
        look_up(&long, &given, &[], &model.seen);
        // Later ones lie as far apart as the 30th and the 31st.
        let per = elements.len() as u64;
        let places: HashMap<&str, u64> = model
            .seen
            .iter()
            .filter_map(|one| match one {
                Seen::Data(path, address, ..) => Some((path.as_str(), *address)),
                _ => None,
            })
            .collect();
        let mut state = State::new();
        let mut resolver = Resolver::new(&long, &given, &NoValues, &mut state);
        for (path, address) in &places {
            let mut segments = path.split('/').skip(2);
            let Some(index) = segments.next().and_then(|index| index.parse::<u64>().ok()) else {
                continue;
            };
            if index / per != 30 {
                continue;
            }
            let tail: String = segments.map(|segment| format!("/{segment}")).collect();
            let stride = places[format!("/l/{}{tail}", index + per).as_str()] - address;
            for times in [1000, 65_537, TIMES - 31] {
                let path = format!("/l/{}{tail}", index + times * per);
                let node = find(&mut resolver, &path).expect("an item");
                let placed = resolver.place(&node).expect("a place");
                assert_eq!(placed.address, address + times * stride, "{path} in\n{text}");
            }
        }
    }
}

#[test]
fn addresses_of_params_in_structs() {
    // The second param's address needs the first: instances differ. In a type the name is free.
    let text =
        "B : 7  T {n : i1 @B  x = i1}  a = T  B : 9  b = T  v = {B : i1  m : i1 @B+3  x = i1}";
    let layout = dudley_parser::check(text.as_bytes()).layout.expect("a layout");
    let seen = walked(&layout, &Given::default(), &[4; 64], 100);
    let places: Vec<(u64, u64)> = seen
        .iter()
        .filter_map(|one| match one {
            Seen::Data(_, address, bytes, _) => Some((*address, *bytes)),
            _ => None,
        })
        .collect();
    assert_eq!(places, [(0, 9), (9, 11), (20, 9)]);
}

/// What a walk finds of a text, and that lookups find the same.
fn both(text: &str, bytes: &[u8]) -> Vec<Seen> {
    let layout = dudley_parser::check_to_read(text.as_bytes()).layout.expect("a layout");
    let given = Given::default();
    let seen = walked(&layout, &given, bytes, 1000);
    look_up_all(&layout, &given, bytes, &seen);
    seen
}

#[test]
fn what_has_an_address_is_placed_behind_faults_in_lists() {
    let bytes = |values: &[(usize, u8)]| {
        let mut bytes = [0; 256];
        values.iter().for_each(|(at, value)| bytes[*at] = *value);
        bytes
    };
    let data = |path: &str, address| Seen::Data(path.into(), address, 1, Vec::new());
    let fault = |path: &str| Seen::Fault(path.into());
    // One bad dimension for all repetitions, and what follows the list.
    let text = "N : i1  l = [i1[N], i1, i1 @40, i1]*2  y = i1";
    let found = both(text, &bytes(&[(0, 250)]));
    let expected = [
        fault("/l/0"),
        fault("/l/1"),
        data("/l/2", 40),
        data("/l/3", 41),
        fault("/l/4"),
        fault("/l/5"),
        data("/l/6", 40),
        data("/l/7", 41),
        data("/y", 42),
    ];
    assert_eq!(found[2..], expected);
    // One in a repetition, and a param that has no place in it.
    let text = "l = [/ M : i1  a = i1[M]  N : i1  b = i1[N] @64  c = i1]*2  y = i1";
    let found = both(text, &bytes(&[(0, 1), (2, 3), (68, 250)]));
    assert!(found.contains(&data("/l/0/c", 67)), "{found:?}");
    assert_eq!(found[found.len() - 4..][..3], ["/l/1/N", "/l/1/b", "/l/1/c"].map(fault));
    // Behind a list whose count is bad, in a list of its own.
    let text = "N : i1  k = [i1]*N  x = i1  l = [[i1, i1 @9]*2, i1]*3  y = i1";
    let found = both(text, &bytes(&[(0, 250)]));
    assert!(found.contains(&data("/l/5", 10)) && found.contains(&data("/y", 11)), "{found:?}");
    assert!(found.contains(&fault("/x")) && found.contains(&fault("/l/0/0")), "{found:?}");
}

/// How often the bytes of a filtered array were requested, each of which has ten and its count.
struct Counted(std::cell::Cell<u64>);

impl Values for Counted {
    fn param(&self, _: &ParamAt) -> Result<i128, Fault> {
        Err(Fault::Unknown)
    }

    fn stored(&self, _: ArrayId, _: u64) -> Result<u64, Fault> {
        self.0.set(self.0.get() + 1);
        Ok(10)
    }
}

#[test]
fn items_of_long_lists_are_placed_without_all_before_them() {
    const ITEMS: u64 = 2000;
    // How many items are measured for one: none before it if it says its address, or those from the nearest kept one on.
    for (place, most) in [(" @8", 2), ("", 66)] {
        let items = format!("u1[4] -> zlib{place}, ").repeat(ITEMS as usize);
        let text = format!("x = u1  l = [{items}]  y = u1");
        let layout = dudley_parser::check(text.as_bytes()).layout.expect("a layout");
        let (given, values) = (Given::default(), Counted(0.into()));
        let mut state = State::new();
        let list = find(&mut Resolver::new(&layout, &given, &values, &mut state), "/l");
        let list = list.expect("a list");
        for (count, number) in (0..ITEMS).chain((0..ITEMS).rev()).enumerate() {
            // As it is requested by one who keeps no more than the state.
            let mut resolver = Resolver::new(&layout, &given, &values, &mut state);
            let node = resolver.item(&list, number).expect("a length").expect("an item");
            let placed = resolver.place(&node).expect("a place");
            let address = if place.is_empty() { 1 + 18 * number } else { 8 };
            assert_eq!((placed.address, placed.bytes), (address, 18), "{number}");
            let asked = values.0.get();
            assert!(asked <= most * (count as u64 + 1) + 2 * ITEMS, "{asked} for {count}");
        }
    }
}

#[test]
fn faults_in_lists_in_lists_take_no_longer_than_they_are_deep() {
    let text = |item: &str| {
        format!("N : i1  l {}{item}{}  y = i1", "[".repeat(200), ", i1]*2".repeat(200))
    };
    for (item, address) in [("i1[N], i1 @9", 210), ("i1[N]", u64::MAX)] {
        let text = text(item);
        let layout = dudley_parser::check(text.as_bytes()).layout.expect("a layout");
        let (given, mut state) = (Given::default(), State::new());
        let mut resolver = Resolver::new(&layout, &given, &Bytes(&[250]), &mut state);
        let node = find(&mut resolver, "/y").expect("an item");
        let placed = resolver.place(&node).map_or(u64::MAX, |placed| placed.address);
        assert_eq!(placed, address);
    }
}

/// What the operations for an item come to, if anything, and whether only a stream tells it.
fn planned(text: &str, path: &str, params: &[(&str, i128)]) -> (Option<i64>, bool) {
    let layout = dudley_parser::check_to_read(text.as_bytes()).layout.expect("a layout");
    let mut plan = Plan::new(&layout, 16);
    let mut node = None;
    plan.walk(&mut |_, row| match row.what {
        plan::What::Array { place, .. } if row.path == path => node = place.address,
        _ => {}
    });
    let node = node.expect("an operation");
    let value = |id| {
        let path = layout.param_path(id);
        params.iter().find(|(name, _)| *name == path).map(|(_, value)| *value)
    };
    let values = plan.evaluate(&value, &[]);
    (values[node.index()], plan.unknown_of(&values)[node.index()])
}

#[test]
fn behind_varying_lists_there_are_operations() {
    let text = "N : i8  l = [/ M : i4  x = f4[M]]*N  y = f8  k = [/ M : i1  a = f4[M]  b = i1 @N+80]*N  z = i1";
    for (n, y, z) in [(0, Some(24), Some(32)), (1, None, Some(82)), (3, None, Some(84))] {
        assert_eq!(planned(text, "/y", &[("/N", n)]), (y, y.is_none()), "{n}");
        assert_eq!(planned(text, "/z", &[("/N", n)]), (z, false), "{n}");
    }
    // An illegal count is wrong, whatever a stream says.
    assert_eq!(planned(text, "/y", &[("/N", -2)]), (None, false));
}

/// What is filtered and has no bytes before that has none in the stream, so it is not aligned.
#[test]
fn nothing_that_is_filtered_is_not_aligned() {
    let text = "N : i1  a = i1  y = {b = f8[0]}[2] -> zlib  w = i1  z = f8[N] -> zlib  v = i1";
    assert_eq!(planned(text, "/y", &[("/N", 0)]), (Some(18), false));
    assert_eq!(planned(text, "/w", &[("/N", 0)]), (Some(18), false));
    assert_eq!(planned(text, "/v", &[("/N", 0)]), (Some(19), false));
    assert_eq!(planned(text, "/z", &[("/N", 2)]), (Some(24), false));
    assert_eq!(planned(text, "/v", &[("/N", 2)]), (None, true));
}
